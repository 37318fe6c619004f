package evidence

import "github.com/talonlottery/talon/fault"

// Level is the chance that a generator as it should be fails any test at all: results are judged
// together, after Holm's correction.
const Level = 0.001

// kind is a line of the plan: a question that is asked of each class of prizes, distance or cell that it
// is meant for.
type kind struct {
	name      string
	statistic string
	null      string
	// make gives the tests of a subject; none where its counts are too few, which is known before anything is dealt.
	make func(s *subject) []planned
}

// planned is one test before blocks are dealt.
type planned struct {
	label   string
	degrees int
	examiner
}

// table of the plan. It is fixed: docs/rng.md prints it, and a change of it is a change of the report. In
// the words of the statistics, N is the number of units of a block, m that of the prizes of a class.
var plan = []kind{
	{"positions", "prizes in equal slices of the block, all blocks together: Σ(O−E)²/E · (N−1)/(N−m)", "chi-square, slices − 1", positionTests},
	{"positions, block by block", "the same for each block, added", "chi-square, blocks · (slices − 1)", eachBlockTests},
	{"halves", "prizes in the first half of the block", "hypergeometric: exact for single prizes, else normal with its mean and variance", halfTests},
	{"remainders", "prizes by remainder of the index: Σ(O−E)²/E · (N−1)/(N−m)", "chi-square, remainders − 1", remainderTests},
	{"edges", "blocks whose first, or last, unit has a prize", "binomial, exact", edgeTests},
	{"gaps", "units between successive prizes, by length: d′C⁻¹d with the exact means and covariances of a random order", "chi-square, lengths − 1", gapTests},
	{"runs", "runs of units with and without a prize (Wald and Wolfowitz)", "normal with exact mean and variance", runTests},
	{"serial", "prizes that have a prize at a distance, round the block", "normal with exact mean and variance", serialTests},
	{"neighbours", "classes of the units 2i and 2i+1: independence", "chi-square, (classes − 1)²", neighbourTests},
	{"successive prizes", "classes of the prizes 2k and 2k+1: independence", "chi-square, (classes − 1)²", successionTests},
	{"same index, prizes", "indexes with a prize in two blocks", "hypergeometric mean and variance, normal", overlapTests},
	{"same index, classes", "classes of one index in two blocks: independence", "chi-square, (classes − 1)²", acrossTests},
	{"ways", "ways of each tier against their weights, added over tiers", "chi-square, ways − 1 each", wayTests},
	{"compositions", "compositions of each tier against their exact odds, added over tiers", "chi-square, compositions − 1 each", compositionTests},
	{"symbols a cell", "symbols of a cell against their exact odds, the least likely cell", "chi-square, symbols − 1; p times the number of cells", symbolTests},
	{"symbols, mirrored cells", "symbols of winning units in cells that are mirror images, one cell a unit: homogeneity", "chi-square, (cells − 1)(symbols − 1) each", mirrorTests},
	{"where the wild is", "cells of the wild, among all or among mirror images", "chi-square, cells − 1 each", wildTests},
	{"where the multiplier is", "cells of the multiplier, among mirror images", "chi-square, cells − 1 each", multiplierTests},
	{"symbols by position", "symbols of a cell of losing units in slices of the block: homogeneity, the least likely cell", "chi-square, (slices − 1)(symbols − 1); p times the number of cells", driftTests},
	{"successive layouts", "symbols of a cell in the losing units 2k and 2k+1: independence, the least likely cell", "chi-square, (symbols − 1)²; p times the number of cells", chainTests},
	{"telling the next", "symbols of a cell of a losing unit, and whether the next unit wins: independence, the least likely cell", "chi-square, symbols − 1; p times the number of cells", tellTests},
	{"equal layouts", "losing units that look as the losing unit at a distance", "binomial, exact", repeatTests},
	{"equal layouts, same index", "losing units that look as the losing unit of their index in another block", "binomial, exact", twinTests},
	{"wins", "participations that win", "binomial, exact", winTests},
}

// class is a number of tiers that are looked at together.
type class struct {
	label string
	has   [256]bool // by tier
	count float64   // units a block; of participations the number that is expected
	fixed bool      // every block has exactly that many
}

// subject is what a plan is for.
type subject struct {
	name   string
	blocks int
	size   int
	tiers  int
	stakes int // blocks of one stake are so far apart; 0 for participations
	apart  int // how far apart blocks are that are compared with each other
	// classes are looked at by themselves, and all prizes together.
	all     class
	classes []class
	single  class     // tiers of one prize a block
	kinds   [256]int  // class of each tier in tables of pairs: losing, then classes
	weights []float64 // of kinds, a unit
	odds    float64   // of a participation, else 0
	cells   int
	look    *look // nil for participations
}

// Plan is the plan for the blocks of one game, or of participations.
type Plan struct{ subject *subject }

type test struct {
	Result
	examiner examiner
}

func (p *Plan) tests() []test {
	var tests []test
	for _, k := range plan {
		for _, made := range k.make(p.subject) {
			tests = append(tests, test{
				Result:   Result{Test: k.name, Of: made.label, Statistics: k.statistic, Null: k.null, Degrees: made.degrees},
				examiner: made.examiner,
			})
		}
	}
	return tests
}

// Tests lists the tests in the order of the plan, without results: known before anything is dealt.
func (p *Plan) Tests() []Result {
	var listed []Result
	for _, t := range p.tests() {
		listed = append(listed, t.Result)
	}
	return listed
}

func checkBlocks(blocks int) error {
	if blocks < 1 || blocks > BlocksMost {
		return fault.New(fault.Invalid, "blocks_beyond_limit", "the evidence is over 1 to %d blocks, not %d", BlocksMost, blocks)
	}
	return nil
}
