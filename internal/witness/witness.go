// Package witness cosigns the public logs of others, and asks others to cosign ours, as the C2SP
// specification tlog-witness says.
//
// Its one promise: a witness that keeps its folder never signs two roots of one size, nor a tree that
// is not an extension of the one that it signed before, across restarts and power cuts too. So two
// people who both trust a witness cannot be shown two logs.
package witness

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/durable"
	"github.com/talonlottery/talon/publiclog"
)

// Config is what a witness works with.
type Config struct {
	Folder string            // where it keeps the newest checkpoint of each log; nobody else writes there
	Signer *publiclog.Signer // a witness's key
	Logs   []publiclog.Key   // the logs that it knows, by their operators' keys
	Clock  func() time.Time  // the time that it states
	Log    *slog.Logger
}

// Witness cosigns checkpoints. It is safe for concurrent use.
type Witness struct {
	config Config
	logs   map[string]*watched // by origin
}

// watched is one log and the newest checkpoint of it that may have been cosigned.
type watched struct {
	key  publiclog.Key
	path string

	mu     sync.Mutex
	newest publiclog.Checkpoint // the empty tree before the first
}

// Open reads what the witness signed before. It returns Invalid with code log_named_twice for two keys
// of one origin, with code key_malformed for a key that is not a log's, and Corrupt with code
// witness_record_spoilt when a record is not a checkpoint of its log.
func Open(config Config) (*Witness, error) {
	if err := durable.MakeFolder(config.Folder, 0o700); err != nil {
		return nil, err
	}
	w := &Witness{config: config, logs: make(map[string]*watched)}
	for _, key := range config.Logs {
		if key.Cosigns() || key.Name() == "" {
			return nil, fault.New(fault.Invalid, "key_malformed", "the key %s is not that of a log", key).
				Next("name the key with which the log's operator signs")
		}
		if w.logs[key.Name()] != nil {
			return nil, fault.New(fault.Invalid, "log_named_twice", "two keys are named for the log %s", key.Name()).
				Next("name one; what was signed for the other stays recorded")
		}
		l := &watched{key: key, path: filepath.Join(config.Folder, recordName(key))}
		if err := l.load(); err != nil {
			return nil, err
		}
		w.logs[key.Name()] = l
	}
	return w, nil
}

// recordName is the file of a log: its origin may hold what no file name can.
func recordName(key publiclog.Key) string {
	sum := sha256.Sum256([]byte(key.String()))
	return hex.EncodeToString(sum[:16]) + ".checkpoint"
}

// load reads the record of a log, which is the signed checkpoint itself.
func (l *watched) load() error {
	l.newest = publiclog.Checkpoint{Origin: l.key.Name(), Root: canon.Sum(nil)}
	signed, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		l.newest, err = publiclog.OpenCheckpoint(signed, l.key, nil, 0)
	}
	if err != nil {
		return fault.New(fault.Corrupt, "witness_record_spoilt", "what was signed of the log %s cannot be read: %w", l.key.Name(), err).At(l.path).
			Next("restore the file; a witness that has lost it must not go on with its key")
	}
	return nil
}

// Newest gives the newest checkpoint that was recorded of a log: the empty tree before the first.
// known is false for a log that the witness does not know.
func (w *Witness) Newest(origin string) (newest publiclog.Checkpoint, known bool) {
	l := w.logs[origin]
	if l == nil {
		return newest, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newest, true
}

// Add takes a signed checkpoint with the proof that a tree of the older size is its beginning, records
// it durably, and returns the cosignature line. It returns NotFound with code log_unknown, Refused
// with code checkpoint_signature_wrong, Invalid with code sizes_wrong when the older size is the larger,
// Conflict with code size_stale when the older size is not that of the newest record, Conflict with
// code split_view for another root of the recorded size, Corrupt with code consistency_not_proven, and
// Unavailable when nothing can be recorded; then nothing is signed.
func (w *Witness) Add(older uint64, proof []canon.Digest, signed []byte) ([]byte, error) {
	origin, _, _ := bytes.Cut(signed, []byte("\n"))
	l := w.logs[string(origin)]
	if l == nil {
		return nil, fault.New(fault.NotFound, "log_unknown", "this witness does not know the log").
			Next("ask its operator to add the log's key")
	}
	checkpoint, err := publiclog.OpenCheckpoint(signed, l.key, nil, 0)
	if err != nil {
		return nil, fault.New(fault.Refused, "checkpoint_signature_wrong", "the checkpoint is not signed by the log's key: %w", err)
	}
	if older > checkpoint.Size {
		return nil, fault.New(fault.Invalid, "sizes_wrong", "the older size %d is above that of the checkpoint, %d", older, checkpoint.Size)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := w.judge(l, older, proof, checkpoint, signed); err != nil {
		return nil, err
	}
	if checkpoint != l.newest {
		if err := durable.Write(l.path, signed, 0o600); err != nil {
			return nil, err
		}
		l.newest = checkpoint
	}
	return w.config.Signer.Cosign(signed, w.config.Clock())
}

// judge holds a checkpoint against the newest record. The log is locked.
func (w *Witness) judge(l *watched, older uint64, proof []canon.Digest, checkpoint publiclog.Checkpoint, signed []byte) error {
	if checkpoint.Size == l.newest.Size && checkpoint.Root != l.newest.Root {
		w.keepEvidence(l, signed)
		return fault.New(fault.Conflict, "split_view", "the log signed two roots of %d entries", checkpoint.Size).
			Next("the witness keeps both signed checkpoints: they are proof of fraud")
	}
	if older != l.newest.Size {
		return fault.New(fault.Conflict, "size_stale", "the newest checkpoint that was recorded has %d entries, not %d", l.newest.Size, older).
			Next("prove the consistency with that size")
	}
	return publiclog.VerifyConsistency(l.newest.Size, l.newest.Root, checkpoint.Size, checkpoint.Root, proof)
}

// keepEvidence keeps the first checkpoint that contradicts the record, beside it. Both are signed by
// the log, so nobody but the log can fill the disk, and only once.
func (w *Witness) keepEvidence(l *watched, signed []byte) {
	path := l.path + ".split"
	if _, err := os.Stat(path); err == nil {
		return
	}
	if err := durable.Write(path, signed, 0o600); err != nil {
		w.config.Log.Error("evidence of a split view was not kept", "origin", l.key.Name(), "error", err)
		return
	}
	w.config.Log.Warn("split view: the log signed two roots of one size", "origin", l.key.Name(), "record", l.path, "evidence", path)
}
