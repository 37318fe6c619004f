package office

import (
	"context"
	"slices"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// What the office does to blocks is told to the public log in the same transaction.

// openEmission opens an emission, and publishes its definition unless it was.
func openEmission(ctx context.Context, tx store.Tx, definition publiclog.Definition, emission store.Emission) error {
	known, err := tx.LogOf(ctx, block.ID{}, string(publiclog.KindDefinition))
	if err != nil {
		return err
	}
	entry, err := store.NewAnnouncement(definition)
	if err != nil {
		return err
	}
	same := func(other store.LogEntry) bool {
		read, err := publiclog.Parse(other.Body)
		found, ok := read.(publiclog.Definition)
		return err == nil && ok && found.Definition == definition.Definition
	}
	if !slices.ContainsFunc(known, same) {
		if err := tx.Announce(ctx, entry); err != nil {
			return err
		}
	}
	id, err := tx.OpenEmission(ctx, emission)
	if err != nil {
		return err
	}
	return announce(ctx, tx, publiclog.Emission{At: emission.Opened, Emission: uint64(id), Game: emission.Game,
		Stake: uint32(emission.Stake), Blocks: uint32(emission.Blocks)})
}

func announce(ctx context.Context, tx store.Tx, entry publiclog.Entry) error {
	made, err := store.NewAnnouncement(entry)
	if err != nil {
		return err
	}
	return tx.Announce(ctx, made)
}

// addBlock records a dealt block with its seal. The seal of a block whose secret was mixed repeats
// what its ceremony published.
func addBlock(ctx context.Context, tx store.Tx, dealt store.Dealt, step store.Step) error {
	h := dealt.Deal.Header
	seal := publiclog.Seal{At: step.At, Block: h.ID, Game: h.Game, Definition: h.Definition, Stake: uint32(h.Stake), Price: h.Price, Size: h.Size,
		Root: dealt.Deal.Root, Commitment: dealt.Deal.Commitment, Emission: uint64(dealt.Emission), Position: uint32(dealt.Position), By: step.By}
	ceremony, err := readCeremony(ctx, tx, h.ID)
	if err != nil {
		return err
	}
	if ceremony != nil {
		seal.Contributions, seal.Beacon = ceremony.pledges(), ceremony.entry.Beacon
	}
	made, err := store.NewAnnouncement(seal)
	if err != nil {
		return err
	}
	return tx.AddBlock(ctx, dealt, step, made)
}

// runApprovals approves sealed blocks while others are being dealt, until the context ends.
func (s *Supply) runApprovals(ctx context.Context) {
	if s.config.ApprovedBy == "" {
		return
	}
	for {
		if err := s.approve(ctx); err != nil && ctx.Err() == nil {
			s.config.Log.ErrorContext(ctx, "a block was not approved", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.sealed:
		case <-time.After(lookAgain):
		}
	}
}

// approve approves every sealed block by the configured name.
func (s *Supply) approve(ctx context.Context) error {
	staff := Staff{Store: s.config.Store, Clock: s.config.Clock, Announced: s.config.Announced}
	blocks, err := s.config.Store.Blocks(ctx)
	if err != nil {
		return err
	}
	for _, b := range blocks {
		if b.State != store.Sealed {
			continue
		}
		if err := staff.Approve(ctx, b.Deal.Header.ID, s.config.ApprovedBy, "a demonstration approves every sealed block"); err != nil {
			return err
		}
		s.config.Log.InfoContext(ctx, "a block is approved", "game", b.Deal.Header.Game, "stake", b.Deal.Header.Stake, "block", b.Deal.Header.ID)
	}
	return nil
}
