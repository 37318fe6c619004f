package evidence

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/mechanic/all"
)

// small is a published game with a block cut down: other counts, the same tiers and mechanic.
func small(t *testing.T, name string, size uint32, counts ...uint32) *game.Definition {
	t.Helper()
	published, err := games.Definition(name)
	if err != nil {
		t.Fatal(err)
	}
	d := *published
	d.BlockSize, d.Prizes.Count = size, 0
	d.Prizes.Tiers = slices.Clone(d.Prizes.Tiers)
	for at := range d.Prizes.Tiers {
		d.Prizes.Tiers[at].Count = counts[at]
		d.Prizes.Count += counts[at]
	}
	return &d
}

// dice choose by a generator that has nothing in common with Talon's (PCG of the standard library).
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 0x7a1e))} }

func (d dice) Below(n uint32) uint32 { return d.Uint32N(n) }

// generator makes outcomes part by part, so that a twin breaks one part and leaves the others.
type generator struct {
	definition *game.Definition
	mechanic   mechanic.Mechanic
	shuffle    func(number int, order []uint8)
	// chooser gives the choices of the layout of a unit.
	chooser func(number, index int) mechanic.Chooser
}

// honest is a generator as it should be, from other numbers than Talon's.
func honest(t *testing.T, d *game.Definition, seed uint64) *generator {
	t.Helper()
	m, err := all.New(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	numbers := newDice(seed)
	return &generator{
		definition: d, mechanic: m,
		shuffle: func(_ int, order []uint8) {
			numbers.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		},
		chooser: func(int, int) mechanic.Chooser { return numbers },
	}
}

func unshuffled(d *game.Definition) (order []uint8) {
	for tier := range d.Prizes.Tiers {
		for range d.Prizes.Tiers[tier].Count {
			order = append(order, uint8(tier))
		}
	}
	for len(order) < int(d.BlockSize) {
		order = append(order, Lost)
	}
	return order
}

func (g *generator) deal(_ context.Context, number int, into *Block) error {
	into.Tiers = unshuffled(g.definition)
	g.shuffle(number, into.Tiers)
	cells := g.mechanic.Cells()
	into.Layouts = make([]byte, len(into.Tiers)*cells)
	for i, tier := range into.Tiers {
		at := mechanic.Losing
		if tier != Lost {
			at = int(tier)
		}
		if err := g.mechanic.LayOut(into.layout(i, cells), at, g.chooser(number, i)); err != nil {
			return err
		}
	}
	return nil
}

// draws are participations that win independently, from other numbers than Talon's.
func draws(seed uint64, size int, odds uint32) Deal {
	numbers := newDice(seed)
	return func(_ context.Context, _ int, into *Block) error {
		into.Tiers = into.Tiers[:0]
		for range size {
			tier := uint8(Lost)
			if numbers.Below(odds) == 0 {
				tier = 0
			}
			into.Tiers = append(into.Tiers, tier)
		}
		return nil
	}
}

func smallPiece(t *testing.T, size uint32) *game.Definition {
	return small(t, "piece-dor", size, 1, 1, size/2000, size/40, size/4000, size/5000, size/10, size*9/100)
}

func smallPrecius(t *testing.T, size uint32) *game.Definition {
	return small(t, "precius-aurus", size, 1, 1, 1, 1, 1, 1, size/8000, size/1800, size/32, size/80, size/10, size/10)
}

// TestLevels holds every test to its level: over many runs on outcomes that are as they should be, a
// p-value is below 5 % in no more than about 5 % of them, and below one half in about one half. Nulls that
// are not exact are checked in this way alone.
func TestLevels(t *testing.T) {
	repeat := 120
	if testing.Short() {
		repeat = 30
	}
	jackpot, err := games.Jackpot("super-jackpot")
	if err != nil {
		t.Fatal(err)
	}
	few := *jackpot
	few.BlockSize = 20_000
	participations, err := ForParticipations(&few, 40, 4)
	if err != nil {
		t.Fatal(err)
	}
	piece, precius := smallPiece(t, 8000), smallPrecius(t, 8000)
	cases := map[string]struct {
		plan *Plan
		deal Deal
	}{
		"collect":        {planOf(t, piece, 4), honest(t, piece, 1).deal},
		"lines":          {planOf(t, precius, 4), honest(t, precius, 2).deal},
		"participations": {participations, draws(3, 20_000, 40)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var below [][3]int // 1 %, 5 %, 50 %, by test
			var listed []Result
			refused := 0
			for range repeat {
				part, err := c.plan.Examine(t.Context(), c.deal, nil)
				if err != nil {
					t.Fatal(err)
				}
				if below == nil {
					below, listed = make([][3]int, len(part.Results)), part.Results
				}
				for i, result := range part.Results {
					for k, level := range levels {
						if result.P <= level {
							below[i][k]++
						}
					}
				}
				refused += Judge("", part).Refused
			}
			if refused > 1 {
				t.Errorf("%d refusals in %d runs at a level of %g", refused, repeat, Level)
			}
			for i, counts := range below {
				for k, level := range levels {
					if counts[k] > repeat/100 && float64(counts[k]) > float64(repeat)*level && binomialTails(counts[k], repeat, level) < 1e-4 {
						t.Errorf("%s, %s: %d of %d runs are below %g", listed[i].Test, listed[i].Of, counts[k], repeat, level)
					}
				}
				// Discrete counts and the least of several are allowed to be careful; the others are not.
				if listed[i].Degrees > 0 && !careful[listed[i].Test] && binomialTails(counts[2], repeat, 0.5) < 1e-4 {
					t.Errorf("%s, %s: %d of %d runs are below one half", listed[i].Test, listed[i].Of, counts[2], repeat)
				}
			}
		})
	}
}

var levels = [3]float64{0.01, 0.05, 0.5}

var careful = map[string]bool{"symbols a cell": true, "symbols by position": true, "successive layouts": true, "telling the next": true}

func planOf(t *testing.T, d *game.Definition, blocks int) *Plan {
	t.Helper()
	plan, err := ForGame(d, blocks)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
