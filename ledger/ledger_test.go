package ledger

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

var at = time.Date(2026, 3, 29, 0, 59, 59, 123456789, time.UTC)

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name      string
		kind      Kind
		reference string
		postings  []Posting
		fault     fault.Kind
		code      string
	}{
		{"one cent off", Sale, "b", []Posting{{PlayerFunds, 100}, {Stakes("piece-dor"), -99}}, fault.Corrupt, "unbalanced"},
		{"a ten-thousandth off", Sale, "b", []Posting{{PlayerFunds, 1}, {Stakes("piece-dor"), -2}}, fault.Corrupt, "unbalanced"},
		{"one side only", Sale, "b", []Posting{{PlayerFunds, 100}}, fault.Corrupt, "unbalanced"},
		{"nothing", Sale, "b", nil, fault.Invalid, "transaction_empty"},
		{"zeros", Sale, "b", []Posting{{PlayerFunds, 0}, {PrizesDue, 0}}, fault.Invalid, "transaction_empty"},
		{"one account with itself", Sale, "b", []Posting{{PlayerFunds, 5}, {PlayerFunds, -5}}, fault.Invalid, "transaction_empty"},
		{"unknown account", Sale, "b", []Posting{{"slush", 5}, {PlayerFunds, -5}}, fault.Invalid, "account_unknown"},
		{"unknown account with nothing", Sale, "b", []Posting{{"slush", 0}, {PlayerFunds, -5}, {PrizesDue, 5}}, fault.Invalid, "account_unknown"},
		{"no kind", "", "b", []Posting{{PlayerFunds, 5}, {PrizesDue, -5}}, fault.Invalid, "transaction_unnamed"},
		{"no reference", Sale, "", []Posting{{PlayerFunds, 5}, {PrizesDue, -5}}, fault.Invalid, "transaction_unnamed"},
		{"sums that wrap round to balance", Sale, "b", []Posting{
			{PlayerFunds, 1 << 62}, {PrizesDue, 1 << 62}, {Stakes("a"), 1 << 62}, {Prizes("a"), 1 << 62}}, fault.Invalid, "amount_overflow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			transaction, err := New(c.kind, c.reference, at, c.postings...)
			if !errors.Is(err, c.fault) || fault.CodeOf(err) != c.code {
				t.Fatalf("got %v (%s), want %v %s", err, fault.CodeOf(err), c.fault, c.code)
			}
			if !transaction.Zero() {
				t.Error("a refused transaction exists nevertheless")
			}
		})
	}
}

func TestNewMergesAndOrders(t *testing.T) {
	postings := []Posting{{Stakes("piece-dor"), -5000}, {PlayerFunds, 5000}, {PrizesDue, 0}, {PlayerFunds, -2500}, {Prizes("piece-dor"), 2500}}
	transaction, err := New(Sale, "batch 1", at, postings...)
	if err != nil {
		t.Fatal(err)
	}
	want := []Posting{{PlayerFunds, 2500}, {Prizes("piece-dor"), 2500}, {Stakes("piece-dor"), -5000}}
	if diff := cmp.Diff(want, transaction.Postings()); diff != "" {
		t.Error(diff)
	}
	if transaction.Kind() != Sale || transaction.Reference() != "batch 1" || !transaction.At().Equal(at.Truncate(time.Millisecond)) {
		t.Errorf("got %s %q at %s", transaction.Kind(), transaction.Reference(), transaction.At())
	}
}

// A transaction cannot be changed through what went in nor through what it gives out.
func TestTransactionIsImmutable(t *testing.T) {
	in := []Posting{{PlayerFunds, -700}, {PlayMoneySource, 700}}
	transaction, err := New(PlayMoney, "credit", at, in...)
	if err != nil {
		t.Fatal(err)
	}
	want := transaction.Postings()
	in[0].Amount = 1
	transaction.Postings()[0].Amount = 2
	if diff := cmp.Diff(want, transaction.Postings()); diff != "" {
		t.Error(diff)
	}
}

type maker func(Kind, string, time.Time, ...Posting) (Transaction, error)

var accounts = []Account{PlayerFunds, PrizesDue, PlayMoneySource, Stakes("piece-dor"), Stakes("precius-aurus"), Prizes("piece-dor"),
	JackpotPot("super-jackpot"), JackpotReserve("super-jackpot"), JackpotShare("super-jackpot"), JackpotAdvances("super-jackpot"), JackpotRounding("super-jackpot")}

// checkMaker makes many transactions, half of them balanced, and reports the first one that exists
// without balancing, or that lost or moved money of an account.
func checkMaker(t *testing.T, make maker) (found error) {
	rapid.Check(t, func(r *rapid.T) {
		if found != nil {
			return
		}
		postings := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) Posting {
			return Posting{rapid.SampledFrom(accounts).Draw(r, "account"), money.Amount(rapid.Int64Range(-3, 3).Draw(r, "amount"))}
		}), 0, 6).Draw(r, "postings")
		sum, byAccount := money.Amount(0), map[Account]money.Amount{}
		for _, posting := range postings {
			sum += posting.Amount
		}
		if rapid.Bool().Draw(r, "balanced") {
			postings = append(postings, Posting{PlayerFunds, -sum})
			sum = 0
		}
		for _, posting := range postings {
			byAccount[posting.Account] += posting.Amount
		}
		transaction, err := make(Sale, "b", at, postings...)
		if err != nil {
			if moving := count(byAccount); sum == 0 && moving >= 2 {
				found = fmt.Errorf("refused %v: %w", postings, err)
			}
			return
		}
		total := money.Amount(0)
		for _, posting := range transaction.Postings() {
			total += posting.Amount
			byAccount[posting.Account] -= posting.Amount
		}
		if total != 0 || sum != 0 {
			found = fmt.Errorf("%v exists and sums to %d", postings, total)
		} else if count(byAccount) != 0 {
			found = fmt.Errorf("%v became %v", postings, transaction.Postings())
		}
	})
	return found
}

func count(byAccount map[Account]money.Amount) (moving int) {
	for _, amount := range byAccount {
		if amount != 0 {
			moving++
		}
	}
	return moving
}

func TestEveryTransactionBalances(t *testing.T) {
	if err := checkMaker(t, New); err != nil {
		t.Error(err)
	}
}

func TestBrokenMakersAreCaught(t *testing.T) {
	for name, broken := range map[string]maker{
		"does not check the sum": func(kind Kind, reference string, at time.Time, postings ...Posting) (Transaction, error) {
			merged, err := merge(postings)
			return Transaction{kind: kind, reference: reference, at: at, postings: merged}, err
		},
		"balances it itself": func(kind Kind, reference string, at time.Time, postings ...Posting) (Transaction, error) {
			sum := money.Amount(0)
			for _, posting := range postings {
				sum += posting.Amount
			}
			return New(kind, reference, at, append(postings[:len(postings):len(postings)], Posting{PrizesDue, -sum})...)
		},
		"keeps the last posting to an account": func(kind Kind, reference string, at time.Time, postings ...Posting) (Transaction, error) {
			last := map[Account]money.Amount{}
			for _, posting := range postings {
				last[posting.Account] = posting.Amount
			}
			postings = nil
			for account, amount := range last {
				postings = append(postings, Posting{account, amount})
			}
			return New(kind, reference, at, postings...)
		},
	} {
		if checkMaker(t, broken) == nil {
			t.Errorf("a maker that %s was not caught", name)
		}
	}
}

func TestClass(t *testing.T) {
	for account, want := range map[Account]Class{
		PlayerFunds: Liability, PrizesDue: Liability, PlayMoneySource: Asset,
		Stakes("piece-dor"): Income, Prizes("piece-dor"): Expense,
		// A contribution is owed to players, never earned.
		JackpotPot("super-jackpot"): Liability, JackpotReserve("super-jackpot"): Liability,
		JackpotShare("super-jackpot"): Income, JackpotAdvances("super-jackpot"): Asset, JackpotRounding("super-jackpot"): Expense,
	} {
		if got, err := account.Class(); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", account, got, err, want)
		}
	}
	for _, account := range []Account{"", ":", "stakes", "stakes:", "stakes:Piece", "stakes:a:b", "stakes: a", "stakes:é", "player-funds:", "player-funds:x", "-", "stakes:-a",
		"stakes:a\n", Stakes("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")} {
		if class, err := account.Class(); fault.CodeOf(err) != "account_unknown" {
			t.Errorf("%q: got %q, %v", account, class, err)
		}
	}
}

func TestTrialBalance(t *testing.T) {
	var books TrialBalance
	if total, err := books.Total(); total != 0 || err != nil || len(books.Lines()) != 0 || books.Balance(PlayerFunds) != 0 {
		t.Error("an empty trial balance is not zero")
	}
	add := func(postings ...Posting) {
		t.Helper()
		if err := books.Add(postings...); err != nil {
			t.Fatal(err)
		}
	}
	add(Posting{PlayMoneySource, 100 * money.Unit}, Posting{PlayerFunds, -100 * money.Unit})
	add(Posting{PlayerFunds, money.Unit / 2}, Posting{Stakes("piece-dor"), -money.Unit / 2})
	want := []Posting{{PlayMoneySource, 1_000_000}, {PlayerFunds, -995_000}, {Stakes("piece-dor"), -5_000}}
	if diff := cmp.Diff(want, books.Lines()); diff != "" {
		t.Error(diff)
	}
	if total, err := books.Total(); total != 0 || err != nil {
		t.Errorf("the books sum to %s, %v", total, err)
	}
	add(Posting{PrizesDue, -1})
	if total, err := books.Total(); total != -1 || err != nil {
		t.Errorf("books one ten-thousandth off sum to %s, %v", total, err)
	}
	if err := books.Add(Posting{PrizesDue, -1 << 63}); fault.CodeOf(err) != "amount_overflow" {
		t.Errorf("got %v", err)
	}
}
