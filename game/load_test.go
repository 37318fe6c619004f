package game_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
)

// small is a definition that is right; each case breaks one thing of it. Lines are counted from 1.
const small = `kind: game
name: trois-lunes
titles: {fr: Trois lunes, en: Three moons}
regulation: {title: Trois lunes, made: 2025-12-01, opening: 2026-01-01, article: "1"}
block: {size: 100, article: "2"}
jackpot: petit-pot
stakes:
  - price: 1
    article: "2"
    parts:
      - {for: trois-lunes, amount: 0.97, article: "2"}
      - {for: petit-pot, amount: 0.03, article: "2"}
  - price: 2
    article: "2"
    parts:
      - {for: trois-lunes, amount: 1.97, article: "2"}
      - {for: petit-pot, amount: 0.03, article: "2"}
prizes:
  articles: ["3.1", "3.2"]
  tiers:
    - {count: 1, amounts: [20, 40]}
    - {count: 2, amounts: [7.5, 15]}
    - {count: 30, amounts: [1, 2]}
  printed: {count: 33, totals: [65, 130]}
choice: {of: 6, pick: 3, article: "4"}
mechanic:
  kind: invented
  symbols: [lune, soleil]
`

const smallPot = `kind: jackpot
name: petit-pot
titles: {fr: Petit pot, en: Small pot}
regulation: {title: Petit pot}
price: 0.03
article: "2"
shares: {pot: 0.016, reserve: 0.005, operator: 0.009}
start: 100
one_in: 50
block: {size: 1000}
`

type refusal struct {
	name     string
	old, new string // the first old in the definition becomes new
	place    string // line:column
	code     string
	says     string // part of the message
}

// Each refusal that a definition can meet, with the place where its author will look.
var refusals = []refusal{
	// totals
	{"printed total of the first stake", "totals: [65,", "totals: [66,", "24:33", "totals_do_not_add_up", "add up to 65.00, but 66.00"},
	{"printed total of the second stake", "65, 130]", "65, 129]", "24:37", "totals_do_not_add_up", "add up to 130.00, but 129.00"},
	{"printed number of prizes", "printed: {count: 33", "printed: {count: 34", "24:20", "totals_do_not_add_up", "33 prizes, but 34"},
	{"a count that was mistyped", "{count: 2, ", "{count: 3, ", "24:20", "totals_do_not_add_up", "34 prizes, but 33"},
	{"more prizes than units", "size: 100,", "size: 32,", "21:5", "more_prizes_than_units", "33 prizes, but a block has only 32"},
	{"one tier with more prizes than units", "{count: 30,", "{count: 101,", "23:15", "count_wrong", "1 to 100"},
	{"no prize in a tier", "{count: 30,", "{count: 0,", "23:15", "count_wrong", "not 0"},

	// prices
	{"parts that do not sum", "amount: 0.97", "amount: 0.96", "11:7", "parts_not_price", "sum to 0.99, but the price is 1.00"},
	{"parts that do not sum by a tenth of a cent", "amount: 0.97", "amount: 0.9701", "11:7", "parts_not_price", "sum to 1.0001"},
	{"part for an unknown name", "{for: petit-pot", "{for: grand-pot", "12:15", "part_unknown", `not for "grand-pot"`},
	{"part named twice", "{for: petit-pot", "{for: trois-lunes", "12:9", "part_wrong", "once"},
	{"part of nothing", "amount: 0.03", "amount: 0", "12:9", "part_wrong", "above zero"},
	{"negative part", "amount: 0.03", "amount: -0.03", "12:9", "part_wrong", "above zero"},
	{"no part for the jackpot", "\n      - {for: petit-pot, amount: 0.03, article: \"2\"}", "", "11:7", "parts_not_price", "0.97"},
	{"parts missing beside a jackpot", `    parts:
      - {for: trois-lunes, amount: 0.97, article: "2"}
      - {for: petit-pot, amount: 0.03, article: "2"}
`, "", "8:5", "part_missing", "one for the jackpot"},
	{"jackpot with the game's name", "jackpot: petit-pot", "jackpot: trois-lunes", "6:10", "name_malformed", "of its own"},
	{"price of nothing", "price: 1\n", "price: 0\n", "8:12", "price_wrong", "above zero"},
	{"negative price", "price: 1\n", "price: -1\n", "8:12", "price_wrong", "above zero"},
	{"price with part of a cent", "price: 1\n", "price: 1.005\n", "8:12", "price_wrong", "whole cents"},
	{"price beyond what a block can count", "price: 2\n", "price: 999999999\n", "13:12", "size_beyond_limit", "whole block"},
	{"stakes not ascending", "price: 2\n", "price: 1\n", "13:12", "stakes_not_ascending", "1.00 follows 1.00"},

	// amounts
	{"fewer amounts than stakes", "amounts: [7.5, 15]", "amounts: [7.5]", "22:27", "amounts_missing", "one amount a stake is expected: 2, not 1"},
	{"more amounts than stakes", "amounts: [7.5, 15]", "amounts: [7.5, 15, 30]", "22:27", "amounts_missing", "2, not 3"},
	{"a stake without amounts", "amounts: [7.5, 15]", "amounts: []", "22:27", "amounts_missing", "2, not 0"},
	{"fewer totals than stakes", "totals: [65, 130]", "totals: [65]", "24:32", "amounts_missing", "one total a stake"},
	{"fewer articles than stakes", `articles: ["3.1", "3.2"]`, `articles: ["3.1"]`, "19:13", "articles_missing", "one article a stake"},
	{"prize with part of a cent", "[7.5, 15]", "[7.505, 15]", "22:28", "amount_wrong", "whole cents"},
	{"prize of nothing", "amounts: [1, 2]", "amounts: [0, 2]", "23:29", "amount_wrong", "above zero"},
	{"negative prize", "amounts: [1, 2]", "amounts: [1, -2]", "23:32", "amount_wrong", "above zero"},
	{"tiers not descending at the first stake", "[7.5, 15]", "[20.5, 15]", "22:28", "tiers_not_descending", "20.50 follows 20.00"},
	{"tiers not descending at the second stake", "[7.5, 15]", "[7.5, 41]", "22:33", "tiers_not_descending", "41.00 follows 40.00"},
	{"the same amount twice", "[7.5, 15]", "[7.5, 40]", "22:33", "tiers_not_descending", "40.00 follows 40.00"},
	{"amount in quotes", "[7.5, 15]", `["7,5", 15]`, "22:28", "amount_malformed", "no quotes"},
	{"amount with a comma is two amounts", "[7.5, 15]", "[7,5, 15]", "22:27", "amounts_missing", "2, not 3"},
	{"amount with five decimals", "[7.5, 15]", "[7.50001, 15]", "22:28", "value_not_plain", "four decimals"},
	{"amount with an exponent", "[7.5, 15]", "[75e-1, 15]", "22:28", "amount_malformed", "7.5"},
	{"amount in hexadecimal", "[1, 2]}", "[0x1, 2]}", "23:29", "value_not_plain", "a whole number"},
	{"amount that is not a number", "[7.5, 15]", "[.nan, 15]", "22:28", "value_not_plain", "7.5"},
	{"amount that is a list", "[7.5, 15]", "[[7.5], 15]", "22:28", "amount_malformed", "7.5"},

	// sizes (R-18: limits are stated)
	{"block of nothing", "size: 100,", "size: 0,", "5:15", "size_beyond_limit", "1 to 10000000"},
	{"block beyond the limit", "size: 100,", "size: 10000001,", "5:15", "size_beyond_limit", "1 to 10000000"},
	{"block beyond 32 bits", "size: 100,", "size: 4294967396,", "5:15", "size_beyond_limit", "1 to 10000000"},
	{"negative block", "size: 100,", "size: -1,", "5:15", "shape_wrong", ""},
	{"count beyond 32 bits", "{count: 30,", "{count: 4294967326,", "23:15", "count_wrong", ""},
	{"no stake", small[strings.Index(small, "stakes:"):strings.Index(small, "prizes:")], "stakes: []\n", "7:9", "size_beyond_limit", "1 to 3 stakes, not 0"},
	{"four stakes", small[strings.Index(small, "stakes:"):strings.Index(small, "prizes:")],
		"stakes: [{price: 1}, {price: 2}, {price: 3}, {price: 4}]\n", "7:9", "size_beyond_limit", "not 4"},
	{"no tier", small[strings.Index(small, "  tiers:"):strings.Index(small, "  printed:")], "  tiers: []\n", "20:10", "size_beyond_limit", "1 to 64 lines, not 0"},
	{"sixty-five tiers", small[strings.Index(small, "  tiers:"):strings.Index(small, "  printed:")],
		"  tiers:\n" + strings.Repeat("    - {count: 1, amounts: [1, 2]}\n", 65), "21:5", "size_beyond_limit", "not 65"},
	{"five parts", "      - {for: petit-pot", strings.Repeat("      - {for: petit-pot, amount: 0.01}\n", 3) + "      - {for: petit-pot", "11:7", "size_beyond_limit", "at most 4 parts"},
	{"choice of more than there are", "pick: 3", "pick: 7", "25:9", "choice_wrong", "7 of 6"},
	{"choice of none", "pick: 3", "pick: 0", "25:9", "choice_wrong", "0 of 6"},
	{"choice among too many", "of: 6", "of: 65", "25:9", "choice_wrong", "at most 64"},
	{"number beyond every reader", "size: 100,", "size: 99999999999999999999,", "5:15", "shape_wrong", ""},

	// names, texts, dates
	{"name with a capital", "name: trois-lunes", "name: Trois-lunes", "2:7", "name_malformed", "lower-case"},
	{"name with two hyphens", "name: trois-lunes", "name: trois--lunes", "2:7", "name_malformed", "single hyphens"},
	{"name that climbs", "name: trois-lunes", "name: ../lunes", "2:7", "name_malformed", ""},
	{"name too long", "name: trois-lunes", "name: " + strings.Repeat("a", 41), "2:7", "name_malformed", "40"},
	{"name missing", "name: trois-lunes\n", "", "1:1", "name_malformed", ""},
	{"no French title", "{fr: Trois lunes, en", "{en", "3:9", "title_missing", "French"},
	{"no English title", ", en: Three moons", "", "3:9", "title_missing", "English"},
	{"empty title", "en: Three moons", `en: " "`, "3:31", "title_missing", "English"},
	{"title too long", "en: Three moons", "en: " + strings.Repeat("é", 101), "3:31", "title_missing", "200"},
	{"no title of the regulation", "title: Trois lunes, ", "", "4:13", "title_missing", "regulation"},
	{"date that does not exist", "opening: 2026-01-01", "opening: 2026-02-29", "4:61", "date_malformed", `"2026-02-29"`},
	{"date in French order", "made: 2025-12-01", "made: 01/12/2025", "4:40", "date_malformed", "YYYY-MM-DD"},
	{"no opening date", ", opening: 2026-01-01", "", "4:13", "date_malformed", "YYYY-MM-DD"},
	{"figure without its article", "{size: 100, article: \"2\"}", "{size: 100}", "5:8", "article_missing", `"3.1"`},
	{"article without quotes", `articles: ["3.1",`, `articles: [3.1,`, "19:14", "shape_wrong", "in quotes"},
	{"another kind", "kind: game", "kind: jackpot", "1:7", "kind_wrong", `not "jackpot"`},
	{"no kind", "kind: game\n", "", "1:1", "kind_wrong", "kind: game"},
	{"no mechanic", "mechanic:\n  kind: invented\n  symbols: [lune, soleil]\n", "", "1:1", "mechanic_missing", "kind: collect"},
	{"mechanic without kind", "  kind: invented\n", "", "27:3", "mechanic_missing", "kind: collect"},
	{"mechanic that is a word", "mechanic:\n  kind: invented\n  symbols: [lune, soleil]\n", "mechanic: collect\n", "26:11", "mechanic_missing", "kind: collect"},

	// keys and shapes
	{"unknown key", "name: trois-lunes", "nam: trois-lunes", "2:1", "key_unknown", `"nam" is not a key here; the keys are kind, name`},
	{"unknown key within", "{size: 100,", "{sise: 100,", "5:9", "key_unknown", "size, article"},
	{"key of another case", "name: trois-lunes", "Name: trois-lunes", "2:1", "key_unknown", `"Name"`},
	{"key twice", "name: trois-lunes\n", "name: trois-lunes\nname: trois-lunes\n", "3:1", "key_twice", `"name"`},
	{"key twice, in quotes", "name: trois-lunes\n", "name: trois-lunes\n\"name\": deux-lunes\n", "3:1", "key_twice", `"name"`},
	{"key twice in the mechanic", "symbols: [lune, soleil]\n", "symbols: [lune, soleil]\n  kind: other\n", "29:3", "key_twice", `"kind"`},
	{"key that is a number", "symbols: [lune, soleil]", "7: seven", "28:3", "value_not_plain", "plain word"},
	{"value missing", "jackpot: petit-pot", "jackpot:", "6:9", "value_not_plain", "missing"},
	{"null", "jackpot: petit-pot", "jackpot: ~", "6:10", "value_not_plain", "missing"},
	{"number that begins with zero", "size: 100,", "size: 0100,", "5:15", "value_not_plain", ""},
	{"number with decimals", "size: 100,", "size: 100.0,", "5:15", "shape_wrong", "whole number"},
	{"number in quotes", "size: 100,", `size: "100",`, "5:15", "shape_wrong", "whole number"},
	{"text for truth", "amounts: [1, 2]}", "amounts: [1, 2], cumulative_only: oui}", "23:53", "shape_wrong", "true or false"},
	{"list for a text", "name: trois-lunes", "name: [trois-lunes]", "2:7", "shape_wrong", "a text"},
	{"text for a list", `articles: ["3.1", "3.2"]`, `articles: "3.1"`, "19:13", "shape_wrong", "a list"},
	{"list for keys", "block: {size: 100, article: \"2\"}", "block: [100]", "5:8", "shape_wrong", "size, article"},
	{"text with a control character", "en: Three moons", `en: "Three\u0007moons"`, "3:31", "text_malformed", "control"},

	// YAML that is more than plain
	{"anchor", "name: trois-lunes", "name: &n trois-lunes", "2:7", "yaml_not_plain", "anchors"},
	{"alias", "name: trois-lunes", "name: *n", "2:7", "yaml_not_plain", "aliases"},
	{"merge key", "name: trois-lunes", "<<: {name: trois-lunes}", "2:1", "yaml_not_plain", "merge keys"},
	{"tag", "name: trois-lunes", "name: !!str trois-lunes", "2:7", "yaml_not_plain", "tags"},
	{"tag in the mechanic", "[lune, soleil]", "[lune, !soleil x]", "28:19", "yaml_not_plain", "tags"},
	{"two documents", "kind: game", "---\nkind: game\n---\nkind: game", "4:1", "documents_wrong", "not 2"},
	{"not closed", `titles: {fr: Trois lunes, en: Three moons}`, `titles: {fr: Trois lunes`, "", "shape_wrong", ""},
	{"tabs to indent", "  kind: invented", "\tkind: invented", "27:1", "shape_wrong", ""},
	{"not UTF-8", "Three moons", "Three \xe9toiles", "3:37", "text_not_utf8", "UTF-8"},
	{"byte order mark", "kind: game", "\ufeffkind: game", "1:1", "text_not_utf8", "byte order mark"},
	{"zero byte", "Three moons", "Three\x00moons", "3:36", "text_not_utf8", "control"},
	{"file too large", "kind: game", strings.Repeat("#"+strings.Repeat(".", 1023)+"\n", 64) + "kind: game", "1:1", "file_too_large", "65536 bytes"},
}

func TestLoadRefuses(t *testing.T) {
	if _, err := game.Load("small.yaml", []byte(small)); err != nil {
		t.Fatalf("the definition that the cases break is wrong itself: %v", err)
	}
	for _, test := range refusals {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(small, test.old) {
				t.Fatalf("the definition has no %q to break", test.old)
			}
			_, err := game.Load("small.yaml", []byte(strings.Replace(small, test.old, test.new, 1)))
			checkRefusal(t, err, test)
		})
	}
}

func TestLoadJackpotRefuses(t *testing.T) {
	if _, err := game.LoadJackpot("pot.yaml", []byte(smallPot)); err != nil {
		t.Fatalf("the definition that the cases break is wrong itself: %v", err)
	}
	for _, test := range []refusal{
		{"shares that do not sum", "pot: 0.016", "pot: 0.015", "7:9", "parts_not_price", "sum to 0.029, but a participation costs 0.03"},
		{"nothing for the pot", "pot: 0.016, reserve: 0.005", "pot: 0, reserve: 0.021", "7:9", "shares_wrong", "above zero"},
		{"negative share", "reserve: 0.005, operator: 0.009", "reserve: -0.005, operator: 0.019", "7:9", "shares_wrong", "negative"},
		{"price with part of a cent", "price: 0.03", "price: 0.035", "5:8", "price_wrong", "whole cents"},
		{"price of nothing", "price: 0.03", "price: 0", "5:8", "price_wrong", "more than nothing"},
		{"certain win", "one_in: 50", "one_in: 1", "9:9", "size_beyond_limit", "2 to"},
		{"odds beyond the limit", "one_in: 50", "one_in: 1000000001", "9:9", "size_beyond_limit", "1000000000"},
		{"odds beyond 32 bits", "one_in: 50", "one_in: 4294967346", "9:9", "size_beyond_limit", "1000000000"},
		{"start of nothing", "start: 100", "start: 0", "8:8", "amount_wrong", "above zero"},
		{"start with part of a cent", "start: 100", "start: 100.001", "8:8", "amount_wrong", "whole cents"},
		{"block beyond the limit", "size: 1000", "size: 10000001", "10:15", "size_beyond_limit", "10000000"},
		{"block of nothing", "size: 1000", "size: 0", "10:15", "size_beyond_limit", "10000000"},
		{"bad date", "{title: Petit pot}", "{title: Petit pot, made: 2017-8-29}", "4:38", "date_malformed", "YYYY-MM-DD"},
		{"no article", "article: \"2\"\n", "", "1:1", "article_missing", "price"},
		{"no title", "titles: {fr: Petit pot, en: Small pot}\n", "", "1:1", "title_missing", "French"},
		{"bad name", "name: petit-pot", "name: petit pot", "2:7", "name_malformed", "lower-case"},
		{"a game", "kind: jackpot", "kind: game", "1:7", "kind_wrong", "kind: jackpot"},
		{"unknown key", "one_in: 50", "odds: 50", "9:1", "key_unknown", "one_in"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(smallPot, test.old) {
				t.Fatalf("the definition has no %q to break", test.old)
			}
			_, err := game.LoadJackpot("small.yaml", []byte(strings.Replace(smallPot, test.old, test.new, 1)))
			checkRefusal(t, err, test)
		})
	}
}

func checkRefusal(t *testing.T, err error, want refusal) {
	t.Helper()
	if err == nil {
		t.Fatal("it was loaded")
	}
	if !errors.Is(err, fault.Invalid) || fault.CodeOf(err) != want.code {
		t.Errorf("%v, %s: want %s (%v)", fault.KindOf(err), fault.CodeOf(err), want.code, err)
	}
	if place := fault.PlaceOf(err); want.place != "" && place != "small.yaml:"+want.place {
		t.Errorf("at %s, want %s (%v)", place, want.place, err)
	}
	if !strings.Contains(err.Error(), want.says) {
		t.Errorf("%q does not say %q", err, want.says)
	}
}

func TestLoadOfNothing(t *testing.T) {
	for _, text := range []string{"", "\n", "# only a comment\n", "---\n", "[]", "7", "text"} {
		_, err := game.Load("empty.yaml", []byte(text))
		if !errors.Is(err, fault.Invalid) || !strings.HasPrefix(fault.PlaceOf(err), "empty.yaml:") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A definition at its largest is still read: the limits are limits, not one less.
func TestLoadAtTheLimits(t *testing.T) {
	var tiers strings.Builder
	for at := range game.TiersMost {
		fmt.Fprintf(&tiers, "    - {count: 1, amounts: [%d, %d, %d]}\n", 64-at, 2*(64-at), 3*(64-at))
	}
	text := fmt.Sprintf(`kind: game
name: %s
titles: {fr: A, en: %s}
regulation: {title: A, opening: 2026-01-01, article: "1"}
block: {size: 10000000, article: "1"}
stakes: [{price: 1, article: "1"}, {price: 2, article: "1"}, {price: 3, article: "1"}]
prizes:
  articles: ["1", "1", "1"]
  tiers:
%s  printed: {count: 64, totals: [2080, 4160, 6240]}
choice: {of: 64, pick: 64, article: "1"}
mechanic: {kind: invented}
`, strings.Repeat("a", 40), strings.Repeat("é", 100), tiers.String())
	text += strings.Repeat("#", game.FileBytesMost-len(text)-1) + "\n"
	if _, err := game.Load("large.yaml", []byte(text)); err != nil {
		t.Error(err)
	}
	if _, err := game.Load("large.yaml", []byte(text+"\n")); fault.CodeOf(err) != "file_too_large" {
		t.Errorf("one byte more: %v", err)
	}
}
