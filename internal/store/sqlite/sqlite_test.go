package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/store/sqlite"
	"github.com/talonlottery/talon/internal/store/storetest"
)

// open makes a store in a folder of the test.
func open(t storetest.T) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "talon.db"))
	if err != nil {
		t.Fatalf("opening: %v", err)
	}
	return s
}

func TestContract(t *testing.T) { storetest.Run(t, open) }

func TestBrokenTwins(t *testing.T) {
	skipIfShort(t)
	storetest.RunTwins(t, open)
}

// skipIfShort keeps -race -short to what a race could be in.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("short")
	}
}
