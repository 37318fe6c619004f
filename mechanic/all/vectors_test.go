package all_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/mechanic/all"
)

// replay answers as a vector says, and holds what it is asked to what the vector was asked.
type replay struct {
	t       *testing.T
	name    string
	choices [][2]uint32
	at      int
}

func (r *replay) Below(n uint32) uint32 {
	if r.at == len(r.choices) {
		r.t.Fatalf("%s: a choice among %d after the last", r.name, n)
	}
	choice := r.choices[r.at]
	if choice[0] != n {
		r.t.Fatalf("%s: choice %d is among %d, not %d", r.name, r.at, n, choice[0])
	}
	r.at++
	return choice[1]
}

// TestLayoutsOfSecondImplementation lays out the units that mechanic/testdata/layouts.py laid out,
// written in another language from the documentation: the same choices, the same layouts.
// The vectors never change: a block that was dealt must open to the same layouts for ever.
func TestLayoutsOfSecondImplementation(t *testing.T) {
	data, err := os.ReadFile("../testdata/layouts.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Game    string
		Tier    int
		Choices [][2]uint32
		Layout  string
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	mechanics := map[string]mechanic.Mechanic{}
	for i, vector := range vectors {
		m := mechanics[vector.Game]
		if m == nil {
			d, err := games.Definition(vector.Game)
			if err != nil {
				t.Fatal(err)
			}
			if m, err = all.New(d, 0); err != nil {
				t.Fatal(err)
			}
			mechanics[vector.Game] = m
		}
		name := fmt.Sprintf("vector %d, %s, tier %d", i, vector.Game, vector.Tier)
		layout := make([]byte, m.Cells())
		choose := &replay{t: t, name: name, choices: vector.Choices}
		if err := m.LayOut(layout, vector.Tier, choose); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := hex.EncodeToString(layout); got != vector.Layout || choose.at != len(vector.Choices) {
			t.Errorf("%s: %s after %d choices, not %s after %d", name, got, choose.at, vector.Layout, len(vector.Choices))
		}
	}
	if len(vectors) < 400 {
		t.Errorf("only %d vectors", len(vectors))
	}
}
