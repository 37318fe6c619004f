package game_test

import (
	"strings"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/money"
)

const invented = `mechanic:
  kind: invented
  cells: 9
  symbols:
    - {name: étoile, paying: true}
    - name: lune
      titles: {fr: lune, en: moon}
  gains: [0.50, 7.5, 10000]
`

type inventedSection struct {
	Kind    string `yaml:"kind"`
	Cells   int    `yaml:"cells"`
	Symbols []struct {
		Name   string     `yaml:"name"`
		Paying bool       `yaml:"paying"`
		Titles *game.Text `yaml:"titles"`
	} `yaml:"symbols"`
	Gains []game.Figure `yaml:"gains"`
}

func inventedGame(t *testing.T, section string) *game.Definition {
	t.Helper()
	before, _, _ := strings.Cut(small, "mechanic:")
	return load(t, before+section)
}

func TestSectionDecode(t *testing.T) {
	d := inventedGame(t, invented)
	var section inventedSection
	if err := d.Mechanic.Decode(&section); err != nil {
		t.Fatal(err)
	}
	want := []game.Figure{game.Figure(5000), game.Figure(75000), game.Figure(10000 * money.Unit)}
	if d.Mechanic.Kind != "invented" || section.Cells != 9 || len(section.Symbols) != 2 || section.Symbols[0].Name != "étoile" ||
		!section.Symbols[0].Paying || section.Symbols[1].Titles.English != "moon" || len(section.Gains) != 3 {
		t.Fatalf("read %+v", section)
	}
	for at, gain := range section.Gains {
		if gain != want[at] {
			t.Errorf("gain %d is %d ten-thousandths, want %d", at, gain, want[at])
		}
	}
}

func TestSectionDecodeRefuses(t *testing.T) {
	for _, test := range []refusal{
		{"unknown key", "cells: 9", "cell: 9", "28:3", "key_unknown", "kind, cells, symbols, gains"},
		{"unknown key within a list", "paying: true", "payng: true", "30:22", "key_unknown", "name, paying, titles"},
		{"text for a number", "cells: 9", "cells: neuf", "28:10", "shape_wrong", "whole number"},
		{"number beyond the reader's", "cells: 9", "cells: 9000000000000000", "28:10", "value_not_plain", ""},
		{"number for a text", "name: lune", "name: 7", "31:13", "shape_wrong", "in quotes"},
		{"text for an amount", "[0.50, 7.5,", "[0.50, x,", "33:17", "amount_malformed", "7.5"},
		{"amount beyond the largest", "10000]", "1000000001]", "33:22", "amount_malformed", "1 000 000 000"},
		{"keys for a list", "gains: [0.50, 7.5, 10000]", "gains: {first: 1}", "33:10", "shape_wrong", "a list"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(invented, test.old) {
				t.Fatalf("nothing to break for %q", test.old)
			}
			before, _, _ := strings.Cut(small, "mechanic:")
			d, err := game.Load("small.yaml", []byte(before+strings.Replace(invented, test.old, test.new, 1)))
			if err == nil {
				err = d.Mechanic.Decode(new(inventedSection))
			}
			checkRefusal(t, err, test)
		})
	}
}

func TestSectionErrorf(t *testing.T) {
	d := inventedGame(t, invented)
	for _, test := range []struct{ path, place string }{
		{"", "27:3"},
		{"cells", "28:10"},
		{"symbols", "30:5"},
		{"symbols[0]", "30:7"},
		{"symbols[0].paying", "30:30"},
		{"symbols[1].name", "31:13"},
		{"symbols[1].titles.en", "32:30"},
		{"gains[2]", "33:22"},
		// what does not exist is placed at the nearest that does
		{"symbols[0].titles.en", "30:7"},
		{"symbols[7].name", "30:5"},
		{"wild.symbol", "27:3"},
		{"cells.more", "28:10"},
		{"symbols[x]", "30:5"},
	} {
		err := d.Mechanic.Errorf(test.path, "some_code", "no %s", "stars")
		if got := err.Error(); got != "small.yaml:"+test.place+": no stars" {
			t.Errorf("%q: %q, want place %s", test.path, got, test.place)
		}
		if fault.CodeOf(err) != "some_code" || fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v %s", test.path, fault.KindOf(err), fault.CodeOf(err))
		}
	}
	if got := fault.PlaceOf(d.File.Errorf("prizes.tiers[1].amounts[1]", "x", "x")); got != "small.yaml:22:33" {
		t.Errorf("in the whole file: %s, want 22:33", got)
	}
}

// A section that was never loaded says so instead of failing.
func TestSectionZero(t *testing.T) {
	var section game.Section
	if err := section.Decode(new(inventedSection)); fault.CodeOf(err) != "shape_wrong" {
		t.Error(err)
	}
	if err := section.Errorf("a[1]", "x", "x"); fault.PlaceOf(err) == "" {
		t.Error(err)
	}
}
