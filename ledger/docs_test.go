package ledger

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// docs/accounts.md lists exactly the chart, each account with its class.
func TestDocumentedChart(t *testing.T) {
	text, err := os.ReadFile("../docs/accounts.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "## Chart of accounts")
	section, _, _ := strings.Cut(after, "\n## ")
	documented := map[string]entry{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)(:[A-Z]+)?` \\| ([a-z]+) \\|").FindAllStringSubmatch(section, -1) {
		documented[row[1]] = entry{class: Class(row[3]), named: row[2] != ""}
	}
	for head, want := range chart {
		if got, found := documented[head]; !found || got != want {
			t.Errorf("%s is documented as %+v, the chart has %+v", head, got, want)
		}
		delete(documented, head)
	}
	for head := range documented {
		t.Errorf("%s is documented and not in the chart", head)
	}
}
