package sale_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/money"
)

// watched is a vault that notes which batch each range was opened for, and may do something first.
type watched struct {
	sale.Vault
	first func(block.Header) error

	mu     sync.Mutex
	ranges map[string]canon.Digest
	broken []string
}

func watch(v sale.Vault) *watched { return &watched{Vault: v, ranges: map[string]canon.Digest{}} }

func (w *watched) OpenUnits(ctx context.Context, batch custody.Batch, ranges ...custody.Range) error {
	for _, r := range ranges {
		if err := w.note(batch, r); err != nil {
			return err
		}
	}
	return w.Vault.OpenUnits(ctx, batch, ranges...)
}

func (w *watched) note(batch custody.Batch, r custody.Range) error {
	if w.first != nil {
		if err := w.first(r.Header); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for at := range r.Into {
		place := fmt.Sprint(r.Header.ID, r.From+uint32(at))
		if before, opened := w.ranges[place]; opened && before != batch.Digest() {
			w.broken = append(w.broken, "unit "+place+" was opened for two batches")
		}
		w.ranges[place] = batch.Digest()
	}
	return nil
}

// insist asks with the same key until the answer is a play, as a client does that is told to ask again.
func (h *house) insist(r sale.Request) (sale.Receipt, error) {
	for times := 0; ; times++ {
		receipt, err := h.seller.Sell(context.Background(), r)
		if err == nil {
			h.acknowledge(receipt)
			return receipt, nil
		}
		if !errors.Is(err, fault.Unavailable) || times == 1000 {
			return receipt, err
		}
	}
}

// Whatever step of a transaction fails, before or after it did its work, once or several times, and
// whether a lost commit happened or not: each key is one play, the same units go to the same requests,
// nothing is lost or doubled.
func TestTheStoreFailsAtEveryStep(t *testing.T) {
	for _, call := range saletest.Calls {
		for _, moment := range []saletest.Moment{saletest.Before, saletest.After} {
			single := call == saletest.Begin || call == saletest.CommitLost || call == saletest.CommitDone
			if single && moment == saletest.After {
				continue // these have one moment only
			}
			for _, times := range []int{1, 5} {
				if times > 1 && testing.Short() {
					continue
				}
				t.Run(key(call, moment, times), func(t *testing.T) { failAt(t, call, moment, times) })
			}
		}
	}
}

func failAt(t *testing.T, call saletest.Call, moment saletest.Moment, times int) {
	t.Parallel()
	const buyers, each = 12, 15
	h := build(t).lanes(winds, 0, 2, 2)
	saletest.Players(t, h.store, buyers, 100*money.Unit)
	vault := watch(h.vault)
	h.config.Vault = vault
	h.start()
	h.store.Fail(saletest.Times(times, call, moment))
	var buying sync.WaitGroup
	for buyer := range buyers {
		buying.Go(func() {
			var last block.PlayID
			for nth := range each {
				r := request(buyer, key(nth), winds, 0)
				r.Seen = last
				receipt, err := h.insist(r)
				if err != nil {
					t.Error(err)
					return
				}
				last = receipt.Play.ID
			}
		})
	}
	buying.Wait()
	if h.store.Struck() != times {
		t.Errorf("%s was expected to fail %d times, not %d", call, times, h.store.Struck())
	}
	h.store.Fail(nil)
	if sold := h.sold(winds); sold != buyers*each {
		t.Errorf("%d units were expected to be sold, not %d", buyers*each, sold)
	}
	for _, broken := range vault.broken {
		t.Error(broken)
	}
	h.check()
}

// give asks for a unit and goes away once something happened; it gives the answer.
func (h *house) give(r sale.Request, until func() bool) error {
	ctx, leave := context.WithCancel(h.t.Context())
	defer leave()
	answer := h.ask(ctx, r)
	for !until() {
		select {
		case told := <-answer:
			h.t.Fatalf("an answer came early: %v", told.err)
		case <-time.After(time.Millisecond):
		}
	}
	leave()
	return (<-answer).err
}

// While the store stays away, whoever does not wait is told that the outcome is not known; afterwards
// the same key gets the play. No other batch of the lane goes first.
func TestAnOutcomeThatIsNotKnown(t *testing.T) {
	for _, call := range []saletest.Call{saletest.RecordSale, saletest.CommitLost, saletest.CommitDone} {
		t.Run(string(call), func(t *testing.T) {
			h := build(t).lanes(moons, 1, 1, 1)
			saletest.Players(t, h.store, 3, money.Unit)
			h.start()
			h.sell(request(2, "before", moons, 1)) // the lane has its block
			struck := false
			h.store.Fail(func(c saletest.Call, m saletest.Moment) bool {
				// After the first failure nothing works.
				struck = struck || c == call
				return struck && m == saletest.Before
			})
			h.wants(h.give(request(0, "first", moons, 1), func() bool { return h.store.Struck() > 1 }),
				fault.Unavailable, "sale_outcome_unknown")
			failures := h.store.Struck()
			err := h.give(request(1, "second", moons, 1), func() bool { return h.store.Struck() > failures+1 })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the second request was expected to wait: %v", err)
			}
			h.store.Fail(nil)
			if first := h.sell(request(0, "first", moons, 1)); first.Play.Index != 1 || !first.Repeated {
				t.Errorf("index 1 was expected to be sold to the first request: %+v", first)
			}
			if second := h.sell(request(1, "second", moons, 1)); second.Play.Index != 2 || second.Repeated {
				t.Errorf("index 2 was expected for the second request, which had not been sold anything: %+v", second)
			}
			h.check()
		})
	}
}

// A player whose play is in doubt in one lane buys nothing in another until it is recorded.
func TestAPlayerInDoubtBuysNothingElse(t *testing.T) {
	h := build(t).lanes(moons, 1, 1, 1).lanes(winds, 0, 1, 1)
	saletest.Players(t, h.store, 2, money.Unit)
	vault := watch(h.vault)
	var away atomic.Bool
	var refusals atomic.Int64
	away.Store(true)
	vault.first = func(header block.Header) error {
		if header.Game == moons && away.Load() {
			refusals.Add(1)
			return fault.New(fault.Unavailable, "vault_unreadable", "the vault cannot be reached (on purpose)")
		}
		return nil
	}
	h.config.Vault = vault
	h.start()
	t.Cleanup(func() { away.Store(false) })
	h.wants(h.give(request(0, "moons", moons, 1), func() bool { return refusals.Load() > 1 }), fault.Unavailable, "sale_outcome_unknown")
	h.refused(request(0, "winds", winds, 0), fault.Unavailable, "other_play_in_doubt")
	h.sell(request(1, "winds", winds, 0)) // other players go on
	away.Store(false)
	h.sell(request(0, "moons", moons, 1))
	h.check()
}

// A batch that cannot be recorded before the seller must stop is given up. Its units were opened: after a restart they are sold to
// its request and to no other, whoever asks first, and its key buys one unit, no more.
func TestStoppingInTheMiddle(t *testing.T) {
	for _, call := range []saletest.Call{saletest.RecordSale, saletest.CommitLost, saletest.CommitDone} {
		t.Run(string(call), func(t *testing.T) {
			h := build(t).lanes(moons, 1, 1, 1)
			saletest.Players(t, h.store, 3, money.Unit)
			h.start()
			h.sell(request(1, "before", moons, 1)) // the lane has its block
			struck := false
			h.store.Fail(func(c saletest.Call, m saletest.Moment) bool {
				struck = struck || c == call
				return struck
			})
			told := make(chan error, 1)
			go func() {
				_, err := h.seller.Sell(context.Background(), request(0, "once", moons, 1))
				told <- err
			}()
			for h.store.Struck() < 3 && len(told) == 0 {
				time.Sleep(time.Millisecond)
			}
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			h.wants(h.seller.Close(ended), fault.Unavailable, "selling_stopped_early")
			h.wants(<-told, fault.Unavailable, "sale_outcome_unknown")
			h.seller = nil
			h.restart()
			if other := h.sell(request(2, "other", moons, 1)); other.Play.Index != 2 {
				t.Errorf("another request was sold unit %d", other.Play.Index)
			}
			receipt := h.sell(request(0, "once", moons, 1))
			if !receipt.Repeated || receipt.Play.Index != 1 || h.sold(moons) != 3 {
				t.Errorf("one unit was expected to be sold for the key: %+v", receipt)
			}
			h.check()
		})
	}
}

// Two sellers share one store: their lanes notice each other.
func TestTwoSellersOnOneStore(t *testing.T) {
	const buyers, each = 20, 10
	h := build(t).lanes(winds, 0, 1, 2)
	saletest.Players(t, h.store, buyers, 100*money.Unit)
	vault := watch(h.vault)
	h.config.Vault = vault
	h.start()
	other, err := sale.New(t.Context(), h.config)
	if err != nil {
		t.Fatal(err)
	}
	var buying sync.WaitGroup
	for buyer := range buyers {
		buying.Go(func() {
			var last block.PlayID
			for nth := range each {
				r := request(buyer, key(nth), winds, 0)
				r.Seen = last
				seller := []*sale.Seller{h.seller, other}[(buyer+nth)%2]
				receipt, err := seller.Sell(context.Background(), r)
				if err != nil {
					t.Error(err)
					return
				}
				h.acknowledge(receipt)
				last = receipt.Play.ID
			}
		})
	}
	buying.Wait()
	if err := other.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if sold := h.sold(winds); sold != buyers*each || len(vault.broken) > 0 {
		t.Errorf("%d units were expected, not %d: %v", buyers*each, sold, vault.broken)
	}
	h.check()
}

// What disagrees stops the lane: nothing is written, nobody learns an outcome, and what was sold
// before can still be asked for.
func TestUnitsThatDisagreeStopTheLane(t *testing.T) {
	for code, spoil := range map[string]func(*block.Unit){
		"layout_not_prize":   func(u *block.Unit) { u.Prize += money.Unit },
		"unit_out_of_order":  func(u *block.Unit) { u.Index++ },
		"range_opened_twice": nil,
	} {
		t.Run(code, func(t *testing.T) {
			h := build(t).lanes(winds, 0, 1, 1)
			saletest.Players(t, h.store, 2, 10*money.Unit)
			spoiler := &spoiling{Vault: h.vault}
			h.config.Vault = spoiler
			h.start()
			before := h.sell(request(0, "before", winds, 0))
			if spoil == nil { // somebody else had the next unit opened
				header := block.Header{}
				for _, b := range h.blocks() {
					if b.Deal.Header.ID == before.Play.Block {
						header = b.Deal.Header
					}
				}
				if err := h.vault.OpenUnits(t.Context(), custody.Batch("another"), custody.Range{Header: header, From: 1, Into: make([]block.Unit, 1)}); err != nil {
					t.Fatal(err)
				}
			}
			spoiler.spoil = spoil
			h.refused(request(1, "k", winds, 0), fault.Corrupt, code)
			h.refused(request(1, "k", winds, 0), fault.Unavailable, "lane_stopped")
			if again := h.sell(request(0, "before", winds, 0)); !again.Repeated || again.Play.ID != before.Play.ID {
				t.Error("the play sold before is not found again")
			}
			if h.sold(winds) != 1 || h.available(1) != 10*money.Unit {
				t.Error("a unit that disagrees was sold")
			}
			h.check()
		})
	}
}

type spoiling struct {
	sale.Vault
	spoil func(*block.Unit)
}

func (s *spoiling) OpenUnits(ctx context.Context, batch custody.Batch, ranges ...custody.Range) error {
	err := s.Vault.OpenUnits(ctx, batch, ranges...)
	if s.spoil != nil {
		s.spoil(&ranges[0].Into[0])
	}
	return err
}

// Errors of the sale hold no layout: the names and codes of symbols appear in none of their messages.
func TestErrorsTellNoOutcome(t *testing.T) {
	h := build(t).lanes(winds, 0, 1, 1)
	saletest.Players(t, h.store, 1, 10*money.Unit)
	h.config.Vault = &spoiling{Vault: h.vault, spoil: func(u *block.Unit) { u.Prize += 77 * money.Unit }}
	h.start()
	_, err := h.seller.Sell(t.Context(), request(0, "k", winds, 0))
	text := fmt.Sprintf("%v %+v", err, err)
	for _, told := range []string{"77", "lune", "etoile", "comete", "soleil", "["} {
		if strings.Contains(text, told) {
			t.Errorf("an error tells %q: %s", told, text)
		}
	}
}

// The last unit of an emission is sold, and the answer of its commit lost: it is found again although
// nothing is left to sell, and its buyer is not in doubt for ever.
func TestTheLastUnitsAnswerIsLost(t *testing.T) {
	h := build(t).lanes(winds, 0, 1, 1).lanes(moons, 0, 1, 1)
	saletest.Players(t, h.store, 1, 500*money.Unit)
	h.start()
	var last block.PlayID
	buy := func(nth int) sale.Receipt {
		t.Helper()
		r := request(0, key(nth), winds, 0)
		r.Seen = last
		receipt := h.sell(r)
		last = receipt.Play.ID
		return receipt
	}
	for nth := range 299 {
		buy(nth)
	}
	h.store.Fail(saletest.Times(1, saletest.CommitDone, saletest.Before))
	if receipt := buy(299); receipt.Play.Index != 299 || h.store.Struck() != 1 {
		t.Errorf("the last unit was expected, its answer lost once: %+v", receipt.Play)
	}
	h.sell(request(0, "other", moons, 0))
	h.check()
}
