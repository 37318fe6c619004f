// Package signednote opens signed checkpoints: C2SP signed-note, tlog-checkpoint and tlog-cosignature, with the details of log.md, section 3.
package signednote

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The algorithm bytes of keys.
const (
	algorithmEd25519     = 1
	algorithmCosignature = 4
)

const (
	noteBytesMost  = 65_536
	signaturesMost = 100
)

// Key is a public key, the operator's or a witness's, read from the text name+hash+key.
type Key struct {
	Name      string
	hash      uint32
	algorithm byte
	public    ed25519.PublicKey
}

// ParseKey reads a key and checks that its hash is its own.
func ParseKey(text string) (*Key, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(text), "+")
	hash, encoded, _ := strings.Cut(rest, "+")
	h, hashErr := strconv.ParseUint(hash, 16, 32)
	data, dataErr := base64.StdEncoding.DecodeString(encoded)
	if name == "" || len(hash) != 8 || hashErr != nil || dataErr != nil || strings.IndexFunc(name, unicode.IsSpace) >= 0 {
		return nil, errors.New("a key is the text name+hash+key")
	}
	if len(data) != 1+ed25519.PublicKeySize || (data[0] != algorithmEd25519 && data[0] != algorithmCosignature) {
		return nil, errors.New("the key is not an Ed25519 key of algorithm 1 or 4")
	}
	if uint32(h) != keyHash(name, data) {
		return nil, errors.New("the key's hash is not that of its name and bytes")
	}
	return &Key{Name: name, hash: uint32(h), algorithm: data[0], public: data[1:]}, nil
}

// IsWitness says whether the key is one for cosignatures.
func (k *Key) IsWitness() bool { return k.algorithm == algorithmCosignature }

// Same says whether two keys are one, even under two names.
func (k *Key) Same(other *Key) bool { return k.public.Equal(other.public) }

// keyHash is the key ID of signed-note.
func keyHash(name string, key []byte) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n"), key...))
	return binary.BigEndian.Uint32(sum[:4])
}

// note is a signed note that was taken apart, not yet verified.
type note struct {
	text       string // with its last line end
	signatures []signature
}

type signature struct {
	name  string
	hash  uint32
	bytes []byte // what follows the hash
}

var errNote = errors.New("not a signed note")

func parseNote(data []byte) (*note, error) {
	if len(data) > noteBytesMost || !utf8.Valid(data) || bytes.ContainsFunc(data, isControl) {
		return nil, errNote
	}
	split := strings.LastIndex(string(data), "\n\n")
	if split < 0 {
		return nil, errNote
	}
	n := &note{text: string(data[:split+1])}
	lines, ends := strings.CutSuffix(string(data[split+2:]), "\n")
	if !ends {
		return nil, errNote
	}
	for line := range strings.SplitSeq(lines, "\n") {
		s, err := parseSignature(line)
		if err != nil || len(n.signatures) == signaturesMost {
			return nil, errNote
		}
		n.signatures = append(n.signatures, s)
	}
	return n, nil
}

func isControl(r rune) bool { return r < 0x20 && r != '\n' }

func parseSignature(line string) (signature, error) {
	rest, dash := strings.CutPrefix(line, "— ")
	name, encoded, _ := strings.Cut(rest, " ")
	data, err := base64.StdEncoding.DecodeString(encoded)
	if !dash || name == "" || err != nil || len(data) < 5 {
		return signature{}, errNote
	}
	return signature{name, binary.BigEndian.Uint32(data), data[4:]}, nil
}

// signedBy says whether the key signed the note. A signature that is not valid counts as none.
func (n *note) signedBy(k *Key) bool {
	return slices.ContainsFunc(n.signatures, func(s signature) bool {
		return s.name == k.Name && s.hash == k.hash && k.verify(n.text, s.bytes)
	})
}

func (k *Key) verify(text string, sig []byte) bool {
	if k.algorithm == algorithmEd25519 {
		return ed25519.Verify(k.public, []byte(text), sig)
	}
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	return ed25519.Verify(k.public, CosignedMessage(text, binary.BigEndian.Uint64(sig)), sig[8:])
}

// CosignedMessage is what a witness signs: tlog-cosignature. The time is in seconds since 1970.
func CosignedMessage(text string, at uint64) []byte {
	return fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", at, text)
}
