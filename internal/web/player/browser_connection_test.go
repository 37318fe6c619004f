package player_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// cut wraps a handler: requests that it picks are carried out, and their answers lost on the way.
func cut(next http.Handler, pick func(*http.Request) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !pick(r) {
			next.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler) // the connection ends
	})
}

// An answer that is lost is asked for again with the same key: one unit, shown as recorded.
func TestBrowserBuysOnceWhenAnAnswerIsLost(t *testing.T) {
	h := newHouse(t, build{})
	h.until(lines, 0, winning)
	var lost atomic.Int32
	h.handler = cut(h.handler, func(r *http.Request) bool {
		return r.Method == http.MethodPost && r.URL.Path == "/api/v1/plays" && lost.Add(1) <= 2
	})
	b := h.tab(t)
	b.still()
	b.open("/jeu/precius-aurus")
	b.click("#play button.play")
	b.done()
	plays := b.plays()
	if len(plays) != 1 || lost.Load() != 3 {
		t.Fatalf("%d units after %d requests", len(plays), lost.Load())
	}
	b.shows(plays[0], "fr")
	b.onlyLost()
}

// onlyLost fails on complaints that are not of a lost connection.
func (b *tab) onlyLost() {
	b.t.Helper()
	for _, complaint := range b.said() {
		if !strings.Contains(complaint, "net::ERR_") {
			b.t.Errorf("the browser complains: %s", complaint)
		}
	}
}

// Where no answer comes at all the page says so; the next press asks for the same unit.
func TestBrowserSaysThatTheConnectionIsLost(t *testing.T) {
	h := newHouse(t, build{})
	var away atomic.Bool
	h.handler = cut(h.handler, func(r *http.Request) bool { return away.Load() && strings.HasPrefix(r.URL.Path, "/api/") })
	b := h.tab(t)
	b.still()
	b.open("/en/jeu/precius-aurus")
	away.Store(true)
	b.click("#play button.play")
	b.until(`document.getElementById("result").textContent.includes("No connection: nothing was taken twice. Try again.")`)
	away.Store(false)
	b.click("#play button.play")
	b.done()
	if plays := b.plays(); len(plays) != 1 {
		t.Errorf("%d units", len(plays))
	} else {
		b.shows(plays[0], "en")
	}

	b.open("/en/jeu/piece-dor")
	b.click("#play button.play")
	b.until(`document.querySelector(".bag input")`)
	away.Store(true)
	b.click("#for-me")
	b.until(`document.getElementById("result").textContent.includes("No connection")`)
	away.Store(false)
	b.click("#for-me")
	b.done()
	b.shows(b.plays()[0], "en")
	b.onlyLost()
}

// A page that was open while another tab played leads to the unit that waits there.
func TestBrowserLeadsToTheUnfinishedUnit(t *testing.T) {
	h := newHouse(t, build{})
	b := h.tab(t)
	b.still()
	b.open("/jeu/piece-dor")
	ask[int](b, `fetch("/api/v1/plays", {method: "POST", headers: {"Content-Type": "application/json", "Idempotency-Key": "another"},
		body: JSON.stringify({game: "piece-dor", stake: "1.00"})}).then((r) => r.status)`)
	unit := "/unite/" + b.plays()[0].ID
	b.click("#play button.play")
	b.until(`location.pathname === "` + unit + `"`)
	if plays := b.plays(); len(plays) != 1 {
		t.Errorf("%d units", len(plays))
	}
	for _, complaint := range b.said() {
		if !strings.Contains(complaint, "409") {
			t.Errorf("the browser complains: %s", complaint)
		}
	}
}
