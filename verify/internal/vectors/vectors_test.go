package vectors

import (
	"context"
	"os"
	"testing"

	"github.com/talonlottery/talon/verify/internal/source"
)

const folder = "../../../testdata/vectors"

// TestVectors runs all vectors; of the whole blocks one, or all with TALON_LONG=1.
func TestVectors(t *testing.T) {
	s, err := source.New(folder)
	if err != nil {
		t.Fatal(err)
	}
	options := Options{RootsMost: 1, Progress: func(string) {}}
	if os.Getenv("TALON_LONG") == "1" {
		options.RootsMost = 0
	}
	results, err := Run(context.Background(), s, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		t.Logf("%s: %d values", r.File, r.Checked)
		if r.Missing || r.Checked == 0 {
			t.Errorf("%s was not run", r.File)
		}
		for _, f := range r.Failures {
			t.Errorf("%s: %s", r.File, f)
		}
	}
}
