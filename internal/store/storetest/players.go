package storetest

import (
	"context"
	"math"
	"time"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// pay credits a player in a transaction of its own.
func (w *world) pay(id player.ID, amount money.Amount, entry ledger.Transaction) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return tx.Credit(ctx, id, amount, entry) })
}

func (w *world) session(session store.Session) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return tx.CreateSession(ctx, session) })
}

var playerTests = named("player",
	Test{"CreatePlayer records an active player without funds", func(w *world) {
		id := w.player(0)
		account, err := w.Account(w.ctx, id)
		w.must(err)
		account.Number = 0
		w.same("account", account, store.Account{ID: id, Created: w.now, Standing: player.Standing{Status: player.Active}})
		_, err = w.Account(w.ctx, player.ID(w.made("nobody")))
		w.refused(err, fault.NotFound, "player_unknown")
	}},
	Test{"CreatePlayer refuses a player that is recorded", func(w *world) {
		id := w.player(money.Unit)
		w.unchanged(func() {
			w.refused(w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return tx.CreatePlayer(ctx, id, w.now) }),
				fault.Conflict, "player_exists")
		})
	}},
	Test{"Credit adds to funds, with a movement and the ledger's transaction", func(w *world) {
		id := w.player(0)
		for _, amount := range []money.Amount{3 * money.Unit, 7} {
			w.must(w.pay(id, amount, w.entry(ledger.PlayMoney, "credit", ledger.PlayMoneySource, ledger.PlayerFunds, amount)))
		}
		w.same("funds", w.available(id), 3*money.Unit+7)
		d := w.dump()
		w.same("movements", d.Movements, []store.Movement{
			{Player: id, Amount: 3 * money.Unit, After: 3 * money.Unit, Transaction: 1, At: w.now},
			{Player: id, Amount: 7, Before: 3 * money.Unit, After: 3*money.Unit + 7, Transaction: 2, At: w.now}})
		w.same("books", d.Transactions[1], store.LedgerRecord{Number: 2, Kind: ledger.PlayMoney, Reference: "credit", At: w.now,
			Postings: []ledger.Posting{{Account: ledger.PlayMoneySource, Amount: 7}, {Account: ledger.PlayerFunds, Amount: -7}}})
	}},
	Test{"Credit refuses amounts that are wrong and players that are not known", func(w *world) {
		id := w.player(money.Unit)
		entry := w.entry(ledger.PlayMoney, "credit", ledger.PlayMoneySource, ledger.PlayerFunds, money.Unit)
		back := w.entry(ledger.PlayMoney, "credit", ledger.PlayerFunds, ledger.PlayMoneySource, money.Unit)
		most := w.entry(ledger.PlayMoney, "credit", ledger.PlayMoneySource, ledger.PlayerFunds, math.MaxInt64)
		w.unchanged(func() {
			w.refused(w.pay(id, 0, entry), fault.Invalid, "amount_wrong")
			w.refused(w.pay(id, -money.Unit, back), fault.Invalid, "amount_wrong")
			w.refused(w.pay(id, 2*money.Unit, entry), fault.Invalid, "credit_malformed")
			w.refused(w.pay(id, money.Unit, back), fault.Invalid, "credit_malformed")
			w.refused(w.pay(id, math.MaxInt64, most), fault.Invalid, "amount_overflow")
			w.refused(w.pay(player.ID(w.made("nobody")), money.Unit, entry), fault.NotFound, "player_unknown")
		})
	}},
	Test{"SetStanding changes status, exclusion and cap", func(w *world) {
		w.openCoins(10)
		id := w.player(10 * money.Unit)
		w.sellEach(coinsLane, id)
		most := 25 * money.Unit
		for _, standing := range []player.Standing{
			{Status: player.Suspended, ExcludedUntil: w.now.Add(time.Hour), StakeCap: &most},
			{Status: player.Active, StakeCap: new(money.Amount)},
			{Status: player.Closed},
		} {
			before, err := w.Account(w.ctx, id)
			w.must(err)
			w.update(func(ctx context.Context, tx store.Tx) error { return tx.SetStanding(ctx, id, standing) })
			account, err := w.Account(w.ctx, id)
			w.must(err)
			before.Standing = standing
			w.same("account", account, before)
		}
		w.refused(w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
			return tx.SetStanding(ctx, player.ID(w.made("nobody")), player.Standing{Status: player.Active})
		}), fault.NotFound, "player_unknown")
	}},
	Test{"CreateSession records a session by the digest of its token", func(w *world) {
		first := store.Session{Digest: canon.Digest{1}, Player: w.player(0), Started: w.now}
		second := store.Session{Digest: canon.Digest{2}, Player: first.Player, Started: w.now.Add(time.Hour)}
		w.must(w.session(first))
		w.must(w.session(second))
		for _, session := range []store.Session{first, second} {
			found, err := w.Session(w.ctx, session.Digest)
			w.must(err)
			w.same("session", found, session)
		}
		_, err := w.Session(w.ctx, canon.Digest{3})
		w.refused(err, fault.NotFound, "session_unknown")
	}},
	Test{"CreateSession refuses a session that is recorded and a player that is not", func(w *world) {
		session := store.Session{Digest: canon.Digest{1}, Player: w.player(0), Started: w.now}
		w.must(w.session(session))
		other := session
		other.Player = w.player(0)
		w.refused(w.session(other), fault.Conflict, "session_exists")
		found, err := w.Session(w.ctx, session.Digest)
		w.must(err)
		w.same("session", found, session)
		other = store.Session{Digest: canon.Digest{2}, Player: player.ID(w.made("nobody")), Started: w.now}
		w.refused(w.session(other), fault.NotFound, "player_unknown")
	}},
)
