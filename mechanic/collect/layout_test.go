package collect

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// TestLayOutReadsBack lays out every tier many times, at every stake: what it shows is its prize,
// and the same choices show the same.
func TestLayOutReadsBack(t *testing.T) {
	const each = 3000
	for stake := range 3 {
		c := pieceDorAt(t, stake)
		reached := map[string]int{}
		for tier := mechanic.Losing; tier < len(c.tiers); tier++ {
			want := money.Amount(0)
			if tier != mechanic.Losing {
				want = c.tiers[tier].prize
			}
			choose, again := newDice(uint64(tier+2)), newDice(uint64(tier+2))
			layout, twin := make([]byte, 9), make([]byte, 9)
			for range each {
				if err := c.LayOut(layout, tier, choose); err != nil {
					t.Fatal(err)
				}
				if got, err := c.Prize(layout); err != nil || got != want {
					t.Fatalf("tier %d shows %s (%v), not %s: %v", tier, got, err, want, hand(c, layout))
				}
				if err := c.LayOut(twin, tier, again); err != nil || !bytes.Equal(twin, layout) {
					t.Fatalf("the same choices show %v and %v (%v)", layout, twin, err)
				}
				if tier == mechanic.Losing && slices.Contains(layout, byte(c.rules.wild)) {
					t.Fatalf("a losing layout holds a clover: %v", hand(c, layout))
				}
				reached[wayOf(t, c, layout)]++
			}
		}
		ways := len(c.losing.ways)
		for _, o := range c.tiers {
			ways += len(o.ways)
		}
		if len(reached) != ways {
			t.Errorf("%d of %d ways were laid out: %v", len(reached), ways, reached)
		}
	}
}

// wayOf names the way of a layout by what Read says about it.
func wayOf(t *testing.T, c *Collect, layout []byte) string {
	t.Helper()
	r, err := c.Read(layout)
	if err != nil {
		t.Fatal(err)
	}
	name := []byte{'-'}
	if c.rules.wild != none && bytes.IndexByte(layout, byte(c.rules.wild)) >= 0 {
		name[0] = 'w'
	}
	for _, g := range r.Gains {
		name = append(name, byte('0'+g.Combination))
	}
	return string(name)
}

// recorder remembers what it was asked, and always answers with the last possibility.
type recorder struct{ asked []uint32 }

func (r *recorder) Below(n uint32) uint32 {
	r.asked = append(r.asked, n)
	return n - 1
}

// TestLayOutChoices holds LayOut to the choices that the package documentation states: other
// implementations follow it.
func TestLayOutChoices(t *testing.T) {
	c := pieceDorAt(t, 0)
	layout := make([]byte, 9)
	var r recorder
	if err := c.LayOut(layout, mechanic.Losing, &r); err != nil {
		t.Fatal(err)
	}
	// One way of weight 64, one composition of 22 680 orders, then a shuffle from the last cell down.
	if diff := cmp.Diff([]uint32{64, 22680, 9, 8, 7, 6, 5, 4, 3, 2}, r.asked); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	// Always the last possibility: nothing is swapped.
	if diff := cmp.Diff([]byte{0, 0, 1, 2, 2, 3, 3, 4, 4}, layout); diff != "" {
		t.Errorf("layout (-want +got):\n%s", diff)
	}
}

func TestLayOutRefuses(t *testing.T) {
	r := pieceDor(1)
	r.tiers = append(r.tiers, amount("0.10", 1)) // nothing makes it
	c := compiled(t, r)
	for name, try := range map[string]func() error{
		"a tier beyond the table": func() error { return c.LayOut(make([]byte, 9), 9, newDice(1)) },
		"a tier below losing":     func() error { return c.LayOut(make([]byte, 9), -2, newDice(1)) },
		"a place too small":       func() error { return c.LayOut(make([]byte, 8), 0, newDice(1)) },
		"a tier without layouts":  func() error { return c.LayOut(make([]byte, 9), 8, newDice(1)) },
	} {
		if err := try(); fault.CodeOf(err) != "layout_not_found" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNothingAllocates keeps reading and laying out free of allocations.
func TestNothingAllocates(t *testing.T) {
	c := pieceDorAt(t, 0)
	layout := make([]byte, 9)
	var choose mechanic.Chooser = newDice(1)
	counts := make([]uint32, len(c.Combinations()))
	if n := testing.AllocsPerRun(100, func() {
		_ = c.LayOut(layout, 3, choose)
		_, _ = c.Prize(layout)
		_ = c.OneShort(layout, counts)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestOneShort(t *testing.T) {
	c := pieceDorAt(t, 0)
	// Combinations: or³ 0, croix²or² 1, croix³ 2, croix²étoile² 3, étoile³ 4, couronne³ 5, pièce³ 6.
	for _, test := range []struct {
		layout []byte
		want   []uint32
	}{
		// The one losing composition, 2 or, 1 croix, 2 of each other: all but croix³ lack one symbol.
		{[]byte{0, 0, 1, 2, 2, 3, 3, 4, 4}, []uint32{1, 1, 0, 1, 1, 1, 1}},
		{[]byte{4, 4, 4, 4, 4, 4, 4, 4, 4}, []uint32{0, 0, 0, 0, 0, 0, 0}},
		{[]byte{4, 4, 4, 4, 4, 4, 4, 4, 5}, []uint32{0, 0, 0, 0, 0, 0, 0}},
		{[]byte{4, 4, 4, 4, 4, 4, 4, 0, 5}, []uint32{1, 0, 0, 0, 0, 0, 0}}, // one or and the clover
	} {
		got := make([]uint32, 7)
		if err := c.OneShort(test.layout, got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", hand(c, test.layout), diff)
		}
	}
	if err := c.OneShort([]byte{1}, make([]uint32, 7)); fault.CodeOf(err) != "layout_malformed" {
		t.Errorf("a malformed layout: %v", err)
	}
}

// FuzzPrize: whatever the bytes, Prize answers or says that they are malformed, and Read agrees.
func FuzzPrize(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 2, 3, 3, 4, 4})
	f.Add([]byte{5, 5, 1, 2, 2, 3, 3, 4, 4})
	f.Add([]byte{0, 0, 1, 2, 2, 3, 3, 4, 255})
	f.Add([]byte{})
	c := compiled(f, pieceDor(1))
	f.Fuzz(func(t *testing.T, layout []byte) {
		prize, err := c.Prize(layout)
		reading, readErr := c.Read(layout)
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
