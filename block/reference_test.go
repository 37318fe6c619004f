package block

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// reference is a second implementation of docs/spec/block.md, by other building blocks than the
// package: HMAC by hand for the keys, the platform's counter mode, 64-bit arithmetic, a buffer for
// the encodings and the Go project's tlog for the tree. It shares nothing with packages canon,
// entropy and block but the mechanics, which are specified and tested by themselves. It writes the
// test vectors, and the package is compared with it.
type reference struct {
	id     [16]byte
	secret [32]byte
	size   uint32
	// prizes has one entry a unit before the shuffle, then after it: the tier, or mechanic.Losing.
	tiers    []int
	amounts  []money.Amount
	mechanic mechanic.Mechanic
	odds     uint32 // of a block of participations; 0 otherwise
}

func newReference(h Header, secret [32]byte, d *game.Definition, m mechanic.Mechanic) *reference {
	r := &reference{id: h.ID, secret: secret, size: h.Size, mechanic: m}
	for tier, line := range d.Prizes.Tiers {
		r.amounts = append(r.amounts, line.Amounts[h.Stake])
		for range line.Count {
			r.tiers = append(r.tiers, tier)
		}
	}
	for uint32(len(r.tiers)) < h.Size {
		r.tiers = append(r.tiers, mechanic.Losing)
	}
	choose := r.choices("talon/shuffle/v1", 0)
	for i := len(r.tiers) - 1; i >= 1; i-- {
		j := choose.Below(uint32(i) + 1)
		r.tiers[i], r.tiers[j] = r.tiers[j], r.tiers[i]
	}
	return r
}

func newDrawReference(h Header, secret [32]byte, odds uint32) *reference {
	return &reference{id: h.ID, secret: secret, size: h.Size, odds: odds}
}

// key is HKDF of RFC 5869: extract with the block's identifier, one round of expand with the tag.
func (r *reference) key(tag string) []byte {
	extract := hmac.New(sha256.New, r.id[:])
	extract.Write(r.secret[:])
	expand := hmac.New(sha256.New, extract.Sum(nil))
	expand.Write([]byte(tag))
	expand.Write([]byte{1})
	return expand.Sum(nil)
}

func (r *reference) keystream(tag string, high, low uint64) cipher.Stream {
	block, err := aes.NewCipher(r.key(tag))
	if err != nil {
		panic(err)
	}
	counter := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, high), low)
	return cipher.NewCTR(block, counter)
}

// choices reads numbers below n from a keystream.
type choices struct{ stream cipher.Stream }

func (r *reference) choices(tag string, start uint64) *choices {
	return &choices{r.keystream(tag, start, 0)}
}

func (c *choices) Below(n uint32) uint32 {
	accepted := (uint64(1) << 32) / uint64(n) * uint64(n)
	for {
		var word [4]byte
		c.stream.XORKeyStream(word[:], word[:])
		x := uint64(word[0])<<24 | uint64(word[1])<<16 | uint64(word[2])<<8 | uint64(word[3])
		if x < accepted {
			return uint32(x % uint64(n))
		}
	}
}

func (r *reference) unit(index uint32) Unit {
	u := Unit{Index: index, Tier: mechanic.Losing}
	r.keystream("talon/salt/v1", 0, uint64(index)).XORKeyStream(u.Salt[:], u.Salt[:])
	choose := r.choices("talon/layout/v1", uint64(index))
	if r.odds > 0 {
		u.Layout = []byte{0}
		if choose.Below(r.odds) == 0 {
			u.Layout[0] = 1
		}
		return u
	}
	if u.Tier = r.tiers[index]; u.Tier != mechanic.Losing {
		u.Prize = r.amounts[u.Tier]
	}
	u.Layout = make([]byte, r.mechanic.Cells())
	if err := r.mechanic.LayOut(u.Layout, u.Tier, choose); err != nil {
		panic(err)
	}
	return u
}

func encode(tag string, fields ...any) []byte {
	var encoded bytes.Buffer
	encoded.WriteByte(byte(len(tag)))
	encoded.WriteString(tag)
	for _, field := range fields {
		if err := binary.Write(&encoded, binary.BigEndian, field); err != nil {
			panic(err)
		}
	}
	return encoded.Bytes()
}

func (r *reference) leafData(u Unit) []byte {
	return encode("talon/unit/v1", r.id, uint64(u.Index), uint64(u.Prize), uint32(len(u.Layout)), u.Layout, u.Salt)
}

func (r *reference) leaf(u Unit) tlog.Hash { return tlog.RecordHash(r.leafData(u)) }

func (r *reference) playID(u Unit) []byte {
	digest := sha256.Sum256(encode("talon/play/v1", r.id, uint64(u.Index), u.Salt))
	return digest[:16]
}

func (r *reference) commitment() [32]byte {
	return sha256.Sum256(encode("talon/secret-commitment/v1", uint32(16), r.id, uint32(32), r.secret))
}

func referenceSaleLeaf(id [16]byte, index uint32, play [16]byte, at int64) tlog.Hash {
	return tlog.RecordHash(encode("talon/sale/v1", id, uint64(index), play, at))
}

// forest is a tree kept by the Go project's tlog.
type forest struct{ hashes []tlog.Hash }

// ReadHashes implements [tlog.HashReader].
func (f *forest) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		read[i] = f.hashes[index]
	}
	return read, nil
}

func (f *forest) append(t testing.TB, n int, leaf tlog.Hash) {
	stored, err := tlog.StoredHashesForRecordHash(int64(n), leaf, f)
	if err != nil {
		t.Fatal(err)
	}
	f.hashes = append(f.hashes, stored...)
}

func (f *forest) root(t testing.TB, size int) tlog.Hash {
	root, err := tlog.TreeHash(int64(size), f)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func (r *reference) root(t testing.TB) tlog.Hash {
	var f forest
	for index := range r.size {
		f.append(t, int(index), r.leaf(r.unit(index)))
	}
	return f.root(t, int(r.size))
}
