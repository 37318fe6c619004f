package office

import (
	"context"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// Staff records what persons decide about blocks, with who and why, in the database and in the public
// log together. It is safe for concurrent use.
type Staff struct {
	Store store.Store
	Clock func() time.Time
	// Announced, when set, is told that there is something to publish.
	Announced func()
}

// Approve lets a sealed block be sold. It returns Refused with code four_eyes when the same person
// dealt it, and Conflict with code block_state unless the block is sealed.
func (s Staff) Approve(ctx context.Context, id block.ID, by, why string) error {
	return s.move(ctx, id, store.Approved, store.Step{By: by, Why: why, At: s.now()}, func(store.Block) publiclog.Entry {
		return publiclog.Approval{At: s.now(), Block: id, By: by, Why: why}
	})
}

// Withdraw takes a block from sale, for ever, wherever it is before its end. Units that were sold stay
// sold. Conflict with code block_state when it has ended.
func (s Staff) Withdraw(ctx context.Context, id block.ID, by, why string) error {
	return s.move(ctx, id, store.Withdrawn, store.Step{By: by, Why: why, At: s.now()}, func(b store.Block) publiclog.Entry {
		return publiclog.Withdrawal{At: s.now(), Block: id, Sold: b.Sold, Root: b.Sales.Root(), By: by, Why: why}
	})
}

// Releaser gives out the secret of a block that ended, for evidence of its end.
type Releaser interface {
	Release(ctx context.Context, header block.Header, evidence custody.Evidence) (custody.Released, error)
}

// Open publishes the secret of a block that is no longer sold. The evidence of its end comes from the
// public log; the vault judges it by itself. Errors as the vault's, and Conflict with code block_state
// unless the block is sold out or withdrawn.
func (s Staff) Open(ctx context.Context, id block.ID, by, why string, vault Releaser, evidence custody.Evidence) error {
	found, err := s.Store.Block(ctx, id)
	if err != nil {
		return err
	}
	if !found.State.LeadsTo(store.Opened) {
		return store.CheckMove(found.State, store.Opened, "", store.Step{By: by, Why: why})
	}
	released, err := vault.Release(ctx, found.Deal.Header, evidence)
	if err != nil {
		return err
	}
	if found.Deal.Header.Commitment(released.Secret) != found.Deal.Commitment {
		return fault.New(fault.Corrupt, "commitment_wrong", "the vault's secret of block %s is not the one that was committed to", id).
			Next("open nothing; find out whose vault answers")
	}
	opening := publiclog.Opening{At: s.now(), Block: id, Secret: released.Secret, Signature: released.Signature}
	for _, share := range released.Shares {
		opening.Shares = append(opening.Shares, publiclog.Share{Party: share.Party, Share: share.Bytes})
	}
	return s.move(ctx, id, store.Opened, store.Step{By: by, Why: why, At: s.now()}, func(store.Block) publiclog.Entry { return opening })
}

// move lets a block pass to a state with the entry that tells of it, made from the block as it is in
// the transaction.
func (s Staff) move(ctx context.Context, id block.ID, to store.BlockState, step store.Step, entry func(store.Block) publiclog.Entry) error {
	err := s.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		found, err := tx.Block(ctx, id)
		if err != nil {
			return err
		}
		if err := step.Check(); err != nil {
			return err
		}
		made, err := store.NewAnnouncement(entry(found))
		if err != nil {
			return err
		}
		if to == store.Withdrawn {
			if err := tellSales(ctx, tx, found, step.At); err != nil {
				return err
			}
		}
		return tx.MoveBlock(ctx, id, to, step, made)
	})
	return s.announced(err)
}

// tellSales tells the log of the last sales of a block before it is withdrawn: receipts rest on entries
// of sales, and none follows.
func tellSales(ctx context.Context, tx store.Tx, b store.Block, at time.Time) error {
	if b.Sold == b.Announced || b.State != store.OnSale {
		return nil
	}
	entry, err := store.NewAnnouncement(publiclog.Sales{At: at, Block: b.Deal.Header.ID, Sold: b.Sold, Root: b.Sales.Root()})
	if err != nil {
		return err
	}
	return tx.AnnounceSales(ctx, b.Sold, entry)
}

func (s Staff) now() time.Time { return s.Clock().UTC().Truncate(time.Millisecond) }
