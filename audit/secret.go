package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cloudflare/circl/sign/bls"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/publiclog"
)

// The domains of contributions (docs/spec/block.md, section 12).
const (
	tagContribution canon.Tag = "talon/contribution/v1"
	tagSecretMix    canon.Tag = "talon/secret-mix/v1"
)

// beaconScheme is the one scheme of beacons that is read: signatures on G1, keys on G2.
const beaconScheme = "bls-unchained-g1-rfc9380"

// checkSecret takes steps 2 to 4.
func (c *checker) checkSecret() {
	if c.header.Commitment(c.opening.Secret) != c.seal.Commitment {
		c.find("commitment_wrong", c.entry(c.history.Opening.Index), "the secret is not the one that the seal committed to")
	}
	c.checkMix()
	c.checkDerivable()
}

// checkMix takes step 3: shares, beacon, mix.
func (c *checker) checkMix() {
	if len(c.seal.Contributions) == 0 && len(c.opening.Shares) == 0 && c.seal.Beacon == nil {
		return
	}
	where := c.entry(c.history.Opening.Index)
	fields, whole := [][]byte{c.seal.Block[:]}, true
	for _, pledge := range c.seal.Contributions {
		share, ok := c.share(pledge.Party)
		if !ok {
			c.find("share_wrong", where, "the share of %s is missing", pledge.Party)
			whole = false
			continue
		}
		if canon.Hash(tagContribution, c.seal.Block[:], []byte(pledge.Party), share[:]) != pledge.Commitment {
			c.find("share_wrong", where, "the share of %s is not the one that it committed to", pledge.Party)
		}
		fields = append(fields, []byte(pledge.Party), share[:])
	}
	for _, share := range c.opening.Shares {
		if !slices.ContainsFunc(c.seal.Contributions, func(p publiclog.Pledge) bool { return p.Party == share.Party }) {
			c.find("share_wrong", where, "nobody committed to the share of %s", share.Party)
		}
	}
	var randomness []byte
	if c.seal.Beacon != nil {
		if why := verifyRound(c.seal.Beacon, c.opening.Signature); why != "" {
			c.find("beacon_wrong", where, "%s", why)
		}
		sum := sha256.Sum256(c.opening.Signature)
		randomness = sum[:]
		whole = whole && len(c.opening.Signature) > 0
	}
	mixed := len(c.seal.Contributions) > 0 || c.seal.Beacon != nil
	if mixed && whole && canon.Hash(tagSecretMix, append(fields, randomness)...) != c.opening.Secret.Reveal() {
		c.find("mix_wrong", where, "the secret is not the mix of the shares")
	}
}

func (c *checker) share(party string) ([32]byte, bool) {
	for _, share := range c.opening.Shares {
		if share.Party == party {
			return share.Share.Reveal(), true
		}
	}
	return [32]byte{}, false
}

// verifyRound checks a beacon's signature of a round, and says what is wrong with it.
func verifyRound(b *publiclog.Beacon, signature []byte) string {
	if len(signature) == 0 {
		return "the signature of the beacon's round is missing"
	}
	if b.Scheme != beaconScheme {
		return fmt.Sprintf("the beacon's scheme is %q, and only %s can be checked", b.Scheme, beaconScheme)
	}
	var key bls.PublicKey[bls.KeyG2SigG1]
	if err := key.UnmarshalBinary(b.Key); err != nil {
		return "the beacon's key is not one"
	}
	message := sha256.Sum256(binary.BigEndian.AppendUint64(nil, b.Round))
	if !bls.Verify(&key, message[:], signature) {
		return fmt.Sprintf("the signature is not that of the beacon's round %d", b.Round)
	}
	return ""
}

// checkDerivable takes step 4: nothing that was public before the seal may give the secret or a share.
func (c *checker) checkDerivable() {
	c.derivable("the secret", c.opening.Secret)
	for _, share := range c.opening.Shares {
		c.derivable("the share of "+share.Party, share.Share)
	}
}

func (c *checker) derivable(name string, secret block.Secret) {
	value := canon.Digest(secret.Reveal())
	is := func(x []byte) bool { return bytes.Equal(value[:], x) || value == sha256.Sum256(x) }
	id, definition := c.seal.Block[:], c.seal.Definition[:]
	for _, known := range []struct {
		what string
		x    []byte
	}{
		{"the block's identifier", id},
		{"the definition's hash", definition},
		{"the block's identifier and the definition's hash", append(append([]byte(nil), id...), definition...)},
		{"the seal's commitment", c.seal.Commitment[:]},
		{"the seal's root", c.seal.Root[:]},
	} {
		if is(known.x) {
			c.find("secret_derivable", c.entry(c.history.Opening.Index), "%s follows from %s", name, known.what)
			return
		}
	}
	for at, d := range c.publication.derived[:c.history.Seal.Index] {
		if value == d.entry || value == d.leaf || value == d.leafHash || d.opens && (value == d.secret || value == d.secretHash) {
			c.find("secret_derivable", c.entry(c.history.Opening.Index), "%s follows from entry %d of the log", name, at)
			return
		}
	}
}
