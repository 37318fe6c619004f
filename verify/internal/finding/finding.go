// Package finding is what the checker tells when something is not as it was promised.
package finding

import (
	"fmt"
	"io"
)

// Finding is one thing that was found. Code is one of publication.md or receipt.md; the words are the checker's own.
type Finding struct {
	Code  string `json:"code"`
	Where string `json:"where"`
	What  string `json:"what"`
}

// List collects findings in the order in which they were made. It is never nil in JSON.
type List []Finding

// Add adds a finding.
func (l *List) Add(code, where, what string) {
	*l = append(*l, Finding{code, where, what})
}

// Codes are the codes of the findings, in order.
func (l List) Codes() []string {
	codes := make([]string, len(l))
	for i, f := range l {
		codes[i] = f.Code
	}
	return codes
}

// Print writes the findings, one a line, or that there are none.
func (l List) Print(w io.Writer) {
	if len(l) == 0 {
		fmt.Fprintln(w, "nothing found: everything is as promised")
		return
	}
	fmt.Fprintf(w, "%d found:\n", len(l))
	for _, f := range l {
		fmt.Fprintf(w, "  %s at %s: %s\n", f.Code, f.Where, f.What)
	}
}
