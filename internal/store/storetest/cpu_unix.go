//go:build unix

package storetest

import (
	"syscall"
	"time"
)

// processorTime is what the process has used of all processors so far: other than the clock, it says
// the same on a busy machine.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
