package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/talonlottery/talon/fault"
)

// translate turns an error of the engine into a fault. Faults and context errors pass unchanged.
func translate(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	engine, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		if errors.Is(err, sql.ErrConnDone) || errors.Is(err, sql.ErrTxDone) {
			return fault.New(fault.Unavailable, "storage_closed", "the database is closed").Next("start talon again")
		}
		return err
	}
	switch engine.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fault.New(fault.Unavailable, "storage_full", "the disk of the database is full; nothing was recorded").
			Next("make room on the disk; sales go on by themselves")
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		return fault.New(fault.Unavailable, "storage_io", "the database file cannot be read or written: %w", err).
			Next("check the disk and the rights on the file and its folder")
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fault.New(fault.Unavailable, "storage_busy", "another process holds the database").
			Next("stop the other process; one talon at a time writes to a SQLite file")
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fault.New(fault.Corrupt, "storage_corrupt", "the file is not a sound SQLite database").
			Next("restore it from a backup and run `talon reconcile`")
	case sqlite3.SQLITE_INTERRUPT: // the driver stops a statement only because its context ended
		return context.Canceled
	case sqlite3.SQLITE_CONSTRAINT:
		return constraint(engine)
	}
	return fault.New(fault.Internal, "storage_failed", "the database failed: %w", err)
}

// constraints maps what SQLite says of a broken constraint to what it means.
var constraints = []struct {
	says string
	kind fault.Kind
	code string
	text string
}{
	{"play.key", fault.Conflict, "key_taken", "the idempotency key is bound to another play"},
	{"play.block, play.position", fault.Conflict, "unit_sold", "the unit was sold before"},
	{"play.draw_block", fault.Conflict, "unit_sold", "the participation was sold before"},
	{"play.id", fault.Conflict, "unit_sold", "the play was recorded before"},
	{"available >= 0", fault.Refused, "funds_negative", "available funds would go below zero"},
	{"player.id", fault.Conflict, "player_exists", "the player is recorded"},
	{"session.digest", fault.Conflict, "session_exists", "the session is recorded"},
	{"block.id", fault.Conflict, "block_exists", "the block is recorded"},
	{"block.emission, block.position", fault.Conflict, "block_exists", "the block's place in its emission is taken"},
	{"log_leaf.entry", fault.Conflict, "entry_published", "the entry is published already"},
	{"lane.game", fault.Conflict, "lane_exists", "the lane exists"},
	{"jackpot.name", fault.Conflict, "jackpot_open", "the jackpot was opened before"},
}

func constraint(engine *sqlite.Error) error {
	for _, known := range constraints {
		if strings.Contains(engine.Error(), known.says) {
			return fault.New(known.kind, known.code, "%s", known.text)
		}
	}
	return fault.New(fault.Corrupt, "record_refused", "the database refuses a record: %w", error(engine)).
		Next("run `talon reconcile`; this is a defect of talon")
}

// translateCommit is translate for a commit: after an input or output error nobody knows whether the
// last write reached the disk.
func translateCommit(err error) error {
	if engine, ok := errors.AsType[*sqlite.Error](err); ok && engine.Code()&0xff == sqlite3.SQLITE_IOERR {
		return fault.New(fault.Unavailable, "commit_unknown", "the disk failed while a transaction was committed: %w", err).
			Next("check the disk; ask again with the same key to learn what was recorded")
	}
	return translate(err)
}

// absent turns "no row" into a fault, and leaves other errors.
func absent(err error, code, format string, arguments ...any) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.New(fault.NotFound, code, format, arguments...)
	}
	return translate(err)
}
