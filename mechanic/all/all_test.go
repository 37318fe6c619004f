package all_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/mechanic/all"
)

// TestGamesThatComeWithTalon: every definition that comes with Talon can be dealt at every stake.
func TestGamesThatComeWithTalon(t *testing.T) {
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Games) == 0 {
		t.Fatal("no game comes with Talon")
	}
	for _, d := range set.Games {
		if err := all.Check(d); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

// change is a definition with a few lines changed, one a line of the file.
type change struct {
	name     string
	replace  []string // old, new, old, new, …
	code     string
	at       string // part of the changed file at whose line, and column, the error is placed
	contains string // part of the message
}

// The changes to « Pièce d'or » and « Precius Aurus » that are refused.
var refusedCollect = []change{
	{
		name:    "a tier that no layout reaches",
		replace: []string{"amounts: [250, 500, 1000]", "amounts: [249, 498, 996]", "totals: [350000, 700000, 1400000]", "totals: [349999, 699998, 1399996]"},
		code:    "tier_unreachable", at: "249, 498", contains: "no layout wins exactly 249.00",
	},
	{
		name:    "a cumulative-only claim that is untrue",
		replace: []string{"amounts: [25, 50, 100]}", "amounts: [25, 50, 100], cumulative_only: true}"},
		code:    "cumulative_only_untrue", at: "true}\n    - {count: 26000", contains: "one gain makes 25.00",
	},
	{
		name:    "a gain that does not scale with the stake",
		replace: []string{"gains: [5, 10, 20]", "gains: [5, 10, 100]"},
		code:    "stakes_disagree", at: "100]}\n    - {count: 26000", contains: "the first stake",
	},
	{
		name:    "no layout loses",
		replace: []string{"- {symbols: [or, or, or],", "- {symbols: [or, or],"},
		code:    "losing_unreachable", at: "  - {name: or,", contains: "every layout wins",
	},
	{
		name:    "an unknown mechanic",
		replace: []string{"kind: collect", "kind: scratch"},
		code:    "mechanic_unknown", at: "scratch", contains: "there are collect, lines",
	},
	{
		name:    "an unknown symbol",
		replace: []string{"[or, or, or]", "[or, or, argent]"},
		code:    "symbol_unknown", at: "argent", contains: `"argent" is not among the symbols`,
	},
	{
		name:    "a symbol given twice",
		replace: []string{"{name: croix,", "{name: or,"},
		code:    "symbol_twice", at: "or, titles: {fr: croix", contains: `"or" is already`,
	},
	{
		name:    "a symbol in no combination",
		replace: []string{"    - {name: croix,", "    - {name: plume, titles: {fr: plume, en: feather}}\n    - {name: croix,"},
		code:    "symbol_without_combination", at: "{name: plume", contains: "neutral",
	},
	{
		name:    "an unknown role",
		replace: []string{"role: wild", "role: joker"},
		code:    "role_unknown", at: "joker", contains: "not \"joker\"",
	},
	{
		name:    "a wild without its rule",
		replace: []string{"  wild: {symbol: trefle, most: 1, article: \"4.5\"}\n", ""},
		code:    "wild_wrong", at: "wild}", contains: "does not say how many",
	},
	{
		name:    "two wilds a unit",
		replace: []string{"most: 1", "most: 2"},
		code:    "wild_wrong", at: "2, article: \"4.5\"", contains: "not 2",
	},
	{
		name:    "a wild that is a paying symbol",
		replace: []string{"wild: {symbol: trefle", "wild: {symbol: or"},
		code:    "wild_wrong", at: "or, most", contains: "has not the role wild",
	},
	{
		name:    "a combination of the wild",
		replace: []string{"[or, or, or]", "[or, or, trefle]"},
		code:    "symbol_not_paying", at: "- {symbols: [or, or, trefle]", contains: "only paying symbols",
	},
	{
		name:    "a gain missing at a stake",
		replace: []string{"gains: [5, 10, 20]", "gains: [5, 10]"},
		code:    "amounts_missing", at: "[5, 10]", contains: "3, not 2",
	},
	{
		name:    "a gain of nothing",
		replace: []string{"gains: [5, 10, 20]", "gains: [0, 0, 0]"},
		code:    "gain_wrong", at: "- {symbols: [croix, croix, etoile, etoile]", contains: "above zero",
	},
	{
		name:    "more symbols in a combination than cells",
		replace: []string{"cells: 9", "cells: 3"},
		code:    "combination_wrong", at: "- {symbols: [croix, croix, or, or]", contains: "1 to 3 symbols",
	},
	{
		name:    "too many cells",
		replace: []string{"cells: 9", "cells: 32"},
		code:    "size_beyond_limit", at: "32\n", contains: "1 to 31 cells",
	},
	{
		name:    "too many orders",
		replace: []string{"cells: 9", "cells: 20"},
		code:    "size_beyond_limit", at: "20\n", contains: "ordered layouts",
	},
	{
		name:    "an unknown key",
		replace: []string{"cells: 9", "cells: 9\n  colour: gold"},
		code:    "key_unknown", at: "colour", contains: "colour",
	},
	{
		name:    "a multiplier",
		replace: []string{"role: wild}", "role: wild}\n    - {name: etoile-filante, titles: {fr: x, en: x}, role: multiplier}"},
		code:    "multiplier_unknown", at: "{name: etoile-filante", contains: "collect has none",
	},
	{
		name:    "a weight for a way that does not exist",
		replace: []string{"  combinations:", "  weights:\n    - {prize: 5, gains: [0], weight: 3}\n  combinations:"},
		code:    "way_unknown", at: "{prize: 5", contains: "no layout wins 5.00",
	},
	{
		name:    "a weight of nothing",
		replace: []string{"  combinations:", "  weights:\n    - {prize: 5, gains: [3], weight: 0}\n  combinations:"},
		code:    "weights_wrong", at: "{prize: 5", contains: "a weight is 1 to",
	},
	{
		name:    "a weight for no prize",
		replace: []string{"  combinations:", "  weights:\n    - {prize: 6, gains: [3], weight: 1}\n  combinations:"},
		code:    "way_unknown", at: "6, gains", contains: "6.00 is not a prize",
	},
	{
		name:    "a weight for no combination",
		replace: []string{"  combinations:", "  weights:\n    - {prize: 5, gains: [7], weight: 1}\n  combinations:"},
		code:    "way_unknown", at: "[7]", contains: "0 to 6",
	},
	{
		name:    "a weight given twice",
		replace: []string{"  combinations:", "  weights:\n    - {prize: 5, gains: [3], weight: 1}\n    - {prize: 5, gains: [3], weight: 2}\n  combinations:"},
		code:    "weights_wrong", at: "{prize: 5, gains: [3], weight: 2", contains: "already has a weight",
	},
}

var refusedLines = []change{
	{
		name:    "a tier that no layout reaches",
		replace: []string{"{count: 3, amounts: [150]}", "{count: 3, amounts: [149]}", "totals: [558720]", "totals: [558717]"},
		code:    "tier_unreachable", at: "149", contains: "no layout wins exactly 149.00",
	},
	{
		name:    "a cumulative-only claim that is untrue, by a multiplier",
		replace: []string{"{count: 3, amounts: [150]}", "{count: 3, amounts: [150], cumulative_only: true}"},
		code:    "cumulative_only_untrue", at: "true}", contains: "one gain makes 150.00",
	},
	{
		name:    "an unknown symbol",
		replace: []string{"- {symbol: etoile,", "- {symbol: lune,"},
		code:    "symbol_unknown", at: "lune", contains: `"lune"`,
	},
	{
		name:    "a line that does not fit",
		replace: []string{"columns: 4", "columns: 5", "[rows, columns, diagonals]", "[columns, rows]"},
		code:    "line_wrong", at: "rows]", contains: "a line has as many cells",
	},
	{
		name:    "diagonals of no square",
		replace: []string{"columns: 4", "columns: 5"},
		code:    "line_wrong", at: "diagonals]", contains: "only a square",
	},
	{
		name:    "a line that is no word",
		replace: []string{"[rows, columns, diagonals]", "[rows, corners]"},
		code:    "line_wrong", at: "corners", contains: "corners",
	},
	{
		name:    "a line outside the grid",
		replace: []string{"[rows, columns, diagonals]", "[[0, 1, 2, 16]]"},
		code:    "line_wrong", at: "[0, 1, 2, 16]", contains: "0 to 15",
	},
	{
		name:    "a line given twice",
		replace: []string{"[rows, columns, diagonals]", "[[0, 1, 2, 3], [0, 1, 2, 3]]"},
		code:    "line_wrong", at: "[0, 1, 2, 3]]", contains: "twice",
	},
	{
		name:    "too large a grid",
		replace: []string{"rows: 4", "rows: 7"},
		code:    "size_beyond_limit", at: "7\n  columns", contains: "1 to 6",
	},
	{
		name:    "a combination given twice",
		replace: []string{"- {symbol: trefle, alike", "- {symbol: diamant, alike"},
		code:    "combination_wrong", at: "- {symbol: diamant, alike: 4, gains: [5000]", contains: "already has",
	},
	{
		name:    "combinations of two lengths",
		replace: []string{"{symbol: trefle, alike: 4", "{symbol: trefle, alike: 3"},
		code:    "combination_wrong", at: "- {symbol: trefle", contains: "as many symbols",
	},
	{
		name:    "one symbol alike",
		replace: []string{"{symbol: trefle, alike: 4", "{symbol: trefle, alike: 1"},
		code:    "combination_wrong", at: "1, gains: [5000]", contains: "2 to 6",
	},
	{
		name:    "a multiplier without coefficients",
		replace: []string{"  multiplier: {symbol: point-d-interrogation, coefficients: [2, 3, 4, 5, 10], article: \"5.5\"}\n", ""},
		code:    "multiplier_wrong", at: "{name: point-d", contains: "does not give",
	},
	{
		name:    "a coefficient of one",
		replace: []string{"coefficients: [2, 3", "coefficients: [1, 3"},
		code:    "multiplier_wrong", at: "1, 3, 4", contains: "2 to 1000",
	},
	{
		name:    "a coefficient given twice",
		replace: []string{"coefficients: [2, 3, 4, 5, 10]", "coefficients: [2, 3, 4, 5, 2]"},
		code:    "multiplier_wrong", at: "2], article", contains: "twice",
	},
	{
		name:    "a multiplier that is a paying symbol",
		replace: []string{"multiplier: {symbol: point-d-interrogation", "multiplier: {symbol: jambon", "    - {name: point-d-interrogation, titles: {fr: point d’interrogation, en: question mark}, role: multiplier}\n", ""},
		code:    "multiplier_wrong", at: "jambon, coeff", contains: "has not the role",
	},
	{
		name:    "too many gains in a way",
		replace: []string{"  combinations:", "  gains_most: 5\n  combinations:"},
		code:    "size_beyond_limit", at: "5\n  combinations", contains: "1 to 4",
	},
	{
		name:    "a weight for a way that does not exist",
		replace: []string{"  combinations:", "  weights:\n    - {prize: 5, gains: [7], multiplier: 3, weight: 3}\n  combinations:"},
		code:    "way_unknown", at: "{prize: 5", contains: "wins 5.00",
	},
	{
		name: "too few symbols for losing grids",
		replace: []string{
			"rows: 4", "rows: 2", "columns: 4", "columns: 2", "alike: 4", "alike: 2",
			"[rows, columns, diagonals]", "[rows, columns, diagonals]",
			"    - {name: trefle, titles: {fr: trèfle, en: clover}}\n    - {name: bourse, titles: {fr: bourse, en: purse}}\n    - {name: pieces-d-or, titles: {fr: pièces d’or, en: gold coins}}\n    - {name: etoile, titles: {fr: étoile, en: star}}\n    - {name: cle, titles: {fr: clé, en: key}}\n    - {name: fer-a-cheval, titles: {fr: fer à cheval, en: horseshoe}}\n    - {name: chiffre-sept, titles: {fr: chiffre sept, en: number seven}}\n", "",
			"    - {symbol: trefle, alike: 2, gains: [5000], article: \"5.3\"}\n    - {symbol: bourse, alike: 2, gains: [1000], article: \"5.3\"}\n    - {symbol: pieces-d-or, alike: 2, gains: [500], article: \"5.3\"}\n    - {symbol: etoile, alike: 2, gains: [100], article: \"5.3\"}\n    - {symbol: cle, alike: 2, gains: [50], article: \"5.3\"}\n    - {symbol: fer-a-cheval, alike: 2, gains: [10], article: \"5.3\"}\n    - {symbol: chiffre-sept, alike: 2, gains: [5], article: \"5.3\"}\n", "",
		},
		code: "lines_too_dense", at: "[rows, columns, diagonals]", contains: "too few grids lose",
	},
}

// TestRefused changes the definitions that come with Talon, and finds each change refused with its
// code at its line and column.
func TestRefused(t *testing.T) {
	for file, changes := range map[string][]change{"piece-dor": refusedCollect, "precius-aurus": refusedLines} {
		data, err := os.ReadFile("../../games/" + file + "/game.yaml")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			t.Run(file+"/"+c.name, func(t *testing.T) {
				text := string(data)
				for i := 0; i < len(c.replace); i += 2 {
					if !strings.Contains(text, c.replace[i]) {
						t.Fatalf("the definition has no %q to change", c.replace[i])
					}
					text = strings.ReplaceAll(text, c.replace[i], c.replace[i+1])
				}
				d, err := game.Load("game.yaml", []byte(text))
				if err != nil {
					t.Fatalf("the loader refused it first: %v", err)
				}
				err = all.Check(d)
				switch {
				case err == nil:
					t.Fatal("it was accepted")
				case fault.KindOf(err) != fault.Invalid || fault.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.contains):
					t.Errorf("code %s: %v", fault.CodeOf(err), err)
				case fault.PlaceOf(err) != place(text, c.at):
					t.Errorf("placed at %s, not %s: %v", fault.PlaceOf(err), place(text, c.at), err)
				}
			})
		}
	}
}

// place is line and column of a part of a file; of a list entry, of what follows the dash,
// and of an indented part, of what follows the spaces.
func place(text, part string) string {
	at := strings.Index(text, part)
	if at < 0 {
		return "not in the file"
	}
	if strings.HasPrefix(part, "- ") || strings.HasPrefix(part, "  ") {
		at += 2
	}
	before := text[:at]
	line := strings.Count(before, "\n") + 1
	column := len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
	return fmt.Sprintf("game.yaml:%d:%d", line, column)
}

// TestWeightsAreTaken gives a way a weight of its own.
func TestWeightsAreTaken(t *testing.T) {
	data, err := os.ReadFile("../../games/piece-dor/game.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "  combinations:", "  weights:\n    - {prize: 7.5, gains: [4, 3], wild: true, weight: 999}\n  combinations:", 1)
	d, err := game.Load("game.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for stake := range d.Stakes {
		m, err := all.New(d, stake)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := m.Prove()
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, tier := range proof.Tiers {
			for _, w := range tier.Ways {
				if w.Weight == 999 {
					found++
					if !w.Wild || fmt.Sprint(w.Gains) != "[3 4]" {
						t.Errorf("the weight went to %+v of %s", w, tier.Prize)
					}
				}
			}
		}
		if found != 1 {
			t.Errorf("%d ways have the weight", found)
		}
	}
}

func TestStakeUnknown(t *testing.T) {
	d, err := games.Definition("precius-aurus")
	if err != nil {
		t.Fatal(err)
	}
	for _, stake := range []int{-1, 1} {
		if m, err := all.New(d, stake); fault.CodeOf(err) != "stake_unknown" || m != nil {
			t.Errorf("stake %d: %v, %v", stake, m, err)
		}
	}
}
