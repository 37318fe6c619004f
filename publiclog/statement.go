package publiclog

import (
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/talonlottery/talon/fault"
)

// statementHead begins every statement, so that none can be taken for a checkpoint: a checkpoint's first
// line is a name, and a name has no space.
const statementHead = "talon statement: "

// SignStatement signs a text that is not a checkpoint, for instance the transcript of a ceremony, under
// a title, as a signed note (C2SP signed-note). It returns Invalid with code statement_malformed for a
// title of several lines, or a text that does not end with a line end or has an empty line at its end.
func (s *Signer) SignStatement(title, text string) ([]byte, error) {
	if s.key.algorithm != algorithmNote || title == "" || strings.Contains(title, "\n") || !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
		return nil, fault.New(fault.Invalid, "statement_malformed", "a statement has a title of one line and a text that ends with one line end")
	}
	whole := statementHead + title + "\n" + text
	return append([]byte(whole+"\n"), s.line(s.sign([]byte(whole)))...), nil
}

// OpenStatement gives title and text of a statement that the key signed, or returns Corrupt with code
// statement_signature_wrong.
func OpenStatement(signed []byte, key Key) (title, text string, err error) {
	wrong := fault.New(fault.Corrupt, "statement_signature_wrong", "the statement is not signed by the key %s", key.Name())
	opened, err := note.Open(signed, note.VerifierList(verifier{key}))
	if err != nil {
		return "", "", wrong
	}
	rest, ok := strings.CutPrefix(opened.Text, statementHead)
	if !ok {
		return "", "", wrong
	}
	title, text, _ = strings.Cut(rest, "\n")
	return title, text, nil
}
