package sqlite

import "context"

// Exec runs a statement on the connection that writes, for tests that make it fail.
func (s *Store) Exec(ctx context.Context, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.writer.ExecContext(ctx, text)
	return err
}

// Pragma reads a setting of the connection that writes.
func (s *Store) Pragma(ctx context.Context, name string) (value string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.writer.QueryRowContext(ctx, "PRAGMA "+name).Scan(&value)
	return value, err
}
