package art_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/talonlottery/talon/internal/web/player/art"
)

// The symbols that the two definitions name (games/*/game.yaml), the multiplier's faces, the bags and the signs.
var wanted = []string{
	"or", "croix", "etoile", "couronne", "piece-trouee", "trefle",
	"diamant", "bourse", "pieces-d-or", "cle", "fer-a-cheval", "chiffre-sept", "jambon", "chance", "point-d-interrogation",
	"x2", "x3", "x4", "x5", "x10",
	"sac-ferme", "sac-ouvert",
	"signe-son", "signe-muet", "signe-info", "signe-fleche", "signe-coche", "signe-rejouer", "signe-bouclier", "inconnu",
}

func TestNamesAreComplete(t *testing.T) {
	names := art.Names()
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			t.Errorf("no drawing is called %q", name)
		}
	}
	if len(names) != len(wanted) {
		t.Errorf("%d drawings, expected %d: keep this list complete", len(names), len(wanted))
	}
	if !slices.IsSorted(names) {
		t.Error("names are not in order")
	}
}

// TestEverySymbolOfTheDefinitionsIsDrawn reads the names from the definitions themselves, so that a game that is added
// without art is noticed here, not by a player.
func TestEverySymbolOfTheDefinitionsIsDrawn(t *testing.T) {
	files, err := filepath.Glob("../../../../games/*/game.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no definitions found: %v", err)
	}
	symbol := regexp.MustCompile(`(?m)^\s*- \{name: ([a-z0-9-]+),`)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range symbol.FindAllStringSubmatch(string(text), -1) {
			found++
			if !art.Known(match[1]) {
				t.Errorf("%s: symbol %q has no drawing", file, match[1])
			}
		}
	}
	if found < 17 {
		t.Errorf("only %d symbols read from the definitions: the pattern of this test no longer fits them", found)
	}
}

// check reads markup as XML and returns what is wrong with it: malformed, an id used twice, a reference to nothing, or
// something a strict content policy would refuse.
func check(markup string) error {
	decoder := xml.NewDecoder(strings.NewReader("<page>" + markup + "</page>"))
	ids, references := map[string]bool{}, []string{}
	reference := regexp.MustCompile(`^url\(#(.+)\)$`)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("malformed: %w", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if slices.Contains([]string{"style", "script", "image", "foreignObject"}, start.Name.Local) {
			return fmt.Errorf("element <%s> is not allowed", start.Name.Local)
		}
		size := 0
		for _, attribute := range start.Attr {
			value := attribute.Value
			switch name := attribute.Name.Local; {
			case name == "style" || strings.HasPrefix(name, "on"):
				return fmt.Errorf("attribute %s is not allowed", name)
			case name == "id" && ids[value]:
				return fmt.Errorf("id %q is used twice", value)
			case name == "id":
				ids[value] = true
			case name == "href" && !strings.HasPrefix(value, "#"):
				return fmt.Errorf("reference %q leaves the page", value)
			case name == "href":
				references = append(references, value[1:])
			case start.Name.Local == "svg" && (name == "width" || name == "height"):
				size++
			}
			if match := reference.FindStringSubmatch(value); match != nil {
				references = append(references, match[1])
			}
		}
		if start.Name.Local == "svg" && size != 2 {
			return errors.New("an <svg> has no width and height")
		}
	}
	for _, id := range references {
		if !ids[id] {
			return fmt.Errorf("nothing has the id %q", id)
		}
	}
	return nil
}

func page(names ...string) string {
	b := string(art.Sprite(names...)) + string(art.Mark()) + string(art.Lines(4, 4, "0 5 10 15"))
	for _, name := range names {
		b += string(art.Use(name, "face", 40)) + string(art.Use(name, "", 20))
	}
	return b
}

func TestPagesAreWellFormed(t *testing.T) {
	for _, names := range [][]string{art.Names(), {"or", "or", "croix"}, {"x5", "unheard-of", "unheard-of-too"}} {
		if err := check(page(names...)); err != nil {
			t.Errorf("%v: %v", names, err)
		}
	}
	for path, file := range art.Files() {
		if err := check(file); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestBrokenPagesAreCaught is the broken twin of TestPagesAreWellFormed.
func TestBrokenPagesAreCaught(t *testing.T) {
	good := page("or", "croix")
	for name, bad := range map[string]string{
		"two sprites":      good + string(art.Sprite("or")),
		"two marks":        good + string(art.Mark()),
		"use without it":   good + string(art.Use("couronne", "", 40)),
		"unclosed":         strings.Replace(good, "</symbol>", "", 1),
		"inline style":     strings.Replace(good, "<path ", `<path style="fill:red" `, 1),
		"unsized drawing":  strings.Replace(good, ` width="40"`, "", 1),
		"lost paint":       regexp.MustCompile(`<linearGradient id="p-gold".*?</linearGradient>`).ReplaceAllString(good, ""),
		"outside resource": strings.Replace(good, `href="#s-or"`, `href="https://example.org/a.svg#or"`, 1),
	} {
		if bad == good {
			t.Errorf("%s: the twin is not broken", name)
		}
		if check(bad) == nil {
			t.Errorf("%s: not caught", name)
		}
	}
}

func TestUseEscapesItsClass(t *testing.T) {
	got := string(art.Use("or", `"><script>`, 10))
	if strings.Contains(got, "<script") {
		t.Errorf("class is not escaped: %s", got)
	}
}

func TestMultiplierFaces(t *testing.T) {
	for coefficient, want := range map[int]string{2: "x2", 3: "x3", 4: "x4", 5: "x5", 10: "x10", 7: "point-d-interrogation", 0: "point-d-interrogation"} {
		if got := art.Multiplier(coefficient); got != want {
			t.Errorf("Multiplier(%d) = %q, want %q", coefficient, got, want)
		}
	}
}

// TestLinesNameEveryLine: ten lines on a square of four (article 5.3 of Precius Aurus: horizontal, vertical, diagonal).
func TestLinesNameEveryLine(t *testing.T) {
	want := []string{
		"0 1 2 3", "4 5 6 7", "8 9 10 11", "12 13 14 15",
		"0 4 8 12", "1 5 9 13", "2 6 10 14", "3 7 11 15",
		"0 5 10 15", "3 6 9 12",
	}
	markup := string(art.Lines(4, 4, "3 6 9 12", "4 5 6 7"))
	for _, cells := range want {
		class := "line"
		if cells == "3 6 9 12" || cells == "4 5 6 7" {
			class = "line on"
		}
		if !strings.Contains(markup, fmt.Sprintf(`<g class="%s" data-cells="%s"`, class, cells)) {
			t.Errorf("no capsule %q of class %q", cells, class)
		}
	}
	if got := strings.Count(markup, "data-cells"); got != len(want) {
		t.Errorf("%d lines, want %d", got, len(want))
	}
	if got := strings.Count(string(art.Lines(3, 5)), "data-cells"); got != 8 {
		t.Errorf("%d lines on a board of 3 by 5, want 8: no diagonals", got)
	}
}
