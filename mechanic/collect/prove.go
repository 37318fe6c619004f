package collect

import (
	"fmt"

	"github.com/talonlottery/talon/mechanic"
)

// examplesMost is up to how many compositions of a tier are all shown.
const examplesMost = 4

// Prove reports the enumeration of every composition, which was made when the definition was
// compiled: nothing in it is sampled.
func (c *Collect) Prove() (mechanic.Proof, error) {
	proof := mechanic.Proof{Losing: c.prove(&c.losing), OffTable: c.offTable, Notes: c.notes()}
	for i := range c.tiers {
		proof.Tiers = append(proof.Tiers, c.prove(&c.tiers[i]))
	}
	return proof, nil
}

func (c *Collect) prove(o *outcome) mechanic.TierProof {
	t := mechanic.TierProof{
		Prize:          o.prize,
		Compositions:   int64(o.compositions),
		SingleReading:  int64(o.single),
		CumulativeOnly: true,
	}
	for _, w := range o.ways {
		t.Ways = append(t.Ways, mechanic.Way{
			Gains: w.gains, Wild: w.wild, Multiplier: 1, Weight: w.weight,
			Compositions: int64(len(w.orders)), Layouts: int64(w.total()),
		})
		t.Layouts += int64(w.total())
	}
	for _, combination := range c.rules.combinations {
		if combination.Gain == o.prize {
			t.CumulativeOnly = false
		}
	}
	if o == &c.losing {
		t.CumulativeOnly = false
	}
	t.Examples = c.examples(o)
	return t
}

func (c *Collect) examples(o *outcome) []string {
	var examples []string
	for _, w := range o.ways {
		for at := range w.orders {
			examples = append(examples, c.words(w.layouts[at*c.rules.cells:][:c.rules.cells]))
			if len(examples) == examplesMost {
				return examples
			}
		}
	}
	return examples
}

func (c *Collect) words(layout []byte) string {
	var composition counts
	for _, code := range layout {
		composition[code]++
	}
	return mechanic.Words(c.rules.symbols, composition[:])
}

// notes says what the enumeration found about losing layouts.
func (c *Collect) notes() []string {
	notes := []string{fmt.Sprintf("%d compositions were read; %d totals outside the prize table can be reached and are never dealt", c.rank.size, c.offTable)}
	switch {
	case c.losing.compositions == 0:
		notes = append(notes, "every layout wins")
	case c.losing.compositions == 1:
		notes = append(notes, "exactly one composition loses: "+c.examples(&c.losing)[0])
	default:
		notes = append(notes, fmt.Sprintf("%d compositions lose", c.losing.compositions))
	}
	if c.rules.wild == none {
		return notes
	}
	for _, w := range c.losing.ways {
		if w.wild {
			return append(notes, "some losing layouts hold a wild")
		}
	}
	return append(notes, "no losing layout holds a wild")
}
