package audit_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/audit"
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/publiclog"
)

// The small publication is that of testdata/vectors. Its twins, one for every code, are in
// internal/publicationtest and internal/proof, where four checkers are held against each other.
const vectors = "../testdata/vectors/"

func key(t testing.TB) publiclog.Key {
	t.Helper()
	text, err := os.ReadFile(vectors + "publication.key")
	if err != nil {
		t.Fatal(err)
	}
	key, err := publiclog.ParseKey(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func opened(t testing.TB, files fs.FS) *audit.Publication {
	t.Helper()
	older, err := os.ReadFile(vectors + "publication.older")
	if err != nil {
		t.Fatal(err)
	}
	p, err := audit.Open(files, audit.Options{Key: key(t), Older: older})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSmallPublication finds nothing in the small publication, and its figures as its definitions and
// its story give them: 12 units with prizes of 17.00, all sold; four participations that win.
func TestSmallPublication(t *testing.T) {
	p := opened(t, os.DirFS(vectors+"publication"))
	if !p.Log.OK() || p.Log.Size != 48 || p.Log.Blocks != 6 || p.Log.Opened != 4 {
		t.Errorf("%+v", p.Log)
	}
	lune := []audit.Tier{{Amount: 100_000, Table: 1, Dealt: 1, Sold: 1}, {Amount: 20_000, Table: 2, Dealt: 2, Sold: 2}, {Amount: 10_000, Table: 3, Dealt: 3, Sold: 3}}
	games := map[string]int{}
	for _, id := range p.Opened() {
		report, err := p.Block(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if !report.OK() {
			t.Errorf("%s: %v", id, report.Findings)
		}
		games[report.Game]++
		switch report.Game {
		case "lune":
			if report.Sold != 12 || report.PrizesSold != 170_000 || report.PrizesUnsold != 0 || !cmp.Equal(report.Tiers, lune) {
				t.Errorf("%+v", report)
			}
		case "quatre-vents":
			// The table of the definition is 213.00.
			if report.Sold != 200 || report.Size != 300 || report.PrizesSold+report.PrizesUnsold != 2_130_000 {
				t.Errorf("%+v", report)
			}
		case "petit-pot":
			if report.Sold != 170 || report.Wins != 4 || report.PrizesSold != 0 {
				t.Errorf("%+v", report)
			}
		}
	}
	if want := map[string]int{"lune": 2, "quatre-vents": 1, "petit-pot": 1}; !cmp.Equal(games, want) {
		t.Errorf("%v", games)
	}
}

// TestReportForPeople is one page with a table.
func TestReportForPeople(t *testing.T) {
	p := opened(t, os.DirFS(vectors+"publication"))
	report, err := p.Block(t.Context(), p.Opened()[0])
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := report.WriteText(&page); err != nil {
		t.Fatal(err)
	}
	const want = `Block 292d25fca63391c541a0e74f8d25bb6d of lune at 1.00
12 units, 12 sold, 0 unsold

  prize  table  dealt  sold  unsold
  10.00      1      1     1       0
   2.00      2      2     2       0
   1.00      3      3     3       0

Prizes of sold units 17.00, of unsold units 0.00

Everything is what was sealed, sold and published.
`
	if diff := cmp.Diff(want, page.String()); diff != "" {
		t.Errorf("(-want +printed):\n%s", diff)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"stake":0`, `"prizes_sold":170000`, `"findings":[]`, `"tiers":[{"amount":100000,"table":1,"dealt":1,"sold":1}`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the JSON has no %s: %s", part, text)
		}
	}
}

// TestUnusable tells what cannot be checked from what is wrong.
func TestUnusable(t *testing.T) {
	if _, err := audit.Open(fstest.MapFS{}, audit.Options{Key: key(t)}); fault.CodeOf(err) != "publication_missing" || fault.KindOf(err) != fault.Invalid {
		t.Errorf("no publication: %v", err)
	}
	p := opened(t, os.DirFS(vectors+"publication"))
	if _, err := p.Block(t.Context(), block.ID{}); fault.CodeOf(err) != "block_unknown" {
		t.Errorf("no such block: %v", err)
	}
	var selling block.ID
	if err := selling.UnmarshalText([]byte("10cd5d2bbfd1441f7be4e8595836613c")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Block(t.Context(), selling); fault.CodeOf(err) != "block_not_open" {
		t.Errorf("a block on sale: %v", err)
	}
}
