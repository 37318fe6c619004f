package publicationtest_test

import (
	"os"
	"testing"

	"github.com/talonlottery/talon/audit"
	"github.com/talonlottery/talon/internal/publicationtest"
	"github.com/talonlottery/talon/receipt"
)

// TestHonest checks the honest publication with the engine's own auditor.
func TestHonest(t *testing.T) {
	p := publicationtest.Honest(t)
	checked, err := audit.Open(p.Files(), audit.Options{Key: p.Signer.Key(), Older: p.Older})
	if err != nil {
		t.Fatal(err)
	}
	if !checked.Log.OK() {
		t.Errorf("%v", checked.Log.Findings)
	}
	opened := checked.Opened()
	if len(opened) != 4 {
		t.Errorf("%d blocks are opened", len(opened))
	}
	for _, id := range opened {
		report, err := checked.Block(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if !report.OK() {
			t.Errorf("%v", report.Findings)
		}
		if testing.Verbose() {
			_ = report.WriteText(os.Stdout)
		}
	}
	for role, sold := range map[string]uint32{publicationtest.Lune: 12, publicationtest.Winds: 200, publicationtest.Moons: 40} {
		for index := range sold {
			outcome, err := receipt.Verify(p.Receipt(role, index), p.Signer.Key())
			if outcome != receipt.Complete {
				t.Errorf("%s %d: %s, %v", role, index, outcome, err)
			}
		}
	}
}
