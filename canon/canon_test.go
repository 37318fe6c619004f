package canon_test

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"pgregory.net/rapid"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

var tags = []canon.Tag{canon.TagUnit, canon.TagSale, canon.TagPlay, canon.TagCommitment, canon.TagDefinition, canon.TagRequest,
	canon.TagKey, canon.TagBatch, canon.TagShuffle, canon.TagLayout, canon.TagSalt,
	canon.TagContribution, canon.TagSecretMix, canon.TagRecovery}

func TestTags(t *testing.T) {
	seen := map[canon.Tag]bool{}
	for _, tag := range tags {
		if seen[tag] || len(tag) < 8 || len(tag) > 255 || !bytes.HasPrefix([]byte(tag), []byte("talon/")) {
			t.Errorf("tag %q", tag)
		}
		seen[tag] = true
	}
}

// The encoding, written out byte by byte.
func TestEncoding(t *testing.T) {
	encoded := canon.AppendTag(nil, "talon/x/v1")
	encoded = canon.AppendUint64(encoded, 0x0102030405060708)
	encoded = canon.AppendBytes(encoded, []byte("ab"))
	encoded = canon.AppendBytes(encoded, nil)
	want := "\x0atalon/x/v1" + "\x01\x02\x03\x04\x05\x06\x07\x08" + "\x00\x00\x00\x02ab" + "\x00\x00\x00\x00"
	if string(encoded) != want {
		t.Errorf("%q, want %q", encoded, want)
	}
	if got, want := canon.Hash("talon/x/v1", []byte("ab"), nil), sha256.Sum256([]byte("\x0atalon/x/v1\x00\x00\x00\x02ab\x00\x00\x00\x00")); got != want {
		t.Errorf("%s, want %x", got, want)
	}
}

// message is what is hashed: a tag and fields.
type message struct {
	tag    canon.Tag
	fields [][]byte
}

func (m message) encode() []byte {
	encoded := canon.AppendTag(nil, m.tag)
	for _, field := range m.fields {
		encoded = canon.AppendBytes(encoded, field)
	}
	return encoded
}

// careless is the twin that puts fields together without their lengths.
func (m message) careless() []byte { return append([]byte(m.tag), bytes.Join(m.fields, nil)...) }

func same(a, b message) bool {
	if a.tag != b.tag || len(a.fields) != len(b.fields) {
		return false
	}
	for at := range a.fields {
		if !bytes.Equal(a.fields[at], b.fields[at]) {
			return false
		}
	}
	return true
}

// Two messages share an encoding only if they are one. Small alphabets, bytes that look like lengths
// and short tags that begin alike make collisions likely where they are possible.
func TestEncodingIsUnambiguous(t *testing.T) {
	field := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 'a'}), 0, 6)
	messages := rapid.Custom(func(t *rapid.T) message {
		tag := rapid.SampledFrom([]canon.Tag{"a", "aa", "a\x00", "a\x00\x00\x00\x01a", ""}).Draw(t, "tag")
		return message{tag, rapid.SliceOfN(field, 0, 3).Draw(t, "fields")}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := messages.Draw(t, "a"), messages.Draw(t, "b")
		if bytes.Equal(a.encode(), b.encode()) != same(a, b) {
			t.Errorf("%q and %q share an encoding", a, b)
		}
		if bytes.HasPrefix(a.encode(), b.encode()) && len(b.fields) > len(a.fields) {
			t.Errorf("%q is the beginning of %q", b, a)
		}
	})
	a, b := message{"a", [][]byte{[]byte("ab"), []byte("c")}}, message{"a", [][]byte{[]byte("a"), []byte("bc")}}
	if !bytes.Equal(a.careless(), b.careless()) || bytes.Equal(a.encode(), b.encode()) {
		t.Error("the careless twin is not caught")
	}
}

// What was encoded can be taken apart again: the encoding loses nothing.
func FuzzEncoding(f *testing.F) {
	f.Add("talon/unit/v1", []byte("abc"), []byte{})
	f.Add("", []byte{0, 0, 0, 1}, []byte{0})
	f.Fuzz(func(t *testing.T, tag string, first, second []byte) {
		if len(tag) > 255 {
			return
		}
		encoded := message{canon.Tag(tag), [][]byte{first, second}}.encode()
		rest, ok := bytes.CutPrefix(encoded, append([]byte{byte(len(tag))}, tag...))
		if !ok {
			t.Fatalf("tag of %x", encoded)
		}
		for _, want := range [][]byte{first, second} {
			length := int(rest[0])<<24 | int(rest[1])<<16 | int(rest[2])<<8 | int(rest[3])
			if !bytes.Equal(rest[4:4+length], want) {
				t.Fatalf("field %x of %x", want, encoded)
			}
			rest = rest[4+length:]
		}
		if len(rest) != 0 {
			t.Errorf("%x is left", rest)
		}
	})
}

func TestDigestText(t *testing.T) {
	digest := canon.Hash(canon.TagUnit, []byte("x"))
	text, err := digest.MarshalText()
	var back canon.Digest
	if err != nil || back.UnmarshalText(text) != nil || back != digest || string(text) != digest.String() || len(text) != 64 {
		t.Errorf("%s was read back as %s, %v", text, back, err)
	}
	if err := back.UnmarshalText(bytes.ToUpper(text)); err != nil || back != digest {
		t.Errorf("upper case: %v", err)
	}
	for _, bad := range []string{"", "ab", string(text[:63]), string(text) + "0", string(text) + "00", "g" + string(text[1:]), " " + string(text[1:])} {
		kept := digest
		if err := kept.UnmarshalText([]byte(bad)); fault.CodeOf(err) != "digest_malformed" || kept != digest {
			t.Errorf("%q was read as %s, %v", bad, kept, err)
		}
	}
}
