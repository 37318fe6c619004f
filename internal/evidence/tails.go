package evidence

import "math"

// chiSquareTail is the probability that a chi-square variable is at least x: the regularised upper
// incomplete gamma function Q(degrees/2, x/2), by its series below the mean and by its continued fraction
// above it (Abramowitz and Stegun, 6.5.29 and 6.5.31; the fraction by Lentz's method).
func chiSquareTail(x float64, degrees int) float64 {
	if degrees <= 0 || x <= 0 {
		return 1
	}
	a, y := float64(degrees)/2, x/2
	logGamma, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(y) - y - logGamma)
	if y < a+1 {
		return max(0, 1-front*lowerSeries(a, y))
	}
	return front * upperFraction(a, y)
}

// stepsMost ends the expansions; they take about a multiple of the root of their argument.
const stepsMost = 1_000_000

func lowerSeries(a, y float64) float64 {
	term := 1 / a
	sum := term
	for n := 1; n < stepsMost && term > sum*1e-17; n++ {
		term *= y / (a + float64(n))
		sum += term
	}
	return sum
}

func upperFraction(a, y float64) float64 {
	const tiny = 1e-300
	b := y + 1 - a
	c, d := 1/tiny, 1/b
	h := d
	for n := 1; n < stepsMost; n++ {
		k := float64(n)
		numerator := k * (a - k)
		b += 2
		d = numerator*d + b
		if math.Abs(d) < tiny {
			d = tiny
		}
		c = b + numerator/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		change := d * c
		h *= change
		if math.Abs(change-1) < 1e-15 {
			break
		}
	}
	return h
}

// normalTails is the probability that a standard normal variable is at least as far from zero.
func normalTails(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// binomialTails is twice the smaller of P(X ≤ k) and P(X ≥ k), at most 1, for n trials of probability p.
// Tails are summed outwards from k until a term no longer counts.
func binomialTails(k, n int, p float64) float64 {
	switch {
	case n == 0 || p <= 0 && k == 0 || p >= 1 && k == n:
		return 1
	case p <= 0 || p >= 1:
		return 0
	}
	at := math.Exp(logBinomial(k, n, p))
	odds := p / (1 - p)
	below, above := at, at
	for j, term := k, at; j > 0 && term > below*1e-17; j-- {
		term *= float64(j) / (float64(n-j+1) * odds)
		below += term
	}
	for j, term := k, at; j < n && term > above*1e-17; j++ {
		term *= float64(n-j) * odds / float64(j+1)
		above += term
	}
	return min(1, 2*min(below, above))
}

func logBinomial(k, n int, p float64) float64 {
	all, _ := math.Lgamma(float64(n) + 1)
	chosen, _ := math.Lgamma(float64(k) + 1)
	rest, _ := math.Lgamma(float64(n-k) + 1)
	return all - chosen - rest + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p)
}

// hypergeometric is the distribution of how many of m marked units lie among the first half of size
// units, in a random order.
func hypergeometric(size, m, half int) []float64 {
	// Units are drawn one after the other: chances[k] after j draws, k of them in the half.
	chances := make([]float64, m+1)
	chances[0] = 1
	for j := range m {
		left := float64(size - j)
		for k := j + 1; k >= 0; k-- {
			out := float64(size - half - (j - k))
			chances[k] *= max(0, out) / left
			if k > 0 {
				chances[k] += chances[k-1] * max(0, float64(half-(k-1))) / left
			}
		}
	}
	return chances
}

// convolve is the distribution of the sum of two independent counts.
func convolve(a, b []float64) []float64 {
	sum := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		for j, y := range b {
			sum[i+j] += x * y
		}
	}
	return sum
}

// tailsOf is twice the smaller tail of a distribution at k, at most 1.
func tailsOf(chances []float64, k int) float64 {
	below, above := 0.0, 0.0
	for i, chance := range chances {
		if i <= k {
			below += chance
		}
		if i >= k {
			above += chance
		}
	}
	return min(1, 2*min(below, above))
}

// smallest gives the probability of the least of several p-values, whatever depends on what: that many
// times the least (Bonferroni). The statistic is the one that it belongs to.
func smallest(figures []figure) figure {
	least := figure{p: 1}
	for i, f := range figures {
		if i == 0 || f.p < least.p {
			least = f
		}
	}
	least.p = min(1, least.p*float64(len(figures)))
	return least
}
