package vault

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/durable"
)

// lockFolder keeps a second vault out of a folder: two journals would not know of each other. The lock ends with the process.
func lockFolder(folder string) (*os.File, error) {
	file, err := durable.Lock(filepath.Join(folder, "lock"), 0o600)
	if errors.Is(err, durable.ErrLocked) {
		return nil, fault.New(fault.Conflict, "vault_in_use", "another vault has the folder open").
			Next("stop it first, or name another folder")
	}
	if err != nil {
		return nil, unreadable(err)
	}
	return file, nil
}
