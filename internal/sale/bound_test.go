package sale_test

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/money"
)

// crash sells a first unit, then lets a batch of several requests stop between its units and its record, with what that leaves.
func crash(t *testing.T, game string, stake int) *house {
	t.Helper()
	h := build(t).lanes(game, stake, 1, 1)
	saletest.Players(t, h.store, 7, 10*money.Unit)
	vault, gate, reached := watch(h.vault), make(chan struct{}), make(chan struct{}, 2)
	var filling atomic.Bool
	vault.first = func(block.Header) error {
		if filling.Load() {
			reached <- struct{}{}
			<-gate
		}
		return nil
	}
	h.config.Vault = vault
	h.start()
	h.sell(request(5, "before", game, stake))
	var records atomic.Int64
	h.store.Fail(func(c saletest.Call, m saletest.Moment) bool {
		return c == saletest.RecordSale && m == saletest.Before && records.Add(1) > 1
	})
	filling.Store(true)
	filler := h.ask(t.Context(), request(4, "filler", game, stake))
	<-reached
	answers := make(chan error, 4)
	for buyer := range 4 {
		go func() {
			_, err := h.seller.Sell(context.Background(), request(buyer, fmt.Sprint("once", buyer), game, stake))
			answers <- err
		}()
	}
	time.Sleep(20 * time.Millisecond) // so that they wait together, most likely; any number is right
	filling.Store(false)
	close(gate)
	if told := <-filler; told.err != nil {
		t.Fatal(told.err)
	} else {
		h.acknowledge(told.receipt)
	}
	for h.store.Struck() < 3 { // bound, and tried again
		if len(answers) > 0 {
			t.Fatal(<-answers)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	h.wants(h.seller.Close(ended), fault.Unavailable, "selling_stopped_early")
	h.seller = nil
	return h
}

// A batch of one request or several whose units were opened before a crash is recorded by the next seller before anything else:
// its requests have its units, whoever asks first.
func TestABatchOpenedBeforeACrashIsRecorded(t *testing.T) {
	for _, at := range []struct {
		game  string
		stake int
	}{{moons, 1}, {winds, 0}} {
		h := crash(t, at.game, at.stake)
		h.restart()
		sold := h.sold(at.game)
		if sold < 3 {
			t.Fatalf("%s: the batch was not recorded", at.game)
		}
		if other := h.sell(request(6, "other", at.game, at.stake)); other.Repeated || int(other.Play.Index) != sold {
			t.Errorf("%s: another request was sold unit %d, not %d", at.game, other.Play.Index, sold)
		}
		repeated := 0
		for buyer := range 4 {
			if receipt := h.sell(request(buyer, fmt.Sprint("once", buyer), at.game, at.stake)); receipt.Repeated {
				repeated++
			}
		}
		if repeated != sold-2 || h.sold(at.game) != 7 {
			t.Errorf("%s: %d of %d requests found their play, %d units sold", at.game, repeated, sold-2, h.sold(at.game))
		}
		h.check()
	}
}

// forgetting is the broken twin: a vault that knows the range and not the batch, as one that gives nothing back.
type forgetting struct{ sale.Vault }

func (forgetting) Bound(context.Context, block.ID) (custody.Bound, error) {
	return custody.Bound{}, nil
}

// Without the batch nobody gets the units: the lane stops, with an alarm.
func TestABatchThatIsNotGivenBackStopsTheLane(t *testing.T) {
	h := crash(t, winds, 0)
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.vault.Close(); err != nil {
		t.Fatal(err)
	}
	h.open()
	h.config.Vault = forgetting{h.vault}
	h.start()
	h.refused(request(6, "other", winds, 0), fault.Corrupt, "range_opened_twice")
	h.refused(request(6, "other", winds, 0), fault.Unavailable, "lane_stopped")
	if h.sold(winds) != 2 {
		t.Error("units that were opened for others were sold")
	}
	h.check()
}

// A batch that cannot be read, because somebody else asked the vault, is sold to nobody.
func TestABoundBatchThatCannotBeRead(t *testing.T) {
	for name, batch := range map[string]custody.Batch{
		"another's":    custody.Batch("another"),
		"a version 2":  append(custody.Batch{2}, make([]byte, 8+64)...),
		"too few":      append(custody.Batch{1}, make([]byte, 8)...),
		"too many":     append(custody.Batch{1}, make([]byte, 8+2*64)...),
		"of no player": append(custody.Batch{1}, bytes.Repeat([]byte{0xEE}, 8+64)...),
	} {
		h := build(t).lanes(moons, 1, 1, 1)
		saletest.Players(t, h.store, 1, 10*money.Unit)
		h.start()
		h.sell(request(0, "before", moons, 1))
		next := custody.Range{Header: h.blocks()[0].Deal.Header, From: 1, Into: make([]block.Unit, 1)}
		if err := h.vault.OpenUnits(t.Context(), batch, next); err != nil {
			t.Fatal(err)
		}
		h.restart()
		if _, err := h.seller.Sell(t.Context(), request(0, "after", moons, 1)); fault.CodeOf(err) != "lane_stopped" {
			t.Errorf("%s: %v", name, err)
		}
		h.check()
	}
}
