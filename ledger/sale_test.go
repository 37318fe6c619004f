package ledger

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// The batch of docs/accounts.md, computed by hand: three units of Precius Aurus at 1 € (0,97 € the
// game's, 0,03 € the jackpot's); one loses, one wins 2 €, one 10 000 €, which is above the threshold.
func TestSaleEntry(t *testing.T) {
	const game, pot = "precius-aurus", "super-jackpot"
	got, err := SaleEntry("batch", at, SaleTotals{
		Game: game, GamePart: 29_100, ToFunds: 20_000, ToDue: 100_000_000,
		Jackpot: pot, ToPot: 480, ToReserve: 150, ToOperator: 270,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Posting{
		{JackpotPot(pot), -480},
		{JackpotReserve(pot), -150},
		{JackpotShare(pot), -270},
		{PlayerFunds, 30_000 - 20_000},
		{PrizesDue, -100_000_000},
		{Prizes(game), 100_020_000},
		{Stakes(game), -29_100},
	}
	if diff := cmp.Diff(want, got.Postings()); diff != "" {
		t.Error(diff)
	}
	if got.Kind() != Sale {
		t.Errorf("kind %s", got.Kind())
	}
}

func TestSaleEntryRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		totals SaleTotals
		kind   fault.Kind
		code   string
	}{
		"participations without a jackpot": {SaleTotals{Game: "piece-dor", GamePart: 5000, ToPot: 160}, fault.Corrupt, "unbalanced"},
		"negative prize":                   {SaleTotals{Game: "piece-dor", GamePart: 5000, ToFunds: -1}, fault.Invalid, "amount_negative"},
		"negative contribution":            {SaleTotals{Game: "piece-dor", GamePart: 5000, Jackpot: "j", ToPot: -1}, fault.Invalid, "amount_negative"},
		"name of no game":                  {SaleTotals{Game: "Pièce d'or", GamePart: 5000}, fault.Invalid, "account_unknown"},
		"overflow":                         {SaleTotals{Game: "piece-dor", GamePart: 1 << 62, Jackpot: "j", ToPot: 1 << 62}, fault.Invalid, "amount_overflow"},
	} {
		if _, err := SaleEntry("b", at, c.totals); !errors.Is(err, c.kind) || fault.CodeOf(err) != c.code {
			t.Errorf("%s: got %v (%s), want %s", name, err, fault.CodeOf(err), c.code)
		}
	}
}

// Every batch balances, and each account moves by what the batch says of it and nothing else.
func TestSaleEntryProperty(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		amount := func(name string) money.Amount {
			return money.Amount(rapid.Int64Range(0, int64(money.Most)).Draw(r, name))
		}
		totals := SaleTotals{Game: "precius-aurus", GamePart: 1 + amount("game part"), ToFunds: amount("to funds"), ToDue: amount("to due"),
			Jackpot: "super-jackpot", ToPot: amount("pot"), ToReserve: amount("reserve"), ToOperator: amount("operator")}
		transaction, err := SaleEntry("b", at, totals)
		if err != nil {
			r.Fatal(err)
		}
		var books TrialBalance
		if err := books.Add(transaction.Postings()...); err != nil {
			r.Fatal(err)
		}
		price := totals.GamePart + totals.ToPot + totals.ToReserve + totals.ToOperator
		for account, want := range map[Account]money.Amount{
			PlayerFunds: price - totals.ToFunds, PrizesDue: -totals.ToDue, Stakes(totals.Game): -totals.GamePart,
			Prizes(totals.Game): totals.ToFunds + totals.ToDue, JackpotPot(totals.Jackpot): -totals.ToPot,
			JackpotReserve(totals.Jackpot): -totals.ToReserve, JackpotShare(totals.Jackpot): -totals.ToOperator,
		} {
			if got := books.Balance(account); got != want {
				r.Errorf("%s moved by %s, want %s", account, got, want)
			}
		}
		if total, err := books.Total(); total != 0 || err != nil {
			r.Errorf("sums to %s, %v", total, err)
		}
	})
}
