package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/talonlottery/talon/internal/store/storetest"
)

// playBytesMost is how large a play with a participation may be in the file, its indexes, its part of
// the ledger and the players' rows included (design, section 9).
const playBytesMost = 500

func TestBytesOfAPlay(t *testing.T) {
	skipIfShort(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "talon.db")
	s := openAt(t, path)
	other := stranger(t, path)
	size := func() (bytes int) {
		t.Helper()
		must(t, other.QueryRowContext(t.Context(), "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&bytes))
		return bytes
	}
	const plays = 20_000
	before := size()
	storetest.Fill(t, s, plays)
	bytes := (size() - before) / plays
	t.Logf("%d bytes a play", bytes)
	if bytes > playBytesMost {
		t.Errorf("a play takes %d bytes, more than %d", bytes, playBytesMost)
	}
}
