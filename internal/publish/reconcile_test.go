package publish_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/reconcile"
	"github.com/talonlottery/talon/internal/store"
)

func (h *house) reconcile() (codes []string) {
	h.t.Helper()
	var report reconcile.Report
	if err := reconcile.CheckLog(h.t.Context(), h.store, signer(h.t).Key(), &report); err != nil {
		h.t.Fatal(err)
	}
	for _, difference := range report.Differences {
		codes = append(codes, difference.Code)
		h.t.Log(difference)
	}
	return codes
}

// Reconciling the log finds nothing in an honest house, whatever is published and whatever waits; and
// every record and entry that is damaged behind the store's back.
func TestReconcileNoticesDamage(t *testing.T) {
	const dropSealed = "DROP TRIGGER block_sale_forward; DROP TRIGGER block_sale_sealed; DROP TRIGGER block_sale_only_on_sale; "
	for _, damage := range []struct{ name, text, code string }{
		{"nothing", "", ""},
		{"an entry changed", "DROP TRIGGER log_entry_stays; UPDATE log_entry SET body = CAST(replace(CAST(body AS TEXT), 'dealer', 'Dealer') AS BLOB) WHERE number = (SELECT min(number) FROM log_entry WHERE kind = 'seal')", "log_root_wrong"},
		{"an entry that is none", "DROP TRIGGER log_entry_stays; UPDATE log_entry SET body = x'7b7d' WHERE number = 5", "entry_malformed"},
		{"an entry under another kind", "DROP TRIGGER log_entry_stays; UPDATE log_entry SET kind = 'sales' WHERE number = 2", "entry_other"},
		{"an entry taken out", "DROP TRIGGER log_leaf_kept; DELETE FROM log_leaf WHERE position = 6", "log_entry_missing"},
		{"the last entry taken out", "DROP TRIGGER log_leaf_kept; DELETE FROM log_leaf WHERE position = (SELECT max(position) FROM log_leaf)", "log_root_wrong"},
		{"an inner hash changed", "DROP TRIGGER log_hash_stays; UPDATE log_hash SET hash = zeroblob(32) WHERE position = 2", "log_hash_wrong"},
		{"a hash gone", "DROP TRIGGER log_hash_kept; DELETE FROM log_hash WHERE position = 4", "log_hash_wrong"},
		{"another head", "DROP TRIGGER log_checkpoint_stays; UPDATE log_checkpoint SET root = zeroblob(32)", "log_head_wrong"},
		{"a note of nobody", "DROP TRIGGER log_checkpoint_stays; UPDATE log_checkpoint SET note = CAST(replace(CAST(note AS TEXT), 'example.org/tests', 'example.org/other') AS BLOB)", "log_signature_wrong"},
		{"a block that nobody sealed", "DROP TRIGGER log_entry_kept; DROP TRIGGER log_leaf_kept; PRAGMA foreign_keys = 0; DELETE FROM log_entry WHERE kind = 'seal' AND number = (SELECT max(number) FROM log_entry WHERE kind = 'seal')", "seal_missing"},
		{"another root of a block", "DROP TRIGGER block_stays; UPDATE block SET root = zeroblob(32) WHERE number = 1", "seal_other"},
		{"another approver", "DROP TRIGGER block_step_stays; UPDATE block_step SET by = 'dealer' WHERE state = 'approved'", "approval_other"},
		{"an approval unrecorded", "DROP TRIGGER block_step_kept; DELETE FROM block_step WHERE state = 'approved' AND block = 1", "approval_other"},
		{"a withdrawal undone", dropSealed + "UPDATE block_sale SET state = 'on-sale' WHERE state = 'withdrawn'; DROP TRIGGER block_step_kept; DELETE FROM block_step WHERE state = 'withdrawn'", "withdrawal_other"},
		{"opened by hand", dropSealed + "UPDATE block_sale SET state = 'opened' WHERE state = 'withdrawn'", "opening_other"},
		{"sales that the log was not told of", dropSealed + "UPDATE block_sale SET announced = announced - 1 WHERE announced > 1", "sales_other"},
		{"a win changed", "DROP TRIGGER play_stays; UPDATE play SET won = won + 100 WHERE won > 0", "win_other"},
		{"a win denied", "DROP TRIGGER play_stays; UPDATE play SET won = 0 WHERE won > 0", "win_other"},
	} {
		t.Run(damage.name, func(t *testing.T) {
			t.Parallel()
			h := build(t)
			h.buy(winds, 200)
			h.buy(moons, 10)
			h.publish(true)
			staff := office.Staff{Store: h.store, Clock: h.clock}
			if err := staff.Withdraw(t.Context(), h.blockOf(moons, store.OnSale).Deal.Header.ID, "chief", "a test takes it from sale"); err != nil {
				t.Fatal(err)
			}
			h.buy(winds, 7) // not published
			if codes := h.reconcile(); len(codes) > 0 {
				t.Fatalf("an honest house differs: %v", codes)
			}
			db, err := sql.Open("sqlite", filepath.Join(h.folder, "talon.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.ExecContext(t.Context(), damage.text); err != nil {
				t.Fatal(err)
			}
			if codes := h.reconcile(); damage.code == "" && len(codes) > 0 || damage.code != "" && !slices.Contains(codes, damage.code) {
				t.Errorf("found %v, want %q among them", codes, damage.code)
			}
		})
	}
}
