//go:build !unix

package main

import (
	"os"
	"path/filepath"

	"github.com/talonlottery/talon/fault"
)

// lockFolder opens the lock file; on this system it is not locked, and the operator must see to it
// that one process at a time works on a folder.
func lockFolder(folder string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(folder, "talon.lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "data_folder_unusable", "the data folder cannot be written: %w", err).
			Next("name another with --data or TALON_DATA")
	}
	return file, nil
}
