package storetest

import (
	"errors"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// several makes a store with several of everything.
func (w *world) several() {
	w.Helper()
	w.openTwoLanes()
	w.sellEach(coinsLane, w.players(3, 3*money.Unit)...)
}

var recordTests = named("records",
	Test{"EachPlay visits what sold a block's units by index", func(w *world) {
		w.openTwoLanes()
		first := w.sellEach(coinsLane, w.players(3, money.Unit)...)
		seen := w.visit(first[0].Block)
		w.same("plays of the block", len(seen), 5)
		for at, play := range seen {
			w.same("index", play.Index, uint32(at))
			w.same("block", play.Block, first[0].Block)
		}
		w.same("the last ones", seen[2:], first)
	}},
	Test{"EachPlay of a block of participations visits by the participation's index", func(w *world) {
		w.openPot()
		w.emission(coins, 0, 2, 2, 2)
		_, draws := w.emission(greatPot, 0, 1, 1, 10)
		w.openLane(coinsLane, greatPot)
		id := w.player(9 * money.Unit)
		w.sellEach(coinsLane, id, id)
		_, err := w.advance(coinsLane)
		w.must(err)
		w.sellEach(coinsLane, id)
		seen := w.visit(draws[0].ID)
		w.same("plays", len(seen), 3)
		for at, play := range seen {
			w.same("participation", play.Draw.Index, uint32(at))
		}
		w.same("index in the second block", seen[2].Index, uint32(0))
	}},
	Test{"EachPlay of no block is block_unknown", func(w *world) {
		w.refused(w.EachPlay(w.ctx, block.ID(w.made("block")), func(*store.Play) error { return nil }), fault.NotFound, "block_unknown")
		_, headers := w.emission(coins, 0, 1, 1, 5)
		w.same("plays of a block not sold", len(w.visit(headers[0].ID)), 0)
	}},
	Test{"EachJournalLine visits all plays in the order of recording, whatever their block", func(w *world) {
		w.openTwoLanes()
		ids := w.players(2, 9*money.Unit)
		var last []store.Play
		for _, lane := range []store.Lane{otherLane, gemsLane, coinsLane, otherLane} {
			last = append(last, w.sellEach(lane, ids...)...)
		}
		var lines []store.Play
		w.must(w.EachJournalLine(w.ctx, func(play *store.Play) error {
			if len(lines) > 0 && play.Number <= lines[len(lines)-1].Number {
				w.Errorf("line %d comes after %d", play.Number, lines[len(lines)-1].Number)
			}
			lines = append(lines, copyOf(play))
			return nil
		}))
		w.same("lines", len(lines), 6+len(last))
		for at, play := range last {
			line := lines[6+at]
			w.same("play", line.ID, play.ID)
			w.same("block", line.Block, play.Block)
		}
	}},
	Test{"EachTransaction visits the books in the order of recording", func(w *world) {
		w.openPot()
		id := w.player(0)
		for at := range 3 {
			w.must(w.pay(id, money.Amount(30-at), w.entry(ledger.PlayMoney, "x", ledger.PlayMoneySource, ledger.PlayerFunds, money.Amount(30-at))))
		}
		var amounts []money.Amount
		last := int64(0)
		w.must(w.EachTransaction(w.ctx, func(record *store.LedgerRecord) error {
			if record.Number <= last {
				w.Errorf("transaction %d comes after %d", record.Number, last)
			}
			last = record.Number
			amounts = append(amounts, record.Postings[0].Amount)
			return nil
		}))
		w.same("amounts", amounts, []money.Amount{potStart, 30, 29, 28})
	}},
	Test{"EachMovement and EachAccount visit in the order of recording", func(w *world) {
		ids := w.players(4, money.Unit)
		w.must(w.pay(ids[1], 5, w.entry(ledger.PlayMoney, "x", ledger.PlayMoneySource, ledger.PlayerFunds, 5)))
		var moved, registered []player.ID
		w.must(w.EachMovement(w.ctx, func(m *store.Movement) error { moved = append(moved, m.Player); return nil }))
		w.must(w.EachAccount(w.ctx, func(a *store.Account) error { registered = append(registered, a.ID); return nil }))
		w.same("moved", moved, append(ids[:4:4], ids[1]))
		w.same("registered", registered, ids)
	}},
	Test{"visiting stops at the function's error and returns it", func(w *world) {
		w.several()
		id := w.lane(coinsLane).Units.Header.ID
		for range 20 { // whatever a stopped visit leaves open would run out
			visits := 0
			stop := func() error { visits++; return errOnPurpose }
			for what, err := range map[string]error{
				"EachPlay":        w.EachPlay(w.ctx, id, func(*store.Play) error { return stop() }),
				"EachJournalLine": w.EachJournalLine(w.ctx, func(*store.Play) error { return stop() }),
				"EachTransaction": w.EachTransaction(w.ctx, func(*store.LedgerRecord) error { return stop() }),
				"EachMovement":    w.EachMovement(w.ctx, func(*store.Movement) error { return stop() }),
				"EachAccount":     w.EachAccount(w.ctx, func(*store.Account) error { return stop() }),
				"EachJackpot":     w.EachJackpot(w.ctx, func(string, jackpot.Meter) error { return stop() }),
			} {
				if !errors.Is(err, errOnPurpose) {
					w.Errorf("%s returned %v, not the function's error", what, err)
				}
			}
			w.same("visits", visits, 6)
		}
	}},
	Test{"a visiting function may read", func(w *world) {
		w.several()
		w.must(w.EachAccount(w.ctx, func(account *store.Account) error {
			again, err := w.Account(w.ctx, account.ID)
			w.same("account", &again, account)
			return err
		}))
	}},
	Test{"balances follow from movements and plays", func(w *world) {
		w.several()
		d := w.dump()
		derived := map[player.ID]money.Amount{}
		for _, movement := range d.Movements {
			derived[movement.Player] += movement.Amount
		}
		for _, play := range d.Plays {
			derived[play.Player] += play.After - play.Before
		}
		owed := money.Amount(0)
		for _, account := range d.Accounts {
			w.same("funds", account.Available, derived[account.ID])
			owed += account.Available
		}
		var books ledger.TrialBalance
		for _, transaction := range d.Transactions {
			w.must(books.Add(transaction.Postings...))
		}
		total, err := books.Total()
		w.must(err)
		w.same("sum of all postings", total, money.Amount(0))
		w.same("player funds in the books", books.Balance(ledger.PlayerFunds), -owed)
	}},
)

// visit lists the plays of a block.
func (w *world) visit(id block.ID) (plays []store.Play) {
	w.Helper()
	w.must(w.EachPlay(w.ctx, id, func(play *store.Play) error {
		plays = append(plays, copyOf(play))
		return nil
	}))
	return plays
}
