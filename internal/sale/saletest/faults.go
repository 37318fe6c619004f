package saletest

import (
	"context"
	"sync"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/player"
)

// Call names a step of a transaction of a sale at which a store can fail.
type Call string

// The steps, in the order in which a sale takes them.
const (
	Begin       Call = "begin"
	PlaysByKey  Call = "plays-by-key"
	LockPlayers Call = "lock-players"
	LockLane    Call = "lock-lane"
	TakeMeters  Call = "take-meters"
	RecordSale  Call = "record-sale"
	Advance     Call = "advance"
	// CommitLost: the commit is reported unknown and did not happen. CommitDone: it is reported
	// unknown and did happen.
	CommitLost Call = "commit-lost"
	CommitDone Call = "commit-done"
)

// Calls lists all steps.
var Calls = []Call{Begin, PlaysByKey, LockPlayers, LockLane, TakeMeters, RecordSale, Advance, CommitLost, CommitDone}

// Moment says on which side of a step a failure strikes; for begin and commits they are the same.
type Moment string

// The moments.
const (
	Before Moment = "before"
	After  Moment = "after"
)

// FailingStore is a store whose transactions fail when they are told to.
type FailingStore struct {
	store.Store
	mutex  sync.Mutex
	fails  func(Call, Moment) bool
	struck int
}

// Failing wraps a store. It does not fail until [FailingStore.Fail] is called.
func Failing(s store.Store) *FailingStore { return &FailingStore{Store: s} }

// Fail makes steps fail where the function says so; nil: never.
func (f *FailingStore) Fail(when func(Call, Moment) bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.fails, f.struck = when, 0
}

// Struck is how often a step failed on purpose since [FailingStore.Fail].
func (f *FailingStore) Struck() int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.struck
}

// Times gives a function for [FailingStore.Fail]: one step fails on one side, n times.
func Times(n int, call Call, moment Moment) func(Call, Moment) bool {
	return func(c Call, m Moment) bool {
		if c != call || m != moment || n == 0 {
			return false
		}
		n--
		return true
	}
}

func (f *FailingStore) strikes(call Call, moment Moment) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.fails == nil || !f.fails(call, moment) {
		return nil
	}
	f.struck++
	if call == CommitLost || call == CommitDone {
		return fault.New(fault.Unavailable, "commit_unknown", "the commit was not confirmed (on purpose)")
	}
	return fault.New(fault.Unavailable, "storage_io", "the store failed %s %s (on purpose)", moment, call)
}

// Update implements [store.Store].
func (f *FailingStore) Update(ctx context.Context, do func(context.Context, store.Tx) error) error {
	if err := f.strikes(Begin, Before); err != nil {
		return err
	}
	var lost error
	err := f.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		lost = nil
		if err := do(ctx, &failingTx{Tx: tx, store: f}); err != nil {
			return err
		}
		lost = f.strikes(CommitLost, Before)
		return lost
	})
	switch {
	case lost != nil:
		return lost
	case err != nil:
		return err
	}
	return f.strikes(CommitDone, Before)
}

type failingTx struct {
	store.Tx
	store *FailingStore
}

// around runs a step between its two moments.
func around[T any](tx *failingTx, call Call, do func() (T, error)) (T, error) {
	var none T
	if err := tx.store.strikes(call, Before); err != nil {
		return none, err
	}
	result, err := do()
	if err != nil {
		return none, err
	}
	return result, tx.store.strikes(call, After)
}

func (tx *failingTx) PlaysByKey(ctx context.Context, keys []store.KeyDigest) ([]*store.Play, error) {
	return around(tx, PlaysByKey, func() ([]*store.Play, error) { return tx.Tx.PlaysByKey(ctx, keys) })
}

func (tx *failingTx) LockPlayers(ctx context.Context, ids []player.ID, now time.Time) ([]*store.Account, error) {
	return around(tx, LockPlayers, func() ([]*store.Account, error) { return tx.Tx.LockPlayers(ctx, ids, now) })
}

func (tx *failingTx) LockLane(ctx context.Context, remembered store.LaneState) error {
	_, err := around(tx, LockLane, func() (struct{}, error) { return struct{}{}, tx.Tx.LockLane(ctx, remembered) })
	return err
}

func (tx *failingTx) TakeMeters(ctx context.Context, name string, except store.Lane) (jackpot.Meter, error) {
	return around(tx, TakeMeters, func() (jackpot.Meter, error) { return tx.Tx.TakeMeters(ctx, name, except) })
}

func (tx *failingTx) RecordSale(ctx context.Context, sale store.Sale) error {
	_, err := around(tx, RecordSale, func() (struct{}, error) { return struct{}{}, tx.Tx.RecordSale(ctx, sale) })
	return err
}

func (tx *failingTx) Advance(ctx context.Context, lane store.Lane, at time.Time) (store.LaneState, error) {
	return around(tx, Advance, func() (store.LaneState, error) { return tx.Tx.Advance(ctx, lane, at) })
}
