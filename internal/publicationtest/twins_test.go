package publicationtest_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/audit"
	"github.com/talonlottery/talon/internal/publicationtest"
	"github.com/talonlottery/talon/publiclog"
)

// TestTwins finds in every broken twin exactly the codes that it names.
func TestTwins(t *testing.T) {
	for _, twin := range publicationtest.Twins() {
		t.Run(twin.Name, func(t *testing.T) {
			t.Parallel()
			p := twin.Make(t)
			options := audit.Options{Key: p.Signer.Key(), Older: p.Older}
			if twin.Witness != "" {
				witness, err := publiclog.ParseKey(twin.Witness)
				if err != nil {
					t.Fatal(err)
				}
				options.Witnesses = append(options.Witnesses, witness)
			}
			if twin.Role != "" {
				options.Older = nil
			}
			checked, err := audit.Open(p.Files(), options)
			if err != nil {
				t.Fatal(err)
			}
			found := checked.Log.Findings
			if twin.Role != "" {
				report, err := checked.Block(t.Context(), p.Blocks[twin.Role].Header.ID)
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, report.Findings...)
			}
			if diff := cmp.Diff(twin.Codes, codesOf(found)); diff != "" {
				t.Errorf("codes (-twin +found):\n%s%v", diff, found)
			}
		})
	}
}

func codesOf(findings []audit.Finding) []string {
	codes := []string{}
	for _, f := range findings {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// TestEveryCodeHasATwin reads the codes from the pages: none is without a publication, or a receipt, that
// gives it.
func TestEveryCodeHasATwin(t *testing.T) {
	given := map[string]bool{}
	for _, twin := range publicationtest.Twins() {
		for _, code := range twin.Codes {
			given[code] = true
		}
	}
	for _, c := range publicationtest.Receipts(publicationtest.Honest(t)) {
		given[c.Code] = true
	}
	notCodes := []string{"prizes_sold", "prizes_unsold"}
	told := 0
	for _, page := range []string{"publication.md", "receipt.md"} {
		text, err := os.ReadFile("../../docs/spec/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile("`([a-z]+(?:_[a-z]+)+)`").FindAllSubmatch(text, -1) {
			code := string(match[1])
			if slices.Contains(notCodes, code) {
				continue
			}
			told++
			if !given[code] {
				t.Errorf("%s: no twin gives %s", page, code)
			}
		}
	}
	if told < 40 {
		t.Errorf("only %d codes were found on the pages", told)
	}
}
