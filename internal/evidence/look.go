package evidence

import (
	"slices"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/mechanic/collect"
	"github.com/talonlottery/talon/mechanic/lines"
)

// look is what is known of a game's layouts before any is dealt. It is derived from what a mechanic
// reads, never from how it lays out.
type look struct {
	mechanic mechanic.Mechanic
	cells    int
	symbols  []mechanic.Symbol
	outcomes []outcome // of each tier, losing units last
	shown    []int     // column of each code in tables of winning units: all coefficients of a multiplier together
	columns  int
	// mirrors are the cells that mirror images exchange: of a grid of whole rows, columns and diagonals a
	// mirror image has the same winning lines, so that these cells must show the same symbols as often.
	mirrors [][]int
	losing  float64 // number of ordered layouts of losing units, all alike; 0 where not known
}

// outcome is what is known of the layouts of a tier.
type outcome struct {
	count        float64 // units a block
	ways         map[string]int
	wayOdds      []float64
	compositions map[composition]int // collect only
	odds         []float64           // of compositions
	symbols      []float64           // odds of each code in any cell; nil where not known
}

// composition counts the symbols of a layout by code.
type composition [codesMost]uint8

// codesMost is more than the codes of any mechanic.
const codesMost = 32

func lookOf(d *game.Definition, m mechanic.Mechanic) (*look, error) {
	proof, err := m.Prove()
	if err != nil {
		return nil, err
	}
	l := &look{mechanic: m, cells: m.Cells(), symbols: m.Symbols()}
	if len(l.symbols) > codesMost {
		return nil, fault.New(fault.Invalid, "symbols_beyond_limit", "layouts of up to %d symbols can be examined, not %d", codesMost, len(l.symbols))
	}
	for at, tier := range proof.Tiers {
		l.outcomes = append(l.outcomes, outcomeOf(tier, d.Prizes.Tiers[at].Count))
	}
	l.outcomes = append(l.outcomes, outcomeOf(proof.Losing, d.BlockSize-d.Prizes.Count))
	for _, symbol := range l.symbols {
		if symbol.Role != mechanic.Multiplier || l.columns == 0 || l.symbols[len(l.shown)-1].Role != mechanic.Multiplier {
			l.columns++
		}
		l.shown = append(l.shown, l.columns-1)
	}
	if len(proof.Losing.Ways) == 1 && proof.Losing.Layouts > 0 {
		l.losing = float64(proof.Losing.Layouts)
	}
	switch grid, isGrid := m.(*lines.Lines); {
	case isGrid:
		l.mirrors = mirrorsOf(grid.Rows(), grid.Columns())
		l.evenLosing()
	case m.Kind() == collect.Kind:
		l.mirrors = [][]int{make([]int, l.cells)} // any order is as likely: all cells are alike
		for i := range l.cells {
			l.mirrors[0][i] = i
		}
		return l, l.enumerate()
	}
	return l, nil
}

func outcomeOf(proof mechanic.TierProof, count uint32) outcome {
	o := outcome{count: float64(count), ways: map[string]int{}}
	total := 0.0
	for _, way := range proof.Ways {
		o.ways[string(wayKey(nil, way.Gains, way.Wild, way.Multiplier))] = len(o.wayOdds)
		o.wayOdds = append(o.wayOdds, float64(way.Weight))
		total += float64(way.Weight)
	}
	for i := range o.wayOdds {
		o.wayOdds[i] /= total
	}
	return o
}

// wayKey names a way: its gains, ascending, its wild and its coefficient.
func wayKey(dst []byte, gains []int, wild bool, multiplier int) []byte {
	for _, gain := range gains {
		dst = append(dst, byte(gain))
	}
	slices.Sort(dst)
	mark := byte(0)
	if wild {
		mark = 1
	}
	return append(dst, 0xff, mark, byte(multiplier>>8), byte(multiplier))
}

// way finds the way in which a layout shows its prize, as the mechanic reads it; -1 when it is not one
// of the tier's.
func (l *look) way(o *outcome, layout []byte) int {
	reading, err := l.mechanic.Read(layout)
	if err != nil {
		return -1
	}
	var buffer [16]int
	gains := buffer[:0]
	for _, gain := range reading.Gains {
		gains = append(gains, gain.Combination)
	}
	var key [32]byte
	if way, ok := o.ways[string(wayKey(key[:0], gains, l.cellOf(layout, mechanic.Wild) >= 0, reading.Multiplier))]; ok {
		return way
	}
	return -1
}

// cellOf is the first cell that shows a symbol of a role, or -1.
func (l *look) cellOf(layout []byte, role mechanic.Role) int {
	for cell, code := range layout {
		if l.symbols[code].Role == role {
			return cell
		}
	}
	return -1
}

func (l *look) has(role mechanic.Role) bool {
	return slices.ContainsFunc(l.symbols, func(s mechanic.Symbol) bool { return s.Role == role })
}

func count(layout []byte) (c composition) {
	for _, code := range layout {
		c[code]++
	}
	return c
}

// enumerate goes through all compositions of a game whose symbols are collected, reads each, and gives
// it its odds: those of its way, shared out by the number of orders.
func (l *look) enumerate() error {
	type found struct {
		c      composition
		way    int
		orders float64
	}
	outcomes := make([][]found, len(l.outcomes))
	factorial := func(n int) float64 {
		product := 1.0
		for i := 2; i <= n; i++ {
			product *= float64(i)
		}
		return product
	}
	layout := make([]byte, 0, l.cells)
	var walk func(code int)
	walk = func(code int) {
		if code < len(l.symbols) {
			for n := 0; n+len(layout) <= l.cells; n++ {
				kept := len(layout)
				for range n {
					layout = append(layout, byte(code))
				}
				walk(code + 1)
				layout = layout[:kept]
			}
			return
		}
		if len(layout) < l.cells {
			return
		}
		for at := range l.outcomes {
			// The way of another tier is never this one's: a way is a sum of gains.
			if way := l.way(&l.outcomes[at], layout); way >= 0 {
				orders := factorial(l.cells)
				for _, n := range count(layout) {
					orders /= factorial(int(n))
				}
				outcomes[at] = append(outcomes[at], found{count(layout), way, orders})
			}
		}
	}
	walk(0)
	for at := range l.outcomes {
		o := &l.outcomes[at]
		totals := make([]float64, len(o.wayOdds))
		for _, f := range outcomes[at] {
			totals[f.way] += f.orders
		}
		o.compositions, o.symbols = map[composition]int{}, make([]float64, len(l.symbols))
		for _, f := range outcomes[at] {
			odds := o.wayOdds[f.way] * f.orders / totals[f.way]
			o.compositions[f.c] = len(o.odds)
			o.odds = append(o.odds, odds)
			for code := range l.symbols {
				o.symbols[code] += odds * float64(f.c[code]) / float64(l.cells)
			}
		}
	}
	return nil
}

// evenLosing gives losing units of a grid their odds: exchanging two paying symbols everywhere makes a
// losing grid of a losing grid, so all are as likely in each cell, unless there are neutral ones.
func (l *look) evenLosing() {
	if l.has(mechanic.Neutral) {
		return
	}
	odds, paying := make([]float64, len(l.symbols)), 0.0
	for code, symbol := range l.symbols {
		if symbol.Role == mechanic.Paying {
			odds[code] = 1
			paying++
		}
	}
	for code := range odds {
		odds[code] /= paying
	}
	l.outcomes[len(l.outcomes)-1].symbols = odds
}

// mirrorsOf gives the cells that the mirror images of a grid exchange.
func mirrorsOf(rows, columns int) [][]int {
	var orbits [][]int
	for row := range (rows + 1) / 2 {
		for column := range (columns + 1) / 2 {
			orbit := []int{row*columns + column}
			for _, other := range []int{
				row*columns + columns - 1 - column, (rows-1-row)*columns + column, (rows-1-row)*columns + columns - 1 - column,
			} {
				if !slices.Contains(orbit, other) {
					orbit = append(orbit, other)
				}
			}
			orbits = append(orbits, orbit)
		}
	}
	return orbits
}

// outcome finds what is known of a tier.
func (l *look) outcome(tier uint8) int {
	if tier == Lost {
		return len(l.outcomes) - 1
	}
	return int(tier)
}
