package game_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/game"
)

func load(t testing.TB, text string) *game.Definition {
	t.Helper()
	definition, err := game.Load("small.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return definition
}

// The same definition laid out otherwise: comments, order of keys, block and flow style, quotes,
// written zeros, line ends.
const smallAgain = `# another hand wrote this
"name": "trois-lunes"
'kind': game
prizes: # table
    printed:
        totals:
            - 65.00
            - 130.0
        count: 33
    tiers: [{amounts: [20.0000, 40], count: 1},
        {count: 2, amounts: [7.50, 15]}, {count: 30, amounts: [1, 2]}]
    articles:
    - '3.1'
    - "3.2"
mechanic: {symbols: ["lune", 'soleil'], kind: invented}
titles:
  en: "Three\u0020moons"
  fr: >-
    Trois
    lunes
block:
  article: "2"
  size: 100
choice: {article: "4", pick: 3, of: 6}
regulation: {article: "1", made: "2025-12-01", opening: '2026-01-01', title: Trois lunes}
jackpot: petit-pot
stakes:
- article: "2"
  parts: [{amount: 0.9700, article: "2", for: trois-lunes}, {for: petit-pot, amount: 0.0300, article: "2"}]
  price: 1.00
- {price: 2, article: "2", parts: [{for: trois-lunes, amount: 1.97, article: "2"}, {for: petit-pot, amount: 0.03, article: "2"}]}
`

// The canonical JSON of the definition, written by hand from docs/spec/definition.md.
const smallCanonical = `{"block":{"article":"2","size":100},"choice":{"article":"4","of":6,"pick":3},"jackpot":"petit-pot","kind":"game",` +
	`"mechanic":{"kind":"invented","symbols":["lune","soleil"]},"name":"trois-lunes",` +
	`"prizes":{"articles":["3.1","3.2"],"printed":{"count":33,"totals":[65,130]},"tiers":[` +
	`{"amounts":[20,40],"count":1},{"amounts":["7.50",15],"count":2},{"amounts":[1,2],"count":30}]},` +
	`"regulation":{"article":"1","made":"2025-12-01","opening":"2026-01-01","title":"Trois lunes"},` +
	`"stakes":[{"article":"2","parts":[{"amount":"0.97","article":"2","for":"trois-lunes"},{"amount":"0.03","article":"2","for":"petit-pot"}],"price":1},` +
	`{"article":"2","parts":[{"amount":"1.97","article":"2","for":"trois-lunes"},{"amount":"0.03","article":"2","for":"petit-pot"}],"price":2}],` +
	`"titles":{"en":"Three moons","fr":"Trois lunes"}}`

func TestHashOfAnyLayout(t *testing.T) {
	want := canon.Hash(canon.TagDefinition, []byte(smallCanonical))
	for name, text := range map[string]string{
		"small": small, "again": smallAgain, "with CRLF": strings.ReplaceAll(small, "\n", "\r\n"), "with a document mark": "---\n" + small,
	} {
		if hash := load(t, text).Hash; hash != want {
			t.Errorf("%s: %s, want %s", name, hash, want)
		}
	}
}

// Every change of a figure or a word that still loads changes the hash.
func TestHashOfAnotherDefinition(t *testing.T) {
	seen := map[canon.Digest]string{load(t, small).Hash: "unchanged"}
	for _, change := range [][2]string{
		{"Trois lunes, en", "Trois Lunes, en"}, {"Three moons", "Three moon"}, {"2026-01-01", "2026-01-02"}, {"made: 2025-12-01, ", ""},
		{"size: 100", "size: 101"}, {`article: "4"`, `article: "4.1"`}, {`article: "4"`, `article: "4.10"`}, {`"3.2"`, `"3.20"`},
		{"[lune, soleil]", "[soleil, lune]"}, {"[lune, soleil]", "[lune, soleil, soleil]"}, {"[lune, soleil]", "[[lune, soleil]]"},
		{"[lune, soleil]", `["lune, soleil"]`}, {"[lune, soleil]", "[lune, 1]"}, {"[lune, soleil]", "[lune, 1.5]"},
		{"[lune, soleil]", "[lune, true]"}, {"pick: 3", "pick: 2"},
		{"{count: 30, amounts: [1, 2]}", "{count: 30, amounts: [1, 2], cumulative_only: true}"},
		{"0.97, article: \"2\"}\n      - {for: petit-pot, amount: 0.03", "0.96, article: \"2\"}\n      - {for: petit-pot, amount: 0.04"},
		{"0.97, article: \"2\"}\n      - {for: petit-pot, amount: 0.03", "0.9699, article: \"2\"}\n      - {for: petit-pot, amount: 0.0301"},
	} {
		text := strings.Replace(small, change[0], change[1], 1)
		if text == small {
			t.Fatalf("nothing to change for %q", change[0])
		}
		hash := load(t, text).Hash
		if other, twice := seen[hash]; twice {
			t.Errorf("%q and %q have one hash", change[1], other)
		}
		seen[hash] = change[1]
	}
}

// A twin of the hash that forgets to normalise amounts is caught by the same comparison.
func TestHashTwinThatForgetsAmounts(t *testing.T) {
	twin := strings.Replace(smallCanonical, `"7.50"`, `"7.5"`, 1)
	if canon.Hash(canon.TagDefinition, []byte(twin)) == load(t, small).Hash {
		t.Error("an amount that is not normalised goes unnoticed")
	}
}

// The hash is that of RFC 8785 as its own library writes what encoding/json understood of the document.
func TestHashIsCanonicalJSON(t *testing.T) {
	var value any
	if err := json.Unmarshal([]byte(smallCanonical), &value); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(value, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if text, err = jcs.Transform(text); err != nil || string(text) != smallCanonical {
		t.Errorf("%v, %s", err, text)
	}
}

// Titles are hashed as they are, whatever characters they have.
func TestHashTellsTitlesApart(t *testing.T) {
	title := rapid.StringMatching(`[a-z<>&"'\\ éœ€\x{2028}😀]{1,12}[a-z]`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := title.Draw(t, "a"), title.Draw(t, "b")
		if strings.TrimSpace(a) == "" || strings.TrimSpace(b) == "" {
			return
		}
		hashes := [2]canon.Digest{}
		for at, text := range []string{a, b} {
			quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
			definition, err := game.Load("x", []byte(strings.Replace(small, "Three moons", `"`+quoted+`"`, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if definition.Titles.English != text {
				t.Fatalf("%q was read as %q", text, definition.Titles.English)
			}
			hashes[at] = definition.Hash
		}
		if (a == b) != (hashes[0] == hashes[1]) {
			t.Errorf("%q and %q: %s and %s", a, b, hashes[0], hashes[1])
		}
	})
}
