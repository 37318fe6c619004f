package games_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/money"
)

// regulationsVariable names the folder of the regulations' texts, which are not part of the
// repository. Without it a folder shared/regulations beside the repository is used when it exists;
// the figures are checked in games_test.go in any case.
const regulationsVariable = "TALON_REGULATIONS"

func regulation(t *testing.T, file string) string {
	t.Helper()
	folder, given := os.LookupEnv(regulationsVariable)
	if !given {
		folder = filepath.Join("..", "..", "shared", "regulations")
		if _, err := os.Stat(folder); err != nil {
			t.Skip("the texts of the regulations are not here; " + regulationsVariable + " names their folder")
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\r", "").Replace(string(text))
}

var (
	rowPattern   = regexp.MustCompile(`([0-9][0-9 ]*) lots? de *\| *([0-9][0-9 ]*(?:,[0-9]+)?) € *\| *([0-9][0-9 ]*(?:,[0-9]+)?) €`)
	totalPattern = regexp.MustCompile(`([0-9][0-9 ]*)[ |]*lots formant un total de[ |]*([0-9][0-9 ]*) €`)
)

// The tables as the text prints them, read by patterns of this test, are the tables of the
// definitions, line by line: number, amount and product.
func TestTablesAreThoseOfTheText(t *testing.T) {
	for name, file := range map[string]string{"piece-dor": "piece-d-or-2012.txt", "precius-aurus": "precius-aurus-2019.txt"} {
		text, d := regulation(t, file), definition(t, name)
		var want []string
		for _, row := range rowPattern.FindAllStringSubmatch(text, -1) {
			want = append(want, strings.ReplaceAll(row[1], " ", "")+" "+plain(t, row[2])+" "+plain(t, row[3]))
		}
		for _, total := range totalPattern.FindAllStringSubmatch(text, -1) {
			want = append(want, "total "+strings.ReplaceAll(total[1], " ", "")+" "+plain(t, total[2]))
		}
		if len(want) == 0 {
			t.Fatalf("%s: no table was found in the text", name)
		}
		var got []string
		for stake := range d.Stakes {
			for _, tier := range d.Prizes.Tiers {
				product := tier.Amounts[stake] * money.Amount(tier.Count)
				got = append(got, fmt.Sprintf("%d %s %s", tier.Count, tier.Amounts[stake], product))
			}
		}
		for stake := range d.Stakes {
			got = append(got, fmt.Sprintf("total %d %s", d.Prizes.Count, d.Prizes.Totals[stake]))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: text and definition\n%s", name, diff)
		}
	}
}

// plain turns a printed amount into digits by its own rule: it does not use money.Parse.
func plain(t *testing.T, printed string) string {
	t.Helper()
	whole, decimals, _ := strings.Cut(strings.ReplaceAll(printed, " ", ""), ",")
	return whole + "." + (decimals + "00")[:max(2, len(decimals))]
}

// numberPattern finds the numbers of a text, their thousands set apart or not.
var numberPattern = regexp.MustCompile(`[0-9]{1,3}(?: [0-9]{3})+(?:,[0-9]+)?|[0-9]+(?:,[0-9]+)?`)

// Every figure that the definition file has anywhere, those of its mechanic included, occurs in the
// text as a number of its own.
func TestEveryFigureOccursInTheText(t *testing.T) {
	for name, file := range map[string]string{"piece-dor": "piece-d-or-2012.txt", "precius-aurus": "precius-aurus-2019.txt"} {
		printed := map[string]bool{}
		for _, number := range numberPattern.FindAllString(regulation(t, file), -1) {
			printed[plain(t, number)] = true
		}
		found := 0
		for at, line := range figures(t, name) {
			for _, figure := range line {
				found++
				whole, decimals, _ := strings.Cut(figure, ".")
				if !printed[whole+"."+(decimals + "00")[:max(2, len(decimals))]] {
					t.Errorf("%s, line %d: the text has no %s", name, at+1, figure)
				}
			}
		}
		if found < 50 {
			t.Errorf("%s: only %d figures were found in the definition", name, found)
		}
	}
}

var (
	commentPattern = regexp.MustCompile(`#.*`)
	quotedPattern  = regexp.MustCompile(`"[^"]*"`)
	datePattern    = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)
	figurePattern  = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)
)

// figures lists the numbers of each line of a definition, without comments, dates and articles.
func figures(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(name, "game.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]string
	for line := range strings.SplitSeq(string(data), "\n") {
		line = commentPattern.ReplaceAllString(line, "")
		line = datePattern.ReplaceAllString(quotedPattern.ReplaceAllString(line, ""), "")
		lines = append(lines, figurePattern.FindAllString(line, -1))
	}
	return lines
}

var months = []string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"}

func TestDatesAreThoseOfTheText(t *testing.T) {
	french := func(date string) string {
		day, err := time.Parse(time.DateOnly, date)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%d %s %d", day.Day(), months[day.Month()-1], day.Year())
	}
	for _, test := range []struct{ file, says string }{
		{"piece-d-or-2012.txt", "compter du " + french(definition(t, "piece-dor").Regulation.Opening)},
		{"piece-d-or-2012.txt", "Fait le " + french(definition(t, "piece-dor").Regulation.Made)},
		{"precius-aurus-2019.txt", "compter du " + french(definition(t, "precius-aurus").Regulation.Opening)},
		{"precius-aurus-2019.txt", "« SUPER JACKPOT » fait le 29 août 2017"},
		{"precius-aurus-2019.txt", "0,03 € pour le jeu « SUPER JACKPOT »"},
	} {
		if !strings.Contains(regulation(t, test.file), test.says) {
			t.Errorf("%s does not say %q", test.file, test.says)
		}
	}
}

var (
	collectPattern = regexp.MustCompile(`\| (\d) symboles « ([^»]+) » identiques(?: et (\d) symboles « ([^»]+) » identiques)? \|([^|]*)\|([^|]*)\|([^|]*)\|`)
	linesPattern   = regexp.MustCompile(`\| ?(\d) symboles « ([^»]+) » identiques ou 3 symboles « [^»]+ » identiques et un symbole « chance » ?\|([^|]*)\|`)
)

// The combinations stand in the text in the order of the definition, with the same symbols and gains.
func TestCombinationsAreThoseOfTheText(t *testing.T) {
	var want []string
	for _, row := range collectPattern.FindAllStringSubmatch(regulation(t, "piece-d-or-2012.txt"), -1) {
		symbols := row[1] + " " + slug(row[2])
		if row[3] != "" {
			symbols += ", " + row[3] + " " + slug(row[4])
		}
		want = append(want, fmt.Sprintf("%s: %s %s %s", symbols, plain(t, row[5]), plain(t, row[6]), plain(t, row[7])))
	}
	if diff := cmp.Diff(want, combinations(t, "piece-dor")); diff != "" {
		t.Errorf("Pièce d'or: text and definition\n%s", diff)
	}
	want = nil
	for _, row := range linesPattern.FindAllStringSubmatch(regulation(t, "precius-aurus-2019.txt"), -1) {
		want = append(want, fmt.Sprintf("%s %s: %s", row[1], slug(row[2]), plain(t, row[3])))
	}
	if diff := cmp.Diff(want, combinations(t, "precius-aurus")); diff != "" {
		t.Errorf("Precius Aurus: text and definition\n%s", diff)
	}
}

// slug makes of a printed symbol its name in the definition: « étoiles » is etoile, « pièces d'or » is
// pieces-d-or.
func slug(printed string) string {
	name := strings.NewReplacer("é", "e", "è", "e", "à", "a", " ", "-", "'", "-", "’", "-").Replace(strings.TrimSpace(printed))
	if !strings.Contains(name, "-") {
		name = strings.TrimSuffix(name, "s")
	}
	return name
}

// combinations writes those of a definition: "2 croix, 2 or: 250.00 500.00 1000.00". It knows both
// mechanics, so that it need not ask their packages.
func combinations(t *testing.T, name string) []string {
	t.Helper()
	var section struct {
		Kind         string `yaml:"kind"`
		Combinations []struct {
			Symbols []string      `yaml:"symbols"` // collect
			Symbol  string        `yaml:"symbol"`  // lines
			Alike   int           `yaml:"alike"`   // lines
			Gains   []game.Figure `yaml:"gains"`
			Article string        `yaml:"article"`
		} `yaml:"combinations"`
		Cells      unread `yaml:"cells"`
		Rows       unread `yaml:"rows"`
		Columns    unread `yaml:"columns"`
		Lines      unread `yaml:"lines"`
		Article    unread `yaml:"article"`
		Symbols    unread `yaml:"symbols"`
		Wild       unread `yaml:"wild"`
		Multiplier unread `yaml:"multiplier"`
	}
	if err := definition(t, name).Mechanic.Decode(&section); err != nil {
		t.Fatal(err)
	}
	var written []string
	for _, combination := range section.Combinations {
		var symbols []string
		for at := 0; at < len(combination.Symbols); {
			alike := 1
			for at+alike < len(combination.Symbols) && combination.Symbols[at+alike] == combination.Symbols[at] {
				alike++
			}
			symbols = append(symbols, fmt.Sprint(alike, " ", strings.TrimSuffix(combination.Symbols[at], "s")))
			at += alike
		}
		if combination.Symbol != "" {
			symbols = []string{fmt.Sprint(combination.Alike, " ", combination.Symbol)}
		}
		var gains []string
		for _, gain := range combination.Gains {
			gains = append(gains, money.Amount(gain).String())
		}
		written = append(written, strings.Join(symbols, ", ")+": "+strings.Join(gains, " "))
	}
	return written
}

// unread is a part of a section that a test leaves alone.
type unread struct{}

func (unread) UnmarshalYAML(func(any) error) error { return nil }
