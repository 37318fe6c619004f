package mechanic

import (
	"errors"
	"slices"

	"github.com/talonlottery/talon/verify/internal/definition"
)

// reading is a reading of a composition: block.md, section 7.1.
type reading struct {
	gains    []int // combinations, ascending
	sum      definition.Money
	usesWild bool
}

// better says whether a is preferred to b.
func (a reading) better(b reading) bool {
	switch {
	case a.sum != b.sum:
		return a.sum > b.sum
	case len(a.gains) != len(b.gains):
		return len(a.gains) < len(b.gains)
	case a.usesWild != b.usesWild:
		return b.usesWild
	}
	return slices.Compare(a.gains, b.gains) < 0
}

// reader finds the best reading of a composition by trying all.
type reader struct {
	*rules
	needs [][]need // symbols of each combination
	steps int      // combinations tried so far, over all compositions
}

// need is how often a combination asks for a symbol.
type need struct{ code, count int }

const readingSteps = 200_000_000

var errTooManyReadings = errors.New("more readings than this checker tries")

// best finds the best reading of a composition; counts is unchanged afterwards.
func (r *reader) best(counts []int) (reading, error) {
	found := reading{}
	r.extend(counts, reading{}, 0, &found)
	if r.steps > readingSteps {
		return found, errTooManyReadings
	}
	return found, nil
}

// extend adds every combination from the given one on that the remaining symbols allow.
func (r *reader) extend(counts []int, so reading, from int, best *reading) {
	if so.better(*best) {
		*best = reading{slices.Clone(so.gains), so.sum, so.usesWild}
	}
	for c := from; c < len(r.needs) && r.steps <= readingSteps; c++ {
		r.steps++
		next := reading{append(so.gains, c), so.sum + r.gains[c], so.usesWild}
		if r.take(counts, c, none) {
			r.extend(counts, next, c, best)
			r.giveBack(counts, c, none)
		}
		if so.usesWild || r.wild == none {
			continue
		}
		next.usesWild = true
		for _, n := range r.needs[c] { // the wild stands in for one symbol of this combination
			if r.take(counts, c, n.code) {
				r.extend(counts, next, c, best)
				r.giveBack(counts, c, n.code)
			}
		}
	}
}

// take removes the symbols of a combination, the wild in the place of one symbol if that is named; it says whether they were there.
func (r *reader) take(counts []int, combination, replaced int) bool {
	if replaced != none && counts[r.wild] == 0 {
		return false
	}
	for _, n := range r.needs[combination] {
		if counts[n.code] < n.count-flag(n.code == replaced) {
			return false
		}
	}
	r.change(counts, combination, replaced, -1)
	return true
}

func (r *reader) giveBack(counts []int, combination, replaced int) {
	r.change(counts, combination, replaced, +1)
}

func (r *reader) change(counts []int, combination, replaced, sign int) {
	for _, n := range r.needs[combination] {
		counts[n.code] += sign * (n.count - flag(n.code == replaced))
	}
	if replaced != none {
		counts[r.wild] += sign
	}
}
