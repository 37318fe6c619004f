package sale_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/money"
)

// gated is a house whose vault waits at a gate: a batch is in flight until it is opened.
func gated(t *testing.T, change func(*sale.Config)) (h *house, reached chan struct{}, open func()) {
	h = build(t).lanes(moons, 0, 1, 1)
	saletest.Players(t, h.store, 20, 10*money.Unit)
	reached = make(chan struct{}, 100)
	gate := make(chan struct{})
	open = sync.OnceFunc(func() { close(gate) })
	vault := watch(h.vault)
	vault.first = func(block.Header) error {
		reached <- struct{}{}
		<-gate
		return nil
	}
	h.config.Vault = vault
	if change != nil {
		change(&h.config)
	}
	h.start()
	t.Cleanup(open)
	return h, reached, open
}

// asked is a request on its way.
type asked struct {
	receipt sale.Receipt
	err     error
}

func (h *house) ask(ctx context.Context, r sale.Request) chan asked {
	answer := make(chan asked, 1)
	go func() {
		receipt, err := h.seller.Sell(ctx, r)
		answer <- asked{receipt, err}
	}()
	return answer
}

// A caller that goes away loses and doubles nothing: a request that a batch has is sold, one that
// still waits is not.
func TestCallersThatGoAway(t *testing.T) {
	h, reached, open := gated(t, nil)
	ctx, leave := context.WithCancel(t.Context())
	taken := h.ask(ctx, request(0, "taken", moons, 0))
	<-reached
	waiting := h.ask(ctx, request(1, "waiting", moons, 0))
	stays := h.ask(t.Context(), request(2, "stays", moons, 0))
	time.Sleep(10 * time.Millisecond) // so that they wait in the lane, most likely; either order is right
	leave()
	h.wants((<-taken).err, fault.Unavailable, "sale_outcome_unknown")
	if err := (<-waiting).err; !errors.Is(err, context.Canceled) {
		t.Errorf("the waiting request was expected to be given up, not %v", err)
	}
	open()
	answer := <-stays
	if answer.err != nil || answer.receipt.Play.Index != 1 {
		t.Fatalf("index 1 was expected for the request that stayed: %+v", answer)
	}
	h.acknowledge(answer.receipt)
	if receipt := h.sell(request(0, "taken", moons, 0)); !receipt.Repeated || receipt.Play.Index != 0 {
		t.Errorf("the request that was taken was expected to be sold: %+v", receipt)
	}
	if receipt := h.sell(request(1, "waiting", moons, 0)); receipt.Repeated || receipt.Play.Index != 2 {
		t.Errorf("the request that was given up was expected not to be sold before: %+v", receipt)
	}
	h.check()
}

func TestAContextThatHasEnded(t *testing.T) {
	h, _, open := gated(t, nil)
	defer open()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := h.seller.Sell(ended, request(0, "k", moons, 0))
	if !errors.Is(err, context.Canceled) && fault.CodeOf(err) != "sale_outcome_unknown" {
		t.Errorf("%v", err)
	}
}

func TestALaneThatIsFull(t *testing.T) {
	h, reached, open := gated(t, func(c *sale.Config) { c.WaitingMost = 2 })
	answers := []chan asked{h.ask(t.Context(), request(0, "k", moons, 0))}
	<-reached
	// Two wait; whoever comes then is refused at once.
	full := 0
	for n := 1; full == 0; n++ {
		answer := h.ask(t.Context(), request(n, "k", moons, 0))
		select {
		case told := <-answer:
			h.wants(told.err, fault.Unavailable, "too_many_requests_in_flight")
			full = n
		case <-time.After(20 * time.Millisecond):
			answers = append(answers, answer)
		}
	}
	if full != 3 {
		t.Errorf("the lane took %d requests besides the one in flight", full-1)
	}
	open()
	for _, answer := range answers {
		told := <-answer
		if told.err != nil {
			t.Fatal(told.err)
		}
		h.acknowledge(told.receipt)
	}
	h.check()
}

// Close finishes what was accepted, and takes nothing more.
func TestClosingFinishesWhatWaits(t *testing.T) {
	h, reached, open := gated(t, nil)
	answers := []chan asked{h.ask(t.Context(), request(0, "k", moons, 0))}
	<-reached
	for n := 1; n < 10; n++ {
		answers = append(answers, h.ask(t.Context(), request(n, "k", moons, 0)))
	}
	time.Sleep(20 * time.Millisecond) // so that they wait in the lane
	closed := make(chan error)
	seller := h.seller
	go func() { closed <- seller.Close(context.Background()) }()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		_, err := seller.Sell(ctx, request(11, "late", moons, 0))
		cancel()
		if fault.CodeOf(err) == "selling_stops" {
			break
		}
		if err == nil {
			t.Fatal("the gate is closed, and yet a unit was sold")
		}
	}
	open()
	for _, answer := range answers {
		told := <-answer
		if told.err != nil {
			t.Fatal(told.err)
		}
		h.acknowledge(told.receipt)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if err := seller.Close(context.Background()); err != nil {
		t.Errorf("closing again is nothing: %v", err)
	}
	h.check()
}

// Patience ends: a request that no batch has taken is given up, and told so.
func TestWaitingTooLong(t *testing.T) {
	h, reached, open := gated(t, func(c *sale.Config) { c.Patience = 300 * time.Millisecond })
	taken := h.ask(t.Context(), request(0, "taken", moons, 0))
	<-reached
	h.refused(request(1, "waiting", moons, 0), fault.Unavailable, "too_many_requests_in_flight")
	h.wants((<-taken).err, fault.Unavailable, "sale_outcome_unknown")
	open()
	h.stop()
	if sold := h.sold(moons); sold != 1 {
		t.Errorf("one unit was expected to be sold, not %d", sold)
	}
	h.check()
}
