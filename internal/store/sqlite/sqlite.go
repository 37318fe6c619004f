// Package sqlite keeps a lottery in one SQLite file.
//
// Its one promise is that of package store. A sale commits with synchronous=FULL, so it is as durable
// as the disk.
//
// Its weakness: one process and one writer at a time, whatever the number of lanes; a second process
// that writes makes sales wait, and after five seconds fail with storage_busy. It is meant for
// demonstrations, audits, a single small operator, and tests. A play takes about 250 bytes with its
// indexes (TestBytesOfAPlay); BenchmarkSaleBatch and `talon bench` measure its speed, which is bound by
// one core. Whoever reads from a visiting function outside a View holds two of its four readers.
package sqlite

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"embed"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/pressly/goose/v3"
	driver "modernc.org/sqlite" // without cgo

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// readersMost is how many reads go on at once.
const readersMost = 4

// Store is a lottery in a file. It is safe for concurrent use.
type Store struct {
	*reader // reads outside transactions
	readers *sql.DB
	writers *sql.DB

	// mu lets one transaction write at a time; it guards writer and its prepared statements.
	mu     sync.Mutex
	writer *sql.Conn
	ready  *statements

	closing sync.Once
}

var _ store.Store = (*Store)(nil)

// Open opens the file at path, makes it when it does not exist, and brings it to the newest schema.
// The folder must exist. It returns NotFound with code folder_missing when it does not, Unavailable
// with code storage_busy while another process writes to the file, Corrupt with code
// storage_corrupt for a file that is not a database, and Conflict with code schema_newer for one
// that a newer talon made, or database_before_public_log for one that is too old.
func Open(ctx context.Context, path string) (*Store, error) {
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "folder_missing", "there is no folder %s for the database", filepath.Dir(path)).
			Next("make the folder, or name another one")
	}
	s := &Store{}
	if err := s.open(ctx, path); err != nil {
		_ = s.closeAll() // the first error tells more
		return nil, translate(err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string) (err error) {
	// As durable as fsync, without waiting for the file's timestamps; SQLite's own builds do the same.
	// Where the system has no such call, fsync stays.
	_, _ = driver.Fdatasync(true)
	if s.writers, err = sql.Open("sqlite", source(path, "")); err != nil {
		return err
	}
	s.writers.SetMaxOpenConns(1)
	if err := migrate(ctx, s.writers); err != nil {
		return err
	}
	if s.writer, err = s.writers.Conn(ctx); err != nil {
		return err
	}
	s.ready = newStatements(s.writer)
	if s.readers, err = sql.Open("sqlite", source(path, "&_pragma=query_only(1)")); err != nil {
		return err
	}
	s.readers.SetMaxOpenConns(readersMost)
	s.readers.SetMaxIdleConns(readersMost)
	s.reader = &reader{use: newStatements(s.readers)}
	return s.readers.PingContext(ctx)
}

// source is the name by which the driver opens the file: write-ahead log, a full flush at each
// commit, and five seconds of patience with another process.
func source(path, more string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() +
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)" +
		"&_pragma=cache_size(-65536)&_pragma=wal_autocheckpoint(8192)&_pragma=temp_store(MEMORY)" + more
}

func migrate(ctx context.Context, db *sql.DB) error {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, folder)
	if err != nil {
		return err
	}
	current, newest, err := provider.GetVersions(ctx)
	if err != nil {
		return err
	}
	if current > newest {
		return fault.New(fault.Conflict, "schema_newer", "the database has schema %d, this talon knows up to %d", current, newest).
			Next("run the talon that made it, or a newer one")
	}
	if current > 0 {
		if err := notBeforeTheLog(ctx, db); err != nil {
			return err
		}
	}
	_, err = provider.Up(ctx)
	return err
}

// notBeforeTheLog refuses a database of a development version whose blocks were never sealed in a public
// log: nothing could prove them any more.
func notBeforeTheLog(ctx context.Context, db *sql.DB) error {
	var found int
	err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'log_entry'`).Scan(&found)
	if err != nil || found == 1 {
		return err
	}
	return fault.New(fault.Conflict, "database_before_public_log", "the database was made before there was a public log; its blocks cannot be sold any more").
		Next("name another folder with --data or TALON_DATA, or delete this one: it holds play money only")
}

// Update implements [store.Store]. One transaction writes at a time, in the order of asking.
func (s *Store) Update(ctx context.Context, do func(context.Context, store.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	// Inside, the context cannot end: the driver would start a goroutine for each statement to watch
	// it, and a transaction is short.
	inside := context.WithoutCancel(ctx)
	if err := s.ready.exec(inside, "BEGIN IMMEDIATE"); err != nil {
		return translate(err)
	}
	done := false
	defer func() {
		if !done { // do failed or panicked
			_ = s.ready.exec(inside, "ROLLBACK") // after a full disk SQLite has rolled back already
		}
	}()
	t := &tx{reader: reader{use: s.ready}}
	if err := do(inside, t); err != nil {
		return translate(err)
	}
	if t.failed != nil {
		return t.failed
	}
	if err := s.ready.exec(inside, "COMMIT"); err != nil {
		return translateCommit(err)
	}
	done = true
	return nil
}

// View implements [store.Store].
func (s *Store) View(ctx context.Context, do func(context.Context, store.Reader) error) error {
	conn, err := s.readers.Conn(ctx)
	if err != nil {
		return translate(s.use.unlessClosed(err))
	}
	defer conn.Close()
	use := newStatements(conn)
	defer use.close()
	// A context that ends while BEGIN runs would leave a transaction that nobody ends, and the next reader
	// would be given its connection.
	inside := context.WithoutCancel(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := use.exec(inside, "BEGIN"); err != nil {
		return translate(err)
	}
	defer func() {
		if use.exec(inside, "ROLLBACK") != nil { // nothing was written
			_ = conn.Raw(func(any) error { return sqldriver.ErrBadConn }) // it is not used again
		}
	}()
	return translate(do(ctx, &reader{use: use}))
}

// Close implements [store.Store]. Said again, it is nothing.
func (s *Store) Close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing.Do(func() { err = translate(s.closeAll()) })
	return err
}

func (s *Store) closeAll() error {
	var errs []error
	if s.ready != nil {
		s.ready.close()
	}
	if s.reader != nil {
		s.reader.use.close()
	}
	if s.writer != nil {
		errs = append(errs, s.writer.Close())
	}
	for _, db := range []*sql.DB{s.readers, s.writers} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}
