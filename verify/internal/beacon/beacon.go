// Package beacon verifies a round of a public beacon: block.md, section 12.
package beacon

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/cloudflare/circl/sign/bls"

	"github.com/talonlottery/talon/verify/internal/notation"
)

// Scheme is the only scheme that is known: signatures on G1, keys on G2 of BLS12-381.
const Scheme = "bls-unchained-g1-rfc9380"

// Verify says whether a signature is the beacon's for this round.
func Verify(key []byte, round uint64, signature []byte) bool {
	public := new(bls.PublicKey[bls.KeyG2SigG1])
	if err := public.UnmarshalBinary(key); err != nil || !public.Validate() {
		return false
	}
	return bls.Verify(public, message(round), signature)
}

func message(round uint64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
	return sum[:]
}

// Randomness is what a round gives to the mix of a secret.
func Randomness(signature []byte) notation.Digest {
	return sha256.Sum256(signature)
}
