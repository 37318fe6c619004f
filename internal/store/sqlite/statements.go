package sqlite

import (
	"context"
	"database/sql"
	"strings"
	"sync"
)

// preparer is a connection, or a pool of them.
type preparer interface {
	PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
}

// statements prepares each text once. It is safe for concurrent use as far as its preparer is.
type statements struct {
	on preparer

	mu       sync.Mutex // guards what follows
	prepared map[string]*sql.Stmt
	texts    map[manyRows]string
	closed   bool
}

// manyRows names the text of a statement on some rows.
type manyRows struct {
	head string
	rows int
}

func newStatements(on preparer) *statements {
	return &statements{on: on, prepared: make(map[string]*sql.Stmt), texts: make(map[manyRows]string)}
}

func (s *statements) get(ctx context.Context, text string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.prepared[text]; ok {
		return found, nil
	}
	if s.closed {
		return nil, sql.ErrConnDone
	}
	made, err := s.on.PrepareContext(ctx, text)
	if err == nil {
		s.prepared[text] = made
	}
	return made, err
}

func (s *statements) exec(ctx context.Context, text string, arguments ...any) error {
	_, err := s.changed(ctx, text, arguments...)
	return err
}

// changed runs a statement and gives the number of rows that it changed.
func (s *statements) changed(ctx context.Context, text string, arguments ...any) (int64, error) {
	result, err := s.result(ctx, text, arguments)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// insert runs an insertion and gives the number of the new row.
func (s *statements) insert(ctx context.Context, text string, arguments ...any) (int64, error) {
	result, err := s.result(ctx, text, arguments)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

func (s *statements) result(ctx context.Context, text string, arguments []any) (sql.Result, error) {
	prepared, err := s.get(ctx, text)
	if err != nil {
		return nil, err
	}
	return prepared.ExecContext(ctx, arguments...)
}

// chunks are how many rows a statement on many rows takes: few texts to prepare, and no more of them
// than SQLite has places for arguments.
var chunks = []int{64, 16, 4, 1}

// many runs a statement on many rows: a row of marks for each between head and tail. It gives the
// number of rows changed.
func (s *statements) many(ctx context.Context, head, marks, tail string, rows int, arguments func(before []any, row int) []any) (int64, error) {
	var total int64
	var values []any
	for done, chunk := 0, 0; done < rows; {
		for chunks[chunk] > rows-done {
			chunk++
		}
		size := chunks[chunk]
		values = values[:0]
		for row := done; row < done+size; row++ {
			values = arguments(values, row)
		}
		changed, err := s.changed(ctx, s.repeated(head, marks, tail, size), values...)
		if err != nil {
			return total, err
		}
		total, done = total+changed, done+size
	}
	return total, nil
}

// repeated is the text of a statement on some rows.
func (s *statements) repeated(head, marks, tail string, rows int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := manyRows{head, rows}
	text, ok := s.texts[key]
	if !ok {
		text = head + strings.Repeat(marks+", ", rows-1) + marks + tail
		s.texts[key] = text
	}
	return text
}

// row reads one row into targets; sql.ErrNoRows when there is none.
func (s *statements) row(ctx context.Context, text string, arguments []any, targets ...any) error {
	prepared, err := s.get(ctx, text)
	if err != nil {
		return err
	}
	return prepared.QueryRowContext(ctx, arguments...).Scan(targets...)
}

// each reads every row into the targets and visits it. It stops at the first error.
func (s *statements) each(ctx context.Context, text string, arguments []any, targets []any, visit func() error) error {
	prepared, err := s.get(ctx, text)
	if err != nil {
		return err
	}
	rows, err := prepared.QueryContext(ctx, arguments...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		if err := visit(); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, prepared := range s.prepared {
		_ = prepared.Close() // the connection is closed next, and reports what matters
	}
	clear(s.prepared)
	s.closed = true
}

// unlessClosed gives an error that says so when the error comes from having been closed.
func (s *statements) unlessClosed(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.closed {
		return sql.ErrConnDone
	}
	return err
}
