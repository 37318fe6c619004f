package ledger

import (
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// SaleTotals are the sums of a batch of plays of one lane. Amounts are not negative.
type SaleTotals struct {
	Game     string
	GamePart money.Amount // of all prices
	ToFunds  money.Amount // prizes paid to available funds
	ToDue    money.Amount // prizes above the threshold
	// The participations sold with the units; Jackpot is "" without.
	Jackpot                      string
	ToPot, ToReserve, ToOperator money.Amount
}

// SaleEntry is the one balanced transaction of a batch, as sales journals are posted: each play is a
// line of the journal, the general ledger gets their sums. It returns Invalid with code
// amount_negative for a negative sum, which would balance but mean the opposite; other errors as [New].
func SaleEntry(reference string, at time.Time, totals SaleTotals) (Transaction, error) {
	if least := min(totals.GamePart, totals.ToFunds, totals.ToDue, totals.ToPot, totals.ToReserve, totals.ToOperator); least < 0 {
		return Transaction{}, fault.New(fault.Invalid, "amount_negative", "a batch of plays of %s has a negative sum, %s", totals.Game, least)
	}
	debit, err := money.Sum(totals.GamePart, totals.ToPot, totals.ToReserve, totals.ToOperator)
	if err != nil {
		return Transaction{}, err
	}
	prizes, err := totals.ToFunds.Add(totals.ToDue)
	if err != nil {
		return Transaction{}, err
	}
	postings := []Posting{
		{PlayerFunds, debit},
		{Stakes(totals.Game), -totals.GamePart},
		{Prizes(totals.Game), prizes},
		{PlayerFunds, -totals.ToFunds},
		{PrizesDue, -totals.ToDue},
	}
	if totals.Jackpot != "" {
		postings = append(postings,
			Posting{JackpotPot(totals.Jackpot), -totals.ToPot},
			Posting{JackpotReserve(totals.Jackpot), -totals.ToReserve},
			Posting{JackpotShare(totals.Jackpot), -totals.ToOperator})
	}
	return New(Sale, reference, at, postings...)
}
