// Package evidence tests final outcomes statistically: units as they were dealt, after shuffle, prize
// and layout, and never the numbers that they came from.
//
// Its one promise: the plan is fixed before a block is dealt, every result of it is reported, and a
// generator as it should be is refused no more often than the level says, all tests taken together
// (R-4, R-6, R-22, R-23; GLI-19, section 3.2.2). It deals nothing and draws nothing: blocks come from a
// [Deal], secrets from a published text ([Published]).
//
// A test that passes proves little. It shows that none of the defects it looks for was found; nothing of
// that kind can show that outcomes were not chosen. docs/rng.md says so at length.
package evidence

import (
	"context"

	"github.com/talonlottery/talon/fault"
)

// Limits of a run.
const (
	BlocksMost = 10_000 // blocks of one part
	classMost  = 64     // classes of prizes that are told apart
)

// Lost marks a unit without a prize in [Block.Tiers].
const Lost = 255

// Block is what a whole block came to: its final outcomes, in order of index.
type Block struct {
	// Tiers holds the tier of each unit, or Lost. A participation that wins has tier 0.
	Tiers []uint8
	// Layouts holds the layouts, one after the other; none for participations.
	Layouts []byte
}

// Deal deals the block of a number, from 0 on, into a block whose memory is used again. The stake of a
// game's block is its number modulo the number of stakes.
type Deal func(ctx context.Context, number int, into *Block) error

// examiner is one test while blocks are dealt.
type examiner interface {
	// add takes the next block. Earlier holds the blocks before it, the latest first.
	add(b *Block, earlier []*Block)
	// result is the figure that is reported.
	result() figure
}

// figure is the outcome of a test. P is the probability, if all is as it should be, of a statistic at
// least as far off.
type figure struct{ statistic, p float64 }

// Examine deals the blocks of the plan, one after the other, and computes every test. Progress may be
// nil. It returns the error of the deal, and Corrupt with code outcomes_malformed when a block is not of
// the size that the plan is for. It is not safe for concurrent use with itself on one plan.
func (p *Plan) Examine(ctx context.Context, deal Deal, progress func(done, total int)) (Part, error) {
	tests := p.tests()
	// As many blocks are kept as are compared with each other; the memory of the oldest is used again.
	var kept []*Block
	next := new(Block)
	for number := range p.subject.blocks {
		if err := ctx.Err(); err != nil {
			return Part{}, err
		}
		if err := deal(ctx, number, next); err != nil {
			return Part{}, err
		}
		if err := p.subject.check(next); err != nil {
			return Part{}, err
		}
		for i := range tests {
			tests[i].examiner.add(next, kept)
		}
		kept = append([]*Block{next}, kept...)
		next = new(Block)
		if len(kept) > p.subject.apart {
			next, kept = kept[p.subject.apart], kept[:p.subject.apart]
		}
		if progress != nil {
			progress(number+1, p.subject.blocks)
		}
	}
	part := Part{Of: p.subject.name, Blocks: p.subject.blocks, Units: p.subject.size}
	for i := range tests {
		got := tests[i].examiner.result()
		tests[i].Result.Statistic, tests[i].Result.P = got.statistic, got.p
		part.Results = append(part.Results, tests[i].Result)
	}
	return part, nil
}

func (s *subject) check(b *Block) error {
	if len(b.Tiers) != s.size || len(b.Layouts) != s.size*s.cells {
		return fault.New(fault.Corrupt, "outcomes_malformed", "a block of %s has %d units and %d cells, not %d and %d",
			s.name, len(b.Tiers), len(b.Layouts), s.size, s.size*s.cells)
	}
	for _, tier := range b.Tiers {
		if tier != Lost && int(tier) >= s.tiers {
			return fault.New(fault.Corrupt, "outcomes_malformed", "a unit of %s has a tier that its table has not", s.name)
		}
	}
	return nil
}
