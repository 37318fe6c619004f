// Package statement says in words what a play gave.
//
// Its one promise: the words come from the recorded layout and prize alone, so that what a screen
// says and what was settled cannot differ; a returned stake is never called a win
// and a loss is told in neutral words.
package statement

import (
	"strconv"
	"strings"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// Kind is the class of a play, which decides how it may be shown.
type Kind string

// The kinds. A prize no larger than the price is StakeBack: it is not celebrated.
const (
	Loss      Kind = "loss"
	StakeBack Kind = "stake-back"
	Win       Kind = "win"
)

// KindOf classes a prize against the price that was paid for the unit.
func KindOf(price, prize money.Amount) Kind {
	switch {
	case prize <= 0:
		return Loss
	case prize <= price:
		return StakeBack
	default:
		return Win
	}
}

// Outcome is what a statement is made from: a recorded unit and its reading.
type Outcome struct {
	Price   money.Amount
	Prize   money.Amount
	Due     bool // above the threshold: paid after approval
	Reading mechanic.Reading
	// JackpotWon is the pot that the participation sold with the unit won; JackpotTitles names it.
	JackpotWon    money.Amount
	JackpotDue    bool // as Due
	JackpotTitles game.Text
}

// Of gives the statement of an outcome in both languages.
func Of(m mechanic.Mechanic, outcome Outcome) game.Text {
	return game.Text{French: french.say(m, outcome), English: english.say(m, outcome)}
}

// language holds the words of one language. Sentences are built from these parts only.
type language struct {
	text      func(game.Text) string
	amount    func(money.Amount) string
	loss      string
	stakeBack string
	win       string
	due       string
	and       string
	colon     string
	withWild  string
	times     string
	jackpot   string
	potDue    string
}

var french = language{
	text:      func(t game.Text) string { return t.French },
	amount:    money.Amount.French,
	loss:      "Cette unité ne gagne rien.",
	stakeBack: "Mise récupérée\u00a0: ",
	win:       "Gagné\u00a0: ",
	due:       " Ce lot est versé après vérification.",
	and:       " et ",
	colon:     "\u00a0: ",
	withWild:  "avec ",
	times:     "multiplié par ",
	jackpot:   " gagné\u00a0: ",
	potDue:    " Cette cagnotte est versée après vérification.",
}

var english = language{
	text:      func(t game.Text) string { return t.English },
	amount:    money.Amount.English,
	loss:      "This unit wins nothing.",
	stakeBack: "Stake returned: ",
	win:       "Won: ",
	due:       " This prize is paid after verification.",
	and:       " and ",
	colon:     ": ",
	withWild:  "with ",
	times:     "multiplied by ",
	jackpot:   " won: ",
	potDue:    " This pot is paid after verification.",
}

func (l language) say(m mechanic.Mechanic, outcome Outcome) string {
	var text strings.Builder
	switch KindOf(outcome.Price, outcome.Prize) {
	case Loss:
		text.WriteString(l.loss)
	case StakeBack:
		text.WriteString(l.stakeBack + l.amount(outcome.Prize) + " (" + l.explain(m, outcome.Reading) + ").")
	case Win:
		text.WriteString(l.win + l.amount(outcome.Prize) + " (" + l.explain(m, outcome.Reading) + ").")
	}
	if outcome.Due {
		text.WriteString(l.due)
	}
	if outcome.JackpotWon > 0 {
		text.WriteString(" " + l.text(outcome.JackpotTitles) + l.jackpot + l.amount(outcome.JackpotWon) + ".")
		if outcome.JackpotDue {
			text.WriteString(l.potDue)
		}
	}
	return text.String()
}

// explain lists the gains, for instance `couronne : 1,00 € + croix et or, avec trèfle : 250,00 €`.
func (l language) explain(m mechanic.Mechanic, reading mechanic.Reading) string {
	parts := make([]string, len(reading.Gains))
	for at, gain := range reading.Gains {
		name := l.combination(m, gain.Combination)
		if gain.WildCell >= 0 {
			name += ", " + l.withWild + l.text(wild(m))
		}
		parts[at] = name + l.colon + l.amount(gain.Amount)
	}
	text := strings.Join(parts, " + ")
	if reading.Multiplier > 1 {
		text += ", " + l.times + strconv.Itoa(reading.Multiplier)
	}
	return text
}

// combination names the different symbols of a combination, in the definition's order.
func (l language) combination(m mechanic.Mechanic, at int) string {
	var names []string
	last := -1
	for _, code := range m.Combinations()[at].Symbols {
		if int(code) != last {
			names = append(names, l.text(m.Symbols()[code].Titles))
			last = int(code)
		}
	}
	return strings.Join(names, l.and)
}

func wild(m mechanic.Mechanic) game.Text {
	for _, symbol := range m.Symbols() {
		if symbol.Role == mechanic.Wild {
			return symbol.Titles
		}
	}
	return game.Text{}
}
