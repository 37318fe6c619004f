// Package vault keeps the secrets of blocks that are not opened, and opens units for sales.
//
// Its one promise: a clear secret, or a unit that is not sold, exists in the memory of this package
// and nowhere else. On disk secrets are encrypted with age; a unit leaves only for a batch of
// sales that names its range, and a range never serves two batches: the journal knows the newest
// range of each block before it is answered, across restarts and power cuts. A secret leaves only when
// the end of its block was shown, and from then on nothing of the block is opened, for ever. Nothing
// here prints an outcome or a secret.
//
// In-process the vault protects what is stored, logged and backed up. It does not protect from whoever
// controls the process itself; `talon vault` runs it as another user. docs/vault.md says what each
// proves, and has the formats of the files.
package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"filippo.io/age"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/custody"
)

// Config is what a [Vault] is made of.
type Config struct {
	Secrets   string // folder of identity, encrypted secrets and journal; readable by the vault alone
	Tiles     string // folder of the blocks' tiles files
	Random    io.Reader
	Catalogue *catalogue.Catalogue

	// Log, when set, is told of alarms and of what a crash left. It is told no secret and no outcome.
	Log *slog.Logger
	// Recipients are age recipients (age1…) that secrets are encrypted to besides the vault's own identity. They are added to
	// those that the folder has; secrets of blocks dealt before are not encrypted anew.
	Recipients []string
	// Ended checks the evidence that a block ended, against the operator's public log. Without it no secret is given out.
	Ended func(header block.Header, evidence custody.Evidence) error
	// JournalMost is the size in bytes above which the journal is written anew. Zero: [JournalMost].
	JournalMost int64
}

// Vault keeps secrets in a folder, one vault a folder. It is safe for concurrent use.
type Vault struct {
	config     Config
	identity   *age.X25519Identity
	recipients []age.Recipient // the vault's own first
	lock       *os.File
	journal    *journal

	mu      sync.Mutex // guards what follows
	dealers map[block.ID]*block.Dealer
	dealt   map[block.ID]bool // since the vault was opened
}

// Format prints "[vault]" for every verb.
func (*Vault) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[vault]") }

// Open opens the vault, and makes its folders, its identity and its journal when there are none. Call Close when done. It returns
// Unavailable with code vault_unreadable when the folders cannot be used, Conflict with code vault_in_use when another vault has
// the folder; and Corrupt with code identity_malformed when the identity cannot be read, identity_missing or journal_missing when
// there are secrets without it, and journal_damaged; and Invalid with code recipient_malformed.
func Open(config Config) (_ *Vault, err error) {
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if config.JournalMost == 0 {
		config.JournalMost = JournalMost
	}
	v := &Vault{config: config, dealers: make(map[block.ID]*block.Dealer), dealt: make(map[block.ID]bool)}
	if err := makeFolder(config.Secrets, 0o700); err != nil {
		return nil, err
	}
	if err := makeFolder(config.Tiles, 0o755); err != nil {
		return nil, err
	}
	if v.lock, err = lockFolder(config.Secrets); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = v.Close()
		}
	}()
	if err := v.openIdentity(); err != nil {
		return nil, err
	}
	if v.recipients, err = openRecipients(config.Secrets, config.Recipients, v.identity.Recipient()); err != nil {
		return nil, err
	}
	v.journal, err = openJournal(config.Secrets, config.JournalMost, config.Log)
	return v, err
}

// Close frees the folder. Nothing is opened afterwards.
func (v *Vault) Close() error {
	var errs []error
	if v.journal != nil {
		errs = append(errs, v.journal.close())
	}
	if v.lock != nil {
		errs = append(errs, v.lock.Close())
		v.lock = nil
	}
	return errors.Join(errs...)
}

func (v *Vault) openIdentity() error {
	text, err := os.ReadFile(filepath.Join(v.config.Secrets, identityFile))
	if errors.Is(err, fs.ErrNotExist) {
		if kept, _ := filepath.Glob(filepath.Join(v.config.Secrets, "*"+secretSuffix)); len(kept) > 0 {
			return fault.New(fault.Corrupt, "identity_missing", "the vault keeps %d secrets, and its identity is gone", len(kept)).
				Next("restore %s from its backup, or rebuild the vault from its recovery shares with `talon vault recover`; a new one could not open them", identityFile)
		}
		return v.makeIdentity()
	}
	if err != nil {
		return unreadable(err)
	}
	v.identity, err = age.ParseX25519Identity(string(trimLine(text)))
	if err != nil {
		return fault.New(fault.Corrupt, "identity_malformed", "the vault's identity cannot be read").
			Next("restore %s from its backup; without it the secrets of blocks on sale are lost", identityFile)
	}
	return nil
}

// makeIdentity makes an identity, and a journal before it: a folder with an identity always has one.
func (v *Vault) makeIdentity() (err error) {
	if v.identity, err = age.GenerateX25519Identity(); err != nil {
		return fault.New(fault.Unavailable, "entropy_unavailable", "the source of randomness failed: %w", err)
	}
	if err := newJournal(v.config.Secrets); err != nil && fault.CodeOf(err) != "journal_present" {
		return err
	}
	return writeDurably(v.config.Secrets, identityFile, 0o600, writeBytes([]byte(v.identity.String()+"\n")))
}

// Recipient is the age recipient of the vault's own identity: what parties encrypt their shares to. It is public.
func (v *Vault) Recipient() string { return v.identity.Recipient().String() }

// OpenUnits opens units for a batch of sales. Every secret is read before anything is bound; then all ranges are written to
// the journal, and flushed, at once; only then units are opened. The same ranges are opened again for the same batch only, so that a
// batch that must be tried again sells the same units to the same requests. A block's first range begins at 0. It returns Corrupt with
// code range_opened_twice, an alarm, when another batch asks for a unit that was opened, or when one would be skipped; Refused with code
// block_released or block_retired; Invalid with code index_outside_block beyond the block, or batch_malformed; NotFound with code
// secret_unknown for a block that it does not keep; Corrupt with code layout_not_prize when a unit does not read as its
// prize; and Unavailable with code vault_unreadable when the journal cannot be written: nothing was opened then, and it may be asked
// for again.
func (v *Vault) OpenUnits(ctx context.Context, batch custody.Batch, ranges ...custody.Range) error {
	if err := checkBatch(batch, ranges); err != nil {
		return err
	}
	dealers := make([]*block.Dealer, len(ranges))
	for at := range ranges {
		var err error
		if dealers[at], err = v.dealerOf(ranges[at].Header); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := v.journal.bind(batch, ranges); err != nil {
		return err
	}
	if err := openRanges(dealers, ranges); err != nil {
		return err
	}
	return ctx.Err()
}

// openRanges opens units that are bound.
func openRanges(dealers []*block.Dealer, ranges []custody.Range) error {
	for at, r := range ranges {
		for unit := range r.Into {
			if err := dealers[at].Unit(r.From+uint32(unit), &r.Into[unit]); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkBatch(batch custody.Batch, ranges []custody.Range) error {
	malformed := fault.New(fault.Invalid, "batch_malformed", "a batch is 1 to %d bytes with 1 to %d ranges of different blocks", custody.BatchBytesMost, custody.RangesMost)
	if len(batch) == 0 || len(batch) > custody.BatchBytesMost || len(ranges) == 0 || len(ranges) > custody.RangesMost {
		return malformed
	}
	for at := range ranges {
		for before := range at {
			if ranges[before].Header.ID == ranges[at].Header.ID {
				return malformed
			}
		}
	}
	return nil
}

// Bound gives the newest range that was opened of a block, with its batch: a seller that was stopped before it recorded the batch
// sells these units to these requests and to nobody else. Count is zero when no unit was opened. The batch is durable or will be
// before anything more is opened.
func (v *Vault) Bound(ctx context.Context, id block.ID) (custody.Bound, error) {
	return v.journal.standing(id).bound, ctx.Err()
}

// Forget drops what the vault holds in memory of a block that is sold out and recorded, and its newest batch.
func (v *Vault) Forget(id block.ID) {
	v.drop(id)
	v.journal.forget(id)
}

func (v *Vault) drop(id block.ID) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.dealers, id)
}

// dealerOf gives the dealer of a block, which must be the one that the header says.
func (v *Vault) dealerOf(header block.Header) (*block.Dealer, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if found, ok := v.dealers[header.ID]; ok {
		if found.Header() != header {
			return nil, fault.New(fault.Corrupt, "header_mismatch", "block %s is asked for under another header than before", header.ID).
				Next("find out who changed the record of the block")
		}
		return found, nil
	}
	secret, err := v.read(header.ID)
	if err != nil {
		return nil, err
	}
	made, err := v.dealer(header, secret)
	if err != nil {
		return nil, err
	}
	v.dealers[header.ID] = made
	return made, nil
}
