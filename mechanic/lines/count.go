package lines

import (
	"math"
	"math/bits"
)

// counter counts the fillings of a grid in which no further line wins, by inclusion and exclusion:
// over the sets of further lines, plus and minus in turn, the number of fillings in which all lines
// of the set win. In such a filling the cells of lines that meet show one symbol.
type counter struct {
	l      *Lines
	others []int // lines that must not win
	steps  *int  // left before the count is given up
}

// knot is a partial set of lines that all win: cells that must show one symbol are tied together.
type knot struct {
	root  [CellsMost]uint8  // the cell that stands for all that are tied to this one
	shows [CellsMost]uint32 // what a root's cells show, blocked while that is open
	tied  [CellsMost]bool   // by root: its cells are on a line of the set
}

// countPlacement counts the layouts of a placement, over all cells of the multiplier if the way has
// one. It reports false when the number does not fit, or the steps do not suffice.
func (l *Lines) countPlacement(w *way, g *grid, steps *int) (count uint64, ok bool) {
	if w.multiplier == 1 {
		return l.countFillings(g, steps)
	}
	for cell := range l.rules.cells {
		if g[cell] != blocked {
			continue
		}
		g[cell] = multiplied
		n, ok := l.countFillings(g, steps)
		g[cell] = blocked
		if !ok {
			return 0, false
		}
		count += n
	}
	return count, true
}

// multiplied is the bit of a cell that shows the multiplier: neither free nor in a winning line.
const multiplied = 1 << 30

// countFillings counts the fillings of the free (blocked) cells in which no line wins but those that
// win already. Sums may wrap round on the way; the result is exact because it fits.
func (l *Lines) countFillings(g *grid, steps *int) (count uint64, ok bool) {
	c := counter{l: l, steps: steps}
	won := l.view.wins(g)
	for i := range l.view.count {
		if won&(1<<i) == 0 {
			c.others = append(c.others, i)
		}
	}
	var k knot
	free := 0
	for cell := range l.rules.cells {
		k.root[cell], k.shows[cell] = uint8(cell), g[cell]
		if g[cell] == blocked {
			free++
		}
	}
	for fillings := uint64(1); free > 0; free-- {
		var high uint64
		if high, fillings = bits.Mul64(fillings, uint64(len(l.fillers))); high != 0 || fillings > math.MaxInt64 {
			return 0, false
		}
	}
	count = c.walk(&k, 0)
	return count, *steps > 0
}

// walk adds up, with their signs, the sets that extend k by lines from position at on.
func (c *counter) walk(k *knot, at int) uint64 {
	if *c.steps--; *c.steps <= 0 {
		return 0
	}
	if at == len(c.others) {
		return c.fillings(k)
	}
	count := c.walk(k, at+1)
	with := *k
	if c.tie(&with, c.others[at]) {
		count -= c.walk(&with, at+1)
	}
	return count
}

// fillings is the number of fillings in which all lines of the set win.
func (c *counter) fillings(k *knot) uint64 {
	count := uint64(1)
	for cell := range c.l.rules.cells {
		switch {
		case int(k.root[cell]) != cell || k.shows[cell] != blocked:
		case k.tied[cell]:
			count *= uint64(bits.OnesCount32(c.l.view.paying))
		default:
			count *= uint64(len(c.l.fillers))
		}
	}
	return count
}

// tie adds a line to the set: it ties its cells, the wild left out. It reports false when the line
// cannot win.
func (c *counter) tie(k *knot, line int) bool {
	first, wilds := none, 0
	for _, cell := range c.l.rules.lines[line] {
		from := int(k.root[cell])
		switch {
		case k.shows[from] == c.l.view.wild:
			wilds++
		case first == none:
			first = from
		case !c.join(k, first, from):
			return false
		}
	}
	if wilds > 1 || first == none {
		return false
	}
	k.tied[first] = true
	return k.shows[first] == blocked || k.shows[first]&c.l.view.paying != 0
}

// join ties two roots together, under the first. It reports false when they show different symbols.
func (c *counter) join(k *knot, first, from int) bool {
	switch {
	case first == from:
		return true
	case k.shows[first] == blocked:
		k.shows[first] = k.shows[from]
	case k.shows[from] != blocked && k.shows[from] != k.shows[first]:
		return false
	}
	for cell := range c.l.rules.cells {
		if int(k.root[cell]) == from {
			k.root[cell] = uint8(first)
		}
	}
	return true
}

// countLosing counts the grids of fillers in which no line wins.
func (l *Lines) countLosing(steps *int) (count uint64, ok bool) {
	var g grid
	for cell := range l.rules.cells {
		g[cell] = blocked
	}
	return l.countFillings(&g, steps)
}

// checkLosing refuses definitions whose losing units cannot be laid out.
func (l *Lines) checkLosing(steps *int) error {
	var g grid
	for cell := range l.rules.cells {
		g[cell] = blocked
	}
	if l.roomy(&g) {
		return nil
	}
	count, ok := l.countLosing(steps)
	if !ok || !l.oftenEnough(&way{multiplier: 1}, l.rules.cells, count) {
		return l.rules.fail("lines", "lines_too_dense", "too few grids lose for losing units to be laid out; use more symbols or fewer lines")
	}
	return nil
}
