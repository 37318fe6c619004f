// Package vault keeps the secrets of blocks that are not opened, and opens units for sales.
//
// Its one promise: a clear secret, or a unit that is not sold, exists in the memory of this package
// and nowhere else. On disk secrets are encrypted with age; a unit leaves only for a batch of
// sales that names its range, and a range never serves two batches. Nothing here prints an
// outcome or a secret.
//
// In-process, as here, the vault protects what is stored, logged and backed up. It does not protect
// from whoever controls the process itself.
package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"filippo.io/age"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
)

const (
	identityFile = "identity.txt" // the age identity that decrypts the secrets
	secretSuffix = ".secret.age"  // a block's secret, encrypted
	tilesSuffix  = ".tiles"       // a block's tiles, public
)

// Config is what a [Vault] is made of. All fields are needed.
type Config struct {
	Secrets   string // folder of identity and encrypted secrets; readable by the vault alone
	Tiles     string // folder of the blocks' tiles files
	Random    io.Reader
	Catalogue *catalogue.Catalogue
}

// Vault keeps secrets in a folder. It is safe for concurrent use.
type Vault struct {
	config   Config
	identity *age.X25519Identity

	mu      sync.Mutex // guards dealers
	dealers map[block.ID]*opener
}

// Format prints "[vault]" for every verb.
func (*Vault) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[vault]") }

// opener opens the units of one block, range after range.
type opener struct {
	mu     sync.Mutex // guards what follows; held while a range is opened
	dealer *block.Dealer
	last   opened
}

// opened is the newest range that was opened. Ranges before it were sold.
type opened struct {
	from, count uint32
	batch       canon.Digest
}

// Open opens the vault, and makes its folders and its identity when there are none. It returns
// Unavailable with code vault_unreadable when the folders cannot be used, and Corrupt with code
// identity_malformed when the identity cannot be read or identity_missing when there are secrets
// without it.
func Open(config Config) (*Vault, error) {
	v := &Vault{config: config, dealers: make(map[block.ID]*opener)}
	if err := makeFolder(config.Secrets, 0o700); err != nil {
		return nil, err
	}
	if err := makeFolder(config.Tiles, 0o755); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(config.Secrets, identityFile))
	if errors.Is(err, fs.ErrNotExist) {
		if kept, _ := filepath.Glob(filepath.Join(config.Secrets, "*"+secretSuffix)); len(kept) > 0 {
			return nil, fault.New(fault.Corrupt, "identity_missing", "the vault keeps %d secrets, and its identity is gone", len(kept)).
				Next("restore %s from its backup; a new one could not open them", identityFile)
		}
		return v, v.makeIdentity()
	}
	if err != nil {
		return nil, unreadable(err)
	}
	v.identity, err = age.ParseX25519Identity(string(trimLine(text)))
	if err != nil {
		return nil, fault.New(fault.Corrupt, "identity_malformed", "the vault's identity cannot be read").
			Next("restore %s from its backup; without it the secrets of blocks on sale are lost", identityFile)
	}
	return v, nil
}

func (v *Vault) makeIdentity() error {
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		return fault.New(fault.Unavailable, "entropy_unavailable", "the source of randomness failed: %w", err)
	}
	v.identity = identity
	return writeDurably(v.config.Secrets, identityFile, 0o600, func(w io.Writer) error {
		_, err := io.WriteString(w, identity.String()+"\n")
		return err
	})
}

// Deal makes a block of a game at a stake, or of a jackpot's participations: a new secret, encrypted
// and durable before anything else, then every unit dealt, read back and recounted, and its tiles
// durable before Deal returns. Stopped at any instant it leaves a whole block or files that
// [Vault.Sweep] removes. Errors as [block.Dealer.Deal], and vault_unreadable.
func (v *Vault) Deal(ctx context.Context, game string, stake int, progress func(done, total uint32)) (block.Deal, error) {
	header, err := v.newHeader(game, stake)
	if err != nil {
		return block.Deal{}, err
	}
	secret, err := block.NewSecret(v.config.Random)
	if err != nil {
		return block.Deal{}, err
	}
	if err := v.keep(header.ID, secret); err != nil {
		return block.Deal{}, err
	}
	dealer, err := v.dealer(header, secret)
	if err != nil {
		return block.Deal{}, err
	}
	var deal block.Deal
	err = writeDurably(v.config.Tiles, header.ID.String()+tilesSuffix, 0o644, func(w io.Writer) (err error) {
		deal, err = dealer.Deal(ctx, w, progress)
		return err
	})
	return deal, err
}

// newHeader is the header of a block to be dealt, with an identifier that no block has.
func (v *Vault) newHeader(game string, stake int) (block.Header, error) {
	header := block.Header{Version: block.Version, Game: game, Stake: stake}
	if _, err := io.ReadFull(v.config.Random, header.ID[:]); err != nil {
		return header, fault.New(fault.Unavailable, "entropy_unavailable", "the source of randomness failed: %w", err)
	}
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

// OpenUnits opens units from one on, as many as into holds, for the batch of sales with a digest. The same range is
// opened again for the same batch only, so that a batch that must be tried again sells the same
// units to the same requests. It returns Corrupt with code range_opened_twice, an alarm, when another
// batch asks for a unit that was opened, or when one would be skipped; Invalid with code
// index_outside_block beyond the block; NotFound with code secret_unknown for a block that it does
// not keep; and Corrupt with code layout_not_prize when a unit does not read as its prize.
func (v *Vault) OpenUnits(ctx context.Context, header block.Header, from uint32, batch canon.Digest, into []block.Unit) error {
	o, err := v.opener(header)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	asked := opened{from: from, count: uint32(len(into)), batch: batch}
	if err := o.allow(header, asked); err != nil {
		return err
	}
	for at := range into {
		if err := o.dealer.Unit(from+uint32(at), &into[at]); err != nil {
			return err
		}
	}
	o.last = asked
	return ctx.Err()
}

// allow decides whether a range may be opened after what was opened before. After a restart the
// first range is taken as it comes: the store says where the sale of the block stands.
func (o *opener) allow(header block.Header, asked opened) error {
	if asked.count == 0 || uint64(asked.from)+uint64(asked.count) > uint64(header.Size) {
		return fault.New(fault.Invalid, "index_outside_block", "units %d to %d are not all in block %s", asked.from, uint64(asked.from)+uint64(asked.count)-1, header.ID)
	}
	if o.last.count == 0 || asked == o.last || asked.from == o.last.from+o.last.count {
		return nil
	}
	return fault.New(fault.Corrupt, "range_opened_twice", "a batch asks for units of block %s that were opened for another, or skips some", header.ID).
		Next("stop sales of this block and find out who asked: this must never happen")
}

// Forget drops what the vault holds in memory of a block that is sold out.
func (v *Vault) Forget(id block.ID) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.dealers, id)
}

func (v *Vault) opener(header block.Header) (*opener, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if found, ok := v.dealers[header.ID]; ok {
		return found, nil
	}
	secret, err := v.read(header.ID)
	if err != nil {
		return nil, err
	}
	dealer, err := v.dealer(header, secret)
	if err != nil {
		return nil, err
	}
	made := &opener{dealer: dealer}
	v.dealers[header.ID] = made
	return made, nil
}
