package evidence

import (
	"cmp"
	"math"
	"slices"
)

// expectedLeast is the smallest expected count of a cell in a chi-square test; what is rarer is merged
// before anything is dealt.
const expectedLeast = 5

// merge puts things of known weights (summing to one) together, rarest first, until each group has at
// least the given weight. It gives the group of each thing, and the weights of the groups.
func merge(weights []float64, least float64) (groupOf []int, merged []float64) {
	order := make([]int, len(weights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weights[a], weights[b]) })
	groupOf = make([]int, len(weights))
	full := true
	for _, thing := range order {
		if full {
			merged = append(merged, 0)
		}
		groupOf[thing] = len(merged) - 1
		merged[len(merged)-1] += weights[thing]
		full = merged[len(merged)-1] >= least
	}
	if !full && len(merged) > 1 { // cannot be but by rounding: weights ascend
		last := len(merged) - 1
		merged[last-1] += merged[last]
		merged = merged[:last]
		for i := range groupOf {
			groupOf[i] = min(groupOf[i], last-1)
		}
	}
	return groupOf, merged
}

// pairWeight is the least weight of groups whose pairs are counted: n pairs, both groups the rarest, are
// still expected often enough.
func pairWeight(n float64) float64 { return math.Sqrt(expectedLeast / n) }

// table counts pairs of a row and a column.
type table struct {
	rows, columns int
	counts        []float64
}

func newTable(rows, columns int) *table {
	return &table{rows: rows, columns: columns, counts: make([]float64, rows*columns)}
}

func (t *table) add(row, column int) { t.counts[row*t.columns+column]++ }

// independence is Pearson's statistic against independence of rows and columns, given the margins.
func (t *table) independence() float64 {
	rows, columns, all := make([]float64, t.rows), make([]float64, t.columns), 0.0
	for r := range t.rows {
		for c := range t.columns {
			n := t.counts[r*t.columns+c]
			rows[r] += n
			columns[c] += n
			all += n
		}
	}
	x := 0.0
	for r := range t.rows {
		for c := range t.columns {
			if expected := rows[r] * columns[c] / all; expected > 0 {
				off := t.counts[r*t.columns+c] - expected
				x += off * off / expected
			}
		}
	}
	return x
}

// degrees of freedom of independence.
func (t *table) degrees() int { return (t.rows - 1) * (t.columns - 1) }

func (t *table) figure() figure {
	x := t.independence()
	return figure{x, chiSquareTail(x, t.degrees())}
}

// against is Pearson's statistic of counts against weights that sum to one.
func against(counts, weights []float64) float64 {
	all := 0.0
	for _, n := range counts {
		all += n
	}
	x := 0.0
	for i, weight := range weights {
		if expected := all * weight; expected > 0 {
			x += (counts[i] - expected) * (counts[i] - expected) / expected
		}
	}
	return x
}

// quadratic is d' C⁻¹ d for a positive definite C, by its Cholesky factor. It changes C.
func quadratic(c [][]float64, d []float64) float64 {
	n := len(d)
	x := 0.0
	solved := make([]float64, n)
	for i := range n {
		for j := range i + 1 {
			sum := c[i][j]
			for k := range j {
				sum -= c[i][k] * c[j][k]
			}
			if i == j {
				c[i][i] = math.Sqrt(sum)
			} else {
				c[i][j] = sum / c[j][j]
			}
		}
		sum := d[i]
		for k := range i {
			sum -= c[i][k] * solved[k]
		}
		solved[i] = sum / c[i][i]
		x += solved[i] * solved[i]
	}
	return x
}
