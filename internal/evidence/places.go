package evidence

import (
	"math"
	"strconv"
)

// Where prizes are. All of it holds given the number of prizes in a block, so it serves blocks of
// participations, too, in which that number is not fixed.

// slicesMost is into how many slices a block is cut at most.
const slicesMost = 100

// perSlice is how many units of a class are expected in a slice at least, all blocks together.
const perSlice = 10

func slicesFor(expected float64) int { return int(min(slicesMost, expected/perSlice)) }

// positions counts the units of a class in parts of the block.
type positions struct {
	class    *class
	cellOf   func(index int) int
	weights  []float64 // of the parts
	each     bool      // block by block
	counts   []float64
	expected float64 // units of the class so far
	spread   float64 // Σ m(N−m)/(N−1)
	sum      float64 // of the blocks' statistics
}

func newPositions(c *class, size, parts int, cellOf func(int) int, each bool) *positions {
	p := &positions{class: c, cellOf: cellOf, each: each, counts: make([]float64, parts), weights: make([]float64, parts)}
	for i := range size {
		p.weights[cellOf(i)] += 1 / float64(size)
	}
	return p
}

func (p *positions) add(b *Block, _ []*Block) {
	m := 0.0
	for i, tier := range b.Tiers {
		if p.class.has[tier] {
			p.counts[p.cellOf(i)]++
			m++
		}
	}
	size := float64(len(b.Tiers))
	p.expected += m
	p.spread += m * (size - m) / (size - 1)
	if p.each {
		p.sum += p.statistic()
		clear(p.counts)
		p.expected, p.spread = 0, 0
	}
}

func (p *positions) statistic() float64 {
	x := 0.0
	for i, n := range p.counts {
		off := n - p.expected*p.weights[i]
		x += off * off / p.weights[i]
	}
	if p.spread == 0 {
		return 0
	}
	return x / p.spread
}

type chiSquare struct {
	*positions
	degrees int
}

func (c chiSquare) result() figure {
	x := c.sum
	if !c.each {
		x = c.statistic()
	}
	return figure{x, chiSquareTail(x, c.degrees)}
}

func positionTests(s *subject) (tests []planned) {
	for _, c := range s.parts() {
		if slices := slicesFor(s.expected(c)); slices >= 2 {
			tests = append(tests, s.inParts(c, c.label, slices, func(i int) int { return i * slices / s.size }, false))
		}
	}
	return tests
}

func eachBlockTests(s *subject) []planned {
	slices := slicesFor(s.all.count)
	if slices < 2 {
		return nil
	}
	return []planned{s.inParts(&s.all, s.all.label, slices, func(i int) int { return i * slices / s.size }, true)}
}

func remainderTests(s *subject) (tests []planned) {
	for _, by := range []int{2, 10, 64, 100} {
		if s.expected(&s.all) >= perSlice*float64(by) && s.size >= by {
			tests = append(tests, s.inParts(&s.all, "of "+strconv.Itoa(by), by, func(i int) int { return i % by }, false))
		}
	}
	return tests
}

func (s *subject) inParts(c *class, label string, parts int, cellOf func(int) int, each bool) planned {
	degrees := parts - 1
	if each {
		degrees *= s.blocks
	}
	return planned{label, degrees, chiSquare{newPositions(c, s.size, parts, cellOf, each), degrees}}
}

// scored adds up a count, its mean and its variance over blocks.
type scored struct{ count, mean, variance float64 }

func (s *scored) score(count, mean, variance float64) {
	s.count += count
	s.mean += mean
	s.variance += variance
}

func (s *scored) result() figure {
	if s.variance <= 0 {
		return figure{0, 1}
	}
	z := (s.count - s.mean) / math.Sqrt(s.variance)
	return figure{z, normalTails(z)}
}

// halves counts the units of a class in the first half of the block.
type halves struct {
	scored
	class *class
	exact []float64 // distribution of the count over all blocks, when it is computed
}

// exactMost is up to how many units an exact distribution is computed.
const exactMost = 4096

func halfTests(s *subject) (tests []planned) {
	for _, c := range append([]*class{&s.single}, s.parts()...) {
		total := s.expected(c)
		if total == 0 {
			continue
		}
		h := &halves{class: c}
		switch {
		case c.fixed && total <= exactMost:
			one := hypergeometric(s.size, int(c.count), s.size/2)
			h.exact = []float64{1}
			for range s.blocks {
				h.exact = convolve(h.exact, one)
			}
		case total < 100:
			continue
		}
		tests = append(tests, planned{c.label, 0, h})
	}
	return tests
}

func (h *halves) add(b *Block, _ []*Block) {
	half := len(b.Tiers) / 2
	first, m := 0.0, 0.0
	for i, tier := range b.Tiers {
		if h.class.has[tier] {
			m++
			if i < half {
				first++
			}
		}
	}
	size := float64(len(b.Tiers))
	q := float64(half) / size
	h.score(first, m*q, m*(size-m)/(size-1)*q*(1-q))
}

func (h *halves) result() figure {
	if h.exact == nil {
		return h.scored.result()
	}
	return figure{h.count, tailsOf(h.exact, int(h.count))}
}

// edge counts blocks that have a prize at one end.
type edge struct {
	last   bool
	wins   int
	blocks int
	odds   float64
}

func edgeTests(s *subject) []planned {
	odds := s.all.count / float64(s.size)
	return []planned{{"first unit", 0, &edge{odds: odds}}, {"last unit", 0, &edge{odds: odds, last: true}}}
}

func (e *edge) add(b *Block, _ []*Block) {
	tier := b.Tiers[0]
	if e.last {
		tier = b.Tiers[len(b.Tiers)-1]
	}
	e.blocks++
	if tier != Lost {
		e.wins++
	}
}

func (e *edge) result() figure {
	return figure{float64(e.wins), binomialTails(e.wins, e.blocks, e.odds)}
}

// winning counts participations that win.
type winning struct {
	wins, units int
	odds        float64
}

func winTests(s *subject) []planned {
	if s.odds == 0 {
		return nil
	}
	return []planned{{"all blocks", 0, &winning{odds: s.odds}}}
}

func (w *winning) add(b *Block, _ []*Block) {
	w.units += len(b.Tiers)
	for _, tier := range b.Tiers {
		if tier != Lost {
			w.wins++
		}
	}
}

func (w *winning) result() figure {
	return figure{float64(w.wins), binomialTails(w.wins, w.units, w.odds)}
}
