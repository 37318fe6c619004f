package durable

import (
	"errors"
	"os"
)

// ErrLocked says that another process holds a lock.
var ErrLocked = errors.New("another process holds the lock")

// Lock opens a file, makes it when there is none, and locks it for this process until the file is closed or
// the process ends, however it does. It returns [ErrLocked] while another process holds it, and the system's
// error when the file cannot be opened. Where the system has no such lock the file is opened only, and
// whoever runs the processes must see to it that there is one.
func Lock(path string, mode os.FileMode) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	if lock(file) != nil {
		_ = file.Close() // nothing was written
		return nil, ErrLocked
	}
	return file, nil
}
