package games_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/money"
)

// The figures below were typed from the texts of the regulations, not from the definitions.

const euro = money.Unit

func cents(n int64) money.Amount { return money.Amount(n) * money.Cent }

// « Pièce d'or »: regulation made on 25 January 2012, articles 1 to 3.
func TestPieceDor(t *testing.T) {
	want := &game.Definition{
		Name:         "piece-dor",
		Titles:       game.Text{French: "Pièce d’or", English: "Pièce d’or"},
		Regulation:   game.Regulation{Title: "Pièce d'or", Made: "2012-01-25", Opening: "2012-02-06", Article: "1"},
		BlockSize:    1_000_000,
		BlockArticle: "2",
		Stakes: []game.Stake{
			{Price: cents(50), Article: "2", Parts: []game.Part{{For: "piece-dor", Amount: cents(50), Article: "2"}}},
			{Price: cents(100), Article: "2", Parts: []game.Part{{For: "piece-dor", Amount: cents(100), Article: "2"}}},
			{Price: cents(200), Article: "2", Parts: []game.Part{{For: "piece-dor", Amount: cents(200), Article: "2"}}},
		},
		Prizes: game.PrizeTable{
			Count: 219_595, Totals: []money.Amount{350_000 * euro, 700_000 * euro, 1_400_000 * euro}, Articles: []string{"3.1", "3.2", "3.3"},
			Tiers: []game.Tier{
				{Count: 1, Amounts: []money.Amount{cents(500_000), cents(1_000_000), cents(2_000_000)}},
				{Count: 1, Amounts: []money.Amount{cents(25_000), cents(50_000), cents(100_000)}},
				{Count: 32, Amounts: []money.Amount{cents(2_500), cents(5_000), cents(10_000)}},
				{Count: 26_000, Amounts: []money.Amount{cents(750), cents(1_500), cents(3_000)}, CumulativeOnly: true},
				{Count: 80, Amounts: []money.Amount{cents(500), cents(1_000), cents(2_000)}},
				{Count: 46, Amounts: []money.Amount{cents(250), cents(500), cents(1_000)}},
				{Count: 103_435, Amounts: []money.Amount{cents(100), cents(200), cents(400)}},
				{Count: 90_000, Amounts: []money.Amount{cents(50), cents(100), cents(200)}},
			},
		},
		Choice: &game.Choice{Of: 6, Pick: 3, Article: "4.3"},
	}
	got := definition(t, "piece-dor")
	compare(t, got, want)
	for stake := range want.Stakes {
		ofGamePart, ofPrice, err := got.Payout(stake)
		if err != nil || ofGamePart.Percent(3) != "70.000" || ofPrice.Percent(3) != "70.000" {
			t.Errorf("stake %d pays back %s and %s, want 70.000: %v", stake, ofGamePart.Percent(3), ofPrice.Percent(3), err)
		}
		if back := got.StakeBack(stake).String(); back != "18000/43919" { // 90 000 of 219 595
			t.Errorf("stake %d: %s of the prizes return the stake, want 18000/43919", stake, back)
		}
	}
	if frequency := got.UnitsPerPrize().Decimals(3); frequency != "4.554" {
		t.Errorf("1 in %s, want 4.554", frequency)
	}
}

// « Precius Aurus »: articles 1 to 4.
func TestPreciusAurus(t *testing.T) {
	tier := func(count uint32, amount money.Amount) game.Tier {
		return game.Tier{Count: count, Amounts: []money.Amount{amount}}
	}
	want := &game.Definition{
		Name:         "precius-aurus",
		Titles:       game.Text{French: "Precius Aurus", English: "Precius Aurus"},
		Regulation:   game.Regulation{Title: "Precius Aurus", Opening: "2019-03-07", Article: "1"},
		BlockSize:    800_000,
		BlockArticle: "3",
		Jackpot:      "super-jackpot",
		Stakes: []game.Stake{{Price: cents(100), Article: "2", Parts: []game.Part{
			{For: "precius-aurus", Amount: cents(97), Article: "2"}, {For: "super-jackpot", Amount: cents(3), Article: "2"}}}},
		Prizes: game.PrizeTable{
			Count: 190_052, Totals: []money.Amount{558_720 * euro}, Articles: []string{"4"},
			Tiers: []game.Tier{
				tier(1, 10_000*euro), tier(1, 5_000*euro), tier(1, 1_000*euro), tier(1, 500*euro), tier(3, 150*euro), tier(5, 100*euro),
				tier(30, 50*euro), tier(400, 20*euro), tier(25_000, 10*euro), tier(10_040, 5*euro), tier(77_000, 2*euro), tier(77_570, 1*euro),
			},
		},
	}
	got := definition(t, "precius-aurus")
	compare(t, got, want)
	ofGamePart, ofPrice, err := got.Payout(0)
	if err != nil || ofGamePart.Percent(3) != "72.000" || ofPrice.Percent(3) != "69.840" {
		t.Errorf("pays back %s and %s, want 72.000 and 69.840: %v", ofGamePart.Percent(3), ofPrice.Percent(3), err)
	}
	if frequency := got.UnitsPerPrize().Decimals(3); frequency != "4.209" {
		t.Errorf("1 in %s, want 4.209", frequency)
	}
}

// « SUPER JACKPOT »: its price and the date of its regulation are published (« Precius Aurus »,
// articles 1 and 2); the rest is Talon's own (docs/divergences.md).
func TestSuperJackpot(t *testing.T) {
	got, err := games.Jackpot("super-jackpot")
	if err != nil {
		t.Fatal(err)
	}
	want := &game.Jackpot{
		Name: "super-jackpot", Titles: game.Text{French: "Super Jackpot", English: "Super Jackpot"},
		Price: 300, ToPot: 160, ToReserve: 50, ToOperator: 90, // ten-thousandths: 3 cents = 1.6 + 0.5 + 0.9
		Start: 10_000 * euro, Odds: 2_000_000, BlockSize: 1_000_000,
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(game.Jackpot{}, "Hash", "Canonical")); diff != "" {
		t.Error(diff)
	}
	// In the long run a pot is the start plus the contributions of as many participations as a win
	// takes: 10 000 € is 0.005 € for each of them, so the pots are 0.021 of 0.03: 70 %.
	if players := int64(want.ToPot)*int64(want.Odds) + int64(want.Start); players*100 != 70*int64(want.Price)*int64(want.Odds) {
		t.Errorf("%d of %d go to players, want 70 %%", players, int64(want.Price)*int64(want.Odds))
	}
}

func definition(t *testing.T, name string) *game.Definition {
	t.Helper()
	d, err := games.Definition(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func compare(t *testing.T, got, want *game.Definition) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(game.Definition{}, "Hash", "Canonical", "Mechanic", "File")); diff != "" {
		t.Error(diff)
	}
}

// The hashes are part of every block's header: a change of a definition that comes with Talon is
// seen here, and is another game. They were computed by another program, in another language
// with another YAML reader, from docs/spec/definition.md.
func TestHashes(t *testing.T) {
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, d := range set.Games {
		got[d.Name] = d.Hash.String()
	}
	for _, j := range set.Jackpots {
		got[j.Name] = j.Hash.String()
	}
	want := map[string]string{
		"piece-dor":     "2c9142f1909476cf6f34777a6cfdde90326ceede4ed59e817fdbd7e93ef4c4a1",
		"precius-aurus": "561affa02ed3480aa53f368ddf6906202247886134cf1632964fda3fa5404de1",
		"super-jackpot": "74db76a05e52b40afc7bc4115150fbe685217e50cc6d849e883366c6a5b52bcb",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownNames(t *testing.T) {
	if _, err := games.Definition("loto"); fault.CodeOf(err) != "game_unknown" || fault.KindOf(err) != fault.NotFound || fault.NextOf(err) == "" {
		t.Error(err)
	}
	if _, err := games.Definition("super-jackpot"); fault.CodeOf(err) != "game_unknown" {
		t.Error("a jackpot is not a game:", err)
	}
	if _, err := games.Jackpot("piece-dor"); fault.CodeOf(err) != "jackpot_unknown" {
		t.Error("a game is not a jackpot:", err)
	}
}

func TestIn(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for _, test := range []struct {
		name   string
		folder fstest.MapFS
		code   string
		place  string
	}{
		{"nothing", fstest.MapFS{}, "definitions_missing", ""},
		{"a game in the root", fstest.MapFS{"game.yaml": file("kind: game\n")}, "definitions_missing", ""},
		{"another folder's name", fstest.MapFS{"lunes/game.yaml": file("kind: game\nname: etoiles\n")}, "folder_name", "lunes/game.yaml:2:7"},
		{"no name", fstest.MapFS{"lunes/game.yaml": file("kind: game\n")}, "folder_name", "lunes/game.yaml:1:1"},
		{"neither game nor jackpot", fstest.MapFS{"lunes/game.yaml": file("kind: loto\nname: lunes\n")}, "kind_wrong", "lunes/game.yaml:1:7"},
		{"an alias", fstest.MapFS{"lunes/game.yaml": file("kind: game\nname: *lunes\n")}, "yaml_not_plain", "lunes/game.yaml:2:7"},
		{"a folder for a file", fstest.MapFS{"lunes/game.yaml/x": file("")}, "definition_unreadable", ""},
	} {
		_, err := games.In(test.folder)
		if fault.CodeOf(err) != test.code || fault.PlaceOf(err) != test.place {
			t.Errorf("%s: %s at %q, want %s at %q (%v)", test.name, fault.CodeOf(err), fault.PlaceOf(err), test.code, test.place, err)
		}
	}
}
