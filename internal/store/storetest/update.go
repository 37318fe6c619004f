package storetest

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

var errOnPurpose = errors.New("on purpose")

var updateTests = named("update",
	Test{"all of it happened when it returns nil", func(w *world) {
		ids := w.players(3, 50*money.Unit)
		sale := w.batch(w.openCoins(10), bought{by: ids[0]}, bought{by: ids[1], prize: 20000}, bought{by: ids[2], prize: 9_000_000, due: true})
		before := w.dump()
		w.update(func(ctx context.Context, tx store.Tx) error { return record(ctx, tx, sale) })
		w.same("everything", w.dump(), before.after(sale))
	}},
	Test{"none of it happened when the function returns an error", func(w *world) {
		sale := w.batch(w.openCoins(10), by(w.players(2, money.Unit)...)...)
		w.unchanged(func() {
			err := w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
				w.must(record(ctx, tx, sale))
				return errOnPurpose
			})
			if !errors.Is(err, errOnPurpose) {
				w.Errorf("Update returned %v, not the function's error", err)
			}
		})
		w.must(w.try(sale)) // and it can happen afterwards
	}},
	Test{"none of it happened when the function panics", func(w *world) {
		sale := w.batch(w.openCoins(10), by(w.player(money.Unit))...)
		w.unchanged(func() {
			defer func() { _ = recover() }()
			_ = w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
				w.must(record(ctx, tx, sale))
				panic("on purpose")
			})
		})
		w.must(w.try(sale))
	}},
	Test{"a writing method's error is returned even when the function hides it", func(w *world) {
		state := w.openCoins(10)
		sale := w.batch(state, by(w.players(2, money.Unit)...)...)
		sale.Plays[1].Key = sale.Plays[0].Key
		w.unchanged(func() {
			w.refused(w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
				_ = tx.RecordSale(ctx, sale)
				return nil
			}), fault.Conflict, "key_taken")
		})
	}},
	Test{"methods see what was written before in the same transaction", func(w *world) {
		state, id := w.openCoins(10), w.player(money.Unit)
		sale := w.batch(state, bought{by: id})
		w.update(func(ctx context.Context, tx store.Tx) error {
			w.must(tx.RecordSale(ctx, sale))
			inside, err := ReadAll(ctx, tx)
			w.must(err)
			w.same("plays inside", len(inside.Plays), 1)
			found, err := tx.PlaysByKey(ctx, []store.KeyDigest{sale.Plays[0].Key})
			w.must(err)
			if found[0] == nil {
				w.Errorf("the transaction does not find the key that it bound")
			}
			accounts, err := tx.LockPlayers(ctx, []player.ID{id}, w.now)
			w.must(err)
			w.same("funds inside", accounts[0].Available, sale.Plays[0].After)
			w.refused(tx.LockLane(ctx, sale.Before), fault.Conflict, "lane_moved")
			return tx.LockLane(ctx, sale.After)
		})
	}},
	Test{"others see nothing of it before it returns", func(w *world) {
		w.openCoins(10)
		id := w.player(money.Unit)
		before := w.dump()
		w.update(func(ctx context.Context, tx store.Tx) error {
			w.must(w.credit(ctx, tx, id, money.Unit))
			outside, err := ReadAll(w.ctx, w.Store)
			w.must(err)
			w.same("what others see", outside, before)
			return nil
		})
		w.same("funds", w.available(id), 2*money.Unit)
	}},
	Test{"transactions that read and write the same never lose a change", func(w *world) {
		id := w.player(money.Unit)
		w.together(8, 5, func(int) error {
			return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return w.credit(ctx, tx, id, money.Cent) })
		})
		w.same("funds after 40 credits", w.available(id), money.Unit+40*money.Cent)
		last := money.Amount(0)
		w.must(w.EachMovement(w.ctx, func(m *store.Movement) error {
			w.same("what a movement starts from", m.Before, last)
			last = m.After
			return nil
		}))
	}},
	Test{"nothing happens when the context has ended", func(w *world) {
		id := w.player(money.Unit)
		ended, end := context.WithCancel(w.ctx)
		end()
		w.unchanged(func() {
			err := w.Update(ended, func(ctx context.Context, tx store.Tx) error { return w.credit(ctx, tx, id, money.Unit) })
			if !errors.Is(err, context.Canceled) {
				w.Errorf("Update returned %v, not the context's error", err)
			}
		})
	}},
	Test{"a context that ends inside does not tear it", func(w *world) {
		id := w.player(money.Unit)
		ctx, end := context.WithCancel(w.ctx)
		err := w.Update(ctx, func(inside context.Context, tx store.Tx) error {
			end()
			return w.credit(inside, tx, id, money.Unit)
		})
		want := 2 * money.Unit
		if err != nil {
			want = money.Unit
		}
		w.same("funds", w.available(id), want)
	}},
)

// together runs a function times on each of some goroutines, and reports its errors.
func (w *world) together(goroutines, times int, do func(goroutine int) error) {
	w.Helper()
	var running sync.WaitGroup
	errs := make([]error, goroutines)
	for goroutine := range goroutines {
		running.Go(func() {
			for range times {
				errs[goroutine] = errors.Join(errs[goroutine], do(goroutine))
			}
		})
	}
	running.Wait()
	w.must(errors.Join(errs...))
}

var viewTests = named("view",
	Test{"a context that ends at any moment leaves nothing behind for the next reader", func(w *world) {
		id := w.player(money.Unit)
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				for n := range 1500 {
					ctx, stop := context.WithCancel(w.ctx)
					go func() {
						for range n % 60 {
							runtime.Gosched() // so that it ends at another moment each time
						}
						stop()
					}()
					_ = w.View(ctx, func(ctx context.Context, snapshot store.Reader) error { // ended or not
						_, err := snapshot.Account(ctx, id)
						return err
					})
					stop()
				}
			})
		}
		readers.Wait()
		for range 8 { // more than there are connections
			err := w.View(w.ctx, func(ctx context.Context, snapshot store.Reader) error {
				account, err := snapshot.Account(ctx, id)
				w.same("funds", account.Available, money.Unit)
				return err
			})
			if err != nil {
				w.Errorf("a reader after readers whose context ended: %v", err)
			}
		}
	}},
	Test{"all that it reads belongs together", func(w *world) {
		w.openCoins(10)
		id := w.player(2 * money.Unit)
		w.must(w.View(w.ctx, func(ctx context.Context, snapshot store.Reader) error {
			first, err := ReadAll(ctx, snapshot)
			w.must(err)
			w.sell(coinsLane, bought{by: id})
			w.update(func(ctx context.Context, tx store.Tx) error { return w.credit(ctx, tx, id, money.Unit) })
			second, err := ReadAll(ctx, snapshot)
			w.must(err)
			w.same("the snapshot", second, first)
			return nil
		}))
		w.same("plays afterwards", len(w.dump().Plays), 1)
	}},
	Test{"starts from the newest committed state", func(w *world) {
		id := w.player(money.Unit)
		for want := 2 * money.Unit; want < 6*money.Unit; want += money.Unit {
			w.update(func(ctx context.Context, tx store.Tx) error { return w.credit(ctx, tx, id, money.Unit) })
			w.must(w.View(w.ctx, func(ctx context.Context, snapshot store.Reader) error {
				account, err := snapshot.Account(ctx, id)
				w.same("funds", account.Available, want)
				return err
			}))
		}
	}},
	Test{"gives back the function's error", func(w *world) {
		if err := w.View(w.ctx, func(context.Context, store.Reader) error { return errOnPurpose }); !errors.Is(err, errOnPurpose) {
			w.Errorf("View returned %v, not the function's error", err)
		}
	}},
)

var closeTests = named("close",
	Test{"waits for the transaction in flight", func(w *world) {
		id := player.ID(w.made("player"))
		inside, closing := make(chan struct{}), make(chan struct{})
		var done atomic.Bool
		var running sync.WaitGroup
		running.Go(func() {
			err := w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
				close(inside)
				<-closing
				err := tx.CreatePlayer(ctx, id, w.now)
				done.Store(true)
				return err
			})
			if err != nil {
				w.Errorf("the transaction in flight: %v", err)
			}
		})
		<-inside
		close(closing)
		w.must(w.Close())
		if !done.Load() {
			w.Errorf("Close returned before the transaction in flight ended")
		}
		running.Wait()
	}},
	Test{"makes every method say that it is closed", func(w *world) {
		id := w.player(money.Unit)
		_, err := w.Account(w.ctx, id)
		w.must(err)
		w.must(w.Close())
		w.must(w.Close()) // said again, it is nothing
		_, err = w.Account(w.ctx, id)
		w.refused(err, fault.Unavailable, "storage_closed")
		_, err = w.Session(w.ctx, canon.Digest{})
		w.refused(err, fault.Unavailable, "storage_closed")
		w.refused(w.Update(w.ctx, func(context.Context, store.Tx) error { return nil }), fault.Unavailable, "storage_closed")
		w.refused(w.View(w.ctx, func(context.Context, store.Reader) error { return nil }), fault.Unavailable, "storage_closed")
	}},
)
