package lines

import (
	"testing"

	"github.com/talonlottery/talon/mechanic"
)

func compiled(tb testing.TB, r rules) *Lines {
	tb.Helper()
	l, err := compile(r)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// block lays out units as a block of « Precius Aurus » holds them: about one in four wins.
func block(tb testing.TB, l *Lines, n int) [][]byte {
	choose := newDice(7)
	layouts := make([][]byte, n)
	for i := range layouts {
		tier := mechanic.Losing
		if choose.Below(100) < 24 {
			tier = len(l.tiers) - 1 - int(choose.Below(4))
		}
		layouts[i] = make([]byte, l.Cells())
		if err := l.LayOut(layouts[i], tier, choose); err != nil {
			tb.Fatal(err)
		}
	}
	return layouts
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		compiled(b, preciusAurus())
	}
}

func BenchmarkPrize(b *testing.B) {
	l := compiled(b, preciusAurus())
	layouts := block(b, l, 4096)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := l.Prize(layouts[i%len(layouts)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkLayOut(b *testing.B) {
	l := compiled(b, preciusAurus())
	dst := make([]byte, l.Cells())
	for _, bench := range []struct {
		name string
		tier int
	}{{"losing", mechanic.Losing}, {"10000", 0}, {"10", 8}, {"1", 11}} {
		b.Run(bench.name, func(b *testing.B) {
			choose := newDice(3)
			b.ReportAllocs()
			for b.Loop() {
				if err := l.LayOut(dst, bench.tier, choose); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
