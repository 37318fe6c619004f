package player_test

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/money"
)

// axe-core 4.14.1, MPL-2.0; its licence is beside it. It is test data, and no part of the product.
//
//go:embed testdata/axe/axe.min.js
var axeSource string

// violations are what axe finds on the page as it is (WCAG 2.0 to 2.2, levels A and AA, and axe's best
// practices; R-186).
func (b *tab) violations() []string {
	b.t.Helper()
	const run = `axe.run(document, {resultTypes: ["violations"], runOnly: {type: "tag",
		values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]}})
		.then((r) => JSON.stringify(r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 120) + " " + n.failureSummary).join(" | "))))`
	if !ask[bool](b, `"axe" in globalThis`) {
		ask[int](b, axeSource+";0")
	}
	var found []string
	if err := json.Unmarshal([]byte(ask[string](b, run)), &found); err != nil {
		b.t.Fatal(err)
	}
	return found
}

// overflow tells what is wider than the window, or "" when nothing is.
func (b *tab) overflow() string {
	b.t.Helper()
	return ask[string](b, `(() => {
		const width = document.documentElement.scrollWidth;
		if (width <= innerWidth) return "";
		const wide = [...document.querySelectorAll("main *, header *, footer *, aside *")].filter((e) => e.getBoundingClientRect().right > innerWidth);
		return width + " px in a window of " + innerWidth + ": " + wide.map((e) => e.localName + "." + (e.getAttribute("class") ?? "") + " to " + Math.round(e.getBoundingClientRect().right)).join(", ");
	})()`)
}

// state is a page in a state that a player can bring it to.
type state struct {
	name  string
	reach func(b *tab)
}

// states are all pages, in all the states that look different. They are reached in this order.
func states(h *house, prefix string) []state {
	open := func(path string) func(*tab) { return func(b *tab) { b.open(prefix + path) } }
	finish := func(b *tab) { b.click("#play button.play"); b.done() }
	return []state{
		{"lobby of a newcomer", open("/")},
		{"empty history", open("/historique")},
		{"grid, idle", open("/jeu/precius-aurus")},
		{"grid, lost", func(b *tab) { h.until(lines, 0, losing); b.open(prefix + "/jeu/precius-aurus"); finish(b) }},
		{"grid, won", func(b *tab) { h.until(lines, 0, multiplied); finish(b) }},
		{"bags, idle", open("/jeu/piece-dor?mise=2")},
		{"bags, choosing", func(b *tab) {
			h.until(collects, 2, winning)
			b.click("#play button.play")
			b.click(".bags li:nth-child(2) label.bag")
		}},
		{"history with a unit to finish", open("/historique")},
		{"lobby with a unit to finish", open("/")},
		{"bags, won", func(b *tab) {
			b.open(prefix + "/jeu/piece-dor")
			b.click("#for-me")
			b.done()
		}},
		{"bags, result of the server", func(b *tab) { b.steps(chromedp.Reload()) }},
		{"history", open("/historique")},
		{"replay", func(b *tab) { b.open(prefix + "/historique/" + b.plays()[0].ID) }},
		{"replay of a grid", func(b *tab) { b.open(prefix + "/historique/" + b.plays()[1].ID) }},
		{"lobby", open("/")},
		{"rules of the bags", open("/jeu/piece-dor/regles")},
		{"rules of the grid", open("/jeu/precius-aurus/regles")},
		{"jackpot", open("/jackpot/super-jackpot")},
		{"help", open("/aide")},
		{"verifier", open("/verifier")},
		{"verifier, receipt verified", func(b *tab) { b.check("complete.receipt.json", "good") }},
		{"verifier, receipt provisional", func(b *tab) { b.check("provisional.receipt.json", "wait") }},
		{"verifier, receipt refused", func(b *tab) { b.check("refused-inclusion_not_proven.json", "alert") }},
		{"verifier, block verified", func(b *tab) { b.checkBlock(openBlock, "good") }},
		{"error", open("/nothing")},
	}
}

func TestBrowserEveryPageIsAccessibleAndFits(t *testing.T) {
	bothLanguages(t, func(t *testing.T, prefix, code string) {
		h := newHouse(t, verifiable)
		const long = 8000 * time.Hour // a session of a year is wide
		h.seconds.Store(int64((time.Since(saletest.Morning) - long) / time.Second))
		b := h.tab(t)
		b.still()
		for _, state := range states(h, prefix) {
			b.size(1280, 860)
			state.reach(b)
			widths := map[string][]int64{"fr": {1280, 390}, "en": {390}}[code]
			for _, width := range widths {
				b.size(width, 844)
				for _, violation := range b.violations() {
					t.Errorf("%s at %d px: %s", state.name, width, violation)
				}
			}
			for _, width := range []int64{390, 320} {
				b.size(width, 640)
				if wide := b.overflow(); wide != "" {
					t.Errorf("%s: %s", state.name, wide)
				}
			}
		}
		for _, complaint := range b.said() {
			if !strings.Contains(complaint, "404") || !strings.HasSuffix(complaint, "/nothing") {
				t.Errorf("the browser complains: %s", complaint)
			}
		}
	})
}

// spoil puts more into the main part of each page.
func spoil(more string) build {
	return build{wrap: func(next http.Handler) http.Handler {
		return rewritten(next, func(page string) string { return strings.Replace(page, "</main>", more+"</main>", 1) })
	}}
}

// The checks above are worth what they find.
func TestBrowserFindsSpoiledPages(t *testing.T) {
	for name, twin := range map[string]struct {
		more  string
		finds func(b *tab) bool
	}{
		"a table wider than a phone": {`<table><tr><td><svg width="330" height="9" aria-hidden="true"></svg></td></tr></table>`, func(b *tab) bool { return b.overflow() != "" }},
		"a field without a name":     {`<input>`, func(b *tab) bool { return len(b.violations()) > 0 }},
		"a button without a name":    {`<button type="button"><svg width="9" height="9" aria-hidden="true"></svg></button>`, func(b *tab) bool { return len(b.violations()) > 0 }},
		"a style that is inline":     {`<p style="color:#eee">x</p>`, func(b *tab) bool { return len(b.said()) > 0 }},
		"a script that is inline":    {`<script>document.title = "x"</script>`, func(b *tab) bool { return len(b.said()) > 0 }},
		"a picture from elsewhere":   {`<img alt="x" src="http://elsewhere.invalid/x.png">`, func(b *tab) bool { return len(b.said()) > 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			b := newHouse(t, spoil(twin.more)).tab(t)
			b.size(320, 640)
			b.open("/aide")
			if !twin.finds(b) {
				t.Error("it is not found")
			}
			b.said()
		})
	}
}

// The reveal ends at once for who asks for less motion, and nothing moves while a page is idle.
func TestBrowserNothingMovesAtIdle(t *testing.T) {
	h := newHouse(t, build{})
	b := h.tab(t)
	for _, path := range []string{"/", "/jeu/precius-aurus", "/jeu/piece-dor"} {
		b.open(path)
		if moving := ask[int](b, "document.getAnimations().length"); moving != 0 {
			t.Errorf("%s: %d animations run at idle", path, moving)
		}
	}
}

// Funds that are not sufficient are told by the page of the server, in the visitor's language.
func TestBrowserSaysWhyAUnitIsNotSold(t *testing.T) {
	h := newHouse(t, build{})
	b := h.tab(t)
	b.open("/en/")
	session := b.plays() // none: the visitor is registered by the page
	if len(session) != 0 {
		t.Fatal("a newcomer has plays")
	}
	h.spendAll(b)
	b.open("/en/jeu/precius-aurus")
	b.click("#play button.play")
	b.until(`document.querySelector("h1")?.textContent === "That did not work"`)
	if said := ask[string](b, `document.querySelector("main").innerText`); !strings.Contains(said, "Your funds are not sufficient. Nothing was taken.") {
		t.Errorf("the page says %s", said)
	}
	for _, complaint := range b.said() {
		if !strings.Contains(complaint, "403") && !strings.Contains(complaint, "409") {
			t.Errorf("the browser complains: %s", complaint)
		}
	}
}

// spendAll plays the grid until less than a stake is left.
func (h *house) spendAll(b *tab) {
	b.t.Helper()
	const play = `fetch("/api/v1/plays", {method: "POST", headers: {"Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID()},
		body: JSON.stringify({game: "precius-aurus", stake: "1.00", seen: globalThis.last})}).then((r) => r.json()).then((p) => { globalThis.last = p.id; return p.available; })`
	for range 200 {
		h.until(lines, 0, losing)
		if parsed(b.t, ask[string](b, play)) < money.Unit {
			ask[string](b, `fetch("/api/v1/plays/" + globalThis.last + "/shown", {method: "PUT"}).then((r) => String(r.status))`)
			return
		}
	}
	b.t.Fatal("the funds do not end")
}
