package sqlite_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/talonlottery/talon/internal/store/storetest"
)

// TestRecordsNeverChange proves that the database itself keeps what is recorded, whoever asks.
func TestRecordsNeverChange(t *testing.T) {
	skipIfShort(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "talon.db")
	story := storetest.NewStory(t, openAt(t, path))
	must(t, story.Sell(3))
	story.Choose()
	other := stranger(t, path)
	for _, refused := range []struct{ text, says string }{
		{"UPDATE play SET prize = prize + 1", "never change"},
		{"UPDATE play SET player = player", "never change"},
		{"DELETE FROM play", "never deleted"},
		{"UPDATE choice SET cells = x'00'", "never change"},
		{"DELETE FROM choice", "never deleted"},
		{"UPDATE ledger_transaction SET reference = ''", "never change"},
		{"DELETE FROM ledger_transaction", "never deleted"},
		{"UPDATE posting SET amount = -amount", "never change"},
		{"DELETE FROM posting", "never deleted"},
		{"UPDATE movement SET amount = 1", "never change"},
		{"DELETE FROM movement", "never deleted"},
		{"UPDATE account SET name = 'x'", "never change"},
		{"DELETE FROM account", "never deleted"},
		{"UPDATE emission SET blocks = 1", "never change"},
		{"DELETE FROM emission", "never deleted"},
		{"UPDATE block SET root = commitment", "never change"},
		{"DELETE FROM block", "never deleted"},
		{"DELETE FROM block_sale", "never deleted"},
		{"UPDATE block_sale SET sold = sold - 1 WHERE sold > 0", "never goes back"},
		{"UPDATE block_sale SET state = 'approved' WHERE state = 'on-sale'", "never goes back"},
		{"UPDATE block_sale SET announced = sold + 1", "never goes back"},
		{"UPDATE block_sale SET sold = 1 WHERE state = 'approved'", "only a block on sale is sold"},
		{"UPDATE block_step SET why = 'x'", "never change"},
		{"DELETE FROM block_step", "never deleted"},
		{"UPDATE log_entry SET body = x'7b7d'", "never change"},
		{"DELETE FROM log_entry", "never deleted"},
		{"UPDATE log_leaf SET position = position + 100", "never change"},
		{"DELETE FROM log_leaf", "never deleted"},
		{"UPDATE log_hash SET hash = zeroblob(32)", "never change"},
		{"DELETE FROM log_hash", "never deleted"},
		{"UPDATE log_checkpoint SET note = x''", "never change"},
		{"DELETE FROM log_checkpoint", "never deleted"},
		{"DELETE FROM player", "never deleted"},
		{"UPDATE player SET id = zeroblob(16)", "never change"},

		{"UPDATE player SET available = -1", "CHECK"},
		{"UPDATE player SET available = 'much'", "TEXT value in INTEGER column"},
		{"UPDATE lane SET pot = -1", "CHECK"},
		{"INSERT INTO posting (ledger_transaction, account, amount) VALUES (1, 1000, 1)", "FOREIGN KEY"},
		{"INSERT INTO play SELECT number + 1000, zeroblob(16), zeroblob(16), request, player, at, block, position, game_part, jackpot_part, prize, prize_due, " +
			"layout, salt, NULL, NULL, NULL, won, won_due, before, after FROM play LIMIT 1", "play.block, play.position"},
		{"INSERT INTO play SELECT number + 1000, id, zeroblob(16), request, player, at, block, position + 1000, game_part, jackpot_part, prize, prize_due, " +
			"layout, salt, NULL, NULL, NULL, won, won_due, before, after FROM play LIMIT 1", "play.id"},
		{"INSERT INTO play SELECT number + 1000, zeroblob(16), key, request, player, at, block, position + 1000, game_part, jackpot_part, prize, prize_due, " +
			"layout, salt, NULL, NULL, NULL, won, won_due, before, after FROM play LIMIT 1", "play.key"},
		{"INSERT INTO play SELECT number + 1000, zeroblob(16), zeroblob(16), request, player, at, block, position + 1000, game_part, jackpot_part, prize, prize_due, " +
			"layout, salt, draw_block, draw, draw_salt, won, won_due, before, after FROM play LIMIT 1", "play.draw_block, play.draw"},
		{"INSERT INTO play SELECT number + 1000, zeroblob(16), zeroblob(16), request, 1000000, at, block, position + 1000, game_part, jackpot_part, prize, prize_due, " +
			"layout, salt, NULL, NULL, NULL, won, won_due, before, after FROM play LIMIT 1", "FOREIGN KEY"},
	} {
		if _, err := other.ExecContext(t.Context(), refused.text); err == nil || !strings.Contains(err.Error(), refused.says) {
			t.Errorf("%s: got %v, want a refusal that says %q", refused.text, err, refused.says)
		}
	}
	story.Check()
}

// TestCheckNoticesDamage damages records behind the engine's back: the check that the tests of crashes
// rest on must notice each.
func TestCheckNoticesDamage(t *testing.T) {
	skipIfShort(t)
	t.Parallel()
	for _, damage := range []string{
		"",
		"DROP TRIGGER play_kept; DELETE FROM play WHERE number = (SELECT max(number) FROM play)",
		"DROP TRIGGER play_stays; UPDATE play SET at = at + 1 WHERE number = 2",
		"DROP TRIGGER play_stays; UPDATE play SET draw_block = NULL WHERE number = 2",
		"DROP TRIGGER block_sale_forward; UPDATE block_sale SET sold = sold - 1 WHERE sold > 0",
		"UPDATE lane SET pot = pot - 1",
		"UPDATE player SET available = available + 1 WHERE number = 1",
		"DROP TRIGGER posting_kept; DELETE FROM posting WHERE ledger_transaction = (SELECT max(number) FROM ledger_transaction) AND amount < 0",
		"DROP TRIGGER ledger_transaction_stays; DROP TRIGGER posting_stays; UPDATE posting SET amount = amount + CASE account WHEN 1 THEN 1 ELSE -1 END WHERE ledger_transaction = 3",
	} {
		path := filepath.Join(t.TempDir(), "talon.db")
		s := openAt(t, path)
		must(t, storetest.NewStory(t, s).Sell(5))
		other := stranger(t, path)
		run(t, other, "PRAGMA foreign_keys = 0")
		if damage != "" {
			run(t, other, damage)
		}
		complaints := storetest.Complaints(t, func(t storetest.T) { storetest.CheckWhole(t, s) })
		if noticed := len(complaints) > 0; noticed != (damage != "") {
			t.Errorf("after %q the check says %v", damage, complaints)
		}
	}
}
