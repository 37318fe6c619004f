package sqlite_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/store/sqlite"
	"github.com/talonlottery/talon/internal/store/storetest"
)

// TestNoSaleBeforeThePublishedSeal proves that the database itself lets no block become sealed, and so
// none be sold, whose seal is not in the public log, whoever asks.
func TestNoSaleBeforeThePublishedSeal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "talon.db")
	s := openAt(t, path)
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	id := block.ID{1}
	must(t, s.Update(t.Context(), func(ctx context.Context, tx store.Tx) error {
		emission, err := tx.OpenEmission(ctx, store.Emission{Game: "coins", Blocks: 1, Opened: now})
		if err != nil {
			return err
		}
		dealt := store.Dealt{Emission: emission, Deal: block.Deal{Header: block.Header{Version: 1, ID: id, Game: "coins", Size: 10}}, At: now}
		return tx.AddBlock(ctx, dealt, storetest.Dealing(now), storetest.Seal(id, now))
	}))
	other := stranger(t, path)
	const seal = "UPDATE block_sale SET state = 'sealed'"
	if _, err := other.ExecContext(t.Context(), seal); err == nil || !strings.Contains(err.Error(), "before its seal is in the public log") {
		t.Errorf("the seal is not published, and the block became sealed: %v", err)
	}
	for _, state := range []string{"approved", "on-sale", "sold-out", "opened"} {
		if _, err := other.ExecContext(t.Context(), "UPDATE block_sale SET state = ?", state); err == nil {
			t.Errorf("a dealt block became %s", state)
		}
	}
	// The twin: without the trigger it would.
	if _, err := other.ExecContext(t.Context(), "DROP TRIGGER block_sale_sealed; "+seal); err != nil {
		t.Errorf("the trigger is what refuses: %v", err)
	}
}

// A database from before the public log is refused, and says what to do.
func TestADatabaseBeforeThePublicLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talon.db")
	must(t, openAt(t, path).Close())
	if _, err := stranger(t, path).ExecContext(t.Context(), "PRAGMA foreign_keys = 0; DROP TRIGGER block_sale_sealed; DROP TABLE log_entry"); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path); fault.CodeOf(err) != "database_before_public_log" || fault.NextOf(err) == "" {
		t.Errorf("the database was opened: %v", err)
	}
}
