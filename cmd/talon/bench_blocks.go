package main

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/catalogue"
)

// rounds is how often what one core does alone is measured. The best round counts: the others were
// disturbed by whatever else the machine does.
const rounds = 5

// perItem runs a function on and on, and gives the nanoseconds that one of its items took.
func perItem(items int, run func() error) (float64, error) {
	const atLeast = 100 * time.Millisecond
	best := 0.0
	for range rounds {
		start, done := time.Now(), 0
		for time.Since(start) < atLeast {
			if err := run(); err != nil {
				return 0, err
			}
			done += items
		}
		took := float64(time.Since(start).Nanoseconds()) / float64(done)
		if best == 0 || took < best {
			best = took
		}
	}
	return best, nil
}

// benchDealer makes the dealer of a block from a secret that nobody keeps.
func benchDealer(g *catalogue.Game, stake int) (*block.Dealer, error) {
	secret, err := block.NewSecret(rand.Reader)
	if err != nil {
		return nil, err
	}
	h := block.Header{Version: block.Version, Game: g.Name, Definition: g.Hash, Stake: stake, Price: g.Stakes[stake].Price, Size: g.BlockSize}
	return block.NewDealer(h, secret, g.Definition, g.Mechanics[stake])
}

// units measures reading a layout, and opening a unit: laying it out, reading it back, its salt.
func (b *benchRun) units(ctx context.Context) error {
	targets := map[string]string{"collect": "≤ 60", "lines": "≤ 120"}
	for _, g := range b.catalogue.Games() {
		if err := ctx.Err(); err != nil {
			return err
		}
		dealer, err := benchDealer(g, 0)
		if err != nil {
			return err
		}
		m := g.Mechanics[0]
		units := make([]block.Unit, min(4096, g.BlockSize))
		open, err := perItem(len(units), func() error {
			for i := range units {
				if err := dealer.Unit(uint32(i), &units[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		read, err := perItem(len(units), func() error {
			for i := range units {
				if _, err := m.Prize(units[i].Layout); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		b.add("read a layout, "+g.Name, read, "ns", targets[m.Kind()])
		b.add("open a unit, "+g.Name, open, "ns", "")
	}
	return nil
}

// blocks measures dealing, reading back and sealing whole blocks, and proofs from their tiles.
func (b *benchRun) blocks(ctx context.Context) error {
	for _, g := range b.catalogue.Games() {
		if err := b.dealt(ctx, g); err != nil {
			return err
		}
	}
	_, most := resident()
	b.add("memory at most while dealing", most, "MB", "≤ 96")
	return nil
}

func (b *benchRun) dealt(ctx context.Context, g *catalogue.Game) error {
	file, err := os.Create(filepath.Join(b.folder, "tiles"))
	if err != nil {
		return err
	}
	defer file.Close()
	var dealer *block.Dealer
	var deal block.Deal
	best := time.Duration(0)
	for range rounds {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		start := time.Now()
		if dealer, err = benchDealer(g, 0); err != nil {
			return err
		}
		if deal, err = dealer.Deal(ctx, file, nil); err != nil {
			return err
		}
		if took := time.Since(start); best == 0 || took < best {
			best = took
		}
	}
	b.add("deal, read back and seal 1 000 000 units, "+g.Name, best.Seconds()*1e6/float64(g.BlockSize), "s", "≤ 1.5")
	return b.proofs(deal, block.NewTiles(file, g.BlockSize), dealer)
}

func (b *benchRun) proofs(deal block.Deal, tiles *block.Tiles, dealer *block.Dealer) error {
	const count = 200
	var unit block.Unit
	at := uint32(0)
	took, err := perItem(count, func() error {
		for range count {
			at = (at + 700_001) % deal.Header.Size
			path, err := tiles.Prove(at)
			if err != nil {
				return err
			}
			if err := dealer.Unit(at, &unit); err != nil {
				return err
			}
			if err := block.VerifyInclusion(deal.Root, deal.Header.Size, at, deal.Header.Leaf(&unit), path); err != nil {
				return err
			}
		}
		return nil
	})
	b.add("prove a unit from its tiles and verify it, "+deal.Header.Game, took/1e6, "ms", "≤ 1")
	return err
}
