package api

import (
	"context"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// ListGames implements GET /games.
func (s *server) ListGames(ctx context.Context, _ ListGamesRequestObject) (ListGamesResponseObject, error) {
	games := Games{Games: []Game{}}
	for _, found := range s.Catalogue.Games() {
		document, err := s.gameDocument(ctx, found)
		if err != nil {
			return nil, err
		}
		games.Games = append(games.Games, document)
	}
	return ListGames200JSONResponse(games), nil
}

// GetGame implements GET /games/{game}.
func (s *server) GetGame(ctx context.Context, request GetGameRequestObject) (GetGameResponseObject, error) {
	found, err := s.Catalogue.Game(request.Game)
	if err != nil {
		return nil, err
	}
	document, err := s.gameDocument(ctx, found)
	return GetGame200JSONResponse(document), err
}

// GetJackpot implements GET /jackpots/{jackpot}.
func (s *server) GetJackpot(ctx context.Context, request GetJackpotRequestObject) (GetJackpotResponseObject, error) {
	jackpot, err := s.Catalogue.Jackpot(request.Jackpot)
	if err != nil {
		return nil, err
	}
	meter, err := s.Store.Meter(ctx, jackpot.Name)
	if err != nil {
		return nil, err
	}
	return GetJackpot200JSONResponse{
		Name: jackpot.Name, Titles: textDocument(jackpot.Titles), Meter: meter.Pot.String(),
		Participation: jackpot.Price.String(), Start: jackpot.Start.String(), OneIn: int(jackpot.Odds),
	}, nil
}

func (s *server) gameDocument(ctx context.Context, g *catalogue.Game) (Game, error) {
	document := Game{
		Name: g.Name, Titles: textDocument(g.Titles), Mechanic: g.Definition.Mechanic.Kind,
		Definition: g.Hash.String(), BlockSize: int(g.BlockSize),
		Combinations: combinationDocuments(g), Symbols: symbolDocuments(g.Mechanics[0]),
	}
	if g.Choice != nil {
		document.Choice = &Choice{Of: g.Choice.Of, Pick: g.Choice.Pick}
	}
	if g.Jackpot != "" {
		document.Jackpot = &g.Jackpot
	}
	for at := range g.Stakes {
		state, err := s.Supply.State(ctx, g.Name, at)
		if err != nil {
			return document, err
		}
		stake, err := stakeDocument(g, at, StakeState(state))
		if err != nil {
			return document, err
		}
		document.Stakes = append(document.Stakes, stake)
	}
	for at, tier := range g.Prizes.Tiers {
		document.Prizes = append(document.Prizes, Prize{
			Count: int(tier.Count), Amounts: amounts(tier.Amounts), OneIn: g.UnitsPerTier(at).Decimals(3),
		})
	}
	return document, nil
}

func stakeDocument(g *catalogue.Game, at int, state StakeState) (Stake, error) {
	stake := g.Stakes[at]
	payout, _, err := g.Payout(at)
	if err != nil {
		return Stake{}, err
	}
	document := Stake{
		Price: stake.Price.String(), OnSale: state == OnSale, State: &state,
		WinOneIn: g.UnitsPerPrize().Decimals(3), PayoutPercent: payout.Percent(3),
	}
	for _, part := range stake.Parts {
		document.Parts = append(document.Parts, Part{For: part.For, Amount: part.Amount.String()})
	}
	return document, nil
}

func combinationDocuments(g *catalogue.Game) []Combination {
	var documents []Combination
	for at, combination := range g.Mechanics[0].Combinations() {
		document := Combination{Symbols: names(g.Mechanics[0], combination.Symbols)}
		for _, m := range g.Mechanics {
			document.Gains = append(document.Gains, m.Combinations()[at].Gain.String())
		}
		documents = append(documents, document)
	}
	return documents
}

var roles = map[mechanic.Role]SymbolRole{
	mechanic.Paying: Paying, mechanic.Neutral: Neutral, mechanic.Wild: Wild, mechanic.Multiplier: Multiplier,
}

func symbolDocuments(m mechanic.Mechanic) []Symbol {
	var documents []Symbol
	for _, symbol := range m.Symbols() {
		document := Symbol{Name: symbol.Name, Titles: textDocument(symbol.Titles), Role: roles[symbol.Role]}
		if symbol.Coefficient > 0 {
			document.Coefficient = &symbol.Coefficient
		}
		documents = append(documents, document)
	}
	return documents
}

func names(m mechanic.Mechanic, codes []byte) []string {
	found := make([]string, len(codes))
	for at, code := range codes {
		found[at] = m.Symbols()[code].Name
	}
	return found
}

func amounts(list []money.Amount) []Amount {
	texts := make([]Amount, len(list))
	for at, amount := range list {
		texts[at] = amount.String()
	}
	return texts
}

func textDocument(text game.Text) Text { return Text{Fr: text.French, En: text.English} }
