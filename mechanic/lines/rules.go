package lines

import (
	"fmt"
	"slices"

	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// rules is what a definition says about one stake, checked for meaning by compile.
type rules struct {
	rows, columns, cells int
	lines                [][]int // cells, ascending
	lineEntries          []int   // place in the definition's list of the entry that the line comes from
	symbols              []mechanic.Symbol
	entries              []int // place in the definition's list of the symbol that has the code
	wild                 int   // code, or none
	combinations         []mechanic.Combination
	gainsMost            int
	tiers                []money.Amount
	weights              []mechanic.Weighting
	// fail makes the error for bad input at a path of the mechanic's section ("combinations[2]").
	fail func(path, code, format string, arguments ...any) error
}

const none = -1

// straightLines lists the rows, the columns and, of a square, the two diagonals of a grid.
func straightLines(rows, columns int, kinds ...string) [][]int {
	var all [][]int
	for _, kind := range kinds {
		switch kind {
		case "rows":
			for row := range rows {
				all = append(all, run(row*columns, 1, columns))
			}
		case "columns":
			for column := range columns {
				all = append(all, run(column, columns, rows))
			}
		case "diagonals":
			all = append(all, run(0, columns+1, rows), run(columns-1, columns-1, rows))
		}
	}
	return all
}

func run(first, step, length int) []int {
	cells := make([]int, length)
	for i := range cells {
		cells[i] = first + i*step
	}
	return cells
}

// check refuses what cannot be compiled, each error at its place.
func (r *rules) check() error {
	if err := r.checkGrid(); err != nil {
		return err
	}
	if len(r.symbols) < 1 || len(r.symbols) > CodesMost {
		return r.fail("symbols", "size_beyond_limit", "there are 1 to %d symbols, each coefficient of a multiplier counted, not %d", CodesMost, len(r.symbols))
	}
	if r.gainsMost < 1 || r.gainsMost > GainsMost {
		return r.fail("gains_most", "size_beyond_limit", "a way has 1 to %d gains at most, not %d", GainsMost, r.gainsMost)
	}
	if err := r.checkSymbols(); err != nil {
		return err
	}
	if err := r.checkCombinations(); err != nil {
		return err
	}
	return r.checkLines()
}

func (r *rules) checkGrid() error {
	if r.rows < 1 || r.rows > SideMost || r.columns < 1 || r.columns > SideMost {
		return r.fail("rows", "size_beyond_limit", "a grid has 1 to %d rows and columns, not %d × %d", SideMost, r.rows, r.columns)
	}
	return nil
}

func (r *rules) symbolPath(code int) string {
	return fmt.Sprintf("symbols[%d]", r.entries[code])
}

// linePath is the entry that a line comes from: one entry can stand for several lines.
func (r *rules) linePath(line int) string {
	if r.lineEntries == nil {
		return fmt.Sprintf("lines[%d]", line)
	}
	return fmt.Sprintf("lines[%d]", r.lineEntries[line])
}

func (r *rules) checkSymbols() error {
	for code, symbol := range r.symbols {
		path := r.symbolPath(code)
		if symbol.Role == mechanic.Wild && code != r.wild {
			return r.fail(path, "wild_wrong", "%q is a second wild: lines has one wild symbol at most", symbol.Name)
		}
	}
	return nil
}

func (r *rules) checkCombinations() error {
	owner := make([]int, len(r.symbols)) // combination of a code, from 1
	for i, combination := range r.combinations {
		path := fmt.Sprintf("combinations[%d]", i)
		if len(combination.Symbols) < 2 {
			return r.fail(path, "combination_wrong", "a line has at least 2 symbols, not %d", len(combination.Symbols))
		}
		code := combination.Symbols[0]
		symbol := r.symbols[code]
		for _, other := range combination.Symbols {
			if other != code {
				return r.fail(path, "combination_wrong", "a line wins with identical symbols; %q and %q differ", symbol.Name, r.symbols[other].Name)
			}
		}
		switch {
		case len(combination.Symbols) != len(r.combinations[0].Symbols):
			return r.fail(path, "combination_wrong", "all combinations have as many symbols; this one has %d, the first %d", len(combination.Symbols), len(r.combinations[0].Symbols))
		case symbol.Role != mechanic.Paying:
			return r.fail(path, "symbol_not_paying", "%q does not form combinations: only paying symbols do", symbol.Name)
		case owner[code] > 0:
			return r.fail(path, "combination_wrong", "%q already has a combination", symbol.Name)
		case combination.Gain <= 0:
			return r.fail(path, "gain_wrong", "a gain is above zero, not %s", combination.Gain)
		}
		owner[code] = i + 1
	}
	for code, symbol := range r.symbols {
		if symbol.Role == mechanic.Paying && owner[code] == 0 {
			return r.fail(r.symbolPath(code), "symbol_without_combination", "%q is in no combination; say that it is neutral, or add the combination", symbol.Name)
		}
	}
	return nil
}

func (r *rules) checkLines() error {
	if len(r.combinations) == 0 {
		return r.fail("combinations", "combination_wrong", "there is no combination")
	}
	if len(r.lines) < 1 || len(r.lines) > LinesMost {
		return r.fail("lines", "size_beyond_limit", "a grid has 1 to %d lines, not %d", LinesMost, len(r.lines))
	}
	length := len(r.combinations[0].Symbols)
	for i, line := range r.lines {
		path := r.linePath(i)
		if len(line) != length {
			return r.fail(path, "line_wrong", "a line has as many cells as a combination has symbols, %d, not %d", length, len(line))
		}
		for k, cell := range line {
			if cell < 0 || cell >= r.cells || k > 0 && cell <= line[k-1] {
				return r.fail(path, "line_wrong", "a line lists different cells from 0 to %d, ascending", r.cells-1)
			}
		}
		if slices.ContainsFunc(r.lines[:i], func(other []int) bool { return slices.Equal(other, line) }) {
			return r.fail(path, "line_wrong", "this line is listed twice")
		}
	}
	return nil
}
