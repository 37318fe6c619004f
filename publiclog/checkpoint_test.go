package publiclog_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/publiclog"
)

const origin = "log.example/talon"

// A key made from the seed of RFC 8032, section 7.1, test 1, has that test's public key; package note
// reads both texts.
func TestKeysAgreeWithOthers(t *testing.T) {
	seed := unhex(t, "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
	public := unhex(t, "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
	for algorithm, make := range map[byte]func(seed []byte) (string, string, error){
		1: func(seed []byte) (string, string, error) { return publiclog.NewKey(bytes.NewReader(seed), origin) },
		4: func(seed []byte) (string, string, error) {
			return publiclog.NewWitnessKey(bytes.NewReader(seed), origin)
		},
	} {
		private, text, err := make(seed)
		if err != nil {
			t.Fatal(err)
		}
		encoded := append([]byte{algorithm}, public...)
		id := sha256.Sum256(append([]byte(origin+"\n"), encoded...))
		if want := fmt.Sprintf("%s+%x+%s", origin, id[:4], base64.StdEncoding.EncodeToString(encoded)); text != want {
			t.Errorf("%s, want %s", text, want)
		}
		want := fmt.Sprintf("PRIVATE+KEY+%s+%x+%s", origin, id[:4], base64.StdEncoding.EncodeToString(append([]byte{algorithm}, seed...)))
		if private != want {
			t.Error("the secret text is not that of signed-note")
		}
		key, err := publiclog.ParseKey(text)
		if err != nil || key.String() != text || key.Name() != origin || key.Cosigns() != (algorithm == 4) {
			t.Errorf("%v, %v", key, err)
		}
		if _, _, err := make(seed[:31]); fault.CodeOf(err) != "entropy_unavailable" {
			t.Errorf("%v", err)
		}
		if algorithm == 1 {
			if _, err := note.NewSigner(private); err != nil {
				t.Error(err)
			}
			if _, err := note.NewVerifier(text); err != nil {
				t.Error(err)
			}
		}
	}
	if _, _, err := publiclog.NewKey(iotest.ErrReader(fmt.Errorf("no")), origin); fault.CodeOf(err) != "entropy_unavailable" {
		t.Errorf("%v", err)
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	var d canon.Digest
	if err := d.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return d[:]
}

func TestMalformedKeys(t *testing.T) {
	private, public, err := publiclog.NewKey(chosen("x"), origin)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "two words", "a+b", "a\nb", "\xff", "a\x00", strings.Repeat("x", 201)} {
		_, _, err := publiclog.NewKey(chosen("x"), name)
		wantCode(t, err, "key_malformed")
	}
	encoded := lastField(public, 3)
	for _, text := range []string{"", "+", "++", private, public + " ", public + "\n", " " + public, public[1:], public[:len(public)-1],
		strings.Replace(public, "+", "+0", 1), strings.ToUpper(public), strings.Replace(public, encoded, encoded[:20]+"\n"+encoded[20:], 1),
		strings.Replace(public, encoded, "BA"+encoded[2:], 1)} {
		if _, err := publiclog.ParseKey(text); fault.CodeOf(err) != "key_malformed" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", public, private[:len(private)-1], strings.Replace(private, "KEY", "key", 1), strings.Replace(private, origin, origin+"x", 1),
		strings.Replace(private, "+", "+0", 3), "PRIVATE+KEY+a+00000000+AAAA"} {
		_, err := publiclog.NewSigner(text)
		wantCode(t, err, "signer_malformed")
		if err != nil && len(text) > 60 && strings.Contains(err.Error(), text[len(text)-20:]) {
			t.Error("the error shows the key")
		}
	}
}

// A signer shows its key in no way.
func TestSignerDoesNotPrint(t *testing.T) {
	private, _, err := publiclog.NewKey(chosen("x"), origin)
	if err != nil {
		t.Fatal(err)
	}
	s, err := publiclog.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	encoded := lastField(private, 5)
	seed, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("x", "signer", s, "inside", struct{ S *publiclog.Signer }{s})
	asJSON, err := json.Marshal(map[string]any{"signer": s})
	if err != nil {
		t.Fatal(err)
	}
	type holder struct{ hidden *publiclog.Signer }
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %s %x %v %#v", s, s, s, s, s, holder{s}, holder{s}), fmt.Sprintf("%v %+v", *s, []any{*s}), logged.String(), string(asJSON)} {
		for _, shown := range []string{encoded[:12], fmt.Sprintf("%x", seed[1:9]), fmt.Sprintf("%d %d %d", seed[1], seed[2], seed[3])} {
			if strings.Contains(text, shown) {
				t.Errorf("%s", text)
			}
		}
	}
}

// A signed checkpoint to the byte, and as package note opens it.
func TestSignAsWritten(t *testing.T) {
	s, key := signer(t, origin, false)
	root := digest("root")
	signed := sign(t, s, 20852163, root)
	text := origin + "\n20852163\n" + base64.StdEncoding.EncodeToString(root[:]) + "\n"
	rest, ok := strings.CutPrefix(string(signed), text+"\n— "+origin+" ")
	if !ok || strings.Count(rest, "\n") != 1 || !strings.HasSuffix(rest, "\n") {
		t.Fatalf("%q", signed)
	}
	verifier, err := note.NewVerifier(key.String())
	if err != nil {
		t.Fatal(err)
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil || opened.Text != text {
		t.Errorf("%v, %v", opened, err)
	}
	c, err := publiclog.OpenCheckpoint(signed, key, nil, 0)
	if err != nil || c != (publiclog.Checkpoint{Origin: origin, Size: 20852163, Root: root}) || c.String() != text {
		t.Errorf("%v, %v", c, err)
	}
	witness, _ := signer(t, "witness.example/w", true)
	for _, wrong := range []struct {
		s *publiclog.Signer
		c publiclog.Checkpoint
	}{{s, publiclog.Checkpoint{Origin: "other"}}, {witness, publiclog.Checkpoint{Origin: "witness.example/w"}}, {s, publiclog.Checkpoint{Origin: origin, Size: 1 << 53}}} {
		_, err := wrong.s.Sign(wrong.c)
		wantCode(t, err, "signer_wrong")
	}
	_, err = s.Cosign(signed, noon)
	wantCode(t, err, "signer_wrong")
	_, err = witness.Cosign([]byte("x"), noon)
	wantCode(t, err, "checkpoint_malformed")
	_, err = witness.Cosign(signed, time.Unix(-1, 0))
	wantCode(t, err, "checkpoint_malformed")
}

// byHand signs any text as C2SP signed-note says, without the code under test.
func byHand(t testing.TB, name, seed string, algorithm byte, text string, at uint64) []byte {
	t.Helper()
	private := ed25519.NewKeyFromSeed(func() []byte { b := make([]byte, 32); _, _ = chosen(seed).Read(b); return b }())
	public := append([]byte{algorithm}, private.Public().(ed25519.PublicKey)...)
	id := sha256.Sum256(append([]byte(name+"\n"), public...))
	line := id[:4]
	if algorithm == 4 {
		line = append(binary.BigEndian.AppendUint64(line, at), ed25519.Sign(private, fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", at, text))...)
	} else {
		line = append(line, ed25519.Sign(private, []byte(text))...)
	}
	return fmt.Appendf(nil, "— %s %s\n", name, base64.StdEncoding.EncodeToString(line))
}

func TestOpenCheckpoint(t *testing.T) {
	_, key := signer(t, origin, false)
	_, w1 := signer(t, "w1.example", true)
	_, w2 := signer(t, "w2.example", true)
	root := digest("root")
	encodedRoot := base64.StdEncoding.EncodeToString(root[:])
	body := origin + "\n7\n" + encodedRoot + "\n"
	note := func(body string, lines ...[]byte) []byte { return append([]byte(body+"\n"), bytes.Join(lines, nil)...) }
	own := func(body string) []byte { return byHand(t, origin, origin, 1, body, 0) }
	cosigned := func(name string) []byte { return byHand(t, name, name, 4, body, 1767225600) }
	spoilt := bytes.Replace(cosigned("w1.example"), []byte("AAAA"), []byte("AAAB"), 1) // another time
	if bytes.Equal(spoilt, cosigned("w1.example")) {
		t.Fatal("nothing was spoilt")
	}
	// One key under a second name is no second witness.
	twice := byHand(t, "alias.example", "w1.example", 4, body, 1767225600)
	aliasPublic := append([]byte{4}, unbase64(t, w1.String())[1:]...)
	aliasID := sha256.Sum256(append([]byte("alias.example\n"), aliasPublic...))
	alias, err := publiclog.ParseKey(fmt.Sprintf("alias.example+%x+%s", aliasID[:4], base64.StdEncoding.EncodeToString(aliasPublic)))
	if err != nil {
		t.Fatal(err)
	}
	another := origin + "\n8\n" + encodedRoot + "\n"
	emptyRoot := sha256.Sum256(nil)
	empty := origin + "\n0\n" + base64.StdEncoding.EncodeToString(emptyRoot[:]) + "\n"
	all := []publiclog.Key{w1, w2}
	for _, test := range []struct {
		name      string
		signed    []byte
		witnesses []publiclog.Key
		need      int
		code      string
	}{
		{"alone", note(body, own(body)), nil, 0, ""},
		{"empty log", note(empty, own(empty)), nil, 0, ""},
		{"extension lines", note(body+"more\nand more\n", own(body+"more\nand more\n")), nil, 0, ""},
		{"a stranger signed too", note(body, byHand(t, "stranger", "stranger", 1, body, 0), own(body)), nil, 0, ""},
		{"one witness", note(body, own(body), cosigned("w1.example")), all, 1, ""},
		{"both witnesses", note(body, cosigned("w2.example"), own(body), cosigned("w1.example")), all, 2, ""},
		{"a bad cosignature is none", note(body, own(body), spoilt, cosigned("w2.example")), all, 1, ""},
		{"nobody signed", note(body), nil, 0, "checkpoint_signature_wrong"},
		{"nothing", nil, nil, 0, "checkpoint_signature_wrong"},
		{"only a witness", note(body, cosigned("w1.example")), all, 1, "checkpoint_signature_wrong"},
		{"another key of this name", note(body, byHand(t, origin, "other", 1, body, 0)), nil, 0, "checkpoint_signature_wrong"},
		{"signed as a cosignature", note(body, byHand(t, origin, origin, 4, body, 1)), nil, 0, "checkpoint_signature_wrong"},
		{"another text", note(another, own(body)), nil, 0, "checkpoint_signature_wrong"},
		{"another origin", note("other\n7\n"+encodedRoot+"\n", own("other\n7\n"+encodedRoot+"\n")), nil, 0, "checkpoint_signature_wrong"},
		{"too large", append(note(body, own(body)), bytes.Repeat([]byte("x"), 1<<16)...), nil, 0, "checkpoint_signature_wrong"},
		{"no witness", note(body, own(body)), all, 1, "cosignature_missing"},
		{"one of two", note(body, own(body), cosigned("w1.example")), all, 2, "cosignature_missing"},
		{"a bad cosignature", note(body, own(body), spoilt), all, 1, "cosignature_missing"},
		{"of another tree", note(body, own(body), byHand(t, "w1.example", "w1.example", 4, another, 1)), all, 1, "cosignature_missing"},
		{"of no witness of ours", note(body, own(body), cosigned("w3.example")), all, 1, "cosignature_missing"},
		{"one under two names", note(body, own(body), cosigned("w1.example"), twice), []publiclog.Key{w1, alias}, 2, "cosignature_missing"},
		{"the same twice", note(body, own(body), cosigned("w1.example"), cosigned("w1.example")), []publiclog.Key{w1, w1}, 2, "cosignature_missing"},
		{"a log's key is no witness", note(body, own(body)), []publiclog.Key{key}, 1, "cosignature_missing"},
	} {
		c, err := publiclog.OpenCheckpoint(test.signed, key, test.witnesses, test.need)
		if test.code != "" {
			if fault.CodeOf(err) != test.code || c != (publiclog.Checkpoint{}) {
				t.Errorf("%s: %v, %v, want %s", test.name, c, err, test.code)
			}
		} else if err != nil || c.Origin != origin {
			t.Errorf("%s: %v, %v", test.name, c, err)
		}
	}
	if _, err := publiclog.OpenCheckpoint(note(body, own(body)), w1, nil, 0); fault.CodeOf(err) != "checkpoint_signature_wrong" {
		t.Errorf("%v", err)
	}
	found := publiclog.Cosignatures(note(body, own(body), cosigned("w1.example")), all)
	if len(found) != 1 || found[0].Witness != w1 || !found[0].At.Equal(time.Unix(1767225600, 0)) {
		t.Errorf("%v", found)
	}
	for _, malformed := range []string{
		origin + "\n7\n", origin + "\n\n" + encodedRoot + "\n", origin + "\n07\n" + encodedRoot + "\n", origin + "\n-7\n" + encodedRoot + "\n", origin + "\n+7\n" + encodedRoot + "\n",
		origin + "\n9007199254740992\n" + encodedRoot + "\n", origin + "\n18446744073709551623\n" + encodedRoot + "\n", origin + "\n7\n" + encodedRoot[:40] + "\n",
		origin + "\n7\n" + strings.TrimRight(encodedRoot, "=") + "\n", origin + "\n7\n" + encodedRoot + " \n", origin + "\n7 \n" + encodedRoot + "\n", origin + "\n0\n" + encodedRoot + "\n",
		origin + "\n7\n" + encodedRoot + "\n\nmore\n", "\n" + body, origin + "\n7\n" + encodedRoot[:42] + "/=\n",
	} {
		if _, err := publiclog.OpenCheckpoint(note(malformed, own(malformed)), key, nil, 0); fault.CodeOf(err) != "checkpoint_signature_wrong" {
			t.Errorf("%q: %v", malformed, err)
		}
	}
}

func unbase64(t *testing.T, key string) []byte {
	t.Helper()
	decoded, err := base64.StdEncoding.DecodeString(lastField(key, 3))
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// lastField is the base64 that ends a key's text; a plus may stand in base64 itself.
func lastField(text string, fields int) string { return strings.SplitN(text, "+", fields)[fields-1] }

// What Cosign writes is what C2SP tlog-cosignature says, byte by byte.
func TestCosignAsWritten(t *testing.T) {
	s, _ := signer(t, origin, false)
	witness, _ := signer(t, "w1.example", true)
	signed := sign(t, s, 7, digest("root"))
	text, _, _ := strings.Cut(string(signed), "\n\n")
	line, err := witness.Cosign(signed, time.Unix(1679315147, 999))
	if err != nil || !bytes.Equal(line, byHand(t, "w1.example", "w1.example", 4, text+"\n", 1679315147)) {
		t.Errorf("%q, %v", line, err)
	}
}

func TestCompare(t *testing.T) {
	b, forked := invented(t, 30), invented(t, 10)
	for i := range 20 {
		forked.add(t, inventedEntry(1000+i))
	}
	at := func(b *book, size int) publiclog.Checkpoint {
		return publiclog.Checkpoint{Origin: origin, Size: uint64(size), Root: b.roots[size]}
	}
	prove := func(b *book, older, newer uint64) []canon.Digest {
		proof, err := publiclog.ProveConsistency(older, newer, b.stored)
		if err != nil {
			t.Fatal(err)
		}
		return proof
	}
	for _, test := range []struct {
		older, newer publiclog.Checkpoint
		proof        []canon.Digest
		code         string
	}{
		{at(b, 0), at(b, 30), nil, ""},
		{at(b, 10), at(b, 30), prove(b, 10, 30), ""},
		{at(b, 30), at(b, 30), nil, ""},
		{at(b, 10), at(forked, 30), prove(forked, 10, 30), ""}, // the fork comes after
		{at(b, 30), at(forked, 30), nil, "split_view"},
		{at(b, 30), at(b, 29), nil, "log_rolled_back"},
		{at(b, 20), at(forked, 30), prove(forked, 20, 30), "log_rolled_back"},
		{at(b, 20), at(b, 30), nil, "log_rolled_back"},
		{publiclog.Checkpoint{Origin: "other"}, at(b, 30), nil, "logs_differ"},
	} {
		err := publiclog.Compare(test.older, test.newer, test.proof)
		if test.code == "" && err != nil || test.code != "" && fault.CodeOf(err) != test.code {
			t.Errorf("%d to %d: %v, want %q", test.older.Size, test.newer.Size, err, test.code)
		}
	}
}

func FuzzOpenCheckpoint(f *testing.F) {
	s, key := signer(f, origin, false)
	witness, witnessKey := signer(f, "w1.example", true)
	signed := sign(f, s, 7, digest("root"))
	line, err := witness.Cosign(signed, noon)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(signed)
	f.Add(append(signed, line...))
	want := publiclog.Checkpoint{Origin: origin, Size: 7, Root: digest("root")}
	f.Fuzz(func(t *testing.T, changed []byte) {
		// Whatever is read from a text that nobody signed is the one thing that was signed.
		if c, err := publiclog.OpenCheckpoint(changed, key, []publiclog.Key{witnessKey}, 0); err == nil && c != want {
			t.Errorf("%v from %q", c, changed)
		}
	})
}

func FuzzParseKey(f *testing.F) {
	_, key := signer(f, origin, false)
	f.Add(key.String())
	f.Fuzz(func(t *testing.T, text string) {
		if key, err := publiclog.ParseKey(text); err == nil && key.String() != text {
			t.Errorf("%q is read as %q", text, key)
		}
	})
}
