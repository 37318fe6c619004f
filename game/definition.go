// Package game holds the definition of an instant game: one published regulation as data.
//
// Its one promise: a [Definition] that was loaded says exactly what its file says, its sums are
// right, and every figure in it names the article it comes from. Whether its layouts exist is for
// package mechanic to prove.
package game

import (
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/money"
)

// Text is a text for people: French is the reference, English is complete.
type Text struct {
	French  string `json:"fr" yaml:"fr"`
	English string `json:"en" yaml:"en"`
}

// Definition is one instant game. It is immutable once loaded and safe for concurrent use.
type Definition struct {
	Name         string // folder and URL name: lower-case letters, digits and hyphens
	Titles       Text
	Regulation   Regulation
	Stakes       []Stake // one to three, cheapest first
	BlockSize    uint32  // units in a block
	BlockArticle string  // article of the block's size
	Prizes       PrizeTable
	Choice       *Choice // nil when the player chooses nothing
	Jackpot      string  // name of the jackpot sold with each unit, or ""
	Mechanic     Section // how a layout is read; decoded by the mechanic named in it
	File         Section // the whole file, so that what is found later still names its place
	Canonical    []byte  // the document as canonical JSON, which the hash is of; not to be changed
	Hash         canon.Digest
}

// Regulation says which published text the definition follows.
type Regulation struct {
	Title   string // name of the game as its regulation writes it
	Made    string // date of the regulation, YYYY-MM-DD, or "" when it carries none
	Opening string // first day of sale « en principe », YYYY-MM-DD
	Article string // article of the opening date
}

// Stake is one price at which units of the game are sold. Each stake has its own blocks.
type Stake struct {
	Price   money.Amount // what the player pays
	Parts   []Part       // what the price is made of; their sum is the price
	Article string
}

// Part is a share of a price: the game's own, or a jackpot's.
type Part struct {
	For     string // the game's name, or its jackpot's
	Amount  money.Amount
	Article string
}

// GamePart is the part of the price that is the game's own: payout rates are stated on it.
func (s Stake) GamePart(game string) money.Amount { return s.partFor(game) }

// JackpotPart is the part of the price that goes to a jackpot, or zero.
func (s Stake) JackpotPart(jackpot string) money.Amount { return s.partFor(jackpot) }

func (s Stake) partFor(name string) money.Amount {
	for _, part := range s.Parts {
		if part.For == name {
			return part.Amount
		}
	}
	return 0
}

// PrizeTable is the published table of a block: the same counts for every stake, one amount a stake.
type PrizeTable struct {
	Tiers    []Tier         // in the order of the regulation, which is also the order of dealing
	Count    uint32         // printed number of prizes
	Totals   []money.Amount // printed total, one a stake
	Articles []string       // one a stake
}

// Tier is a line of the prize table.
type Tier struct {
	Count          uint32
	Amounts        []money.Amount // one a stake
	CumulativeOnly bool           // the regulation says: reachable only by adding gains
}

// Choice is a choice the player makes that has no effect on the prize (Pièce d'or, art. 4.3).
type Choice struct {
	Of      int // how many are offered
	Pick    int // how many the player selects, in order
	Article string
}
