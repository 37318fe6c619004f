package ledger

import (
	"maps"
	"slices"

	"github.com/talonlottery/talon/money"
)

// TrialBalance adds postings up account by account. The zero value is empty and ready to use; it is
// not safe for concurrent use. It takes postings as they are recorded, balanced or not, so that it
// can tell when they are not.
type TrialBalance struct {
	sums map[Account]money.Amount
}

// Add adds postings. It returns Invalid with code amount_overflow when an account's sum does not
// fit; accounts before it in the list have been added then.
func (b *TrialBalance) Add(postings ...Posting) error {
	if b.sums == nil {
		b.sums = make(map[Account]money.Amount)
	}
	for _, posting := range postings {
		sum, err := b.sums[posting.Account].Add(posting.Amount)
		if err != nil {
			return err
		}
		b.sums[posting.Account] = sum
	}
	return nil
}

// Balance is the sum of an account's postings: debits positive, credits negative. An account that
// never moved has none.
func (b *TrialBalance) Balance(account Account) money.Amount { return b.sums[account] }

// Lines lists every account that ever moved with its balance, in the order of their names. The
// caller may change the copy it gets.
func (b *TrialBalance) Lines() []Posting {
	lines := make([]Posting, 0, len(b.sums))
	for _, account := range slices.Sorted(maps.Keys(b.sums)) {
		lines = append(lines, Posting{Account: account, Amount: b.sums[account]})
	}
	return lines
}

// Total is the sum over all accounts: zero, unless a record was changed or lost. It returns Invalid
// with code amount_overflow when a partial sum does not fit.
func (b *TrialBalance) Total() (money.Amount, error) {
	total := money.Amount(0)
	for _, line := range b.Lines() {
		var err error
		if total, err = total.Add(line.Amount); err != nil {
			return 0, err
		}
	}
	return total, nil
}
