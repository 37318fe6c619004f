package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/reconcile"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/vault"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// benchFunds is what each player begins with: more than a run can spend.
const benchFunds = 100_000 * money.Unit

// sales measures the real sale: every check, one durable transaction, SQLite on the disk of the folder.
func (b *benchRun) sales(ctx context.Context, logger *slog.Logger) error {
	commit, err := commitTime(filepath.Join(b.folder, "commits"))
	if err != nil {
		return err
	}
	b.add("the disk: write a page and make it durable, median", milliseconds(commit), "ms", "")
	h, err := openHouse(ctx, houseConfig{
		folder: filepath.Join(b.folder, "house"), catalogue: b.catalogue, blocks: 3, log: logger,
		dealtBy: "bench-dealer", approvedBy: "bench-approver", public: publicFlags{LogName: "localhost/talon-bench"},
	})
	if err != nil {
		return err
	}
	defer func() { _ = h.close(context.WithoutCancel(ctx)) }() // what was sold is thrown away
	if err := b.ready(ctx, h); err != nil {
		return err
	}
	debug.FreeOSMemory()
	now, _ := resident()
	b.add("memory with every game on sale", now, "MB", "≤ 100")
	m := &market{run: b, house: h, game: b.subject()}
	if err := m.register(ctx); err != nil {
		return err
	}
	if err := m.measure(ctx, commit); err != nil {
		return err
	}
	_, most := resident()
	b.add("memory at most", most, "MB", "")
	return b.agree(ctx, h)
}

// subject is the game that is sold: one without a choice, with a jackpot if there is one, so that a
// sale does the most.
func (b *benchRun) subject() (game string) {
	for _, g := range b.catalogue.Games() {
		if g.Choice == nil && (game == "" || g.Jackpot != "") {
			game = g.Name
		}
	}
	return game
}

// ready waits until every game is on sale and no block is being dealt.
func (b *benchRun) ready(ctx context.Context, h *house) error {
	if b.subject() == "" {
		return fault.New(fault.Invalid, "bench_game", "every game has a choice; one without is needed to measure sales")
	}
	for quiet := 0; quiet < 5; quiet++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
		for _, g := range b.catalogue.Games() {
			for stake := range g.Stakes {
				state, err := h.supply.State(ctx, g.Name, stake)
				if err != nil {
					return err
				}
				if _, dealing := h.supply.Dealing(g.Name, stake); dealing || state != office.OnSale {
					quiet = -1
				}
			}
		}
		for _, j := range b.catalogue.Jackpots() {
			if _, dealing := h.supply.Dealing(j.Name, 0); dealing {
				quiet = -1
			}
		}
	}
	return nil
}

// market is who buys.
type market struct {
	run     *benchRun
	house   *house
	game    string
	players []player.ID
	seen    []block.PlayID // by player: the last play, shown to the end
	keys    atomic.Uint64
}

// register makes the players with their play money, a thousand a transaction.
func (m *market) register(ctx context.Context) error {
	m.players = make([]player.ID, m.run.command.Players)
	m.seen = make([]block.PlayID, len(m.players))
	for chunk := range slices.Chunk(m.players, 1000) {
		err := m.house.store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
			for i := range chunk {
				if _, err := rand.Read(chunk[i][:]); err != nil {
					return err
				}
				at := time.Now()
				if err := tx.CreatePlayer(ctx, chunk[i], at); err != nil {
					return err
				}
				entry, err := ledger.New(ledger.PlayMoney, chunk[i].String(), at,
					ledger.Posting{Account: ledger.PlayMoneySource, Amount: benchFunds},
					ledger.Posting{Account: ledger.PlayerFunds, Amount: -benchFunds})
				if err != nil {
					return err
				}
				if err := tx.Credit(ctx, chunk[i], benchFunds, entry); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// measure sells with many buyers, with one play a commit, and to one buyer alone.
func (m *market) measure(ctx context.Context, commit time.Duration) error {
	c := m.run.command
	if _, err := m.sell(ctx, 0, c.Buyers, c.Time/10); err != nil { // warms up
		return err
	}
	many, err := m.sell(ctx, 0, c.Buyers, c.Time)
	if err != nil {
		return err
	}
	m.run.add(fmt.Sprintf("sale, SQLite, %d buyers, %d players", c.Buyers, c.Players), many.rate(), "plays/s", "≥ 20 000")
	m.run.add("the same, median until the answer", milliseconds(many.quantile(0.5)), "ms", "")
	m.run.add("the same, 99th percentile", milliseconds(many.quantile(0.99)), "ms", "")
	single, err := m.sell(ctx, 1, c.Buyers, c.Time/2)
	if err != nil {
		return err
	}
	m.run.add("one play a commit, the same disk", single.rate(), "plays/s", "")
	m.run.add("gain of selling together", many.rate()/single.rate(), "×", "≥ 6")
	alone, err := m.sell(ctx, 0, 1, c.Time/4)
	if err != nil {
		return err
	}
	m.run.add("one player alone, median until the answer", milliseconds(alone.quantile(0.5)), "ms", "")
	m.run.add("the same, in commits of the disk", float64(alone.quantile(0.5))/float64(commit), "×", "≤ 2")
	return nil
}

// sold is what one measurement sold.
type sold struct {
	waits []time.Duration // ascending
	took  time.Duration
}

func (s *sold) rate() float64 { return float64(len(s.waits)) / s.took.Seconds() }

func (s *sold) quantile(part float64) time.Duration {
	if len(s.waits) == 0 {
		return 0
	}
	return s.waits[min(int(part*float64(len(s.waits))), len(s.waits)-1)]
}

// sell lets buyers buy for a while, each for players of its own in turn, through a seller with batches
// of a given size at most.
func (m *market) sell(ctx context.Context, batchMost, buyers int, during time.Duration) (sold, error) {
	seller, err := sale.New(ctx, sale.Config{
		Store: m.house.store, Vault: m.house.vault, Catalogue: m.run.catalogue, Clock: time.Now, BatchMost: batchMost,
		SoldOut: func(id block.ID) { m.house.vault.Forget(id); m.house.supply.Wake() },
	})
	if err != nil {
		return sold{}, err
	}
	waits, errs := make([][]time.Duration, buyers), make([]error, buyers)
	start := time.Now()
	var all sync.WaitGroup
	for buyer := range buyers {
		all.Go(func() { waits[buyer], errs[buyer] = m.buy(ctx, seller, buyer, buyers, start.Add(during)) })
	}
	all.Wait()
	result := sold{waits: slices.Concat(waits...), took: time.Since(start)}
	slices.Sort(result.waits)
	return result, errors.Join(append(errs, seller.Close(ctx))...)
}

func (m *market) buy(ctx context.Context, seller *sale.Seller, buyer, buyers int, until time.Time) (waits []time.Duration, err error) {
	for at := buyer; ; at += buyers {
		if at >= len(m.players) {
			at = buyer
		}
		asked := time.Now()
		if asked.After(until) {
			return waits, nil
		}
		receipt, err := seller.Sell(ctx, sale.Request{
			Player: m.players[at], Key: fmt.Sprintf("bench-%d", m.keys.Add(1)), Game: m.game, Seen: m.seen[at],
		})
		switch {
		case errors.Is(err, fault.Unavailable):
			time.Sleep(time.Millisecond) // the next block is still being dealt
			continue
		case err != nil:
			return waits, err
		}
		m.seen[at] = receipt.Play.ID
		waits = append(waits, time.Since(asked))
	}
}

// agree re-reads everything that was recorded.
func (b *benchRun) agree(ctx context.Context, h *house) error {
	start := time.Now()
	var report reconcile.Report
	err := h.store.View(ctx, func(ctx context.Context, reader store.Reader) (err error) {
		report, err = reconcile.Check(ctx, reader, b.catalogue, reconcile.Options{
			Tiles: func(id block.ID) (reconcile.Tiles, error) {
				return os.Open(vault.TilesPath(filepath.Join(h.folder, tilesFolder), id))
			},
		})
		return err
	})
	if err != nil {
		return err
	}
	if !report.OK() {
		_ = report.WriteText(b.log)
		return errFound
	}
	b.add("plays sold, all re-read and agreeing", float64(report.Counts.Plays), "plays", "all")
	b.add("re-reading", float64(report.Counts.Plays)/time.Since(start).Seconds(), "plays/s", "")
	return nil
}

// commitTime is the median time that the disk takes to make one page durable, in a file whose size
// does not change.
func commitTime(path string) (time.Duration, error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	page, times := make([]byte, 4096), make([]time.Duration, 300)
	if _, err := file.Write(make([]byte, len(times)*len(page))); err != nil {
		return 0, err
	}
	for i := range times {
		start := time.Now()
		if _, err := file.WriteAt(page, int64(i*len(page))); err != nil {
			return 0, err
		}
		if err := file.Sync(); err != nil {
			return 0, err
		}
		times[i] = time.Since(start)
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
