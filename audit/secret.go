package audit

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/talonlottery/talon/beacon"
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/publiclog"
)

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
	where := c.entry(c.history.Opening.Index)
	shares, whole := c.checkShares(where)
	var randomness []byte
	if b := c.seal.Beacon; b != nil {
		if len(c.opening.Signature) == 0 {
			c.find("beacon_wrong", where, "the signature of the beacon's round is missing")
			return
		}
		if why := verifyRound(b, c.opening.Signature); why != "" {
			c.find("beacon_wrong", where, "%s", why)
		}
		sum := sha256.Sum256(c.opening.Signature)
		randomness = sum[:]
	}
	if !whole || len(shares) == 0 {
		return
	}
	if mixed, err := block.MixSecret(c.seal.Block, shares, randomness); err != nil || mixed.Reveal() != c.opening.Secret.Reveal() {
		c.find("mix_wrong", where, "the secret is not the mix of the shares")
	}
}

// checkShares gives the shares in the order of the seal, and whether none is missing.
func (c *checker) checkShares(where string) (shares []block.Share, whole bool) {
	whole = true
	for _, pledge := range c.seal.Contributions {
		at := slices.IndexFunc(c.opening.Shares, func(s publiclog.Share) bool { return s.Party == pledge.Party })
		if at < 0 {
			c.find("share_wrong", where, "the share of %s is missing", pledge.Party)
			whole = false
			continue
		}
		share := block.Share{Party: pledge.Party, Bytes: c.opening.Shares[at].Share}
		if share.Commitment(c.seal.Block) != pledge.Commitment {
			c.find("share_wrong", where, "the share of %s is not the one that it committed to", pledge.Party)
		}
		shares = append(shares, share)
	}
	for _, share := range c.opening.Shares {
		if !slices.ContainsFunc(c.seal.Contributions, func(p publiclog.Pledge) bool { return p.Party == share.Party }) {
			c.find("share_wrong", where, "nobody committed to the share of %s", share.Party)
		}
	}
	return shares, whole
}

// verifyRound checks a beacon's signature of a round, and says what is wrong with it.
func verifyRound(b *publiclog.Beacon, signature []byte) string {
	if b.Scheme != beacon.Scheme {
		return fmt.Sprintf("the beacon's scheme is %q, and only %s can be checked", b.Scheme, beacon.Scheme)
	}
	if _, err := beacon.Verify(b.Key, b.Round, signature); err != nil {
		return err.Error()
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
