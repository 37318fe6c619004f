package collect

import "github.com/talonlottery/talon/mechanic"

var _ mechanic.OneShort = (*Collect)(nil)

// OneShort counts the combinations that the layout misses by one symbol: all the symbols of the
// layout together, whatever the best reading uses, lack exactly one (the wild fills one gap).
func (c *Collect) OneShort(layout []byte, into []uint32) error {
	if _, ok := c.rank.pack(layout); !ok {
		return c.rank.explain(layout)
	}
	var composition counts
	for _, code := range layout {
		composition[code]++
	}
	wilds := 0
	if c.rules.wild != none {
		wilds = int(composition[c.rules.wild])
	}
	for i := range c.moves {
		m := &c.moves[i]
		if m.standsFor != none {
			continue
		}
		lacking := 0
		for code, n := range m.need {
			lacking += max(0, int(n)-int(composition[code]))
		}
		if lacking-wilds == 1 {
			into[m.combination]++
		}
	}
	return nil
}
