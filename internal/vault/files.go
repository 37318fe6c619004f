package vault

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/durable"
)

const (
	identityFile = "identity.txt" // the age identity that decrypts the secrets
	secretSuffix = ".secret.age"  // a block's secret, encrypted
	sharesSuffix = ".shares.age"  // what a block's secret was mixed from, encrypted
	tilesSuffix  = ".tiles"       // a block's tiles, public
)

// keep encrypts the secret of a block and writes it durably.
func (v *Vault) keep(id block.ID, secret block.Secret) error {
	clear := secret.Reveal()
	return v.keepEncrypted(id.String()+secretSuffix, clear[:])
}

func (v *Vault) keepEncrypted(name string, clear []byte) error {
	return writeDurably(v.config.Secrets, name, 0o600, encrypt(clear, v.recipients))
}

// encrypt writes bytes encrypted to recipients.
func encrypt(clear []byte, recipients []age.Recipient) func(io.Writer) error {
	return func(w io.Writer) error {
		encrypted, err := age.Encrypt(w, recipients...)
		if err != nil {
			return err
		}
		if _, err := encrypted.Write(clear); err != nil {
			return err
		}
		return encrypted.Close()
	}
}

// decrypt gives at most so many bytes of an encrypted file. Why it cannot be decrypted is not told.
func decrypt(encrypted []byte, identity age.Identity, most int64) ([]byte, error) {
	decrypted, err := age.Decrypt(bytes.NewReader(encrypted), identity)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(decrypted, most))
}

func (v *Vault) read(id block.ID) (block.Secret, error) {
	file, err := os.ReadFile(filepath.Join(v.config.Secrets, id.String()+secretSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return block.Secret{}, fault.New(fault.NotFound, "secret_unknown", "the vault keeps no secret of block %s", id).
			Next("restore the vault's folder from its backup; the block cannot be sold without it")
	}
	if err != nil {
		return block.Secret{}, unreadable(err)
	}
	kept, err := decrypt(file, v.identity, 64)
	if err != nil || len(kept) != 32 {
		return block.Secret{}, secretUnreadable(id)
	}
	return block.SecretFromBytes(kept)
}

func secretUnreadable(id block.ID) error {
	return fault.New(fault.Corrupt, "secret_unreadable", "the secret of block %s cannot be decrypted", id).
		Next("restore the vault's folder, with its identity, from one backup")
}

// TilesPath is the file of a block's tiles.
func (v *Vault) TilesPath(id block.ID) string { return TilesPath(v.config.Tiles, id) }

// TilesPath is the file of a block's tiles in a folder of tiles.
func TilesPath(folder string, id block.ID) string {
	return filepath.Join(folder, id.String()+tilesSuffix)
}

// Sweep removes what stopped deals left: files that were not finished, and tiles of blocks that are
// not known. What this vault dealt since it was opened stays: another seller may be about to record it.
// A secret is never removed, however unknown its block is: the database may be an older
// copy, and tiles can be made again but a secret cannot. It returns the number of files that it removed.
func (v *Vault) Sweep(known func(block.ID) bool) (int, error) {
	removed := 0
	for _, folder := range []string{v.config.Secrets, v.config.Tiles} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return removed, unreadable(err)
		}
		for _, entry := range entries {
			if !v.orphan(entry.Name(), known) {
				continue
			}
			if err := os.Remove(filepath.Join(folder, entry.Name())); err != nil {
				return removed, unreadable(err)
			}
			removed++
		}
	}
	return removed, nil
}

// orphan reports whether a file is a block's, and of no use. Other files that were not finished are written over by the next.
func (v *Vault) orphan(name string, known func(block.ID) bool) bool {
	text, rest, ok := strings.Cut(name, ".")
	var id block.ID
	if !ok || id.UnmarshalText([]byte(text)) != nil {
		return false
	}
	v.mu.Lock()
	mine := v.dealt[id]
	v.mu.Unlock()
	return !mine && (strings.HasSuffix(rest, durable.UnfinishedSuffix) || "."+rest == tilesSuffix && !known(id))
}

// writeDurably writes a file of a folder so that after a power cut it is whole or absent.
func writeDurably(folder, name string, mode os.FileMode, write func(io.Writer) error) error {
	err := durable.Replace(filepath.Join(folder, name), mode, write)
	if _, ok := errors.AsType[*fault.Error](err); ok || err == nil {
		return err
	}
	return unreadable(err)
}

// makeFolder makes a folder that survives a power cut, and takes from an old one the rights that are
// not to be given.
func makeFolder(folder string, mode os.FileMode) error {
	if err := os.MkdirAll(folder, mode); err != nil {
		return unreadable(err)
	}
	info, err := os.Stat(folder)
	if err == nil && info.Mode().Perm()&^mode != 0 {
		err = os.Chmod(folder, info.Mode().Perm()&mode)
	}
	if err == nil {
		err = durable.FlushFolder(filepath.Dir(folder))
	}
	if err != nil {
		return unreadable(err)
	}
	return nil
}

func unreadable(err error) error {
	return fault.New(fault.Unavailable, "vault_unreadable", "the vault's files cannot be read or written: %w", err).
		Next("check the folder, its rights and the room on its disk")
}

func trimLine(text []byte) []byte { return bytes.TrimSpace(text) }
