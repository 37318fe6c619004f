//go:build unix

package vault

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/talonlottery/talon/fault"
)

// lockFolder keeps a second vault out of a folder: two journals would not know of each other. The lock ends with the process.
func lockFolder(folder string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, unreadable(err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		return nil, fault.New(fault.Conflict, "vault_in_use", "another vault has the folder open").
			Next("stop it first, or name another folder")
	}
	return file, nil
}
