package api_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/api"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
)

func serve(handler http.Handler, c call) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, c.request())
	return recorder
}

func fileText(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// bought is what a seller says here to each request that reaches it: fuzzing needs no store.
const bought = "insufficient_funds"

// counter is an API whose seller refuses everything, so that it needs no store.
func counter(t testing.TB) http.Handler {
	refusal := fault.New(fault.Refused, bought, "funds are missing").Next("add some")
	return api.New(api.Config{
		Catalogue: cataloguetest.New(t), Seller: failing{refusal}, Visitor: visitor, Log: slog.New(slog.DiscardHandler),
	})
}

// reach sends a body and says with which code it was answered. Whatever the body, the answer is a
// problem as the document says, and never a failure of ours.
func reach(t *testing.T, c *contract, handler http.Handler, asked call) string {
	t.Helper()
	recorder := serve(handler, asked)
	if err := c.breach(asked.method, "/api/v1"+asked.path, recorder.Code, recorder.Header(), recorder.Body.Bytes()); err != nil {
		t.Fatal(err)
	}
	if recorder.Code >= http.StatusInternalServerError {
		t.Fatalf("%q is answered with %s", asked.body, recorder.Body)
	}
	p := read[problem](answer{t, recorder.Code, recorder.Header(), recorder.Body.Bytes()}, recorder.Code)
	return p.Code
}

// unreadable are the refusals of a body that does not fit its schema.
func unreadable(code string) bool {
	return strings.HasPrefix(code, "body_") || strings.HasPrefix(code, "field_") || code == "amount_malformed" || code == "play_malformed"
}

// beyond finds amounts that may be beyond money.Most, which a pattern cannot say.
var beyond = regexp.MustCompile(`[0-9]{10}`)

// What buys fits the schema of BuyPlay, and what fits the schema is understood.
func FuzzBuyPlay(f *testing.F) {
	for _, body := range []string{
		order(moons, "0.50", ""), order(moons, "1.0000", strings.Repeat("0a", 16)), order(winds, "0.97", ""), order("x", "9", "y"),
		`{"game":"trois-lunes","stake":"0.50","stake":"1.00"}`, `{"game":"trois-lunes","stake":0.5}`, `{"stake":{"game":[]}}`, `[null]`, "", "{", "\x00",
		`{"game":"trois-lunes","stake":"0.50"} `, "\xef\xbb\xbf{}", `{"g\u0061me":"trois-lunes","stake":"0.50"}`, `{"game":"\ud800","stake":"0.50"}`,
	} {
		f.Add(body)
	}
	c, handler := readContract(f), counter(f)
	f.Fuzz(func(t *testing.T, body string) {
		code := reach(t, c, handler, post("k", body))
		fits := c.valid("BuyPlay", []byte(body)) == nil
		if code == bought && !fits {
			t.Errorf("%q buys, and does not fit the document", body)
		}
		if fits && unreadable(code) && code != "field_repeated" && code != "body_too_large" && !beyond.MatchString(body) {
			t.Errorf("%q fits the document, and is refused with %s", body, code)
		}
	})
}

// The same for the choice.
func FuzzSelection(f *testing.F) {
	for _, body := range []string{`{"cells":[0,1,2]}`, `{"cells":[0]}`, `{"cells":[]}`, `{"cells":[1.5]}`, `{"cells":[1e1]}`, `{"cells":[-1,64]}`,
		`{"cells":null}`, `{"cells":[null]}`, `{"cells":[9223372036854775808]}`, `{"cells":[0],"cells":[1]}`, `{"Cells":[0]}`} {
		f.Add(body)
	}
	c, handler := readContract(f), counter(f)
	f.Fuzz(func(t *testing.T, body string) {
		code := reach(t, c, handler, call{method: "PUT", path: "/plays/" + strings.Repeat("0", 32) + "/choice", body: body})
		fits := c.valid("Selection", []byte(body)) == nil
		if code == bought && strings.Contains(body, "null") {
			t.Errorf("%q reaches the seller", body)
		}
		// How many and which cells there are is the seller's to judge; whole numbers are written plainly.
		if fits && unreadable(code) && code != "field_repeated" && code != "body_too_large" && !strings.ContainsAny(body, ".eE") {
			t.Errorf("%q fits the document, and is refused with %s", body, code)
		}
	})
}

// Paths, queries and keys that nobody expects are refused, and are never a failure of ours.
func FuzzPathsAndKeys(f *testing.F) {
	for _, seed := range [][2]string{{"/plays/x", "k"}, {"/plays?limit=1e9", ""}, {"/plays?before=%ff&limit=0", "\x00"}, {"/games/../player", "é"}, {"/plays/" + strings.Repeat("f", 33), strings.Repeat("k", 99)}} {
		f.Add(seed[0], seed[1])
	}
	handler := counter(f)
	f.Fuzz(func(t *testing.T, path, key string) {
		request := post("", order(moons, "0.50", "")).request()
		request.Header["Idempotency-Key"] = []string{key}
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		visible := key != "" && len(key) <= 64
		for _, letter := range []byte(key) {
			visible = visible && letter > ' ' && letter <= '~'
		}
		// The seller judges keys; here it takes any that it is given.
		if recorder.Code >= 500 || visible && recorder.Code != http.StatusForbidden {
			t.Fatalf("key %q: %d %s", key, recorder.Code, recorder.Body)
		}
		if strings.ContainsAny(path, " \x00\x7f") || !strings.HasPrefix(path, "/plays/") {
			return
		}
		asked, err := http.NewRequest("PUT", "http://example.com/api/v1"+path, http.NoBody)
		if err != nil {
			return
		}
		asked.Header.Set("Test-Player", "0")
		recorder = httptest.NewRecorder()
		handler.ServeHTTP(recorder, asked)
		if recorder.Code >= 500 || recorder.Code < 300 {
			t.Fatalf("path %q: %d %s", path, recorder.Code, recorder.Body)
		}
	})
}
