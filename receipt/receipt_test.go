package receipt_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/publiclog"
	"github.com/talonlottery/talon/receipt"
)

const testdata = "../testdata/"

type vector struct{ Name, Outcome, Code, Witness, Receipt string }

// vectors reads testdata/vectors/receipts.json.
func vectors(t testing.TB) (publiclog.Key, []vector) {
	t.Helper()
	text, err := os.ReadFile(testdata + "vectors/receipts.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors struct {
			Key      string
			Receipts []vector
		}
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Vectors.Receipts) < 30 {
		t.Fatalf("%d receipts, %v", len(file.Vectors.Receipts), err)
	}
	return key(t, file.Vectors.Key), file.Vectors.Receipts
}

func key(t testing.TB, text string) publiclog.Key {
	t.Helper()
	key, err := publiclog.ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestVectors judges every receipt of the vectors; each code of the specification is among them.
func TestVectors(t *testing.T) {
	operator, receipts := vectors(t)
	seen := map[string]bool{}
	for _, v := range receipts {
		var witnesses []publiclog.Key
		if v.Witness != "" {
			witnesses = append(witnesses, key(t, v.Witness))
		}
		outcome, err := receipt.VerifyText([]byte(v.Receipt), operator, witnesses...)
		code := ""
		if err != nil {
			code = fault.CodeOf(err)
		}
		if string(outcome) != v.Outcome || code != v.Code || (err == nil) != (v.Code == "") {
			t.Errorf("%s: %s %q, want %s %q: %v", v.Name, outcome, code, v.Outcome, v.Code, err)
		}
		seen[v.Code], seen[v.Outcome] = true, true
	}
	for _, code := range []string{"complete", "provisional", "refused", "receipt_malformed", "checkpoint_signature_wrong", "cosignature_missing",
		"seal_not_in_log", "inclusion_not_proven", "play_wrong", "sale_not_in_log", "sale_not_proven", "win_wrong", "price_wrong"} {
		if !seen[code] {
			t.Errorf("no vector gives %s", code)
		}
	}
}

// corpusAtLeast pins the beginning of the corpus's manifest: so many lines have this hash, for ever.
// A new version adds a row and takes none away.
var corpusAtLeast = []struct {
	lines int
	hash  string
}{
	{6, "8bf4fccd97ba5cc5cae4e7d750cb12dbc6cfa5c79c00c1f1af1d4feb39d8bd5d"},
}

// TestCorpus verifies every receipt that was ever handed out as one of the corpus. Nothing leaves it:
// its manifest names every file with its hash, and the manifest's beginning is pinned here.
func TestCorpus(t *testing.T) {
	manifest, err := os.ReadFile(testdata + "receipts/manifest.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(manifest), "\n"), "\n")
	for _, pinned := range corpusAtLeast {
		if len(lines) < pinned.lines {
			t.Fatalf("the manifest has %d lines, and had %d", len(lines), pinned.lines)
		}
		begun := strings.TrimSuffix(strings.Join(lines[:pinned.lines], ""), "\n")
		if sum := sha256.Sum256([]byte(begun)); hex.EncodeToString(sum[:]) != pinned.hash {
			t.Errorf("the first %d lines of the manifest changed: %x", pinned.lines, sum)
		}
	}
	named := map[string]bool{}
	for _, line := range lines {
		var hash, name, outcome, operator string
		if _, err := fmt.Sscan(line, &hash, &name, &outcome, &operator); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		named[filepath.FromSlash(name)] = true
		text, err := os.ReadFile(testdata + "receipts/" + name)
		if err != nil {
			t.Error(err)
			continue
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != hash {
			t.Errorf("%s was changed", name)
		}
		if found, err := receipt.VerifyText(text, key(t, operator)); string(found) != outcome {
			t.Errorf("%s: %s, want %s: %v", name, found, outcome, err)
		}
	}
	files, err := filepath.Glob(testdata + "receipts/v*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name, _ := filepath.Rel(testdata+"receipts", file); !named[name] {
			t.Errorf("%s is not in the manifest", name)
		}
	}
}

// good is a receipt that verifies, with everything in it.
func good(t testing.TB) (publiclog.Key, []byte) {
	t.Helper()
	operator, receipts := vectors(t)
	for _, v := range receipts {
		if v.Name == "complete, with a participation that won" {
			return operator, []byte(v.Receipt)
		}
	}
	t.Fatal("the vectors have no receipt with a win")
	return operator, nil
}

// TestEncode writes back what was read.
func TestEncode(t *testing.T) {
	_, text := good(t)
	r, err := receipt.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), string(r.Encode())); diff != "" {
		t.Errorf("(-read +written):\n%s", diff)
	}
	if want := "talon-" + r.Play.String() + ".receipt.json"; r.FileName() != want {
		t.Errorf("%s, want %s", r.FileName(), want)
	}
	// Spaces and the order of keys do not matter.
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	if again, err := receipt.Parse(compact.Bytes()); err != nil || !cmp.Equal(again, r) {
		t.Errorf("without spaces: %v", err)
	}
}

// TestParseRefuses gives what encoding/json alone would let pass.
func TestParseRefuses(t *testing.T) {
	_, text := good(t)
	whole := string(text)
	for name, bad := range map[string]string{
		"nothing":                   "",
		"a list":                    "[" + whole + "]",
		"null":                      "null",
		"a key in upper case":       strings.Replace(whole, `"at":`, `"At":`, 1),
		"a key twice, inside":       strings.Replace(whole, `"salt":`, `"index": 1, "salt":`, 1),
		"a number with an exponent": strings.Replace(whole, `"at": 17`, `"at": 1e3, "at": 17`, 1),
		"a number too large":        strings.Replace(whole, `"at": 17`, `"at": 90071992547409917`, 1),
		"a null":                    strings.Replace(whole, `"path": [`, `"path": null, "x": [`, 1),
		"a list in a list":          strings.Replace(whole, `"path": [`, `"path": [[]],"x":[`, 1),
		"a short digest":            strings.Replace(whole, `"salt": "`, `"salt": "00`, 1),
		"bytes that are no text":    strings.Replace(whole, `"at":`, "\"\xff\": 1, \"at\":", 1),
		"too much of it":            whole + strings.Repeat(" ", receipt.BytesMost),
		"too deep":                  strings.Repeat("[", 10_000),
	} {
		if _, err := receipt.Parse([]byte(bad)); fault.CodeOf(err) != "receipt_malformed" || fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever is read can be written and read again; nothing makes the verifier fail otherwise than by a
// code.
func FuzzParse(f *testing.F) {
	operator, receipts := vectors(f)
	for _, v := range receipts {
		f.Add([]byte(v.Receipt))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := receipt.Parse(text)
		if err != nil {
			if fault.CodeOf(err) != "receipt_malformed" {
				t.Errorf("%v", err)
			}
			return
		}
		again, err := receipt.Parse(r.Encode())
		if len(r.Encode()) <= receipt.BytesMost && (err != nil || !cmp.Equal(again, r)) {
			t.Errorf("it is not read back: %v", err)
		}
		if outcome, err := receipt.Verify(r, operator); (outcome == receipt.Refused) != (err != nil) || err != nil && fault.CodeOf(err) == "internal" {
			t.Errorf("%s, %v", outcome, err)
		}
	})
}

// TestLink writes the worked example of docs/spec/block.md as a link.
func TestLink(t *testing.T) {
	l := receipt.Link{Index: 10, Prize: 100_000, Layout: []byte{0, 2, 0, 0}, At: 1767225600000}
	for _, part := range []struct {
		into []byte
		text string
	}{{l.Play[:], "7e22a96402de5199d6a1e83bec0cdeeb"}, {l.Block[:], "27b821727724a0b597ee08ab60add756"}, {l.Salt[:], "e93ee5a59c0352701e31eea0bc8ab65f"}} {
		if _, err := hex.Decode(part.into, []byte(part.text)); err != nil {
			t.Fatal(err)
		}
	}
	const want = "7e22a96402de5199d6a1e83bec0cdeeb.27b821727724a0b597ee08ab60add756.10.100000.00020000.e93ee5a59c0352701e31eea0bc8ab65f.1767225600000"
	if l.Encode() != want {
		t.Errorf("%s, want %s", l.Encode(), want)
	}
	r := receipt.Receipt{Play: l.Play, At: l.At, Unit: receipt.Part{Index: 10, Prize: 100_000, Layout: l.Layout, Salt: l.Salt}}
	if short := r.Link(l.Block); short.Encode() != want {
		t.Errorf("of a receipt: %s", short.Encode())
	}
	for name, bad := range map[string]string{
		"nothing": "", "a part less": want[:strings.LastIndex(want, ".")], "a part more": want + ".1", "upper case": strings.ToUpper(want),
		"a leading zero": strings.Replace(want, ".10.", ".010.", 1), "a sign": strings.Replace(want, ".10.", ".+10.", 1),
		"half a byte": strings.Replace(want, "00020000", "0002000", 1), "a number too large": want + "00000",
		"too long": strings.Replace(want, "00020000", strings.Repeat("00", receipt.LinkBytesMost), 1),
	} {
		if _, err := receipt.ParseLink(bad); fault.CodeOf(err) != "link_malformed" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLinkIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytesOf := func(name string) [16]byte {
			return [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, name))
		}
		l := &receipt.Link{
			Play: block.PlayID(bytesOf("play")), Block: block.ID(bytesOf("block")), Salt: bytesOf("salt"),
			Index: rapid.Uint64Range(0, 1<<53-1).Draw(t, "index"), Prize: money.Amount(rapid.Int64Range(0, 1<<53-1).Draw(t, "prize")),
			Layout: rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "layout"), At: rapid.Int64Range(0, 1<<53-1).Draw(t, "at"),
		}
		if again, err := receipt.ParseLink(l.Encode()); err != nil || !cmp.Equal(again, l) {
			t.Errorf("%s is read as %+v, %v", l.Encode(), again, err)
		}
	})
}

func FuzzParseLink(f *testing.F) {
	f.Add("7e22a96402de5199d6a1e83bec0cdeeb.27b821727724a0b597ee08ab60add756.10.100000.00020000.e93ee5a59c0352701e31eea0bc8ab65f.1767225600000")
	f.Fuzz(func(t *testing.T, text string) {
		if l, err := receipt.ParseLink(text); err == nil && l.Encode() != text {
			t.Errorf("%q is read and written as %q", text, l.Encode())
		}
	})
}
