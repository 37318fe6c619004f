// Package cataloguetest holds two invented games for tests, with blocks so small that a test sells
// several of them.
//
// Its one promise: they are loaded and checked as published games are.
package cataloguetest

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/catalogue"
)

// Names of the invented games and their jackpot.
const (
	Moons    = "trois-lunes"  // two stakes, a choice of bags, no jackpot
	Winds    = "quatre-vents" // one stake, sold with participations in SmallPot
	SmallPot = "petit-pot"
)

// The blocks are small, so that a test sells several of them; those of the jackpot end elsewhere
// than those of its game, and pots are won often.
const moonsDefinition = `
kind: game
name: trois-lunes
titles: {fr: Trois lunes, en: Three moons}
regulation: {title: Trois lunes, opening: 2026-01-01, article: "1"}
block: {size: 500, article: "2"}
stakes:
  - {price: 0.50, article: "2"}
  - {price: 1, article: "2"}
prizes:
  articles: ["3", "3"]
  tiers:
    - {count: 1, amounts: [50, 100]}
    - {count: 4, amounts: [10, 20]}
    - {count: 45, amounts: [2.50, 5]}
    - {count: 60, amounts: [0.50, 1]}
  printed: {count: 110, totals: [232.50, 465]}
choice: {of: 6, pick: 3, article: "4"}
` + mechanicSection + `
    - {symbols: [lune, lune, lune], gains: [50, 100], article: "5"}
    - {symbols: [etoile, etoile, etoile], gains: [10, 20], article: "5"}
    - {symbols: [comete, comete, comete], gains: [2.50, 5], article: "5"}
    - {symbols: [soleil, soleil, soleil], gains: [0.50, 1], article: "5"}
`

const windsDefinition = `
kind: game
name: quatre-vents
titles: {fr: Quatre vents, en: Four winds}
regulation: {title: Quatre vents, opening: 2026-01-01, article: "1"}
block: {size: 300, article: "2"}
jackpot: petit-pot
stakes:
  - price: 1
    article: "2"
    parts:
      - {for: quatre-vents, amount: 0.97, article: "2"}
      - {for: petit-pot, amount: 0.03, article: "2"}
prizes:
  articles: ["3"]
  tiers:
    - {count: 1, amounts: [60]}
    - {count: 2, amounts: [20]}
    - {count: 20, amounts: [4]}
    - {count: 33, amounts: [1]}
  printed: {count: 56, totals: [213]}
` + mechanicSection + `
    - {symbols: [lune, lune, lune], gains: [60], article: "5"}
    - {symbols: [etoile, etoile, etoile], gains: [20], article: "5"}
    - {symbols: [comete, comete, comete], gains: [4], article: "5"}
    - {symbols: [soleil, soleil, soleil], gains: [1], article: "5"}
`

const mechanicSection = `
mechanic:
  kind: collect
  cells: 4
  article: "5"
  symbols:
    - {name: lune, titles: {fr: lune, en: moon}}
    - {name: etoile, titles: {fr: étoile, en: star}}
    - {name: comete, titles: {fr: comète, en: comet}}
    - {name: soleil, titles: {fr: soleil, en: sun}}
  combinations:`

const smallPotDefinition = `
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

// definitions are the invented games as a folder of definitions.
var definitions = fstest.MapFS{
	Moons + "/game.yaml":    {Data: []byte(moonsDefinition)},
	Winds + "/game.yaml":    {Data: []byte(windsDefinition)},
	SmallPot + "/game.yaml": {Data: []byte(smallPotDefinition)},
}

// New loads and checks the invented games.
func New(t testing.TB) *catalogue.Catalogue {
	t.Helper()
	set, err := games.In(definitions)
	if err != nil {
		t.Fatal(err)
	}
	invented, err := catalogue.New(set.Games, set.Jackpots)
	if err != nil {
		t.Fatal(err)
	}
	return invented
}

// Folder writes the invented games as a folder of definitions, as `--games` takes it.
func Folder(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, definitions); err != nil {
		t.Fatal(err)
	}
	return folder
}
