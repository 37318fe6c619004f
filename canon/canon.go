// Package canon says what is hashed, and is the only place that does.
//
// Its one promise: every hash of Talon is SHA-256 over bytes that begin with a domain tag and whose
// encoding is unambiguous, so that no two different things, and no two things of different domains,
// ever share an input. The encoding is specified in docs/spec/block.md.
package canon

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/talonlottery/talon/fault"
)

// Tag names the domain of a hash or of a derived key. The last part is the format's version.
type Tag string

// The domains. A new meaning gets a new tag; a tag's meaning never changes.
const (
	TagUnit       Tag = "talon/unit/v1"              // leaf of a block's tree
	TagSale       Tag = "talon/sale/v1"              // leaf of a block's sales tree
	TagPlay       Tag = "talon/play/v1"              // public identifier of a play
	TagCommitment Tag = "talon/secret-commitment/v1" // commitment to a block's secret
	TagDefinition Tag = "talon/definition/v1"        // hash of a game's definition
	TagRequest    Tag = "talon/request/v1"           // digest of a request's body
	TagKey        Tag = "talon/idempotency-key/v1"   // a player's idempotency key
	TagBatch      Tag = "talon/batch/v1"             // digest of the requests sold together
	TagSession    Tag = "talon/session/v1"           // a session's token, as it is stored
	TagShuffle    Tag = "talon/shuffle/v1"           // HKDF info: shuffle key
	TagLayout     Tag = "talon/layout/v1"            // HKDF info: layout key
	TagSalt       Tag = "talon/salt/v1"              // HKDF info: salt key

	TagContribution Tag = "talon/contribution/v1"      // commitment to a party's share of a block's secret
	TagSecretMix    Tag = "talon/secret-mix/v1"        // a block's secret from several shares
	TagRecovery     Tag = "talon/recovery-identity/v1" // HKDF info: identity that shares of the vault's recovery make
)

// Digest is a SHA-256 hash.
type Digest [sha256.Size]byte

// String gives the digest in lower-case hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText writes lower-case hexadecimal.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads 64 hexadecimal digits. It returns Invalid with code digest_malformed for
// anything else.
func (d *Digest) UnmarshalText(text []byte) error {
	var digest Digest
	if len(text) != hex.EncodedLen(len(digest)) {
		return digestMalformed()
	}
	if _, err := hex.Decode(digest[:], text); err != nil {
		return digestMalformed()
	}
	*d = digest
	return nil
}

func digestMalformed() error {
	return fault.New(fault.Invalid, "digest_malformed", "a digest is %d hexadecimal digits", hex.EncodedLen(sha256.Size))
}

// AppendTag appends a domain tag: one byte of length, then its bytes. It is always the first field.
func AppendTag(dst []byte, tag Tag) []byte {
	return append(append(dst, byte(len(tag))), tag...)
}

// AppendUint64 appends a number as eight bytes, most significant first.
func AppendUint64(dst []byte, n uint64) []byte { return binary.BigEndian.AppendUint64(dst, n) }

// AppendBytes appends bytes of any number: their count as four bytes, most significant first, then
// the bytes. Fields of a fixed size are appended as they are.
func AppendBytes(dst, field []byte) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(field))), field...)
}

// Sum hashes encoded bytes. The caller has built them with the Append functions, tag first.
func Sum(encoded []byte) Digest { return sha256.Sum256(encoded) }

// Hash is [Sum] over a tag and fields of any size, for hashes that are not made by the million.
func Hash(tag Tag, fields ...[]byte) Digest {
	encoded := AppendTag(make([]byte, 0, 128), tag)
	for _, field := range fields {
		encoded = AppendBytes(encoded, field)
	}
	return Sum(encoded)
}
