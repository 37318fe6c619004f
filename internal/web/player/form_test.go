package player_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
)

// These tests play as a browser without scripts does: by links and forms only.

func TestAUnitWithAChoiceIsPlayedByForms(t *testing.T) {
	bothLanguages(t, func(t *testing.T, prefix, code string) {
		h := newHouse(t, build{})
		h.until(collects, 2, winning)
		v := h.visitor()
		game := v.get(prefix + "/jeu/piece-dor?mise=2").is(http.StatusOK)
		choosing := v.play(game)
		play := v.newest()
		if choosing.path != prefix+"/unite/"+play.ID || play.Disclosed || play.Stake != "2.00" {
			t.Fatalf("%s shows %+v", choosing.path, play)
		}
		choosing.says(map[string]string{"fr": "Sélectionnez 3 sacs", "en": "Select 3 bags"}[code])
		if shown := choosing.part("balance"); shown != amountIn(code, 98*money.Unit) {
			t.Errorf("the balance is %q", shown)
		}

		for _, few := range [][]string{{"sac=2", "sac=5"}, {"sac=2", "sac=2", "sac=5"}, {"sac=1", "sac=2", "sac=3", "sac=4"}, {"sac=0", "sac=1", "sac=2"}, {"sac=7", "sac=1", "sac=2"}, {}} {
			v.play(choosing, few...).is(http.StatusBadRequest).
				says(map[string]string{"fr": "Il faut sélectionner des sacs différents, autant qu’il est demandé.", "en": "As many different bags as asked must be selected."}[code])
		}
		result := v.play(choosing, "sac=2", "sac=5", "sac=6").is(http.StatusOK)
		after := v.newest()
		if !after.Disclosed || after.Outcome == nil || !cmp.Equal(after.Choice, []int{1, 4, 5}) || result.path != prefix+"/unite/"+play.ID {
			t.Fatalf("%s shows %+v", result.path, after)
		}
		result.tells(t, code, after)
		if _, again := result.form(); again.Get("vue") != play.ID || again.Get("mise") != "2.00" {
			t.Errorf("the next unit would be bought with %v", again)
		}

		list := v.get(prefix + "/historique").is(http.StatusOK)
		if !strings.Contains(list.text, `href="`+prefix+`/historique/`+play.ID+`"`) {
			t.Error("the history does not lead to the unit")
		}
		replay := v.get(prefix + "/historique/" + play.ID).is(http.StatusOK)
		replay.tells(t, code, after)
		replay.says(play.ID, map[string]string{"fr": "Ceci n’est pas une nouvelle partie.", "en": "This is not a new play."}[code], "2, 5, 6")
		if formTag.MatchString(replay.text) {
			t.Error("a replay sells")
		}
	})
}

func TestAGridIsPlayedByForms(t *testing.T) {
	bothLanguages(t, func(t *testing.T, prefix, code string) {
		for name, is := range map[string]unitIs{"loss": losing, "stake back": stakeBack, "win": winning, "multiplied win": multiplied} {
			t.Run(name, func(t *testing.T) {
				h := newHouse(t, build{})
				h.until(lines, 0, is)
				v := h.visitor()
				result := v.play(v.get(prefix + "/jeu/precius-aurus")).is(http.StatusOK)
				play := v.newest()
				result.tells(t, code, play)
				if !play.Shown {
					t.Error("a result that was shown is not taken as shown")
				}
				v.get(prefix+"/historique/"+play.ID).tells(t, code, play)
			})
		}
	})
}

func amountIn(code string, a money.Amount) string {
	if code == "en" {
		return a.English()
	}
	return visibleText(a.French())
}

// tells fails unless a page shows exactly what the API says of a play: statement, symbols cell by
// cell, winning combinations, and the balance.
func (p page) tells(t *testing.T, code string, play apiPlay) {
	t.Helper()
	said := visibleText(map[string]string{"fr": play.Outcome.Statement.Fr, "en": play.Outcome.Statement.En}[code])
	resultMarkup := between(p.text, `id="result"`, `</p>`)
	shown := visibleText(resultMarkup[strings.Index(resultMarkup, ">")+1:])
	if diff := cmp.Diff(withoutBrackets(said), withoutBrackets(shown)); diff != "" {
		t.Errorf("%s: the statement differs: %s", p.path, diff)
	}
	if diff := cmp.Diff(play.Outcome.Layout, p.cells()); diff != "" {
		t.Errorf("%s: the cells differ: %s", p.path, diff)
	}
	lit := strings.Count(p.text, `class="lit"`)
	combinations := make(map[int]bool)
	for _, gain := range play.Outcome.Gains {
		combinations[gain.Combination] = true
	}
	if lit != len(combinations) {
		t.Errorf("%s: %d lines of the table are lit, %d won", p.path, lit, len(combinations))
	}
	if now := p.part("balance"); now != amountIn(code, parsed(t, play.Available)) {
		t.Errorf("%s: the balance is %q, the API says %s", p.path, now, play.Available)
	}
}

func parsed(t testing.TB, text string) money.Amount {
	t.Helper()
	amount, err := money.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return amount
}

// withoutBrackets leaves out what a page shows by layout and the statement by brackets.
func withoutBrackets(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("(", " ", ").", " ", ")", " ").Replace(text)), " ")
}

func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	found, _, _ := strings.Cut(rest, to)
	return found
}

// cells are the drawings of the board, in the order of the cells.
func (p page) cells() []string {
	var names []string
	for _, start := range []string{`<ol class="tiles"`, `<ol class="tray"`} {
		board := between(p.text, start, "</ol>")
		for rest := board; ; {
			_, after, found := strings.Cut(rest, `href="#s-`)
			if !found {
				break
			}
			name, more, _ := strings.Cut(after, `"`)
			names, rest = append(names, name), more
		}
	}
	return names
}

func TestAFormSentTwiceIsOnePlay(t *testing.T) {
	h := newHouse(t, build{})
	for _, game := range []string{"/jeu/precius-aurus", "/jeu/piece-dor"} {
		v := h.visitor()
		form := v.get(game)
		first, second := v.play(form), v.play(form)
		if first.path != second.path || v.count() != 1 {
			t.Errorf("%s: two pages, %s and %s, and %d plays", game, first.path, second.path, v.count())
		}
	}
	// The key of a purchase serves no other one.
	v := h.visitor()
	action, fields := v.get("/jeu/piece-dor").form()
	choosing := v.post(action, fields)
	v.play(choosing, "sac=1", "sac=2", "sac=3").is(http.StatusOK)
	fields.Set("mise", "2.00")
	v.post(action, fields).is(http.StatusConflict).says("Cette page avait déjà servi à un achat.")
	if v.count() != 1 {
		t.Errorf("%d plays", v.count())
	}
}

func TestAnUnfinishedUnitComesBeforeTheNext(t *testing.T) {
	h := newHouse(t, build{})
	v := h.visitor()
	form := v.get("/jeu/piece-dor")
	choosing := v.play(form)
	unit := choosing.path
	for _, path := range []string{"/jeu/piece-dor", "/jeu/piece-dor?mise=2"} {
		if p := v.get(path); p.path != unit {
			t.Errorf("%s shows %s instead of %s", path, p.path, unit)
		}
	}
	if p := v.get("/historique/" + strings.TrimPrefix(unit, "/unite/")); p.path != unit {
		t.Errorf("the replay of an unfinished unit is %s", p.path)
	}
	if p := v.get("/en/jeu/piece-dor"); p.path != "/en"+unit {
		t.Errorf("the English page shows %s", p.path)
	}
	// Another form, of a page that was open before, buys nothing and leads to the unit.
	_, fields := form.form()
	fields.Set("cle", "another")
	if p := v.post("/jeu/piece-dor/jouer", fields); p.path != unit || v.count() != 1 {
		t.Errorf("another form leads to %s, with %d plays", p.path, v.count())
	}
	v.get("/").says("À découvrir", "Reprendre")
	v.get("/historique").says("À découvrir", "sacs à sélectionner", "Reprendre")
	// It is no obstacle to another game.
	v.play(v.get("/jeu/precius-aurus")).is(http.StatusOK)
	v.play(choosing, "sac=1", "sac=2", "sac=3").is(http.StatusOK)
	if p := v.get("/jeu/piece-dor"); p.path != "/jeu/piece-dor" {
		t.Errorf("a finished unit is offered: %s", p.path)
	}
}

func TestTheUnitOfAnotherPlayerIsUnknown(t *testing.T) {
	h := newHouse(t, build{})
	owner, other := h.visitor(), h.visitor()
	unit := owner.play(owner.get("/jeu/piece-dor")).path
	other.get("/")
	other.get(unit).is(http.StatusNotFound)
	other.get("/historique" + strings.TrimPrefix(unit, "/unite")).is(http.StatusNotFound)
	other.post(unit+"/choix", url.Values{"sac": {"1", "2", "3"}}).is(http.StatusNotFound)
	other.get("/historique").says("Vous n’avez pas encore joué.")
	if play := owner.newest(); play.Disclosed {
		t.Error("another player chose")
	}
}

func TestTheSameChoiceAgainIsTheSameAndAnotherIsRefused(t *testing.T) {
	v := newHouse(t, build{}).visitor()
	choosing := v.play(v.get("/jeu/piece-dor"))
	v.play(choosing, "sac=1", "sac=2", "sac=3").is(http.StatusOK)
	v.play(choosing, "sac=1", "sac=2", "sac=3").is(http.StatusOK)
	v.play(choosing, "sac=1", "sac=2", "sac=4").is(http.StatusConflict).says("D’autres sacs ont déjà été enregistrés pour cette unité.")
}

func TestPlayMoneyIsGivenAgainWhenItIsNeeded(t *testing.T) {
	h := newHouse(t, build{})
	v := h.visitor()
	if strings.Contains(v.get("/").text, `action="/recharge"`) {
		t.Error("a refill is offered with 100 € left")
	}
	game := v.get("/jeu/precius-aurus")
	for range 200 {
		h.until(lines, 0, losing)
		game = v.play(game).is(http.StatusOK)
		if parsed(t, v.newest().Available) < 20*money.Unit {
			break
		}
	}
	v.get("/").says("Recevoir 100\u00a0€ fictifs")
	if p := v.post("/recharge", nil).is(http.StatusOK); p.part("balance") != amountIn("fr", 119*money.Unit) {
		t.Errorf("the balance is %q", p.part("balance"))
	}
}

func TestFundsThatDoNotSufficeAreRefusedInWords(t *testing.T) {
	h := newHouse(t, build{})
	v := h.visitor()
	game := v.get("/jeu/precius-aurus")
	for range 100 {
		h.until(lines, 0, losing)
		game = v.play(game).is(http.StatusOK)
	}
	v.play(game).is(http.StatusConflict).says("Vos disponibilités ne suffisent pas. Rien n’a été débité.")
	if v.count() != 100 {
		t.Errorf("%d plays", v.count())
	}
}

func TestTheHistoryIsReadPageByPage(t *testing.T) {
	h := newHouse(t, build{})
	v := h.visitor()
	game := v.get("/jeu/precius-aurus")
	const played = 45
	for range played {
		game = v.play(game).is(http.StatusOK)
		h.seconds.Add(1)
	}
	seen := make(map[string]bool)
	path, pages := "/historique", 0
	for path != "" {
		p := v.get(path).is(http.StatusOK)
		pages++
		for _, found := range strings.Split(p.text, `href="/historique/`)[1:] {
			seen[found[:32]] = true
		}
		path = ""
		if _, rest, found := strings.Cut(p.text, `href="/historique?avant=`); found {
			number, _, _ := strings.Cut(rest, `"`)
			path = "/historique?avant=" + number
		}
	}
	if len(seen) != played || pages != 3 {
		t.Errorf("%d units on %d pages", len(seen), pages)
	}
}

// What is not there is answered without a player: machines ask for much that is not there. Its link to
// the other language stays on this site.
func TestWhatIsNotThereRegistersNobody(t *testing.T) {
	h := newHouse(t, build{})
	for _, path := range []string{"/robots.txt", "/en/nothing", "/en/%2Felsewhere.example/", "/%2Felsewhere.example"} {
		p := h.visitor().get(path).is(http.StatusNotFound)
		if p.header.Get("Set-Cookie") != "" {
			t.Errorf("%s registers a player", path)
		}
		if strings.Contains(p.text, `href="//`) {
			t.Errorf("%s leads to another site", path)
		}
	}
	players := 0
	if err := h.store.EachAccount(t.Context(), func(*store.Account) error { players++; return nil }); err != nil || players != 0 {
		t.Errorf("%d players were registered: %v", players, err)
	}
}

// A form larger than any of ours is not read to its end, and buys nothing.
func TestALargeFormIsRefused(t *testing.T) {
	h := newHouse(t, build{})
	v := h.visitor()
	action, fields := v.get("/jeu/piece-dor?mise=2").form()
	fields.Set("mise", "2.00")
	fields.Set("more", strings.Repeat("x", 5<<10))
	v.post(action, fields).is(http.StatusBadRequest)
	if len(h.plays()) != 0 {
		t.Error("it bought a unit")
	}
}
