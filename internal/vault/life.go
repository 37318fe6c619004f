package vault

import (
	"context"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
)

// Retire says that nothing more of a block is opened: it was taken from sale for ever. There is no way back. Its secret stays
// kept until [Vault.Release]. It may be repeated. It returns NotFound with code secret_unknown, and vault_unreadable.
func (v *Vault) Retire(ctx context.Context, id block.ID) error {
	if _, err := v.read(id); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := v.journal.end(id, lifeRetired); err != nil {
		return err
	}
	v.drop(id)
	return nil
}

// Release gives out the secret of a block that ended, with the shares that it was mixed from, if it was: for everybody, to check
// the block. Before it answers it is durable that nothing of the block is opened any more, for ever. It may be repeated, with
// evidence each time. It returns what the configured check of evidence returns; Refused with code release_not_possible when there is no
// such check; NotFound with code secret_unknown; Corrupt with code secret_unreadable or header_mismatch; Invalid with code
// evidence_malformed; and vault_unreadable.
func (v *Vault) Release(ctx context.Context, header block.Header, evidence custody.Evidence) (custody.Released, error) {
	if v.config.Ended == nil {
		return custody.Released{}, fault.New(fault.Refused, "release_not_possible", "this vault has no public log to check the end of a block against").
			Next("start the vault with the operator's public key")
	}
	if err := evidence.Check(); err != nil {
		return custody.Released{}, err
	}
	secret, err := v.read(header.ID)
	if err != nil {
		return custody.Released{}, err
	}
	shares, signature, err := v.readShares(header.ID)
	if err != nil {
		return custody.Released{}, err
	}
	if err := v.config.Ended(header, evidence); err != nil {
		return custody.Released{}, err
	}
	if err := ctx.Err(); err != nil {
		return custody.Released{}, err
	}
	if err := v.journal.end(header.ID, lifeReleased); err != nil {
		return custody.Released{}, err
	}
	v.drop(header.ID)
	return custody.Released{Secret: secret, Shares: shares, Signature: signature}, nil
}

// Adopt takes over blocks of a folder whose journal does not know them: how many units of each were sold. It is for folders that
// never had a journal, or whose journal is lost for good; the numbers come from the database, and whoever gives them answers for it.
// The next range of each block begins there. It returns Conflict with code block_known for a block that the journal knows: nothing is
// adopted then.
func Adopt(config Config, sold map[block.ID]uint32) error {
	if err := newJournal(config.Secrets); err != nil && fault.CodeOf(err) != "journal_present" {
		return err
	}
	v, err := Open(config)
	if err != nil {
		return err
	}
	defer v.Close()
	for id := range sold {
		if now := v.journal.standing(id); now.bound.Count > 0 || now.life != lifeOpen {
			return fault.New(fault.Conflict, "block_known", "the journal knows block %s already", id).
				Next("name only blocks that it does not know")
		}
		if _, err := v.read(id); err != nil {
			return err
		}
	}
	for id, count := range sold {
		if count == 0 {
			continue
		}
		all := custody.Range{Header: block.Header{ID: id, Size: count}, Into: make([]block.Unit, count)}
		if err := v.journal.bind(adopted, []custody.Range{all}); err != nil {
			return err
		}
	}
	return nil
}

// adopted is the batch that units are bound to that were sold before the journal began: that of no seller.
var adopted = custody.Batch("adopted")
