package storetest

import (
	"context"
	"errors"
	"slices"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
)

// Dump is everything that a store can be asked for.
type Dump struct {
	Accounts     []store.Account
	Lanes        []store.LaneState // without units before its first block
	Emissions    []store.Emission
	Blocks       []store.Block
	Plays        []store.Play // by block, then index
	Draws        []store.Play // by block of participations, then index
	Transactions []store.LedgerRecord
	Movements    []store.Movement
	Jackpots     map[string]jackpot.Meter // not taken yet
	Meters       map[string]jackpot.Meter
	Lives        map[block.ID][]store.LifeStep
	Published    []store.LogEntry
	Waiting      []store.LogEntry // to be published
	Head         store.LogHead
	Cosignatures []store.Cosignature // on the head
}

// ReadAll reads everything.
func ReadAll(ctx context.Context, s store.Reader) (Dump, error) {
	d := Dump{Jackpots: map[string]jackpot.Meter{}, Meters: map[string]jackpot.Meter{}}
	var err error
	if d.Emissions, err = s.Emissions(ctx); err != nil {
		return d, err
	}
	if d.Blocks, err = s.Blocks(ctx); err != nil {
		return d, err
	}
	for _, step := range []func() error{
		func() error { return d.readLanes(ctx, s) },
		func() error { return d.readPlays(ctx, s) },
		func() error { return d.readRecords(ctx, s) },
		func() error { return d.readJackpots(ctx, s) },
		func() error { return d.readLog(ctx, s) },
	} {
		if err := step(); err != nil {
			return d, err
		}
	}
	d.renumber()
	return d, nil
}

// renumber replaces the store's numbers of plays and transactions by their rank from 1: only their
// order is promised.
func (d *Dump) renumber() {
	var numbers []int64
	for _, play := range d.Plays {
		numbers = append(numbers, play.Number)
	}
	slices.Sort(numbers)
	rank := func(number int64) int64 {
		at, _ := slices.BinarySearch(numbers, number)
		return int64(at) + 1
	}
	for _, plays := range [][]store.Play{d.Plays, d.Draws} {
		for at := range plays {
			plays[at].Number = rank(plays[at].Number)
		}
	}
	numbers = numbers[:0]
	for _, transaction := range d.Transactions {
		numbers = append(numbers, transaction.Number)
	}
	for at := range d.Transactions {
		d.Transactions[at].Number = rank(d.Transactions[at].Number)
	}
	for at := range d.Movements {
		d.Movements[at].Transaction = rank(d.Movements[at].Transaction)
	}
}

// readLog reads the public log and the lives of blocks.
func (d *Dump) readLog(ctx context.Context, s store.Reader) (err error) {
	d.Lives = map[block.ID][]store.LifeStep{}
	for _, b := range d.Blocks {
		id := b.Deal.Header.ID
		if d.Lives[id], err = s.Life(ctx, id); err != nil {
			return err
		}
	}
	if d.Head, err = s.LogHead(ctx); err != nil {
		return err
	}
	if d.Waiting, err = s.ToPublish(ctx, 1000); err != nil {
		return err
	}
	if d.Cosignatures, err = s.Cosignatures(ctx, d.Head.Size); err != nil {
		return err
	}
	return s.EachPublished(ctx, 0, d.Head.Size, func(entry *store.LogEntry) error {
		d.Published = append(d.Published, *entry)
		return nil
	})
}

func (d *Dump) readLanes(ctx context.Context, s store.Reader) error {
	lanes, err := s.Lanes(ctx)
	if err != nil {
		return err
	}
	for _, lane := range lanes {
		state, err := s.Lane(ctx, lane)
		if err != nil && !errors.Is(err, fault.Unavailable) {
			return err
		}
		state.Lane = lane
		d.Lanes = append(d.Lanes, state)
	}
	return nil
}

func (d *Dump) readPlays(ctx context.Context, s store.Reader) error {
	for _, b := range d.Blocks {
		err := s.EachPlay(ctx, b.Deal.Header.ID, func(play *store.Play) error {
			if play.Block == b.Deal.Header.ID {
				d.Plays = append(d.Plays, copyOf(play))
			} else {
				d.Draws = append(d.Draws, copyOf(play))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// copyOf keeps a play, for what visiting functions get may be used again.
func copyOf(play *store.Play) store.Play {
	kept := *play
	kept.Layout, kept.Choice = slices.Clone(play.Layout), slices.Clone(play.Choice)
	if play.Draw != nil {
		draw := *play.Draw
		kept.Draw = &draw
	}
	return kept
}

func (d *Dump) readRecords(ctx context.Context, s store.Reader) error {
	return errors.Join(
		s.EachTransaction(ctx, func(record *store.LedgerRecord) error {
			kept := *record
			kept.Postings = slices.Clone(record.Postings)
			d.Transactions = append(d.Transactions, kept)
			return nil
		}),
		s.EachMovement(ctx, func(movement *store.Movement) error {
			d.Movements = append(d.Movements, *movement)
			return nil
		}),
		s.EachAccount(ctx, func(account *store.Account) error {
			kept := *account
			kept.Unfinished = slices.Clone(account.Unfinished)
			d.Accounts = append(d.Accounts, kept)
			return nil
		}))
}

func (d *Dump) readJackpots(ctx context.Context, s store.Reader) error {
	err := s.EachJackpot(ctx, func(name string, left jackpot.Meter) error {
		d.Jackpots[name] = left
		return nil
	})
	if err != nil {
		return err
	}
	for name := range d.Jackpots {
		if d.Meters[name], err = s.Meter(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) dump() Dump {
	w.Helper()
	d, err := ReadAll(w.ctx, w.Store)
	w.must(err)
	return d
}
