// Package stream draws the numbers that a block's secret decides: keys, keystreams, numbers below a limit, shuffles and salts, as
// block.md, sections 3 to 6, says.
package stream

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"

	"github.com/talonlottery/talon/verify/internal/notation"
)

// Keys are the three AES-256 keys of a block.
type Keys struct {
	Shuffle, Layout, Salt notation.Digest
}

// KeysOf derives the keys: block.md, section 3.
func KeysOf(id notation.ID, secret notation.Digest) Keys {
	derive := func(info string) notation.Digest {
		key, err := hkdf.Key(sha256.New, secret[:], id[:], info, 32)
		if err != nil {
			panic(err) // 32 bytes are never too many
		}
		return notation.Digest(key)
	}
	return Keys{derive(notation.InfoShuffle), derive(notation.InfoLayout), derive(notation.InfoSalt)}
}

// Words is a source of numbers from 0 to 2³² − 1.
type Words interface{ Word() uint32 }

// Stream is the AES-256-CTR keystream of block.md, section 4. It is for one goroutine.
type Stream struct {
	block   cipher.Block
	counter [16]byte
	buffer  [16]byte
	used    int // bytes of buffer that were read
}

// New makes the stream of a key, at start 0.
func New(key notation.Digest) *Stream {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // 32 bytes are a key
	}
	s := &Stream{block: block}
	s.Restart(0)
	return s
}

// Restart begins stream(key, start).
func (s *Stream) Restart(start uint64) {
	binary.BigEndian.PutUint64(s.counter[:8], start)
	binary.BigEndian.PutUint64(s.counter[8:], 0)
	s.used = len(s.buffer)
}

// Word reads the next number.
func (s *Stream) Word() uint32 {
	if s.used == len(s.buffer) {
		s.block.Encrypt(s.buffer[:], s.counter[:])
		s.used = 0
		// The counter is one big-endian number of 128 bits.
		low := binary.BigEndian.Uint64(s.counter[8:]) + 1
		binary.BigEndian.PutUint64(s.counter[8:], low)
		if low == 0 {
			binary.BigEndian.PutUint64(s.counter[:8], binary.BigEndian.Uint64(s.counter[:8])+1)
		}
	}
	x := binary.BigEndian.Uint32(s.buffer[s.used:])
	s.used += 4
	return x
}

// Below is Below(n) on the stream.
func (s *Stream) Below(n uint32) uint32 { return Below(s, n) }

// Below gives a number from 0 to n − 1, each as likely as another: block.md, section 4. n is at least 1.
func Below[W Words](words W, n uint32) uint32 {
	for {
		x := words.Word()
		// 2³² mod n is below n, so that the division is seldom needed: only when x is among the last n numbers.
		if x < -n {
			return x % n
		}
		if rest := uint32((1 << 32) % uint64(n)); x <= 1<<32-1-rest {
			return x % n
		}
	}
}

// Shuffle exchanges items as block.md, section 5, says.
func Shuffle[T any](s *Stream, items []T) {
	for i := len(items) - 1; i >= 1; i-- {
		j := s.Below(uint32(i + 1))
		items[i], items[j] = items[j], items[i]
	}
}

// Salts gives the salts of a block's units: block.md, section 6. It is for one goroutine.
type Salts struct {
	block   cipher.Block
	counter [16]byte
	salt    notation.Salt
}

// NewSalts makes the salts of a salt key.
func NewSalts(key notation.Digest) *Salts {
	return &Salts{block: New(key).block}
}

// Salt is the salt of a unit.
func (s *Salts) Salt(index uint64) notation.Salt {
	binary.BigEndian.PutUint64(s.counter[8:], index)
	s.block.Encrypt(s.salt[:], s.counter[:])
	return s.salt
}
