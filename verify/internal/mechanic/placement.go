package mechanic

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/talonlottery/talon/verify/internal/definition"
)

// placement gives each gain of a way a line, and the wild a cell: block.md, section 7.2.
type placement struct {
	layout []byte // codes of the cells of its lines; the other cells are free
	free   []byte // free cells, ascending
	lines  uint64 // bit i for line i
}

// placements are those of a way, in order, with their choice.
type placements struct {
	pick   picker
	placed []placement
}

// addWays finds the ways of all tiers, in the order of block.md: number of gains, lists, wild, multiplier.
func (m *lines) addWays(tiers map[definition.Money]int, gainsMost int) error {
	weights := map[int][]uint64{}
	var failed error
	multisets(len(m.combinations), gainsMost, func(gains []int) {
		for _, wild := range []bool{false, true} {
			if failed == nil && (!wild || m.wild != none) {
				failed = m.addWaysOf(tiers, weights, way{gains: gains, wild: wild})
			}
		}
	})
	for tier, t := range m.tiers {
		if failed == nil {
			t.pick, failed = newPicker(weights[tier])
		}
	}
	return failed
}

// addWaysOf adds a way without and with each coefficient.
func (m *lines) addWaysOf(tiers map[definition.Money]int, weights map[int][]uint64, w way) error {
	// The placements are the same whatever the coefficient.
	var found [2]*placements
	for i, coefficient := range append([]int64{0}, m.coefficients...) {
		tier, known := tiers[m.sum(w.gains)*max(coefficient, 1)]
		if !known || tier == definition.Losing {
			continue
		}
		multiplied, code := min(i, 1), none
		if i > 0 {
			code = m.multiplier + i - 1
		}
		if found[multiplied] == nil {
			p, err := m.place(w.gains, w.wild, i > 0)
			if err != nil {
				return err
			}
			found[multiplied] = p
		}
		if len(found[multiplied].placed) == 0 {
			continue
		}
		if m.tiers[tier] == nil {
			m.tiers[tier] = &linesTier{}
		}
		m.tiers[tier].ways = append(m.tiers[tier].ways, linesWay{code, found[multiplied]})
		weights[tier] = append(weights[tier], m.weight(tier, way{w.gains, w.wild, coefficient}))
	}
	return nil
}

// place finds the placements of a way and weighs them.
func (m *lines) place(gains []int, wild, multiplied bool) (*placements, error) {
	p := &placer{lines: m, gains: gains, wild: wild, multiplied: multiplied}
	p.next(slices.Repeat([]byte{free}, m.cells), none, nil)
	if p.tried > countedMost {
		return nil, errors.New("more placements than this checker tries")
	}
	found := &placements{placed: p.found}
	if len(found.placed) == 0 {
		return found, nil
	}
	fewest := m.cells
	for _, one := range found.placed {
		fewest = min(fewest, len(one.free))
	}
	var weights []uint64
	for _, one := range found.placed {
		weight := uint64(1)
		for range len(one.free) - fewest {
			weight = saturated(weight, uint64(len(m.fillers)))
		}
		if multiplied {
			weight = saturated(weight, uint64(len(one.free)))
		}
		weights = append(weights, weight)
	}
	var err error
	found.pick, err = newPicker(weights)
	return found, err
}

// saturated multiplies; what is too large for a picker stays too large.
func saturated(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high != 0 {
		return 1<<64 - 1
	}
	return low
}

// placer goes through the placements of one way in their order.
type placer struct {
	*lines
	gains            []int
	wild, multiplied bool
	tried            int
	found            []placement
}

// next gives the next gain each line in turn. The layout shows the lines so far; crossed is the cell where two lines ask for two symbols,
// which only the wild can serve, or none.
func (p *placer) next(layout []byte, crossed int, chosen []int) {
	k := len(chosen)
	if k == len(p.gains) {
		p.finish(layout, crossed, chosen)
		return
	}
	symbol := byte(p.symbolOf(p.gains[k]))
	for line := range p.lines.lines {
		if slices.Contains(chosen, line) || (k > 0 && p.gains[k] == p.gains[k-1] && line < chosen[k-1]) {
			continue
		}
		if p.tried++; p.tried > countedMost {
			return
		}
		laid, cross, fits := slices.Clone(layout), crossed, true
		for _, cell := range p.lines.lines[line] {
			switch {
			case laid[cell] == free:
				laid[cell] = symbol
			case laid[cell] == symbol:
			case p.wild && (cross == none || cross == int(cell)):
				cross = int(cell)
			default:
				fits = false
			}
		}
		if fits {
			p.next(laid, cross, append(chosen, line))
		}
	}
}

func (p *placer) symbolOf(combination int) int {
	return slices.Index(p.combination[:], int8(combination))
}

// finish puts the wild in each cell in turn, if there is one, and keeps what counts.
func (p *placer) finish(layout []byte, crossed int, chosen []int) {
	var set uint64
	for _, line := range chosen {
		set |= 1 << line
	}
	if !p.wild {
		p.keep(layout, set)
		return
	}
	for cell, code := range layout {
		if code == free || (crossed != none && cell != crossed) {
			continue
		}
		with := slices.Clone(layout)
		with[cell] = byte(p.rules.wild)
		p.keep(with, set)
	}
}

func (p *placer) keep(layout []byte, set uint64) {
	one := placement{layout: layout, lines: set}
	for cell, code := range layout {
		if code == free {
			one.free = append(one.free, byte(cell))
		}
	}
	if p.possible(one) {
		p.found = append(p.found, one)
	}
}

// possible says whether the other choices can be made so that exactly the placement's lines win.
func (p *placer) possible(one placement) bool {
	layout := slices.Clone(one.layout)
	if p.winning(layout) != one.lines {
		return false // another line is whole already
	}
	if !p.multiplied {
		return p.fill(one, layout, 0)
	}
	for _, cell := range one.free {
		layout[cell] = byte(p.multiplier)
		if p.fill(one, layout, 0) {
			return true
		}
		layout[cell] = free
	}
	return false
}

// fill tries fillers in the free cells from number i on.
func (p *placer) fill(one placement, layout []byte, i int) bool {
	if i == len(one.free) {
		return true
	}
	cell := one.free[i]
	if layout[cell] != free { // the multiplier's
		return p.fill(one, layout, i+1)
	}
	for k := range p.fillers {
		if p.tried++; p.tried > countedMost {
			break
		}
		layout[cell] = p.fillers[(i+k)%len(p.fillers)]
		if p.winning(layout) == one.lines && p.fill(one, layout, i+1) {
			return true
		}
	}
	layout[cell] = free
	return false
}
