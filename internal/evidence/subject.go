package evidence

import (
	"fmt"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic/all"
)

// rareBelow is how many units have to be in a block for one prize of a tier that is looked at by itself.
const rareBelow = 1000

// ForGame makes the plan for a number of blocks of a game, its stakes in turn. It returns Invalid with
// code blocks_beyond_limit for too many or none, and the fault for which a definition is refused.
func ForGame(d *game.Definition, blocks int) (*Plan, error) {
	if err := checkBlocks(blocks); err != nil {
		return nil, err
	}
	m, err := all.New(d, 0)
	if err != nil {
		return nil, err
	}
	s := &subject{
		name: d.Name, blocks: blocks, size: int(d.BlockSize), tiers: len(d.Prizes.Tiers),
		stakes: len(d.Stakes), apart: min(len(d.Stakes), blocks-1), cells: m.Cells(),
		all:    class{label: "all prizes", fixed: true},
		single: class{label: "single prizes", fixed: true},
	}
	rare := class{label: rareLabel, fixed: true}
	for at, tier := range d.Prizes.Tiers {
		s.all.take(at, tier.Count)
		if tier.Count == 1 {
			s.single.take(at, 1)
		}
		if int(tier.Count) >= s.size/rareBelow && len(s.classes) < classMost-1 {
			own := class{label: "prize " + tier.Amounts[0].String(), fixed: true}
			own.take(at, tier.Count)
			s.classes = append(s.classes, own)
			continue
		}
		rare.take(at, tier.Count)
	}
	if rare.count > 0 {
		s.classes = append(s.classes, rare)
	}
	s.number()
	s.look, err = lookOf(d, m)
	return &Plan{s}, err
}

// ForParticipations makes the plan for a number of blocks of participations that win once in odds. The
// jackpot's own odds are so small that hardly a block holds a win; with larger ones, dealt by the same
// code, the same tests have something to look at. Errors as [ForGame].
func ForParticipations(j *game.Jackpot, odds uint32, blocks int) (*Plan, error) {
	if err := checkBlocks(blocks); err != nil {
		return nil, err
	}
	s := &subject{
		name: fmt.Sprintf("%s, one in %d", j.Name, odds), blocks: blocks, size: int(j.BlockSize), tiers: 1, apart: min(1, blocks-1),
		odds: 1 / float64(odds),
		all:  class{label: "wins", count: float64(j.BlockSize) / float64(odds)},
	}
	s.all.has[0] = true
	s.number()
	return &Plan{s}, nil
}

func (c *class) take(tier int, count uint32) {
	c.has[tier] = true
	c.count += float64(count)
}

// number gives each tier its place in tables of pairs.
func (s *subject) number() {
	classes := s.classes
	if len(classes) == 0 {
		classes = []class{s.all}
	}
	s.weights = []float64{1 - s.all.count/float64(s.size)}
	for at := range classes {
		for tier, has := range classes[at].has {
			if has {
				s.kinds[tier] = at + 1
			}
		}
		s.weights = append(s.weights, classes[at].count/float64(s.size))
	}
}

// parts are the classes with all prizes first.
func (s *subject) parts() []*class {
	parts := []*class{&s.all}
	if len(s.classes) > 1 {
		for at := range s.classes {
			parts = append(parts, &s.classes[at])
		}
	}
	return parts
}

// expected is how many units of a class all blocks together hold.
func (s *subject) expected(c *class) float64 { return c.count * float64(s.blocks) }
