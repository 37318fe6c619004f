package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/evidence"
)

// reported is how many blocks of each game docs/rng.md reports.
const reported = 64

// TestEvidenceReport prints docs/evidence again, and compares.
func TestEvidenceReport(t *testing.T) {
	if os.Getenv("TALON_LONG") != "1" {
		t.Skip("two minutes: TALON_LONG=1")
	}
	for _, name := range []string{"piece-dor", "precius-aurus"} {
		var out bytes.Buffer
		if code := run(t.Context(), []string{"check", name, "--evidence", "--blocks", "64"}, streams{out: &out, log: io.Discard}); code != exitDone {
			t.Errorf("%s: exit code %d", name, code)
		}
		if diff := cmp.Diff(read(t, "../../docs/evidence/"+name+".txt"), trimmed(out.String())); diff != "" {
			t.Errorf("%s (-documented +printed):\n%s", name, diff)
		}
	}
}

// TestEvidenceReportIsOfThePlan finds every test of the plan in docs/evidence, in order, without dealing.
func TestEvidenceReportIsOfThePlan(t *testing.T) {
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range set.Games {
		plan, err := evidence.ForGame(d, reported)
		if err != nil {
			t.Fatal(err)
		}
		documented := read(t, "../../docs/evidence/"+d.Name+".txt")
		_, rows, found := strings.Cut(documented, "\n"+d.Name+": 64 blocks")
		if !found {
			t.Fatalf("docs/evidence has no results of %s", d.Name)
		}
		lines := strings.Split(rows, "\n")[2:]
		for i, planned := range plan.Tests() {
			if fields := strings.Join(strings.Fields(lines[i]), " "); !strings.HasPrefix(fields, planned.Test+" "+planned.Of+" ") {
				t.Errorf("%s: the plan has %s, %s where docs/evidence has %q: print it again", d.Name, planned.Test, planned.Of, fields)
			}
		}
		verdict := documented[strings.LastIndex(documented, "\nNothing was found"):]
		if page := read(t, "../../docs/rng.md"); !strings.Contains(page, strings.TrimSpace(verdict)) {
			t.Errorf("docs/rng.md does not say: %s", verdict)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// trimmed is a text without spaces at the ends of lines.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
