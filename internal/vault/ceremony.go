package vault

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/talonlottery/talon/beacon"
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
)

// DealMixed makes a block as [Vault.Deal] does, from a secret that nobody chose: each party's share is decrypted and must be what the
// party committed to, a beacon's round must be signed under the key that was named, and the secret is mixed from both (block.md,
// section 12). Shares are kept, encrypted, beside the secret, and given out with it. The ceremony decides everything, so a deal that was
// stopped may be asked for again and gives the same block. Errors: Conflict with code block_known when the vault has another secret of
// the identifier, or opened units of it; Refused with code contribution_mismatch; Invalid with code contribution_unreadable or ceremony_malformed; those of
// package beacon and of [block.MixSecret]; and those of Deal.
func (v *Vault) DealMixed(ctx context.Context, ceremony custody.Ceremony, progress func(done, total uint32)) (block.Deal, error) {
	header, err := v.newHeader(ceremony.ID, ceremony.Game, ceremony.Stake)
	if err != nil {
		return block.Deal{}, err
	}
	shares, err := v.openContributions(ceremony)
	if err != nil {
		return block.Deal{}, err
	}
	var randomness, signature []byte
	if named := ceremony.Beacon; named != nil {
		verified, err := beacon.Verify(named.Key, named.Round, named.Signature)
		if err != nil {
			return block.Deal{}, err
		}
		randomness, signature = verified[:], named.Signature
	}
	secret, err := block.MixSecret(ceremony.ID, shares, randomness)
	if err != nil {
		return block.Deal{}, err
	}
	v.begin(ceremony.ID)
	if err := v.keepMixed(ceremony.ID, secret, shares, signature); err != nil {
		return block.Deal{}, err
	}
	return v.deal(ctx, header, secret, progress)
}

// keepMixed keeps shares and secret. The same secret may be kept again: a ceremony fixes it, so a deal that was stopped deals
// the same block. Another secret of the same identifier is refused.
func (v *Vault) keepMixed(id block.ID, secret block.Secret, shares []block.Share, signature []byte) error {
	if now := v.journal.standing(id); now.bound.Count > 0 || now.life != lifeOpen {
		return blockKnown(id)
	}
	found, err := v.exists(id.String() + secretSuffix)
	if err != nil {
		return err
	}
	if found {
		kept, err := v.read(id)
		if err != nil {
			return err
		}
		if kept.Reveal() != secret.Reveal() {
			return blockKnown(id)
		}
	}
	// The shares go first: a secret without them could not be opened as it was mixed.
	kept := keptShares{Signature: signature}
	for _, share := range shares {
		revealed := share.Bytes.Reveal()
		kept.Shares = append(kept.Shares, keptShare{Party: share.Party, Share: revealed[:]})
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	if err := v.keepEncrypted(id.String()+sharesSuffix, text); err != nil || found {
		return err
	}
	return v.keep(id, secret)
}

func blockKnown(id block.ID) error {
	return fault.New(fault.Conflict, "block_known", "the vault has a block %s, of another secret or begun", id).
		Next("an identifier is dealt once: begin a new ceremony")
}

// openContributions decrypts the shares and compares each with its commitment.
func (v *Vault) openContributions(ceremony custody.Ceremony) ([]block.Share, error) {
	if len(ceremony.Contributions) == 0 || len(ceremony.Contributions) > block.PartiesMost || ceremony.ID == (block.ID{}) {
		return nil, fault.New(fault.Invalid, "ceremony_malformed", "a ceremony has an identifier and 1 to %d contributions", block.PartiesMost)
	}
	shares := make([]block.Share, 0, len(ceremony.Contributions))
	for _, contribution := range ceremony.Contributions {
		share, err := v.openContribution(ceremony.ID, contribution)
		if err != nil {
			return nil, err
		}
		shares = append(shares, share)
	}
	return shares, nil
}

func (v *Vault) openContribution(id block.ID, contribution custody.Contribution) (block.Share, error) {
	unreadable := fault.New(fault.Invalid, "contribution_unreadable", "the share of party %q cannot be decrypted by this vault", contribution.Party).
		Next("ask the party for a share encrypted to %s", v.Recipient())
	if len(contribution.Sealed) > custody.SealedMost {
		return block.Share{}, unreadable
	}
	clear, err := decrypt(contribution.Sealed, v.identity, 64)
	if err != nil || len(clear) != 32 {
		return block.Share{}, unreadable
	}
	drawn, err := block.SecretFromBytes(clear)
	if err != nil {
		return block.Share{}, unreadable
	}
	share := block.Share{Party: contribution.Party, Bytes: drawn}
	if share.Commitment(id) != contribution.Commitment {
		return block.Share{}, fault.New(fault.Refused, "contribution_mismatch", "the share of party %q is not the one that it committed to", contribution.Party).
			Next("ask the party for the share of this block; if it has none, give the ceremony up in the public log and begin a new one")
	}
	return share, nil
}

// SealShare encrypts a party's share to a vault's recipient, on the party's own machine. It returns Invalid with code
// recipient_malformed.
func SealShare(share block.Share, recipient string) ([]byte, error) {
	recipients, err := parseRecipients([]string{recipient})
	if err != nil {
		return nil, err
	}
	clear, sealed := share.Bytes.Reveal(), &bytes.Buffer{}
	if err := encrypt(clear[:], recipients)(sealed); err != nil {
		return nil, err
	}
	return sealed.Bytes(), nil
}

// keptShares is what a block's secret was mixed from, as it is kept, encrypted.
type keptShares struct {
	Shares    []keptShare `json:"shares"`
	Signature []byte      `json:"signature,omitempty"`
}

type keptShare struct {
	Party string `json:"party"`
	Share []byte `json:"share"`
}

const keptSharesMost = 64 << 10

// readShares gives what a block's secret was mixed from, or nothing when the vault drew it.
func (v *Vault) readShares(id block.ID) ([]block.Share, []byte, error) {
	file, err := os.ReadFile(filepath.Join(v.config.Secrets, id.String()+sharesSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, unreadable(err)
	}
	clear, err := decrypt(file, v.identity, keptSharesMost)
	var kept keptShares
	if err != nil || json.Unmarshal(clear, &kept) != nil {
		return nil, nil, secretUnreadable(id)
	}
	shares := make([]block.Share, 0, len(kept.Shares))
	for _, one := range kept.Shares {
		drawn, err := block.SecretFromBytes(one.Share)
		if err != nil {
			return nil, nil, secretUnreadable(id)
		}
		shares = append(shares, block.Share{Party: one.Party, Bytes: drawn})
	}
	return shares, kept.Signature, nil
}
