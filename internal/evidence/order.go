package evidence

import (
	"math"
	"strconv"
)

// In which order units with and without a prize follow each other.

// lengthsMost is how many lengths of gaps are told apart at most.
const lengthsMost = 20

// gaps counts the units between successive prizes of a class, the first and the last gap of a block
// included. In a random order of m prizes among N units all m+1 gaps are alike, and the chance that one
// is at least a, and another at least b, is C(N−a−b, m) / C(N, m). Means and covariances follow, and no
// approximation by independent gaps is needed.
type gaps struct {
	class      *class
	bounds     []int // least lengths of the intervals, from 0 on; the last has no end and is left out
	count      []float64
	mean       []float64
	covariance [][]float64
}

func gapTests(s *subject) (tests []planned) {
	for _, c := range s.parts() {
		lengths := int(min(lengthsMost, s.expected(c)/perSlice))
		bounds := gapBounds(c.count/float64(s.size), lengths)
		if lengths < 2 || len(bounds) < 2 || c.count < 2 {
			continue
		}
		g := &gaps{class: c, bounds: bounds}
		k := len(bounds) - 1
		g.count, g.mean, g.covariance = make([]float64, k), make([]float64, k), square(k)
		tests = append(tests, planned{c.label, k, g})
	}
	return tests
}

// gapBounds cuts the lengths into intervals that are about as likely.
func gapBounds(odds float64, lengths int) []int {
	bounds := []int{0}
	if odds <= 0 || odds >= 1 {
		return bounds
	}
	for j := 1; j < lengths; j++ {
		at := int(math.Ceil(math.Log1p(-float64(j)/float64(lengths)) / math.Log1p(-odds)))
		if at > bounds[len(bounds)-1] {
			bounds = append(bounds, at)
		}
	}
	return bounds
}

func square(n int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, n)
	}
	return rows
}

func (g *gaps) add(b *Block, _ []*Block) {
	gap, m := 0, 0
	for _, tier := range b.Tiers {
		if g.class.has[tier] {
			g.tally(gap)
			gap = 0
			m++
			continue
		}
		gap++
	}
	g.tally(gap)
	g.expect(len(b.Tiers), m)
}

func (g *gaps) tally(gap int) {
	for i := len(g.bounds) - 1; i >= 0; i-- {
		if gap >= g.bounds[i] {
			if i < len(g.count) {
				g.count[i]++
			}
			return
		}
	}
}

// expect adds the means and covariances of one block.
func (g *gaps) expect(size, m int) {
	k := len(g.count)
	// survives[a] is the chance that a gap is at least a, or two together are.
	survives := make([]float64, 2*g.bounds[k]+1)
	survives[0] = 1
	for a := 1; a < len(survives); a++ {
		survives[a] = survives[a-1] * max(0, float64(size-m-a+1)) / max(1, float64(size-a+1))
	}
	from := func(i, j int) float64 { return survives[g.bounds[i]+g.bounds[j]] }
	n := float64(m + 1)
	chance := make([]float64, k)
	for i := range k {
		chance[i] = survives[g.bounds[i]] - survives[g.bounds[i+1]]
		g.mean[i] += n * chance[i]
	}
	for i := range k {
		for j := range k {
			both := from(i, j) - from(i+1, j) - from(i, j+1) + from(i+1, j+1)
			g.covariance[i][j] += n*(n-1)*both - n*n*chance[i]*chance[j]
			if i == j {
				g.covariance[i][j] += n * chance[i]
			}
		}
	}
}

func (g *gaps) result() figure {
	off := make([]float64, len(g.count))
	covariance := square(len(g.count))
	for i := range off {
		off[i] = g.count[i] - g.mean[i]
		copy(covariance[i], g.covariance[i])
	}
	x := quadratic(covariance, off)
	return figure{x, chiSquareTail(x, len(off))}
}

// runs counts runs of units with and without a prize.
type runs struct {
	scored
	class *class
}

func runTests(s *subject) []planned {
	if s.expected(&s.all) < 100 {
		return nil
	}
	return []planned{{s.all.label, 0, &runs{class: &s.all}}}
}

func (r *runs) add(b *Block, _ []*Block) {
	m, count := 0.0, 1.0
	for i, tier := range b.Tiers {
		has := r.class.has[tier]
		if has {
			m++
		}
		if i > 0 && has != r.class.has[b.Tiers[i-1]] {
			count++
		}
	}
	size := float64(len(b.Tiers))
	mean := 1 + 2*m*(size-m)/size
	r.score(count, mean, (mean-1)*(mean-2)/(size-1))
}

// serial counts pairs of prizes at a distance, round the block.
type serial struct {
	scored
	class *class
	lag   int
}

// lags are the distances at which patterns of counters, pages and loops would show.
var lags = []int{1, 2, 3, 4, 5, 7, 10, 16, 64, 100, 256, 1000, 1024, 4096, 10_000, 65_536}

func serialTests(s *subject) (tests []planned) {
	for _, lag := range lags {
		if 4*lag < s.size && s.expected(&s.all)*s.all.count/float64(s.size) >= 100 {
			tests = append(tests, planned{"distance " + strconv.Itoa(lag), 0, &serial{class: &s.all, lag: lag}})
		}
	}
	return tests
}

func (s *serial) add(b *Block, _ []*Block) {
	m, count := 0, 0.0
	size := len(b.Tiers)
	other := s.lag
	for _, tier := range b.Tiers {
		if s.class.has[tier] {
			m++
			if s.class.has[b.Tiers[other]] {
				count++
			}
		}
		if other++; other == size {
			other = 0
		}
	}
	// Of the N² pairs of pairs, N are one pair twice, 2N share a unit and the others share none.
	n := float64(size)
	together := func(units int) float64 {
		chance := 1.0
		for i := range units {
			chance *= float64(m-i) / (n - float64(i))
		}
		return chance
	}
	mean := n * together(2)
	s.score(count, mean, mean+2*n*together(3)+n*(n-3)*together(4)-mean*mean)
}

// pairs counts classes of pairs of units of a block, or of blocks.
type pairs struct {
	table   *table
	groupOf [256]int
	collect func(p *pairs, b *Block, earlier []*Block)
}

// newPairs merges classes that n pairs would show too seldom; it gives false when one is left.
func (s *subject) newPairs(n float64, weights []float64, collect func(*pairs, *Block, []*Block)) (*pairs, bool) {
	groups, merged := merge(weights, pairWeight(n))
	if len(merged) < 2 {
		return nil, false
	}
	p := &pairs{table: newTable(len(merged), len(merged)), collect: collect}
	for tier := range p.groupOf {
		p.groupOf[tier] = groups[s.kinds[tier]]
	}
	return p, true
}

func (p *pairs) add(b *Block, earlier []*Block) { p.collect(p, b, earlier) }

func (p *pairs) result() figure { return p.table.figure() }

func neighbourTests(s *subject) []planned {
	p, ok := s.newPairs(float64(s.blocks*s.size/2), s.weights, func(p *pairs, b *Block, _ []*Block) {
		for i := 0; i+1 < len(b.Tiers); i += 2 {
			p.table.add(p.groupOf[b.Tiers[i]], p.groupOf[b.Tiers[i+1]])
		}
	})
	if !ok {
		return nil
	}
	return []planned{{"all units", p.table.degrees(), p}}
}

func successionTests(s *subject) []planned {
	if len(s.classes) < 2 {
		return nil
	}
	weights := make([]float64, len(s.weights))
	for i := range s.classes {
		weights[i+1] = s.classes[i].count / s.all.count
	}
	p, ok := s.newPairs(s.expected(&s.all)/2, weights, func(p *pairs, b *Block, _ []*Block) {
		first, open := 0, false
		for _, tier := range b.Tiers {
			switch {
			case tier == Lost:
			case open:
				p.table.add(first, p.groupOf[tier])
				open = false
			default:
				first, open = p.groupOf[tier], true
			}
		}
	})
	if !ok {
		return nil
	}
	return []planned{{"all prizes", p.table.degrees(), p}}
}

func (s *subject) distance(apart int) string {
	switch {
	case s.stakes < 2:
		return strconv.Itoa(apart) + " block apart"
	case apart == s.stakes:
		return "next block of the stake"
	}
	return strconv.Itoa(apart) + " apart, another stake"
}

func acrossTests(s *subject) (tests []planned) {
	for apart := 1; apart <= s.apart; apart++ {
		p, ok := s.newPairs(float64((s.blocks-apart)*s.size), s.weights, func(p *pairs, b *Block, earlier []*Block) {
			if len(earlier) < apart {
				return
			}
			for i, tier := range b.Tiers {
				p.table.add(p.groupOf[tier], p.groupOf[earlier[apart-1].Tiers[i]])
			}
		})
		if ok {
			tests = append(tests, planned{s.distance(apart), p.table.degrees(), p})
		}
	}
	return tests
}

// overlap counts the indexes that have a prize in two blocks.
type overlap struct {
	scored
	class *class
	apart int
}

func overlapTests(s *subject) (tests []planned) {
	for apart := 1; apart <= s.apart; apart++ {
		if s.expected(&s.all)*s.all.count/float64(s.size) >= 100 {
			tests = append(tests, planned{s.distance(apart), 0, &overlap{class: &s.all, apart: apart}})
		}
	}
	return tests
}

func (o *overlap) add(b *Block, earlier []*Block) {
	if len(earlier) < o.apart {
		return
	}
	other := earlier[o.apart-1].Tiers
	m, k, both := 0.0, 0.0, 0.0
	for i, tier := range b.Tiers {
		has, had := o.class.has[tier], o.class.has[other[i]]
		if has {
			m++
		}
		if had {
			k++
		}
		if has && had {
			both++
		}
	}
	size := float64(len(b.Tiers))
	o.score(both, m*k/size, m*k*(size-m)*(size-k)/(size*size*(size-1)))
}
