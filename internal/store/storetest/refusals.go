package storetest

import (
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// spoiled records a batch that was spoiled, checks the refusal, that nothing at all was recorded, and
// that the sound batch is recorded afterwards.
func (w *world) spoiled(sale store.Sale, kind fault.Kind, code string, spoil func(*store.Sale)) {
	w.Helper()
	bad := sale
	bad.Plays = append([]store.Play(nil), sale.Plays...)
	bad.Accounts = append([]store.Account(nil), sale.Accounts...)
	if sale.After.Draw != nil {
		draw := *sale.After.Draw
		bad.After.Draw = &draw
		for at := range bad.Plays {
			draw := *bad.Plays[at].Draw
			bad.Plays[at].Draw = &draw
		}
	}
	spoil(&bad)
	w.unchanged(func() { w.refused(w.try(bad), kind, code) })
}

var refusalTests = named("refusal",
	Test{"lane_moved when the lane is not at Before", func(w *world) {
		ids := w.players(2, money.Unit)
		stale := w.batch(w.openCoins(10), bought{by: ids[0]})
		w.sellEach(coinsLane, ids[1])
		w.spoiled(stale, fault.Conflict, "lane_moved", func(*store.Sale) {})
	}},
	Test{"lane_moved when the version is right and the cursor is not", func(w *world) {
		state, ids := w.openCoins(10), w.players(2, money.Unit)
		w.sellEach(coinsLane, ids[1])
		forged := state
		forged.Version = w.lane(coinsLane).Version
		w.spoiled(w.batch(forged, bought{by: ids[0]}), fault.Conflict, "lane_moved", func(*store.Sale) {})
		forged = w.lane(coinsLane)
		forged.Draw = state.Draw // the participations' cursor is the old one
		w.spoiled(w.batch(forged, bought{by: ids[0]}), fault.Conflict, "lane_moved", func(*store.Sale) {})
	}},
	Test{"lane_moved when the block is sold no more", func(w *world) {
		w.openCoins(1)
		ids := w.players(2, money.Unit)
		w.sellEach(coinsLane, ids[0])
		last := w.lane(coinsLane)
		_, err := w.advance(coinsLane)
		w.must(err)
		last.Version++
		last.Units.Sold, last.Units.Header.Size = 1, 2 // a seller that believes in one unit more
		w.spoiled(w.batch(last, bought{by: ids[1]}), fault.Conflict, "lane_moved", func(*store.Sale) {})
	}},
	Test{"key_taken when a key was bound before", func(w *world) {
		w.openCoins(10)
		ids := w.players(3, 2*money.Unit)
		taken := w.sellEach(coinsLane, ids[0])[0].Key
		sale := w.batch(w.lane(coinsLane), by(ids...)...)
		w.spoiled(sale, fault.Conflict, "key_taken", func(s *store.Sale) { s.Plays[2].Key = taken })
		w.spoiled(sale, fault.Conflict, "key_taken", func(s *store.Sale) { s.Plays[0].Key = taken })
		w.must(w.try(sale))
	}},
	Test{"key_taken when a key is in the batch twice", func(w *world) {
		sale := w.batch(w.openCoins(10), by(w.players(2, money.Unit)...)...)
		w.spoiled(sale, fault.Conflict, "key_taken", func(s *store.Sale) { s.Plays[1].Key = s.Plays[0].Key })
		w.must(w.try(sale))
	}},
	Test{"unit_sold when an index or a play was sold before", func(w *world) {
		w.openCoins(10)
		ids := w.players(2, 2*money.Unit)
		sold := w.sellEach(coinsLane, ids[0])[0]
		sale := w.batch(w.lane(coinsLane), by(ids...)...)
		w.spoiled(sale, fault.Conflict, "unit_sold", func(s *store.Sale) { s.Plays[0].Index = 0 })
		w.spoiled(sale, fault.Conflict, "unit_sold", func(s *store.Sale) { s.Plays[1].Index = s.Plays[0].Index })
		w.spoiled(sale, fault.Conflict, "unit_sold", func(s *store.Sale) { s.Plays[1].Draw.Index = 0 })
		w.spoiled(sale, fault.Conflict, "unit_sold", func(s *store.Sale) { s.Plays[1].ID = sold.ID })
		w.must(w.try(sale))
	}},
	Test{"funds_negative when funds would go below zero", func(w *world) {
		state := w.openCoins(10)
		ids := []player.ID{w.player(money.Unit), w.player(money.Unit - money.Cent), w.player(money.Unit)}
		w.unchanged(func() {
			w.refused(w.try(w.batch(state, by(ids...)...)), fault.Refused, "funds_negative")
		})
		w.must(w.try(w.batch(state, by(ids[0], ids[2])...)))
		w.same("funds that were just enough", w.available(ids[0]), money.Amount(0))
	}},
	Test{"player_unknown for an account that is not recorded", func(w *world) {
		sale := w.batch(w.openCoins(10), by(w.players(2, money.Unit)...)...)
		w.spoiled(sale, fault.NotFound, "player_unknown", func(s *store.Sale) { s.Accounts[1].Number = 1 << 40 })
	}},
	Test{"sale_malformed for a batch that cannot be", func(w *world) {
		state := w.openCoins(3)
		w.openGems(3)
		sale := w.batch(state, by(w.players(2, 3*money.Unit)...)...)
		for what, spoil := range map[string]func(*store.Sale){
			"nothing in it":             func(s *store.Sale) { s.Plays, s.Accounts = nil, nil },
			"a version is left out":     func(s *store.Sale) { s.After.Version++ },
			"another lane":              func(s *store.Sale) { s.After.Lane = gemsLane },
			"an index is left out":      func(s *store.Sale) { s.Plays[1].Index++ },
			"a draw is left out":        func(s *store.Sale) { s.Plays[1].Draw.Index++ },
			"a cursor too far":          func(s *store.Sale) { s.After.Units.Sold++ },
			"a cursor of draws too far": func(s *store.Sale) { s.After.Draw.Sold++ },
			"a tree too small":          func(s *store.Sale) { s.After.Units.Sales = s.Before.Units.Sales },
			"no participation":          func(s *store.Sale) { s.Plays[0].Draw = nil },
			"no draws afterwards":       func(s *store.Sale) { s.After.Draw = nil },
			"another block":             func(s *store.Sale) { s.Plays[0].Block = w.made("block") },
			"another block of draws":    func(s *store.Sale) { s.Plays[0].Draw.Block = w.made("block") },
			"no layout":                 func(s *store.Sale) { s.Plays[0].Layout = nil },
			"a player twice":            func(s *store.Sale) { s.Plays[1].Player = s.Plays[0].Player },
			"a player too many":         func(s *store.Sale) { s.Accounts = append(s.Accounts, s.Accounts[0]) },
			"a prize from nowhere":      func(s *store.Sale) { s.Plays[0].After += 100; s.Accounts[0].Available += 100 },
			"funds of another amount":   func(s *store.Sale) { s.Accounts[0].Available++ },
			"an unpaid prize":           func(s *store.Sale) { s.Plays[0].Prize += money.Unit },
			"books that say nothing":    func(s *store.Sale) { s.Entries = nil },
			"books of another amount": func(s *store.Sale) {
				s.Entries = append(s.Entries, w.entry(ledger.Sale, "more", ledger.PlayerFunds, ledger.Stakes(coins), 1))
			},
		} {
			w.unchanged(func() {
				w.Helper()
				bad := store.Sale{Before: sale.Before, After: sale.After, Entries: sale.Entries}
				for _, play := range sale.Plays {
					bad.Plays = append(bad.Plays, copyOf(&play))
				}
				bad.Accounts = append(bad.Accounts, sale.Accounts...)
				draw := *sale.After.Draw
				bad.After.Draw = &draw
				spoil(&bad)
				if err := w.try(bad); fault.CodeOf(err) != "sale_malformed" || fault.KindOf(err) != fault.Invalid {
					w.Errorf("%s: got error %v", what, err)
				}
			})
		}
		w.must(w.try(sale))
	}},
	Test{"sale_malformed beyond the end of the block", func(w *world) {
		ids := w.players(3, money.Unit)
		w.spoiled(w.batch(w.openCoins(2), by(ids...)...), fault.Invalid, "sale_malformed", func(*store.Sale) {})
	}},
)
