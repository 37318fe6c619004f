package vault

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"github.com/talonlottery/talon/fault"
)

// AddRecipient adds a recipient to a vault's folder, durably, and encrypts every secret and share that the folder has anew, so that
// the recipient opens the blocks that were dealt before, too. The vault must not be running. It gives the number of files. It is safe to
// do again after a stop. Errors as [Open], and Corrupt with code secret_unreadable.
func AddRecipient(config Config, recipient string) (int, error) {
	config.Recipients = append(config.Recipients, recipient)
	v, err := Open(config)
	if err != nil {
		return 0, err
	}
	defer v.Close()
	return v.encryptAnew(config.Secrets, v.identity)
}

// Rebuild makes a new vault's folder from the encrypted files of a lost one and an identity that opens them: a new identity, every
// secret and share encrypted to it and to the folder's other recipients, and the journal as it was. It gives the number of files. It
// returns Conflict with code vault_present when the new folder has a vault; Corrupt with code journal_missing when the old
// files have no journal, after everything else was done; and Corrupt with code secret_unreadable, with the file's name, for a file
// that the identity does not open.
func Rebuild(config Config, from string, identity age.Identity) (files int, err error) {
	if entries, err := os.ReadDir(config.Secrets); err == nil && len(entries) > 0 {
		return 0, fault.New(fault.Conflict, "vault_present", "the new folder is not empty").Next("name a folder that does not exist yet")
	}
	if err := makeFolder(config.Secrets, 0o700); err != nil {
		return 0, err
	}
	journal, journalErr := os.ReadFile(filepath.Join(from, journalFile))
	if journalErr == nil {
		if err := writeDurably(config.Secrets, journalFile, 0o600, writeBytes(journal)); err != nil {
			return 0, err
		}
	}
	if config.Recipients, err = readRecipients(from); err != nil {
		return 0, err
	}
	v, err := Open(config) // makes the identity, and a journal if there is none
	if err != nil {
		return 0, err
	}
	if files, err = v.encryptAnew(from, identity); err != nil {
		return files, errors.Join(err, v.Close())
	}
	if err := v.Close(); err != nil {
		return files, err
	}
	if journalErr != nil { // an empty one would forget what was opened: adopting is for a person to decide
		if err := os.Remove(filepath.Join(config.Secrets, journalFile)); err != nil {
			return files, unreadable(err)
		}
		return files, fault.New(fault.Corrupt, "journal_missing", "%d files were recovered, and the old files have no journal", files).
			Next("find the newest copy of the journal; if there is none, take the blocks over with `talon vault adopt` and the database's numbers")
	}
	return files, nil
}

// encryptAnew encrypts every secret and share of a folder to the vault's recipients.
func (v *Vault) encryptAnew(from string, identity age.Identity) (files int, err error) {
	entries, err := os.ReadDir(from)
	if err != nil {
		return 0, unreadable(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, secretSuffix) && !strings.HasSuffix(name, sharesSuffix) {
			continue
		}
		encrypted, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return files, unreadable(err)
		}
		clear, err := decrypt(encrypted, identity, keptSharesMost)
		if err != nil {
			return files, fault.New(fault.Corrupt, "secret_unreadable", "%s cannot be decrypted with this identity", name).
				Next("take the file from a backup that was made after the identity's recipient was added")
		}
		if err := v.keepEncrypted(name, clear); err != nil {
			return files, err
		}
		files++
	}
	return files, nil
}
