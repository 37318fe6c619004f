package publicationtest_test

import (
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/publicationtest"
	"github.com/talonlottery/talon/publiclog"
	"github.com/talonlottery/talon/receipt"
)

// TestReceipts finds every receipt to be what it is.
func TestReceipts(t *testing.T) {
	p := publicationtest.Honest(t)
	for _, c := range publicationtest.Receipts(p) {
		t.Run(c.Name, func(t *testing.T) {
			var witnesses []publiclog.Key
			if c.Witness != "" {
				witness, err := publiclog.ParseKey(c.Witness)
				if err != nil {
					t.Fatal(err)
				}
				witnesses = append(witnesses, witness)
			}
			outcome, err := receipt.VerifyText(c.Text, p.Signer.Key(), witnesses...)
			code := ""
			if err != nil {
				code = fault.CodeOf(err)
			}
			if string(outcome) != c.Outcome || code != c.Code {
				t.Errorf("%s, %q, want %s, %q: %v", outcome, code, c.Outcome, c.Code, err)
			}
		})
	}
}
