// Package notation writes bytes and hashes exactly as block.md, section 1, says.
// It is the only place of the checker that knows a tag.
package notation

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// The tags of block.md, section 1.
const (
	tagUnit         = "talon/unit/v1"
	tagSale         = "talon/sale/v1"
	tagPlay         = "talon/play/v1"
	tagCommitment   = "talon/secret-commitment/v1"
	tagDefinition   = "talon/definition/v1"
	tagContribution = "talon/contribution/v1"
	tagMix          = "talon/secret-mix/v1"

	// The info of the three keys: block.md, section 3.
	InfoShuffle = "talon/shuffle/v1"
	InfoLayout  = "talon/layout/v1"
	InfoSalt    = "talon/salt/v1"
)

// ID is the identifier of a block or a play.
type ID [16]byte

// Salt is the salt of a unit.
type Salt [16]byte

// Digest is a hash, a root, a commitment or a secret.
type Digest [32]byte

func (id ID) String() string    { return hex.EncodeToString(id[:]) }
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// ParseHex reads exactly size bytes of lower-case hexadecimal.
func ParseHex(text string, size int) ([]byte, error) {
	if len(text) != 2*size {
		return nil, fmt.Errorf("%d hexadecimal digits instead of %d", len(text), 2*size)
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return nil, fmt.Errorf("%q is not a lower-case hexadecimal digit", c)
		}
	}
	return hex.DecodeString(text)
}

// ParseID reads the identifier of a block or a play.
func ParseID(text string) (ID, error) {
	b, err := ParseHex(text, len(ID{}))
	if err != nil {
		return ID{}, err
	}
	return ID(b), nil
}

// ParseDigest reads 32 bytes.
func ParseDigest(text string) (Digest, error) {
	b, err := ParseHex(text, len(Digest{}))
	if err != nil {
		return Digest{}, err
	}
	return Digest(b), nil
}

// appendTag appends tag(t): the length of the text in one byte, and the text.
func appendTag(b []byte, t string) []byte {
	return append(append(b, byte(len(t))), t...)
}

// appendVar appends var(data): the length in four bytes, and the data.
func appendVar(b, data []byte) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(data))), data...)
}

// SecretCommitment is the commitment to a block's secret: block.md, section 2.
func SecretCommitment(id ID, secret Digest) Digest {
	b := appendTag(nil, tagCommitment)
	b = appendVar(b, id[:])
	return sha256.Sum256(appendVar(b, secret[:]))
}

// DefinitionHash is the hash of a definition's canonical JSON: block.md, section 2.
func DefinitionHash(canonical []byte) Digest {
	return sha256.Sum256(appendVar(appendTag(nil, tagDefinition), canonical))
}

// ShareCommitment is a party's commitment to its share: block.md, section 12.
func ShareCommitment(id ID, party string, share Digest) Digest {
	b := appendTag(nil, tagContribution)
	b = appendVar(b, id[:])
	b = appendVar(b, []byte(party))
	return sha256.Sum256(appendVar(b, share[:]))
}

// Share is a party's contribution to a secret.
type Share struct {
	Party string
	Share Digest
}

// MixSecret mixes the secret of a block from shares and from the randomness of a beacon's round, empty when there is none: block.md,
// section 12.
func MixSecret(id ID, shares []Share, randomness []byte) Digest {
	b := appendTag(nil, tagMix)
	b = appendVar(b, id[:])
	for _, s := range shares {
		b = appendVar(b, []byte(s.Party))
		b = appendVar(b, s.Share[:])
	}
	return sha256.Sum256(appendVar(b, randomness))
}
