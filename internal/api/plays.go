package api

import (
	"context"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/statement"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/mechanic"
)

type server struct{ Config }

// BuyPlay implements POST /plays (R-190: the four cases of the key).
func (s *server) BuyPlay(ctx context.Context, request BuyPlayRequestObject) (BuyPlayResponseObject, error) {
	session, err := s.session(ctx)
	if err != nil {
		return nil, err
	}
	order, err := s.order(request)
	if err != nil {
		return nil, err
	}
	order.Player = session.Player
	receipt, err := s.Seller.Sell(ctx, order)
	if err != nil {
		return nil, s.nameUnfinished(ctx, order, err)
	}
	document, err := s.playDocument(ctx, receipt.Play)
	if err != nil {
		return nil, err
	}
	if receipt.Repeated {
		return BuyPlay200JSONResponse(document), nil
	}
	return BuyPlay201JSONResponse(document), nil
}

// unfinishedError adds the play to show first to the refusal of a sale.
type unfinishedError struct {
	error
	play block.PlayID
}

func (e *unfinishedError) Unwrap() error { return e.error }

func (s *server) nameUnfinished(ctx context.Context, order sale.Request, err error) error {
	if fault.CodeOf(err) != "unfinished_play" {
		return err
	}
	account, readErr := s.Store.Account(ctx, order.Player)
	if readErr != nil {
		return err // the refusal stands without the name
	}
	if play, found := account.UnfinishedOf(order.Game); found {
		return &unfinishedError{err, play}
	}
	return err
}

func (s *server) order(request BuyPlayRequestObject) (sale.Request, error) {
	if request.Params.IdempotencyKey == nil {
		return sale.Request{}, fault.New(fault.Invalid, "idempotency_key_missing", "a request that moves money needs an Idempotency-Key").
			Next("send a new key for each decision to play, and the same key when you ask again").At("Idempotency-Key")
	}
	if request.Body == nil {
		return sale.Request{}, fault.New(fault.Invalid, "body_missing", "the request has no body").Next("send the game and the stake")
	}
	found, err := s.Catalogue.Game(request.Body.Game)
	if err != nil {
		return sale.Request{}, err
	}
	price, err := parseAmount(request.Body.Stake, "stake")
	if err != nil {
		return sale.Request{}, err
	}
	stake, err := found.StakeAt(price)
	if err != nil {
		return sale.Request{}, err
	}
	order := sale.Request{Key: *request.Params.IdempotencyKey, Game: found.Name, Stake: stake}
	if request.Body.Seen != nil {
		if order.Seen, err = parsePlayID(*request.Body.Seen); err != nil {
			return sale.Request{}, err
		}
	}
	return order, nil
}

// sessionAndPlay is who asks, and the play that the path names.
func (s *server) sessionAndPlay(ctx context.Context, text string) (store.Session, block.PlayID, error) {
	session, err := s.session(ctx)
	if err != nil {
		return session, block.PlayID{}, err
	}
	id, err := parsePlayID(text)
	return session, id, err
}

// RecordChoice implements PUT /plays/{play}/choice.
func (s *server) RecordChoice(ctx context.Context, request RecordChoiceRequestObject) (RecordChoiceResponseObject, error) {
	session, id, err := s.sessionAndPlay(ctx, request.Play)
	if err != nil {
		return nil, err
	}
	if request.Body == nil {
		return nil, fault.New(fault.Invalid, "body_missing", "the request has no body").Next("send the cells that were selected")
	}
	play, err := s.Seller.Choose(ctx, session.Player, id, request.Body.Cells)
	if err != nil {
		return nil, err
	}
	document, err := s.playDocument(ctx, play)
	if err != nil {
		return nil, err
	}
	return RecordChoice200JSONResponse(document), nil
}

// MarkShown implements PUT /plays/{play}/shown.
func (s *server) MarkShown(ctx context.Context, request MarkShownRequestObject) (MarkShownResponseObject, error) {
	session, id, err := s.sessionAndPlay(ctx, request.Play)
	if err != nil {
		return nil, err
	}
	if err := s.Seller.Shown(ctx, session.Player, id); err != nil {
		return nil, err
	}
	return MarkShown204Response{}, nil
}

// GetPlay implements GET /plays/{play}. Another player's play is not found.
func (s *server) GetPlay(ctx context.Context, request GetPlayRequestObject) (GetPlayResponseObject, error) {
	session, id, err := s.sessionAndPlay(ctx, request.Play)
	if err != nil {
		return nil, err
	}
	play, err := s.Store.Play(ctx, session.Player, id)
	if err != nil {
		return nil, err
	}
	document, err := s.playDocument(ctx, play)
	if err != nil {
		return nil, err
	}
	return GetPlay200JSONResponse(document), nil
}

const (
	historyPage     = 20
	historyPageMost = 100
)

// ListPlays implements GET /plays.
func (s *server) ListPlays(ctx context.Context, request ListPlaysRequestObject) (ListPlaysResponseObject, error) {
	session, err := s.session(ctx)
	if err != nil {
		return nil, err
	}
	limit, before, err := page(request.Params)
	if err != nil {
		return nil, err
	}
	plays, err := s.Store.History(ctx, session.Player, before, limit+1)
	if err != nil {
		return nil, err
	}
	history := History{Plays: []Play{}}
	if len(plays) > limit {
		plays = plays[:limit]
		history.Next = &plays[limit-1].Number
	}
	funds, err := store.FundsShown(ctx, s.Store, session.Player)
	if err != nil {
		return nil, err
	}
	for _, play := range plays {
		document, err := s.tell(play, funds)
		if err != nil {
			return nil, err
		}
		history.Plays = append(history.Plays, document)
	}
	return ListPlays200JSONResponse(history), nil
}

func page(params ListPlaysParams) (limit int, before int64, err error) {
	limit = historyPage
	if params.Limit != nil {
		limit = *params.Limit
	}
	if limit < 1 || limit > historyPageMost {
		return 0, 0, fault.New(fault.Invalid, "parameter_malformed", "a page holds 1 to %d plays", historyPageMost).At("limit")
	}
	if params.Before != nil {
		before = *params.Before
		if before < 1 {
			return 0, 0, fault.New(fault.Invalid, "parameter_malformed", "lines of the journal are numbered from 1").At("before")
		}
	}
	return limit, before, nil
}

// playDocument tells a play to its player, with the player's funds as they are now.
func (s *server) playDocument(ctx context.Context, play store.Play) (Play, error) {
	funds, err := store.FundsShown(ctx, s.Store, play.Player)
	if err != nil {
		return Play{}, err
	}
	return s.tell(play, funds)
}

// tell makes the document of a play. The outcome is left out until it may be disclosed.
func (s *server) tell(play store.Play, funds store.Funds) (Play, error) {
	found, err := s.Catalogue.Game(play.Game)
	if err != nil {
		return Play{}, err
	}
	document := Play{
		Id: play.ID.String(), Number: play.Number, Game: play.Game, Stake: play.Price().String(), At: play.At,
		Block: play.Block.String(), Index: int64(play.Index), Available: funds.Available.String(),
		Shown: play.Shown, Disclosed: sale.Disclosed(found.Definition, play),
	}
	document.Parts = append(document.Parts, Part{For: found.Name, Amount: play.GamePart.String()})
	if play.JackpotPart > 0 {
		document.Parts = append(document.Parts, Part{For: found.Jackpot, Amount: play.JackpotPart.String()})
	}
	if play.Choice != nil {
		document.Choice = &play.Choice
	}
	if document.Disclosed {
		document.Outcome, err = s.outcome(found.Mechanics[play.Stake], found.Jackpot, play)
	}
	if document.Outcome != nil && funds.TellsOf(&play) {
		before, after := play.Before.String(), play.After.String()
		document.Outcome.Before, document.Outcome.After = &before, &after
	}
	return document, err
}

func (s *server) outcome(m mechanic.Mechanic, jackpotName string, play store.Play) (*Outcome, error) {
	reading, err := m.Read(play.Layout)
	if err != nil {
		return nil, err
	}
	told := statement.Outcome{Price: play.Price(), Prize: play.Prize, Due: play.PrizeDue, Reading: reading}
	outcome := Outcome{
		Prize: play.Prize.String(), Due: play.PrizeDue, Kind: OutcomeKind(statement.KindOf(play.Price(), play.Prize)),
		Layout: names(m, play.Layout), Gains: gainDocuments(reading), Multiplier: reading.Multiplier,
	}
	if reading.MultiplierCell >= 0 {
		outcome.MultiplierCell = &reading.MultiplierCell
	}
	if play.Draw != nil {
		jackpot, err := s.Catalogue.Jackpot(jackpotName)
		if err != nil {
			return nil, err
		}
		outcome.Jackpot = &JackpotPlay{Name: jackpotName, Won: play.Draw.Won.String(), Due: play.Draw.WonDue}
		told.JackpotWon, told.JackpotDue, told.JackpotTitles = play.Draw.Won, play.Draw.WonDue, jackpot.Titles
	}
	outcome.Statement = textDocument(statement.Of(m, told))
	return &outcome, nil
}

func gainDocuments(reading mechanic.Reading) []Gain {
	documents := []Gain{}
	for _, gain := range reading.Gains {
		document := Gain{Combination: gain.Combination, Cells: gain.Cells, Amount: gain.Amount.String()}
		if gain.WildCell >= 0 {
			document.WildCell = &gain.WildCell
		}
		documents = append(documents, document)
	}
	return documents
}
