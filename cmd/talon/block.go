package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"text/tabwriter"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/store"
)

// blockCommand is the life of blocks.
type blockCommand struct {
	List     blockList     `cmd:"" help:"List blocks: where each is in its life, and how much of it is sold."`
	Show     blockShow     `cmd:"" help:"Show a block: every step of its life, with who and why."`
	Approve  blockApprove  `cmd:"" help:"Let a sealed block be sold. Whoever dealt it cannot."`
	Withdraw blockWithdraw `cmd:"" help:"Take a block from sale, for ever."`
}

type blockList struct {
	deskFlags
	JSON bool `help:"Print JSON for machines."`
}

// blockLine is a block in a list.
type blockLine struct {
	Block string           `json:"block"`
	Game  string           `json:"game"`
	Stake int              `json:"stake"`
	Price string           `json:"price"`
	Size  uint32           `json:"size"`
	Sold  uint32           `json:"sold"`
	State store.BlockState `json:"state"`
	Root  string           `json:"root"`
}

// Run lists blocks in the order of dealing.
func (c blockList) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	return c.at(ctx, logger, func(d *desk) error {
		blocks, err := d.store.Blocks(ctx)
		if err != nil {
			return err
		}
		lines := make([]blockLine, len(blocks))
		for at, b := range blocks {
			h := b.Deal.Header
			lines[at] = blockLine{h.ID.String(), h.Game, h.Stake, h.Price.String(), h.Size, b.Sold, b.State, b.Deal.Root.String()}
		}
		if c.JSON {
			return json.NewEncoder(s.out).Encode(lines)
		}
		table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "BLOCK\tGAME\tPRICE\tSTATE\tSOLD\tOF")
		for _, l := range lines {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\n", l.Block, l.Game, l.Price, l.State, l.Sold, l.Size)
		}
		return table.Flush()
	})
}

type blockShow struct {
	deskFlags
	Block block.ID `arg:"" help:"The block's identifier."`
}

// Run shows the steps of a block's life.
func (c blockShow) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	return c.at(ctx, logger, func(d *desk) error {
		found, err := d.store.Block(ctx, c.Block)
		if err != nil {
			return err
		}
		life, err := d.store.Life(ctx, c.Block)
		if err != nil {
			return err
		}
		h := found.Deal.Header
		fmt.Fprintf(s.out, "block %s of %s at %s: %d of %d units sold\nroot %s\n", h.ID, h.Game, h.Price, found.Sold, h.Size, found.Deal.Root)
		table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		for _, step := range life {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", step.At.Format(time.RFC3339), step.State, step.By, step.Why)
		}
		return table.Flush()
	})
}

type blockApprove struct {
	deskFlags
	decisionFlags
	Block block.ID `arg:"" help:"The block's identifier."`
}

// Run approves a block.
func (c blockApprove) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	return decide(ctx, s, logger, c.deskFlags, c.decisionFlags, c.Block, store.Approved, func(d *desk) error {
		return d.staff.Approve(ctx, c.Block, c.By, c.Why)
	})
}

type blockWithdraw struct {
	deskFlags
	decisionFlags
	Block block.ID `arg:"" help:"The block's identifier."`
}

// Run withdraws a block.
func (c blockWithdraw) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	return decide(ctx, s, logger, c.deskFlags, c.decisionFlags, c.Block, store.Withdrawn, func(d *desk) error {
		return d.staff.Withdraw(ctx, c.Block, c.By, c.Why)
	})
}

// decide says what a decision would do to a block, or does it and publishes it.
func decide(ctx context.Context, s streams, logger *slog.Logger, flags deskFlags, decision decisionFlags, id block.ID, to store.BlockState, do func(*desk) error) error {
	return flags.at(ctx, logger, func(d *desk) error {
		found, err := d.store.Block(ctx, id)
		if err != nil {
			return err
		}
		life, err := d.store.Life(ctx, id)
		if err != nil {
			return err
		}
		dealtBy := ""
		if len(life) > 0 {
			dealtBy = life[0].By
		}
		step := store.Step{By: decision.By, Why: decision.Why}
		if err := store.CheckMove(found.State, to, dealtBy, step); err != nil {
			return err
		}
		h := found.Deal.Header
		what := fmt.Sprintf("block %s of %s at %s, %d of %d units sold: %s becomes %s by %s", id, h.Game, h.Price, found.Sold, h.Size, found.State, to, decision.By)
		if !decision.Commit {
			fmt.Fprintf(s.out, "%s\nNothing was done. There is no way back; to do it, run it again with --commit.\n", what)
			return nil
		}
		if err := do(d); err != nil {
			return err
		}
		fmt.Fprintln(s.out, what)
		return d.publish(ctx)
	})
}
