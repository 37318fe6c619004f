package vault_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/vault"
)

// BenchmarkJournal measures, in one run and in turns, what a batch costs with the journal, without it, and across a socket, and one write
// and flush of the same bytes to the same disk. Medians; docs/vault.md has figures. TALON_BENCH_FOLDER names the disk.
func BenchmarkJournal(b *testing.B) {
	set, err := games.All()
	if err != nil {
		b.Fatal(err)
	}
	loaded, err := catalogue.New(set.Games, set.Jackpots)
	if err != nil {
		b.Fatal(err)
	}
	base := os.Getenv("TALON_BENCH_FOLDER")
	if base == "" {
		base = b.TempDir()
	}
	folder, err := os.MkdirTemp(base, "vault")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(folder)
	s := serving(b, vault.Config{Secrets: filepath.Join(folder, "vault"), Tiles: filepath.Join(folder, "tiles"), Random: rand.Reader, Catalogue: loaded}, os.Getuid())
	deal, err := s.Deal(b.Context(), loaded.Games()[0].Name, 0, nil)
	if err != nil {
		b.Fatal(err)
	}
	file, err := os.Create(filepath.Join(folder, "flush"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	from := uint32(0)
	for _, size := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("batch-%d", size), func(b *testing.B) {
			units, batch := make([]block.Unit, size), make(custody.Batch, 9+64*size)
			var without, with, across, flush []time.Duration
			for b.Loop() {
				next := func() custody.Range {
					if from+uint32(size) > deal.Header.Size {
						b.Fatal("the block is used up: fewer iterations are needed")
					}
					r := custody.Range{Header: deal.Header, From: from, Into: units}
					from += uint32(size)
					return r
				}
				again := custody.Range{Header: deal.Header, From: from, Into: units}
				without = append(without, timed(b, func() error { return s.vault.OpenUnbound(again) }))
				with = append(with, timed(b, func() error { return s.vault.OpenUnits(b.Context(), batch, next()) }))
				across = append(across, timed(b, func() error { return s.OpenUnits(b.Context(), batch, next()) }))
				flush = append(flush, timed(b, func() error {
					if _, err := file.Write(batch); err != nil {
						return err
					}
					return file.Sync()
				}))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(without), "µs-without")
			b.ReportMetric(median(with), "µs-with")
			b.ReportMetric(median(across), "µs-socket")
			b.ReportMetric(median(flush), "µs-flush")
			b.ReportMetric(median(with)/median(without), "with/without")
			b.ReportMetric((median(with)-median(without))/median(flush), "added/flush")
			b.ReportMetric(median(across)/median(with), "socket/with")
		})
	}
}

func timed(b *testing.B, do func() error) time.Duration {
	start := time.Now()
	if err := do(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// median is in microseconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2]) / float64(time.Microsecond)
}
