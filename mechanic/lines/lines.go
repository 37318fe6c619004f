// Package lines reads and lays out units in which symbols are aligned in a grid. Its model is
// « Precius Aurus » (regulation of 2019, articles 5.2 to 5.6).
//
// Its one promise: the prize of a layout is the sum of all its winning lines, times the coefficient
// of its multiplier, and a layout is dealt only when that is exactly what was asked for.
//
// # Reading
//
// Cells are numbered row by row, from 0. A line wins when all its cells show one paying symbol, or
// all but one and the other shows the wild (art. 5.3). Two wilds on a line win nothing. A wild serves
// every line through it (art. 5.4). The gains of all winning lines add up (art. 5.3); a multiplier
// symbol multiplies the sum by its coefficient and is found on winning units only (art. 5.5), once
// at most: a layout with two of them, or with one and no winning line, is malformed. Each
// coefficient has a code of its own, so that it is part of the layout. Nothing is left to choose:
// a layout has exactly one maximal reading, all its winning lines.
//
// # Laying out
//
// Lines are numbered in the definition's order: rows from the top, columns from the left, the falling
// diagonal before the rising one. A way of a tier is a multiset of at most gains_most gains, with or
// without a wild and a multiplier, whose total is the tier's amount and that has a placement. A
// placement says which lines win which gains, and which of their cells shows the wild. No cell may
// have to show two symbols, and every other line must be able to stay without a win. Ways are ordered
// by number of gains, then by their combinations, then without before with a wild, then without a
// multiplier before the coefficients in the definition's order; placements as said at their type.
//
// The choices of [Lines.LayOut] for a winning unit are, in this order:
//
//  1. the way: Below(sum of the weights);
//  2. the placement: Below(sum of the placements' weights). A placement that leaves f cells free
//     weighs fillers^(f - least), with least the smallest f of the way's placements, and f times as
//     much when the way has a multiplier: in proportion to the manners of making the next choices;
//  3. with a multiplier, its cell: Below(f), the free cells ascending;
//  4. each cell that is still free, ascending: Below(fillers). The fillers are the paying and neutral
//     symbols by ascending code.
//
// When that lets a further line win, it starts again from 2, TriesMost times at most. So each
// ordered layout of a way is exactly as likely as another. A losing unit makes choice 4 for all its
// cells and starts again when a line wins: it is even over all grids of fillers without a winning
// line, and shows neither wild nor multiplier. Each choice is made even when there is only one
// possibility.
package lines

import (
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// Kind is the mechanic's name in definitions.
const Kind = "lines"

// Limits of a definition.
const (
	SideMost         = 6       // rows, and columns
	CellsMost        = 36      // cells of a unit
	LinesMost        = 16      // lines of the grid
	CodesMost        = 30      // codes: symbols, with one a coefficient of the multiplier
	GainsMost        = 4       // gains of a way
	CoefficientMost  = 1000    // coefficient of a multiplier
	PlacementsMost   = 1 << 20 // placements of all ways together
	PlacingTriesMost = 1 << 24 // placements tried
	StepsMost        = 1 << 25 // sets of lines looked at when layouts are counted
	TriesMost        = 1000    // attempts to fill one layout
)

// GainsDefault is how many gains a way has at most when the definition does not say.
const GainsDefault = 3

// Lines is a compiled definition at one stake. It is immutable and safe for concurrent use.
type Lines struct {
	rules rules
	view  viewer
	// combinationOf is the combination of a paying symbol's code.
	combinationOf [CodesMost]int
	gainOf        [CodesMost]money.Amount // by code
	fillers       []byte
	tiers         []outcome
}

var _ mechanic.Mechanic = (*Lines)(nil)

// Kind is "lines".
func (l *Lines) Kind() string { return Kind }

// Cells is the number of cells of the grid.
func (l *Lines) Cells() int { return l.rules.cells }

// Rows is the number of rows of the grid.
func (l *Lines) Rows() int { return l.rules.rows }

// Columns is the number of cells in a row.
func (l *Lines) Columns() int { return l.rules.columns }

// Symbols lists the symbols by code, in the definition's order; a multiplier has one code a
// coefficient.
func (l *Lines) Symbols() []mechanic.Symbol { return l.rules.symbols }

// Combinations lists the winning combinations in the definition's order.
func (l *Lines) Combinations() []mechanic.Combination { return l.rules.combinations }
