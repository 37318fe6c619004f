package player_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// Receipts and a publication that the checker's own tests make from the specification (verify/browser/test).
const examples = "../../../verify/browser/testdata/"

// Blocks of the publication: one that is open, one that was mixed from contributions, one of participations, and
// one that is still sold.
const (
	openBlock  = "a59c6c1d8e0c37211c7704dec3b3a5da"
	mixedBlock = "c62f11d4d42db31a307e8f33b0e0be06"
	potsBlock  = "baea897434495e557f2f806c61ef79f0"
	soldBlock  = "10b72696e4d718d3a58983fb2ba64334"
)

func example(name string) string {
	content, err := os.ReadFile(filepath.Join(examples, name))
	if err != nil {
		panic(err)
	}
	return string(content)
}

// verifiable is a house whose operator has the key of the examples and publishes their files.
var verifiable = build{
	key:    strings.TrimSpace(example("key")),
	public: http.StripPrefix("/public/", http.FileServer(http.Dir(filepath.Join(examples, "publication")))),
}

// choose gives files to an input, as a visitor does in the browser's dialogue.
func (b *tab) choose(selector, path string) {
	b.t.Helper()
	absolute, err := filepath.Abs(path)
	b.do(err)
	b.steps(chromedp.SetUploadFiles(chromedp.CSS(selector), []string{absolute}))
}

// fill puts a text into a field, as pasting does.
func (b *tab) fill(selector, text string) {
	b.t.Helper()
	at, err := json.Marshal([]string{selector, text})
	b.do(err)
	ask[bool](b, "(([selector, text]) => { const field = document.querySelector(selector); field.value = text; "+
		`field.dispatchEvent(new Event("input", {bubbles: true})); return true; })(`+string(at)+")")
}

// check verifies an example and waits for a verdict of this state.
func (b *tab) check(name, state string) {
	b.t.Helper()
	b.choose("#receipt-file", filepath.Join(examples, "receipts", name))
	b.verdict("#receipt-check", "#receipt-verdict", state)
}

// verdict presses a button and waits for what it brings.
func (b *tab) verdict(button, place, state string) {
	b.t.Helper()
	ask[bool](b, `(document.querySelector("`+place+`").replaceChildren(), true)`)
	b.click(button)
	b.until(`document.querySelector("` + place + ` [data-state]")`)
	if got := ask[string](b, `document.querySelector("`+place+` [data-state]").dataset.state`); got != state {
		b.t.Errorf("the verdict is %s instead of %s: %s", got, state, b.text(place))
	}
}

// text is what a place of the page says.
func (b *tab) text(place string) string {
	b.t.Helper()
	return words(ask[string](b, `document.querySelector("`+place+`").innerText`))
}

// checkBlock checks a whole block of the site's own files.
func (b *tab) checkBlock(block, state string) {
	b.t.Helper()
	b.fill("#block-id", block)
	b.verdict("#block-check", "#block-verdict", state)
}

// verifier opens the page in a fresh browser.
func verifier(t *testing.T, with build, prefix string) (*house, *tab) {
	t.Helper()
	h := newHouse(t, with)
	b := h.tab(t)
	b.still()
	b.open(prefix + "/verifier")
	b.until(`!document.querySelector("#verifier").hidden`)
	return h, b
}

func TestBrowserVerifiesReceiptsWithoutTheServer(t *testing.T) {
	bothLanguages(t, func(t *testing.T, prefix, code string) {
		h, b := verifier(t, verifiable, prefix)
		h.server.CloseClientConnections()
		h.server.Close() // from here on nobody answers
		say := map[string][3]string{
			"fr": {"Reçu vérifié", "Reçu provisoire", "Reçu refusé"},
			"en": {"Receipt verified", "Provisional receipt", "Receipt refused"},
		}[code]
		for _, c := range []struct{ name, state, said string }{
			{"complete.receipt.json", "good", say[0]}, {"jackpot.receipt.json", "good", "petit-pot"},
			{"provisional.receipt.json", "wait", say[1]}, {"refused-play_wrong.json", "alert", say[2]},
		} {
			b.check(c.name, c.state)
			if said := b.text("#receipt-verdict"); !strings.Contains(said, c.said) {
				t.Errorf("%s: %s", c.name, said)
			}
		}
		b.fill("#receipt-text", example("receipts/complete.receipt.json"))
		b.verdict("#receipt-check", "#receipt-verdict", "good")
		for _, complaint := range b.said() {
			if !strings.Contains(complaint, favicon) {
				t.Errorf("the browser complains: %s", complaint)
			}
		}
	})
}

// favicon is what a browser asks for when it likes, and no page.
const favicon = "/icons/favicon.svg"

// A receipt that is verified asks nothing of the server even where there is one: the twin of the test above, which
// could be passed by a page that asks in vain.
func TestBrowserAsksTheServerForNothingWhileAReceiptIsVerified(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	with := verifiable
	with.public = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		verifiable.public.ServeHTTP(w, r)
	})
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(asked)
	}
	with.wrap = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			if !strings.HasSuffix(r.URL.Path, favicon) {
				asked = append(asked, r.URL.Path)
			}
			mu.Unlock()
			next.ServeHTTP(w, r)
		})
	}
	_, b := verifier(t, with, "")
	before := count()
	b.check("complete.receipt.json", "good")
	b.check("provisional.receipt.json", "wait")
	b.check("refused-sale_not_proven.json", "alert")
	if after := count(); after != before {
		t.Errorf("the server was asked for %v", asked[before:])
	}
	// A link is another matter, and the page says so: it is completed from the published files.
	b.fill("#receipt-text", example("receipts/complete.link"))
	b.verdict("#receipt-check", "#receipt-verdict", "good")
	if after := count(); after == before {
		t.Error("a link was completed without the published files: the count above would notice nothing")
	}
}

func TestBrowserRefusesEachBrokenReceiptWithItsReason(t *testing.T) {
	_, b := verifier(t, verifiable, "")
	names, err := filepath.Glob(examples + "receipts/refused-*.json")
	if err != nil || len(names) < 9 {
		t.Fatalf("%v: %v", names, err)
	}
	reasons := make(map[string]string)
	for _, name := range names {
		code := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "refused-"), ".json")
		b.check(filepath.Base(name), "alert")
		said := b.text("#receipt-verdict")
		if !strings.Contains(said, "Reçu refusé") || !strings.Contains(said, code) {
			t.Errorf("%s: the page says %s", code, said)
		}
		if sign := ask[string](b, `document.querySelector("#receipt-verdict svg").dataset.sign`); sign != "alert" {
			t.Errorf("%s: the sign is %s", code, sign)
		}
		reason := ask[string](b, `document.querySelector("#receipt-verdict p").textContent`)
		if other, taken := reasons[reason]; taken {
			t.Errorf("%s and %s have one reason: %s", code, other, reason)
		}
		reasons[reason] = code
	}
}

func TestBrowserSaysWhatItCannotCheck(t *testing.T) {
	_, b := verifier(t, verifiable, "/en")
	b.click("#receipt-check")
	b.until(`document.querySelector("#receipt-verdict").textContent.includes("First choose a file")`)
	b.fill("#receipt-text", "https://lottery.example/verifier#half")
	b.verdict("#receipt-check", "#receipt-verdict", "wait")
	b.fill("#key", "no key")
	b.check("complete.receipt.json", "wait")
	if said := b.text("#receipt-verdict"); !strings.Contains(said, "The public key cannot be read") {
		t.Error(said)
	}
	// A receipt of another operator is not of this one's key.
	b.fill("#key", "example.com/foo+530f903d+AVBSLUd2lNdVlMyoyLkVb0OaDwuafvmoSTOqYK3Ilr2g")
	b.check("complete.receipt.json", "wait")
	b.click("#block-check")
	b.until(`document.querySelector("#block-verdict").textContent.includes("32 hexadecimal digits")`)
}

// Where a browser has no Ed25519 the page says so, and does not call a receipt wrong.
func TestBrowserWithoutEd25519SaysSo(t *testing.T) {
	_, b := verifier(t, verifiable, "/en")
	ask[bool](b, `(crypto.subtle.importKey = () => Promise.reject(new DOMException("no", "NotSupportedError")), true)`)
	b.check("complete.receipt.json", "wait")
	if said := b.text("#receipt-verdict"); !strings.Contains(said, "Ed25519") || !strings.Contains(said, "verify.py") {
		t.Error(said)
	}
}

func TestBrowserTakesTheLinkOfTheAddress(t *testing.T) {
	_, b := verifier(t, verifiable, "")
	b.open("/jeu/piece-dor")
	b.open("/verifier#" + strings.TrimSpace(example("receipts/complete.link")))
	b.until(`!document.querySelector("#verifier").hidden`)
	b.verdict("#receipt-check", "#receipt-verdict", "good")
	// Another prize in the link is found out by the published files.
	link := regexp.MustCompile(`^(\w+\.\w+\.\d+)\.\d+`).ReplaceAllString(strings.TrimSpace(example("receipts/complete.link")), "$1.99990000")
	b.fill("#receipt-text", link)
	b.verdict("#receipt-check", "#receipt-verdict", "alert")
	if said := b.text("#receipt-verdict"); !strings.Contains(said, "inclusion_not_proven") {
		t.Error(said)
	}
}

func TestBrowserChecksWholeBlocks(t *testing.T) {
	_, b := verifier(t, verifiable, "/en")
	// Progress is told on the way: what the bar and its label were is kept.
	ask[bool](b, `(globalThis.seen = [], new MutationObserver(() => seen.push(document.querySelector("#block-stage").textContent))
		.observe(document.querySelector("#block-stage"), {childList: true, characterData: true, subtree: true}), true)`)
	b.checkBlock(openBlock, "good")
	seen := words(ask[string](b, `seen.join("|")`))
	for _, stage := range []string{"Reading the public log 281 / 281", "Units worked out again 12 / 12", "Fingerprints compared", "Sales read again 12 / 12"} {
		if !strings.Contains(seen, stage) {
			t.Errorf("no progress %q: %s", stage, seen)
		}
	}
	rows := words(ask[string](b, `[...document.querySelectorAll("#block-report tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent).join(" ")).join("; ")`))
	if want := "€10.00 1 1 1 0; €2.00 2 2 2 0; €1.00 3 3 3 0"; rows != want {
		t.Errorf("the table is %s instead of %s", rows, want)
	}
	b.checkBlock(mixedBlock, "good")
	if said := b.text("#block-verdict"); !strings.Contains(said, "BLS") {
		t.Errorf("it is not said that the beacon's signature was not verified: %s", said)
	}
	b.checkBlock(potsBlock, "good")
	b.checkBlock(soldBlock, "wait")
	if said := b.text("#block-verdict"); !strings.Contains(said, "still sold") {
		t.Error(said)
	}
	if !ask[bool](b, `document.querySelector("#block-progress").hidden && !document.querySelector("#block-check").hidden`) {
		t.Error("progress stays when all is done")
	}
}

func TestBrowserChecksABlockOfAFolder(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, "publication"))); err != nil {
		t.Fatal(err)
	}
	_, b := verifier(t, build{key: verifiable.key}, "") // the site itself publishes nothing
	b.click("#source-folder")
	b.until(`!document.querySelector("#folder-field").hidden`)
	b.choose("#folder", folder)
	b.checkBlock(openBlock, "good")
	// One sale exchanged, and one leaf changed.
	sales := filepath.Join(folder, "sales", openBlock+".sales")
	content, err := os.ReadFile(sales)
	if err != nil {
		t.Fatal(err)
	}
	first := append([]byte(nil), content[:16]...)
	copy(content[:16], content[24:40])
	copy(content[24:40], first)
	if err := os.WriteFile(sales, content, 0o600); err != nil {
		t.Fatal(err)
	}
	tiles := filepath.Join(folder, "blocks", openBlock+".tiles")
	if content, err = os.ReadFile(tiles); err != nil {
		t.Fatal(err)
	}
	content[32*5] ^= 1
	if err := os.WriteFile(tiles, content, 0o600); err != nil {
		t.Fatal(err)
	}
	b.choose("#folder", folder)
	b.checkBlock(openBlock, "alert")
	codes := ask[string](b, `[...document.querySelectorAll("#block-verdict li")].map((item) => item.dataset.code).join(" ")`)
	if want := "leaf_wrong tiles_wrong sale_not_of_unit sales_root_wrong sales_root_wrong sales_root_wrong"; codes != want {
		t.Errorf("found %s instead of %s", codes, want)
	}
	if said := b.text("#block-verdict"); !strings.Contains(said, "unit 5") {
		t.Errorf("the unit is not named: %s", said)
	}
}

// All of the page works by keys alone.
func TestBrowserVerifierWorksByKeyboard(t *testing.T) {
	_, b := verifier(t, verifiable, "")
	b.fill("#receipt-text", example("receipts/complete.receipt.json"))
	ask[bool](b, `(document.querySelector("#key").focus(), true)`)
	for _, want := range []string{"receipt-file", "receipt-text", "receipt-check", "block-id", "source-site", "block-check"} {
		b.press("\t")
		if got := ask[string](b, `document.activeElement.id`); got != want {
			t.Fatalf("the tabulator leads to %s instead of %s", got, want)
		}
		if want == "receipt-check" {
			b.press("\r")
			b.until(`document.querySelector("#receipt-verdict [data-state=good]")`)
		}
	}
}

func TestTheVerifierWithoutScripts(t *testing.T) {
	v := newHouse(t, verifiable).visitor()
	page := v.get("/verifier").is(http.StatusOK)
	page.says("verify.py", "peut que s’allonger")
	if !strings.Contains(page.text, `<div id="verifier" hidden>`) {
		t.Error("forms that would do nothing are shown")
	}
	if cookie := page.header.Get("Set-Cookie"); cookie != "" {
		t.Errorf("who only checks is registered: %s", cookie)
	}
}
