package lines

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// TestLayOutReadsBack lays out every tier many times: what it shows is its prize, the same choices
// show the same, and losing units hold neither wild nor multiplier.
func TestLayOutReadsBack(t *testing.T) {
	const each = 5000
	l := preciusAurusGame(t)
	for tier := mechanic.Losing; tier < len(l.tiers); tier++ {
		want := money.Amount(0)
		if tier != mechanic.Losing {
			want = l.tiers[tier].prize
		}
		choose, again := newDice(uint64(tier+2)), newDice(uint64(tier+2))
		layout, twin := make([]byte, 16), make([]byte, 16)
		for range each {
			if err := l.LayOut(layout, tier, choose); err != nil {
				t.Fatal(err)
			}
			if got, err := l.Prize(layout); err != nil || got != want {
				t.Fatalf("tier %d shows %s (%v), not %s: %v", tier, got, err, want, layout)
			}
			if err := l.LayOut(twin, tier, again); err != nil || !bytes.Equal(twin, layout) {
				t.Fatalf("the same choices show %v and %v (%v)", layout, twin, err)
			}
			for _, code := range layout {
				if tier == mechanic.Losing && l.Symbols()[code].Role != mechanic.Paying {
					t.Fatalf("a losing layout holds %s", l.Symbols()[code].Name)
				}
			}
		}
	}
}

// TestPreciusAurusProof compares what is derived with what the regulation leaves to derive: 150, 20
// and 2 € come from adding or multiplying only (article 5.3 has no such gain).
func TestPreciusAurusProof(t *testing.T) {
	proof, err := preciusAurusGame(t).Prove()
	if err != nil {
		t.Fatal(err)
	}
	var cumulative []string
	for _, tier := range proof.Tiers {
		if tier.CumulativeOnly {
			cumulative = append(cumulative, tier.Prize.String())
		}
		if len(tier.Ways) == 0 || tier.Layouts <= 0 {
			t.Errorf("%s: %d ways, %d layouts", tier.Prize, len(tier.Ways), tier.Layouts)
		}
	}
	if diff := cmp.Diff([]string{"150.00", "20.00", "2.00"}, cumulative); diff != "" {
		t.Errorf("cumulative only (-want +got):\n%s", diff)
	}
	// Grids of nine symbols with a given line of four alike: 9·9^12 of 9^16. Ten lines bound the
	// winning grids from above; pairs of lines, alike in 9^9 or 9^2·9^8 grids at most, from below.
	all, one, pair := power(9, 16), power(9, 13), power(9, 10)
	if n := proof.Losing.Layouts; n < all-10*one || n > all-10*one+45*pair {
		t.Errorf("%d losing layouts are not between the bounds", n)
	}
}

func power(base, exponent int64) int64 {
	n := int64(1)
	for range exponent {
		n *= base
	}
	return n
}

// recorder remembers what it was asked.
type recorder struct {
	dice
	asked []uint32
}

func (r *recorder) Below(n uint32) uint32 {
	r.asked = append(r.asked, n)
	return r.dice.Below(n)
}

// TestLayOutChoices holds LayOut to the choices that the package documentation states: other
// implementations follow it.
func TestLayOutChoices(t *testing.T) {
	l := preciusAurusGame(t)
	layout := make([]byte, 16)
	r := recorder{dice: newDice(4)}
	if err := l.LayOut(layout, mechanic.Losing, &r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(repeat(nil, 9, 16), r.asked); diff != "" {
		t.Errorf("losing: choices (-want +got):\n%s", diff)
	}
	// 1 €: one ham, weight 64, or with the wild, 32. Ten lines, each with twelve free cells; with the
	// wild, each of the four cells of each line.
	for seed := range uint64(20) {
		r := recorder{dice: newDice(seed)}
		if err := l.LayOut(layout, len(l.tiers)-1, &r); err != nil {
			t.Fatal(err)
		}
		want := []uint32{96, 10}
		if bytes.IndexByte(layout, byte(l.rules.wild)) >= 0 {
			want[1] = 40
		}
		want = repeat(want, 9, 12)
		if len(r.asked) > len(want) { // an attempt that let a further line win: the placement again
			want = repeat(append(want, want[1]), 9, 12)
		}
		if diff := cmp.Diff(want, r.asked); diff != "" {
			t.Errorf("1 €: choices (-want +got):\n%s", diff)
		}
	}
}

func repeat(list []uint32, n uint32, times int) []uint32 {
	for range times {
		list = append(list, n)
	}
	return list
}

// stubborn always answers with the first possibility: all cells alike, so that every attempt at a
// losing unit wins.
type stubborn struct{}

func (stubborn) Below(uint32) uint32 { return 0 }

func TestLayOutRefuses(t *testing.T) {
	r := preciusAurus()
	r.tiers = append(r.tiers, amount("0.10")) // nothing makes it
	l := compiled(t, r)
	for name, try := range map[string]func() error{
		"a tier beyond the table": func() error { return l.LayOut(make([]byte, 16), 13, newDice(1)) },
		"a tier below losing":     func() error { return l.LayOut(make([]byte, 16), -2, newDice(1)) },
		"a place too small":       func() error { return l.LayOut(make([]byte, 15), 0, newDice(1)) },
		"a tier without layouts":  func() error { return l.LayOut(make([]byte, 16), 12, newDice(1)) },
		"an endless search":       func() error { return l.LayOut(make([]byte, 16), mechanic.Losing, stubborn{}) },
		"an endless winner":       func() error { return l.LayOut(make([]byte, 16), 0, stubborn{}) },
	} {
		if err := try(); fault.CodeOf(err) != "layout_not_found" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNothingAllocates keeps reading and laying out free of allocations.
func TestNothingAllocates(t *testing.T) {
	l := preciusAurusGame(t)
	layout := make([]byte, 16)
	var choose mechanic.Chooser = newDice(1)
	counts := make([]uint32, len(l.Combinations()))
	if n := testing.AllocsPerRun(100, func() {
		for tier := mechanic.Losing; tier < len(l.tiers); tier++ {
			_ = l.LayOut(layout, tier, choose)
			_, _ = l.Prize(layout)
			_ = l.OneShort(layout, counts)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestOneShort(t *testing.T) {
	l := preciusAurusGame(t)
	const a, b, w = 0, 1, 9
	fill := []byte{2, 3, 4, 5, 6, 7, 8, 2, 3, 4, 5, 6, 7, 8, 2, 3}
	for name, test := range map[string]struct {
		row  []byte
		want []uint32
	}{
		"three alike":                   {[]byte{a, a, a, b}, []uint32{1, 0, 0, 0, 0, 0, 0, 0, 0}},
		"two alike and a wild":          {[]byte{a, a, w, b}, []uint32{1, 0, 0, 0, 0, 0, 0, 0, 0}},
		"two alike and two wilds":       {[]byte{a, a, w, w}, []uint32{1, 0, 0, 0, 0, 0, 0, 0, 0}},
		"two alike":                     {[]byte{a, a, b, b}, make([]uint32, 9)},
		"a winning line is not short":   {[]byte{a, a, a, w}, make([]uint32, 9)},
		"one symbol and three wilds":    {[]byte{a, w, w, w}, make([]uint32, 9)},
		"nothing but what stands there": {[]byte{2, 3, 4, 5}, make([]uint32, 9)},
	} {
		layout := append(bytes.Clone(test.row), fill[4:]...)
		got := make([]uint32, 9)
		if err := l.OneShort(layout, got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// FuzzPrize: whatever the bytes, Prize answers or says that they are malformed, and Read agrees.
func FuzzPrize(f *testing.F) {
	f.Add([]byte{0, 0, 0, 9, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4})
	f.Add([]byte{0, 0, 0, 0, 10, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4})
	f.Add([]byte{0, 1, 0, 0, 10, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 255})
	f.Add([]byte{})
	l := compiled(f, preciusAurus())
	f.Fuzz(func(t *testing.T, layout []byte) {
		prize, err := l.Prize(layout)
		reading, readErr := l.Read(layout)
		switch {
		case (err == nil) != (readErr == nil):
			t.Fatalf("Prize: %v, Read: %v", err, readErr)
		case err != nil && (fault.KindOf(err) != fault.Corrupt || fault.CodeOf(err) != "layout_malformed"):
			t.Fatalf("an unexpected error: %v", err)
		case err == nil && reading.Prize != prize:
			t.Fatalf("Prize %s, Read %s", prize, reading.Prize)
		}
	})
}
