package storetest

import (
	"context"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
)

// openTwoLanes gives a jackpot two lanes that have each sold two units, and a lane without a jackpot.
func (w *world) openTwoLanes() {
	w.Helper()
	w.openCoins(10)
	w.openLane(otherLane, greatPot)
	w.openGems(10)
	ids := w.players(2, 10*money.Unit)
	for _, lane := range []store.Lane{coinsLane, otherLane, gemsLane} {
		w.sellEach(lane, ids...)
	}
}

// take takes the meters of the other lanes, and keeps that.
func (w *world) take(except store.Lane) (taken jackpot.Meter) {
	w.Helper()
	w.update(func(ctx context.Context, tx store.Tx) (err error) {
		taken, err = tx.TakeMeters(ctx, greatPot, except)
		return err
	})
	return taken
}

var jackpotTests = named("jackpot",
	Test{"OpenJackpot records the first meter and its transaction", func(w *world) {
		w.openPot()
		meter, err := w.Meter(w.ctx, greatPot)
		w.must(err)
		w.same("meter", meter, jackpot.Meter{Pot: potStart, Advances: potStart})
		d := w.dump()
		w.same("left of the opening", d.Jackpots, map[string]jackpot.Meter{greatPot: meter})
		w.same("books", d.Transactions, []store.LedgerRecord{{Number: 1, Kind: ledger.JackpotOpening, Reference: greatPot, At: w.now,
			Postings: []ledger.Posting{{Account: ledger.JackpotAdvances(greatPot), Amount: potStart}, {Account: ledger.JackpotPot(greatPot), Amount: -potStart}}}})
	}},
	Test{"OpenJackpot refuses the second time with jackpot_open", func(w *world) {
		w.openPot()
		w.unchanged(func() {
			w.refused(w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
				return tx.OpenJackpot(ctx, greatPot, jackpot.Meter{}, w.potOpening())
			}), fault.Conflict, "jackpot_open")
		})
	}},
	Test{"Meter is the sum over the opening and all lanes", func(w *world) {
		w.openTwoLanes()
		meter, err := w.Meter(w.ctx, greatPot)
		w.must(err)
		w.same("meter after four participations", meter, jackpot.Meter{Pot: potStart + 4*toPot, Reserve: 4 * toReserve, Advances: potStart})
		_, err = w.Meter(w.ctx, "no-pot")
		w.refused(err, fault.NotFound, "jackpot_unknown")
	}},
	Test{"TakeMeters empties all lanes but one and what was opened, and returns their sum", func(w *world) {
		w.openTwoLanes()
		kept := w.lane(coinsLane)
		w.same("taken", w.take(coinsLane), jackpot.Meter{Pot: potStart + 2*toPot, Reserve: 2 * toReserve, Advances: potStart})
		w.same("the winner's lane", w.lane(coinsLane), kept)
		w.same("the other lane's meter", w.lane(otherLane).Meter, jackpot.Meter{})
		w.same("left of the opening", w.dump().Jackpots, map[string]jackpot.Meter{greatPot: {}})
		meter, err := w.Meter(w.ctx, greatPot)
		w.must(err)
		w.same("meter", meter, kept.Meter)
		w.same("taken again", w.take(coinsLane), jackpot.Meter{})
	}},
	Test{"TakeMeters makes the other lanes move, and no lane of another jackpot", func(w *world) {
		w.openTwoLanes()
		winner, other, gem := w.lane(coinsLane), w.lane(otherLane), w.lane(gemsLane)
		sale := w.batch(other, by(w.player(money.Unit))...)
		w.take(coinsLane)
		w.refused(w.try(sale), fault.Conflict, "lane_moved") // it would write the old meter again
		w.same("version of the other lane", w.lane(otherLane).Version, other.Version+1)
		w.same("version of the winner's lane", w.lane(coinsLane).Version, winner.Version)
		w.same("the lane without a jackpot", w.lane(gemsLane), gem)
	}},
	Test{"TakeMeters of no jackpot is jackpot_unknown", func(w *world) {
		w.refused(w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
			_, err := tx.TakeMeters(ctx, "no-pot", coinsLane)
			return err
		}), fault.NotFound, "jackpot_unknown")
	}},
	Test{"a win is recorded whole or not at all", func(w *world) {
		w.openTwoLanes()
		id := w.player(money.Unit)
		sale := w.batch(w.lane(coinsLane), bought{by: id})
		win := func(fail error) error {
			return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
				taken, err := tx.TakeMeters(ctx, greatPot, coinsLane)
				w.must(err)
				w.must(tx.RecordSale(ctx, w.won(sale, taken)))
				return fail
			})
		}
		w.unchanged(func() {
			if err := win(errOnPurpose); err != errOnPurpose {
				w.Errorf("Update returned %v", err)
			}
		})
		w.must(win(nil))
		// Five participations came in: 0,08 € more than the starting amount, in whole cents.
		const pot = potStart + 5*toPot
		found, err := w.Play(w.ctx, id, sale.Plays[0].ID)
		w.must(err)
		w.same("won", found.Draw.Won, pot)
		w.same("funds", w.available(id), pot)
		meter, err := w.Meter(w.ctx, greatPot)
		w.must(err)
		w.same("meter", meter, jackpot.Meter{Pot: potStart, Reserve: 0, Advances: 2*potStart - 5*toReserve})
	}},
)

// won makes a sale of one play win what the lane and the other meters hold.
func (w *world) won(sale store.Sale, taken jackpot.Meter) store.Sale {
	w.Helper()
	pot, reserve := sale.After.Meter.Pot+taken.Pot, sale.After.Meter.Reserve+taken.Reserve
	play := copyOf(&sale.Plays[0])
	play.Draw.Won = pot
	play.After += pot
	sale.Plays = []store.Play{play}
	sale.Accounts = append([]store.Account(nil), sale.Accounts...)
	sale.Accounts[0].Available += pot
	sale.After.Meter = jackpot.Meter{Pot: potStart, Advances: taken.Advances + potStart - reserve}
	entry, err := ledger.New(ledger.JackpotWin, store.WinReference(play.ID), w.now,
		ledger.Posting{Account: ledger.JackpotPot(greatPot), Amount: pot - potStart},
		ledger.Posting{Account: ledger.JackpotReserve(greatPot), Amount: reserve},
		ledger.Posting{Account: ledger.JackpotAdvances(greatPot), Amount: potStart - reserve},
		ledger.Posting{Account: ledger.PlayerFunds, Amount: -pot})
	w.must(err)
	sale.Entries = append(append([]ledger.Transaction(nil), sale.Entries...), entry)
	return sale
}
