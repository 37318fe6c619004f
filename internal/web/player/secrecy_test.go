package player_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
	domain "github.com/talonlottery/talon/player"
)

// What is told before the choice is recorded must not depend on the outcome (article 4.3, R-46). So
// two visitors buy two units with different outcomes, and everything that the one can see must be
// what the other sees, but for the names of the units.

// views are what a visitor with an undisclosed unit can look at.
func (v *visitor) views(unit, id string) map[string]string {
	v.t.Helper()
	views := make(map[string]string)
	for _, path := range []string{"/", "/en/", unit, "/en" + unit, "/jeu/piece-dor", "/historique", "/en/historique", "/historique/" + id,
		"/jeu/piece-dor/regles", "/jeu/precius-aurus", "/jackpot/super-jackpot", "/aide"} {
		views[path] = v.get(path).text
	}
	for _, path := range []string{"/historique/" + id + "/recu", "/historique/" + id + "/code.svg"} {
		views[path] = v.get(path).text
	}
	for _, path := range []string{"/plays", "/plays/" + id, "/player"} {
		views[path] = v.ask("GET", path, "", "", nil).is(http.StatusOK).text
	}
	receipt := "/plays/" + id + "/receipt"
	views[receipt] = v.ask("GET", receipt, "", "", nil).text
	return views
}

// names are what differs from unit to unit whatever its outcome.
var names = regexp.MustCompile(`name="cle" value="\w+"|n°\x{a0}\d+|no\. \d+|"number":\d+|"index":\d+`)

// nameless leaves out what differs from unit to unit whatever its outcome.
func nameless(text, id string) string {
	return names.ReplaceAllString(strings.ReplaceAll(text, id, "‹unit›"), "‹name›")
}

// outcomeBeforeChoice lists what differs between what two visitors see whose units have different
// outcomes, before either chose.
func outcomeBeforeChoice(t *testing.T, with build) []string {
	h := newHouse(t, with)
	const top = 10 * money.Unit
	see := func(is unitIs) map[string]string {
		h.until(collects, 2, is)
		v := h.visitor()
		bought := v.play(v.get("/jeu/piece-dor?mise=2"))
		id := v.newest().ID
		views := v.views("/unite/"+id, id)
		views["what the purchase answers"] = bought.text
		for path, text := range views {
			delete(views, path)
			views[nameless(path, id)] = nameless(text, id)
		}
		return views
	}
	lost := see(losing)
	won := see(func(price money.Amount, _ block.Unit, r mechanic.Reading) bool { return r.Prize >= top })
	var differences []string
	for path, text := range lost {
		if text != won[path] {
			differences = append(differences, fmt.Sprintf("%s: %s", path, cmp.Diff(text, won[path])))
		}
	}
	return differences
}

func TestNothingOfTheOutcomeIsToldBeforeTheChoice(t *testing.T) {
	for _, difference := range outcomeBeforeChoice(t, build{}) {
		t.Error(difference)
	}
}

// While a unit waits for its choice, the receipt of a later unit of another game says nothing of funds
// that hold the first one's prize; once the first is shown, it says them.
func TestALaterReceiptTellsNoOutcome(t *testing.T) {
	h := newHouse(t, build{})
	h.until(collects, 2, winning)
	v := h.visitor()
	v.play(v.get("/jeu/piece-dor?mise=2"))
	first := v.newest().ID
	v.play(v.get("/jeu/precius-aurus"))
	second := h.plays()[len(h.plays())-1]
	receipt := "/historique/" + second.ID.String()
	funds := func() string { return amountIn("fr", second.Before) + ", " + amountIn("fr", second.After) }
	if p := v.get(receipt).is(http.StatusOK); strings.Contains(p.visible(), funds()) {
		t.Errorf("the receipt tells funds that hold the first unit's prize: %s", p.visible())
	}
	v.ask("PUT", "/plays/"+first+"/choice", "", `{"cells":[5,0,3]}`, nil).is(http.StatusOK)
	v.ask("PUT", "/plays/"+first+"/shown", "", "", nil).is(http.StatusNoContent)
	v.get(receipt).says(funds())
}

// The documents of the API have no field for what is not disclosed.
func TestTheAPIDisclosesWithTheChoice(t *testing.T) {
	h := newHouse(t, build{})
	h.until(collects, 1, winning)
	v := h.visitor()
	v.get("/")
	var bought, chosen apiPlay
	p := v.ask("POST", "/plays", "one", `{"game":"piece-dor","stake":"1.00"}`, &bought).is(http.StatusCreated)
	for _, field := range []string{"outcome", "layout", "prize", "statement", "gains", "salt", "after"} {
		if strings.Contains(p.text, field) {
			t.Errorf("a purchase tells %s: %s", field, p.text)
		}
	}
	if bought.Available != "99.00" {
		t.Errorf("funds of %s tell that it won", bought.Available)
	}
	v.ask("PUT", "/plays/"+bought.ID+"/choice", "", `{"cells":[5,0,3]}`, &chosen).is(http.StatusOK)
	if chosen.Outcome == nil || chosen.Outcome.Kind != "win" || !cmp.Equal(chosen.Choice, []int{5, 0, 3}) {
		t.Errorf("the choice discloses %+v", chosen)
	}
	v.get("/unite/"+bought.ID).tells(t, "fr", v.newest())
}

// chosenTooEarly is a broken store: each play that it reads has its choice.
type chosenTooEarly struct{ store.Reader }

func (s chosenTooEarly) Play(ctx context.Context, id domain.ID, play block.PlayID) (store.Play, error) {
	found, err := s.Reader.Play(ctx, id, play)
	found.Choice = []int{0, 1, 2}
	return found, err
}

// nothingUnfinished is a broken store: it forgets that a play was not shown.
type nothingUnfinished struct{ store.Reader }

func (s nothingUnfinished) Account(ctx context.Context, id domain.ID) (store.Account, error) {
	account, err := s.Reader.Account(ctx, id)
	account.Unfinished = nil
	return account, err
}

// leak adds what the newest play gave to every page, where no eye sees it.
func leak(h func() *house, what func(store.Play) string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return rewritten(next, func(page string) string {
			if plays := h().plays(); len(plays) > 0 {
				page += "<!-- " + what(plays[len(plays)-1]) + " -->"
			}
			return page
		})
	}
}

// rewritten is a handler whose answers are changed on their way.
func rewritten(next http.Handler, change func(string) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding")
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(answer.Code)
		_, _ = io.WriteString(w, change(answer.Body.String()))
	})
}

func TestLeaksBeforeTheChoiceAreFound(t *testing.T) {
	leaky := func(what func(store.Play) string) build {
		var h *house
		return build{wrap: leak(func() *house { return h }, what), built: func(made *house) { h = made }}
	}
	for name, twin := range map[string]build{
		"a store that knows choices too early":       {reader: func(r store.Reader) store.Reader { return chosenTooEarly{r} }},
		"a balance that holds the undisclosed prize": {reader: func(r store.Reader) store.Reader { return nothingUnfinished{r} }},
		"a page that holds the layout":               leaky(func(p store.Play) string { return fmt.Sprint(p.Layout) }),
		"a page whose length tells a win":            leaky(func(p store.Play) string { return strings.Repeat(" ", min(int(p.Prize), 1)) }),
	} {
		t.Run(name, func(t *testing.T) {
			if len(outcomeBeforeChoice(t, twin)) == 0 {
				t.Error("it is not noticed")
			}
		})
	}
}

// The prize of a unit that is not shown yet is left out of the balance on every page, also where
// there is no choice: the script shows the reveal first.
func TestTheBalanceFollowsTheReveal(t *testing.T) {
	h := newHouse(t, build{})
	h.until(lines, 0, winning)
	v := h.visitor()
	v.get("/")
	var bought apiPlay
	v.ask("POST", "/plays", "one", `{"game":"precius-aurus","stake":"1.00"}`, &bought).is(http.StatusCreated)
	for _, path := range []string{"/", "/historique", "/jeu/piece-dor", "/aide"} {
		p := v.get(path)
		if p.part("balance") != amountIn("fr", 99*money.Unit) || p.part("net") != "−"+amountIn("fr", money.Unit) {
			t.Errorf("%s: balance %q, net %q before the unit is shown", path, p.part("balance"), p.part("net"))
		}
	}
	v.ask("PUT", "/plays/"+bought.ID+"/shown", "", "", nil).is(http.StatusNoContent)
	prize := parsed(t, bought.Outcome.Prize)
	if p := v.get("/"); p.part("balance") != amountIn("fr", 99*money.Unit+prize) || p.part("net") != "+"+amountIn("fr", prize-money.Unit) {
		t.Errorf("balance %q, net %q after a prize of %s", p.part("balance"), p.part("net"), prize)
	}
}
