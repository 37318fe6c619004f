package player

import (
	"net/http"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
)

// rulesPage is the rules of a game, drawn from its definition.
type rulesPage struct {
	frame
	Game       gameView
	Regulation string
	Made       string
	Opening    string
	OpeningArt string
	BlockSize  string
	Definition string
	StakeArt   string
	ChoiceArt  string
	Tables     []tableView
	Losing     string     // units of a block without a prize
	StakeBack  string     // share of the prizes that only return the stake
	OneLoser   bool       // all losing units show the same symbols
	Gains      [][]string // of each combination, a list a stake
}

// tableView is the prize table of a stake.
type tableView struct {
	Stake, Article string
	Parts          []partView
	Rows           []rowView
	Count, Total   string
	Payout         string
	PayoutOfPrice  string
	Split          bool // the price has more than one part
}

type rowView struct {
	Count, Prize, Total, OneIn string
	Cumulative                 bool
}

func (p *pages) rules(v *visit) error {
	g, err := p.gameOf(v)
	if err != nil {
		return err
	}
	l := v.language
	page := rulesPage{
		Regulation: g.Regulation.Title, Made: l.date(g.Regulation.Made), Opening: l.date(g.Regulation.Opening),
		OpeningArt: g.Regulation.Article, BlockSize: l.Count(uint64(g.BlockSize)), Definition: g.Hash.String(),
		StakeArt: g.Stakes[0].Article, Losing: l.Count(uint64(g.BlockSize - g.Prizes.Count)),
		StakeBack: l.Decimal(g.StakeBack(0).Percent(1)),
	}
	if g.Choice != nil {
		page.ChoiceArt = g.Choice.Article
	}
	if page.frame, err = p.frame(v, l.Say("rules.title", l.text(g.Titles)), "paper", "games"); err != nil {
		return err
	}
	if page.Game, err = p.view(v, g, 0); err != nil {
		return err
	}
	if page.OneLoser, err = p.oneLoser[g.Name](); err != nil {
		return err
	}
	for stake := range g.Stakes {
		var gains []string
		for _, combination := range g.Mechanics[stake].Combinations() {
			gains = append(gains, l.Round(combination.Gain))
		}
		page.Gains = append(page.Gains, gains)
		table, err := p.tableOf(l, g, stake)
		if err != nil {
			return err
		}
		page.Tables = append(page.Tables, table)
	}
	return p.render(v, http.StatusOK, "rules.html", page)
}

func (p *pages) tableOf(l *language, g *catalogue.Game, stake int) (tableView, error) {
	table := tableView{
		Stake: l.Amount(g.Stakes[stake].Price), Article: g.Prizes.Articles[stake], Parts: p.partViews(l, g, stake),
		Count: l.Count(uint64(g.Prizes.Count)), Total: l.Round(g.Prizes.Totals[stake]), Split: len(g.Stakes[stake].Parts) > 1,
	}
	ofGame, ofPrice, err := g.Payout(stake)
	if err != nil {
		return table, err
	}
	table.Payout, table.PayoutOfPrice = l.Decimal(ofGame.Percent(2)), l.Decimal(ofPrice.Percent(2))
	for at, tier := range g.Prizes.Tiers {
		total, err := tier.Amounts[stake].Times(int64(tier.Count))
		if err != nil {
			return table, err
		}
		table.Rows = append(table.Rows, rowView{
			Count: l.Count(uint64(tier.Count)), Prize: l.Amount(tier.Amounts[stake]), Total: l.Round(total),
			OneIn: l.Decimal(g.UnitsPerTier(at).Decimals(2)), Cumulative: tier.CumulativeOnly,
		})
	}
	return table, nil
}

// jackpotPage is the rules of a jackpot.
type jackpotPage struct {
	frame
	Name, TitleText, Meter, Price, ToPot, ToReserve, ToOperator, Start, OneIn string
	Games                                                                     []partView // title and path
}

func (p *pages) jackpot(v *visit) error {
	j, err := p.Catalogue.Jackpot(v.r.PathValue("jackpot"))
	if err != nil {
		return err
	}
	l := v.language
	page := jackpotPage{
		Name: j.Name, TitleText: l.text(j.Titles), Price: l.Amount(j.Price), ToPot: l.Exact(j.ToPot), ToReserve: l.Exact(j.ToReserve),
		ToOperator: l.Exact(j.ToOperator), Start: l.Round(j.Start), OneIn: l.Count(uint64(j.Odds)),
	}
	if page.frame, err = p.frame(v, page.TitleText, "paper", "games"); err != nil {
		return err
	}
	meter, err := p.jackpotView(v, j.Name)
	if err != nil {
		return err
	}
	page.Meter = meter.Meter
	for _, g := range p.Catalogue.Games() {
		if g.Jackpot == j.Name {
			page.Games = append(page.Games, partView{For: l.text(g.Titles), Amount: g.Name})
		}
	}
	return p.render(v, http.StatusOK, "jackpot.html", page)
}

// help is the page of protection and help, one step from every page.
func (p *pages) help(v *visit) error {
	f, err := p.frame(v, v.language.Say("help.title"), "paper", "help")
	if err != nil {
		return err
	}
	return p.render(v, http.StatusOK, "help.html", struct{ frame }{f})
}

// missing answers for what is not there. It registers nobody: machines ask for much that is not there.
func (p *pages) missing(w http.ResponseWriter, r *http.Request, l *language) {
	w.Header().Set("Cache-Control", "no-store")
	v := &visit{w: w, r: r, language: l}
	v.session, _ = p.Visitors.Session(r.Context(), SessionToken(r)) // without one the page shows no funds
	p.fail(v, fault.New(fault.NotFound, "page_unknown", "there is no page %s", r.URL.Path))
}
