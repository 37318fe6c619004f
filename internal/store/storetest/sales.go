package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// inside runs a function in a transaction that is rolled back.
func (w *world) inside(do func(context.Context, store.Tx)) {
	w.Helper()
	err := w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
		do(ctx, tx)
		return errOnPurpose
	})
	if err != errOnPurpose {
		w.Fatalf("unexpected: %v", err)
	}
}

var saleTests = named("sale",
	Test{"PlaysByKey finds plays in the order of the keys and nil where a key is free", func(w *world) {
		w.openCoins(10)
		plays := w.sellEach(coinsLane, w.players(3, money.Unit)...)
		w.inside(func(ctx context.Context, tx store.Tx) {
			free := store.KeyDigest(w.made("key"))
			found, err := tx.PlaysByKey(ctx, []store.KeyDigest{plays[2].Key, free, plays[0].Key, plays[0].Key})
			w.must(err)
			w.same("plays", found, []*store.Play{&plays[2], nil, &plays[0], &plays[0]})
			none, err := tx.PlaysByKey(ctx, nil)
			w.must(err)
			w.same("plays of no keys", len(none), 0)
		})
	}},
	Test{"LockPlayers finds players in the order asked and nil where there is none", func(w *world) {
		ids := w.players(2, money.Unit)
		ids = []player.ID{ids[1], player.ID(w.made("nobody")), ids[0]}
		w.inside(func(ctx context.Context, tx store.Tx) {
			found, err := tx.LockPlayers(ctx, ids, w.now)
			w.must(err)
			for at, id := range ids {
				account, err := w.Account(w.ctx, id)
				switch {
				case at == 1 && found[at] != nil:
					w.Errorf("a player was found that nobody registered")
				case at != 1:
					w.must(err)
					w.same("account", found[at], &account)
				}
			}
		})
	}},
	Test{"LockPlayers counts the stakes of the cap's period", func(w *world) {
		w.openCoins(10)
		w.openGems(10)
		capped, free := w.player(20*money.Unit), w.player(20*money.Unit)
		most := 5 * money.Unit
		w.update(func(ctx context.Context, tx store.Tx) error {
			return tx.SetStanding(ctx, capped, player.Standing{Status: player.Active, StakeCap: &most})
		})
		for _, ago := range []time.Duration{8 * 24 * time.Hour, 7*24*time.Hour + time.Millisecond, 7 * 24 * time.Hour} {
			w.now = opening.Add(-ago)
			w.sell(coinsLane, by(capped, free)...)
		}
		w.now = opening.Add(-7*24*time.Hour + time.Millisecond)
		w.sell(coinsLane, by(capped, free)...)
		w.now = opening
		w.sell(gemsLane, by(capped, free)...)
		w.inside(func(ctx context.Context, tx store.Tx) {
			found, err := tx.LockPlayers(ctx, []player.ID{capped, free}, opening)
			w.must(err)
			// The unit of 7 days ago less a millisecond (1 €) and the one of now (2 €).
			w.same("staked", found[0].Standing.Staked, 3*money.Unit)
			w.same("staked without a cap", found[1].Standing.Staked, money.Amount(0))
		})
	}},
	Test{"LockLane accepts what is still true", func(w *world) {
		state := w.openCoins(10)
		w.inside(func(ctx context.Context, tx store.Tx) { w.must(tx.LockLane(ctx, state)) })
	}},
	Test{"LockLane refuses a lane that moved", func(w *world) {
		state := w.openCoins(1)
		locked := func(state store.LaneState) (err error) {
			w.inside(func(ctx context.Context, tx store.Tx) { err = tx.LockLane(ctx, state) })
			return err
		}
		w.sellEach(coinsLane, w.player(money.Unit))
		w.refused(locked(state), fault.Conflict, "lane_moved")
		sold := w.lane(coinsLane)
		w.must(locked(sold))
		_, err := w.advance(coinsLane)
		w.must(err)
		w.refused(locked(sold), fault.Conflict, "lane_moved")
		w.refused(locked(store.LaneState{Lane: store.Lane{Game: "none"}}), fault.NotFound, "lane_unknown")
	}},
	Test{"RecordSale writes all of a batch", func(w *world) {
		w.openCoins(10)
		ids := w.players(2, 10*money.Unit)
		w.sellEach(coinsLane, ids[0])
		before := w.dump()
		sale := w.batch(w.lane(coinsLane), bought{by: ids[1], prize: 50_000}, bought{by: ids[0], prize: 5_000_000, due: true})
		w.must(w.try(sale))
		w.same("everything", w.dump(), before.after(sale))
		w.same("funds of the winner", w.available(ids[1]), 10*money.Unit-money.Unit+50_000)
		w.same("funds of whose prize is due", w.available(ids[0]), 8*money.Unit)
	}},
	Test{"RecordSale writes a batch without a jackpot", func(w *world) {
		state := w.openGems(10)
		sale := w.batch(state, by(w.players(3, 2*money.Unit)...)...)
		before := w.dump()
		w.must(w.try(sale))
		w.same("everything", w.dump(), before.after(sale))
	}},
	Test{"RecordSale fills in the journal's lines, growing", func(w *world) {
		w.openCoins(10)
		ids := w.players(3, 2*money.Unit)
		plays := append(w.sell(coinsLane, by(ids...)...), w.sellEach(coinsLane, ids...)...)
		for at, play := range plays {
			if play.Number <= 0 || at > 0 && play.Number <= plays[at-1].Number {
				w.Errorf("line %d has the number %d", at, play.Number)
			}
			found, err := w.Play(w.ctx, play.Player, play.ID)
			w.must(err)
			w.same("line", found.Number, play.Number)
		}
	}},
	Test{"RecordSale takes a thousand plays", func(w *world) {
		state, plays := w.openCoins(1000), 1000
		if testing.Short() {
			plays = 100
		}
		ids := w.crowd(plays, money.Unit)
		accounts := make([]*store.Account, len(ids))
		w.inside(func(ctx context.Context, tx store.Tx) {
			var err error
			accounts, err = tx.LockPlayers(ctx, ids, w.now)
			w.must(err)
		})
		sale := w.compose(state, accounts, by(ids...)...)
		before := w.dump()
		w.update(func(ctx context.Context, tx store.Tx) error { return record(ctx, tx, sale) })
		w.same("everything", w.dump(), before.after(sale))
	}},
	Test{"RecordSale records every transaction of the batch", func(w *world) {
		sale := w.batch(w.openCoins(10), by(w.player(money.Unit))...)
		sale.Entries = append(sale.Entries, w.entry(ledger.JackpotWin, "another", ledger.JackpotReserve(greatPot), ledger.JackpotPot(greatPot), 7))
		before := w.dump()
		w.must(w.try(sale))
		w.same("everything", w.dump(), before.after(sale))
	}},
	Test{"sales at the same time never sell a unit twice", func(w *world) {
		w.openCoins(200)
		ids := w.players(4, 20*money.Unit)
		w.together(len(ids), 10, func(buyer int) error {
			for {
				// Each seller remembers what it read outside the transaction, and reads again on a conflict.
				state, err := w.Lane(w.ctx, coinsLane)
				if err != nil {
					return err
				}
				account, err := w.Account(w.ctx, ids[buyer])
				if err != nil {
					return err
				}
				sale := w.alone(state, &account)
				err = w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return record(ctx, tx, sale) })
				if fault.CodeOf(err) != "lane_moved" {
					return err
				}
			}
		})
		for at, play := range w.dump().Plays {
			w.same("index", play.Index, uint32(at))
		}
		w.same("sold", w.lane(coinsLane).Units.Sold, uint32(40))
	}},
)
