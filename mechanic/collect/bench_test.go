package collect

import (
	"math/rand/v2"
	"testing"

	"github.com/talonlottery/talon/mechanic"
)

// dice is a fixed stream of choices.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1))} }

func (d dice) Below(n uint32) uint32 { return d.Uint32N(n) }

func compiled(tb testing.TB, r rules) *Collect {
	tb.Helper()
	c, err := compile(r)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		compiled(b, pieceDor(1))
	}
}

func BenchmarkPrize(b *testing.B) {
	c := compiled(b, pieceDor(1))
	choose := newDice(7)
	layouts := make([][]byte, 4096)
	for i := range layouts {
		layouts[i] = make([]byte, c.Cells())
		if err := c.LayOut(layouts[i], int(choose.Below(9))-1, choose); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := c.Prize(layouts[i%len(layouts)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkLayOut(b *testing.B) {
	c := compiled(b, pieceDor(1))
	dst := make([]byte, c.Cells())
	for _, bench := range []struct {
		name string
		tier int
	}{{"losing", mechanic.Losing}, {"5000", 0}, {"0.50", 7}} {
		b.Run(bench.name, func(b *testing.B) {
			choose := newDice(3)
			b.ReportAllocs()
			for b.Loop() {
				if err := c.LayOut(dst, bench.tier, choose); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
