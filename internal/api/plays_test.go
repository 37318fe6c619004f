package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/internal/api"
	"github.com/talonlottery/talon/money"
)

// Every operation of the document is asked for once and succeeds; what the document says of each
// answer is compared on the way.
func TestEveryOperation(t *testing.T) {
	h := open(t, true)
	first := h.buy(0, "first", moons, "0.50", "")
	visited := map[string]int{"buyPlay": http.StatusCreated}
	for _, c := range []struct {
		call
		status int
	}{
		{call{method: "GET", path: "/games", player: -1}, 200},
		{call{method: "GET", path: "/games/" + moons, player: -1}, 200},
		{call{method: "GET", path: "/jackpots/" + smallPot, player: -1}, 200},
		{call{method: "GET", path: "/player"}, 200},
		{call{method: "GET", path: "/plays"}, 200},
		{call{method: "GET", path: "/plays/" + first.Id}, 200},
		{call{method: "PUT", path: "/plays/" + first.Id + "/choice", body: `{"cells":[0,1,2]}`}, 200},
		{call{method: "GET", path: "/plays/" + first.Id + "/receipt"}, 200},
		{call{method: "PUT", path: "/plays/" + first.Id + "/shown"}, 204},
	} {
		if a := h.ask(c.call); a.status != c.status {
			t.Errorf("%s %s: status %d: %s", c.method, c.path, a.status, a.body)
		}
		found, _ := h.contract.operationAt(c.method, "/api/v1"+c.path)
		visited[found.ID] = c.status
	}
	for path, methods := range h.contract.paths {
		for method, operation := range methods {
			if visited[operation.ID] == 0 {
				t.Errorf("%s %s was not asked for", method, path)
			}
		}
	}
}

// The figures are those of the invented games, worked out by hand.
func TestGames(t *testing.T) {
	h := open(t, true)
	list := get[api.Games](h, -1, "/games").Games
	if len(list) != 2 || list[0].Name != winds || list[1].Name != moons {
		t.Fatalf("games: %+v", list)
	}
	m := get[api.Game](h, -1, "/games/"+moons)
	if difference := cmp.Diff(list[1], m); difference != "" {
		t.Error(difference)
	}
	if m.BlockSize != 500 || m.Choice == nil || *m.Choice != (api.Choice{Of: 6, Pick: 3}) || m.Jackpot != nil || len(m.Prizes) != 4 {
		t.Errorf("%+v", m)
	}
	for at, price := range []string{"0.50", "1.00"} {
		// 500 / 110 units for a prize; 232.50 of 250.00.
		if s := m.Stakes[at]; s.Price != price || s.WinOneIn != "4.545" || s.PayoutPercent != "93.000" || !s.OnSale || *s.State != api.OnSale {
			t.Errorf("%+v", s)
		}
	}
	if difference := cmp.Diff(api.Prize{Count: 45, Amounts: []string{"2.50", "5.00"}, OneIn: "11.111"}, m.Prizes[2]); difference != "" {
		t.Error(difference)
	}
	if difference := cmp.Diff(api.Combination{Symbols: []string{"comete", "comete", "comete"}, Gains: []string{"2.50", "5.00"}}, m.Combinations[2]); difference != "" {
		t.Error(difference)
	}
	w := list[0]
	// 300 / 56 units for a prize; 213 of 300 × 0.97.
	if s := w.Stakes[0]; *w.Jackpot != smallPot || s.WinOneIn != "5.357" || s.PayoutPercent != "73.196" ||
		!cmp.Equal(s.Parts, []api.Part{{For: winds, Amount: "0.97"}, {For: smallPot, Amount: "0.03"}}) {
		t.Errorf("%+v", w)
	}
	pot := get[api.Jackpot](h, -1, "/jackpots/"+smallPot)
	if pot.Meter != "2.00" || pot.Start != "2.00" || pot.Participation != "0.03" || pot.OneIn != 40 {
		t.Errorf("%+v", pot)
	}
	unsold := open(t, false)
	for _, g := range get[api.Games](unsold, -1, "/games").Games {
		if s := g.Stakes[0]; s.OnSale || *s.State != api.Preparing {
			t.Errorf("%s before its block is dealt: %+v", g.Name, s)
		}
	}
}

// A play is told in three steps: bought, chosen, shown. Before it is disclosed nothing tells its
// outcome, and before it is shown the funds do not.
func TestAPlayIsToldStepByStep(t *testing.T) {
	h := open(t, true)
	before, wins := funds, 0
	for nth := range 25 {
		game := []string{moons, winds}[nth%2]
		bought := h.buy(0, fmt.Sprintf("key-%d", nth), game, "1.00", "")
		spent := before - money.Unit
		hidden := func(step string, play api.Play) {
			t.Helper()
			if h.parse(play.Available) != spent {
				t.Fatalf("%s, the funds are %s, not %s: they tell the outcome", step, play.Available, spent)
			}
			if available := get[api.Player](h, 0, "/player").Available; available != spent.String() {
				t.Fatalf("%s, the player is told %s", step, available)
			}
		}
		hidden("bought", bought)
		if bought.Disclosed != (game == winds) || bought.Shown || (bought.Outcome == nil) != (game == moons) {
			t.Fatalf("%+v", bought)
		}
		if unfinished := get[api.Player](h, 0, "/player").Unfinished; len(unfinished) != 1 || unfinished[0].Play != bought.Id || unfinished[0].Game != game {
			t.Fatalf("unfinished: %+v", unfinished)
		}
		hidden("read again", get[api.Play](h, 0, "/plays/"+bought.Id))
		hidden("in the history", get[api.History](h, 0, "/plays?limit=1").Plays[0])
		if game == moons {
			chosen := read[api.Play](h.ask(call{method: "PUT", path: "/plays/" + bought.Id + "/choice", body: `{"cells":[3,1,0]}`}), 200)
			hidden("chosen", chosen)
			if !chosen.Disclosed || chosen.Outcome == nil || !cmp.Equal(*chosen.Choice, []int{3, 1, 0}) {
				t.Fatalf("%+v", chosen)
			}
		}
		if a := h.ask(call{method: "PUT", path: "/plays/" + bought.Id + "/shown"}); a.status != http.StatusNoContent {
			t.Fatalf("%s", a.body)
		}
		shown := get[api.Play](h, 0, "/plays/"+bought.Id)
		outcome := shown.Outcome
		prize := h.parse(outcome.Prize)
		won := prize
		if outcome.Due {
			won = 0
		}
		if outcome.Jackpot != nil {
			won += h.parse(outcome.Jackpot.Won)
		}
		if h.parse(*outcome.Before) != before || h.parse(*outcome.After) != before-money.Unit+won || shown.Available != *outcome.After {
			t.Fatalf("from %s: %+v", before, outcome)
		}
		if (outcome.Jackpot != nil) != (game == winds) || outcome.Due != (prize > 30*money.Unit) {
			t.Fatalf("%+v", outcome)
		}
		if prize > 0 {
			wins++
		}
		checkKind(t, prize, *outcome)
		before = h.parse(shown.Available)
	}
	if wins < 2 {
		t.Errorf("%d plays won: too few to say that funds hide a prize", wins)
	}
}

func checkKind(t *testing.T, prize money.Amount, outcome api.Outcome) {
	t.Helper()
	kind, french, english := api.OutcomeKind("loss"), "Cette unité ne gagne rien.", "This unit wins nothing."
	switch {
	case prize > money.Unit:
		kind, french, english = "win", "Gagné\u00a0: ", "Won: "
	case prize > 0:
		kind, french, english = "stake-back", "Mise récupérée\u00a0: ", "Stake returned: "
	}
	if outcome.Kind != kind || !strings.HasPrefix(outcome.Statement.Fr, french) || !strings.HasPrefix(outcome.Statement.En, english) {
		t.Errorf("a prize of %s for 1.00 is told as %+v", prize, outcome)
	}
	sum := money.Amount(0)
	for _, gain := range outcome.Gains {
		amount, err := money.Parse(gain.Amount)
		if err != nil {
			t.Fatal(err)
		}
		sum += amount
	}
	if total, err := sum.Times(int64(outcome.Multiplier)); err != nil || total != prize {
		t.Errorf("the gains make %s, the prize is %s", total, prize)
	}
}

// The next play of a game is refused until the last was shown; the refusal names it.
func TestUnfinishedPlays(t *testing.T) {
	h := open(t, true)
	first := h.buy(0, "1", moons, "0.50", "")
	refusal := h.ask(call{method: "POST", path: "/plays", key: "2", body: order(moons, "1.00", "")}).refused(http.StatusConflict, "unfinished_play")
	if refusal.Play != first.Id || refusal.Next == "" {
		t.Errorf("%+v", refusal)
	}
	// Another game, and another player, are not held up.
	h.buy(0, "3", winds, "1.00", "")
	h.buy(1, "2", moons, "1.00", "")
	// A play that was not chosen cannot have been seen.
	if a := h.ask(call{method: "POST", path: "/plays", key: "4", body: order(moons, "1.00", first.Id)}); a.status != http.StatusConflict {
		t.Errorf("status %d: %s", a.status, a.body)
	}
	read[api.Play](h.ask(call{method: "PUT", path: "/plays/" + first.Id + "/choice", body: `{"cells":[0,1,2]}`}), 200)
	second := h.buy(0, "2", moons, "1.00", first.Id)
	if !get[api.Play](h, 0, "/plays/"+first.Id).Shown || second.Shown {
		t.Error("what was said to be seen is not shown")
	}
}

func TestChoices(t *testing.T) {
	h := open(t, true)
	play, other := h.buy(0, "1", moons, "0.50", ""), h.buy(0, "2", winds, "1.00", "")
	choose := func(id, body string) answer {
		return h.ask(call{method: "PUT", path: "/plays/" + id + "/choice", body: body})
	}
	h.ask(call{method: "PUT", path: "/plays/" + play.Id + "/shown"}).refused(http.StatusForbidden, "choice_missing")
	for _, cells := range []string{"[]", "[0,1]", "[0,1,1]", "[0,1,6]", "[0,1,-1]", "[0,1,2,3]"} {
		if p := choose(play.Id, `{"cells":`+cells+`}`).refused(http.StatusBadRequest, "choice_malformed"); p.Detail != "cells" {
			t.Errorf("%+v", p)
		}
	}
	choose(other.Id, `{"cells":[0,1,2]}`).refused(http.StatusBadRequest, "choice_malformed")
	if get[api.Play](h, 0, "/plays/"+play.Id).Disclosed {
		t.Fatal("a refused choice disclosed the play")
	}
	chosen := choose(play.Id, `{"cells":[2,1,0]}`)
	if again := choose(play.Id, `{"cells":[2,1,0]}`); string(again.body) != string(chosen.body) {
		t.Errorf("the same choice again: %s", again.body)
	}
	choose(play.Id, `{"cells":[0,1,2]}`).refused(http.StatusConflict, "choice_recorded")
	for range 2 { // said again, it is nothing
		if a := h.ask(call{method: "PUT", path: "/plays/" + play.Id + "/shown"}); a.status != http.StatusNoContent {
			t.Errorf("status %d: %s", a.status, a.body)
		}
	}
}

// Another player's play is not found, in whatever way it is asked for, nor is one that nobody has.
func TestPlaysOfOthers(t *testing.T) {
	h := open(t, true)
	play := h.buy(0, "1", moons, "0.50", "")
	for _, id := range []string{play.Id, strings.Repeat("0", 32)} {
		for _, c := range []call{
			{method: "GET", path: "/plays/" + id},
			{method: "PUT", path: "/plays/" + id + "/choice", body: `{"cells":[0,1,2]}`},
			{method: "PUT", path: "/plays/" + id + "/shown"},
		} {
			c.player = 1
			h.ask(c).refused(http.StatusNotFound, "play_unknown")
		}
	}
	if get[api.Play](h, 0, "/plays/"+play.Id).Disclosed {
		t.Error("another player disclosed it")
	}
	if plays := get[api.History](h, 1, "/plays").Plays; len(plays) != 0 {
		t.Errorf("another player's history holds %d plays", len(plays))
	}
}

// The pages of a history hold every play once, newest first, and the last page says that it is.
func TestHistoryPages(t *testing.T) {
	h := open(t, true)
	var ids []string
	for nth := range 12 {
		ids = append([]string{h.show(0, h.buy(0, fmt.Sprint("k", nth), winds, "1.00", "")).Id}, ids...)
	}
	for limit, pages := range map[int]int{1: 12, 5: 3, 6: 2, 12: 1, 100: 1} { // 6 and 12 end exactly
		var got []string
		path, count := fmt.Sprintf("/plays?limit=%d", limit), 0
		for next := path; next != ""; count++ {
			page := get[api.History](h, 0, next)
			for _, play := range page.Plays {
				got = append(got, play.Id)
			}
			next = ""
			if page.Next != nil {
				next = fmt.Sprintf("%s&before=%d", path, *page.Next)
			}
		}
		if difference := cmp.Diff(ids, got); difference != "" || count != pages {
			t.Errorf("%d plays a page: %d pages, want %d: %s", limit, count, pages, difference)
		}
	}
	if page := get[api.History](h, 0, "/plays"); len(page.Plays) != 12 || page.Next != nil {
		t.Errorf("the usual page holds %d plays", len(page.Plays))
	}
	for _, query := range []string{"limit=0", "limit=101", "limit=-1", "limit=x", "before=0", "before=-1", "before=x", "limit=1&limit=2"} {
		h.ask(call{method: "GET", path: "/plays?" + query}).refused(http.StatusBadRequest, "parameter_malformed")
	}
}

// The session counts what was staked and won since it began, as the plays say.
func TestTheSession(t *testing.T) {
	h := open(t, true)
	staked, won := money.Amount(0), money.Amount(0)
	for nth := range 20 {
		play := h.show(0, h.buy(0, fmt.Sprint("k", nth), moons, "0.50", ""))
		staked += h.parse(play.Stake)
		won += h.parse(play.Outcome.Prize)
	}
	got := get[api.Player](h, 0, "/player").Session
	if got.Staked != staked.String() || got.Won != won.String() || got.Net != (won-staked).String() || staked != 10*money.Unit {
		t.Errorf("staked %s, won %s, but the session says %+v", staked, won, got)
	}
	text, _ := json.Marshal(get[api.Player](h, 1, "/player").Session)
	if !strings.Contains(string(text), `"net":"0.00"`) {
		t.Errorf("a player who did nothing: %s", text)
	}
}
