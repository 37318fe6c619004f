package lines

import (
	"math"
	"math/bits"
	"slices"
)

// placement says which line wins which gain of a way, and where the wild is. Placements are ordered
// by the lines of the first gain, of the second, and so on, then by the cell of the wild; lines of
// equal gains ascend.
type placement struct {
	lines [GainsMost]uint8
	wild  int8 // cell, or none
}

// place lists the placements of a way: those in which no cell should show two symbols, and in which
// no further line wins whatever the free cells show. It stops when the tries are used up.
func (l *Lines) place(w *way, tries *int) []placement {
	var found []placement
	keep := func(p placement) {
		if *tries--; *tries <= 0 {
			return
		}
		if _, ok := l.fix(w, p); ok {
			found = append(found, p)
		}
	}
	p := placement{wild: none}
	var walk func(at int)
	walk = func(at int) {
		if at < len(w.gains) {
			first := 0
			if at > 0 && w.gains[at] == w.gains[at-1] {
				first = int(p.lines[at-1]) + 1
			}
			for line := first; line < l.view.count; line++ {
				if slices.Contains(p.lines[:at], uint8(line)) {
					continue
				}
				p.lines[at] = uint8(line)
				walk(at + 1)
			}
			return
		}
		if !w.wild {
			keep(p)
			return
		}
		for cell := range l.rules.cells {
			p.wild = int8(cell)
			keep(p)
		}
	}
	walk(0)
	return found
}

// fix draws the cells that a placement decides; free cells are blocked. It reports false when the
// placement cannot be.
func (l *Lines) fix(w *way, p placement) (grid, bool) {
	var g grid
	for cell := range l.rules.cells {
		g[cell] = blocked
	}
	served := false
	want := uint32(0)
	for i, combination := range w.gains {
		symbol := uint32(1) << l.rules.combinations[combination].Symbols[0]
		line := p.lines[i]
		want |= 1 << line
		for _, cell := range l.rules.lines[line] {
			switch {
			case cell == int(p.wild):
				g[cell] = l.view.wild
				served = true
			case g[cell] == blocked || g[cell] == symbol:
				g[cell] = symbol
			default:
				return g, false
			}
		}
	}
	if w.wild && !served {
		return g, false
	}
	return g, l.view.wins(&g) == want
}

// free counts the cells that a placement leaves open.
func (l *Lines) free(g *grid) (free int) {
	for cell := range l.rules.cells {
		if g[cell] == blocked {
			free++
		}
	}
	return free
}

// weighPlacements keeps the placements that have a layout, with weights proportional to the number
// of manners in which their free cells can be filled. It reports false when none has.
func (l *Lines) weighPlacements(w *way, placements []placement, steps *int) (bool, error) {
	frees := make([]int, 0, len(placements))
	kept := placements[:0]
	for _, p := range placements {
		g, _ := l.fix(w, p)
		free := l.free(&g)
		if w.multiplier > 1 && free == 0 {
			continue
		}
		if !l.roomy(&g) {
			count, ok := l.countPlacement(w, &g, steps)
			if !ok || count > 0 && !l.oftenEnough(w, free, count) {
				return false, l.rules.fail("lines", "lines_too_dense", "the lines leave too little room to fill a layout that wins in %d lines; use more symbols or lower gains_most", len(w.gains))
			}
			if count == 0 {
				continue
			}
		}
		kept, frees = append(kept, p), append(frees, free)
	}
	if len(kept) == 0 {
		return false, nil
	}
	w.placements = kept
	least := slices.Min(frees)
	total := uint64(0)
	for _, free := range frees {
		weight := uint64(1)
		if w.multiplier > 1 {
			weight = uint64(free)
		}
		for range free - least {
			weight *= uint64(len(l.fillers))
			if weight > math.MaxUint32 {
				return false, l.rules.fail("lines", "size_beyond_limit", "the placements of a way differ too much in the number of their fillings; lower gains_most")
			}
		}
		if total += weight; total > math.MaxUint32 {
			return false, l.rules.fail("lines", "size_beyond_limit", "a way has too many placements; lower gains_most")
		}
		w.totals = append(w.totals, uint32(total))
	}
	return true, nil
}

// roomy reports whether at least one of four fillings lets no further line win, by adding up, line
// by line, the part of the fillings in which that line wins. It may say false when there is room.
func (l *Lines) roomy(g *grid) bool {
	const whole = uint64(1) << 40
	lost := uint64(0)
	for i := range l.view.count {
		line := &l.view.lines[i]
		free, wilds, symbols := 0, 0, uint32(0)
		for k := range l.view.length {
			switch bit := g[line[k]]; bit {
			case blocked:
				free++
			case l.view.wild:
				wilds++
			default:
				symbols |= bit
			}
		}
		if free == 0 || wilds > 1 || symbols&(symbols-1) != 0 {
			continue
		}
		part := whole
		for range free {
			part = part/uint64(len(l.fillers)) + 1
		}
		if symbols == 0 {
			part *= uint64(bits.OnesCount32(l.view.paying))
		}
		lost += part
	}
	return lost <= whole/4*3
}

// oftenEnough reports whether a filling of the placement succeeds at least once in sixteen.
func (l *Lines) oftenEnough(w *way, free int, count uint64) bool {
	all := uint64(1)
	if w.multiplier > 1 {
		all = uint64(free)
		free--
	}
	for range free {
		all *= uint64(len(l.fillers))
	}
	return count >= all/16
}

// nthFree is the nth cell that is not fixed, from 0 on.
func nthFree(fixed uint64, n int) int {
	free := ^fixed
	for range n {
		free &= free - 1
	}
	return bits.TrailingZeros64(free)
}
