package collect

import (
	"fmt"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
)

// section is the shape of the mechanic's part of a definition file.
type section struct {
	Kind         string                 `yaml:"kind"`
	Cells        int                    `yaml:"cells"`
	Article      string                 `yaml:"article"`
	Symbols      []mechanic.SymbolEntry `yaml:"symbols"`
	Wild         *mechanic.WildEntry    `yaml:"wild"`
	Combinations []combinationEntry     `yaml:"combinations"`
	Weights      []mechanic.WeightEntry `yaml:"weights"`
}

type combinationEntry struct {
	Symbols []string      `yaml:"symbols"`
	Gains   []game.Figure `yaml:"gains"` // one a stake
	Article string        `yaml:"article"`
}

// New compiles a definition at one stake. It returns Invalid, with the place in the file, for a
// section of another shape, unknown symbols, roles that the combinations contradict, weights for
// ways that do not exist, and sizes beyond the limits of this package. A tier that no layout reaches
// is not refused here but by package mechanic/all.
func New(d *game.Definition, stake int) (*Collect, error) {
	tiers, err := mechanic.Amounts(d, stake)
	if err != nil {
		return nil, err
	}
	var s section
	if err := d.Mechanic.Decode(&s); err != nil {
		return nil, err
	}
	r := rules{cells: s.Cells, tiers: tiers, fail: d.Mechanic.Errorf}
	if r.symbols, err = mechanic.ReadSymbols(d.Mechanic, s.Symbols); err != nil {
		return nil, err
	}
	if r.wild, err = mechanic.ReadWild(d.Mechanic, s.Wild, r.symbols); err != nil {
		return nil, err
	}
	for i, entry := range s.Combinations {
		combination, err := r.read(d, fmt.Sprintf("combinations[%d]", i), entry, stake)
		if err != nil {
			return nil, err
		}
		r.combinations = append(r.combinations, combination)
	}
	if r.weights, err = mechanic.ReadWeights(d.Mechanic, d, s.Weights, len(r.combinations)); err != nil {
		return nil, err
	}
	return compile(r)
}

func (r *rules) read(d *game.Definition, path string, entry combinationEntry, stake int) (c mechanic.Combination, err error) {
	c.Article = entry.Article
	for k, name := range entry.Symbols {
		code, err := mechanic.Code(d.Mechanic, r.symbols, fmt.Sprintf("%s.symbols[%d]", path, k), name)
		if err != nil {
			return c, err
		}
		c.Symbols = append(c.Symbols, byte(code))
	}
	c.Gain, err = mechanic.ReadGain(d.Mechanic, d, path+".gains", entry.Gains, stake)
	return c, err
}
