package lines

import (
	"math/bits"

	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// grid is a layout as bits: one bit a code and cell, so that the symbols of a line are one OR. It is
// a power of two long, so that masking a cell's number spares the check of its bound.
type grid [cellMask + 1]uint32

const cellMask = 63

// blocked is the bit of a cell that lets no line win.
const blocked = 1 << 31

// viewer is what is needed to see which lines of a grid win.
type viewer struct {
	length int
	count  int
	lines  [LinesMost]cells
	wild   uint32 // its bit, or 0
	paying uint32 // bits of the paying symbols
	// multipliers are the bits of the multiplier symbols.
	multipliers uint32
}

// cells are the length cells of a line; the first is repeated behind them.
type cells [SideMost]uint8

// wins is the set of winning lines, a bit a line.
func (v *viewer) wins(g *grid) (won uint32) {
	wild, long := v.wild, v.length > 4
	lines := v.lines[:v.count]
	for i := range lines {
		line := &lines[i]
		seen := g[line[0]&cellMask] | g[line[1]&cellMask] | g[line[2]&cellMask] | g[line[3]&cellMask]
		if long {
			seen |= g[line[4]&cellMask] | g[line[5]&cellMask]
		}
		// Without the wild, one symbol must be left, a paying one.
		symbols := seen &^ wild
		if symbols&(symbols-1) != 0 {
			continue
		}
		if symbols&v.paying != 0 && (seen == symbols || v.wildsOn(g, line) == 1) {
			won |= 1 << i
		}
	}
	return won
}

func (v *viewer) wildsOn(g *grid, line *cells) (wilds int) {
	for k := range v.length {
		if g[line[k]] == v.wild {
			wilds++
		}
	}
	return wilds
}

// symbolOf is the code of the paying symbol that wins line i.
func (v *viewer) symbolOf(g *grid, i int) int {
	line := &v.lines[i]
	return bits.TrailingZeros32((g[line[0]] | g[line[1]]) &^ v.wild)
}

// scan is a layout seen as a whole.
type scan struct {
	grid           grid
	won            uint32
	coefficient    int
	multiplierCell int
	sum            money.Amount // of the gains, before the multiplier
}

// look scans a layout. It reports false when the layout is malformed.
func (l *Lines) look(layout []byte, s *scan) bool {
	if len(layout) != l.rules.cells {
		return false
	}
	multipliers := 0
	s.coefficient, s.multiplierCell = 1, none
	known := uint32(1)<<len(l.rules.symbols) - 1
	for cell, code := range layout {
		bit := uint32(1) << code // 0 from code 32 on
		if bit&known == 0 {
			return false
		}
		s.grid[cell&cellMask] = bit
		if bit&l.view.multipliers != 0 {
			multipliers++
			s.coefficient, s.multiplierCell = l.rules.symbols[code].Coefficient, cell
		}
	}
	s.won = l.view.wins(&s.grid)
	for won := s.won; won != 0; won &= won - 1 {
		s.sum += l.gainOf[l.view.symbolOf(&s.grid, bits.TrailingZeros32(won))]
	}
	return multipliers == 0 || multipliers == 1 && s.won != 0
}

// explain says what is wrong with a layout that look refused.
func (l *Lines) explain(layout []byte) error {
	if len(layout) != l.rules.cells {
		return mechanic.Malformed("%d cells where %d are expected", len(layout), l.rules.cells)
	}
	multipliers := 0
	for cell, code := range layout {
		if int(code) >= len(l.rules.symbols) {
			return mechanic.Malformed("cell %d has code %d; codes go up to %d", cell, code, len(l.rules.symbols)-1)
		}
		if l.rules.symbols[code].Role == mechanic.Multiplier {
			multipliers++
		}
	}
	if multipliers > 1 {
		return mechanic.Malformed("more than one multiplier")
	}
	return mechanic.Malformed("a multiplier without a winning line")
}

// Prize is the sum of the gains times the coefficient. It does not allocate.
func (l *Lines) Prize(layout []byte) (money.Amount, error) {
	var s scan
	if !l.look(layout, &s) {
		return 0, l.explain(layout)
	}
	return s.sum * money.Amount(s.coefficient), nil
}

// Read is the one maximal reading: every winning line, in the order of the lines.
func (l *Lines) Read(layout []byte) (mechanic.Reading, error) {
	var s scan
	if !l.look(layout, &s) {
		return mechanic.Reading{}, l.explain(layout)
	}
	reading := mechanic.Reading{
		Multiplier:     s.coefficient,
		MultiplierCell: s.multiplierCell,
		Prize:          s.sum * money.Amount(s.coefficient),
	}
	for won := s.won; won != 0; won &= won - 1 {
		line := bits.TrailingZeros32(won)
		code := l.view.symbolOf(&s.grid, line)
		gain := mechanic.Gain{Combination: l.combinationOf[code], WildCell: none, Amount: l.gainOf[code]}
		for _, cell := range l.rules.lines[line] {
			gain.Cells = append(gain.Cells, cell)
			if int(layout[cell]) == l.rules.wild {
				gain.WildCell = cell
			}
		}
		reading.Gains = append(reading.Gains, gain)
	}
	return reading, nil
}

// Readings is that one reading.
func (l *Lines) Readings(layout []byte) ([]mechanic.Reading, error) {
	reading, err := l.Read(layout)
	if err != nil {
		return nil, err
	}
	return []mechanic.Reading{reading}, nil
}
