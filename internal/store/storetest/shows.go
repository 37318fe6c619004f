package storetest

import (
	"context"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

func (w *world) choose(id player.ID, play block.PlayID, cells ...int) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return tx.RecordChoice(ctx, id, play, cells, w.now) })
}

func (w *world) show(id player.ID, play block.PlayID) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return tx.MarkShown(ctx, id, play) })
}

func (w *world) unfinished(id player.ID) []store.Unfinished {
	w.Helper()
	account, err := w.Account(w.ctx, id)
	w.must(err)
	return account.Unfinished
}

var showTests = named("show",
	Test{"RecordChoice is found wherever the play is read", func(w *world) {
		w.openCoins(10)
		id := w.player(5 * money.Unit)
		plays := w.sellEach(coinsLane, id, id)
		chosen := plays[1]
		chosen.Choice = []int{5, 0, 255}
		w.must(w.choose(id, chosen.ID, chosen.Choice...))
		found, err := w.Play(w.ctx, id, chosen.ID)
		w.must(err)
		w.same("play", found, chosen)
		history, err := w.History(w.ctx, id, 0, 1)
		w.must(err)
		w.same("history", history, []store.Play{chosen})
		w.same("plays of the block", w.dump().Plays[1].Choice, chosen.Choice)
		w.inside(func(ctx context.Context, tx store.Tx) {
			repeated, err := tx.PlaysByKey(ctx, []store.KeyDigest{chosen.Key})
			w.must(err)
			w.same("repeated", repeated, []*store.Play{&chosen})
		})
		other, err := w.Play(w.ctx, id, plays[0].ID)
		w.must(err)
		w.same("choice of the other play", other.Choice, []int(nil))
	}},
	Test{"RecordChoice accepts the same again and refuses another", func(w *world) {
		w.openCoins(10)
		id := w.player(money.Unit)
		play := w.sellEach(coinsLane, id)[0].ID
		w.must(w.choose(id, play, 1, 2, 3))
		w.unchanged(func() {
			w.must(w.choose(id, play, 1, 2, 3))
			for _, other := range [][]int{{3, 2, 1}, {1, 2}, {1, 2, 3, 4}} {
				w.refused(w.choose(id, play, other...), fault.Conflict, "choice_recorded")
			}
		})
	}},
	Test{"RecordChoice refuses what is no choice and plays that are not the player's", func(w *world) {
		w.openCoins(10)
		ids := w.players(2, money.Unit)
		play := w.sellEach(coinsLane, ids[0])[0].ID
		w.unchanged(func() {
			for _, wrong := range [][]int{nil, {-1}, {256}} {
				w.refused(w.choose(ids[0], play, wrong...), fault.Invalid, "choice_malformed")
			}
			w.refused(w.choose(ids[1], play, 1), fault.NotFound, "play_unknown")
			w.refused(w.choose(ids[0], block.PlayID(w.made("play")), 1), fault.NotFound, "play_unknown")
		})
	}},
	Test{"a sold play is unfinished until it is shown", func(w *world) {
		w.openCoins(10)
		w.openGems(10)
		id := w.player(5 * money.Unit)
		coin, gem := w.sellEach(coinsLane, id)[0], w.sellEach(gemsLane, id)[0]
		w.same("unfinished", w.unfinished(id), []store.Unfinished{{Game: gems, Play: gem.ID}, {Game: coins, Play: coin.ID}})
		w.must(w.show(id, coin.ID))
		w.same("unfinished", w.unfinished(id), []store.Unfinished{{Game: gems, Play: gem.ID}})
		for id, shown := range map[block.PlayID]bool{coin.ID: true, gem.ID: false} {
			found, err := w.Play(w.ctx, coin.Player, id)
			w.must(err)
			w.same("shown", found.Shown, shown)
		}
	}},
	Test{"MarkShown said again is nothing", func(w *world) {
		w.openCoins(10)
		id := w.player(5 * money.Unit)
		plays := w.sellEach(coinsLane, id, id) // the second replaces the first
		w.unchanged(func() { w.must(w.show(id, plays[0].ID)) })
		w.must(w.show(id, plays[1].ID))
		w.unchanged(func() { w.must(w.show(id, plays[1].ID)) })
	}},
	Test{"MarkShown refuses plays that are not the player's", func(w *world) {
		w.openCoins(10)
		ids := w.players(2, money.Unit)
		play := w.sellEach(coinsLane, ids[0])[0].ID
		w.unchanged(func() {
			w.refused(w.show(ids[1], play), fault.NotFound, "play_unknown")
			w.refused(w.show(ids[0], block.PlayID(w.made("play"))), fault.NotFound, "play_unknown")
			w.refused(w.show(player.ID(w.made("nobody")), play), fault.NotFound, "play_unknown")
		})
	}},
	Test{"Summary counts stakes since a time, and wins that were shown", func(w *world) {
		w.openCoins(20)
		w.openGems(10)
		id, other := w.player(100*money.Unit), w.player(100*money.Unit)
		at := func(seconds int, lane store.Lane, prize money.Amount, due, shown bool) {
			w.now = opening.Add(time.Duration(seconds) * time.Second)
			play := w.sell(lane, bought{by: id, prize: prize, due: due})[0]
			w.sell(lane, bought{by: other, prize: 77_700})
			if shown {
				w.must(w.show(id, play.ID))
			}
		}
		at(-1, coinsLane, 10_000, false, true) // before
		at(0, coinsLane, 20_000, false, true)
		at(1, coinsLane, 40_000, true, true) // due, won all the same
		at(2, gemsLane, 80_000, false, false)
		at(3, coinsLane, 160_000, false, false)
		w.summary(id, opening, store.Summary{Staked: 5 * money.Unit, Won: 60_000})
		w.must(w.show(id, w.unfinished(id)[0].Play))
		w.summary(id, opening, store.Summary{Staked: 5 * money.Unit, Won: 220_000})
		w.must(w.show(id, w.unfinished(id)[0].Play))
		w.summary(id, opening, store.Summary{Staked: 5 * money.Unit, Won: 300_000})
		w.summary(id, opening.Add(3*time.Second), store.Summary{Staked: money.Unit, Won: 160_000})
		w.summary(id, opening.Add(time.Hour), store.Summary{})
		w.summary(w.player(0), opening, store.Summary{})
		_, err := w.Summary(w.ctx, player.ID(w.made("nobody")), opening)
		w.refused(err, fault.NotFound, "player_unknown")
	}},
	Test{"Summary counts a pot as won when its play was shown", func(w *world) {
		w.openTwoLanes()
		id := w.player(money.Unit)
		sale := w.batch(w.lane(coinsLane), bought{by: id})
		w.update(func(ctx context.Context, tx store.Tx) error {
			taken, err := tx.TakeMeters(ctx, greatPot, coinsLane)
			w.must(err)
			return tx.RecordSale(ctx, w.won(sale, taken))
		})
		w.summary(id, opening, store.Summary{Staked: money.Unit})
		w.must(w.show(id, sale.Plays[0].ID))
		w.summary(id, opening, store.Summary{Staked: money.Unit, Won: potStart + 5*toPot})
	}},
)

func (w *world) summary(id player.ID, since time.Time, want store.Summary) {
	w.Helper()
	got, err := w.Summary(w.ctx, id, since)
	w.must(err)
	w.same("summary", got, want)
}
