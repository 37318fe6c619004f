package lines

import (
	"math/bits"

	"github.com/talonlottery/talon/mechanic"
)

var _ mechanic.OneShort = (*Lines)(nil)

// OneShort counts the combinations that win no line of the layout and miss one by one cell: all
// other cells of a line show the symbol, or one of them the wild.
func (l *Lines) OneShort(layout []byte, into []uint32) error {
	var s scan
	if !l.look(layout, &s) {
		return l.explain(layout)
	}
	var won, short uint32 // by code
	for i := range l.view.count {
		if s.won&(1<<i) != 0 {
			won |= 1 << l.view.symbolOf(&s.grid, i)
			continue
		}
		short |= l.shortOn(&s.grid, i)
	}
	for short &^= won; short != 0; short &= short - 1 {
		into[l.combinationOf[bits.TrailingZeros32(short)]]++
	}
	return nil
}

// shortOn is the bit of the symbol that line i misses by one cell, or 0; of a line of two cells,
// the bits of both its symbols.
func (l *Lines) shortOn(g *grid, i int) (short uint32) {
	line := &l.view.lines[i]
	wilds := l.view.wildsOn(g, line)
	for _, cell := range line[:l.view.length] {
		symbol := g[cell]
		if symbol&l.view.paying == 0 {
			continue
		}
		alike := min(wilds, 1)
		for _, other := range line[:l.view.length] {
			if g[other] == symbol {
				alike++
			}
		}
		if alike == l.view.length-1 {
			short |= symbol
		}
	}
	return short
}
