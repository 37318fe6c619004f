package evidence

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/talonlottery/talon/games"
)

// every gives each order of m prizes among size units once.
func every(size, m int, visit func(b *Block)) {
	for set := range uint32(1) << size {
		if bits.OnesCount32(set) != m {
			continue
		}
		b := &Block{}
		for i := range size {
			tier := uint8(Lost)
			if set>>i&1 == 1 {
				tier = 0
			}
			b.Tiers = append(b.Tiers, tier)
		}
		visit(b)
	}
}

// moments are mean and covariance over all orders, each as likely.
func moments(samples [][]float64) (mean []float64, covariance [][]float64) {
	k, n := len(samples[0]), float64(len(samples))
	mean, covariance = make([]float64, k), square(k)
	for _, s := range samples {
		for i := range s {
			mean[i] += s[i] / n
		}
	}
	for _, s := range samples {
		for i := range s {
			for j := range s {
				covariance[i][j] += (s[i] - mean[i]) * (s[j] - mean[j]) / n
			}
		}
	}
	return mean, covariance
}

func wins() *class {
	c := &class{label: "wins"}
	c.has[0] = true
	return c
}

// TestMoments holds the means and variances that the tests use to those of all orders of small blocks.
func TestMoments(t *testing.T) {
	for _, of := range []struct{ size, m int }{{9, 3}, {10, 4}, {11, 6}, {12, 2}} {
		var runCounts, halfCounts, lagOne, lagThree, lengths, parts [][]float64
		var r *runs
		var h *halves
		var one, three *serial
		var g *gaps
		var p *positions
		every(of.size, of.m, func(b *Block) {
			r, h, one, three = &runs{class: wins()}, &halves{class: wins()}, &serial{class: wins(), lag: 1}, &serial{class: wins(), lag: 2}
			g = &gaps{class: wins(), bounds: []int{0, 1, 3}, count: make([]float64, 2), mean: make([]float64, 2), covariance: square(2)}
			p = newPositions(wins(), of.size, 3, func(i int) int { return i * 3 / of.size }, false)
			for _, e := range []examiner{r, h, one, three, g, p2{p}} {
				e.add(b, nil)
			}
			runCounts = append(runCounts, []float64{r.count})
			halfCounts = append(halfCounts, []float64{h.count})
			lagOne, lagThree = append(lagOne, []float64{one.count}), append(lagThree, []float64{three.count})
			lengths = append(lengths, slices.Clone(g.count))
			parts = append(parts, slices.Clone(p.counts))
		})
		for name, c := range map[string]struct {
			samples [][]float64
			scored  scored
		}{"runs": {runCounts, r.scored}, "halves": {halfCounts, h.scored}, "serial 1": {lagOne, one.scored}, "serial 2": {lagThree, three.scored}} {
			mean, covariance := moments(c.samples)
			if math.Abs(mean[0]-c.scored.mean) > 1e-9 || math.Abs(covariance[0][0]-c.scored.variance) > 1e-9 {
				t.Errorf("%v, %s: mean %g and variance %g, not %g and %g", of, name, c.scored.mean, c.scored.variance, mean[0], covariance[0][0])
			}
		}
		mean, covariance := moments(lengths)
		for i := range mean {
			for j := range mean {
				if math.Abs(mean[i]-g.mean[i]) > 1e-9 || math.Abs(covariance[i][j]-g.covariance[i][j]) > 1e-9 {
					t.Errorf("%v, gaps: %v %v, not %v %v", of, g.mean, g.covariance, mean, covariance)
				}
			}
		}
		mean, covariance = moments(parts)
		for i := range mean {
			for j := range mean {
				want := -p.weights[i] * p.weights[j] * p.spread
				if i == j {
					want += p.weights[i] * p.spread
				}
				if math.Abs(mean[i]-p.expected*p.weights[i]) > 1e-9 || math.Abs(covariance[i][j]-want) > 1e-9 {
					t.Errorf("%v, positions: %v %v", of, mean, covariance)
				}
			}
		}
	}
}

type p2 struct{ *positions }

func (p2) result() figure { return figure{} }

// TestOverlapMoments goes through all orders of one block against one order of another.
func TestOverlapMoments(t *testing.T) {
	const size, m = 10, 4
	other := &Block{}
	for i := range size {
		tier := uint8(Lost)
		if i%3 == 0 || i == 5 {
			tier = 0
		}
		other.Tiers = append(other.Tiers, tier)
	}
	var counts [][]float64
	var o *overlap
	every(size, m, func(b *Block) {
		o = &overlap{class: wins(), apart: 1}
		o.add(b, []*Block{other})
		counts = append(counts, []float64{o.count})
	})
	mean, covariance := moments(counts)
	if math.Abs(mean[0]-o.mean) > 1e-9 || math.Abs(covariance[0][0]-o.variance) > 1e-9 {
		t.Errorf("%g and %g, not %g and %g", o.mean, o.variance, mean[0], covariance[0][0])
	}
}

// TestCompositions holds the enumeration to the numbers of compositions that two independent programs
// counted from the text of « Pièce d'or » (gains of up to three combinations in the order of the table).
func TestCompositions(t *testing.T) {
	d, err := games.Definition("piece-dor")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := ForGame(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range []int{42, 28, 22, 20, 55, 29, 79, 35, 1} {
		o := &plan.subject.look.outcomes[at]
		if len(o.odds) != want {
			t.Errorf("tier %d: %d compositions, not %d", at, len(o.odds), want)
		}
		for name, odds := range map[string][]float64{"ways": o.wayOdds, "compositions": o.odds, "symbols": o.symbols} {
			sum := 0.0
			for _, chance := range odds {
				sum += chance
			}
			near(t, name, sum, 1, 1e-12)
		}
	}
	// Article 4.4 leaves one losing composition: 2 or, 1 croix, 2 étoiles, 2 couronnes, 2 pièces trouées.
	for code, count := range []float64{2, 1, 2, 2, 2, 0} {
		near(t, "losing symbol", plan.subject.look.outcomes[8].symbols[code], count/9, 1e-12)
	}
}

func TestMirrors(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		want          [][]int
	}{
		{2, 2, [][]int{{0, 1, 2, 3}}},
		{3, 3, [][]int{{0, 2, 6, 8}, {1, 7}, {3, 5}, {4}}},
		{1, 3, [][]int{{0, 2}, {1}}},
	} {
		got := mirrorsOf(c.rows, c.columns)
		for i := range got {
			slices.Sort(got[i])
		}
		if !slices.EqualFunc(got, c.want, slices.Equal[[]int]) {
			t.Errorf("%d × %d: %v", c.rows, c.columns, got)
		}
	}
}
