package player

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/demo"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

const refillBelow = demo.RefillBelow

// themes are the velvets of the games; a game without one has the paper of the lobby.
var themes = map[string]string{"collect": "garnet", "lines": "emerald"}

func themeOf(g *catalogue.Game) string {
	if theme, ok := themes[g.Definition.Mechanic.Kind]; ok {
		return theme
	}
	return "paper"
}

// stakeView is a stake as a page offers it.
type stakeView struct {
	Price    string // for the form
	Label    string // for people
	Selected bool
	State    office.State
	Percent  int // of the block that is dealt, while preparing
}

// combinationView is a line of the table of combinations.
type combinationView struct {
	Index   int
	Symbols []symbolView
	Words   string // the same in words: 2 croix, 2 or
	Gain    string
	Article string
}

// symbolView is a symbol as it is drawn and said.
type symbolView struct {
	Code  int
	Name  string // of the drawing
	Title string
}

// gameView is a game at a stake.
type gameView struct {
	Name, Title  string
	Mechanic     string
	Stakes       []stakeView
	Stake        stakeView
	Parts        []partView
	Combinations []combinationView
	Wild         *symbolView
	Multiplier   *symbolView
	Coefficients []int
	Choice       *choiceView
	Cells        int
	Alike        int    // symbols that a wild completes to a line
	Intro        string // what happens, in a sentence
	Step         string // the same as a step of the rules
	Idle         string // what to do before a play
	Payout       string // with what it is a share of, when that is not the whole price
	WinOneIn     string
	Jackpot      *jackpotView
	Symbols      []symbolView
}

type partView struct{ For, Amount string }

type choiceView struct {
	Of   []int // numbers from 1, as they are shown
	Pick int
}

type jackpotView struct{ Name, Title, Meter string }

// view builds what a page says of a game at a stake.
func (p *pages) view(v *visit, g *catalogue.Game, stake int) (gameView, error) {
	m, l := g.Mechanics[stake], v.language
	payout, _, err := g.Payout(stake)
	if err != nil {
		return gameView{}, err
	}
	view := gameView{
		Name: g.Name, Title: l.text(g.Titles), Mechanic: m.Kind(), Cells: m.Cells(),
		Payout: l.payout(g, stake, payout), WinOneIn: l.Decimal(g.UnitsPerPrize().Decimals(2)),
	}
	view.addSymbols(l, m)
	for at, combination := range m.Combinations() {
		line := combinationView{Index: at, Gain: l.Round(combination.Gain), Article: combination.Article}
		for _, code := range combination.Symbols {
			line.Symbols = append(line.Symbols, symbolOf(l, m, code))
		}
		line.Words = inWords(line.Symbols)
		view.Combinations = append(view.Combinations, line)
	}
	view.Parts = p.partViews(l, g, stake)
	if g.Choice != nil {
		view.Choice = &choiceView{Pick: g.Choice.Pick}
		for number := range g.Choice.Of {
			view.Choice.Of = append(view.Choice.Of, number+1)
		}
	}
	view.explain(l)
	if view.Jackpot, err = p.jackpotView(v, g.Jackpot); err != nil {
		return view, err
	}
	view.Stakes, err = p.stakeViews(v, g, stake)
	view.Stake = view.Stakes[stake]
	return view, err
}

// explain says how the game is played, with the numbers of its definition.
func (view *gameView) explain(l *language) {
	view.Idle = l.Say("idle.collect")
	switch {
	case view.Choice != nil:
		of := len(view.Choice.Of)
		view.Intro = l.Say("lobby.collect", view.Choice.Pick, of, view.Cells)
		view.Step = l.Say("rules.step.bags", view.Choice.Pick, of, view.Cells)
	case view.Mechanic == "lines":
		view.Intro, view.Step = l.Say("lobby.lines", view.Cells), l.Say("rules.step.grid", view.Cells)
		view.Idle = l.Say("idle.lines", view.Cells)
		view.Alike = len(view.Combinations[0].Symbols) - 1
	default:
		view.Intro, view.Step = l.Say("lobby.plain", view.Cells), l.Say("rules.step.plain", view.Cells)
	}
}

// payout writes the share that goes back to players: of the price, or of the game's part of it.
func (l *language) payout(g *catalogue.Game, stake int, share game.Ratio) string {
	percent := l.Decimal(share.Percent(1))
	if part := g.Stakes[stake].GamePart(g.Name); part != g.Stakes[stake].Price {
		return l.Say("payout.of", percent, l.Amount(part))
	}
	return l.Say("payout", percent)
}

// addSymbols says which symbols the game has; a sprite needs no more of it.
func (view *gameView) addSymbols(l *language, m mechanic.Mechanic) {
	for code, symbol := range m.Symbols() {
		view.addSymbol(l, code, symbol)
	}
}

func (view *gameView) addSymbol(l *language, code int, symbol mechanic.Symbol) {
	drawn := symbolView{Code: code, Name: symbol.Name, Title: l.text(symbol.Titles)}
	switch symbol.Role {
	case mechanic.Wild:
		view.Wild = &drawn
	case mechanic.Multiplier:
		view.Coefficients = append(view.Coefficients, symbol.Coefficient)
		if view.Multiplier == nil {
			view.Multiplier = &symbolView{Code: code, Name: unknownMultiplier, Title: drawn.Title}
		}
	}
	view.Symbols = append(view.Symbols, drawn)
}

// inWords counts symbols: "2 croix, 2 or".
func inWords(symbols []symbolView) string {
	var parts []string
	for at := 0; at < len(symbols); {
		from := at
		for at < len(symbols) && symbols[at].Code == symbols[from].Code {
			at++
		}
		parts = append(parts, fmt.Sprintf("%d %s", at-from, symbols[from].Title))
	}
	return strings.Join(parts, ", ")
}

// unknownMultiplier is the face of a multiplier before it turns.
const unknownMultiplier = "point-d-interrogation"

func symbolOf(l *language, m mechanic.Mechanic, code byte) symbolView {
	symbol := m.Symbols()[code]
	return symbolView{Code: int(code), Name: symbol.Name, Title: l.text(symbol.Titles)}
}

// partViews are the parts of a stake's price.
func (p *pages) partViews(l *language, g *catalogue.Game, stake int) []partView {
	var parts []partView
	for _, part := range g.Stakes[stake].Parts {
		parts = append(parts, partView{For: p.titleOf(l, part.For), Amount: l.Amount(part.Amount)})
	}
	return parts
}

func (p *pages) stakeViews(v *visit, g *catalogue.Game, selected int) ([]stakeView, error) {
	var views []stakeView
	for at, stake := range g.Stakes {
		state, err := p.Supply.State(v.r.Context(), g.Name, at)
		if err != nil {
			return nil, err
		}
		view := stakeView{Price: stake.Price.String(), Label: v.language.Amount(stake.Price), Selected: at == selected, State: state}
		if progress, ok := p.Supply.Dealing(g.Name, at); ok && progress.Total > 0 {
			view.Percent = int(100 * uint64(progress.Done) / uint64(progress.Total))
		}
		views = append(views, view)
	}
	return views, nil
}

func (p *pages) jackpotView(v *visit, name string) (*jackpotView, error) {
	if name == "" {
		return nil, nil
	}
	j, err := p.Catalogue.Jackpot(name)
	if err != nil {
		return nil, err
	}
	meter, err := p.Store.Meter(v.r.Context(), name)
	if err != nil {
		return nil, err
	}
	return &jackpotView{Name: name, Title: v.language.text(j.Titles), Meter: v.language.Cents(meter.Pot)}, nil
}

func (p *pages) titleOf(l *language, name string) string {
	if g, err := p.Catalogue.Game(name); err == nil {
		return l.text(g.Titles)
	}
	if j, err := p.Catalogue.Jackpot(name); err == nil {
		return l.text(j.Titles)
	}
	return name
}

// lobbyPage lists the games.
type lobbyPage struct {
	frame
	Games []lobbyGame
	Last  *playView
}

type lobbyGame struct {
	gameView
	Theme string
	Top   string   // highest prize
	Hero  []string // drawings of its card
}

// heroes are how many symbols a card shows; the middle one is the largest.
const heroes = 5

// hero are the drawings of a game's card: its first symbols, with the wild in the middle.
func hero(view gameView) []string {
	var names []string
	for _, symbol := range view.Symbols {
		if len(names) == heroes/2 && view.Wild != nil {
			names = append(names, view.Wild.Name)
		}
		if len(names) < heroes && (view.Wild == nil || symbol.Name != view.Wild.Name) {
			names = append(names, symbol.Name)
		}
	}
	return names
}

func (p *pages) lobby(v *visit) error {
	page := lobbyPage{}
	var err error
	if page.frame, err = p.frame(v, v.language.Say("lobby.title"), "paper", "games"); err != nil {
		return err
	}
	for _, g := range p.Catalogue.Games() {
		view, err := p.view(v, g, len(g.Stakes)-1)
		if err != nil {
			return err
		}
		top := g.Prizes.Tiers[0].Amounts[len(g.Stakes)-1]
		page.Games = append(page.Games, lobbyGame{gameView: view, Theme: themeOf(g), Top: v.language.Round(top), Hero: hero(view)})
	}
	plays, err := p.Store.History(v.r.Context(), v.session.Player, 0, 1)
	if err != nil {
		return err
	}
	if len(plays) == 1 {
		if page.Last, err = p.playView(v, plays[0]); err != nil {
			return err
		}
	}
	return p.render(v, http.StatusOK, "lobby.html", page)
}

// gamePage is a game, ready to be played or at a play.
type gamePage struct {
	frame
	Game gameView
	Key  string    // idempotency key of the form
	Play *playView // nil before a play
	// Replay marks a play that is shown again from the history.
	Replay bool
}

func (p *pages) gameOf(v *visit) (*catalogue.Game, error) {
	return p.Catalogue.Game(v.r.PathValue("game"))
}

// game offers a game at a stake; a play that was not shown to the end comes first.
func (p *pages) game(v *visit) error {
	g, err := p.gameOf(v)
	if err != nil {
		return err
	}
	account, err := p.Store.Account(v.r.Context(), v.session.Player)
	if err != nil {
		return err
	}
	if unfinished, found := account.UnfinishedOf(g.Name); found {
		return v.to("/unite/" + unfinished.String())
	}
	stake := 0
	if asked := v.r.URL.Query().Get("mise"); asked != "" {
		if stake, err = stakeAt(g, asked); err != nil {
			return err
		}
	}
	return p.renderGame(v, g, stake, nil, false)
}

func stakeAt(g *catalogue.Game, text string) (int, error) {
	price, err := money.Parse(text)
	if err != nil {
		return 0, err
	}
	return g.StakeAt(price)
}

func (p *pages) renderGame(v *visit, g *catalogue.Game, stake int, play *playView, replay bool) error {
	page := gamePage{Key: p.Key(), Play: play, Replay: replay}
	section := "games"
	if replay {
		section = "history"
	}
	var err error
	if page.frame, err = p.frame(v, v.language.text(g.Titles), themeOf(g), section); err != nil {
		return err
	}
	if page.Game, err = p.view(v, g, stake); err != nil {
		return err
	}
	return p.render(v, http.StatusOK, "game.html", page)
}

// buy sells a unit to the form of a page, and goes to it.
func (p *pages) buy(v *visit) error {
	g, err := p.gameOf(v)
	if err != nil {
		return err
	}
	stake, err := stakeAt(g, v.r.PostFormValue("mise"))
	if err != nil {
		return err
	}
	request := sale.Request{Player: v.session.Player, Key: v.r.PostFormValue("cle"), Game: g.Name, Stake: stake}
	if seen := v.r.PostFormValue("vue"); seen != "" {
		if err := request.Seen.UnmarshalText([]byte(seen)); err != nil {
			return err
		}
	}
	receipt, err := p.Seller.Sell(v.r.Context(), request)
	if fault.CodeOf(err) == "unfinished_play" {
		return v.to("/jeu/" + g.Name) // which shows the unfinished one
	}
	if err != nil {
		return err
	}
	return v.to("/unite/" + receipt.Play.ID.String())
}

// choose records the bags that the form selected, in the order of their numbers: without a script a
// form has no other.
func (p *pages) choose(v *visit) error {
	id, err := playID(v)
	if err != nil {
		return err
	}
	if err := v.r.ParseForm(); err != nil {
		return fault.New(fault.Invalid, "form_malformed", "the form cannot be read: %w", err)
	}
	cells, err := cellsOf(v.r.PostForm["sac"])
	if err != nil {
		return err
	}
	if _, err := p.Seller.Choose(v.r.Context(), v.session.Player, id, cells); err != nil {
		return err
	}
	return v.to("/unite/" + id.String())
}

func playID(v *visit) (block.PlayID, error) {
	var id block.PlayID
	if err := id.UnmarshalText([]byte(v.r.PathValue("play"))); err != nil {
		return id, fault.New(fault.NotFound, "play_unknown", "there is no such play")
	}
	return id, nil
}

func (p *pages) refill(v *visit) error {
	if err := p.Visitors.Refill(v.r.Context(), v.session.Player); err != nil {
		return err
	}
	return v.to("/")
}
