package vault

import (
	"os"
	"syscall"
)

// flushData makes what was written to a file durable. As long as the file does not grow, that is one write to the disk (fdatasync(2)).
func flushData(file *os.File) error {
	for {
		if err := syscall.Fdatasync(int(file.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
