package catalogue_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/money"
)

// lanterns is a small invented game, sold with a jackpot.
const lanterns = `
kind: game
name: lanternes
titles: {fr: Lanternes, en: Lanterns}
regulation: {title: Lanternes, opening: 2026-01-01, article: "1"}
block: {size: 20, article: "2"}
jackpot: petit-pot
stakes:
  - {price: 1, article: "2", parts: [{for: lanternes, amount: 0.97, article: "2"}, {for: petit-pot, amount: 0.03, article: "2"}]}
  - {price: 2, article: "2", parts: [{for: lanternes, amount: 1.97, article: "2"}, {for: petit-pot, amount: 0.03, article: "2"}]}
prizes:
  articles: ["3", "3"]
  tiers:
    - {count: 1, amounts: [5, 10]}
    - {count: 4, amounts: [1, 2]}
  printed: {count: 5, totals: [9, 18]}
mechanic:
  kind: collect
  cells: 3
  article: "4"
  symbols:
    - {name: rouge, titles: {fr: rouge, en: red}}
    - {name: verte, titles: {fr: verte, en: green}}
    - {name: bleue, titles: {fr: bleue, en: blue}, role: neutral}
  combinations:
    - {symbols: [rouge, rouge], gains: [5, 10], article: "4"}
    - {symbols: [verte, verte], gains: [1, 2], article: "4"}
`

const pot = `
kind: jackpot
name: petit-pot
titles: {fr: Petit pot, en: Small pot}
regulation: {title: Petit pot, opening: 2026-01-01}
price: 0.03
article: "2"
shares: {pot: 0.016, reserve: 0.005, operator: 0.009}
start: 2
one_in: 40
block: {size: 170}
`

// changed loads the game with some of its text replaced; each replaced text must occur.
func changed(t *testing.T, pairs ...string) *game.Definition {
	t.Helper()
	text := lanterns
	for at := 0; at < len(pairs); at += 2 {
		if !strings.Contains(text, pairs[at]) {
			t.Fatalf("%q does not occur in the definition", pairs[at])
		}
		text = strings.ReplaceAll(text, pairs[at], pairs[at+1])
	}
	definition, err := game.Load("game.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return definition
}

func jackpot(t *testing.T) *game.Jackpot {
	t.Helper()
	loaded, err := game.LoadJackpot("petit-pot.yaml", []byte(pot))
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		name        string
		definitions []*game.Definition
		without     bool // without the jackpot
		kind        fault.Kind
		code        string
		says        string
	}{
		{name: "two of one name", definitions: []*game.Definition{changed(t), changed(t)}, kind: fault.Conflict, code: "name_taken", says: `"lanternes"`},
		{name: "a jackpot that is not given", definitions: []*game.Definition{changed(t)}, without: true, kind: fault.Invalid, code: "jackpot_unknown", says: `"petit-pot"`},
		{
			name:        "a part that is not one participation",
			definitions: []*game.Definition{changed(t, "amount: 1.97", "amount: 1.96", "amount: 1.96, article: \"2\"}, {for: petit-pot, amount: 0.03", "amount: 1.96, article: \"2\"}, {for: petit-pot, amount: 0.04")},
			kind:        fault.Invalid, code: "jackpot_part", says: "0.04",
		},
		{
			name:        "two participations for one price",
			definitions: []*game.Definition{changed(t, "amount: 1.97, article: \"2\"}, {for: petit-pot, amount: 0.03", "amount: 1.94, article: \"2\"}, {for: petit-pot, amount: 0.06")},
			kind:        fault.Invalid, code: "jackpot_part", says: "lanternes at 2.00",
		},
		{
			name:        "a tier that no layout reaches",
			definitions: []*game.Definition{changed(t, "{count: 1, amounts: [5, 10]}", "{count: 1, amounts: [6, 12]}", "totals: [9, 18]", "totals: [10, 20]")},
			kind:        fault.Invalid, code: "tier_unreachable", says: "6.00",
		},
		{
			name:        "one bad game among good ones",
			definitions: []*game.Definition{changed(t, "lanternes", "lampions"), changed(t, "cells: 3", "cells: 2", "{count: 1, amounts: [5, 10]}", "{count: 1, amounts: [6, 12]}", "totals: [9, 18]", "totals: [10, 20]")},
			kind:        fault.Invalid, code: "tier_unreachable", says: "6.00",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			jackpots := []*game.Jackpot{jackpot(t)}
			if test.without {
				jackpots = nil
			}
			made, err := catalogue.New(test.definitions, jackpots)
			if !errors.Is(err, test.kind) || fault.CodeOf(err) != test.code || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v (%s), want %s (%s) saying %q", err, fault.CodeOf(err), test.kind, test.code, test.says)
			}
			if made != nil {
				t.Error("a catalogue came with the refusal")
			}
		})
	}
	// The twin: the same texts unchanged are accepted, so that each refusal is for its own reason.
	if _, err := catalogue.New([]*game.Definition{changed(t), changed(t, "lanternes", "lampions")}, []*game.Jackpot{jackpot(t)}); err != nil {
		t.Error(err)
	}
}

func TestGamesAreListedByName(t *testing.T) {
	var definitions []*game.Definition
	for _, name := range []string{"lanternes", "zephyrs", "azurs", "lampions"} {
		definitions = append(definitions, changed(t, "lanternes", name))
	}
	made, err := catalogue.New(definitions, []*game.Jackpot{jackpot(t)})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, g := range made.Games() {
		names = append(names, g.Name)
		if found, err := made.Game(g.Name); err != nil || found != g {
			t.Errorf("%s is found as %v: %v", g.Name, found, err)
		}
		if len(g.Mechanics) != len(g.Stakes) {
			t.Errorf("%s has %d mechanics for %d stakes", g.Name, len(g.Mechanics), len(g.Stakes))
		}
	}
	if difference := cmp.Diff([]string{"azurs", "lampions", "lanternes", "zephyrs"}, names); difference != "" {
		t.Error(difference)
	}
	if list := made.Jackpots(); len(list) != 1 || list[0].Name != "petit-pot" {
		t.Errorf("jackpots: %v", list)
	}
}

func TestUnknownNames(t *testing.T) {
	made := cataloguetest.New(t)
	if _, err := made.Game("cinq-lunes"); !errors.Is(err, fault.NotFound) || fault.CodeOf(err) != "game_unknown" || fault.NextOf(err) == "" {
		t.Errorf("%v", err)
	}
	// A jackpot is not a game, nor a game a jackpot.
	if _, err := made.Game(cataloguetest.SmallPot); fault.CodeOf(err) != "game_unknown" {
		t.Errorf("%v", err)
	}
	if _, err := made.Jackpot(cataloguetest.Winds); !errors.Is(err, fault.NotFound) || fault.CodeOf(err) != "jackpot_unknown" {
		t.Errorf("%v", err)
	}
}

func TestStakeAt(t *testing.T) {
	moons, err := cataloguetest.New(t).Game(cataloguetest.Moons)
	if err != nil {
		t.Fatal(err)
	}
	for price, want := range map[money.Amount]int{50 * money.Cent: 0, money.Unit: 1} {
		if stake, err := moons.StakeAt(price); err != nil || stake != want {
			t.Errorf("at %s: stake %d, want %d: %v", price, stake, want, err)
		}
	}
	for _, price := range []money.Amount{0, -money.Unit, 50*money.Cent + 1, 2 * money.Unit} {
		if _, err := moons.StakeAt(price); !errors.Is(err, fault.Invalid) || fault.CodeOf(err) != "stake_unknown" || fault.NextOf(err) == "" {
			t.Errorf("at %s: %v", price, err)
		}
	}
}

// The games that come with Talon are fit to be sold, and can be told apart by price.
func TestTheGamesOfTalon(t *testing.T) {
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	made, err := catalogue.New(set.Games, set.Jackpots)
	if err != nil {
		t.Fatal(err)
	}
	for name, prices := range map[string][]money.Amount{ // Pièce d'or, art. 2; Precius Aurus, art. 2
		"piece-dor": {50 * money.Cent, money.Unit, 2 * money.Unit}, "precius-aurus": {money.Unit},
	} {
		g, err := made.Game(name)
		if err != nil {
			t.Fatal(err)
		}
		for want, price := range prices {
			if stake, err := g.StakeAt(price); err != nil || stake != want {
				t.Errorf("%s at %s: stake %d, want %d: %v", name, price, stake, want, err)
			}
		}
	}
}
