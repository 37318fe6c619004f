package parsheet_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/parsheet"
)

var update = flag.Bool("update", false, "write the sheets' texts anew; what they must say is typed in this file, too")

// The figures below were typed from the texts of the regulations; those of compositions come from
// an enumeration made apart, before Talon was written.

// line is what a sheet must say of a tier at the lowest stake.
type line struct {
	count, prize                string
	compositions, singleReading int64 // -1: not counted
	cumulativeOnly              bool
}

type expected struct {
	game, blockSize, prizes, winOneIn string
	stakes                            []expectedStake
	tiers                             []line // prizes at the first stake
	factors                           []int64
}

type expectedStake struct {
	price, total, blockPrice, ofGamePart, ofPrice string
	parts                                         []string
	onlyByAdding                                  []string
}

// « Pièce d'or »: articles 2 and 3.
var pieceDor = expected{
	game: "piece-dor", blockSize: "1000000", prizes: "219595", winOneIn: "4.554",
	stakes: []expectedStake{
		{"0.50", "350000.00", "500000.00", "70.000", "70.000", []string{"piece-dor 0.50"}, []string{"7.50"}},
		{"1.00", "700000.00", "1000000.00", "70.000", "70.000", []string{"piece-dor 1.00"}, []string{"15.00"}},
		{"2.00", "1400000.00", "2000000.00", "70.000", "70.000", []string{"piece-dor 2.00"}, []string{"30.00"}},
	},
	factors: []int64{1, 2, 4},
	tiers: []line{
		{"1", "5000.00", 42, 26, false},
		{"1", "250.00", 28, 1, false},
		{"32", "25.00", 22, 13, false},
		{"26000", "7.50", 20, 7, true},
		{"80", "5.00", 55, 34, false},
		{"46", "2.50", 29, 27, false},
		{"103435", "1.00", 79, 79, false},
		{"90000", "0.50", 35, 35, false},
	},
}

// « Precius Aurus »: articles 2, 3 and 4. Its mechanic counts placements, not compositions.
var preciusAurus = expected{
	game: "precius-aurus", blockSize: "800000", prizes: "190052", winOneIn: "4.209",
	stakes: []expectedStake{
		{"1.00", "558720.00", "800000.00", "72.000", "69.840", []string{"precius-aurus 0.97", "super-jackpot 0.03"}, []string{"150.00", "20.00", "2.00"}},
	},
	factors: []int64{1},
	tiers: []line{
		{"1", "10000.00", -1, -1, false},
		{"1", "5000.00", -1, -1, false},
		{"1", "1000.00", -1, -1, false},
		{"1", "500.00", -1, -1, false},
		{"3", "150.00", -1, -1, true},
		{"5", "100.00", -1, -1, false},
		{"30", "50.00", -1, -1, false},
		{"400", "20.00", -1, -1, true},
		{"25000", "10.00", -1, -1, false},
		{"10040", "5.00", -1, -1, false},
		{"77000", "2.00", -1, -1, true},
		{"77570", "1.00", -1, -1, false},
	},
}

func sheet(t *testing.T, name string) *parsheet.Sheet {
	t.Helper()
	definition, err := games.Definition(name)
	if err != nil {
		t.Fatal(err)
	}
	made, err := parsheet.Of(definition)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func copied(t *testing.T, s *parsheet.Sheet) *parsheet.Sheet {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	copied := new(parsheet.Sheet)
	if err := json.Unmarshal(text, copied); err != nil {
		t.Fatal(err)
	}
	return copied
}

// document is the JSON of a sheet, as a stranger reads it: by its published names, amounts as texts.
type document struct {
	Game      string      `json:"game"`
	BlockSize json.Number `json:"blockSize"`
	Prizes    json.Number `json:"prizes"`
	WinOneIn  string      `json:"winOneIn"`
	Notes     []string    `json:"notes"`
	Stakes    []struct {
		Price            string                         `json:"price"`
		Parts            []struct{ For, Amount string } `json:"parts"`
		BlockPrice       string                         `json:"blockPrice"`
		PrizeTotal       string                         `json:"prizeTotal"`
		PayoutOfGamePart string                         `json:"payoutOfGamePartPercent"`
		PayoutOfPrice    string                         `json:"payoutOfPricePercent"`
		Losing           documentTier                   `json:"losing"`
		Tiers            []documentTier                 `json:"tiers"`
		OnlyByAdding     []string                       `json:"reachableByAddingOrMultiplyingOnly"`
	} `json:"stakes"`
}

type documentTier struct {
	Count         json.Number `json:"count"`
	Prize         string      `json:"prize"`
	Compositions  int64       `json:"compositions"`
	SingleReading int64       `json:"singleReading"`
	Layouts       int64       `json:"layouts"`
	Examples      []string    `json:"examples"`
	Ways          []struct {
		Gains        []string `json:"gains"`
		Wild         bool     `json:"wild"`
		Multiplier   int      `json:"multiplier"`
		Compositions int64    `json:"compositions"`
	} `json:"ways"`
}

func read(t *testing.T, s *parsheet.Sheet) document {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// times multiplies an amount as it is printed, in whole cents.
func times(t *testing.T, amount string, n int64) string {
	t.Helper()
	var units, cents int64
	if _, err := fmt.Sscanf(amount, "%d.%2d", &units, &cents); err != nil {
		t.Fatal(err)
	}
	cents = (100*units + cents) * n
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

// differences compares the JSON of a sheet with what was typed.
func (want expected) differences(t *testing.T, d document) (found []string) {
	t.Helper()
	compare := func(what string, want, got any) {
		if difference := cmp.Diff(want, got, cmp.AllowUnexported(line{}, expectedStake{})); difference != "" {
			found = append(found, fmt.Sprintf("%s: %s", what, difference))
		}
	}
	compare("game", []string{want.game, want.blockSize, want.prizes, want.winOneIn},
		[]string{d.Game, d.BlockSize.String(), d.Prizes.String(), d.WinOneIn})
	if len(d.Stakes) != len(want.stakes) {
		return append(found, fmt.Sprintf("%d stakes, want %d", len(d.Stakes), len(want.stakes)))
	}
	for at, stake := range d.Stakes {
		var parts []string
		for _, part := range stake.Parts {
			parts = append(parts, part.For+" "+part.Amount)
		}
		compare("stake", want.stakes[at], expectedStake{stake.Price, stake.PrizeTotal, stake.BlockPrice, stake.PayoutOfGamePart,
			stake.PayoutOfPrice, parts, stake.OnlyByAdding})
		var lines, typed []line
		for _, tier := range stake.Tiers {
			lines = append(lines, line{tier.Count.String(), tier.Prize, tier.Compositions, tier.SingleReading,
				slices.Contains(stake.OnlyByAdding, tier.Prize)})
			if len(tier.Ways) == 0 {
				found = append(found, "there is no way to "+tier.Prize)
			}
		}
		for _, tier := range want.tiers {
			tier.prize = times(t, tier.prize, want.factors[at])
			typed = append(typed, tier)
		}
		compare("tiers at "+stake.Price, typed, lines)
	}
	return found
}

func TestSheets(t *testing.T) {
	for _, want := range []expected{pieceDor, preciusAurus} {
		t.Run(want.game, func(t *testing.T) {
			s := sheet(t, want.game)
			for _, difference := range want.differences(t, read(t, s)) {
				t.Error(difference)
			}
			// The twin: a figure that is off by the least is seen, whichever it is.
			for name, spoil := range map[string]func(*parsheet.Sheet){
				"prizes":         func(s *parsheet.Sheet) { s.Prizes++ },
				"frequency":      func(s *parsheet.Sheet) { s.WinOneIn = "4.5540" },
				"total":          func(s *parsheet.Sheet) { s.Stakes[0].PrizeTotal++ },
				"payout":         func(s *parsheet.Sheet) { s.Stakes[0].PayoutOfPrice = "70.001" },
				"part":           func(s *parsheet.Sheet) { s.Stakes[0].Parts[0].Amount-- },
				"count":          func(s *parsheet.Sheet) { s.Stakes[0].Tiers[1].Count++ },
				"compositions":   func(s *parsheet.Sheet) { s.Stakes[0].Tiers[1].Compositions++ },
				"single reading": func(s *parsheet.Sheet) { s.Stakes[0].Tiers[0].SingleReading-- },
				"only by adding": func(s *parsheet.Sheet) { s.Stakes[0].ReachableByAddingOnly = s.Stakes[0].ReachableByAddingOnly[1:] },
				"way":            func(s *parsheet.Sheet) { s.Stakes[0].Tiers[2].Ways = nil },
			} {
				twin := copied(t, s)
				spoil(twin)
				if len(want.differences(t, read(t, twin))) == 0 {
					t.Errorf("nobody noticed the twin: %s", name)
				}
			}
		})
	}
}

// One composition of Pièce d'or loses, in 9! / (2! 1! 2! 2! 2!) = 22 680 orders, and none of them
// holds a clover.
func TestLosingUnitsOfPieceDor(t *testing.T) {
	s := sheet(t, "piece-dor")
	for _, stake := range read(t, s).Stakes {
		losing := stake.Losing
		if losing.Count != "780405" || losing.Compositions != 1 || losing.SingleReading != 1 || losing.Layouts != 22_680 {
			t.Errorf("at %s: %+v", stake.Price, losing)
		}
		if difference := cmp.Diff([]string{"2 or, 1 croix, 2 etoile, 2 couronne, 2 piece-trouee"}, losing.Examples); difference != "" {
			t.Error(difference)
		}
		for _, way := range losing.Ways {
			if way.Wild {
				t.Error("a losing unit holds a clover")
			}
		}
	}
	for _, note := range []string{"no losing layout holds a wild", "exactly one composition loses: 2 or, 1 croix, 2 etoile, 2 couronne, 2 piece-trouee"} {
		if !slices.Contains(s.Notes, note) {
			t.Errorf("%q is not among the notes %q", note, s.Notes)
		}
	}
}

// 150, 20 and 2 € of Precius Aurus are never one line alone, as the other prizes are.
func TestWaysOfPreciusAurus(t *testing.T) {
	for _, tier := range read(t, sheet(t, "precius-aurus")).Stakes[0].Tiers {
		alone := false
		for _, way := range tier.Ways {
			alone = alone || len(way.Gains) == 1 && way.Multiplier == 1
		}
		if sums := slices.Contains([]string{"150.00", "20.00", "2.00"}, tier.Prize); alone == sums {
			t.Errorf("%s is one line alone: %v", tier.Prize, alone)
		}
	}
}

// words are the words of a text, whatever its columns.
func words(text string) string { return " " + strings.Join(strings.Fields(text), " ") + " " }

// The text says what the JSON says: its figures are typed here once more, line by line.
func TestTexts(t *testing.T) {
	for name, lines := range map[string][]string{
		"piece-dor": {
			"block 1000000 units, 219595 prizes, 1 in 4.554",
			"stake 0.50 = piece-dor 0.50 prizes 350000.00 of 500000.00 payout 70.000 % of the game's part, 70.000 % of the price",
			"stake 1.00 = piece-dor 1.00 prizes 700000.00 of 1000000.00 payout 70.000 % of the game's part, 70.000 % of the price",
			"stake 2.00 = piece-dor 2.00 prizes 1400000.00 of 2000000.00 payout 70.000 % of the game's part, 70.000 % of the price",
			"only by adding 7.50", "only by adding 15.00", "only by adding 30.00",
			"1 5000.00 5000.00 1000000.000 2 42 26", "1 250.00 250.00 1000000.000 2 28 1", "32 25.00 800.00 31250.000 2 22 13",
			"26000 7.50 195000.00 38.462 4 20 7", "80 5.00 400.00 12500.000 4 55 34", "46 2.50 115.00 21739.130 3 29 27",
			"103435 1.00 103435.00 9.668 4 79 79", "90000 0.50 45000.00 11.111 2 35 35",
			"780405 losing 1 1 1 22680 losing: 2 or, 1 croix, 2 etoile, 2 couronne, 2 piece-trouee",
			"no losing layout holds a wild",
		},
		"precius-aurus": {
			"block 800000 units, 190052 prizes, 1 in 4.209",
			"stake 1.00 = precius-aurus 0.97 + super-jackpot 0.03 prizes 558720.00 of 800000.00 payout 72.000 % of the game's part, 69.840 % of the price",
			"only by adding 150.00, 20.00, 2.00",
			"3 150.00 450.00 266666.667", "400 20.00 8000.00 2000.000", "77000 2.00 154000.00 10.390", "77570 1.00 77570.00 10.313",
			"609948 losing", "no losing layout holds a wild or a multiplier",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := sheet(t, name)
			var text bytes.Buffer
			if err := s.Write(&text); err != nil {
				t.Fatal(err)
			}
			for _, want := range lines {
				if !strings.Contains(words(text.String()), " "+want) {
					t.Errorf("the text does not say %q", want)
				}
			}
			for at := range s.Stakes {
				if err := s.Stakes[at].WriteWays(&text); err != nil {
					t.Fatal(err)
				}
			}
			golden(t, name+".txt", text.Bytes())
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if difference := cmp.Diff(string(want), string(got)); difference != "" {
		t.Errorf("%s: %s", path, difference)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A sheet that could not be written says so.
func TestAFullDisk(t *testing.T) {
	s := sheet(t, "precius-aurus")
	if s.Write(full{}) == nil || s.Stakes[0].WriteWays(full{}) == nil {
		t.Error("nothing was written, and nobody was told")
	}
}

// What is refused has no sheet.
func TestRefusedDefinitions(t *testing.T) {
	text, err := os.ReadFile("../../games/precius-aurus/game.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new, code string }{
		{"{count: 3, amounts: [150]}", "{count: 3, amounts: [150], cumulative_only: true}", "cumulative_only_untrue"}, // 50 € multiplied by 3
		{"amounts: [150]}", "amounts: [149]}", "tier_unreachable"},
	} {
		spoilt := strings.Replace(string(text), test.old, test.new, 1)
		spoilt = strings.Replace(spoilt, "totals: [558720]", "totals: [558717]", map[bool]int{true: 1}[test.code == "tier_unreachable"])
		definition, err := game.Load("game.yaml", []byte(spoilt))
		if err != nil {
			t.Fatal(err)
		}
		if s, err := parsheet.Of(definition); s != nil || !errors.Is(err, fault.Invalid) || fault.CodeOf(err) != test.code || fault.PlaceOf(err) == "" {
			t.Errorf("%v (%s), want %s with a place", err, fault.CodeOf(err), test.code)
		}
	}
}
