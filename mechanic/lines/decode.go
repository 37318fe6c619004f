package lines

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
)

// section is the shape of the mechanic's part of a definition file.
type section struct {
	Kind         string                 `yaml:"kind"`
	Rows         int                    `yaml:"rows"`
	Columns      int                    `yaml:"columns"`
	Lines        []lineEntry            `yaml:"lines"`
	Article      string                 `yaml:"article"`
	Symbols      []mechanic.SymbolEntry `yaml:"symbols"`
	Wild         *mechanic.WildEntry    `yaml:"wild"`
	Multiplier   *multiplierEntry       `yaml:"multiplier"`
	Combinations []combinationEntry     `yaml:"combinations"`
	GainsMost    *int                   `yaml:"gains_most"`
	Weights      []mechanic.WeightEntry `yaml:"weights"`
}

type multiplierEntry struct {
	Symbol       string `yaml:"symbol"`
	Coefficients []int  `yaml:"coefficients"`
	Article      string `yaml:"article"`
}

type combinationEntry struct {
	Symbol  string        `yaml:"symbol"`
	Alike   int           `yaml:"alike"`
	Gains   []game.Figure `yaml:"gains"` // one a stake
	Article string        `yaml:"article"`
}

// lineEntry is "rows", "columns" or "diagonals", or the cells of one line, numbered row by row from 0.
type lineEntry struct {
	Word  string
	Cells []int
}

// UnmarshalYAML reads the word or the list.
func (e *lineEntry) UnmarshalYAML(read func(any) error) error {
	if err := read(&e.Word); err == nil {
		return nil
	}
	return read(&e.Cells)
}

// New compiles a definition at one stake. It returns Invalid, with the place in the file, for a
// section of another shape, unknown symbols, lines that do not fit the combinations, roles that the
// combinations contradict, weights for ways that do not exist, and sizes beyond the limits of this
// package. A tier that no layout reaches is not refused here but by package mechanic/all.
func New(d *game.Definition, stake int) (*Lines, error) {
	tiers, err := mechanic.Amounts(d, stake)
	if err != nil {
		return nil, err
	}
	var s section
	if err := d.Mechanic.Decode(&s); err != nil {
		return nil, err
	}
	r := rules{rows: s.Rows, columns: s.Columns, cells: s.Rows * s.Columns, gainsMost: GainsDefault, tiers: tiers, fail: d.Mechanic.Errorf}
	if s.GainsMost != nil {
		r.gainsMost = *s.GainsMost
	}
	for _, read := range []func() error{
		func() error { return r.readSymbols(d, &s) },
		func() error { return r.readCombinations(d, s.Combinations, stake) },
		func() error { return r.readLines(s.Lines) },
		func() error {
			r.weights, err = mechanic.ReadWeights(d.Mechanic, d, s.Weights, len(r.combinations))
			return err
		},
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return compile(r)
}

// readSymbols lists the symbols; the multiplier gives one code a coefficient, in its place.
func (r *rules) readSymbols(d *game.Definition, s *section) error {
	symbols, err := mechanic.ReadSymbols(d.Mechanic, s.Symbols)
	if err != nil {
		return err
	}
	for i, symbol := range symbols {
		if symbol.Role != mechanic.Multiplier {
			r.add(symbol, i)
			continue
		}
		if s.Multiplier == nil || s.Multiplier.Symbol != symbol.Name || len(s.Multiplier.Coefficients) == 0 {
			return r.fail(fmt.Sprintf("symbols[%d]", i), "multiplier_wrong", "%q is a multiplier, but `multiplier` does not give its coefficients", symbol.Name)
		}
		for k, coefficient := range s.Multiplier.Coefficients {
			if coefficient < 2 || coefficient > CoefficientMost {
				return r.fail(fmt.Sprintf("multiplier.coefficients[%d]", k), "multiplier_wrong", "a coefficient is 2 to %d, not %d", CoefficientMost, coefficient)
			}
			if slices.Contains(s.Multiplier.Coefficients[:k], coefficient) {
				return r.fail(fmt.Sprintf("multiplier.coefficients[%d]", k), "multiplier_wrong", "the coefficient %d is listed twice", coefficient)
			}
			symbol.Name, symbol.Coefficient = fmt.Sprintf("x%d", coefficient), coefficient
			if slices.ContainsFunc(symbols, func(other mechanic.Symbol) bool { return other.Name == symbol.Name }) {
				return r.fail(fmt.Sprintf("multiplier.coefficients[%d]", k), "symbol_twice", "%q is already a symbol", symbol.Name)
			}
			r.add(symbol, i)
		}
	}
	if s.Multiplier != nil {
		code, err := mechanic.Code(d.Mechanic, symbols, "multiplier.symbol", s.Multiplier.Symbol)
		if err != nil {
			return err
		}
		if symbols[code].Role != mechanic.Multiplier {
			return r.fail("multiplier.symbol", "multiplier_wrong", "%q has not the role multiplier", s.Multiplier.Symbol)
		}
	}
	r.wild, err = mechanic.ReadWild(d.Mechanic, s.Wild, r.symbols)
	return err
}

func (r *rules) add(symbol mechanic.Symbol, entry int) {
	r.symbols = append(r.symbols, symbol)
	r.entries = append(r.entries, entry)
}

func (r *rules) readCombinations(d *game.Definition, entries []combinationEntry, stake int) error {
	for i, entry := range entries {
		path := fmt.Sprintf("combinations[%d]", i)
		code, err := mechanic.Code(d.Mechanic, r.symbols, path+".symbol", entry.Symbol)
		if err != nil {
			return err
		}
		if entry.Alike < 2 || entry.Alike > SideMost {
			return r.fail(path+".alike", "combination_wrong", "2 to %d symbols are alike on a line, not %d", SideMost, entry.Alike)
		}
		gain, err := mechanic.ReadGain(d.Mechanic, d, path+".gains", entry.Gains, stake)
		if err != nil {
			return err
		}
		r.combinations = append(r.combinations, mechanic.Combination{
			Symbols: bytes.Repeat([]byte{byte(code)}, entry.Alike), Gain: gain, Article: entry.Article,
		})
	}
	return nil
}

func (r *rules) readLines(entries []lineEntry) error {
	if r.rows < 1 || r.rows > SideMost || r.columns < 1 || r.columns > SideMost {
		return r.checkGrid()
	}
	for i, entry := range entries {
		path := fmt.Sprintf("lines[%d]", i)
		switch entry.Word {
		case "":
			r.lines = append(r.lines, entry.Cells)
		case "diagonals":
			if r.rows != r.columns {
				return r.fail(path, "line_wrong", "only a square has diagonals, not a grid of %d × %d", r.rows, r.columns)
			}
			fallthrough
		case "rows", "columns":
			r.lines = append(r.lines, straightLines(r.rows, r.columns, entry.Word)...)
		default:
			return r.fail(path, "line_wrong", "a line is rows, columns, diagonals, or a list of cells, not %q", entry.Word)
		}
		for len(r.lineEntries) < len(r.lines) {
			r.lineEntries = append(r.lineEntries, i)
		}
	}
	return nil
}
