package evidence

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > relative*math.Abs(want) {
		t.Errorf("%s: %.17g, not %.17g", what, got, want)
	}
}

// TestChiSquareTail compares with the critical values of printed tables (NIST/SEMATECH e-Handbook,
// 1.3.6.7.4), which have three decimals.
func TestChiSquareTail(t *testing.T) {
	for _, c := range []struct {
		degrees int
		x, p    float64
	}{
		{1, 2.706, 0.10}, {1, 3.841, 0.05}, {1, 6.635, 0.01}, {1, 10.828, 0.001},
		{2, 5.991, 0.05}, {3, 16.266, 0.001}, {10, 18.307, 0.05}, {10, 29.588, 0.001},
		{50, 67.505, 0.05}, {99, 123.225, 0.05}, {100, 124.342, 0.05}, {100, 149.449, 0.001},
	} {
		near(t, "tail", chiSquareTail(c.x, c.degrees), c.p, 0.001)
	}
	if chiSquareTail(0, 5) != 1 || chiSquareTail(5, 0) != 1 {
		t.Error("no statistic, or no degree of freedom, is no evidence")
	}
}

// TestChiSquareTailClosed compares with the closed form for even degrees, e^(−x/2) Σ (x/2)^j / j!, in
// numbers of 300 bits but for the exponential.
func TestChiSquareTailClosed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		half := rapid.IntRange(1, 150).Draw(t, "half")
		y := float64(half) * rapid.Float64Range(0.1, 4).Draw(t, "times")
		sum, term := new(big.Float).SetPrec(300), new(big.Float).SetPrec(300).SetInt64(1)
		for j := 1; j <= half; j++ {
			sum.Add(sum, term)
			term.Mul(term, big.NewFloat(y))
			term.Quo(term, new(big.Float).SetInt64(int64(j)))
		}
		value, _ := sum.Float64()
		want := math.Exp(math.Log(value) - y)
		if got := chiSquareTail(2*y, 2*half); math.Abs(got-want) > 1e-10*want+1e-15 {
			t.Errorf("%g at %d degrees: %.17g, not %.17g", 2*y, 2*half, got, want)
		}
	})
}

// TestNormalTails compares with printed quantiles, and with a chi-square of one degree.
func TestNormalTails(t *testing.T) {
	near(t, "5 %", normalTails(1.959963984540054), 0.05, 1e-12)
	near(t, "1 %", normalTails(-2.5758293035489004), 0.01, 1e-12)
	near(t, "0.1 %", normalTails(3.2905267314919255), 0.001, 1e-12)
	for _, z := range []float64{0.1, 1, 2.5, 4, 7} {
		near(t, "square", normalTails(z), chiSquareTail(z*z, 1), 1e-9)
	}
}

// TestBinomialTails compares with sums of exact fractions.
func TestBinomialTails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, of := rapid.Int64Range(1, 60).Draw(t, "n"), rapid.Int64Range(2, 1000).Draw(t, "of")
		one := rapid.Int64Range(1, of-1).Draw(t, "one")
		k := rapid.Int64Range(0, n).Draw(t, "k")
		below, above := new(big.Rat), new(big.Rat)
		for j := range n + 1 {
			// C(n, j) one^j (of−one)^(n−j) / of^n
			numerator := new(big.Int).Binomial(n, j)
			numerator.Mul(numerator, new(big.Int).Exp(big.NewInt(one), big.NewInt(j), nil))
			numerator.Mul(numerator, new(big.Int).Exp(big.NewInt(of-one), big.NewInt(n-j), nil))
			chance := new(big.Rat).SetFrac(numerator, new(big.Int).Exp(big.NewInt(of), big.NewInt(n), nil))
			if j <= k {
				below.Add(below, chance)
			}
			if j >= k {
				above.Add(above, chance)
			}
		}
		b, _ := below.Float64()
		a, _ := above.Float64()
		want := min(1, 2*min(a, b))
		if got := binomialTails(int(k), int(n), float64(one)/float64(of)); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%d of %d at %d/%d: %.17g, not %.17g", k, n, one, of, got, want)
		}
	})
	if binomialTails(0, 0, 0.5) != 1 || binomialTails(0, 9, 0) != 1 || binomialTails(1, 9, 0) != 0 || binomialTails(9, 9, 1) != 1 {
		t.Error("certain outcomes")
	}
	// Where the mean is tiny the exact value is 1 − e^(−λ) but for terms of n⁻¹: one win in ten millions of chance 10⁻¹⁰.
	near(t, "far", binomialTails(1, 10_000_000, 1e-10), 2*(1-math.Exp(-1e-3)), 1e-6)
}

// TestHypergeometric compares with C(half, k) C(size−half, m−k) / C(size, m).
func TestHypergeometric(t *testing.T) {
	for _, c := range [][3]int64{{10, 4, 5}, {11, 4, 5}, {9, 9, 4}, {1000, 34, 500}, {7, 1, 3}} {
		got := hypergeometric(int(c[0]), int(c[1]), int(c[2]))
		for k := range c[1] + 1 {
			ways := new(big.Int).Mul(new(big.Int).Binomial(c[2], k), new(big.Int).Binomial(c[0]-c[2], c[1]-k))
			want, _ := new(big.Rat).SetFrac(ways, new(big.Int).Binomial(c[0], c[1])).Float64()
			if math.Abs(got[k]-want) > 1e-12 {
				t.Errorf("%v, %d: %g, not %g", c, k, got[k], want)
			}
		}
	}
	near(t, "all heads, twice", tailsOf(convolve([]float64{0.5, 0.5}, []float64{0.5, 0.5}), 2), 0.5, 1e-15)
}

func TestQuadratic(t *testing.T) {
	// The inverse of {{4, 2}, {2, 3}} is {{3, −2}, {−2, 4}} / 8.
	near(t, "form", quadratic([][]float64{{4, 2}, {2, 3}}, []float64{1, 2}), (3-8+16)/8.0, 1e-14)
}

func TestMerge(t *testing.T) {
	groups, weights := merge([]float64{0.5, 0.01, 0.3, 0.02, 0.17}, 0.025)
	if groups[1] != groups[3] || groups[0] == groups[2] || len(weights) != 4 {
		t.Errorf("%v %v", groups, weights)
	}
	if _, weights := merge([]float64{0.6, 0.4}, 0.7); len(weights) != 1 {
		t.Errorf("%v", weights)
	}
}

// TestJudge follows Holm's example: each p-value has its own level, and nothing is refused after the
// first that stands.
func TestJudge(t *testing.T) {
	part := Part{Results: []Result{{P: 0.0004}, {P: 0.0001}, {P: 0.9}, {P: 0.0006}}}
	r := Judge("seed", part)
	var refused []bool
	for _, result := range r.Parts[0].Results {
		refused = append(refused, result.Refused)
	}
	// Ascending: 0.0001 ≤ 0.001/4, 0.0004 > 0.001/3, and 0.0006 stands though it is below 0.001.
	if refused[0] || !refused[1] || refused[2] || refused[3] || r.Refused != 1 || r.Tests != 4 || r.Least != 0.0001 {
		t.Errorf("%v, %+v", refused, r)
	}
	if r := Judge("seed", Part{Results: []Result{{P: math.NaN()}}}); r.Refused != 1 {
		t.Error("a p-value that is no number was let pass")
	}
	if r := Judge("seed"); r.Refused != 0 {
		t.Error("nothing was refused")
	}
}
