package main

import (
	"crypto/rand"
	"fmt"
	"text/tabwriter"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/mechanic/all"
)

// writePairs deals a block of the first stake from a secret that nobody keeps, and prints how often
// each combination comes one symbol short of winning, in losing units and in all.
func writePairs(s streams, d *game.Definition) error {
	m, err := all.New(d, 0)
	if err != nil {
		return err
	}
	counter, ok := m.(mechanic.OneShort)
	if !ok {
		return fault.New(fault.Invalid, "pairs_not_counted", "the mechanic %s does not count combinations that lack one symbol", m.Kind())
	}
	secret, err := block.NewSecret(rand.Reader)
	if err != nil {
		return err
	}
	dealer, err := block.NewDealer(block.Header{
		Version: block.Version, Game: d.Name, Definition: d.Hash, Price: d.Stakes[0].Price, Size: d.BlockSize,
	}, secret, d, m)
	if err != nil {
		return err
	}
	losing, every := make([]uint32, len(m.Combinations())), make([]uint32, len(m.Combinations()))
	var unit block.Unit
	for index := range d.BlockSize {
		if err := dealer.Unit(index, &unit); err != nil {
			return err
		}
		if err := counter.OneShort(unit.Layout, every); err != nil {
			return err
		}
		if unit.Tier == mechanic.Losing {
			if err := counter.OneShort(unit.Layout, losing); err != nil {
				return err
			}
		}
	}
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\none symbol short\tin losing units\tin all units\t\n")
	for at, combination := range m.Combinations() {
		counts := make([]uint8, len(m.Symbols()))
		for _, code := range combination.Symbols {
			counts[code]++
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t\n", mechanic.Words(m.Symbols(), counts), losing[at], every[at])
	}
	return w.Flush()
}
