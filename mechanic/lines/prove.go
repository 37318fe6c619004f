package lines

import (
	"fmt"
	"math"

	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// Prove lists the ways and counts their layouts, exactly and without sampling, by inclusion and
// exclusion over the lines. Compositions and totals outside the table are not counted: the notes say
// how many such totals up to gains_most gains could make.
func (l *Lines) Prove() (mechanic.Proof, error) {
	p := prover{l: l, known: map[pattern]uint64{}, steps: StepsMost}
	proof := mechanic.Proof{OffTable: none}
	proof.Losing = mechanic.TierProof{Compositions: none, SingleReading: none, Layouts: none}
	if count, ok := l.countLosing(&p.steps); ok {
		proof.Losing.Layouts = int64(count)
	}
	proof.Losing.Ways = []mechanic.Way{{Multiplier: 1, Weight: mechanic.WeightMost, Compositions: 1, Layouts: proof.Losing.Layouts}}
	for i := range l.tiers {
		proof.Tiers = append(proof.Tiers, p.tier(&l.tiers[i]))
	}
	proof.Notes = []string{
		"a layout has one reading only: all its winning lines",
		"no losing layout holds a wild or a multiplier",
		fmt.Sprintf("up to %d gains, with or without a multiplier, could make %d totals outside the prize table, which are never dealt",
			l.rules.gainsMost, l.offTable()),
	}
	return proof, nil
}

// prover remembers the numbers of layouts of placements that differ in their symbols only.
type prover struct {
	l     *Lines
	known map[pattern]uint64
	steps int
}

// pattern is a placement without the names of its symbols.
type pattern struct {
	lines      [GainsMost]uint8
	same       [GainsMost]uint8 // the first gain that equals this one
	size       int
	wild       int8
	multiplied bool
}

func (p *prover) tier(o *outcome) mechanic.TierProof {
	proof := mechanic.TierProof{Prize: o.prize, Compositions: none, SingleReading: none, CumulativeOnly: true}
	for i := range o.ways {
		w := p.way(&o.ways[i])
		proof.Ways = append(proof.Ways, w)
		proof.Layouts = addCounts(proof.Layouts, w.Layouts)
	}
	for _, combination := range p.l.rules.combinations {
		if combination.Gain == o.prize {
			proof.CumulativeOnly = false
		}
	}
	return proof
}

// addCounts adds numbers of layouts, any of which may be unknown.
func addCounts(a, b int64) int64 {
	if a == none || b == none || a > math.MaxInt64-b {
		return none
	}
	return a + b
}

func (p *prover) way(w *way) mechanic.Way {
	result := mechanic.Way{Gains: w.gains, Wild: w.wild, Multiplier: w.multiplier, Weight: w.weight}
	for _, placed := range w.placements {
		g, _ := p.l.fix(w, placed)
		if w.multiplier > 1 {
			result.Compositions += int64(p.l.free(&g))
		} else {
			result.Compositions++
		}
		result.Layouts = addCounts(result.Layouts, p.count(w, placed, &g))
	}
	return result
}

func (p *prover) count(w *way, placed placement, g *grid) int64 {
	key := pattern{lines: placed.lines, size: len(w.gains), wild: placed.wild, multiplied: w.multiplier > 1}
	for i := range w.gains {
		for key.same[i] = 0; w.gains[key.same[i]] != w.gains[i]; key.same[i]++ {
		}
	}
	if count, ok := p.known[key]; ok {
		return int64(count)
	}
	count, ok := p.l.countPlacement(w, g, &p.steps)
	if !ok || count > math.MaxInt64 {
		return none
	}
	p.known[key] = count
	return int64(count)
}

// offTable counts the totals outside the prize table that up to gains_most gains could make, whether
// or not they have a placement.
func (l *Lines) offTable() int {
	all := map[money.Amount]bool{}
	for size := 1; size <= l.rules.gainsMost; size++ {
		_ = multisets(len(l.rules.combinations), size, func(gains []int) error {
			sum := l.sumOf(gains)
			all[sum] = true
			for _, symbol := range l.rules.symbols {
				if symbol.Role == mechanic.Multiplier {
					all[sum*money.Amount(symbol.Coefficient)] = true
				}
			}
			return nil
		})
	}
	for i := range l.tiers {
		delete(all, l.tiers[i].prize)
	}
	return len(all)
}
