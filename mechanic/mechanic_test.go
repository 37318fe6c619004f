package mechanic

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/talonlottery/talon/fault"
)

func TestDefaultWeight(t *testing.T) {
	for _, test := range []struct {
		gains      int
		wild       bool
		multiplier int
		want       uint32
	}{
		{1, false, 1, 64}, {1, true, 1, 32}, {1, false, 10, 32}, {1, true, 2, 16},
		{2, false, 1, 16}, {3, false, 1, 4}, {3, true, 1, 2}, {3, true, 2, 1}, {4, true, 2, 1}, {9, true, 2, 1},
		{0, false, 1, 64}, // losing
	} {
		if got := DefaultWeight(test.gains, test.wild, test.multiplier); got != test.want {
			t.Errorf("%d gains, wild %v, × %d: weight %d, not %d", test.gains, test.wild, test.multiplier, got, test.want)
		}
	}
}

// TestPick: each thing is picked by as many choices as it weighs.
func TestPick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Uint32Range(1, 20), 1, 40).Draw(t, "weights")
		var totals []uint32
		total := uint32(0)
		for _, weight := range weights {
			total += weight
			totals = append(totals, total)
		}
		picked := make([]uint32, len(weights))
		for x := range total {
			picked[Pick(totals, x)]++
		}
		for i := range weights {
			if picked[i] != weights[i] {
				t.Fatalf("thing %d of %v is picked %d times", i, weights, picked[i])
			}
		}
	})
}

func TestWords(t *testing.T) {
	symbols := []Symbol{{Name: "or"}, {Name: "croix"}, {Name: "trefle"}}
	if got := Words(symbols, []uint8{2, 0, 1}); got != "2 or, 1 trefle" {
		t.Errorf("%q", got)
	}
}

func TestErrors(t *testing.T) {
	if err := Malformed("cell %d", 3); fault.KindOf(err) != fault.Corrupt || fault.CodeOf(err) != "layout_malformed" {
		t.Error(err)
	}
	if err := NotFound("collect", 2, "why"); fault.KindOf(err) != fault.Internal || fault.CodeOf(err) != "layout_not_found" || fault.NextOf(err) == "" {
		t.Error(err)
	}
}
