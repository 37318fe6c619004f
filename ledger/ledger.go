// Package ledger keeps double entry: accounts, postings, and transactions that balance or are refused.
//
// Its one promise: a [Transaction] that exists balances to zero and never changes. The
// package decides and holds no state; where transactions are recorded is for package store.
package ledger

import (
	"slices"
	"strings"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// Kind says what a transaction records.
type Kind string

// The kinds of transaction.
const (
	Sale           Kind = "sale"            // a batch of plays of one lane
	PlayMoney      Kind = "play-money"      // play money given to a player of a demonstration
	JackpotOpening Kind = "jackpot-opening" // a jackpot's first starting amount
	JackpotWin     Kind = "jackpot-win"     // a pot paid and the next starting amount set aside
)

// Posting is one side of a movement: debits are positive, credits negative.
type Posting struct {
	Account Account
	Amount  money.Amount
}

// Transaction is a set of postings whose sum is zero. It is immutable; make it with [New].
type Transaction struct {
	kind      Kind
	reference string
	at        time.Time
	postings  []Posting
}

// New makes a transaction. Postings to one account are added up and those of nothing are left out.
// It returns Corrupt with code unbalanced when the rest does not sum to zero, Invalid with code
// account_unknown for an account that is not in the chart, transaction_empty when fewer than two
// accounts move, and transaction_unnamed without kind or reference.
func New(kind Kind, reference string, at time.Time, postings ...Posting) (Transaction, error) {
	if kind == "" || reference == "" {
		return Transaction{}, fault.New(fault.Invalid, "transaction_unnamed", "a transaction needs a kind and a reference")
	}
	merged, err := merge(postings)
	if err != nil {
		return Transaction{}, err
	}
	total := money.Amount(0)
	for _, posting := range merged {
		if total, err = total.Add(posting.Amount); err != nil {
			return Transaction{}, err
		}
	}
	if total != 0 {
		return Transaction{}, fault.New(fault.Corrupt, "unbalanced", "the postings of a %s transaction do not balance: they sum to %s", kind, total).
			Next("record nothing; this is a defect of whoever made the transaction")
	}
	if len(merged) < 2 {
		return Transaction{}, fault.New(fault.Invalid, "transaction_empty", "a %s transaction moves nothing between two accounts", kind)
	}
	return Transaction{kind: kind, reference: reference, at: at.UTC().Truncate(time.Millisecond), postings: merged}, nil
}

func merge(postings []Posting) ([]Posting, error) {
	sums := make(map[Account]money.Amount, len(postings))
	for _, posting := range postings {
		if _, err := posting.Account.Class(); err != nil {
			return nil, err
		}
		sum, err := sums[posting.Account].Add(posting.Amount)
		if err != nil {
			return nil, err
		}
		sums[posting.Account] = sum
	}
	merged := make([]Posting, 0, len(sums))
	for account, amount := range sums {
		if amount != 0 {
			merged = append(merged, Posting{Account: account, Amount: amount})
		}
	}
	// One order for all, so that the same movement is recorded in the same bytes everywhere.
	slices.SortFunc(merged, func(a, b Posting) int { return strings.Compare(string(a.Account), string(b.Account)) })
	return merged, nil
}

// Kind says what the transaction records.
func (t Transaction) Kind() Kind { return t.kind }

// Reference names what caused it: a batch, a player's credit, a block.
func (t Transaction) Reference() string { return t.reference }

// At is when it was recorded, in UTC, to the millisecond.
func (t Transaction) At() time.Time { return t.at }

// Postings lists the postings by account. The caller may change the copy it gets.
func (t Transaction) Postings() []Posting { return slices.Clone(t.postings) }

// Zero reports whether this is the zero value, which records nothing.
func (t Transaction) Zero() bool { return len(t.postings) == 0 }
