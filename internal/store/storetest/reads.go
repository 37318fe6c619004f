package storetest

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

var readTests = named("read",
	Test{"Play is found by its player only", func(w *world) {
		w.openCoins(10)
		ids := w.players(2, money.Unit)
		play := w.sellEach(coinsLane, ids...)[0]
		found, err := w.Play(w.ctx, ids[0], play.ID)
		w.must(err)
		w.same("play", found, play)
		_, err = w.Play(w.ctx, ids[1], play.ID)
		w.refused(err, fault.NotFound, "play_unknown")
		_, err = w.Play(w.ctx, ids[0], block.PlayID(w.made("play")))
		w.refused(err, fault.NotFound, "play_unknown")
	}},
	Test{"History lists a player's plays newest first, a page at a time", func(w *world) {
		w.openCoins(20)
		w.openGems(20)
		id, other := w.player(50*money.Unit), w.player(50*money.Unit)
		var plays []store.Play
		for at := range 7 {
			w.now = opening.Add(time.Duration(at/3) * time.Millisecond) // several share a moment
			lane := []store.Lane{coinsLane, gemsLane}[at%2]
			w.sellEach(lane, other)
			plays = append(plays, w.sellEach(lane, id)...)
		}
		for _, play := range plays[5:] {
			w.must(w.show(id, play.ID)) // the last of each game: what is unfinished replaced the others
		}
		for at := range plays {
			plays[at].Shown = true
		}
		slices.Reverse(plays)
		all, err := w.History(w.ctx, id, 0, 100)
		w.must(err)
		w.same("history", all, plays)
		for _, size := range []int{1, 2, 3, 7} {
			var pages []store.Play
			before := int64(0)
			for {
				page, err := w.History(w.ctx, id, before, size)
				w.must(err)
				if len(page) == 0 {
					break
				}
				if len(page) > size {
					w.Errorf("a page of %d has %d plays", size, len(page))
				}
				pages, before = append(pages, page...), page[len(page)-1].Number
			}
			w.same("history by pages", pages, plays)
		}
	}},
	Test{"History of nothing is empty and of nobody is player_unknown", func(w *world) {
		w.openCoins(10)
		id := w.player(money.Unit)
		none, err := w.History(w.ctx, id, 0, 10)
		w.must(err)
		w.same("plays", len(none), 0)
		w.sellEach(coinsLane, id)
		for _, limit := range []int{0, -1} {
			none, err = w.History(w.ctx, id, 0, limit)
			w.must(err)
			w.same("plays at most none", len(none), 0)
		}
		_, err = w.History(w.ctx, player.ID(w.made("nobody")), 0, 10)
		w.refused(err, fault.NotFound, "player_unknown")
	}},
	Test{"a context that ended is said to have ended", func(w *world) {
		w.openCoins(10)
		id := w.player(5 * money.Unit)
		plays := w.sellEach(coinsLane, id, id, id)
		ended, end := context.WithCancel(w.ctx)
		end()
		_, err := w.Account(ended, id)
		w.canceled(err)
		_, err = w.Play(ended, id, plays[0].ID)
		w.canceled(err)
		_, err = w.History(ended, id, 0, 10)
		w.canceled(err)
		_, err = w.Lane(ended, coinsLane)
		w.canceled(err)
		w.canceled(w.View(ended, func(context.Context, store.Reader) error { return nil }))
		for range 20 { // whatever a visit that was broken off leaves open would run out
			breaking, end := context.WithCancel(w.ctx)
			err := w.EachPlay(breaking, plays[0].Block, func(*store.Play) error { end(); return nil })
			if err != nil { // it may have been done before it noticed
				w.canceled(err)
			}
		}
		_, err = w.Account(w.ctx, id)
		w.must(err)
	}},
	Test{"Lane and Summary never mix two states while sales go on", func(w *world) {
		start := w.openCoins(1000)
		id := w.player(100 * money.Unit)
		var selling atomic.Bool
		selling.Store(true)
		w.together(2, 1, func(goroutine int) error {
			if goroutine == 0 {
				defer selling.Store(false)
				w.sellEach(coinsLane, slices.Repeat([]player.ID{id}, 60)...) // prizes of nothing
				for range 40 {
					w.sell(coinsLane, bought{by: id, prize: money.Cent})
				}
				return nil
			}
			for selling.Load() {
				state, err := w.Lane(w.ctx, coinsLane)
				if err != nil {
					return err
				}
				sold := state.Version - start.Version
				if uint64(state.Units.Sold) != sold || state.Units.Sales.Size() != sold || uint64(state.Draw.Sold) != sold || state.Meter.Pot != money.Amount(sold)*toPot {
					w.Errorf("version %d with %d units, %d participations sold and the meter %v", state.Version, state.Units.Sold, state.Draw.Sold, state.Meter)
				}
				summary, err := w.Summary(w.ctx, id, opening)
				if err != nil {
					return err
				}
				// All plays but the last are shown, so that what was won is behind what was staked.
				plays := summary.Staked / money.Unit
				if want := max(plays-61, 0) * money.Cent; summary.Won != want {
					w.Errorf("%d plays, %v won and shown, not %v", plays, summary.Won, want)
				}
			}
			return nil
		})
	}},
)

func (w *world) canceled(err error) {
	w.Helper()
	if !errors.Is(err, context.Canceled) {
		w.Errorf("got error %v, not the context's", err)
	}
}
