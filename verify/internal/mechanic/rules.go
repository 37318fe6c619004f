package mechanic

import (
	"errors"
	"fmt"
	"slices"

	"github.com/talonlottery/talon/verify/internal/definition"
	"github.com/talonlottery/talon/verify/internal/strictjson"
)

// role is what a symbol does: definition.md, section 4.
type role string

const (
	paying     role = "paying"
	neutral    role = "neutral"
	wild       role = "wild"
	multiplier role = "multiplier"
)

const none = -1

// rules are what both mechanics have: symbols with their codes, the gains of combinations, weights of ways.
type rules struct {
	roles        []role         // by code
	codes        map[string]int // by name; a multiplier's first
	coefficients []int64        // of the multiplier, in the order of their codes
	wild         int            // code, or none
	multiplier   int            // first code, or none
	combinations []*strictjson.Fields
	gains        []definition.Money // of a combination at the stake
	weights      []givenWeight
}

// way is a way of making a tier's prize: block.md, section 7.
type way struct {
	gains       []int // combinations, ascending
	wild        bool
	coefficient int64 // 0 without a multiplier
}

// givenWeight is a weight that the definition gives.
type givenWeight struct {
	tier   int
	way    way
	weight uint64
}

func readRules(d *definition.Definition, stake int) (*rules, error) {
	f := d.Mechanic
	r := &rules{codes: map[string]int{}, wild: none, multiplier: none}
	if f.Has("multiplier") {
		for _, c := range f.Object("multiplier").Wholes("coefficients") {
			r.coefficients = append(r.coefficients, int64(c))
		}
	}
	r.readSymbols(f)
	r.combinations = f.Objects("combinations")
	for _, c := range r.combinations {
		gains := definition.Amounts(c, "gains")
		if len(gains) != len(d.Prices) {
			c.Fail("gains", "not one a stake")
			break
		}
		r.gains = append(r.gains, gains[stake])
	}
	r.readWeights(d)
	if err := f.Err(); err != nil {
		return nil, err
	}
	if len(r.roles) > symbolsMost || len(r.combinations) > combinationsMost {
		return nil, errors.New("more symbols or combinations than this checker takes")
	}
	return r, nil
}

func (r *rules) readSymbols(f *strictjson.Fields) {
	for _, symbol := range f.Objects("symbols") {
		kind := paying
		if symbol.Has("role") {
			kind = role(symbol.Text("role"))
		}
		code, count := len(r.roles), 1
		switch kind {
		case paying, neutral:
		case wild:
			r.wild = code
		case multiplier:
			r.multiplier, count = code, len(r.coefficients)
		default:
			symbol.Fail("role", "not known")
		}
		r.codes[symbol.Text("name")] = code
		r.roles = append(r.roles, slices.Repeat([]role{kind}, count)...)
	}
}

func (r *rules) readWeights(d *definition.Definition) {
	f := d.Mechanic
	if !f.Has("weights") {
		return
	}
	tiers := tiersByPrize(d, 0) // weights name prizes at the first stake
	for _, w := range f.Objects("weights") {
		given := givenWeight{weight: w.Whole("weight"), way: way{wild: w.Bool("wild")}}
		for _, g := range w.Wholes("gains") {
			given.way.gains = append(given.way.gains, int(g))
		}
		slices.Sort(given.way.gains)
		if w.Has("multiplier") {
			given.way.coefficient = int64(w.Whole("multiplier"))
		}
		prize, err := definition.Amount(w, "prize")
		tier, known := tiers[prize]
		if err != nil || !known {
			w.Fail("prize", fmt.Sprint("not of a tier: ", err))
		}
		given.tier = tier
		r.weights = append(r.weights, given)
	}
}

// code finds a symbol.
func (r *rules) code(f *strictjson.Fields, key, name string) int {
	code, known := r.codes[name]
	if !known {
		f.Fail(key, fmt.Sprintf("no symbol %q", name))
	}
	return code
}

// weight is the weight of a way of a tier.
func (r *rules) weight(tier int, w way) uint64 {
	for _, given := range r.weights {
		if given.tier == tier && given.way.wild == w.wild && given.way.coefficient == w.coefficient &&
			slices.Equal(given.way.gains, w.gains) {
			return given.weight
		}
	}
	weight := uint64(64)
	for range len(w.gains) - 1 {
		weight /= 4
	}
	if w.wild {
		weight /= 2
	}
	if w.coefficient != 0 {
		weight /= 2
	}
	return max(weight, 1)
}

// sum is the sum of the gains of combinations.
func (r *rules) sum(gains []int) definition.Money {
	var sum definition.Money
	for _, g := range gains {
		sum += r.gains[g]
	}
	return sum
}

// compareWays orders ways: by number of gains, by their lists, without before with a wild.
func compareWays(a, b way) int {
	if c := len(a.gains) - len(b.gains); c != 0 {
		return c
	}
	if c := slices.Compare(a.gains, b.gains); c != 0 {
		return c
	}
	return flag(a.wild) - flag(b.wild)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
