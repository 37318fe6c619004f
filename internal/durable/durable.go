// Package durable writes files that must survive a power cut, and keeps a second process out of a folder.
//
// Its one promise: after [Write] has returned nil the file holds the new bytes whatever happens to the
// machine, and before that it holds the old ones whole, or is absent as it was. [Append] is not
// offered: what grows line by line belongs into the database.
package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/talonlottery/talon/fault"
)

// UnfinishedSuffix ends the name of a file that is being written; one that a crash left may be removed
// when nobody writes.
const UnfinishedSuffix = ".unfinished"

// Write replaces a file's bytes: a new file, flushed to the disk, renamed to its name, and the folder
// flushed. Two writers of one file must not run at once. It returns Unavailable with code
// file_not_written.
func Write(path string, bytes []byte, mode os.FileMode) error {
	err := Replace(path, mode, func(w io.Writer) error {
		_, err := w.Write(bytes)
		return err
	})
	if err != nil {
		return notWritten(err)
	}
	return nil
}

// Replace is [Write] for bytes that a function writes, of any number. It returns the function's error, or
// the system's, as it is.
func Replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	unfinished := path + UnfinishedSuffix
	err := fill(unfinished, mode, write)
	if err == nil {
		err = os.Rename(unfinished, path)
	}
	if err == nil {
		err = FlushFolder(filepath.Dir(path))
	}
	if err != nil {
		_ = os.Remove(unfinished) // the next writer would replace it
	}
	return err
}

func fill(path string, mode os.FileMode, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	err = write(file)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// MakeFolder makes a folder, with those above it, that survives a power cut. One that is there stays as
// it is. It returns Unavailable with code file_not_written.
func MakeFolder(path string, mode os.FileMode) error {
	err := os.MkdirAll(path, mode)
	if err == nil {
		err = FlushFolder(filepath.Dir(path))
	}
	if err != nil {
		return notWritten(err)
	}
	return nil
}

// FlushFolder flushes the names in a folder to the disk.
func FlushFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

func notWritten(err error) error {
	return fault.New(fault.Unavailable, "file_not_written", "a file that must last cannot be written: %w", err).
		Next("check the folder, its rights and the room on its disk")
}
