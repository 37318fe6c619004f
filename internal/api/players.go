package api

import (
	"context"

	"github.com/talonlottery/talon/internal/store"
)

// GetPlayer implements GET /player: funds, session and unfinished plays.
func (s *server) GetPlayer(ctx context.Context, _ GetPlayerRequestObject) (GetPlayerResponseObject, error) {
	session, err := s.session(ctx)
	if err != nil {
		return nil, err
	}
	account, err := s.Store.Account(ctx, session.Player)
	if err != nil {
		return nil, err
	}
	available, err := store.ShownFunds(ctx, s.Store, session.Player)
	if err != nil {
		return nil, err
	}
	summary, err := s.Store.Summary(ctx, session.Player, session.Started)
	if err != nil {
		return nil, err
	}
	document := Player{Available: available.String(), PlayMoney: s.PlayMoney, Unfinished: []Unfinished{}}
	document.Session = Session{
		Started: session.Started, Staked: summary.Staked.String(), Won: summary.Won.String(), Net: (summary.Won - summary.Staked).String(),
	}
	for _, unfinished := range account.Unfinished {
		document.Unfinished = append(document.Unfinished, Unfinished{Game: unfinished.Game, Play: unfinished.Play.String()})
	}
	return GetPlayer200JSONResponse(document), nil
}
