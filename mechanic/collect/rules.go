package collect

import (
	"fmt"

	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// rules is what a definition says about one stake, checked for meaning by compile.
type rules struct {
	cells        int
	symbols      []mechanic.Symbol
	wild         int // code, or none
	combinations []mechanic.Combination
	tiers        []money.Amount
	weights      []mechanic.Weighting
	// fail makes the error for bad input at a path of the mechanic's section ("combinations[2]").
	fail func(path, code, format string, arguments ...any) error
}

const none = -1

// check refuses what cannot be compiled, each error at its place.
func (r *rules) check() error {
	if r.cells < 1 || r.cells > CellsMost {
		return r.fail("cells", "size_beyond_limit", "a unit has 1 to %d cells, not %d", CellsMost, r.cells)
	}
	if len(r.symbols) < 1 || len(r.symbols) > SymbolsMost {
		return r.fail("symbols", "size_beyond_limit", "there are 1 to %d symbols, the wild included, not %d", SymbolsMost, len(r.symbols))
	}
	if len(r.combinations) < 1 || len(r.combinations) > CombinationsMost {
		return r.fail("combinations", "size_beyond_limit", "there are 1 to %d combinations, not %d", CombinationsMost, len(r.combinations))
	}
	for i, combination := range r.combinations {
		if err := r.checkCombination(fmt.Sprintf("combinations[%d]", i), combination); err != nil {
			return err
		}
	}
	return r.checkRoles()
}

func (r *rules) checkCombination(path string, combination mechanic.Combination) error {
	if len(combination.Symbols) < 1 || len(combination.Symbols) > r.cells {
		return r.fail(path, "combination_wrong", "a combination has 1 to %d symbols, as many as the unit has cells, not %d", r.cells, len(combination.Symbols))
	}
	if combination.Gain <= 0 {
		return r.fail(path, "gain_wrong", "a gain is above zero, not %s", combination.Gain)
	}
	for _, code := range combination.Symbols {
		if symbol := r.symbols[code]; symbol.Role != mechanic.Paying {
			return r.fail(path, "symbol_not_paying", "%q does not form combinations: only paying symbols do", symbol.Name)
		}
	}
	return nil
}

// checkRoles refuses symbols whose role the rest of the rules contradicts.
func (r *rules) checkRoles() error {
	used := make([]bool, len(r.symbols))
	for _, combination := range r.combinations {
		for _, code := range combination.Symbols {
			used[code] = true
		}
	}
	for code, symbol := range r.symbols {
		path := fmt.Sprintf("symbols[%d]", code)
		switch {
		case symbol.Role == mechanic.Multiplier:
			return r.fail(path, "multiplier_unknown", "%q is a multiplier: collect has none", symbol.Name)
		case symbol.Role == mechanic.Paying && !used[code]:
			return r.fail(path, "symbol_without_combination", "%q is in no combination; say that it is neutral, or add the combination", symbol.Name)
		case symbol.Role == mechanic.Wild && code != r.wild:
			return r.fail(path, "wild_wrong", "%q is a second wild: collect has one at most", symbol.Name)
		}
	}
	return nil
}
