package player_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// screen is what a game's page shows.
type screen struct {
	Result, Kind, Balance, Net, NetClass string
	Cells, Titles                        []string // drawings, and what a reader of screens hears
	Lit                                  []int
	Busy                                 bool
}

const readScreen = `(() => {
	const text = (element) => element?.textContent ?? "";
	const cells = [...document.querySelectorAll(".tile .face, .slot")];
	return {
		Result: text(document.getElementById("result")),
		Kind: document.getElementById("result").className,
		Balance: text(document.getElementById("balance")), Net: text(document.getElementById("net")), NetClass: document.getElementById("net").className,
		Cells: cells.map((cell) => cell.querySelector("use")?.getAttribute("href")?.replace("#s-", "") ?? ""),
		Titles: [...document.querySelectorAll(".tile .unseen, .slot .unseen")].map(text),
		Lit: [...document.querySelectorAll(".prizes .lit")].map((row) => Number(row.dataset.combination)),
		Busy: document.getElementById("skip") !== null,
	};
})()`

// done waits until a reveal has ended and the next unit can be bought. While bags can be selected there is a
// button and a text too: they are not those of a result.
func (b *tab) done() {
	b.t.Helper()
	b.until(`document.querySelector(".bag input:enabled") === null && document.getElementById("skip") === null && document.querySelector("#play button.play:enabled") && document.querySelector("#result strong").textContent.length > 3`)
}

// shows fails unless the page shows exactly what is recorded of a play.
func (b *tab) shows(play apiPlay, code string) screen {
	b.t.Helper()
	shown := ask[screen](b, readScreen)
	if play.Outcome == nil {
		b.t.Fatalf("the play %s is not disclosed", play.ID)
	}
	said := map[string]string{"fr": play.Outcome.Statement.Fr, "en": play.Outcome.Statement.En}[code]
	if diff := cmp.Diff(withoutBrackets(words(said)), withoutBrackets(words(shown.Result))); diff != "" {
		b.t.Errorf("the result differs from the record: %s", diff)
	}
	if diff := cmp.Diff(play.Outcome.Layout, shown.Cells); diff != "" {
		b.t.Errorf("the cells differ from the record: %s", diff)
	}
	if len(shown.Titles) != len(play.Outcome.Layout) || slices.Contains(shown.Titles, "") {
		b.t.Errorf("the cells are not all named: %q", shown.Titles)
	}
	if want := words(amountIn(code, parsed(b.t, play.Available))); words(shown.Balance) != want {
		b.t.Errorf("the balance is %q instead of %q", shown.Balance, want)
	}
	var lit []int
	for _, gain := range play.Outcome.Gains {
		lit = append(lit, gain.Combination)
	}
	slices.Sort(lit)
	if diff := cmp.Diff(slices.Compact(lit), shown.Lit); diff != "" && len(lit)+len(shown.Lit) > 0 {
		b.t.Errorf("other lines of the table are lit: %s", diff)
	}
	kind := map[string]string{"win": "result win", "stake-back": "result push", "loss": "result"}[play.Outcome.Kind]
	if shown.Kind != kind {
		b.t.Errorf("a %s is shown as %q", play.Outcome.Kind, shown.Kind)
	}
	return shown
}

func TestBrowserRevealsAGridAsItIsRecorded(t *testing.T) {
	for _, way := range []string{"animated", "skipped", "still"} {
		for kind, is := range map[string]unitIs{"loss": losing, "stake back": stakeBack, "win": winning, "multiplied win": multiplied} {
			if way == "animated" && kind != "multiplied win" && kind != "loss" {
				continue // the same scene, and it takes its time
			}
			t.Run(way+" "+kind, func(t *testing.T) {
				h := newHouse(t, build{})
				h.until(lines, 0, is)
				b := h.tab(t)
				if way == "still" {
					b.still()
				}
				b.open("/jeu/precius-aurus")
				b.click("#play button.play")
				if way == "skipped" {
					b.click("#skip")
				}
				b.done()
				plays := b.plays()
				if len(plays) != 1 || !plays[0].Shown {
					t.Fatalf("plays %+v", plays)
				}
				live := b.shows(plays[0], "fr")
				b.open("/historique/" + plays[0].ID)
				if diff := cmp.Diff(spaced(live), spaced(b.shows(plays[0], "fr"))); diff != "" {
					t.Errorf("the replay differs from what was played: %s", diff)
				}
			})
		}
	}
}

// spaced is a screen with plain spaces.
func spaced(s screen) screen {
	s.Result, s.Balance, s.Net = withoutBrackets(words(s.Result)), words(s.Balance), words(s.Net)
	return s
}

func TestBrowserRevealsAJackpotAsItIsRecorded(t *testing.T) {
	h := newHouse(t, build{games: blocksOf{jackpotOneIn: 2}})
	h.until(lines, 0, func(price money.Amount, unit block.Unit, r mechanic.Reading) bool {
		participation := h.dealers.next(t, jackpots, 0)
		return losing(price, unit, r) && participation.Wins()
	})
	b := h.tab(t)
	b.open("/en/jeu/precius-aurus")
	b.click("#play button.play")
	b.click("#skip")
	b.done()
	play := b.plays()[0]
	shown := ask[screen](b, readScreen)
	if words(shown.Result) != words(play.Outcome.Statement.En) || !strings.Contains(shown.Result, "Super Jackpot won: €10,000") || shown.Kind != "result win" {
		t.Errorf("%q (%s) instead of %q", shown.Result, shown.Kind, play.Outcome.Statement.En)
	}
	meter := ask[string](b, `document.querySelector("[data-jackpot]").textContent`)
	if pot, err := h.store.Meter(t.Context(), jackpots); err != nil || words(meter) != words((pot.Pot-pot.Pot%money.Cent).English()) {
		t.Errorf("the meter is %s, recorded is %s (%v)", meter, pot.Pot, err)
	}
}

func TestBrowserChoosesByMouse(t *testing.T) {
	h := newHouse(t, build{})
	h.until(collects, 0, winning)
	b := h.tab(t)
	b.open("/jeu/piece-dor")
	b.click("#play button.play")
	b.until(`document.querySelector(".bag input")`)
	bag := func(number int) string { return fmt.Sprintf(".bags li:nth-child(%d) label.bag", number) }
	for _, number := range []int{5, 2, 5, 3, 5} { // the fifth is taken, left and taken again
		b.click(bag(number))
	}
	b.done()
	plays := b.plays()
	if diff := cmp.Diff([]int{1, 2, 4}, plays[0].Choice); diff != "" {
		t.Errorf("the order of selection is not recorded: %s", diff)
	}
	b.shows(plays[0], "fr")
	closed := ask[[]int](b, `[...document.querySelectorAll(".bag")].flatMap((bag, at) => bag.classList.contains("open") ? [] : [at + 1])`)
	if diff := cmp.Diff([]int{1, 4, 6}, closed); diff != "" {
		t.Errorf("bags that stay closed: %s", diff)
	}
	// The next unit is bought where the last was shown.
	b.click("#play button.play")
	b.until(`document.querySelector(".bag input") && location.pathname !== "/unite/` + plays[0].ID + `"`)
	if plays := b.plays(); len(plays) != 2 || plays[0].Disclosed {
		t.Errorf("plays %+v", plays)
	}
}

func TestBrowserChoosesByKeyboardAlone(t *testing.T) {
	h := newHouse(t, build{})
	h.until(collects, 0, losing)
	b := h.tab(t)
	b.still()
	b.open("/en/jeu/piece-dor")
	b.tabTo(`document.activeElement.matches("#play button.play")`)
	b.press(kb.Enter)
	b.until(`document.querySelector(".bag input")`)
	for _, number := range []string{"1", "4", "6"} {
		b.tabTo(`document.activeElement.matches(".bag input[value='` + number + `']")`)
		if !ask[bool](b, `document.activeElement.matches(":focus-visible")`) {
			t.Errorf("the focus on bag %s is not to be seen", number)
		}
		b.press(" ")
	}
	b.done()
	play := b.plays()[0]
	if diff := cmp.Diff([]int{0, 3, 5}, play.Choice); diff != "" {
		t.Errorf("the choice: %s", diff)
	}
	b.shows(play, "en")
	if !ask[bool](b, `document.activeElement.matches("#play button.play")`) {
		t.Error("the focus is not on what comes next")
	}
}

// tabTo presses Tab until the focus is where it should be.
func (b *tab) tabTo(there string) {
	b.t.Helper()
	for range 60 {
		b.press(kb.Tab)
		if ask[bool](b, there) {
			return
		}
	}
	b.t.Fatalf("Tab does not lead to %s", there)
}

func TestBrowserChoosesForThePlayer(t *testing.T) {
	h := newHouse(t, build{})
	b := h.tab(t)
	b.still()
	b.open("/jeu/piece-dor")
	b.click("#play button.play")
	b.click(".bags li:nth-child(3) label.bag")
	b.click("#for-me")
	b.done()
	play := b.plays()[0]
	choice := slices.Clone(play.Choice)
	slices.Sort(choice)
	if len(slices.Compact(choice)) != 3 || play.Choice[0] != 2 {
		t.Errorf("the choice is %v; the bag that was selected comes first", play.Choice)
	}
	b.shows(play, "fr")
}

func TestBrowserBuysOnceOnADoubleClick(t *testing.T) {
	h := newHouse(t, build{})
	for _, game := range []string{lines, collects} {
		b := h.tab(t)
		b.still()
		b.open("/jeu/" + game)
		b.steps(chromedp.DoubleClick(chromedp.CSS("#play button.play")))
		if game == lines {
			b.done()
		} else {
			b.until(`document.querySelector(".bag input")`)
		}
		if plays := b.plays(); len(plays) != 1 {
			t.Errorf("a double click on %s buys %d units", game, len(plays))
		}
	}
}

// A reload in the middle of a choice or of a reveal offers the same unit; nothing is bought again.
func TestBrowserOffersTheSameUnitAfterAReload(t *testing.T) {
	h := newHouse(t, build{})
	b := h.tab(t)
	b.open("/jeu/piece-dor")
	b.click("#play button.play")
	b.click(".bags li:nth-child(1) label.bag")
	unit := ask[string](b, "location.pathname")
	b.steps(chromedp.Reload())
	b.until(`document.querySelector("#result strong").textContent === "Sélectionnez 3 sacs"`)
	for _, path := range []string{"/jeu/piece-dor", "/jeu/piece-dor?mise=2"} {
		b.open(path)
		if now := ask[string](b, "location.pathname"); now != unit {
			t.Errorf("%s shows %s instead of %s", path, now, unit)
		}
	}
	b.still()
	b.steps(chromedp.Reload())
	b.click("#for-me")
	b.done()

	b.open("/jeu/precius-aurus")
	b.click("#play button.play")
	b.until(`document.getElementById("skip")`)
	b.open("/jeu/precius-aurus")
	plays := b.plays()
	if len(plays) != 2 || ask[string](b, "location.pathname") != "/unite/"+plays[0].ID {
		t.Fatalf("%s, %d plays", ask[string](b, "location.pathname"), len(plays))
	}
	b.shows(plays[0], "fr")
}
