package collect

import (
	"slices"
	"testing"

	"github.com/talonlottery/talon/mechanic"
)

// TestTieBreak checks, on every composition, that no reading beats the one that is paid by the order
// that the package documentation states.
func TestTieBreak(t *testing.T) {
	c := pieceDorAt(t, 0)
	ties := map[string]int{}
	everyLayout(t, c, slowReader{}, func(layout []byte, _ int, _ map[int]bool) {
		readings, err := c.Readings(layout)
		if err != nil {
			t.Fatal(err)
		}
		best, err := c.Read(layout)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range readings {
			decided, first := inOrder(c, layout, best, other)
			if !first {
				t.Fatalf("%v: %+v is paid, but %+v comes first by %s", hand(c, layout), best, other, decided)
			}
			ties[decided]++
		}
	})
	t.Log(ties)
}

// inOrder says whether a comes first, or is the same, and what decided.
func inOrder(c *Collect, layout []byte, a, b mechanic.Reading) (decided string, first bool) {
	wild := func(r mechanic.Reading) bool {
		return slices.ContainsFunc(r.Gains, func(g mechanic.Gain) bool { return g.WildCell >= 0 })
	}
	combinations := func(r mechanic.Reading) (list []int) {
		for _, g := range r.Gains {
			list = append(list, g.Combination)
		}
		return list
	}
	switch {
	case a.Prize != b.Prize:
		return "prize", a.Prize > b.Prize
	case len(a.Gains) != len(b.Gains):
		return "number of gains", len(a.Gains) < len(b.Gains)
	case wild(a) != wild(b):
		return "wild", !wild(a)
	case !slices.Equal(combinations(a), combinations(b)):
		return "combinations", slices.Compare(combinations(a), combinations(b)) < 0
	default:
		return "wild's symbol", slices.Compare(standIns(c, layout, a), standIns(c, layout, b)) <= 0
	}
}

// standIns lists, a gain, the code that the wild stands in for, or -1.
func standIns(c *Collect, layout []byte, r mechanic.Reading) (list []int) {
	for _, g := range r.Gains {
		code := -1
		if g.WildCell >= 0 {
			lacking := slices.Clone(c.Combinations()[g.Combination].Symbols)
			for _, cell := range g.Cells {
				if at := slices.Index(lacking, layout[cell]); at >= 0 {
					lacking = slices.Delete(lacking, at, at+1)
				}
			}
			code = int(lacking[0])
		}
		list = append(list, code)
	}
	return list
}

// TestTieBreakByNumberOfGains: « Pièce d'or » has no such tie, the small game has one.
func TestTieBreakByNumberOfGains(t *testing.T) {
	c := compiled(t, smallGame())
	r, err := c.Read([]byte{0, 0, 1, 1}) // a a + b b = 1 + 2, a b b = 3
	if err != nil || len(r.Gains) != 1 || r.Gains[0].Combination != 2 || r.Prize != c.tiers[1].prize {
		t.Errorf("%+v, %v", r, err)
	}
}
