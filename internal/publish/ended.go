package publish

import (
	"context"
	"errors"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// Evidence proves to a vault that a block has ended, out of the public log. It returns Unavailable with code
// end_not_published while the log does not show it, and otherwise the errors of the store.
func (p *Publisher) Evidence(ctx context.Context, id block.ID) (evidence custody.Evidence, err error) {
	err = p.config.Store.View(ctx, func(ctx context.Context, reader store.Reader) error {
		end, err := endOf(ctx, reader, id)
		if err != nil {
			return err
		}
		head, err := reader.LogHead(ctx)
		if err != nil {
			return err
		}
		evidence = custody.Evidence{Entry: end.Body, Index: uint64(end.Position)}
		if evidence.Checkpoint, err = cosigned(ctx, reader, head); err != nil {
			return err
		}
		evidence.Path, err = prove(ctx, reader, head, end)
		return err
	})
	return evidence, err
}

// Ended is how a vault judges evidence: the log that the key signs holds the block's withdrawal, or
// tells that all of its units were sold. The vault needs nobody's word for it. It returns Refused with
// code end_not_proven for anything else.
func Ended(key publiclog.Key) func(block.Header, custody.Evidence) error {
	return func(header block.Header, evidence custody.Evidence) error {
		refused := fault.New(fault.Refused, "end_not_proven", "the public log does not show that block %s has ended", header.ID).
			Next("open a block once it is sold out or withdrawn, and that is published")
		checkpoint, err := publiclog.OpenCheckpoint(evidence.Checkpoint, key, nil, 0)
		if err != nil {
			return refused
		}
		leaf := publiclog.Leaf(evidence.Entry)
		if publiclog.VerifyInclusion(checkpoint.Root, checkpoint.Size, evidence.Index, leaf, evidence.Path) != nil {
			return refused
		}
		entry, err := publiclog.Parse(evidence.Entry)
		if err != nil {
			return refused
		}
		switch e := entry.(type) {
		case publiclog.Withdrawal:
			if e.Block == header.ID {
				return nil
			}
		case publiclog.Sales:
			if e.Block == header.ID && e.Sold == header.Size {
				return nil
			}
		}
		return refused
	}
}

// endOf finds the published entry that tells that a block ended: its withdrawal, or the sales entry
// with its last unit. It returns Unavailable with code end_not_published while there is none.
func endOf(ctx context.Context, reader store.Reader, id block.ID) (store.LogEntry, error) {
	found, err := reader.Block(ctx, id)
	if err != nil {
		return store.LogEntry{}, err
	}
	waits := fault.New(fault.Unavailable, "end_not_published", "the end of block %s is not in the public log yet", id).
		Next("a node that runs publishes it within seconds; ask again then")
	if found.State == store.Withdrawn {
		entries, err := reader.LogOf(ctx, id, string(publiclog.KindWithdrawal))
		if err == nil && (len(entries) == 0 || entries[0].Position == store.Unpublished) {
			err = waits
		}
		if err != nil {
			return store.LogEntry{}, err
		}
		return entries[0], nil
	}
	entry, err := reader.SalesEntry(ctx, id, found.Deal.Header.Size-1)
	if errors.Is(err, fault.NotFound) {
		err = waits
	}
	return entry, err
}
