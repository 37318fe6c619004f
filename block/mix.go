package block

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
)

// PartiesMost is the most parties that a secret is mixed from.
const PartiesMost = 100

// Share is what one party contributes to a block's secret (docs/spec/block.md, section 12). Its bytes are as secret as a
// block's secret until the block is opened: it refuses to print them.
type Share struct {
	Party string
	Bytes Secret
}

// Format prints the party and "[secret]" for every verb.
func (s Share) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.Party+" "+redacted) }

// LogValue logs the party and "[secret]".
func (s Share) LogValue() slog.Value { return slog.StringValue(s.Party + " " + redacted) }

// NewShare draws a party's share from a source of randomness that is fit for keys. Errors as [NewSecret], and Invalid with
// code party_malformed.
func NewShare(party string, random io.Reader) (Share, error) {
	if err := checkParty(party); err != nil {
		return Share{}, err
	}
	drawn, err := NewSecret(random)
	return Share{Party: party, Bytes: drawn}, err
}

// Commitment commits the party to its share of a block's secret before anybody sees it.
func (s Share) Commitment(id ID) canon.Digest {
	revealed := s.Bytes.Reveal()
	return canon.Hash(canon.TagContribution, id[:], []byte(s.Party), revealed[:])
}

// MixSecret makes a block's secret from the shares of all parties, in the order of the ceremony, and the randomness of a
// beacon's round, which is empty without one and 32 bytes with one. As long as one share was drawn well and kept until all
// were committed to, nobody chose the result. It returns Invalid with code party_malformed, shares_malformed or
// randomness_malformed.
func MixSecret(id ID, shares []Share, randomness []byte) (Secret, error) {
	if len(shares) == 0 || len(shares) > PartiesMost {
		return Secret{}, fault.New(fault.Invalid, "shares_malformed", "a secret is mixed from 1 to %d shares, not %d", PartiesMost, len(shares))
	}
	if len(randomness) != 0 && len(randomness) != 32 {
		return Secret{}, fault.New(fault.Invalid, "randomness_malformed", "the randomness of a beacon's round is 32 bytes, not %d", len(randomness))
	}
	seen := make(map[string]bool, len(shares))
	fields := make([][]byte, 0, 2*len(shares)+2)
	fields = append(fields, id[:])
	for _, share := range shares {
		if err := checkParty(share.Party); err != nil {
			return Secret{}, err
		}
		if seen[share.Party] || share.Bytes.reveal == nil {
			return Secret{}, fault.New(fault.Invalid, "shares_malformed", "party %s has two shares, or none", share.Party)
		}
		seen[share.Party] = true
		revealed := share.Bytes.Reveal()
		fields = append(fields, []byte(share.Party), revealed[:])
	}
	return secretOf(canon.Hash(canon.TagSecretMix, append(fields, randomness)...)), nil
}

func checkParty(name string) error {
	if !game.ValidName(name) {
		return fault.New(fault.Invalid, "party_malformed", "a party's name is 1 to 40 lower-case letters, digits and hyphens, and begins with a letter")
	}
	return nil
}
