// Package entropy turns a secret into streams of unbiased numbers, by a published specification.
//
// Its one promise: the same secret and salt give the same numbers for ever, on any machine, and a
// number below n is exactly as likely as any other. It draws no randomness itself:
// secrets are arguments. The specification with test vectors is docs/spec/block.md.
package entropy

import (
	"crypto/aes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

// Key is a secret AES-256 key. It refuses to print itself. Its bytes are behind a function because
// the formatter cannot look into one: from an unexported field, where it may not call Format, it
// follows even a pointer when the verb does not fit. The zero Key is no key.
type Key struct{ reveal func() [32]byte }

// KeyFromBytes takes a key as it is, for checking the specification; blocks use [Derive].
func KeyFromBytes(bytes [32]byte) Key { return Key{reveal: func() [32]byte { return bytes }} }

// Format prints "[key]" for every verb.
func (Key) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("[key]")) }

// MarshalText writes "[key]", so that no encoder ever writes the key.
func (Key) MarshalText() ([]byte, error) { return []byte("[key]"), nil }

// Keys are the three keys of a block. Each serves one purpose and no other.
type Keys struct{ Shuffle, Layout, Salt Key }

// Derive gives the keys of a block: HKDF with SHA-256 (RFC 5869), the block's secret as input keying
// material, the block's identifier as salt and one tag a key as info. Two blocks never share a
// stream, for their identifiers differ. It returns Internal only where the platform refuses
// the algorithm.
func Derive(secret [32]byte, blockID []byte) (Keys, error) {
	var keys Keys
	for _, derived := range []struct {
		key *Key
		tag canon.Tag
	}{{&keys.Shuffle, canon.TagShuffle}, {&keys.Layout, canon.TagLayout}, {&keys.Salt, canon.TagSalt}} {
		material, err := hkdf.Key(sha256.New, secret[:], blockID, string(derived.tag), 32)
		if err != nil {
			return Keys{}, fault.New(fault.Internal, "derivation_refused", "the platform refuses HKDF with SHA-256: %w", err)
		}
		*derived.key = KeyFromBytes([32]byte(material))
	}
	return keys, nil
}

// Cipher is AES-256 under one key. It is safe for concurrent use and refuses to print itself.
// The prepared key is behind a function for the same reason as that of [Key].
type Cipher struct{ encrypt func(dst, src []byte) }

// Format prints "[cipher]" for every verb.
func (Cipher) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("[cipher]")) }

// NewCipher prepares a key. The zero Key is a defect of the caller and panics.
func NewCipher(key Key) *Cipher {
	bytes := key.reveal()
	block, err := aes.NewCipher(bytes[:])
	if err != nil {
		panic("entropy: AES-256 refuses a 32-byte key: " + err.Error()) // cannot happen: the size is fixed
	}
	return &Cipher{encrypt: block.Encrypt}
}

// Block fills dst with the i-th 16-byte block of the keystream whose counter begins at zero: the
// encryption of i as a 128-bit big-endian number. Salts are taken from it. It does not allocate: the
// counter is encrypted where the result is wanted.
func (c *Cipher) Block(i uint64, dst *[16]byte) {
	binary.BigEndian.PutUint64(dst[:8], 0)
	binary.BigEndian.PutUint64(dst[8:], i)
	c.encrypt(dst[:], dst[:])
}

// Stream is an AES-CTR keystream read as 32-bit numbers, most significant byte first. It is not safe
// for concurrent use. It does not allocate once made.
type Stream struct {
	cipher  *Cipher
	counter [16]byte
	buffer  [64]byte // four blocks of keystream
	used    int      // bytes of buffer already read
}

// Format prints "[stream]" for every verb: what is left in the buffer is still secret.
func (*Stream) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("[stream]")) }

// NewStream begins the keystream at the counter block start ‖ 0: 64 bits of start, then 64 bits that
// count blocks, both big-endian. Streams with different starts do not meet.
func NewStream(c *Cipher, start uint64) *Stream {
	s := new(Stream)
	s.Reset(c, start)
	return s
}

// Reset makes the stream begin anew, as [NewStream] does.
func (s *Stream) Reset(c *Cipher, start uint64) {
	s.cipher = c
	binary.BigEndian.PutUint64(s.counter[:8], start)
	binary.BigEndian.PutUint64(s.counter[8:], 0)
	s.used = len(s.buffer)
}

// Uint32 is the next number of the stream.
func (s *Stream) Uint32() uint32 {
	if s.used == len(s.buffer) {
		s.refill()
	}
	word := binary.BigEndian.Uint32(s.buffer[s.used:])
	s.used += 4
	return word
}

func (s *Stream) refill() {
	next := binary.BigEndian.Uint64(s.counter[8:])
	for at := 0; at < len(s.buffer); at += 16 {
		s.cipher.encrypt(s.buffer[at:at+16], s.counter[:])
		next++
		binary.BigEndian.PutUint64(s.counter[8:], next)
	}
	s.used = 0
}

// Below is a number from 0 to n-1, each exactly as likely if the stream is uniform. n is at least 1.
func (s *Stream) Below(n uint32) uint32 { return below(s.Uint32, n) }
