package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/api"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/player"
)

// What is not as openapi.yaml says is refused with the place and the next step, and takes no unit.
func TestRefusedRequests(t *testing.T) {
	h := open(t, true)
	large := `{"game":"` + strings.Repeat("a", 5000) + `","stake":"0.50"}`
	none := strings.Repeat("0", 32)
	for _, test := range []struct {
		name string
		call
		status int
		code   string
		detail string
	}{
		{"no body", post("k", ""), 400, "body_missing", ""},
		{"not JSON", post("k", "game=trois-lunes"), 400, "body_malformed", ""},
		{"half a body", post("k", `{"game":"trois-lunes"`), 400, "body_malformed", ""},
		{"two bodies", post("k", order(moons, "0.50", "")+order(moons, "1.00", "")), 400, "body_malformed", ""},
		{"a list", post("k", `[]`), 400, "body_malformed", ""},
		{"null", post("k", `null`), 400, "body_malformed", ""},
		{"too large", post("k", large), 413, "body_too_large", ""},
		{"a form", call{method: "POST", path: "/plays", key: "k", body: "game=a", kind: "application/x-www-form-urlencoded"}, 415, "body_not_json", ""},
		{"plain text", call{method: "POST", path: "/plays", key: "k", body: order(moons, "0.50", ""), kind: "text/plain"}, 415, "body_not_json", ""},
		{"a type that is none", call{method: "POST", path: "/plays", key: "k", body: order(moons, "0.50", ""), kind: ";"}, 415, "body_not_json", ""},
		{"an unknown field", post("k", `{"game":"trois-lunes","stake":"0.50","count":2}`), 400, "field_unknown", ""},
		{"a field in capitals", post("k", `{"game":"trois-lunes","Stake":"0.50"}`), 400, "field_unknown", ""},
		{"a field twice", post("k", `{"game":"trois-lunes","stake":"0.50","stake":"1.00"}`), 400, "field_repeated", "stake"},
		{"no stake", post("k", `{"game":"trois-lunes"}`), 400, "field_missing", "stake"},
		{"no game", post("k", `{"stake":"0.50"}`), 400, "field_missing", "game"},
		{"a number for money", post("k", `{"game":"trois-lunes","stake":0.5}`), 400, "field_malformed", "stake"},
		{"null for money", post("k", `{"game":"trois-lunes","stake":null}`), 400, "field_malformed", "stake"},
		{"money as people write it", post("k", order(moons, "0,50 €", "")), 400, "amount_malformed", "stake"},
		{"money without cents", post("k", order(moons, "1", "")), 400, "amount_malformed", "stake"},
		{"money below nothing", post("k", order(moons, "-0.50", "")), 400, "amount_malformed", "stake"},
		{"more money than there is", post("k", order(moons, strings.Repeat("9", 30)+".00", "")), 400, "amount_malformed", "stake"},
		{"a stake that is not sold", post("k", order(moons, "2.00", "")), 400, "stake_unknown", ""},
		{"a game that is not there", post("k", order("cinq-lunes", "0.50", "")), 404, "game_unknown", ""},
		{"a jackpot alone", post("k", order(smallPot, "0.03", "")), 404, "game_unknown", ""},
		{"seen, but no play", post("k", order(moons, "0.50", "x")), 400, "play_malformed", ""},
		{"an unknown game", call{method: "GET", path: "/games/cinq-lunes"}, 404, "game_unknown", ""},
		{"an unknown jackpot", call{method: "GET", path: "/jackpots/" + moons}, 404, "jackpot_unknown", ""},
		{"an identifier that is none", call{method: "GET", path: "/plays/xyz"}, 400, "play_malformed", ""},
		{"an identifier in capitals", call{method: "GET", path: "/plays/" + strings.Repeat("A", 32)}, 400, "play_malformed", ""},
		{"an identifier too long", call{method: "GET", path: "/plays/" + none + "00"}, 400, "play_malformed", ""},
		{"no cells", call{method: "PUT", path: "/plays/" + none + "/choice", body: `{}`}, 400, "field_missing", "cells"},
		{"cells that are none", call{method: "PUT", path: "/plays/" + none + "/choice", body: `{"cells":"0,1,2"}`}, 400, "field_malformed", "cells"},
		{"a cell that is none", call{method: "PUT", path: "/plays/" + none + "/choice", body: `{"cells":[0,null,2]}`}, 400, "field_malformed", "cells"},
		{"an unknown path", call{method: "GET", path: "/tickets"}, 404, "path_unknown", ""},
		{"the root", call{method: "GET", path: "/"}, 404, "path_unknown", ""},
		{"a path below a path", call{method: "POST", path: "/plays/" + none + "/prize", body: "{}"}, 404, "path_unknown", ""},
		{"a method for nothing", call{method: "DELETE", path: "/plays"}, 405, "method_unknown", ""},
		{"a method for something else", call{method: "POST", path: "/plays/" + none + "/choice", body: `{"cells":[0]}`}, 405, "method_unknown", ""},
		{"an invented method", call{method: "BUY", path: "/plays"}, 405, "method_unknown", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := h.ask(test.call)
			a.t = t
			p := a.refused(test.status, test.code)
			if p.Detail != test.detail || p.Next == "" && test.code != "jackpot_unknown" {
				t.Errorf("%+v", p)
			}
			if test.status == http.StatusMethodNotAllowed && a.header.Get("Allow") == "" {
				t.Error("nothing says which method is served")
			}
		})
	}
	for path, want := range map[string]string{"/plays": "GET, POST", "/plays/" + none: "GET", "/plays/" + none + "/choice": "PUT"} {
		if got := h.ask(call{method: "DELETE", path: path}).header.Get("Allow"); got != want {
			t.Errorf("%s allows %q, want %q", path, got, want)
		}
	}
	if sold := h.sold(moons) + h.sold(winds); sold != 0 {
		t.Errorf("refused requests took %d units", sold)
	}
}

// Whoever belongs to no session is told so wherever a player is needed, and sees what everybody may.
func TestWithoutASession(t *testing.T) {
	h := open(t, true)
	none := strings.Repeat("0", 32)
	for _, c := range []call{
		{method: "GET", path: "/player"}, {method: "GET", path: "/plays"}, {method: "GET", path: "/plays/" + none},
		{method: "POST", path: "/plays", key: "k", body: order(moons, "0.50", "")},
		{method: "PUT", path: "/plays/" + none + "/choice", body: `{"cells":[0,1,2]}`},
		{method: "PUT", path: "/plays/" + none + "/shown"},
	} {
		c.player = -1
		h.ask(c).refused(http.StatusUnauthorized, "session_required")
	}
	get[api.Games](h, -1, "/games")
	get[api.Jackpot](h, -1, "/jackpots/"+smallPot)
}

// A page of another site can neither buy, choose nor show (a browser says where a request comes from).
func TestPagesOfOtherSites(t *testing.T) {
	h := open(t, true)
	play := h.buy(0, "1", winds, "1.00", "")
	for name, header := range map[string]map[string]string{
		"said by the browser": {"Sec-Fetch-Site": "cross-site"},
		"a sister site":       {"Sec-Fetch-Site": "same-site"},
		"an older browser":    {"Origin": "https://elsewhere.example"},
		"a page of no origin": {"Origin": "null"},
	} {
		for _, c := range []call{post("k", order(moons, "0.50", "")), {method: "PUT", path: "/plays/" + play.Id + "/shown"}} {
			c.header = header
			if p := h.ask(c).refused(http.StatusForbidden, "cross_origin"); p.Next == "" {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
	if h.sold(moons) != 0 || get[api.Play](h, 0, "/plays/"+play.Id).Shown {
		t.Error("a page of another site did something")
	}
	for name, header := range map[string]map[string]string{
		"our own page":  {"Sec-Fetch-Site": "same-origin", "Origin": "http://example.com"},
		"an older one":  {"Origin": "http://example.com"},
		"no browser":    nil,
		"typed by hand": {"Sec-Fetch-Site": "none"},
	} {
		c := call{method: "PUT", path: "/plays/" + play.Id + "/shown", header: header}
		if a := h.ask(c); a.status != http.StatusNoContent {
			t.Errorf("%s: status %d: %s", name, a.status, a.body)
		}
	}
}

// failing is a seller that sells nothing and says why.
type failing struct{ err error }

func (f failing) Sell(context.Context, sale.Request) (sale.Receipt, error) {
	return sale.Receipt{}, f.err
}

func (f failing) Choose(context.Context, player.ID, block.PlayID, []int) (store.Play, error) {
	return store.Play{}, f.err
}
func (f failing) Shown(context.Context, player.ID, block.PlayID) error { return f.err }

// Every kind of fault has its status, with what to do next.
func TestFaultsAndTheirStatus(t *testing.T) {
	h := open(t, true)
	next := func(kind fault.Kind, code string) error {
		return fault.New(kind, code, "it did not work").Next("do something else")
	}
	for _, test := range []struct {
		err    error
		status int
		code   string
	}{
		{next(fault.Invalid, "x"), 400, "x"},
		{next(fault.NotFound, "x"), 404, "x"},
		{next(fault.Conflict, "x"), 409, "x"},
		{next(fault.Refused, "insufficient_funds"), 403, "insufficient_funds"},
		{next(fault.Exhausted, "emission_used_up"), 409, "emission_used_up"},
		{next(fault.Unavailable, "next_block_not_ready"), 503, "next_block_not_ready"},
		{fmt.Errorf("selling: %w", next(fault.Unavailable, "x")), 503, "x"},
		{context.Canceled, 503, "request_ended"},
		{fmt.Errorf("waiting: %w", context.DeadlineExceeded), 503, "request_ended"},
	} {
		h.config.Seller = failing{test.err}
		h.handler = api.New(h.config)
		p := h.ask(post("k", order(moons, "0.50", ""))).refused(test.status, test.code)
		if p.Next == "" || test.code == inventedCode && (p.Title != "It did not work." || p.Next != "Do something else.") {
			t.Errorf("%v: %+v", test.err, p)
		}
	}
}

// A failure of ours shows a reference, which is in the log beside what happened, and nothing else.
func TestFailuresShowOnlyAReference(t *testing.T) {
	h := open(t, true)
	const inside = "disk /dev/sdq7 of host cellar-3"
	for _, err := range []error{
		errors.New("write failed on " + inside),
		fault.New(fault.Internal, "x", "write failed on "+inside).Next("ask for " + inside).At(inside),
		fault.New(fault.Corrupt, "range_opened_twice", "units of %s disagree", inside).Next("look at " + inside),
	} {
		h.config.Seller = failing{err}
		h.handler = api.New(h.config)
		for _, c := range []call{
			post("k", order(moons, "0.50", "")),
			{method: "PUT", path: "/plays/" + strings.Repeat("0", 32) + "/choice", body: `{"cells":[0,1,2]}`},
			{method: "PUT", path: "/plays/" + strings.Repeat("0", 32) + "/shown"},
		} {
			a := h.ask(c)
			p := read[problem](a, http.StatusInternalServerError)
			if strings.Contains(string(a.body), "cellar") || p.Reference == "" || p.Next != "" || p.Detail != "" {
				t.Errorf("%s", a.body)
			}
			if !strings.Contains(h.logged.String(), "reference="+p.Reference) || !strings.Contains(h.logged.String(), inside) {
				t.Errorf("the log does not hold %s beside what happened: %s", p.Reference, h.logged)
			}
		}
	}
}

// A block that is being dealt is worth waiting for: 503, and when to ask again.
func TestABlockThatIsBeingDealt(t *testing.T) {
	h := open(t, false)
	a := h.ask(post("k", order(moons, "0.50", "")))
	if p := a.refused(http.StatusServiceUnavailable, "next_block_not_ready"); a.header.Get("Retry-After") != "1" || p.Next == "" {
		t.Errorf("%+v", p)
	}
}

func TestTheDocumentIsServed(t *testing.T) {
	h := open(t, true)
	recorder := serve(h.handler, call{method: "GET", path: "/openapi.yaml", player: -1})
	if recorder.Code != http.StatusOK || recorder.Header().Get("Content-Type") != "application/yaml" {
		t.Errorf("status %d, %q", recorder.Code, recorder.Header().Get("Content-Type"))
	}
	if want := fileText(t, "openapi.yaml"); recorder.Body.String() != want {
		t.Error("what is served is not openapi.yaml")
	}
}
