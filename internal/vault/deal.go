package vault

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
)

// Deal makes a block of a game at a stake, or of a jackpot's participations: a new secret, encrypted
// and durable before anything else, then every unit dealt, read back and recounted, and its tiles
// durable before Deal returns. Stopped at any instant it leaves a whole block or files that
// [Vault.Sweep] removes. Errors as [block.Dealer.Deal], and vault_unreadable.
func (v *Vault) Deal(ctx context.Context, game string, stake int, progress func(done, total uint32)) (block.Deal, error) {
	var id block.ID
	if _, err := io.ReadFull(v.config.Random, id[:]); err != nil {
		return block.Deal{}, fault.New(fault.Unavailable, "entropy_unavailable", "the source of randomness failed: %w", err)
	}
	header, err := v.newHeader(id, game, stake)
	if err != nil {
		return block.Deal{}, err
	}
	secret, err := block.NewSecret(v.config.Random)
	if err != nil {
		return block.Deal{}, err
	}
	v.begin(id)
	if err := v.keep(id, secret); err != nil {
		return block.Deal{}, err
	}
	return v.deal(ctx, header, secret, progress)
}

// begin notes that a block is being dealt: its files are no leftovers.
func (v *Vault) begin(id block.ID) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dealt[id] = true
}

// deal deals a block whose secret is kept.
func (v *Vault) deal(ctx context.Context, header block.Header, secret block.Secret, progress func(done, total uint32)) (deal block.Deal, err error) {
	dealer, err := v.dealer(header, secret)
	if err != nil {
		return block.Deal{}, err
	}
	err = writeDurably(v.config.Tiles, header.ID.String()+tilesSuffix, 0o644, func(w io.Writer) (err error) {
		deal, err = dealer.Deal(ctx, w, progress)
		return err
	})
	return deal, err
}

// newHeader is the header of a block to be dealt.
func (v *Vault) newHeader(id block.ID, game string, stake int) (block.Header, error) {
	header := block.Header{Version: block.Version, ID: id, Game: game, Stake: stake}
	if jackpot, err := v.config.Catalogue.Jackpot(game); err == nil {
		header.Definition, header.Price, header.Size = jackpot.Hash, jackpot.Price, jackpot.BlockSize
		return header, nil
	}
	found, err := v.config.Catalogue.Game(game)
	if err != nil {
		return header, err
	}
	if stake < 0 || stake >= len(found.Stakes) {
		return header, fault.New(fault.Invalid, "stake_unknown", "%s has %d stakes", game, len(found.Stakes))
	}
	header.Definition, header.Price, header.Size = found.Hash, found.Stakes[stake].Price, found.BlockSize
	return header, nil
}

func (v *Vault) dealer(header block.Header, secret block.Secret) (*block.Dealer, error) {
	if jackpot, err := v.config.Catalogue.Jackpot(header.Game); err == nil {
		return block.NewDrawDealer(header, secret, jackpot)
	}
	found, err := v.config.Catalogue.Game(header.Game)
	if err != nil {
		return nil, err
	}
	if header.Stake < 0 || header.Stake >= len(found.Mechanics) {
		return nil, fault.New(fault.Invalid, "stake_unknown", "%s has %d stakes", header.Game, len(found.Mechanics))
	}
	return block.NewDealer(header, secret, found.Definition, found.Mechanics[header.Stake])
}

// exists reports whether the vault has a file.
func (v *Vault) exists(name string) (bool, error) {
	_, err := os.Lstat(filepath.Join(v.config.Secrets, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, unreadable(err)
	}
	return true, nil
}
