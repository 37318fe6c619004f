package lines

import (
	"math/bits"

	"github.com/talonlottery/talon/mechanic"
)

// LayOut fills dst with a layout of the tier; see the package documentation for the choices it
// makes. It does not allocate.
func (l *Lines) LayOut(dst []byte, tier int, choose mechanic.Chooser) error {
	if len(dst) != l.rules.cells {
		return mechanic.NotFound(Kind, tier, "the place for the layout has not as many bytes as the unit has cells")
	}
	switch {
	case tier == mechanic.Losing:
		return l.layOutLosing(dst, choose)
	case tier < 0 || tier >= len(l.tiers):
		return mechanic.NotFound(Kind, tier, "there is no such tier")
	case len(l.tiers[tier].ways) == 0:
		return mechanic.NotFound(Kind, tier, "no layout reads as its prize")
	}
	o := &l.tiers[tier]
	w := &o.ways[mechanic.Pick(o.weights, choose.Below(o.weights[len(o.weights)-1]))]
	for range TriesMost {
		if l.try(dst, w, choose) {
			return nil
		}
	}
	return mechanic.NotFound(Kind, tier, "every attempt let a further line win")
}

func (l *Lines) layOutLosing(dst []byte, choose mechanic.Chooser) error {
	var g grid
	fillers := uint32(len(l.fillers))
	for range TriesMost {
		for cell := range dst {
			code := l.fillers[choose.Below(fillers)]
			dst[cell], g[cell] = code, 1<<code
		}
		if l.view.wins(&g) == 0 {
			return nil
		}
	}
	return mechanic.NotFound(Kind, mechanic.Losing, "every attempt let a line win")
}

// try lays out one placement of a way. It reports false when a further line wins.
func (l *Lines) try(dst []byte, w *way, choose mechanic.Chooser) bool {
	p := &w.placements[mechanic.Pick(w.totals, choose.Below(w.totals[len(w.totals)-1]))]
	var g grid
	fixed, want := l.lay(dst, &g, w, p)
	if w.multiplier > 1 {
		free := l.rules.cells - bits.OnesCount64(fixed)
		cell := nthFree(fixed, int(choose.Below(uint32(free))))
		dst[cell], g[cell] = w.code, 1<<w.code
		fixed |= 1 << cell
	}
	fillers := uint32(len(l.fillers))
	for cell := range dst {
		if fixed&(1<<cell) == 0 {
			code := l.fillers[choose.Below(fillers)]
			dst[cell], g[cell] = code, 1<<code
		}
	}
	return l.view.wins(&g) == want
}

// lay writes the winning lines of a placement, and says which cells they fill and which lines win.
func (l *Lines) lay(dst []byte, g *grid, w *way, p *placement) (fixed uint64, want uint32) {
	for i, combination := range w.gains {
		code := l.rules.combinations[combination].Symbols[0]
		line := p.lines[i]
		want |= 1 << line
		for _, cell := range l.view.lines[line][:l.view.length] {
			dst[cell], g[cell] = code, 1<<code
			fixed |= 1 << cell
		}
	}
	if p.wild != none {
		dst[p.wild], g[p.wild] = byte(l.rules.wild), l.view.wild
	}
	return fixed, want
}
