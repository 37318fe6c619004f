package sqlite_test

import (
	"testing"

	"github.com/talonlottery/talon/internal/store/storetest"
)

// BenchmarkSaleBatch measures what one lane sells a second on the disk of the temporary folder; on a
// folder in memory (TMPDIR=/dev/shm) it measures the work without the disk's flushes.
func BenchmarkSaleBatch(b *testing.B) { storetest.BenchmarkSales(b, open) }
