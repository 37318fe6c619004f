package entropy

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// The functions of this file follow docs/spec/block.md by other building blocks than the package:
// HMAC by hand, the platform's counter mode, and 64-bit arithmetic. They write the test vectors.

// expandOnce is the first round of HKDF-Expand: all that a key of 32 bytes needs.
func expandOnce(pseudorandom []byte, info string) []byte {
	mac := hmac.New(sha256.New, pseudorandom)
	mac.Write([]byte(info))
	mac.Write([]byte{1})
	return mac.Sum(nil)
}

func referenceKey(secret [32]byte, blockID [16]byte, tag string) [32]byte {
	mac := hmac.New(sha256.New, blockID[:])
	mac.Write(secret[:])
	return [32]byte(expandOnce(mac.Sum(nil), tag))
}

// referenceWords is the stream as 32-bit numbers.
func referenceWords(key [32]byte, start uint64, count int) []uint32 {
	var counter [16]byte
	binary.BigEndian.PutUint64(counter[:], start)
	stream := keystream(key, counter, 4*count)
	words := make([]uint32, count)
	for i := range words {
		words[i] = uint32(stream[4*i])<<24 | uint32(stream[4*i+1])<<16 | uint32(stream[4*i+2])<<8 | uint32(stream[4*i+3])
	}
	return words
}

// referenceBelow takes one number below n from words and gives what is left of them.
func referenceBelow(words []uint32, n uint32) (uint32, []uint32) {
	accepted := (uint64(1) << 32) / uint64(n) * uint64(n)
	for uint64(words[0]) >= accepted {
		words = words[1:]
	}
	return words[0] % n, words[1:]
}

// referenceShuffle is the permutation of 0 … n-1 that a stream makes.
func referenceShuffle(words []uint32, n int) []uint32 {
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	for i := uint32(n) - 1; i > 0; i-- {
		var j uint32
		j, words = referenceBelow(words, i+1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}
