// Package definition reads a game or a jackpot from its definition's canonical JSON: definition.md. It takes what decides units, prices and
// prizes, and passes over titles and articles, which the hash covers.
package definition

import (
	"errors"
	"fmt"

	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/strictjson"
)

// Limits of definition.md, sections 1 to 3.
const (
	bytesMost  = 1 << 20 // of the JSON; its YAML has at most 65 536
	unitsMost  = 10_000_000
	tiersMost  = 64
	stakesMost = 3
	oddsMost   = 1_000_000_000
)

// Losing is the tier of a unit that wins nothing.
const Losing = -1

// Definition is a game or a jackpot.
type Definition struct {
	Hash   notation.Digest
	Name   string
	Size   int     // units of a block
	Prices []Money // one a stake; a jackpot has one
	Tiers  []Tier  // of a game, highest first

	// Mechanic holds the mechanic's rules of a game; package mechanic reads them.
	Mechanic *strictjson.Fields

	Jackpot *Jackpot // nil for a game
}

// Tier is a line of the prize table.
type Tier struct {
	Count   int
	Amounts []Money // one a stake
}

// Jackpot is what only a jackpot has: definition.md, section 3.
type Jackpot struct {
	Odds  uint32 // a participation wins once in so many
	Start Money  // of each pot
	Share Money  // of a participation's price, for the pot
}

// Parse reads a definition and computes its hash.
func Parse(data []byte) (*Definition, error) {
	if len(data) > bytesMost {
		return nil, errors.New("the definition is too large")
	}
	value, err := strictjson.ParseCanonical(data)
	if err != nil {
		return nil, err
	}
	f := strictjson.FieldsOf(value)
	d := &Definition{Hash: notation.DefinitionHash(data), Name: f.Text("name")}
	d.Size = limited(f.Object("block"), "size", unitsMost)
	switch kind := f.Text("kind"); kind {
	case "game":
		d.readGame(f)
	case "jackpot":
		d.readJackpot(f)
	default:
		f.Fail("kind", "neither game nor jackpot")
	}
	return d, f.Err()
}

func (d *Definition) readGame(f *strictjson.Fields) {
	for _, stake := range f.Objects("stakes") {
		d.Prices = append(d.Prices, amount(stake, "price"))
	}
	if len(d.Prices) < 1 || len(d.Prices) > stakesMost {
		f.Fail("stakes", "not one to three")
	}
	for _, tier := range f.Object("prizes").Objects("tiers") {
		t := Tier{Count: limited(tier, "count", unitsMost), Amounts: Amounts(tier, "amounts")}
		if len(t.Amounts) != len(d.Prices) {
			tier.Fail("amounts", "not one a stake")
		}
		d.Tiers = append(d.Tiers, t)
	}
	if len(d.Tiers) < 1 || len(d.Tiers) > tiersMost {
		f.Fail("prizes.tiers", "not 1 to 64")
	}
	d.Mechanic = f.Object("mechanic")
}

func (d *Definition) readJackpot(f *strictjson.Fields) {
	d.Prices = []Money{amount(f, "price")}
	d.Jackpot = &Jackpot{
		Odds:  uint32(limited(f, "one_in", oddsMost)),
		Start: amount(f, "start"),
		Share: amount(f.Object("shares"), "pot"),
	}
}

// Prize is the prize of a tier at a stake.
func (d *Definition) Prize(tier, stake int) Money {
	if tier == Losing {
		return 0
	}
	return d.Tiers[tier].Amounts[stake]
}

// Winners is how many units of a block the prize table makes win.
func (d *Definition) Winners() int {
	sum := 0
	for _, t := range d.Tiers {
		sum += t.Count
	}
	return sum
}

// Pot is what a win pays after this many participations were sold since the pot last started: publication.md, section 3, step 9.
func (j *Jackpot) Pot(since uint64) (Money, bool) {
	const most = 1 << 53
	if j.Share > 0 && since > uint64((most-j.Start)/j.Share) {
		return 0, false
	}
	return UpToCent(j.Start + Money(since)*j.Share), true
}

// Amounts takes a list of amounts.
func Amounts(f *strictjson.Fields, key string) []Money {
	var all []Money
	for _, value := range f.List(key) {
		m, err := parseMoney(value)
		if err != nil {
			f.Fail(key, err.Error())
		}
		all = append(all, m)
	}
	return all
}

// amount takes an amount above zero.
func amount(f *strictjson.Fields, key string) Money {
	m, err := Amount(f, key)
	if err != nil || m == 0 {
		f.Fail(key, "not an amount above zero")
	}
	return m
}

// Amount takes an amount.
func Amount(f *strictjson.Fields, key string) (Money, error) {
	return parseMoney(f.Any(key))
}

// limited takes a whole number from 1 to most.
func limited(f *strictjson.Fields, key string, most uint64) int {
	n := f.Whole(key)
	if n < 1 || n > most {
		f.Fail(key, fmt.Sprintf("not from 1 to %d", most))
	}
	return int(n)
}
