package sale_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// BenchmarkSell sells units of « Precius Aurus », each with its participation, on SQLite with full
// durability: 1 000 buyers in flight, 40 000 players, all checks on. "together" is the seller as it is,
// "alone" commits each play by itself: their ratio is what selling together gains on this disk.
//
//	go test ./internal/sale -run xxx -bench Sell -benchtime 60000x
func BenchmarkSell(b *testing.B) {
	b.Run("together", func(b *testing.B) { benchmarkSell(b, 0) })
	b.Run("alone", func(b *testing.B) { benchmarkSell(b, 1) })
}

func benchmarkSell(b *testing.B, batchMost int) {
	const buyers, players = 1000, 40_000
	set, err := games.All()
	if err != nil {
		b.Fatal(err)
	}
	all, err := catalogue.New(set.Games, set.Jackpots)
	if err != nil {
		b.Fatal(err)
	}
	h := &house{t: b, folder: b.TempDir(), games: all}
	h.open()
	b.Cleanup(h.stop)
	saletest.OpenJackpots(b, h.store, h.games)
	saletest.Players(b, h.store, players, 1000*money.Unit)
	saletest.OpenLanes(b, h.store, h.games, "precius-aurus", 0, 1)
	saletest.OpenEmission(b, h.store, h.vault.Deal, "precius-aurus", 0, 1, 1)
	saletest.OpenEmission(b, h.store, h.vault.Deal, "super-jackpot", 0, 1, 1)
	plays, batches := 0, 0
	h.config.BatchMost, h.config.Clock = batchMost, time.Now
	h.config.Observe = func(batch sale.Batch) { plays += batch.Plays; batches++ }
	h.start()

	var next atomic.Int64
	var ids [players]player.ID
	var seen [players]block.PlayID
	for n := range ids {
		ids[n] = saletest.Player(n)
	}
	var selling sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	for buyer := range buyers {
		selling.Go(func() {
			for at := buyer; next.Add(1) <= int64(b.N); at = (at + buyers) % players {
				receipt, err := h.seller.Sell(context.Background(), sale.Request{
					Player: ids[at], Key: fmt.Sprint(next.Load(), "-", at), Game: "precius-aurus", Seen: seen[at],
				})
				if err != nil {
					b.Error(err)
					return
				}
				seen[at] = receipt.Play.ID
			}
		})
	}
	selling.Wait()
	b.StopTimer()
	h.stop()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plays/s")
	b.ReportMetric(float64(plays)/float64(batches), "plays/commit")
}
