//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/talonlottery/talon/fault"
)

// lockFolder makes sure that one process at a time works on a data folder. The lock goes with the
// process, however it ends.
func lockFolder(folder string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(folder, "talon.lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "data_folder_unusable", "the data folder cannot be written: %w", err).
			Next("name another with --data or TALON_DATA")
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		return nil, fault.New(fault.Unavailable, "data_folder_in_use", "another talon works on %s", folder).
			Next("stop it, or name another folder with --data or TALON_DATA")
	}
	return file, nil
}
