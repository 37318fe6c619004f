package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
)

// journalFile is where the vault writes, before it answers, which range it opens for which batch.
const journalFile = "journal"

// JournalMost is the size in bytes above which the journal is written anew with what is newest of each block, unless the
// configuration says otherwise.
const JournalMost = 4 << 20

// roomStep is how much the journal's file grows at once: a flush is cheaper while the file does not grow.
const roomStep = 1 << 20

// The lives of a block, in the order in which they may follow each other.
const (
	lifeOpen     byte = iota // units may be opened
	lifeRetired              // nothing more is opened
	lifeReleased             // its secret was given out: nothing more is opened, for ever
)

// standing is what the journal knows of a block.
type standing struct {
	bound custody.Bound
	life  byte
	since uint64 // number of the record that said it
}

// journal knows the newest range of each block, durably. It is safe for concurrent use. flushing is always taken before mu.
type journal struct {
	folder string
	most   int64
	log    *slog.Logger

	flushing sync.Mutex // guards flushed; held while the file is flushed or replaced
	flushed  uint64     // records up to this one are durable

	mu      sync.Mutex // guards what follows
	file    *os.File
	size    int64 // where the next record goes; zeros follow
	room    int64 // length of the file
	limit   int64 // size above which it is written anew
	written uint64
	broken  bool // a write or a flush failed: it is written anew before anything else
	blocks  map[block.ID]*standing
}

// newJournal makes an empty journal, durably. One that is there is never written over.
func newJournal(folder string) error {
	if _, err := os.Lstat(filepath.Join(folder, journalFile)); !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Conflict, "journal_present", "the vault has a journal already")
	}
	return writeDurably(folder, journalFile, 0o600, writeBytes(nil))
}

// openJournal reads the journal. A last record that was not finished is cut off: it was never answered. It returns Corrupt with
// code journal_missing, or journal_damaged when what comes before the last record cannot be read.
func openJournal(folder string, most int64, log *slog.Logger) (*journal, error) {
	path := filepath.Join(folder, journalFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Corrupt, "journal_missing", "the vault keeps secrets, and the journal of what it opened is gone").
			Next("restore the newest copy of the folder; for a folder that never had a journal, or whose journal is lost for good, see `talon vault adopt`")
	}
	if err != nil {
		return nil, unreadable(err)
	}
	j := &journal{folder: folder, most: most, log: log, blocks: make(map[block.ID]*standing)}
	sound, err := j.replay(text)
	if err != nil {
		return nil, err
	}
	if j.file, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
		return nil, unreadable(err)
	}
	j.room = int64(len(text))
	if len(bytes.Trim(text[sound:], "\x00")) > 0 {
		log.Warn("cut off a record of the vault's journal that was not finished", "bytes", len(text)-sound)
		if err := errors.Join(j.file.Truncate(int64(sound)), j.file.Sync()); err != nil {
			return nil, errors.Join(unreadable(err), j.file.Close())
		}
		j.room = int64(sound)
	}
	j.size, j.flushed = int64(sound), j.written
	j.limit = max(j.most, j.size+1)
	return j, nil
}

// replay takes all sound records and gives the length of what they take.
func (j *journal) replay(text []byte) (sound int, err error) {
	for sound < len(text) {
		body, length := parseRecord(text[sound:])
		if body == nil {
			if followed(text[sound+1:]) {
				return 0, journalDamaged()
			}
			break
		}
		if err := j.take(body); err != nil {
			return 0, err
		}
		sound += length
	}
	return sound, nil
}

// followed reports whether a sound record comes later: then what cannot be read is damage, not an unfinished end.
func followed(text []byte) bool {
	for {
		at := bytes.Index(text, recordMark)
		if at < 0 {
			return false
		}
		if body, _ := parseRecord(text[at:]); body != nil {
			return true
		}
		text = text[at+1:]
	}
}

func journalDamaged() error {
	return fault.New(fault.Corrupt, "journal_damaged", "the vault's journal was changed or damaged").
		Next("sell nothing; restore the newest copy of the vault's folder and compare it with the database (`talon reconcile`)")
}

// bind writes down that ranges are opened for a batch, unless that is known, and returns when it is durable.
func (j *journal) bind(batch custody.Batch, ranges []custody.Range) error {
	for {
		mine, full, err := j.append(batch, ranges)
		if err != nil {
			return err
		}
		if !full {
			return j.flush(mine)
		}
		if err := j.rewrite(); err != nil {
			return err
		}
	}
}

// append writes the record of a binding, without flushing it. It gives the number of the record that says so, or that the
// journal must be written anew first.
func (j *journal) append(batch custody.Batch, ranges []custody.Range) (mine uint64, full bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	digest := batch.Digest()
	known := true
	for at := range ranges {
		again, err := j.allow(&ranges[at], digest)
		if err != nil {
			return 0, false, err
		}
		known = known && again
	}
	if known {
		for _, r := range ranges {
			mine = max(mine, j.blocks[r.Header.ID].since)
		}
		return mine, false, nil
	}
	return j.write(bindingRecord(digest, batch, ranges))
}

// allow decides whether a range may be opened after what was opened before, and reports whether it was opened already.
func (j *journal) allow(r *custody.Range, digest canon.Digest) (again bool, err error) {
	count := uint64(len(r.Into))
	if count == 0 || uint64(r.From)+count > uint64(r.Header.Size) {
		return false, fault.New(fault.Invalid, "index_outside_block", "%d units from %d on are not all in block %s", count, r.From, r.Header.ID)
	}
	var now standing
	if found, ok := j.blocks[r.Header.ID]; ok {
		now = *found
	}
	switch {
	case now.life == lifeReleased:
		return false, fault.New(fault.Refused, "block_released", "the secret of block %s was given out", r.Header.ID).
			Next("sell from another block: nothing of this one is ever sold again")
	case now.life == lifeRetired:
		return false, fault.New(fault.Refused, "block_retired", "block %s was taken from sale for ever", r.Header.ID).Next("sell from another block")
	case now.bound.Count > 0 && r.From == now.bound.From && count == uint64(now.bound.Count) && digest == now.bound.Digest:
		return true, nil
	case uint64(r.From) == uint64(now.bound.From)+uint64(now.bound.Count):
		return false, nil
	}
	j.log.Error("a range was asked for that was opened for another batch, or that skips units", "block", r.Header.ID,
		"from", r.From, "count", count, "batch", digest, "newest_from", now.bound.From, "newest_count", now.bound.Count, "newest_batch", now.bound.Digest)
	return false, fault.New(fault.Corrupt, "range_opened_twice", "a batch asks for units of block %s that were opened for another, or skips some", r.Header.ID).
		Next("stop sales of this block and find out who asked: this must never happen")
}

// end writes down that nothing more of a block is opened, and returns when it is durable. A life never goes back.
func (j *journal) end(id block.ID, life byte) error {
	for {
		j.mu.Lock()
		if found, ok := j.blocks[id]; ok && found.life >= life {
			mine := found.since
			j.mu.Unlock()
			return j.flush(mine)
		}
		mine, full, err := j.write(lifeRecord(id, life))
		j.mu.Unlock()
		if err != nil {
			return err
		}
		if !full {
			return j.flush(mine)
		}
		if err := j.rewrite(); err != nil {
			return err
		}
	}
}

// write appends a record and takes what it says. The caller holds mu.
func (j *journal) write(body []byte) (mine uint64, full bool, err error) {
	record := sealRecord(body)
	if j.broken || j.size+int64(len(record)) > j.limit {
		return 0, true, nil
	}
	if j.file == nil {
		return 0, false, unreadable(os.ErrClosed)
	}
	text := record
	if end := j.size + int64(len(record)); end > j.room {
		text = append(record, make([]byte, min(roomStep, max(0, j.limit-end)))...)
		j.room = j.size + int64(len(text))
	}
	if _, err := j.file.WriteAt(text, j.size); err != nil {
		j.broken = true // the file's end is not known any more
		return 0, false, unreadable(err)
	}
	j.size += int64(len(record))
	return j.written + 1, false, j.take(body)
}

// flush returns when a record is durable. Whoever comes first flushes for all that wrote meanwhile.
func (j *journal) flush(mine uint64) error {
	j.flushing.Lock()
	defer j.flushing.Unlock()
	if j.flushed >= mine {
		return nil
	}
	j.mu.Lock()
	broken, file, upTo := j.broken, j.file, j.written
	j.mu.Unlock()
	if broken {
		return j.rewriteHeld()
	}
	if file == nil {
		return unreadable(os.ErrClosed)
	}
	if err := flushData(file); err != nil {
		j.mu.Lock()
		j.broken = true // what the disk holds of it is not known any more
		j.mu.Unlock()
		return unreadable(err)
	}
	j.flushed = upTo
	return nil
}

// rewrite writes the journal anew with what is newest of each block, in place of the old one at once.
func (j *journal) rewrite() error {
	j.flushing.Lock()
	defer j.flushing.Unlock()
	return j.rewriteHeld()
}

// rewriteHeld is rewrite for a caller that holds flushing.
func (j *journal) rewriteHeld() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return unreadable(os.ErrClosed)
	}
	text := j.newest()
	j.broken = true // until it is whole again: after a failure the name may stand for either file
	if err := writeDurably(j.folder, journalFile, 0o600, writeBytes(text)); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(j.folder, journalFile), os.O_WRONLY, 0)
	if err != nil {
		return unreadable(err)
	}
	_ = j.file.Close() // it is no longer the journal
	j.file, j.size, j.room, j.broken, j.flushed = file, int64(len(text)), int64(len(text)), false, j.written
	j.limit = max(j.most, 2*j.size)
	return nil
}

// standing gives what is known of a block.
func (j *journal) standing(id block.ID) standing {
	j.mu.Lock()
	defer j.mu.Unlock()
	if found, ok := j.blocks[id]; ok {
		return *found
	}
	return standing{}
}

// forget drops the batch of a block that nobody will ask for again. Its range stays.
func (j *journal) forget(id block.ID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if found, ok := j.blocks[id]; ok {
		found.bound.Batch = nil
	}
}

func (j *journal) close() error {
	j.flushing.Lock()
	defer j.flushing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	return err
}

// checksum guards a record: the first bytes of SHA-256 over all before it.
func checksum(text []byte) [checksumBytes]byte {
	digest := sha256.Sum256(text)
	return [checksumBytes]byte(digest[:checksumBytes])
}

const checksumBytes = 8

// recordMark begins every record.
var recordMark = []byte("TVJ1")

// sealRecord puts a body into a record: mark, length, body, checksum.
func sealRecord(body []byte) []byte {
	record := append(make([]byte, 0, len(recordMark)+4+len(body)+checksumBytes), recordMark...)
	record = binary.BigEndian.AppendUint32(record, uint32(len(body)))
	record = append(record, body...)
	sum := checksum(record)
	return append(record, sum[:]...)
}

// parseRecord gives the body of the record that text begins with and the record's length, or nothing when it is not sound.
func parseRecord(text []byte) (body []byte, length int) {
	head := len(recordMark) + 4
	if len(text) < head+checksumBytes || !bytes.HasPrefix(text, recordMark) {
		return nil, 0
	}
	size := uint64(binary.BigEndian.Uint32(text[len(recordMark):]))
	if size == 0 || size > uint64(len(text)-head-checksumBytes) {
		return nil, 0
	}
	end := head + int(size)
	if sum := checksum(text[:end]); !bytes.Equal(sum[:], text[end:end+checksumBytes]) {
		return nil, 0
	}
	return text[head:end], end + checksumBytes
}
