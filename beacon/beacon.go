// Package beacon verifies rounds of a public randomness beacon.
//
// Its one promise: randomness comes out only of a round that was signed under the key that was pinned before the round existed, so
// nobody, the beacon's single members included, chose it. The scheme is drand's bls-unchained-g1-rfc9380 (docs/spec/block.md, section
// 12): signatures on G1 of BLS12-381, keys on G2, the curve hash of RFC 9380, over SHA-256 of the round's number. It asks no network.
package beacon

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/cloudflare/circl/sign/bls"

	"github.com/talonlottery/talon/fault"
)

// Scheme is the name of the only scheme that is known.
const Scheme = "bls-unchained-g1-rfc9380"

// Sizes of what a round is checked with, in bytes: points of BLS12-381, compressed.
const (
	KeyBytes       = 96 // on G2
	SignatureBytes = 48 // on G1
)

// Verify checks the signature of a round under a pinned key and gives the round's randomness, SHA-256 of the signature. Rounds count
// from 1. It returns Invalid with code beacon_key_malformed, beacon_round_malformed or beacon_signature_malformed, and Refused with code
// beacon_not_verified when the signature is not that of the round under the key.
func Verify(key []byte, round uint64, signature []byte) ([32]byte, error) {
	if len(key) != KeyBytes {
		return [32]byte{}, keyMalformed()
	}
	var public bls.PublicKey[bls.KeyG2SigG1]
	if err := public.UnmarshalBinary(key); err != nil || !public.Validate() {
		return [32]byte{}, keyMalformed()
	}
	if round == 0 {
		return [32]byte{}, fault.New(fault.Invalid, "beacon_round_malformed", "rounds of a beacon count from 1")
	}
	if len(signature) != SignatureBytes {
		return [32]byte{}, fault.New(fault.Invalid, "beacon_signature_malformed", "a signature of a round is %d bytes, not %d", SignatureBytes, len(signature))
	}
	if message := message(round); !bls.Verify(&public, message[:], signature) {
		return [32]byte{}, fault.New(fault.Refused, "beacon_not_verified", "the signature is not that of round %d under the pinned key", round).
			Next("fetch the round again, and compare the key with the one that was published before it")
	}
	return sha256.Sum256(signature), nil
}

// message is what the members of the beacon sign.
func message(round uint64) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
}

func keyMalformed() error {
	return fault.New(fault.Invalid, "beacon_key_malformed", "a beacon's key is %d bytes: a point of G2 of BLS12-381, compressed", KeyBytes)
}
