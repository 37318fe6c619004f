package entropy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the test vectors anew, by the reference implementation")

const vectorsFolder = "../testdata/vectors"

type entropyVectors struct {
	Comment string         `json:"comment"`
	Keys    []keyVector    `json:"keys"`
	Streams []streamVector `json:"streams"`
	Salts   []saltVector   `json:"salts"`
	Below   []belowVector  `json:"below"`
}

type keyVector struct {
	Secret  string `json:"secret"`
	Block   string `json:"block"`
	Shuffle string `json:"shuffle"`
	Layout  string `json:"layout"`
	Salt    string `json:"salt"`
}

type streamVector struct {
	Key   string   `json:"key"`
	Start string   `json:"start"` // decimal: JSON numbers do not hold 64 bits
	Words []uint32 `json:"words"`
}

type saltVector struct {
	Key   string `json:"key"`
	Index uint64 `json:"index"`
	Salt  string `json:"salt"`
}

type belowVector struct {
	Words   []uint32 `json:"words"` // what the stream gives
	Below   uint32   `json:"below"`
	Number  uint32   `json:"number"`
	Taken   int      `json:"taken"`            // words used
	Modulo  *uint32  `json:"modulo,omitempty"` // bad: what a scaling without rejection gives
	Comment string   `json:"comment,omitempty"`
}

type shuffleVectors struct {
	Comment  string          `json:"comment"`
	Shuffles []shuffleVector `json:"shuffles"`
}

type shuffleVector struct {
	Key    string   `json:"key"`
	Items  int      `json:"items"`
	Order  []uint32 `json:"order,omitempty"` // item that each place holds, for few items
	First  []uint32 `json:"first,omitempty"` // the first places, for many
	Digest string   `json:"digest"`          // SHA-256 over all items in order, four bytes each, big-endian
}

func referenceEntropyVectors() entropyVectors {
	v := entropyVectors{Comment: "Talon block format version 1: keys, streams, salts and numbers. See docs/spec/block.md. The secrets are invented."}
	secrets := [][32]byte{{}, sequence(0), sequence(128)}
	blocks := [][16]byte{{}, [16]byte([]byte("0123456789abcdef")), {15: 1}}
	for i, secret := range secrets {
		key := func(tag string) string { k := referenceKey(secret, blocks[i], tag); return hex.EncodeToString(k[:]) }
		v.Keys = append(v.Keys, keyVector{hex.EncodeToString(secret[:]), hex.EncodeToString(blocks[i][:]),
			key("talon/shuffle/v1"), key("talon/layout/v1"), key("talon/salt/v1")})
	}
	for _, start := range []uint64{0, 1, 999_999, 1<<64 - 1} {
		key := sequence(0)
		v.Streams = append(v.Streams, streamVector{hex.EncodeToString(key[:]), fmt.Sprint(start), referenceWords(key, start, 20)})
	}
	for _, index := range []uint64{0, 1, 255, 999_999} {
		key := sequence(64)
		var counter [16]byte
		binary.BigEndian.PutUint64(counter[8:], index)
		v.Salts = append(v.Salts, saltVector{hex.EncodeToString(key[:]), index, hex.EncodeToString(keystream(key, counter, 16))})
	}
	for _, n := range []uint32{1, 2, 3, 7, 9, 1000, 1_000_000, 1<<31 + 1, 1<<32 - 1} {
		accepted := (uint64(1) << 32) / uint64(n) * uint64(n)
		v.Below = append(v.Below, numberVector([]uint32{uint32(accepted - 1), 5}, n, "the last word that is accepted"))
		if accepted < 1<<32 {
			v.Below = append(v.Below, numberVector([]uint32{uint32(accepted), 1<<32 - 1, 5}, n, "words that are discarded come first"))
		}
	}
	return v
}

func numberVector(words []uint32, n uint32, comment string) belowVector {
	number, left := referenceBelow(words, n)
	v := belowVector{Words: words, Below: n, Number: number, Taken: len(words) - len(left), Comment: comment}
	if biased := words[0] % n; v.Taken > 1 && biased != number {
		v.Modulo = &biased
	}
	return v
}

func referenceShuffleVectors() shuffleVectors {
	v := shuffleVectors{Comment: "Talon block format version 1: items 0 … n-1 shuffled by the stream of a shuffle key from start 0. See docs/spec/block.md."}
	for _, n := range []int{1, 2, 3, 10, 52, 1_000_000} {
		key := sequence(byte(n))
		order := referenceShuffle(referenceWords(key, 0, 2*n+8), n)
		s := shuffleVector{Key: hex.EncodeToString(key[:]), Items: n, Digest: orderDigest(order)}
		if n <= 52 {
			s.Order = order
		} else {
			s.First = order[:16]
		}
		v.Shuffles = append(v.Shuffles, s)
	}
	return v
}

// TestVectors compares this package with the files that the reference implementation wrote.
func TestVectors(t *testing.T) {
	var v entropyVectors
	readVectors(t, "entropy.json", referenceEntropyVectors(), &v)
	for _, k := range v.Keys {
		keys, err := Derive([32]byte(unhex(t, k.Secret)), unhex(t, k.Block))
		if err != nil {
			t.Fatal(err)
		}
		got := keyVector{k.Secret, k.Block, hex.EncodeToString([]byte(bytesOf(keys.Shuffle))), hex.EncodeToString([]byte(bytesOf(keys.Layout))), hex.EncodeToString([]byte(bytesOf(keys.Salt)))}
		if diff := cmp.Diff(k, got); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
	}
	for _, k := range v.Streams {
		var start uint64
		if _, err := fmt.Sscan(k.Start, &start); err != nil {
			t.Fatal(err)
		}
		s := NewStream(NewCipher(KeyFromBytes([32]byte(unhex(t, k.Key)))), start)
		for i, word := range k.Words {
			if got := s.Uint32(); got != word {
				t.Errorf("stream from %d: word %d is %d, want %d", start, i, got, word)
			}
		}
	}
	for _, k := range v.Salts {
		var got [16]byte
		NewCipher(KeyFromBytes([32]byte(unhex(t, k.Key)))).Block(k.Index, &got)
		if hex.EncodeToString(got[:]) != k.Salt {
			t.Errorf("salt %d is %x, want %s", k.Index, got, k.Salt)
		}
	}
	for _, k := range v.Below {
		taken := 0
		got := below(func() uint32 { taken++; return k.Words[taken-1] }, k.Below)
		if got != k.Number || taken != k.Taken {
			t.Errorf("%v below %d: %d of %d words, want %d of %d", k.Words, k.Below, got, taken, k.Number, k.Taken)
		}
		if k.Modulo != nil && got == *k.Modulo {
			t.Errorf("%v below %d: the biased number %d", k.Words, k.Below, got)
		}
	}
}

func TestShuffleVectors(t *testing.T) {
	var v shuffleVectors
	readVectors(t, "shuffle.json", referenceShuffleVectors(), &v)
	for _, k := range v.Shuffles {
		order := make([]uint32, k.Items)
		for i := range order {
			order[i] = uint32(i)
		}
		Shuffle(NewStream(NewCipher(KeyFromBytes([32]byte(unhex(t, k.Key)))), 0), order)
		if got := orderDigest(order); got != k.Digest {
			t.Errorf("%d items: digest %s, want %s", k.Items, got, k.Digest)
		}
		if k.Order != nil && !cmp.Equal(k.Order, order) || !cmp.Equal(k.First, order[:len(k.First)], cmpEmpty) {
			t.Errorf("%d items: %v", k.Items, order[:min(len(order), 52)])
		}
	}
}

// cmpEmpty takes no list and an empty list for the same.
var cmpEmpty = cmp.Transformer("empty", func(list []uint32) []uint32 { return append([]uint32{}, list...) })

// readVectors reads a file of vectors, which must be what the reference implementation makes. With
// -update it is written first.
func readVectors[T any](t *testing.T, name string, reference T, into *T) {
	t.Helper()
	path := filepath.Join(vectorsFolder, name)
	text, err := json.MarshalIndent(reference, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(kept), string(text)); diff != "" {
		t.Fatalf("%s is not what the reference implementation makes; write it anew with -update (-kept +made):\n%s", name, diff)
	}
	if err := json.Unmarshal(kept, into); err != nil {
		t.Fatal(err)
	}
}

func orderDigest(order []uint32) string {
	encoded := make([]byte, 0, 4*len(order))
	for _, item := range order {
		encoded = binary.BigEndian.AppendUint32(encoded, item)
	}
	digest := sha256.Sum256(encoded)
	return hex.EncodeToString(digest[:])
}

// sequence is an invented key: bytes that count up.
func sequence(first byte) (key [32]byte) {
	for i := range key {
		key[i] = first + byte(i)
	}
	return key
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	decoded, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}
