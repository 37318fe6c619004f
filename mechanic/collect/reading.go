package collect

import (
	"cmp"
	"slices"

	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// move is one manner of forming a combination: plainly, or with the wild in the place of a symbol.
type move struct {
	combination int
	standsFor   int // code that the wild stands in for, or none
	gain        money.Amount
	need        counts // symbols taken, the wild among them
}

// movesOf lists the moves in the order of the tie-break: by combination, plainly first.
func movesOf(r *rules) []move {
	var moves []move
	for i, combination := range r.combinations {
		plain := move{combination: i, standsFor: none, gain: combination.Gain}
		for _, code := range combination.Symbols {
			plain.need[code]++
		}
		moves = append(moves, plain)
		if r.wild == none {
			continue
		}
		for code := range r.symbols {
			if plain.need[code] == 0 {
				continue
			}
			replaced := plain
			replaced.standsFor = code
			replaced.need[code]--
			replaced.need[r.wild]++
			moves = append(moves, replaced)
		}
	}
	return moves
}

// take removes the move's symbols and reports whether they were all there.
func (m *move) take(from counts) (rest counts, ok bool) {
	for code, n := range m.need {
		if from[code] < n {
			return from, false
		}
		from[code] -= n
	}
	return from, true
}

// reading is a set of moves, ascending, repeated as often as they are made.
type reading struct {
	moves []int
	sum   money.Amount
	wild  bool
}

// search walks through the readings of a composition.
type search struct {
	moves []move
	steps int // left before the search is given up
	found func(reading)
	path  []int
}

// run calls found with every maximal reading. The reading's moves are only valid during the call.
// It reports false when it ran out of steps.
func (s *search) run(composition counts) bool {
	return s.walk(composition, 0, 0, false)
}

func (s *search) walk(left counts, first int, sum money.Amount, wild bool) bool {
	maximal := true
	for i := range s.moves {
		if s.steps--; s.steps < 0 {
			return false
		}
		rest, ok := s.moves[i].take(left)
		if !ok {
			continue
		}
		maximal = false
		if i < first {
			continue // already met with its moves in ascending order
		}
		s.path = append(s.path, i)
		done := s.walk(rest, i, sum+s.moves[i].gain, wild || s.moves[i].standsFor != none)
		s.path = s.path[:len(s.path)-1]
		if !done {
			return false
		}
	}
	if maximal {
		s.found(reading{moves: s.path, sum: sum, wild: wild})
	}
	return true
}

// compare orders readings as the package documentation says: the one that is paid comes first.
func (c *Collect) compare(a, b reading) int {
	wild := func(r reading) int {
		if r.wild {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(b.sum, a.sum),
		cmp.Compare(len(a.moves), len(b.moves)),
		cmp.Compare(wild(a), wild(b)),
		slices.CompareFunc(a.moves, b.moves, func(x, y int) int {
			return cmp.Compare(c.moves[x].combination, c.moves[y].combination)
		}),
		slices.Compare(a.moves, b.moves),
	)
}

// survey is what compiling needs to know about one composition.
type survey struct {
	best   reading
	single bool // every maximal reading has the same sum
}

func (c *Collect) survey(composition counts, steps *int) (survey, bool) {
	var result survey
	first := true
	s := search{moves: c.moves, steps: *steps, found: func(r reading) {
		switch {
		case first:
			result = survey{best: r.keep(), single: true}
			first = false
		default:
			result.single = result.single && r.sum == result.best.sum
			if c.compare(r, result.best) < 0 {
				result.best = r.keep()
			}
		}
	}}
	ok := s.run(composition)
	*steps = s.steps
	return result, ok
}

func (r reading) keep() reading {
	r.moves = slices.Clone(r.moves)
	return r
}

// Prize is the prize of the layout's best reading. It does not allocate.
func (c *Collect) Prize(layout []byte) (money.Amount, error) {
	packed, ok := c.rank.pack(layout)
	if !ok {
		return 0, c.rank.explain(layout)
	}
	return c.prizes[c.rank.of(packed)], nil
}

// Read is the best reading; ties are broken as the package documentation says.
func (c *Collect) Read(layout []byte) (mechanic.Reading, error) {
	all, err := c.Readings(layout)
	if err != nil {
		return mechanic.Reading{}, err
	}
	return all[0], nil
}

// Readings is every maximal reading, the best first. Readings that differ only in which of several
// equal symbols a combination takes are the same.
func (c *Collect) Readings(layout []byte) ([]mechanic.Reading, error) {
	if _, ok := c.rank.pack(layout); !ok {
		return nil, c.rank.explain(layout)
	}
	var composition counts
	for _, code := range layout {
		composition[code]++
	}
	var found []reading
	s := search{moves: c.moves, steps: StepsMost, found: func(r reading) { found = append(found, r.keep()) }}
	s.run(composition)
	slices.SortFunc(found, c.compare)
	all := make([]mechanic.Reading, len(found))
	for i, r := range found {
		all[i] = c.place(layout, r)
	}
	return all, nil
}

// place gives each gain of a reading its cells: the first free ones that show its symbols.
func (c *Collect) place(layout []byte, r reading) mechanic.Reading {
	result := mechanic.Reading{Multiplier: 1, MultiplierCell: none, Prize: r.sum}
	taken := make([]bool, len(layout))
	for _, i := range r.moves {
		m := &c.moves[i]
		gain := mechanic.Gain{Combination: m.combination, WildCell: none, Amount: m.gain}
		need := m.need
		for cell, code := range layout {
			if taken[cell] || need[code] == 0 {
				continue
			}
			need[code]--
			taken[cell] = true
			gain.Cells = append(gain.Cells, cell)
			if int(code) == c.rules.wild {
				gain.WildCell = cell
			}
		}
		result.Gains = append(result.Gains, gain)
	}
	return result
}
