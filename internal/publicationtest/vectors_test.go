package publicationtest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/publicationtest"
	"github.com/talonlottery/talon/publiclog"
)

var update = flag.Bool("update", false, "write the vectors of log and receipts, and the small publication, anew; add to the corpus of receipts")

const testdata = "../../testdata/"

// keep compares a file with what is made, and writes it first with -update.
func keep(t *testing.T, path string, made []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, made) {
		t.Errorf("%s is not what is made; -update writes it anew (-kept +made):\n%s", path, cmp.Diff(string(kept), string(made)))
	}
}

func vectorFile(t *testing.T, comment string, vectors any) []byte {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(map[string]any{"comment": comment, "vectors": vectors}); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

type entryVector struct {
	Name  string `json:"name"`
	Entry string `json:"entry"`          // the bytes, which are text
	Leaf  string `json:"leaf,omitempty"` // of an entry that is accepted
	Code  string `json:"code,omitempty"` // of one that is refused
}

// TestVectorsOfTheLog keeps entries of every kind, and entries that must be refused.
func TestVectorsOfTheLog(t *testing.T) {
	p := publicationtest.Honest(t)
	vectors := map[string][]entryVector{"entries": {}, "refused": {}}
	kinds := map[publiclog.Kind]int{}
	for at, entry := range p.Log {
		if kinds[entry.Kind()]++; kinds[entry.Kind()] > 2 {
			continue
		}
		text := p.Bytes(at)
		leaf := sha256.Sum256(append([]byte{0}, text...)) // log.md, section 1
		vectors["entries"] = append(vectors["entries"], entryVector{Name: string(entry.Kind()), Entry: string(text), Leaf: hex.EncodeToString(leaf[:])})
		if again, err := publiclog.Parse(text); err != nil || !cmp.Equal(mustEncode(t, again), text) {
			t.Errorf("%s is not read back: %v", text, err)
		}
	}
	if len(kinds) != 11 {
		t.Errorf("there are entries of %d kinds", len(kinds))
	}
	for _, refused := range refusedEntries {
		refused.Code = "entry_malformed"
		if _, err := publiclog.Parse([]byte(refused.Entry)); fault.CodeOf(err) != refused.Code {
			t.Errorf("%s: %v", refused.Name, err)
		}
		vectors["refused"] = append(vectors["refused"], refused)
	}
	keep(t, testdata+"vectors/log.json", vectorFile(t, "Talon public log version 1: entries with their leaves, and texts that are no entries. See docs/spec/log.md.", vectors))
}

func mustEncode(t *testing.T, entry publiclog.Entry) []byte {
	t.Helper()
	encoded, err := publiclog.Encode(entry)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

const someEmission = `{"at":1767225600000,"blocks":2,"emission":7,"game":"lune","kind":"emission","stake":0,"version":1}`

func changed(old, new string) string {
	if !strings.Contains(someEmission, old) {
		panic(old)
	}
	return strings.Replace(someEmission, old, new, 1)
}

var refusedEntries = []entryVector{
	{Name: "nothing", Entry: ``},
	{Name: "no object", Entry: `[]`},
	{Name: "a space", Entry: changed(`,"blocks"`, `, "blocks"`)},
	{Name: "a line end", Entry: someEmission + "\n"},
	{Name: "keys out of order", Entry: changed(`"at":1767225600000,"blocks":2`, `"blocks":2,"at":1767225600000`)},
	{Name: "a key twice", Entry: changed(`"blocks":2`, `"blocks":2,"blocks":2`)},
	{Name: "a key too many", Entry: changed(`"stake":0`, `"player":"7","stake":0`)},
	{Name: "a key missing", Entry: changed(`"stake":0,`, ``)},
	{Name: "a key of another kind", Entry: changed(`"stake":0`, `"sold":1,"stake":0`)},
	{Name: "an unknown kind", Entry: changed(`"kind":"emission"`, `"kind":"raffle"`)},
	{Name: "another version", Entry: changed(`"version":1`, `"version":2`)},
	{Name: "a number with a fraction", Entry: changed(`"blocks":2`, `"blocks":2.5`)},
	{Name: "a number that is not canonical", Entry: changed(`"blocks":2`, `"blocks":2.0`)},
	{Name: "a number below zero", Entry: changed(`"blocks":2`, `"blocks":-2`)},
	{Name: "a number beyond what is exact", Entry: changed(`"emission":7`, `"emission":9007199254740992`)},
	{Name: "a number as a text", Entry: changed(`"blocks":2`, `"blocks":"2"`)},
	{Name: "null", Entry: changed(`"stake":0`, `"stake":null`)},
	{Name: "an escape that is not needed", Entry: changed(`"lune"`, `"\u006cune"`)},
	{Name: "a name in upper case", Entry: changed(`"lune"`, `"Lune"`)},
	{Name: "an identifier in upper case", Entry: `{"at":1767225600000,"block":"27B821727724A0B597EE08AB60ADD756","by":"anne","kind":"approval","version":1,"why":"It is well."}`},
	{Name: "an identifier that is too short", Entry: `{"at":1767225600000,"block":"27b821727724a0b597ee08ab60add7","by":"anne","kind":"approval","version":1,"why":"It is well."}`},
	{Name: "a reason that is too long", Entry: `{"at":1767225600000,"block":"27b821727724a0b597ee08ab60add756","by":"anne","kind":"approval","version":1,"why":"` + strings.Repeat("x", 501) + `"}`},
}

type receiptVector struct {
	Name    string `json:"name"`
	Outcome string `json:"outcome"`
	Code    string `json:"code,omitempty"`
	Witness string `json:"witness,omitempty"` // whose cosignature is asked for
	Receipt string `json:"receipt"`           // the file's text
}

// TestVectorsOfReceipts keeps receipts with what they must be found to be.
func TestVectorsOfReceipts(t *testing.T) {
	p := publicationtest.Honest(t)
	var receipts []receiptVector
	for _, c := range publicationtest.Receipts(p) {
		receipts = append(receipts, receiptVector{c.Name, c.Outcome, c.Code, c.Witness, string(c.Text)})
	}
	keep(t, testdata+"vectors/receipts.json", vectorFile(t,
		"Talon receipts version 1, with what each must be found to be and the code of the first step that fails. The keys are test keys. See docs/spec/receipt.md.",
		map[string]any{"key": p.Key(), "receipts": receipts}))
}

// TestVectorsOfThePublication keeps the honest publication as a folder, with the operator's key and an
// older checkpoint beside it.
func TestVectorsOfThePublication(t *testing.T) {
	p := publicationtest.Honest(t)
	folder := testdata + "vectors/publication/"
	files := p.Files()
	if *update {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
	for path, file := range files {
		keep(t, folder+path, file.Data)
	}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(folder, path)
			if _, made := files[filepath.ToSlash(name)]; !made {
				t.Errorf("%s is not of the publication", path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	keep(t, testdata+"vectors/publication.key", []byte(p.Key()+"\n"))
	keep(t, testdata+"vectors/publication.older", p.Older)
}

// TestCorpusGrows adds the good receipts of this version to the corpus with -update. What is there is
// never written again; package receipt tests that it verifies for ever.
func TestCorpusGrows(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	const manifest = testdata + "receipts/manifest.txt"
	kept, err := os.ReadFile(manifest)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	p := publicationtest.Honest(t)
	for _, c := range publicationtest.Receipts(p) {
		name := "v1/" + strings.NewReplacer(": ", "-", ", ", "-", " ", "-", "'", "-").Replace(c.Name) + ".json"
		if c.Code != "" || c.Witness != "" || strings.Contains(string(kept), " "+name+" ") {
			continue
		}
		keep(t, testdata+"receipts/"+name, c.Text)
		kept = fmt.Appendf(kept, "%x %s %s %s\n", sha256.Sum256(c.Text), name, c.Outcome, p.Key())
	}
	keep(t, manifest, kept)
}
