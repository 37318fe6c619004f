package floors

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
)

// LinesMost is the longest that a hand-written Go file may be. Most are a third of it.
const LinesMost = 800

var (
	generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	// Written in pieces, so that this file does not find itself.
	machinePath = regexp.MustCompile(`(^|[^\w.])/` + `(work|root|farm)/`)
	leftOver    = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|X` + `XX)\b`)
	// lockFiles hold digests written in letters, where any word may turn up.
	lockFiles = []string{"go.sum", "package-lock.json"}
)

// CheckText reads one file that is or may be committed: no path of one machine, no note of something left undone, no Go file too
// long to be read in one sitting.
func CheckText(name string, text []byte) []Finding {
	if bytes.IndexByte(text, 0) >= 0 || slices.Contains(lockFiles, path.Base(name)) {
		return nil // a picture, a typeface; digests
	}
	var found []Finding
	number := 0
	for line := range bytes.Lines(text) {
		number++
		where := fmt.Sprintf("%s:%d", name, number)
		if m := machinePath.Find(line); m != nil {
			found = append(found, Finding{where, fmt.Sprintf("names a place of one machine: %q", bytes.TrimSpace(m)), "it means nothing to anyone else"})
		}
		if m := leftOver.Find(line); m != nil {
			found = append(found, Finding{where, fmt.Sprintf("says %s", m), "what is left to do is an issue, what is not done is said in the README"})
		}
	}
	if path.Ext(name) == ".go" && number > LinesMost && !generated.Match(text) {
		found = append(found, Finding{name, fmt.Sprintf("has %d lines, the most is %d", number, LinesMost), "a room is read in one sitting: give its second subject a file or a package"})
	}
	return found
}
