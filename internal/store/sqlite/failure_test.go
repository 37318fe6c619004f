package sqlite_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store/sqlite"
	"github.com/talonlottery/talon/internal/store/storetest"
)

// openAt opens the file of a test, and closes it when the test ends.
func openAt(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatalf("opening: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// stranger is another program's connection to the same file.
func stranger(t *testing.T, path string) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(1)")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(); _ = db.Close() })
	return conn
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, conn *sql.Conn, text string, arguments ...any) {
	t.Helper()
	if _, err := conn.ExecContext(t.Context(), text, arguments...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func expect(t *testing.T, err error, kind fault.Kind, code string, words ...string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || fault.CodeOf(err) != code {
		t.Errorf("got error %v (%v, %s), want %v, %s", err, fault.KindOf(err), fault.CodeOf(err), kind, code)
		return
	}
	if fault.NextOf(err) == "" {
		t.Errorf("%v: no next step", err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%v: does not name %q", err, word)
		}
	}
}

// TestWriterFlushesAtEachCommit: without these two settings a power cut could undo what was acknowledged.
func TestWriterFlushesAtEachCommit(t *testing.T) {
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "talon.db"))
	for name, want := range map[string]string{"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1"} {
		if got, err := s.Pragma(t.Context(), name); err != nil || got != want {
			t.Errorf("PRAGMA %s is %s, want %s (%v)", name, got, want, err)
		}
	}
}

func TestLockedByAnotherProcess(t *testing.T) {
	skipIfShort(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "talon.db")
	s := openAt(t, path)
	must(t, s.Exec(t.Context(), "PRAGMA busy_timeout = 10"))
	other := stranger(t, path)
	storetest.NewStory(t, s).Survives([]string{"storage_busy"},
		func() { run(t, other, "BEGIN IMMEDIATE") },
		func() { run(t, other, "ROLLBACK") })
}

func TestDatabaseFull(t *testing.T) {
	skipIfShort(t)
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "talon.db"))
	storetest.NewStory(t, s).Survives([]string{"storage_full"},
		func() {
			pages, err := s.Pragma(t.Context(), "page_count")
			must(t, err)
			count, err := strconv.Atoi(pages)
			must(t, err)
			must(t, s.Exec(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", count+5)))
		},
		func() { must(t, s.Exec(t.Context(), "PRAGMA max_page_count = 1000000")) })
}

// TestDiskFull needs a small disk of its own: TALON_SMALL_DISK names a folder on a file system of a
// few megabytes, for instance one made by `mount -t tmpfs -o size=8m tmpfs folder`.
func TestDiskFull(t *testing.T) {
	small := os.Getenv("TALON_SMALL_DISK")
	if small == "" {
		t.Skip("TALON_SMALL_DISK names no folder; TestDatabaseFull covers the same error of the engine")
	}
	folder, err := os.MkdirTemp(small, "talon")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	filler := filepath.Join(folder, "filler")
	must(t, os.WriteFile(filler, make([]byte, 2<<20), 0o600))
	s := openAt(t, filepath.Join(folder, "talon.db"))
	storetest.NewStory(t, s).Survives([]string{"storage_full"}, func() {}, func() { must(t, os.Remove(filler)) })
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	open := func(path string) error {
		s, err := sqlite.Open(t.Context(), path)
		if err == nil {
			_ = s.Close()
		}
		return err
	}
	expect(t, open(filepath.Join(folder, "none", "talon.db")), fault.NotFound, "folder_missing", filepath.Join(folder, "none"))
	expect(t, open(folder), fault.Unavailable, "storage_io")
	text := filepath.Join(folder, "text")
	must(t, os.WriteFile(text, []byte(strings.Repeat("this is not a database\n", 100)), 0o600))
	expect(t, open(text), fault.Corrupt, "storage_corrupt")
}

func TestSchemaNewer(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "talon.db")
	must(t, openAt(t, path).Close())
	other := stranger(t, path)
	run(t, other, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
	_, err := sqlite.Open(t.Context(), path)
	expect(t, err, fault.Conflict, "schema_newer", "99")
}

// TestStrangePath proves that a file's name is taken as it is, whatever it means in an address.
func TestStrangePath(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "été?mode=memory#1 %41.db")
	must(t, openAt(t, path).Close())
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestOpenedAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "talon.db")
	first := openAt(t, path)
	story := storetest.NewStory(t, first)
	for range 3 {
		must(t, story.Sell(7))
	}
	// As after a power cut: the files as they are, nobody having closed them.
	copied := filepath.Join(t.TempDir(), "copied.db")
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(path + suffix)
		must(t, err)
		must(t, os.WriteFile(copied+suffix, content, 0o600))
	}
	story.On(openAt(t, copied))
	story.Check()
	must(t, first.Close())
	story.On(openAt(t, path))
	story.Check()
	must(t, story.Sell(7))
	story.Check()
}

func TestDamagedFile(t *testing.T) {
	skipIfShort(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "talon.db")
	s := openAt(t, path)
	story := storetest.NewStory(t, s)
	must(t, story.Sell(200))
	must(t, s.Close())
	content, err := os.ReadFile(path)
	must(t, err)
	for at := 4096; at < len(content); at++ { // all but the first page, which holds the schema's root
		content[at] ^= 0x5a
	}
	must(t, os.WriteFile(path, content, 0o600))
	damaged, err := sqlite.Open(t.Context(), path)
	if err == nil {
		_, err = storetest.ReadAll(t.Context(), damaged)
		_ = damaged.Close()
	}
	expect(t, err, fault.Corrupt, "storage_corrupt")
}
