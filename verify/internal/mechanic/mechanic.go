// Package mechanic lays units out and reads layouts, as block.md, section 7, says. Mechanics are safe for concurrent use.
package mechanic

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/talonlottery/talon/verify/internal/definition"
	"github.com/talonlottery/talon/verify/internal/stream"
)

// Limits of this checker. Nothing near them can be dealt in reasonable time.
const (
	cellsMost        = 36 // definition.md, section 4
	symbolsMost      = 64
	combinationsMost = 64
	countedMost      = 5_000_000 // compositions, or placements that are tried
)

// ErrNoLayout says that a unit of a tier cannot be laid out.
var ErrNoLayout = errors.New("no layout makes this prize")

// Mechanic is the rules of one game at one stake.
type Mechanic interface {
	// Cells is the length of a layout.
	Cells() int
	// Lay draws the layout of a unit of this tier, or of a losing one, from the unit's stream.
	Lay(tier int, s *stream.Stream, layout []byte) error
	// Read says what a layout wins, and false when no rule gives it a meaning.
	Read(layout []byte) (definition.Money, bool)
}

// New reads the mechanic of a definition.
func New(d *definition.Definition, stake int) (Mechanic, error) {
	if d.Jackpot != nil {
		return participation{d.Jackpot.Odds}, nil
	}
	var m Mechanic
	var err error
	switch kind := d.Mechanic.Text("kind"); kind {
	case "collect":
		m, err = newCollect(d, stake)
	case "lines":
		m, err = newLines(d, stake)
	default:
		err = fmt.Errorf("mechanic %q is not known to this checker", kind)
	}
	return m, errors.Join(d.Mechanic.Err(), err)
}

// participation is the mechanic of a jackpot: block.md, section 7.3.
type participation struct{ odds uint32 }

func (participation) Cells() int { return 1 }

func (p participation) Lay(_ int, s *stream.Stream, layout []byte) error {
	layout[0] = 0
	if s.Below(p.odds) == 0 {
		layout[0] = 1
	}
	return nil
}

func (participation) Read(layout []byte) (definition.Money, bool) {
	return 0, len(layout) == 1 && layout[0] <= 1
}

// tiersByPrize finds the tier of a prize at a stake. The prize of the losing units is 0.
func tiersByPrize(d *definition.Definition, stake int) map[definition.Money]int {
	tiers := map[definition.Money]int{0: definition.Losing}
	for i := range d.Tiers {
		tiers[d.Prize(i, stake)] = i
	}
	return tiers
}

// picker picks an entry by weights: block.md, section 7.
type picker struct {
	totals []uint32 // running totals
}

func newPicker(weights []uint64) (picker, error) {
	var p picker
	var sum uint64
	for _, w := range weights {
		if sum += w; w > math.MaxUint32 || sum > math.MaxUint32 {
			return p, errors.New("weights sum to more than 2³² − 1")
		}
		p.totals = append(p.totals, uint32(sum))
	}
	if sum == 0 {
		return p, errors.New("no weight is above zero")
	}
	return p, nil
}

// pick gives the first entry whose running total is above the number drawn.
func (p picker) pick(s *stream.Stream) int {
	x := s.Below(p.totals[len(p.totals)-1])
	if x < p.totals[0] { // the likeliest entry is often the first
		return 0
	}
	low, high := 0, len(p.totals)-1 // the entry is in low+1 … high
	for high-low > 1 {
		if middle := (low + high) / 2; x < p.totals[middle] {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// multisets calls visit with every ascending list of 1 to most numbers below n, shorter ones first, then in the order of the lists.
func multisets(n, most int, visit func(list []int)) {
	for length := 1; length <= most; length++ {
		list := make([]int, length)
		for {
			visit(slices.Clone(list))
			i := length - 1
			for i >= 0 && list[i] == n-1 {
				i--
			}
			if i < 0 {
				break
			}
			next := list[i] + 1
			for ; i < length; i++ {
				list[i] = next
			}
		}
	}
}
