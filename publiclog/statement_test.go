package publiclog_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/talonlottery/talon/publiclog"
)

// A statement is opened by the key that signed it, unchanged; and neither a statement nor a checkpoint
// is ever taken for the other.
func TestStatements(t *testing.T) {
	made := func(seed, name string) *publiclog.Signer {
		text, _, err := publiclog.NewKey(strings.NewReader(strings.Repeat(seed, 8)), name)
		if err != nil {
			t.Fatal(err)
		}
		signer, err := publiclog.NewSigner(text)
		if err != nil {
			t.Fatal(err)
		}
		return signer
	}
	signer, other := made("one key", "example.org/log"), made("another", "example.org/log")
	signed, err := signer.SignStatement("a ceremony", "first line\n\nthird line\n")
	if err != nil {
		t.Fatal(err)
	}
	if title, text, err := publiclog.OpenStatement(signed, signer.Key()); err != nil || title != "a ceremony" || text != "first line\n\nthird line\n" {
		t.Errorf("read %q, %q, %v", title, text, err)
	}
	if _, _, err := publiclog.OpenStatement(signed, other.Key()); err == nil {
		t.Error("another key's statement was opened")
	}
	if _, _, err := publiclog.OpenStatement(bytes.Replace(signed, []byte("third"), []byte("3rd"), 1), signer.Key()); err == nil {
		t.Error("a changed statement was opened")
	}
	if _, err := publiclog.OpenCheckpoint(signed, signer.Key(), nil, 0); err == nil {
		t.Error("a statement was taken for a checkpoint")
	}
	checkpoint, err := signer.Sign(publiclog.Checkpoint{Origin: "example.org/log", Size: 3})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := publiclog.OpenStatement(checkpoint, signer.Key()); err == nil {
		t.Error("a checkpoint was taken for a statement")
	}
	for _, bad := range [][2]string{{"", "x\n"}, {"two\nlines", "x\n"}, {"t", "no end"}, {"t", "empty line\n\n"}, {"t", ""}} {
		if _, err := signer.SignStatement(bad[0], bad[1]); err == nil {
			t.Errorf("%q was signed", bad)
		}
	}
}
