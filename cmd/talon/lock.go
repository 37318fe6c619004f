package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/durable"
)

// lockFolder makes sure that one process at a time works on a data folder. The lock goes with the
// process, however it ends.
func lockFolder(folder string) (*os.File, error) {
	file, err := durable.Lock(filepath.Join(folder, "talon.lock"), 0o644)
	if errors.Is(err, durable.ErrLocked) {
		return nil, fault.New(fault.Unavailable, "data_folder_in_use", "another talon works on %s", folder).
			Next("stop it, or name another folder with --data or TALON_DATA")
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "data_folder_unusable", "the data folder cannot be written: %w", err).
			Next("name another with --data or TALON_DATA")
	}
	return file, nil
}
