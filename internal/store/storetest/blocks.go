package storetest

import (
	"context"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
)

// add records a block.
func (w *world) add(dealt store.Dealt) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.AddBlock(ctx, dealt, Dealing(dealt.At), Seal(dealt.Deal.Header.ID, dealt.At))
	})
}

// addApproved records a block that may be sold.
func (w *world) addApproved(dealt store.Dealt) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return AddApproved(ctx, tx, dealt) })
}

// open makes a lane.
func (w *world) open(lane store.Lane, jackpotName string) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return tx.OpenLane(ctx, lane, jackpotName) })
}

// states are the states of a game's blocks in the order of dealing.
func (w *world) states(game string) (states []store.BlockState) {
	w.Helper()
	blocks, err := w.Blocks(w.ctx)
	w.must(err)
	for _, b := range blocks {
		if b.Deal.Header.Game == game {
			states = append(states, b.State)
		}
	}
	return states
}

var blockTests = named("block",
	Test{"OpenEmission gives each an identifier, and Emissions lists them in the order of opening", func(w *world) {
		var want []store.Emission
		for at, name := range []string{gems, coins, gems} {
			emission := store.Emission{Game: name, Stake: at, Blocks: 3 - at, Opened: w.now.Add(-time.Duration(at) * time.Hour)}
			w.update(func(ctx context.Context, tx store.Tx) (err error) {
				emission.ID, err = tx.OpenEmission(ctx, emission)
				return err
			})
			want = append(want, emission)
		}
		got, err := w.Emissions(w.ctx)
		w.must(err)
		w.same("emissions", got, want)
		if want[0].ID == want[1].ID || want[1].ID == want[2].ID || want[0].ID == want[2].ID {
			w.Errorf("emissions share an identifier: %v", want)
		}
	}},
	Test{"OpenEmission refuses one without blocks", func(w *world) {
		w.refused(w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
			_, err := tx.OpenEmission(ctx, store.Emission{Game: coins, Opened: w.now})
			return err
		}), fault.Invalid, "emission_empty")
	}},
	Test{"OpenLane makes lanes, and Lanes lists them by game, stake and number", func(w *world) {
		lanes := []store.Lane{{Game: "a", Stake: 0, Number: 1}, {Game: "a", Stake: 1}, {Game: "a", Stake: 10}, {Game: "b"}}
		for _, at := range []int{3, 1, 0, 2} {
			w.must(w.open(lanes[at], ""))
		}
		got, err := w.Lanes(w.ctx)
		w.must(err)
		w.same("lanes", got, lanes)
	}},
	Test{"OpenLane refuses a lane that there is, and a jackpot that is not open", func(w *world) {
		w.must(w.open(coinsLane, ""))
		w.unchanged(func() {
			w.refused(w.open(coinsLane, ""), fault.Conflict, "lane_exists")
			w.refused(w.open(otherLane, greatPot), fault.NotFound, "jackpot_unknown")
		})
	}},
	Test{"a lane has no block before it is advanced", func(w *world) {
		w.openPot()
		w.emission(coins, 0, 1, 1, 3)
		w.must(w.open(coinsLane, greatPot))
		_, err := w.Lane(w.ctx, coinsLane)
		w.refused(err, fault.Unavailable, "lane_without_block")
		_, err = w.Lane(w.ctx, otherLane)
		w.refused(err, fault.NotFound, "lane_unknown")
		_, err = w.advance(otherLane)
		w.refused(err, fault.NotFound, "lane_unknown")
	}},
	Test{"AddBlock records a dealt block", func(w *world) {
		id, _ := w.emission(coins, 0, 2, 0, 0)
		second, first := w.dealt(id, 1, w.header(coins, 0, 7)), w.dealt(id, 0, w.header(coins, 0, 9))
		w.must(w.add(second))
		w.must(w.add(first))
		got, err := w.Blocks(w.ctx)
		w.must(err)
		w.same("blocks in the order of dealing", got, []store.Block{{Dealt: second, State: store.Unsealed}, {Dealt: first, State: store.Unsealed}})
	}},
	Test{"AddBlock refuses what is recorded, what is too much and what does not belong", func(w *world) {
		id, headers := w.emission(coins, 0, 2, 1, 5)
		again := w.dealt(id, 1, headers[0])
		place := w.dealt(id, 0, w.header(coins, 0, 5))
		beyond := w.dealt(id, 2, w.header(coins, 0, 5))
		below := w.dealt(id, -1, w.header(coins, 0, 5))
		w.unchanged(func() {
			w.refused(w.add(again), fault.Conflict, "block_exists")
			w.refused(w.add(place), fault.Conflict, "block_exists")
			w.refused(w.add(beyond), fault.Conflict, "emission_full")
			w.refused(w.add(below), fault.Conflict, "emission_full")
			w.refused(w.add(w.dealt(id+100, 0, w.header(coins, 0, 5))), fault.NotFound, "emission_unknown")
			w.refused(w.add(w.dealt(id, 1, w.header(gems, 0, 5))), fault.Invalid, "block_malformed")
			w.refused(w.add(w.dealt(id, 1, w.header(coins, 1, 5))), fault.Invalid, "block_malformed")
			w.refused(w.add(w.dealt(id, 1, w.header(coins, 0, 0))), fault.Invalid, "block_malformed")
		})
	}},
	Test{"Advance puts the first blocks on sale", func(w *world) {
		w.openPot()
		_, units := w.emission(coins, 0, 3, 2, 3)
		_, draws := w.emission(greatPot, 0, 3, 2, 5)
		state := w.openLane(coinsLane, greatPot)
		w.same("block", state.Units.Header, units[0])
		w.same("root", state.Units.Root, w.dealt(0, 0, units[0]).Deal.Root)
		w.same("participations", state.Draw.Header, draws[0])
		w.same("lane as it is read", w.lane(coinsLane), state)
		w.same("states", w.states(coins), []store.BlockState{store.OnSale, store.Approved})
		w.same("states of participations", w.states(greatPot), []store.BlockState{store.OnSale, store.Approved})
	}},
	Test{"Advance leaves a lane that has units left", func(w *world) {
		state := w.openCoins(2)
		w.sellEach(coinsLane, w.player(money.Unit))
		sold := w.lane(coinsLane)
		w.unchanged(func() {
			again, err := w.advance(coinsLane)
			w.must(err)
			w.same("lane", again, sold)
		})
		w.same("block", sold.Units.Header, state.Units.Header)
	}},
	Test{"Advance replaces what is sold out, and only that", func(w *world) {
		first := w.openCoins(2) // four participations
		id := w.player(10 * money.Unit)
		w.sellEach(coinsLane, id, id)
		second, err := w.advance(coinsLane)
		w.must(err)
		if second.Units.Header.ID == first.Units.Header.ID || second.Units.Sold != 0 || second.Units.Sales.Size() != 0 {
			w.Errorf("the lane does not start a new block: %+v", second.Units)
		}
		w.same("version", second.Version, first.Version+3)
		w.same("participations go on", second.Draw.Header, first.Draw.Header)
		w.same("participations sold", second.Draw.Sold, uint32(2))
		w.same("meter goes on", second.Meter.Pot, 2*toPot)
		w.same("states", w.states(coins), []store.BlockState{store.SoldOut, store.OnSale})
		w.same("states of participations", w.states(greatPot), []store.BlockState{store.OnSale, store.Approved, store.Approved})
		w.sellEach(coinsLane, id)
		w.same("sold of the second block", w.lane(coinsLane).Units.Sold, uint32(1))
	}},
	Test{"Advance says whether the next block is being dealt or there is none", func(w *world) {
		emission, _ := w.emission(gems, 1, 2, 0, 0)
		w.must(w.open(gemsLane, ""))
		w.unchanged(func() {
			_, err := w.advance(gemsLane)
			w.refused(err, fault.Unavailable, "next_block_not_ready")
		})
		id := w.player(10 * money.Unit)
		for position := range 2 {
			w.must(w.addApproved(w.dealt(emission, position, w.header(gems, 1, 1))))
			_, err := w.advance(gemsLane)
			w.must(err)
			w.sellEach(gemsLane, id)
			code, kind := "next_block_not_ready", fault.Unavailable
			if position == 1 {
				code, kind = "emission_used_up", fault.Exhausted
			}
			w.unchanged(func() {
				_, err := w.advance(gemsLane)
				w.refused(err, kind, code)
			})
		}
		w.emission(gems, 1, 1, 1, 1) // another emission is opened
		_, err := w.advance(gemsLane)
		w.must(err)
	}},
	Test{"Advance changes nothing when one of two blocks is not ready", func(w *world) {
		w.openPot()
		w.emission(coins, 0, 2, 2, 1)
		draws, _ := w.emission(greatPot, 0, 2, 1, 1)
		w.openLane(coinsLane, greatPot)
		w.sellEach(coinsLane, w.player(money.Unit))
		w.unchanged(func() {
			_, err := w.advance(coinsLane)
			w.refused(err, fault.Unavailable, "next_block_not_ready")
		})
		w.must(w.addApproved(w.dealt(draws, 1, w.header(greatPot, 0, 1))))
		_, err := w.advance(coinsLane)
		w.must(err)
	}},
	Test{"two lanes never share a block", func(w *world) {
		first := w.openCoins(5)
		second := w.openLane(otherLane, greatPot)
		if first.Units.Number == second.Units.Number || first.Units.Header.ID == second.Units.Header.ID || first.Draw.Header.ID == second.Draw.Header.ID {
			w.Errorf("both lanes sell block %s with participations of %s", first.Units.Header.ID, first.Draw.Header.ID)
		}
	}},
)
