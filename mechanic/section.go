package mechanic

import (
	"fmt"
	"slices"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/money"
)

// SymbolEntry is a symbol as the section of a definition lists it.
type SymbolEntry struct {
	Name   string    `yaml:"name"`
	Titles game.Text `yaml:"titles"`
	Role   string    `yaml:"role"` // paying when it is left out
}

// WildEntry says which symbol is wild.
type WildEntry struct {
	Symbol  string `yaml:"symbol"`
	Most    int    `yaml:"most"` // wilds that count: 1
	Article string `yaml:"article"`
}

// WeightEntry gives a way of a prize a weight of its own.
type WeightEntry struct {
	Prize      game.Figure `yaml:"prize"`      // of the tier, at the first stake
	Gains      []int       `yaml:"gains"`      // places in the list of combinations, from 0
	Wild       bool        `yaml:"wild"`       // the layout holds a wild
	Multiplier int         `yaml:"multiplier"` // 1 or left out when there is none
	Weight     uint32      `yaml:"weight"`     // 1 to WeightGivenMost
}

// WeightGivenMost is the largest weight that a definition can give to a way.
const WeightGivenMost = 1_000_000

// Weighting is a weight given to a way of a tier.
type Weighting struct {
	Path       string // in the section
	Tier       int
	Gains      []int // ascending
	Wild       bool
	Multiplier int // 1 when none
	Weight     uint32
}

var roles = map[string]Role{"": Paying, "paying": Paying, "neutral": Neutral, "wild": Wild, "multiplier": Multiplier}

// ReadSymbols turns entries into symbols, in their order. It refuses unknown roles, names that are
// missing or given twice, and missing titles, each at its place.
func ReadSymbols(s game.Section, entries []SymbolEntry) ([]Symbol, error) {
	var symbols []Symbol
	for at, entry := range entries {
		path := fmt.Sprintf("symbols[%d]", at)
		role, known := roles[entry.Role]
		switch {
		case !known:
			return nil, s.Errorf(path+".role", "role_unknown", "a role is paying, neutral, wild or multiplier, not %q", entry.Role)
		case entry.Name == "":
			return nil, s.Errorf(path, "symbol_without_name", "a symbol has a name")
		case entry.Titles.French == "" || entry.Titles.English == "":
			return nil, s.Errorf(path, "title_missing", "%q needs a French and an English title", entry.Name)
		}
		if _, err := Code(s, symbols, path, entry.Name); err == nil {
			return nil, s.Errorf(path+".name", "symbol_twice", "%q is already a symbol", entry.Name)
		}
		symbols = append(symbols, Symbol{Name: entry.Name, Titles: entry.Titles, Role: role})
	}
	return symbols, nil
}

// Code finds a symbol by its name, for an entry at a path of the section.
func Code(s game.Section, symbols []Symbol, path, name string) (int, error) {
	at := slices.IndexFunc(symbols, func(symbol Symbol) bool { return symbol.Name == name })
	if at < 0 {
		return 0, s.Errorf(path, "symbol_unknown", "%q is not among the symbols", name)
	}
	return at, nil
}

// ReadWild is the code of the wild, or -1 when the definition has none. The entry and the symbol's
// role must agree.
func ReadWild(s game.Section, entry *WildEntry, symbols []Symbol) (int, error) {
	if entry == nil {
		at := slices.IndexFunc(symbols, func(symbol Symbol) bool { return symbol.Role == Wild })
		if at >= 0 {
			return 0, s.Errorf(fmt.Sprintf("symbols[%d].role", at), "wild_wrong", "%q is wild, but `wild` does not say how many count", symbols[at].Name)
		}
		return -1, nil
	}
	code, err := Code(s, symbols, "wild.symbol", entry.Symbol)
	switch {
	case err != nil:
		return 0, err
	case symbols[code].Role != Wild:
		return 0, s.Errorf("wild.symbol", "wild_wrong", "%q has not the role wild", entry.Symbol)
	case entry.Most != 1:
		return 0, s.Errorf("wild.most", "wild_wrong", "one wild counts at most: `most: 1`, not %d", entry.Most)
	}
	return code, nil
}

// ReadGain is the gain of a combination at one stake, of the list that has one a stake.
func ReadGain(s game.Section, d *game.Definition, path string, gains []game.Figure, stake int) (money.Amount, error) {
	if len(gains) != len(d.Stakes) {
		return 0, s.Errorf(path, "amounts_missing", "one gain a stake is expected: %d, not %d", len(d.Stakes), len(gains))
	}
	return money.Amount(gains[stake]), nil
}

// ReadWeights checks the weights that a definition gives, among as many combinations.
func ReadWeights(s game.Section, d *game.Definition, entries []WeightEntry, combinations int) ([]Weighting, error) {
	var given []Weighting
	for at, entry := range entries {
		w := Weighting{Path: fmt.Sprintf("weights[%d]", at), Gains: slices.Sorted(slices.Values(entry.Gains)), Wild: entry.Wild, Multiplier: max(entry.Multiplier, 1), Weight: entry.Weight}
		w.Tier = slices.IndexFunc(d.Prizes.Tiers, func(tier game.Tier) bool { return tier.Amounts[0] == money.Amount(entry.Prize) })
		switch {
		case w.Tier < 0:
			return nil, s.Errorf(w.Path+".prize", "way_unknown", "%s is not a prize at the first stake", money.Amount(entry.Prize))
		case w.Weight < 1 || w.Weight > WeightGivenMost:
			return nil, s.Errorf(w.Path, "weights_wrong", "a weight is 1 to %d, not %d", WeightGivenMost, w.Weight)
		case slices.ContainsFunc(w.Gains, func(gain int) bool { return gain < 0 || gain >= combinations }):
			return nil, s.Errorf(w.Path+".gains", "way_unknown", "gains are places in the list of combinations, 0 to %d", combinations-1)
		case slices.ContainsFunc(given, w.sameWay):
			return nil, s.Errorf(w.Path, "weights_wrong", "this way already has a weight")
		}
		given = append(given, w)
	}
	return given, nil
}

func (w Weighting) sameWay(other Weighting) bool {
	return w.Tier == other.Tier && w.Of(other.Gains, other.Wild, other.Multiplier)
}

// Of reports whether the weight is for the way with these gains, ascending.
func (w Weighting) Of(gains []int, wild bool, multiplier int) bool {
	return w.Wild == wild && w.Multiplier == multiplier && slices.Equal(w.Gains, gains)
}

// Amounts lists the prizes of the tiers at one stake. It returns Invalid with code stake_unknown when
// the definition has no such stake.
func Amounts(d *game.Definition, stake int) ([]money.Amount, error) {
	if stake < 0 || stake >= len(d.Stakes) {
		return nil, fault.New(fault.Invalid, "stake_unknown", "%s has %d stakes, numbered from 0: there is no stake %d", d.Name, len(d.Stakes), stake)
	}
	amounts := make([]money.Amount, len(d.Prizes.Tiers))
	for i, tier := range d.Prizes.Tiers {
		amounts[i] = tier.Amounts[stake]
	}
	return amounts, nil
}
