package storetest

import (
	"context"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// The transactions of twins: each forgets one thing.

type cursorUnchecked struct{ store.Tx }

func (t cursorUnchecked) RecordSale(ctx context.Context, sale store.Sale) error {
	if now, err := t.Lane(ctx, sale.Before.Lane); err == nil && now.Version != sale.Before.Version {
		return nil // what an UPDATE without its WHERE would say
	}
	return t.Tx.RecordSale(ctx, sale)
}

// saleWatched tells whether a transaction recorded a sale.
type saleWatched struct {
	store.Tx
	sold bool
}

func (t *saleWatched) RecordSale(ctx context.Context, sale store.Sale) error {
	t.sold = true
	return t.Tx.RecordSale(ctx, sale)
}

type fundsUnchecked struct{ store.Tx }

func (t fundsUnchecked) RecordSale(ctx context.Context, sale store.Sale) error {
	for _, account := range sale.Accounts {
		if account.Available < 0 {
			return nil
		}
	}
	return t.Tx.RecordSale(ctx, sale)
}

type keysUnchecked struct{ store.Tx }

func (t keysUnchecked) RecordSale(ctx context.Context, sale store.Sale) error {
	seen := map[store.KeyDigest]bool{}
	for at := range sale.Plays {
		key := &sale.Plays[at].Key
		found, err := t.PlaysByKey(ctx, []store.KeyDigest{*key})
		if err != nil {
			return err
		}
		for found[0] != nil || seen[*key] {
			key[0]++
			if found, err = t.PlaysByKey(ctx, []store.KeyDigest{*key}); err != nil {
				return err
			}
		}
		seen[*key] = true
	}
	return t.Tx.RecordSale(ctx, sale)
}

type laneUnlocked struct{ store.Tx }

func (laneUnlocked) LockLane(context.Context, store.LaneState) error { return nil }

type entryForgotten struct{ store.Tx }

func (t entryForgotten) RecordSale(ctx context.Context, sale store.Sale) error {
	sale.Entries = sale.Entries[:1]
	return t.Tx.RecordSale(ctx, sale)
}

type meterForgotten struct{ store.Tx }

func (t meterForgotten) RecordSale(ctx context.Context, sale store.Sale) error {
	sale.After.Meter = sale.Before.Meter
	return t.Tx.RecordSale(ctx, sale)
}

type periodIgnored struct{ store.Tx }

func (t periodIgnored) LockPlayers(ctx context.Context, ids []player.ID, _ time.Time) ([]*store.Account, error) {
	return t.Tx.LockPlayers(ctx, ids, time.UnixMilli(0))
}

type keysReversed struct{ store.Tx }

func (t keysReversed) PlaysByKey(ctx context.Context, keys []store.KeyDigest) ([]*store.Play, error) {
	found, err := t.Tx.PlaysByKey(ctx, keys)
	for from, to := 0, len(found)-1; from < to; from, to = from+1, to-1 {
		found[from], found[to] = found[to], found[from]
	}
	return found, err
}

type metersLeft struct{ store.Tx }

func (t metersLeft) TakeMeters(ctx context.Context, name string, except store.Lane) (jackpot.Meter, error) {
	all, err := t.Meter(ctx, name)
	if err != nil {
		return all, err
	}
	own, err := t.Lane(ctx, except)
	return jackpot.Meter{Pot: all.Pot - own.Meter.Pot, Reserve: all.Reserve - own.Meter.Reserve, Advances: all.Advances - own.Meter.Advances}, err
}

type blocksUnchecked struct{ store.Tx }

func (t blocksUnchecked) AddBlock(ctx context.Context, dealt store.Dealt, step store.Step, seal store.Announcement) error {
	if err := t.Tx.AddBlock(ctx, dealt, step, seal); fault.CodeOf(err) != "emission_full" {
		return err
	}
	return nil
}

type creditTwice struct{ store.Tx }

func (t creditTwice) Credit(ctx context.Context, id player.ID, amount money.Amount, entry ledger.Transaction) error {
	if err := t.Tx.Credit(ctx, id, amount, entry); err != nil {
		return err
	}
	return t.Tx.Credit(ctx, id, amount, entry)
}

type choiceAgain struct{ store.Tx }

func (t choiceAgain) RecordChoice(ctx context.Context, id player.ID, play block.PlayID, cells []int, at time.Time) error {
	if err := t.Tx.RecordChoice(ctx, id, play, cells, at); fault.CodeOf(err) != "choice_recorded" {
		return err
	}
	return nil
}

type neverShown struct{ store.Tx }

func (neverShown) MarkShown(context.Context, player.ID, block.PlayID) error { return nil }

type stateUnchecked struct{ store.Tx }

func (t stateUnchecked) MoveBlock(ctx context.Context, id block.ID, to store.BlockState, step store.Step, entry store.Announcement) error {
	if err := t.Tx.MoveBlock(ctx, id, to, step, entry); fault.CodeOf(err) != "block_state" {
		return err
	}
	return nil
}

type twoEyes struct{ store.Tx }

func (t twoEyes) MoveBlock(ctx context.Context, id block.ID, to store.BlockState, step store.Step, entry store.Announcement) error {
	if step.By == dealer {
		step.By = "somebody else"
	}
	return t.Tx.MoveBlock(ctx, id, to, step, entry)
}

type laneKept struct{ store.Tx }

func (t laneKept) MoveBlock(ctx context.Context, id block.ID, to store.BlockState, step store.Step, entry store.Announcement) error {
	if to == store.Withdrawn {
		return t.Tx.Announce(ctx, entry)
	}
	return t.Tx.MoveBlock(ctx, id, to, step, entry)
}

type leaseForAll struct{ store.Tx }

func (leaseForAll) TakeLease(context.Context, store.Lease, time.Time) error { return nil }

type salesAgain struct{ store.Tx }

func (t salesAgain) AnnounceSales(ctx context.Context, sold uint32, entry store.Announcement) error {
	if err := t.Tx.AnnounceSales(ctx, sold, entry); fault.CodeOf(err) != "sales_announced" {
		return err
	}
	return t.Announce(ctx, entry)
}

type logUnchecked struct{ store.Tx }

func (t logUnchecked) GrowLog(ctx context.Context, growth store.Growth) error {
	if err := t.Tx.GrowLog(ctx, growth); fault.CodeOf(err) != "log_moved" {
		return err
	}
	return nil
}
