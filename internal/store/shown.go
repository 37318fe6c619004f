package store

import (
	"context"
	"slices"

	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// Funds is what may be told of a player's funds.
type Funds struct {
	Available money.Amount // without the prizes of plays that are not shown yet
	hidden    []int64      // journal lines of those plays
}

// TellsOf reports whether the funds before and after a play may be told too: not while they hold the
// prize of an earlier play that is not shown.
func (f Funds) TellsOf(play *Play) bool {
	return !slices.ContainsFunc(f.hidden, func(line int64) bool { return line < play.Number })
}

// FundsShown is what may be told of a player's funds: nothing that holds the prize of a play that is
// not shown yet, for it would tell the outcome.
func FundsShown(ctx context.Context, reader Reader, id player.ID) (Funds, error) {
	account, err := reader.Account(ctx, id)
	if err != nil {
		return Funds{}, err
	}
	var funds Funds
	shown := account.Available
	for _, unfinished := range account.Unfinished {
		play, err := reader.Play(ctx, id, unfinished.Play)
		if err != nil {
			return Funds{}, err
		}
		shown -= play.Credited()
		funds.hidden = append(funds.hidden, play.Number)
	}
	funds.Available = max(shown, 0)
	return funds, nil
}

// Credited is what a play won into available funds.
func (p *Play) Credited() (won money.Amount) {
	if !p.PrizeDue {
		won = p.Prize
	}
	if p.Draw != nil && !p.Draw.WonDue {
		won += p.Draw.Won
	}
	return won
}

// ShownFunds is the available funds that may be told (see [FundsShown]).
func ShownFunds(ctx context.Context, reader Reader, id player.ID) (money.Amount, error) {
	funds, err := FundsShown(ctx, reader, id)
	return funds.Available, err
}
