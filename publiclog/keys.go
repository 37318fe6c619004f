package publiclog

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talonlottery/talon/fault"
)

// KeyNameBytesMost is the longest name of a key, and so of a log's origin.
const KeyNameBytesMost = 200

// The algorithms of keys, as C2SP signed-note numbers them.
const (
	algorithmNote        = 1 // Ed25519 over the note: a log's own signature
	algorithmCosignature = 4 // Ed25519 over a time and the note: a witness's
)

// Key is a public key: that of a log's operator, or of a witness. The zero Key verifies nothing.
type Key struct {
	name      string
	algorithm byte
	public    [ed25519.PublicKeySize]byte
}

// ParseKey reads a public key as C2SP signed-note writes it: name+hash+key. It returns Invalid with
// code key_malformed for anything else.
func ParseKey(text string) (Key, error) {
	name, rest, _ := strings.Cut(text, "+")
	_, encoded, _ := strings.Cut(rest, "+")
	bytes, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(bytes) != 1+ed25519.PublicKeySize || !validName(name) {
		return Key{}, keyMalformed()
	}
	key := Key{name, bytes[0], [ed25519.PublicKeySize]byte(bytes[1:])}
	if !key.known() || key.String() != text {
		return Key{}, keyMalformed()
	}
	return key, nil
}

// String gives the text that [ParseKey] reads.
func (k Key) String() string {
	return fmt.Sprintf("%s+%08x+%s", k.name, k.hash(), base64.StdEncoding.EncodeToString(k.bytes()))
}

// Name is the key's name. That of an operator's key is the origin of the log.
func (k Key) Name() string { return k.name }

// Cosigns reports whether this is the key of a witness; otherwise it is that of a log.
func (k Key) Cosigns() bool { return k.algorithm == algorithmCosignature }

func (k Key) known() bool {
	return k.algorithm == algorithmNote || k.algorithm == algorithmCosignature
}

func (k Key) bytes() []byte { return append([]byte{k.algorithm}, k.public[:]...) }

// hash is the number by which a signature line names its key, besides the name.
func (k Key) hash() uint32 {
	sum := sha256.Sum256(append([]byte(k.name+"\n"), k.bytes()...))
	return binary.BigEndian.Uint32(sum[:])
}

// validName is the rule of C2SP signed-note for names, and a limit.
func validName(name string) bool {
	return name != "" && len(name) <= KeyNameBytesMost && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, func(r rune) bool { return r == '+' || unicode.IsSpace(r) || unicode.IsControl(r) })
}

// NewKey makes the key pair of a log from a source of randomness that is fit for keys. The texts are
// those of C2SP signed-note; the signer's is a secret. It returns Invalid with code key_malformed for
// a name that cannot be one, and Unavailable with code entropy_unavailable when the source fails.
func NewKey(random io.Reader, name string) (signer, verifier string, err error) {
	return newKey(random, name, algorithmNote)
}

// NewWitnessKey is [NewKey] for a witness.
func NewWitnessKey(random io.Reader, name string) (signer, verifier string, err error) {
	return newKey(random, name, algorithmCosignature)
}

func newKey(random io.Reader, name string, algorithm byte) (signer, verifier string, err error) {
	if !validName(name) {
		return "", "", fault.New(fault.Invalid, "key_malformed", "a key's name has 1 to %d bytes, and neither spaces nor a plus", KeyNameBytesMost).
			Next("take the address of the log without its scheme, such as example.com/log")
	}
	var seed [ed25519.SeedSize]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return "", "", fault.New(fault.Unavailable, "entropy_unavailable", "the source of randomness failed: %w", err)
	}
	key := Key{name, algorithm, publicOf(seed)}
	signer = fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", name, key.hash(), base64.StdEncoding.EncodeToString(append([]byte{algorithm}, seed[:]...)))
	return signer, key.String(), nil
}

func publicOf(seed [ed25519.SeedSize]byte) [ed25519.PublicKeySize]byte {
	return [ed25519.PublicKeySize]byte(ed25519.NewKeyFromSeed(seed[:]).Public().(ed25519.PublicKey))
}

// Signer signs checkpoints for a log, or cosigns them for a witness. It refuses to print its key,
// which is behind a function because a formatter cannot look into one. It is safe for concurrent use.
type Signer struct {
	key  Key
	sign func([]byte) []byte
}

// NewSigner takes the secret text of a key, that of [NewKey] or [NewWitnessKey]. It returns Invalid
// with code signer_malformed for anything else, and never shows the text.
func NewSigner(text string) (*Signer, error) {
	fields := strings.SplitN(text, "+", 5)
	if len(fields) != 5 || fields[0] != "PRIVATE" || fields[1] != "KEY" || !validName(fields[2]) {
		return nil, signerMalformed()
	}
	hash, hashErr := strconv.ParseUint(fields[3], 16, 32)
	secret, err := base64.StdEncoding.DecodeString(fields[4])
	if hashErr != nil || len(fields[3]) != 8 || err != nil || len(secret) != 1+ed25519.SeedSize {
		return nil, signerMalformed()
	}
	seed := [ed25519.SeedSize]byte(secret[1:])
	key := Key{fields[2], secret[0], publicOf(seed)}
	if !key.known() || uint64(key.hash()) != hash {
		return nil, signerMalformed()
	}
	return &Signer{key: key, sign: func(message []byte) []byte { return ed25519.Sign(ed25519.NewKeyFromSeed(seed[:]), message) }}, nil
}

// Key is the public key of what is signed.
func (s *Signer) Key() Key { return s.key }

// Format prints "[signer]" for every verb.
func (*Signer) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[signer]") }

// LogValue logs "[signer]".
func (*Signer) LogValue() slog.Value { return slog.StringValue("[signer]") }

// MarshalText writes "[signer]", so that no encoder ever writes the key.
func (*Signer) MarshalText() ([]byte, error) { return []byte("[signer]"), nil }

func keyMalformed() error {
	return fault.New(fault.Invalid, "key_malformed", "this is not a public key of the form name+hash+key").
		Next("copy the whole line that the operator or the witness published")
}

func signerMalformed() error {
	return fault.New(fault.Invalid, "signer_malformed", "this is not a secret key of the form PRIVATE+KEY+name+hash+key").
		Next("restore the key from its backup")
}
