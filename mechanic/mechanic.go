// Package mechanic says what a mechanic is: how the symbols of a unit are read as gains, and how
// symbols are laid out for a prize.
//
// Its one promise, kept by every mechanic behind [Mechanic]: a layout and its prize agree. The prize
// of a layout is the best reading that the regulation allows, and no reading pays more.
//
// The outcome of a unit is its place in the prize table, fixed when its block is dealt. A mechanic
// decides nothing: it builds a layout that shows the outcome, and reads layouts back, so that what a
// player sees can be checked against what is paid. Package collect is for symbols found anywhere,
// package lines for symbols aligned in a grid; package all lists them. A new mechanic is a package
// that implements Mechanic and a line in that list.
//
// What mechanics share is here: the default weights of ways, and the parts of a definition's section
// that mean the same everywhere (symbols, roles, the wild, weights).
package mechanic

import (
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/money"
)

// Chooser makes the choices of a layout. Below returns a number from 0 to n-1, each as likely; n is
// at least 1. Mechanics take all their choices from it and from nowhere else.
type Chooser interface {
	Below(n uint32) uint32
}

// Losing is the tier of a unit without a prize.
const Losing = -1

// Role says what a symbol does.
type Role uint8

// The roles.
const (
	Paying     Role = iota // forms combinations
	Neutral                // forms none
	Wild                   // stands in for another symbol
	Multiplier             // multiplies the gains of the unit
)

// Symbol is what one cell can show. Its code is its place in [Mechanic.Symbols].
type Symbol struct {
	Name        string // as in the definition and in the art, for instance "piece-trouee"
	Titles      game.Text
	Role        Role
	Coefficient int // of a multiplier symbol; 0 for others
}

// Combination is one line of the table of winning combinations.
type Combination struct {
	Symbols []byte // the codes that form it, for instance four times "diamant"
	Gain    money.Amount
	Article string
}

// Gain is one winning combination found in a layout.
type Gain struct {
	Combination int          // place in [Mechanic.Combinations]
	Cells       []int        // the cells that form it, ascending
	WildCell    int          // the one of Cells in which a wild stands in, or -1
	Amount      money.Amount // before any multiplier
}

// Reading is one way to read a whole layout.
type Reading struct {
	Gains          []Gain
	Multiplier     int // 1 when there is none
	MultiplierCell int // -1 when there is none
	Prize          money.Amount
}

// Mechanic reads and lays out the units of one definition at one stake. It is immutable and safe
// for concurrent use. A layout is one byte a cell: the code of the symbol in it.
type Mechanic interface {
	// Kind is the mechanic's name in definitions, for instance "collect".
	Kind() string
	// Cells is the number of cells of a layout.
	Cells() int
	// Symbols lists the symbols by code. Callers do not change it.
	Symbols() []Symbol
	// Combinations lists the winning combinations in the definition's order. Callers do not change it.
	Combinations() []Combination

	// Prize is the prize of a layout: its best reading. It does not allocate. It returns Corrupt
	// with code layout_malformed when the layout cannot be a unit of this game: a wrong number of
	// cells, an unknown code, more wilds or multipliers than the regulation allows.
	Prize(layout []byte) (money.Amount, error)
	// Read is the best reading, with its gains; the one that package docs name when several are
	// equally good. Errors as Prize.
	Read(layout []byte) (Reading, error)
	// Readings is every maximal reading: nothing can be added to it. Errors as Prize.
	Readings(layout []byte) ([]Reading, error)

	// LayOut fills dst, of length Cells, with a layout whose prize is that of the tier (an index of
	// the definition's tiers, or Losing). Choices come from choose alone; the same choices give the
	// same layout. It allocates nothing once warmed up. It returns Internal with code
	// layout_not_found when a bounded search failed.
	LayOut(dst []byte, tier int, choose Chooser) error
	// Prove enumerates what the definition claims and finds (see Proof). It is slow: seconds at most.
	Prove() (Proof, error)
}

// Proof is what `talon check` prints about a mechanic and what a definition is refused for: a tier
// with no way is unreachable; a tier said cumulative-only that one gain pays is untrue.
type Proof struct {
	Losing TierProof
	Tiers  []TierProof // in the definition's order
	// OffTable is the number of totals outside the prize table that layouts could show and that are
	// therefore never dealt. It is -1 where it was not counted.
	OffTable int
	// Notes are findings in plain English, for instance "no losing layout holds a wild".
	Notes []string
}

// TierProof is what was found for one tier.
type TierProof struct {
	Prize money.Amount
	Ways  []Way
	// Compositions is the number of different sets of symbols that read as this prize; SingleReading
	// is how many of them have one gain in every maximal reading. -1 where not counted.
	Compositions  int64
	SingleReading int64
	// Layouts is the number of ordered layouts; -1 where not counted.
	Layouts int64
	// Examples are compositions in words; all of them when they are few.
	Examples []string
	// CumulativeOnly: no single unmultiplied gain makes this prize.
	CumulativeOnly bool
}

// Way is a multiset of gains, with or without wild and multiplier, that makes a prize.
type Way struct {
	Gains      []int // combinations, ascending, repeated as often as they count
	Wild       bool
	Multiplier int // 1 when none
	Weight     uint32
	// Compositions (collect) or placements (lines) of the way; Layouts is the number of ordered
	// layouts or -1 where not counted.
	Compositions int64
	Layouts      int64
}
