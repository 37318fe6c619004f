package player

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/statement"
)

// valuesOf are what completes a key that a template puts together, by its beginning.
var valuesOf = map[string][]string{
	"lobby.": {"collect", "lines"},
	"idle.":  {"collect", "lines"},
	"table.": {"collect", "lines"},
	"kind.":  {string(statement.Loss), string(statement.StakeBack), string(statement.Win)},
}

var (
	saidByTemplate = regexp.MustCompile(`\.Say "([^"]+)"`)
	madeByTemplate = regexp.MustCompile(`\.Say \(print "([^"]+)"`)
	saidByCode     = regexp.MustCompile(`\.Say\("([^"]+)"\s*[,)]`)
	saidByScript   = regexp.MustCompile(`words\["([^"]+)"\]`)
	faultCode      = regexp.MustCompile(`fault\.New\(fault\.\w+,\s*"(\w+)"|Code: "(\w+)"`)
)

func sources(t *testing.T, pattern string) string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	var all strings.Builder
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(content)
	}
	return all.String()
}

// keysUsed are the keys of the pages' words that templates, code and scripts name.
func keysUsed(t *testing.T, templates, code, scripts string) map[string]bool {
	t.Helper()
	used := make(map[string]bool)
	for _, found := range saidByTemplate.FindAllStringSubmatch(templates, -1) {
		used[found[1]] = true
	}
	for _, found := range madeByTemplate.FindAllStringSubmatch(templates, -1) {
		if len(valuesOf[found[1]]) == 0 {
			t.Errorf("a template puts together keys that begin with %q: say in valuesOf which", found[1])
		}
		for _, value := range valuesOf[found[1]] {
			used[found[1]+value] = true
		}
	}
	for _, found := range saidByCode.FindAllStringSubmatch(code, -1) {
		used[found[1]] = true
	}
	for _, found := range saidByScript.FindAllStringSubmatch(scripts, -1) {
		used[found[1]] = true
	}
	for _, keys := range [][]string{clientKeys, allVerifierKeys()} {
		for _, key := range keys {
			used[key] = true
		}
	}
	for _, code := range faultCodes(t) {
		used["problem."+code], used["problem."+code+".next"] = true, true
	}
	return used
}

// faultCodes are the codes of all faults that rooms below the pages return.
func faultCodes(t *testing.T) []string {
	t.Helper()
	codes := []string{"internal", "request_malformed", "unavailable"} // by kind, see problemOfKind
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		content, err := os.ReadFile(name)
		for _, found := range faultCode.FindAllStringSubmatch(string(content), -1) {
			codes = append(codes, found[1]+found[2])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return codes
}

func TestEveryKeyHasItsWordsAndEveryWordIsUsed(t *testing.T) {
	used := keysUsed(t, sources(t, "templates/*.html"), sources(t, "*.go"), sources(t, "src/*.ts"))
	for _, key := range slices.Sorted(maps.Keys(used)) {
		if _, ok := words[key]; !ok && !strings.HasPrefix(key, "problem.") {
			t.Errorf("%s has no words", key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(words)) {
		if !used[key] {
			t.Errorf("%s is used nowhere", key)
		}
	}
}

// What the script says is what the page hands to it.
func TestTheScriptIsGivenAllItsWords(t *testing.T) {
	script := sources(t, "src/*.ts")
	said := make(map[string]bool)
	for _, found := range saidByScript.FindAllStringSubmatch(script, -1) {
		said[found[1]] = true
	}
	if strings.Contains(script, `"choose.left." +`) {
		said["choose.left.1"], said["choose.left.2"], said["choose"] = true, true, true
	}
	for _, made := range []struct {
		by   string
		keys []string
	}{
		{`words["verifier.code." +`, within("verifier.code.", verifierCodes)},
		{`words["verifier.input." +`, within("verifier.input.", verifierInputs)},
		{`words["verifier.part." +`, within("verifier.part.", verifierParts)},
	} {
		for _, key := range made.keys {
			said[key] = strings.Contains(script, made.by)
		}
	}
	given := append(allVerifierKeys(), clientKeys...)
	for key := range said {
		if !slices.Contains(given, key) {
			t.Errorf("the script says %s, which the page does not give it", key)
		}
	}
	for _, key := range given {
		if !said[key] {
			t.Errorf("the page gives the script %s, which it never says", key)
		}
	}
}

func within(beginning string, ends []string) []string {
	keys := make([]string, len(ends))
	for at, end := range ends {
		keys[at] = beginning + end
	}
	return keys
}

// Each code that the checker knows has its sentence, and so has each reason why it cannot check.
func TestEveryCodeOfTheCheckerHasASentence(t *testing.T) {
	known := make(map[string]bool)
	source := sources(t, "../../../verify/browser/src/codes.ts")
	for _, found := range regexp.MustCompile(`"([a-z0-9_]+)"`).FindAllStringSubmatch(source, -1) {
		known[found[1]] = true
	}
	said := append(append([]string{}, verifierCodes...), verifierInputs...)
	for code := range known {
		if !slices.Contains(said, code) {
			t.Errorf("%s has no sentence", code)
		}
	}
	for _, code := range said {
		if !known[code] && code != "internal" {
			t.Errorf("the checker has no code %s", code)
		}
	}
	// What the page says of receipts is what their specification has codes for.
	specification := sources(t, "../../../docs/spec/receipt.md") + sources(t, "../../../docs/spec/publication.md")
	for _, code := range verifierCodes {
		if !strings.Contains(specification, "`"+code+"`") {
			t.Errorf("the specification has no code %s", code)
		}
	}
}

// placeholders of a text, in order.
func placeholders(text string) []string { return regexp.MustCompile(`%[a-z%]`).FindAllString(text, -1) }

func TestBothLanguagesSayTheSame(t *testing.T) {
	for key, text := range words {
		if strings.TrimSpace(text.French) == "" || strings.TrimSpace(text.English) == "" {
			t.Errorf("%s lacks a language", key)
		}
		if !slices.Equal(placeholders(text.French), placeholders(text.English)) {
			t.Errorf("%s: %q and %q say different things", key, text.French, text.English)
		}
		for language, said := range map[string]string{"French": text.French, "English": text.English} {
			if strings.TrimSpace(said) != said && key != "or" {
				t.Errorf("%s in %s begins or ends with a space", key, language)
			}
			if strings.ContainsAny(said, `"'`) || strings.Contains(said, "  ") || strings.Contains(said, "...") {
				t.Errorf("%s in %s has typewriter marks: %s", key, language, said)
			}
		}
	}
}

// urging are what no page says: to play, to go on, to stake more, to hurry, or that a loss was almost
// a win (R-173; Joueurs Info Service and the code of the French regulator ask the same).
var urging = regexp.MustCompile(`(?i)!|tentez|retentez|dépêchez|vite\b|n’attendez|dernière chance|presque (?:gagné|un gain|le)|encore une partie|` +
	`misez plus|augmentez|doublez|jackpot vous attend|vous allez gagner|à vous de gagner|bonne chance|chanceux|facile|gratuit|` +
	`hurry|don’t miss|last chance|almost|nearly won|so close|try your luck|good luck|lucky|bet more|double your|easy|free\b|keep playing|one more`)

// urges gives what of a text urges, or "".
func urges(text string) string { return urging.FindString(text) }

func TestNoWordUrges(t *testing.T) {
	for key, text := range words {
		if key == "choose.left.1" { // one more bag of a unit that was bought
			continue
		}
		for _, said := range []string{text.French, text.English} {
			if found := urges(said); found != "" {
				t.Errorf("%s urges (%q): %s", key, found, said)
			}
		}
	}
	for _, twin := range []string{"Presque gagné, retentez", "Tentez votre chance !", "So close. Try again?", "Bet more, win more"} {
		if urges(twin) == "" {
			t.Errorf("%q is taken as calm", twin)
		}
	}
}

// Each state that a supply has is drawn by the game's page and by the lobby.
func TestTemplatesKnowEveryStateOfASupply(t *testing.T) {
	text := sources(t, "templates/*.html")
	for _, state := range []office.State{office.Preparing, office.OnSale} {
		if !strings.Contains(text, `"`+string(state)+`"`) {
			t.Errorf("no template knows %s", state)
		}
	}
}
