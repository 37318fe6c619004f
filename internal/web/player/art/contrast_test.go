package art_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// WCAG 2.2 SC 1.4.3 and 1.4.11. Checkers leave text on gradients to a human; this test takes the worst stop of
// each gradient instead.

const tokensFile = "../static/css/tokens.css"

// themes reads tokens.css: for each theme the colours in force, those of :root included.
func themes(css string) map[string]map[string]string {
	css = regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(css, "")
	rule := regexp.MustCompile(`(?s)([^{}]+)\{([^{}]*)\}`)
	colour := regexp.MustCompile(`--([a-z0-9-]+):\s*(#[0-9a-f]{6});`)
	root := map[string]string{}
	found := map[string]map[string]string{"paper": {}, "emerald": {}, "garnet": {}}
	for _, match := range rule.FindAllStringSubmatch(css, -1) {
		for _, token := range colour.FindAllStringSubmatch(match[2], -1) {
			if strings.Contains(match[1], ":root") {
				root[token[1]] = token[2]
			}
			for theme, values := range found {
				if strings.Contains(match[1], `"`+theme+`"`) {
					values[token[1]] = token[2]
				}
			}
		}
	}
	for _, values := range found {
		for name, value := range root {
			if _, own := values[name]; !own {
				values[name] = value
			}
		}
	}
	return found
}

// luminance is the relative luminance of WCAG 2.2, for #rrggbb.
func luminance(colour string) float64 {
	channel := func(i int) float64 {
		n, err := strconv.ParseUint(colour[i:i+2], 16, 8)
		if err != nil {
			panic(err)
		}
		v := float64(n) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(1) + 0.7152*channel(3) + 0.0722*channel(5)
}

func ratio(a, b string) float64 {
	la, lb := luminance(a), luminance(b)
	return (math.Max(la, lb) + 0.05) / (math.Min(la, lb) + 0.05)
}

type pair struct {
	theme      string // "" for every theme
	text, over string
	least      float64
}

// Every pairing the style sheets make. 4.5 for text, 3 for text of 24 px and more and for what is not text.
var pairs = []pair{
	{"", "text", "ground-1", 4.5}, {"", "text", "ground-2", 4.5}, {"", "text", "ground-3", 4.5}, {"", "text", "ground-4", 4.5},
	{"", "text-soft", "ground-1", 4.5}, {"", "text-soft", "ground-2", 4.5}, {"", "text-soft", "ground-3", 4.5}, {"", "text-soft", "ground-4", 4.5},
	{"", "text", "bar", 4.5}, {"", "text-soft", "bar", 4.5}, {"", "link", "bar", 4.5},
	{"", "text", "pill", 4.5}, {"", "pill-text", "pill", 4.5},
	{"", "link", "ground-1", 4.5}, {"", "link", "ground-2", 4.5}, {"", "link", "ground-3", 4.5}, {"", "link", "ground-4", 4.5},
	{"", "trouble", "ground-1", 4.5}, {"", "trouble", "ground-2", 4.5}, {"", "trouble", "ground-3", 4.5}, {"", "trouble", "ground-4", 4.5},
	// Titles are a gradient of 24 px and more.
	{"", "title-top", "ground-1", 3}, {"", "title-bottom", "ground-1", 3}, {"", "title-bottom", "ground-2", 3}, {"", "title-top", "ground-4", 3},
	// The result of a win, the jackpot and the focus of attention in gold, on velvet.
	{"emerald", "gold-light", "ground-1", 4.5}, {"garnet", "gold-light", "ground-1", 4.5},
	{"emerald", "gold-light", "bar", 4.5}, {"garnet", "gold-light", "bar", 4.5},
	// The gold button, at each of its stops.
	{"", "on-button", "button-top", 4.5}, {"", "on-button", "button-middle", 4.5}, {"", "on-button", "button-bottom", 4.5},
	// Paper: the prize table, the banner, the balance, the history.
	{"", "ink", "parchment", 4.5}, {"", "ink", "parchment-light", 4.5}, {"", "ink", "lit", 4.5}, {"", "ink", "enamel-bottom", 4.5},
	{"", "ink-soft", "parchment", 4.5}, {"", "ink-soft", "parchment-light", 4.5}, {"", "ink-soft", "lit", 4.5},
	{"", "sepia", "parchment", 4.5}, {"", "sepia", "parchment-light", 4.5}, {"", "sepia", "lit", 4.5},
	{"", "good", "parchment-light", 4.5}, {"", "alert", "parchment-light", 4.5}, {"paper", "alert", "ground-4", 4.5},
	{"", "ivory", "ink", 4.5},
	// The bar that marks the prize just won.
	{"", "gold-dark", "lit", 3},
}

// tooFaint lists the pairs below their least ratio, and those that name a colour that does not exist.
func tooFaint(found map[string]map[string]string) []string {
	var faint []string
	for theme, colours := range found {
		for _, p := range pairs {
			if p.theme != "" && p.theme != theme {
				continue
			}
			text, over := colours[p.text], colours[p.over]
			if text == "" || over == "" {
				faint = append(faint, fmt.Sprintf("%s: no colour %s or %s", theme, p.text, p.over))
				continue
			}
			if r := ratio(text, over); r < p.least {
				faint = append(faint, fmt.Sprintf("%s: %s on %s is %.2f, least %.1f", theme, p.text, p.over, r, p.least))
			}
		}
	}
	return faint
}

func TestContrast(t *testing.T) {
	css, err := os.ReadFile(tokensFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range tooFaint(themes(string(css))) {
		t.Error(complaint)
	}
}

// TestFaintColoursAreCaught is the broken twin: each change makes one text too faint, or loses a colour.
func TestFaintColoursAreCaught(t *testing.T) {
	css, err := os.ReadFile(tokensFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{"--on-button: #2b1903", "--on-button: #8a6a3a"},
		{"--ground-1: #0f5a4a", "--ground-1: #6fae9c"},
		{"--sepia: #6b4410", "--sepia: #a67c2d"},
		{"--lit: #fbdf8c", "--lit: #7a5a20"},
		{"--text-soft: #ecd3d3", "--text-soft: #a05a6a"},
		{"--good: #1c5a3d", "--well: #1c5a3d"},
	} {
		broken := strings.Replace(string(css), change[0], change[1], 1)
		if broken == string(css) {
			t.Errorf("%q is no longer in tokens.css: change this twin", change[0])
			continue
		}
		if len(tooFaint(themes(broken))) == 0 {
			t.Errorf("%q is not caught", change[1])
		}
	}
}

// TestRatio compares with ratios known from the definition: black on white is 21, a colour on itself 1, and #777777
// on white is the well-known near miss of 4.48.
func TestRatio(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"#123456", "#123456", 1}, {"#777777", "#ffffff", 4.48}, {"#767676", "#ffffff", 4.54}} {
		if got := ratio(c.a, c.b); math.Abs(got-c.want) > 0.005 {
			t.Errorf("ratio(%s, %s) = %.3f, want %.2f", c.a, c.b, got, c.want)
		}
	}
}

// TestFocusShowsOnEveryGround: of the white and the black ring at least one has a ratio of 3 with any ground.
func TestFocusShowsOnEveryGround(t *testing.T) {
	css, err := os.ReadFile(tokensFile)
	if err != nil {
		t.Fatal(err)
	}
	for theme, colours := range themes(string(css)) {
		for name, colour := range colours {
			if math.Max(ratio("#ffffff", colour), ratio("#000000", colour)) < 3 {
				t.Errorf("%s: neither ring shows on %s %s", theme, name, colour)
			}
		}
	}
}
