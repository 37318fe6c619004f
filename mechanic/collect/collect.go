// Package collect reads and lays out units in which symbols are collected: the cells have no order,
// and a combination is a set of symbols found anywhere among them. Its model is « Pièce d'or »
// (regulation of 25 January 2012, articles 4.4 to 4.7).
//
// Its one promise: the prize of a layout is the best set of disjoint combinations that the rules
// allow, found in advance for every composition there is, so that nothing is searched while a unit
// is read.
//
// # Reading
//
// A composition says how often each symbol occurs. A reading is a set of combinations that share no
// symbol; a combination may occur in it several times (art. 4.4). A wild may stand in for one symbol
// of one combination, once (art. 4.5). A reading is maximal when no combination can be added. The
// prize is the highest sum of gains (art. 4.6). When several readings have that sum, [Collect.Read]
// gives the one that comes first in this order:
//
//  1. fewer gains;
//  2. without the wild;
//  3. the combinations that come first in the definition, compared from the first gain on;
//  4. the wild standing in for the symbol that comes first in the definition.
//
// Gains are listed in the definition's order and take their cells from the first cell on.
//
// # Laying out
//
// Every composition whose best reading is the prize of a tier belongs to one way of that tier: the
// gains of the reading that Read gives, and whether the composition holds a wild, needed or not. Ways
// are ordered by number of gains, then by their combinations, then without before with a wild. The
// choices of [Collect.LayOut] are, in this order:
//
//  1. the way: Below(sum of the weights), which the definition gives or [mechanic.DefaultWeight];
//  2. the composition: Below(number of ordered layouts of the way); each composition has as many
//     numbers as it has orders, compositions in the order of their counts (the first symbol's count
//     first, ascending);
//  3. the order: the symbols are laid by ascending code and shuffled, for i from the last cell down
//     to the second: swap cell i with cell Below(i + 1).
//
// So each ordered layout of a way is exactly as likely as another. Each choice is made even when
// there is only one possibility.
package collect

import (
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// Kind is the mechanic's name in definitions.
const Kind = "collect"

// Limits of a definition. They keep tables small and choices within 32 bits.
const (
	CellsMost        = 31      // cells of a unit
	SymbolsMost      = 12      // symbols, the wild included
	CombinationsMost = 64      // lines of the table of combinations
	CompositionsMost = 1 << 17 // different compositions
	StepsMost        = 1 << 25 // partial readings looked at when a definition is compiled
)

// Collect is a compiled definition at one stake. It is immutable and safe for concurrent use.
type Collect struct {
	rules  rules
	moves  []move
	rank   ranking
	prizes []money.Amount // by rank of composition
	losing outcome
	tiers  []outcome
	// What the enumeration found besides.
	offTable int
}

var _ mechanic.Mechanic = (*Collect)(nil)

// Kind is "collect".
func (c *Collect) Kind() string { return Kind }

// Cells is the number of symbols that a unit shows.
func (c *Collect) Cells() int { return c.rules.cells }

// Symbols lists the symbols by code, in the definition's order.
func (c *Collect) Symbols() []mechanic.Symbol { return c.rules.symbols }

// Combinations lists the winning combinations in the definition's order.
func (c *Collect) Combinations() []mechanic.Combination { return c.rules.combinations }
