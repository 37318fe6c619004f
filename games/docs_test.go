package games_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic/all"
)

// The example of docs/how-to-add-a-game.md is a definition that loads and is proven, and says of itself
// what the page says.
func TestHowToAddAGame(t *testing.T) {
	page, err := os.ReadFile("../docs/how-to-add-a-game.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	text, _, closed := strings.Cut(rest, "```")
	if !closed {
		t.Fatal("the page has no example")
	}
	const file = "games/jardin-d-hiver/game.yaml"
	d, err := game.Load(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := all.Check(d); err != nil {
		t.Error(err)
	}
	_, payout, err := d.Payout(0)
	if err != nil {
		t.Fatal(err)
	}
	_, mistake := game.Load(file, []byte(strings.Replace(text, "amounts: [50]", "amounts: [60]", 1)))
	for _, says := range []string{payout.Percent(3) + " %", "1 in " + d.UnitsPerPrize().Decimals(3), mistake.Error()} {
		if !strings.Contains(string(page), says) {
			t.Errorf("the page does not say %q", says)
		}
	}
}

// docs/spec/definition.md names every code that loading can give, as its tests in package game meet them.
func TestCodesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/spec/definition.md")
	if err != nil {
		t.Fatal(err)
	}
	given := regexp.MustCompile(`(?:errorf\([^\n]*?, |misplaced\(\w+(?:\.\w+)?, |fault\.Invalid, )"([a-z0-9_]+)"`)
	entries, err := os.ReadDir("../game")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			source, err := os.ReadFile("../game/" + name)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range given.FindAllStringSubmatch(string(source), -1) {
				found[match[1]] = true
				if !strings.Contains(string(page), "`"+match[1]+"`") {
					t.Errorf("%s gives %s, which is not documented", name, match[1])
				}
			}
		}
	}
	if len(found) < 30 {
		t.Errorf("only %d codes were found in the sources", len(found))
	}
	if _, err := game.Load("x", nil); !strings.Contains(string(page), "`"+fault.CodeOf(err)+"`") {
		t.Errorf("%s is not documented", fault.CodeOf(err))
	}
}
