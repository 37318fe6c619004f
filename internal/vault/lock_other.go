//go:build !unix

package vault

import (
	"os"
	"path/filepath"
)

// lockFolder opens the lock's file only: this system has no lock that ends with the process. One vault a folder is up to the operator.
func lockFolder(folder string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, unreadable(err)
	}
	return file, nil
}
