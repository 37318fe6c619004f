package sale_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
)

// countingStore counts transactions.
type countingStore struct {
	store.Store
	updates atomic.Int64
}

func (c *countingStore) Update(ctx context.Context, do func(context.Context, store.Tx) error) error {
	c.updates.Add(1)
	return c.Store.Update(ctx, do)
}

// TestChoicesAreRecordedTogether lets many players choose and see their plays at the same time: each
// has its own choice recorded, refusals concern their own play only, and there are fewer transactions
// than notes.
func TestChoicesAreRecordedTogether(t *testing.T) {
	h := build(t).lanes(moons, 0, 1, 1)
	const players = 120
	saletest.Players(t, h.store, players, 10*money.Unit)
	counting := &countingStore{Store: h.store}
	h.config.Store = counting
	h.start()
	plays := make([]block.PlayID, players)
	for n := range players {
		plays[n] = h.sell(request(n, fmt.Sprint("k", n), moons, 0)).Play.ID
	}
	before := counting.updates.Load()
	var working sync.WaitGroup
	for n := range players {
		working.Go(func() {
			ctx, who := t.Context(), saletest.Player(n)
			own := []int{n % 6, (n + 1) % 6, (n + 2) % 6}
			if _, err := h.seller.Choose(ctx, who, plays[n], []int{0, 0, 1}); fault.CodeOf(err) != "choice_malformed" {
				t.Errorf("player %d: a malformed choice: %v", n, err)
			}
			if err := h.seller.Shown(ctx, who, plays[n]); fault.CodeOf(err) != "choice_missing" {
				t.Errorf("player %d: shown before the choice: %v", n, err)
			}
			play, err := h.seller.Choose(ctx, who, plays[n], own)
			if err != nil || fmt.Sprint(play.Choice) != fmt.Sprint(own) {
				t.Errorf("player %d: choice %v: %v", n, play.Choice, err)
			}
			if _, err := h.seller.Choose(ctx, who, plays[n], []int{5, 4, 3}); n%6 != 3 && fault.CodeOf(err) != "choice_recorded" {
				t.Errorf("player %d: another choice: %v", n, err)
			}
			if _, err := h.seller.Choose(ctx, who, plays[(n+1)%players], own); fault.CodeOf(err) != "play_unknown" {
				t.Errorf("player %d: the choice of another player's play: %v", n, err)
			}
			if err := h.seller.Shown(ctx, who, plays[n]); err != nil {
				t.Errorf("player %d: %v", n, err)
			}
		})
	}
	working.Wait()
	for n := range players {
		play, err := h.store.Play(t.Context(), saletest.Player(n), plays[n])
		if want := fmt.Sprint([]int{n % 6, (n + 1) % 6, (n + 2) % 6}); err != nil || !play.Shown || fmt.Sprint(play.Choice) != want {
			t.Errorf("player %d: recorded %v, shown %v, want %s: %v", n, play.Choice, play.Shown, want, err)
		}
	}
	if together, notes := counting.updates.Load()-before, int64(6*players); together >= notes/2 {
		t.Errorf("%d notes took %d transactions: they were not recorded together", notes, together)
	}
}

// TestAFailingNoteDoesNotSinkTheOthers fails the store once while choices wait: each is told, or
// recorded by itself, and none is lost or doubled.
func TestAFailingNoteDoesNotSinkTheOthers(t *testing.T) {
	h := build(t).lanes(moons, 0, 1, 1)
	const players = 40
	saletest.Players(t, h.store, players, 10*money.Unit)
	failing := &failingUpdates{Store: h.store}
	h.config.Store = failing
	h.start()
	plays := make([]block.PlayID, players)
	for n := range players {
		plays[n] = h.sell(request(n, fmt.Sprint("k", n), moons, 0)).Play.ID
	}
	failing.every.Store(3)
	var working sync.WaitGroup
	for n := range players {
		working.Go(func() {
			for { // a client asks again until it is told
				_, err := h.seller.Choose(t.Context(), saletest.Player(n), plays[n], []int{1, 2, 3})
				if err == nil {
					return
				}
				if fault.KindOf(err) != fault.Unavailable {
					t.Errorf("player %d: %v", n, err)
					return
				}
			}
		})
	}
	working.Wait()
	for n := range players {
		if play, err := h.store.Play(t.Context(), saletest.Player(n), plays[n]); err != nil || len(play.Choice) != 3 {
			t.Errorf("player %d: %v, %v", n, play.Choice, err)
		}
	}
}

// failingUpdates refuses each n-th transaction, before or after it took effect.
type failingUpdates struct {
	store.Store
	every, asked atomic.Int64
}

func (f *failingUpdates) Update(ctx context.Context, do func(context.Context, store.Tx) error) error {
	every := f.every.Load()
	asked := f.asked.Add(1)
	if every == 0 || asked%every != 0 {
		return f.Store.Update(ctx, do)
	}
	if asked%2 == 0 {
		if err := f.Store.Update(ctx, do); err != nil {
			return err
		}
	}
	return fault.New(fault.Unavailable, "storage_io", "refused on purpose")
}

// BenchmarkChoose records choices of 64 players at a time, each of a play of its own; run it with
// -benchtime 4000x, for that many plays are sold first.
func BenchmarkChoose(b *testing.B) {
	const atATime = 64
	h := build(b).lanes(moons, 0, 1, 1+b.N/500)
	saletest.Players(b, h.store, b.N, 10*money.Unit)
	h.start()
	plays := make([]block.PlayID, b.N)
	var selling sync.WaitGroup
	for worker := range atATime {
		selling.Go(func() {
			for n := worker; n < b.N; n += atATime {
				receipt, err := h.seller.Sell(b.Context(), request(n, "k", moons, 0))
				if err != nil {
					b.Error(err)
					return
				}
				plays[n] = receipt.Play.ID
			}
		})
	}
	selling.Wait()
	b.ResetTimer()
	var choosing sync.WaitGroup
	for worker := range atATime {
		choosing.Go(func() {
			for n := worker; n < b.N; n += atATime {
				if _, err := h.seller.Choose(b.Context(), saletest.Player(n), plays[n], []int{0, 1, 2}); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	choosing.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "choices/s")
}

// TestAPanicLeavesThePen lets one transaction panic, as a defect of an engine would: later notes are
// recorded all the same.
func TestAPanicLeavesThePen(t *testing.T) {
	h := build(t).lanes(moons, 0, 1, 1)
	saletest.Players(t, h.store, 1, 10*money.Unit)
	panicking := &panickingStore{Store: h.store}
	h.config.Store = panicking
	h.start()
	play := h.sell(request(0, "k", moons, 0)).Play.ID
	panicking.next.Store(true)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_, _ = h.seller.Choose(t.Context(), saletest.Player(0), play, []int{0, 1, 2})
	}()
	if _, err := h.seller.Choose(t.Context(), saletest.Player(0), play, []int{0, 1, 2}); err != nil {
		t.Error(err)
	}
}

// panickingStore panics once.
type panickingStore struct {
	store.Store
	next atomic.Bool
}

func (p *panickingStore) Update(ctx context.Context, do func(context.Context, store.Tx) error) error {
	if p.next.Swap(false) {
		panic("a defect on purpose")
	}
	return p.Store.Update(ctx, do)
}
