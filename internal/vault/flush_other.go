//go:build !linux

package vault

import "os"

// flushData makes what was written to a file durable.
func flushData(file *os.File) error { return file.Sync() }
