package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/talonlottery/talon/entropy"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/evidence"
)

// likelier are the odds at which participations are examined besides their own.
const likelier = 1000

// evidence deals blocks from a published text and tests what they came to. It ends with errFound when a
// test refuses them.
func (c checkCommand) evidence(ctx context.Context, s streams, d *game.Definition) error {
	if c.Ways {
		return fault.New(fault.Invalid, "evidence_flags", "--ways belongs to the sheet of a game, not to --evidence")
	}
	plan, err := evidence.ForGame(d, c.Blocks)
	if err != nil {
		return err
	}
	deal, err := evidence.GameDeal(d, c.Seed)
	if err != nil {
		return err
	}
	part, err := examine(ctx, s, plan, deal, d.Name)
	if err != nil {
		return err
	}
	parts := []evidence.Part{part}
	if d.Jackpot != "" {
		jackpot, err := games.Jackpot(d.Jackpot)
		if err != nil {
			return err
		}
		for _, odds := range []uint32{jackpot.Odds, likelier} {
			plan, err := evidence.ForParticipations(jackpot, odds, c.Blocks)
			if err != nil {
				return err
			}
			part, err := examine(ctx, s, plan, evidence.DrawDeal(jackpot, odds, c.Seed), jackpot.Name)
			if err != nil {
				return err
			}
			parts = append(parts, part)
		}
	}
	report := evidence.Judge(c.Seed, parts...)
	write := report.Write
	if c.JSON {
		write = report.WriteJSON
	}
	if err := write(s.out); err != nil {
		return err
	}
	if report.Refused > 0 {
		return errFound
	}
	return nil
}

func examine(ctx context.Context, s streams, plan *evidence.Plan, deal evidence.Deal, name string) (evidence.Part, error) {
	return plan.Examine(ctx, deal, func(done, total int) {
		fmt.Fprintf(s.log, "%s: %d of %d blocks\n", name, done, total)
	})
}

type keystreamCommand struct {
	Seed string `help:"Text that the secret is taken from." default:"${evidence_seed}"`
}

// Run writes the keystream of a block's shuffle key, for ever, until whoever reads it has enough. Words
// are as outcomes read them, most significant byte first.
func (c keystreamCommand) Run(ctx context.Context, s streams) error {
	id, secret, err := evidence.Published(c.Seed, "keystream", 0)
	if err != nil {
		return err
	}
	keys, err := entropy.Derive(secret.Reveal(), id[:])
	if err != nil {
		return err
	}
	cipher := entropy.NewCipher(keys.Shuffle)
	out := bufio.NewWriterSize(s.out, 1<<16)
	stream := entropy.NewStream(cipher, 0)
	for ctx.Err() == nil {
		for range 1 << 12 {
			x := stream.Uint32()
			if _, err := out.Write([]byte{byte(x >> 24), byte(x >> 16), byte(x >> 8), byte(x)}); err != nil {
				return nil // the reader has enough
			}
		}
	}
	return nil
}
