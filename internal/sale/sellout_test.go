package sale_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
)

// Concurrent buyers sell out whole emissions across the seams of blocks: every index once, the prizes
// of the tables, books and meters to the cent, and then a clean refusal.
func TestWholeEmissionsAreSoldOut(t *testing.T) {
	const buyers = 40
	blocks := 4
	if testing.Short() {
		blocks = 2
	}
	h := build(t).lanes(moons, 0, 1, blocks-1).lanes(moons, 1, 1, 1).lanes(winds, 0, 2, blocks)
	saletest.Players(t, h.store, 3*buyers, 500*money.Unit)
	h.config.PrizeDueAbove = 20 * money.Unit
	h.start()
	var selling sync.WaitGroup
	for _, one := range []struct {
		game          string
		stake, offset int
	}{{moons, 0, 0}, {moons, 1, buyers}, {winds, 0, 2 * buyers}} {
		selling.Go(func() {
			h.buyUntil(buyers, "emission_used_up", func(buyer, nth int) sale.Request {
				return request(one.offset+buyer, key(buyer, nth), one.game, one.stake)
			})
		})
	}
	selling.Wait()
	h.stop()
	if sold := h.sold(moons); sold != 500*blocks {
		t.Errorf("%d units of %s were expected to be sold, not %d", 500*blocks, moons, sold)
	}
	if sold := h.sold(winds); sold != 300*blocks || h.sold(smallPot) != sold {
		t.Errorf("%d units of %s with as many participations were expected, not %d and %d", 300*blocks, winds, sold, h.sold(smallPot))
	}
	if list := indexes(h.acknowledged); len(list) != 800*blocks || len(slices.Compact(list)) != len(list) {
		t.Errorf("%d units were acknowledged", len(list))
	}
	h.check()
}

// Used up, a game refuses cleanly and takes nothing; what was sold can still be asked for.
func TestAUsedUpEmissionRefuses(t *testing.T) {
	h := build(t).lanes(winds, 0, 1, 1)
	saletest.Players(t, h.store, 21, 500*money.Unit)
	h.start()
	first := h.sell(request(0, "first", winds, 0))
	h.buyUntil(20, "emission_used_up", func(buyer, nth int) sale.Request { return request(1+buyer, key(nth), winds, 0) })
	funds := h.available(1)
	h.refused(request(1, "late", winds, 0), fault.Exhausted, "emission_used_up")
	if h.available(1) != funds || h.sold(winds) != 300 {
		t.Error("a refused request took something")
	}
	again := h.sell(request(0, "first", winds, 0))
	if !again.Repeated || again.Play.ID != first.Play.ID {
		t.Errorf("the first play was expected again, not %+v", again)
	}
	h.check()
}

// A lane whose emission is used up sends its players to the lanes that still have units.
func TestLanesShareWhatIsLeft(t *testing.T) {
	h := build(t).lanes(winds, 0, 3, 1)
	saletest.Players(t, h.store, 30, 500*money.Unit)
	h.start()
	h.buyUntil(30, "emission_used_up", func(buyer, nth int) sale.Request { return request(buyer, key(buyer, nth), winds, 0) })
	if sold := h.sold(winds); sold != 300 {
		t.Errorf("the one block was expected to be sold out, not %d units", sold)
	}
	again := h.sell(request(1, key(1, 0), winds, 0))
	if !again.Repeated {
		t.Error("a play sold by another lane is not found again")
	}
	h.check()
}

// While the next block is being dealt, requests are refused for the moment, with the same key to be
// asked again; the seam loses none of them.
func TestTheNextBlockIsNotReady(t *testing.T) {
	h := build(t)
	saletest.Players(t, h.store, 21, 500*money.Unit)
	saletest.OpenLanes(t, h.store, h.games, moons, 0, 1)
	saletest.OpenEmission(t, h.store, h.vault.Deal, moons, 0, 2, 0)
	h.start()
	h.refused(request(0, "first", moons, 0), fault.Unavailable, "next_block_not_ready")
	saletest.AddBlock(t, h.store, h.vault.Deal, moons, 0, 1, 0)
	first := h.sell(request(0, "first", moons, 0))
	if first.Repeated || first.Play.Index != 0 {
		t.Errorf("index 0 of the first block was expected, not %+v", first)
	}
	h.buyUntil(20, "next_block_not_ready", func(buyer, nth int) sale.Request { return request(1+buyer, key(nth), moons, 0) })
	saletest.AddBlock(t, h.store, h.vault.Deal, moons, 0, 1, 1)
	h.show(first.Play)
	next := h.sell(request(0, "second", moons, 0))
	if next.Play.Index != 0 || next.Play.Block == first.Play.Block || h.sold(moons) != 501 {
		t.Errorf("index 0 of the next block was expected, not %d", next.Play.Index)
	}
	h.check()
}

// Telling the vault which blocks a lane has left lets it forget them: units and participations.
func TestLeftBlocksAreTold(t *testing.T) {
	h := build(t).lanes(winds, 0, 1, 2)
	saletest.Players(t, h.store, 10, 500*money.Unit)
	left := map[block.ID]int{}
	h.config.SoldOut = func(id block.ID) { left[id]++; h.vault.Forget(id) }
	h.start()
	h.buyUntil(10, "emission_used_up", func(buyer, nth int) sale.Request { return request(buyer, key(buyer, nth), winds, 0) })
	h.stop()
	for _, b := range h.blocks() {
		expected := 0
		if b.State == store.SoldOut {
			expected = 1
		}
		if left[b.Deal.Header.ID] != expected {
			t.Errorf("a block of %s that is %s was told %d times", b.Deal.Header.Game, b.State, left[b.Deal.Header.ID])
		}
	}
	h.check()
}
