package store

import (
	"context"

	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// ShownFunds is what may be told of a player's available funds: without the prizes of plays that are
// not shown yet, for they would tell the outcome.
func ShownFunds(ctx context.Context, reader Reader, id player.ID) (money.Amount, error) {
	account, err := reader.Account(ctx, id)
	if err != nil {
		return 0, err
	}
	shown := account.Available
	for _, unfinished := range account.Unfinished {
		play, err := reader.Play(ctx, id, unfinished.Play)
		if err != nil {
			return 0, err
		}
		if !play.PrizeDue {
			shown -= play.Prize
		}
		if play.Draw != nil && !play.Draw.WonDue {
			shown -= play.Draw.Won
		}
	}
	return max(shown, 0), nil
}
