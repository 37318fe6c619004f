package player

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/statement"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/mechanic"
)

// playView is a play as its player sees it. Nothing of its outcome is in it before it is disclosed.
type playView struct {
	ID         string
	Number     int64
	At         string // for people
	Hour, Day  string // the same, for a list
	AtMachine  string // RFC 3339
	Game       string
	GameTitle  string
	Stake      string
	Price      string // for the form
	Block      string
	Index      uint32
	Definition string
	Disclosed  bool
	Shown      bool
	Choice     []int // numbers from 1, in the order of selection
	Outcome    *outcomeView
	Receipt    *receiptView // where it is offered
}

// outcomeView is what a disclosed play gave.
type outcomeView struct {
	Kind      statement.Kind
	Prize     string
	Headline  string // what was won, in words
	Explained string // by which gains
	Cells     []cellView
	Lit       []int // combinations that won
	Lines     []lineView
	Before    string // funds; "" while they hold the prize of an earlier play that is not shown
	After     string
}

// cellView is one cell of a layout.
type cellView struct {
	symbolView
	Wins bool
	Seal bool // a multiplier
}

// lineView is a winning line of a grid, by the first and last of its cells.
type lineView struct{ From, To int }

func (p *pages) playView(v *visit, play store.Play) (*playView, error) {
	g, err := p.Catalogue.Game(play.Game)
	if err != nil {
		return nil, err
	}
	l := v.language
	view := &playView{
		ID: play.ID.String(), Number: play.Number, At: l.time(play.At), Hour: l.hour(play.At), Day: l.shortDay(play.At), AtMachine: play.At.Format(time.RFC3339),
		Game: play.Game, GameTitle: l.text(g.Titles), Stake: l.Amount(play.Price()), Price: play.Price().String(),
		Block: play.Block.String(), Index: play.Index, Definition: g.Hash.String(),
		Disclosed: sale.Disclosed(g.Definition, play), Shown: play.Shown,
	}
	for _, cell := range play.Choice {
		view.Choice = append(view.Choice, cell+1)
	}
	if view.Disclosed {
		view.Outcome, err = p.outcomeView(l, g.Mechanics[play.Stake], g.Jackpot, play)
	}
	return view, err
}

func (p *pages) outcomeView(l *language, m mechanic.Mechanic, jackpotName string, play store.Play) (*outcomeView, error) {
	reading, err := m.Read(play.Layout)
	if err != nil {
		return nil, err
	}
	told := statement.Outcome{Price: play.Price(), Prize: play.Prize, Due: play.PrizeDue, Reading: reading}
	view := &outcomeView{Kind: statement.KindOf(play.Price(), play.Prize), Prize: l.Amount(play.Prize)}
	if play.Draw != nil && play.Draw.Won > 0 {
		j, err := p.Catalogue.Jackpot(jackpotName)
		if err != nil {
			return nil, err
		}
		told.JackpotWon, told.JackpotDue, told.JackpotTitles = play.Draw.Won, play.Draw.WonDue, j.Titles
		view.Kind = statement.Win
	}
	view.Headline, view.Explained = split(l.text(statement.Of(m, told)))
	for _, code := range play.Layout {
		view.Cells = append(view.Cells, cellView{symbolView: symbolOf(l, m, code), Seal: m.Symbols()[code].Role == mechanic.Multiplier})
	}
	view.mark(m, reading)
	return view, nil
}

// split parts a statement into what was won and, in brackets, by which gains.
func split(text string) (headline, explained string) {
	headline, rest, found := strings.Cut(text, " (")
	if !found {
		return text, ""
	}
	explained, more, _ := strings.Cut(rest, ").")
	return headline, strings.TrimSpace(explained + more)
}

// mark says which cells and combinations won.
func (view *outcomeView) mark(m mechanic.Mechanic, reading mechanic.Reading) {
	for _, gain := range reading.Gains {
		view.Lit = append(view.Lit, gain.Combination)
		for _, cell := range gain.Cells {
			view.Cells[cell].Wins = true
		}
		if m.Kind() == "lines" {
			view.Lines = append(view.Lines, lineView{From: gain.Cells[0], To: gain.Cells[len(gain.Cells)-1]})
		}
	}
	if reading.MultiplierCell >= 0 && len(reading.Gains) > 0 {
		view.Cells[reading.MultiplierCell].Wins = true
	}
}

// playOf is the visitor's play that the path names.
func (p *pages) playOf(v *visit) (store.Play, error) {
	id, err := playID(v)
	if err != nil {
		return store.Play{}, err
	}
	return p.Store.Play(v.r.Context(), v.session.Player, id)
}

// unit shows a play: its choice, or its result. A result that is shown is taken as shown.
func (p *pages) unit(v *visit) error {
	play, err := p.playOf(v)
	if err != nil {
		return err
	}
	g, err := p.Catalogue.Game(play.Game)
	if err != nil {
		return err
	}
	if sale.Disclosed(g.Definition, play) && !play.Shown {
		if err := p.Seller.Shown(v.r.Context(), v.session.Player, play.ID); err != nil {
			return err
		}
	}
	view, err := p.playView(v, play)
	if err != nil {
		return err
	}
	return p.renderGame(v, g, play.Stake, view, false)
}

// historyPage lists plays, newest first.
type historyPage struct {
	frame
	Games []gameView // the symbols of those of which plays may be listed
	Paged bool       // not the newest page
	Plays []*playView
	Next  int64 // journal line to go on from, or 0
}

const playsAPage = 20

func (p *pages) history(v *visit) error {
	before := int64(0)
	if text := v.r.URL.Query().Get("avant"); text != "" {
		var err error
		if before, err = strconv.ParseInt(text, 10, 64); err != nil || before < 1 {
			return fault.New(fault.Invalid, "number_malformed", "a line of the history is a number").At("avant")
		}
	}
	page := historyPage{Paged: before > 0}
	var err error
	if page.frame, err = p.frame(v, v.language.Say("history.title"), "paper", "history"); err != nil {
		return err
	}
	for _, g := range p.Catalogue.Games() {
		var drawn gameView
		drawn.addSymbols(v.language, g.Mechanics[0])
		page.Games = append(page.Games, drawn)
	}
	plays, err := p.Store.History(v.r.Context(), v.session.Player, before, playsAPage+1)
	if err != nil {
		return err
	}
	more := len(plays) > playsAPage
	plays = plays[:min(len(plays), playsAPage)]
	for _, play := range plays {
		view, err := p.playView(v, play)
		if err != nil {
			return err
		}
		page.Plays = append(page.Plays, view)
	}
	if more {
		page.Next = plays[len(plays)-1].Number
	}
	return p.render(v, http.StatusOK, "history.html", page)
}

// replay shows a recorded play again, exactly, and says that it is one.
func (p *pages) replay(v *visit) error {
	play, err := p.playOf(v)
	if err != nil {
		return err
	}
	view, err := p.playView(v, play)
	if err != nil {
		return err
	}
	if !view.Disclosed {
		return v.to("/unite/" + view.ID)
	}
	funds, err := store.FundsShown(v.r.Context(), p.Store, v.session.Player)
	if err != nil {
		return err
	}
	if funds.TellsOf(&play) {
		view.Outcome.Before, view.Outcome.After = v.language.Amount(play.Before), v.language.Amount(play.After)
	}
	g, err := p.Catalogue.Game(play.Game)
	if err != nil {
		return err
	}
	if view.Receipt, err = p.receiptView(v, play); err != nil {
		// The play itself can be seen all the same.
		p.Log.ErrorContext(v.r.Context(), "a receipt was not made", "play", play.ID, "error", err)
	}
	return p.renderGame(v, g, play.Stake, view, true)
}

func cellsOf(values []string) ([]int, error) {
	var cells []int
	for _, value := range values {
		number, err := strconv.Atoi(value)
		if err != nil {
			return nil, fault.New(fault.Invalid, "choice_malformed", "a choice is a number").At("sac")
		}
		cells = append(cells, number-1)
	}
	return cells, nil
}
