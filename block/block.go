// Package block is a block's whole public specification: how its units follow from its secret, what
// is committed before the first sale, and how each unit is proven afterwards.
//
// Its one promise: a block that was dealt holds exactly the prize table of its definition, every
// layout shows its prize, and one root commits to all of it. The specification,
// with test vectors, is docs/spec/block.md. Clear secrets of unopened blocks live in internal/vault
// alone; everything here takes them as arguments and none of it prints them.
package block

import (
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// Version is the version of the specification that this package follows.
const Version = 1

// ID identifies a block. It is public and drawn at random when the block is dealt.
type ID [16]byte

// String gives the identifier in hexadecimal.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// MarshalText writes hexadecimal.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads 32 hexadecimal digits, or returns Invalid with code block_id_malformed.
func (id *ID) UnmarshalText(text []byte) error {
	return unmarshalID((*[16]byte)(id), text, "block_id_malformed")
}

// PlayID identifies a play. It is derived from the unit's salt, so it cannot be guessed before the
// unit is sold and needs no random number on the play path.
type PlayID [16]byte

// String gives the identifier in hexadecimal.
func (id PlayID) String() string { return hex.EncodeToString(id[:]) }

// MarshalText writes hexadecimal.
func (id PlayID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads 32 hexadecimal digits, or returns Invalid with code play_id_malformed.
func (id *PlayID) UnmarshalText(text []byte) error {
	return unmarshalID((*[16]byte)(id), text, "play_id_malformed")
}

func unmarshalID(id *[16]byte, text []byte, code string) error {
	var read [16]byte
	if len(text) != 2*len(read) {
		return fault.New(fault.Invalid, code, "an identifier is %d hexadecimal digits", 2*len(read))
	}
	if _, err := hex.Decode(read[:], text); err != nil {
		return fault.New(fault.Invalid, code, "an identifier is %d hexadecimal digits", 2*len(read))
	}
	*id = read
	return nil
}

// Secret is what all units of a block follow from. It refuses to print itself. Its bytes are
// behind a function because a formatter cannot look into one: from an unexported field, where it may
// not call Format, it follows even a pointer when the verb does not fit. The zero Secret is no
// secret, and no block is dealt from it.
type Secret struct{ reveal func() [32]byte }

func secretOf(bytes [32]byte) Secret { return Secret{reveal: func() [32]byte { return bytes }} }

const redacted = "[secret]"

// NewSecret reads a secret from a source of randomness that is fit for keys. It returns Unavailable
// with code entropy_unavailable when the source fails; no block is dealt then.
func NewSecret(random io.Reader) (Secret, error) {
	var bytes [32]byte
	if _, err := io.ReadFull(random, bytes[:]); err != nil {
		return Secret{}, fault.New(fault.Unavailable, "entropy_unavailable", "the source of randomness failed: %w", err).
			Next("deal no block until the system's random source works again")
	}
	return secretOf(bytes), nil
}

// SecretFromBytes takes the 32 bytes of a secret that was kept or opened. It returns Invalid with
// code secret_malformed for any other number of bytes.
func SecretFromBytes(kept []byte) (Secret, error) {
	if len(kept) != 32 {
		return Secret{}, fault.New(fault.Invalid, "secret_malformed", "a secret is 32 bytes, not %d", len(kept))
	}
	return secretOf([32]byte(kept)), nil
}

// Reveal gives the bytes: to the vault that keeps them, and to whoever opens a block that is no
// longer sold. Nothing else calls it. Of the zero Secret it gives zeros.
func (s Secret) Reveal() (revealed [32]byte) {
	if s.reveal != nil {
		revealed = s.reveal()
	}
	return revealed
}

// Format prints "[secret]" for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// LogValue logs "[secret]".
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText writes "[secret]", so that no encoder ever writes the bytes.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// Header is what is public of a block from the day it is dealt.
type Header struct {
	Version    int          `json:"version"`
	ID         ID           `json:"id"`
	Game       string       `json:"game"`       // name of the game, or of the jackpot for a block of participations
	Definition canon.Digest `json:"definition"` // hash of the definition that rules it
	Stake      int          `json:"stake"`      // place among the game's stakes; 0 for participations
	Price      money.Amount `json:"price"`      // of a unit, or of a participation
	Size       uint32       `json:"size"`       // units
}

// Unit is one unit, opened. For a block of participations the prize is zero and the layout is one
// byte: 1 when the participation wins the pot, else 0.
type Unit struct {
	Index  uint32
	Tier   int // place in the prize table, or mechanic.Losing
	Prize  money.Amount
	Layout []byte
	Salt   [16]byte
}

// Wins reports whether a participation wins the pot.
func (u *Unit) Wins() bool { return len(u.Layout) == 1 && u.Layout[0] == 1 }

// Commitment commits to the secret of a block without showing it. It has a domain of its own, and
// nothing is ever derived from it.
func (h Header) Commitment(secret Secret) canon.Digest {
	revealed := secret.Reveal()
	return canon.Hash(canon.TagCommitment, h.ID[:], revealed[:])
}

// Leaf is the unit's leaf in the block's tree: it commits to block, index, prize and the whole
// layout under the unit's own salt. It does not allocate.
func (h Header) Leaf(u *Unit) canon.Digest {
	var buffer [192]byte
	encoded := canon.AppendTag(buffer[:0], canon.TagUnit)
	encoded = append(encoded, h.ID[:]...)
	encoded = canon.AppendUint64(encoded, uint64(u.Index))
	encoded = canon.AppendUint64(encoded, uint64(u.Prize))
	encoded = canon.AppendBytes(encoded, u.Layout)
	encoded = append(encoded, u.Salt[:]...)
	return canon.LeafHash(encoded)
}

// PlayID is the public identifier of the play that sells a unit.
func (h Header) PlayID(u *Unit) PlayID {
	var buffer [96]byte
	encoded := canon.AppendTag(buffer[:0], canon.TagPlay)
	encoded = append(encoded, h.ID[:]...)
	encoded = canon.AppendUint64(encoded, uint64(u.Index))
	encoded = append(encoded, u.Salt[:]...)
	digest := canon.Sum(encoded)
	return PlayID(digest[:16])
}

// SaleLeaf is the leaf of a sale in its block's sales tree: which index, which play, when, and no
// word of the player. The time is in milliseconds since 1970, UTC.
func SaleLeaf(id ID, index uint32, play PlayID, atMilliseconds int64) canon.Digest {
	var buffer [96]byte
	encoded := canon.AppendTag(buffer[:0], canon.TagSale)
	encoded = append(encoded, id[:]...)
	encoded = canon.AppendUint64(encoded, uint64(index))
	encoded = append(encoded, play[:]...)
	encoded = canon.AppendUint64(encoded, uint64(atMilliseconds))
	return canon.LeafHash(encoded)
}
