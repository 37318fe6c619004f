package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// benchPlayers is how many players take turns: as many as on a launch night's busiest minute, so that
// their rows are spread over the database.
const benchPlayers = 40_000

// BenchmarkSales measures whole transactions of sales, with the jackpot, as a seller makes them: keys,
// players, lane, batch, commit. It reports plays a second, one lane, by the number of plays a commit.
func BenchmarkSales(b *testing.B, open func(T) store.Store) {
	for _, size := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("plays=%d", size), func(b *testing.B) { benchmarkSales(b, open(b), size) })
	}
}

func benchmarkSales(b *testing.B, s store.Store, size int) {
	b.Cleanup(func() { _ = s.Close() })
	w := newWorld(b, s)
	crowd := w.crowd(benchPlayers, 1_000_000*money.Unit)
	w.openPot()
	w.emission(coins, 0, 1, 1, 1<<30)
	w.emission(greatPot, 0, 1, 1, 1<<30)
	state, sold := w.openLane(coinsLane, greatPot), 0
	start, used := time.Now(), processorTime()
	for b.Loop() {
		state = w.sellTo(state, crowd, sold, size)
		sold += size
	}
	b.ReportMetric(float64(sold)/time.Since(start).Seconds(), "plays/s")
	b.ReportMetric(float64((processorTime()-used).Microseconds())/float64(sold), "cpu-µs/play")
	b.ReportMetric(0, "ns/op")
}

// Fill opens a lottery in an empty store and sells a number of units, with the jackpot, in batches of
// a thousand.
func Fill(t T, s store.Store, units int) {
	t.Helper()
	w := newWorld(t, s)
	crowd := w.crowd(5000, 1000*money.Unit)
	state := w.openCoins(uint32(units))
	for sold := 0; sold < units; sold += 1000 {
		state = w.sellTo(state, crowd, sold, min(1000, units-sold))
	}
}

// crowd registers many players in one transaction.
func (w *world) crowd(n int, funds money.Amount) []player.ID {
	w.Helper()
	ids := make([]player.ID, n)
	w.update(func(ctx context.Context, tx store.Tx) error {
		for at := range ids {
			ids[at] = player.ID(w.made("player"))
			if err := tx.CreatePlayer(ctx, ids[at], w.now); err != nil {
				return err
			}
			if err := w.credit(ctx, tx, ids[at], funds); err != nil {
				return err
			}
		}
		return nil
	})
	return ids
}

// sellTo sells a batch to the next ones of a crowd, all in one transaction, and gives the lane's new
// state.
func (w *world) sellTo(state store.LaneState, crowd []player.ID, from, size int) store.LaneState {
	w.Helper()
	ids, list, keys := make([]player.ID, size), make([]bought, size), make([]store.KeyDigest, size)
	for at := range ids {
		// A stride that shares no factor with the crowd spreads a batch over all of it.
		ids[at] = crowd[(from+at)*7919%len(crowd)]
		keys[at] = w.made("key")
		list[at] = bought{by: ids[at], key: keys[at]}
	}
	w.now = w.now.Add(time.Millisecond)
	var sale store.Sale
	w.update(func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.PlaysByKey(ctx, keys); err != nil {
			return err
		}
		accounts, err := tx.LockPlayers(ctx, ids, w.now)
		if err != nil {
			return err
		}
		if err := tx.LockLane(ctx, state); err != nil {
			return err
		}
		sale = w.compose(state, accounts, list...)
		return tx.RecordSale(ctx, sale)
	})
	return sale.After
}
