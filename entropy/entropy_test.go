package entropy

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/talonlottery/talon/fault"
)

// keystream is the stream by the platform's counter mode: an implementation of its own.
func keystream(key [32]byte, counter [16]byte, length int) []byte {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err)
	}
	out := make([]byte, length)
	cipher.NewCTR(block, counter[:]).XORKeyStream(out, out)
	return out
}

func TestStreamIsCounterMode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key"))
		start := rapid.Uint64().Draw(t, "start")
		words := rapid.IntRange(1, 200).Draw(t, "words")
		var counter [16]byte
		binary.BigEndian.PutUint64(counter[:], start)
		want := keystream(key, counter, 4*words)
		c := NewCipher(KeyFromBytes(key))
		s := NewStream(c, start+1)
		s.Uint32()
		s.Reset(c, start) // a stream that was used begins anew
		for i := range words {
			if got := s.Uint32(); got != binary.BigEndian.Uint32(want[4*i:]) {
				t.Fatalf("word %d is %08x, want %x", i, got, want[4*i:4*i+4])
			}
		}
	})
}

func TestBlockIsKeystreamFromZero(t *testing.T) {
	key := [32]byte{31: 7}
	want := keystream(key, [16]byte{}, 16*300)
	c := NewCipher(KeyFromBytes(key))
	for i := range 300 {
		got := [16]byte{1, 2, 3} // what was there before does not matter
		if c.Block(uint64(i), &got); !bytes.Equal(got[:], want[16*i:16*i+16]) {
			t.Fatalf("block %d is %x, want %x", i, got, want[16*i:16*i+16])
		}
	}
	var counter [16]byte
	binary.BigEndian.PutUint64(counter[8:], 1<<40)
	var got [16]byte
	if c.Block(1<<40, &got); !bytes.Equal(got[:], keystream(key, counter, 16)) {
		t.Errorf("block 2^40 is %x", got)
	}
}

// TestDeriveIsHKDF follows RFC 5869 by hand: extract, then one round of expand a key.
func TestDeriveIsHKDF(t *testing.T) {
	secret, blockID := [32]byte{1, 2, 3}, []byte("0123456789abcdef")
	keys, err := Derive(secret, blockID)
	if err != nil {
		t.Fatal(err)
	}
	pseudorandom, err := hkdf.Extract(sha256.New, secret[:], blockID)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for tag, key := range map[string]Key{"talon/shuffle/v1": keys.Shuffle, "talon/layout/v1": keys.Layout, "talon/salt/v1": keys.Salt} {
		if got, want := bytesOf(key), expandOnce(pseudorandom, tag); got != string(want) {
			t.Errorf("%s: %x, want %x", tag, got, want)
		}
		seen[bytesOf(key)] = true
	}
	other, err := Derive(secret, []byte("0123456789abcdeg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []Key{other.Shuffle, other.Layout, other.Salt} {
		seen[bytesOf(key)] = true
	}
	if len(seen) != 6 {
		t.Errorf("two blocks with one secret have %d different keys, want 6 (R-8)", len(seen))
	}
}

func bytesOf(key Key) string { bytes := key.reveal(); return string(bytes[:]) }

func TestNothingAllocates(t *testing.T) {
	c := NewCipher(KeyFromBytes([32]byte{1}))
	s := NewStream(c, 0)
	items := make([]byte, 100)
	var salt [16]byte
	for name, run := range map[string]func(){
		"Uint32":  func() { s.Uint32() },
		"Below":   func() { s.Below(9) },
		"Reset":   func() { s.Reset(c, 5); s.Uint32() },
		"Block":   func() { c.Block(5, &salt) },
		"Shuffle": func() { Shuffle(s, items) },
	} {
		if allocations := testing.AllocsPerRun(100, run); allocations != 0 {
			t.Errorf("%s allocates %v times", name, allocations)
		}
	}
}

// TestKeysDoNotPrint tries every way a key could slip into a log, from exported and unexported fields.
func TestKeysDoNotPrint(t *testing.T) {
	material := [32]byte{0xab, 0xcd, 0xef, 0x12, 0x34, 0x56, 0x78, 0x9a}
	key := KeyFromBytes(material)
	keys := Keys{Shuffle: key, Layout: key, Salt: key}
	c := NewCipher(key)
	s := NewStream(c, 0)
	word := s.Uint32()
	type holder struct {
		key    Key
		keys   Keys
		cipher *Cipher
		value  Cipher
		Stream *Stream
	}
	held := holder{key, keys, c, *c, s}
	values := []any{key, &key, keys, &keys, c, *c, s, held, &held, []Key{key}, map[string]Key{"k": key}}
	var written strings.Builder
	for _, value := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%X", "%s", "%q", "%d"} {
			fmt.Fprintf(&written, verb+"\n", value)
		}
		for _, handler := range []slog.Handler{slog.NewTextHandler(&written, nil), slog.NewJSONHandler(&written, nil)} {
			slog.New(handler).Info("a key", "key", value)
		}
		if text, err := json.Marshal(value); err == nil {
			written.Write(text)
		}
		fmt.Fprintln(&written, fault.New(fault.Internal, "x", "with %v", value), errors.Join(fmt.Errorf("with %v", value)))
	}
	text := strings.ToLower(written.String())
	for _, forbidden := range []string{
		hex.EncodeToString(material[:4]), "171 205 239", "171,205,239", "0xab, 0xcd", "q83v", // hexadecimal, decimal, Go syntax, base64
		fmt.Sprint(word), fmt.Sprintf("%d %d %d", byte(word>>24), byte(word>>16), byte(word>>8)),
	} {
		if strings.Contains(text, forbidden) {
			t.Errorf("a key or its stream was printed: %q", forbidden)
		}
	}
	if got := fmt.Sprintf("%v %s %x", key, c, s); got != "[key] [cipher] [stream]" {
		t.Errorf("printed %q", got)
	}
}

func BenchmarkUint32(b *testing.B) {
	s := NewStream(NewCipher(KeyFromBytes([32]byte{1})), 0)
	b.SetBytes(4)
	for b.Loop() {
		s.Uint32()
	}
}

func BenchmarkBelow(b *testing.B) {
	s := NewStream(NewCipher(KeyFromBytes([32]byte{1})), 0)
	for b.Loop() {
		s.Below(9)
	}
}

func BenchmarkBlock(b *testing.B) {
	c := NewCipher(KeyFromBytes([32]byte{1}))
	var out [16]byte
	for b.Loop() {
		c.Block(9, &out)
	}
}

func BenchmarkShuffleMillion(b *testing.B) {
	s := NewStream(NewCipher(KeyFromBytes([32]byte{1})), 0)
	items := make([]byte, 1_000_000)
	for b.Loop() {
		Shuffle(s, items)
	}
}
