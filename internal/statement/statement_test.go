package statement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/mechanic/all"
	"github.com/talonlottery/talon/money"
)

func compiled(t testing.TB, name string, stake int) (*game.Definition, mechanic.Mechanic) {
	t.Helper()
	definition, err := games.Definition(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := all.New(definition, stake)
	if err != nil {
		t.Fatal(err)
	}
	return definition, m
}

// layout reads a layout from the names of its symbols; a multiplier's name carries its coefficient.
func layout(t testing.TB, m mechanic.Mechanic, words string) []byte {
	t.Helper()
	var cells []byte
	for word := range strings.FieldsSeq(words) {
		code := slices.IndexFunc(m.Symbols(), func(s mechanic.Symbol) bool {
			return s.Name == word || s.Role == mechanic.Multiplier && word == fmt.Sprintf("×%d", s.Coefficient)
		})
		if code < 0 {
			t.Fatalf("there is no symbol %q", word)
		}
		cells = append(cells, byte(code))
	}
	return cells
}

// typed puts the spaces of French amounts in: ~ is a no-break space, _ a narrow one.
var typed = strings.NewReplacer("~", "\u00a0", "_", "\u202f")

// The words are typed from the tables of the two regulations: symbols and amounts of Pièce d'or,
// art. 4.4, and of Precius Aurus, art. 5.3 to 5.5.
func TestStatements(t *testing.T) {
	const (
		pieceDor = "piece-dor"
		precius  = "precius-aurus"
		// Three rows in which nothing aligns, below any row of one symbol.
		below = ` diamant trefle bourse pieces-d-or
			trefle bourse pieces-d-or diamant
			bourse pieces-d-or diamant trefle`
	)
	for _, test := range []struct {
		name    string
		game    string
		stake   int
		layout  string
		due     bool
		jackpot money.Amount
		kind    Kind
		french  string
		english string
	}{
		{
			name: "loss", game: pieceDor, kind: Loss,
			layout:  "or croix etoile couronne piece-trouee or etoile couronne piece-trouee",
			french:  "Cette unité ne gagne rien.",
			english: "This unit wins nothing.",
		},
		{
			name: "stake back", game: pieceDor, kind: StakeBack,
			layout:  "piece-trouee or piece-trouee croix etoile or piece-trouee etoile couronne",
			french:  "Mise récupérée~: 0,50~€ (pièce trouée~: 0,50~€).",
			english: "Stake returned: €0.50 (holed coin: €0.50).",
		},
		{
			name: "stake back at the highest stake", game: pieceDor, stake: 2, kind: StakeBack,
			layout:  "piece-trouee or piece-trouee croix etoile or piece-trouee etoile couronne",
			french:  "Mise récupérée~: 2,00~€ (pièce trouée~: 2,00~€).",
			english: "Stake returned: €2.00 (holed coin: €2.00).",
		},
		{
			name: "win", game: pieceDor, kind: Win,
			layout:  "or or croix etoile etoile couronne couronne couronne piece-trouee",
			french:  "Gagné~: 1,00~€ (couronne~: 1,00~€).",
			english: "Won: €1.00 (crown: €1.00).",
		},
		{
			name: "thousands", game: pieceDor, stake: 2, kind: Win,
			layout:  "or or or croix etoile couronne couronne piece-trouee etoile",
			french:  "Gagné~: 20_000,00~€ (or~: 20_000,00~€).",
			english: "Won: €20,000.00 (gold: €20,000.00).",
		},
		{
			name: "two symbols, with the wild", game: pieceDor, kind: Win,
			layout:  "croix croix or trefle etoile couronne couronne piece-trouee piece-trouee",
			french:  "Gagné~: 250,00~€ (croix et or, avec trèfle~: 250,00~€).",
			english: "Won: €250.00 (cross and gold, with clover: €250.00).",
		},
		{
			name: "several gains", game: pieceDor, kind: Win,
			layout:  "croix croix etoile etoile etoile etoile etoile couronne piece-trouee",
			french:  "Gagné~: 7,50~€ (croix et étoile~: 5,00~€ + étoile~: 2,50~€).",
			english: "Won: €7.50 (cross and star: €5.00 + star: €2.50).",
		},
		{
			name: "the wild is told with the gain that it serves", game: pieceDor, kind: Win,
			layout:  "croix trefle etoile etoile etoile etoile etoile couronne piece-trouee",
			french:  "Gagné~: 7,50~€ (croix et étoile, avec trèfle~: 5,00~€ + étoile~: 2,50~€).",
			english: "Won: €7.50 (cross and star, with clover: €5.00 + star: €2.50).",
		},
		{
			name: "a line that returns the stake, with the wild", game: precius, kind: StakeBack,
			layout:  "jambon jambon chance jambon" + below,
			french:  "Mise récupérée~: 1,00~€ (jambon, avec chance~: 1,00~€).",
			english: "Stake returned: €1.00 (ham, with chance: €1.00).",
		},
		{
			name: "multiplied", game: precius, kind: Win,
			layout:  "jambon jambon jambon jambon" + strings.Replace(below, "diamant", "×10", 1),
			french:  "Gagné~: 10,00~€ (jambon~: 1,00~€, multiplié par 10).",
			english: "Won: €10.00 (ham: €1.00, multiplied by 10).",
		},
		{
			name: "the same gain twice", game: precius, kind: Win,
			layout: `jambon jambon jambon jambon
				diamant trefle bourse jambon
				trefle bourse cle jambon
				bourse etoile diamant jambon`,
			french:  "Gagné~: 2,00~€ (jambon~: 1,00~€ + jambon~: 1,00~€).",
			english: "Won: €2.00 (ham: €1.00 + ham: €1.00).",
		},
		{
			name: "one wild on two lines, multiplied", game: precius, kind: Win,
			layout: `jambon jambon jambon chance
				diamant ×5 bourse jambon
				trefle bourse cle jambon
				cle etoile diamant jambon`,
			french:  "Gagné~: 10,00~€ (jambon, avec chance~: 1,00~€ + jambon, avec chance~: 1,00~€, multiplié par 5).",
			english: "Won: €10.00 (ham, with chance: €1.00 + ham, with chance: €1.00, multiplied by 5).",
		},
		{
			name: "due", game: precius, kind: Win, due: true,
			layout: "diamant diamant diamant diamant" + ` diamant trefle bourse cle
				trefle bourse cle etoile
				bourse cle jambon trefle`,
			french:  "Gagné~: 10_000,00~€ (diamant~: 10_000,00~€). Ce lot est versé après vérification.",
			english: "Won: €10,000.00 (diamond: €10,000.00). This prize is paid after verification.",
		},
		{
			name: "the jackpot, with a unit that loses", game: precius, kind: Loss, jackpot: 12_345_67 * money.Cent,
			layout:  "jambon jambon cle jambon" + below,
			french:  "Cette unité ne gagne rien. Super Jackpot gagné~: 12_345,67~€.",
			english: "This unit wins nothing. Super Jackpot won: €12,345.67.",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			definition, m := compiled(t, test.game, test.stake)
			reading, err := m.Read(layout(t, m, test.layout))
			if err != nil {
				t.Fatal(err)
			}
			told := Outcome{Price: definition.Stakes[test.stake].Price, Prize: reading.Prize, Due: test.due, Reading: reading}
			if test.jackpot > 0 {
				told.JackpotWon, told.JackpotTitles = test.jackpot, game.Text{French: "Super Jackpot", English: "Super Jackpot"}
			}
			if kind := KindOf(told.Price, told.Prize); kind != test.kind {
				t.Errorf("kind %s, want %s", kind, test.kind)
			}
			want := game.Text{French: typed.Replace(test.french), English: test.english}
			if difference := cmp.Diff(want, Of(m, told)); difference != "" {
				t.Error(difference)
			}
		})
	}
}

func TestKinds(t *testing.T) {
	const price = money.Unit
	for prize, want := range map[money.Amount]Kind{-1: Loss, 0: Loss, 1: StakeBack, price - 1: StakeBack, price: StakeBack, price + 1: Win} {
		if got := KindOf(price, prize); got != want {
			t.Errorf("a prize of %s for %s is %s, want %s", prize, price, got, want)
		}
	}
}

// wordsOfAWin may be said of a prize above the price only.
var wordsOfAWin = []string{"gagné", "gagnant", "gain", "bravo", "félicitations", "won", "winner", "winning", "congratulations", "!"}

// celebrates tells what a statement of a prize no larger than the price says of a win.
func celebrates(price, prize money.Amount, text string) error {
	if prize > price {
		return nil
	}
	for _, word := range wordsOfAWin {
		if strings.Contains(strings.ToLower(text), word) {
			return fmt.Errorf("%q is said of %s for %s: %s", word, prize, price, text)
		}
	}
	return nil
}

type drawn struct{ t *rapid.T }

func (d drawn) Below(n uint32) uint32 { return rapid.Uint32Range(0, n-1).Draw(d.t, "choice") }

// unit draws a unit of either game at any stake, laid out as a block would.
func unit(t *rapid.T, mechanics map[*game.Definition][]mechanic.Mechanic, definitions []*game.Definition) (mechanic.Mechanic, Outcome) {
	definition := rapid.SampledFrom(definitions).Draw(t, "game")
	stake := rapid.IntRange(0, len(definition.Stakes)-1).Draw(t, "stake")
	tier := rapid.IntRange(mechanic.Losing, len(definition.Prizes.Tiers)-1).Draw(t, "tier")
	m := mechanics[definition][stake]
	cells := make([]byte, m.Cells())
	if err := m.LayOut(cells, tier, drawn{t}); err != nil {
		t.Skip(err) // a bounded search among unlucky choices
	}
	reading, err := m.Read(cells)
	if err != nil {
		t.Fatal(err)
	}
	return m, Outcome{Price: definition.Stakes[stake].Price, Prize: reading.Prize, Reading: reading}
}

func everyGame(t *testing.T) (mechanics map[*game.Definition][]mechanic.Mechanic, definitions []*game.Definition) {
	mechanics = make(map[*game.Definition][]mechanic.Mechanic)
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, definition := range set.Games {
		for stake := range definition.Stakes {
			m, err := all.New(definition, stake)
			if err != nil {
				t.Fatal(err)
			}
			mechanics[definition] = append(mechanics[definition], m)
		}
	}
	return mechanics, set.Games
}

// A prize no larger than the price is never told with the words of a win, a larger one is, and what
// was settled is the amount that is told, in both languages.
func TestOnlyAWinIsToldAsOne(t *testing.T) {
	mechanics, definitions := everyGame(t)
	rapid.Check(t, func(t *rapid.T) {
		m, outcome := unit(t, mechanics, definitions)
		text := Of(m, outcome)
		for _, said := range []struct{ text, win, amount string }{
			{text.French, "Gagné\u00a0: ", outcome.Prize.French()}, {text.English, "Won: ", outcome.Prize.English()},
		} {
			if err := celebrates(outcome.Price, outcome.Prize, said.text); err != nil {
				t.Error(err)
			}
			if won := strings.HasPrefix(said.text, said.win); won != (outcome.Prize > outcome.Price) {
				t.Errorf("%s for %s: %s", outcome.Prize, outcome.Price, said.text)
			}
			if before, _, _ := strings.Cut(said.text, " ("); outcome.Prize > 0 && !strings.HasSuffix(before, said.amount) {
				t.Errorf("%s was settled: %s", said.amount, said.text)
			}
		}
	})
}

// The twin calls a returned stake a win, as an operator's marketing would like to: it is caught.
func TestATwinThatCelebratesIsCaught(t *testing.T) {
	definition, m := compiled(t, "piece-dor", 0)
	reading, err := m.Read(layout(t, m, "piece-trouee or piece-trouee croix etoile or piece-trouee etoile couronne"))
	if err != nil {
		t.Fatal(err)
	}
	outcome := Outcome{Price: definition.Stakes[0].Price, Prize: reading.Prize, Reading: reading}
	for _, honest := range []language{french, english} {
		twin := honest
		twin.stakeBack = honest.win
		if celebrates(outcome.Price, outcome.Prize, twin.say(m, outcome)) == nil {
			t.Errorf("nobody noticed: %s", twin.say(m, outcome))
		}
		if err := celebrates(outcome.Price, outcome.Prize, honest.say(m, outcome)); err != nil {
			t.Error(err)
		}
	}
}
