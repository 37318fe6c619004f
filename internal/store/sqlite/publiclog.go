package sqlite

import (
	"context"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
)

const logColumns = `e.number, coalesce(l.position, -1), e.kind, e.block, e.body, e.at FROM log_entry e`

// logRow is where an entry is read into.
type logRow struct {
	entry    store.LogEntry
	of, body []byte
	at       int64
}

func (r *logRow) targets() []any {
	return []any{&r.entry.Number, &r.entry.Position, &r.entry.Kind, &r.of, &r.body, &r.at}
}

func (r *logRow) read() (store.LogEntry, error) {
	entry := r.entry
	entry.At, entry.Body, entry.Block = instant(r.at), append([]byte(nil), r.body...), block.ID{}
	if r.of == nil {
		return entry, nil
	}
	return entry, fixed(&entry.Block, r.of)
}

func (r *reader) logEntries(ctx context.Context, text string, arguments ...any) ([]store.LogEntry, error) {
	var entries []store.LogEntry
	var row logRow
	err := r.use.each(ctx, `SELECT `+logColumns+text, arguments, row.targets(), func() error {
		entry, err := row.read()
		entries = append(entries, entry)
		return err
	})
	return entries, translate(err)
}

// ToPublish implements [store.LogReader].
func (r *reader) ToPublish(ctx context.Context, limit int) ([]store.LogEntry, error) {
	// Entries are published in the order of recording, so that all behind the last published one wait.
	return r.logEntries(ctx, ` LEFT JOIN log_leaf l ON l.entry = e.number
		WHERE e.number > coalesce((SELECT entry FROM log_leaf ORDER BY position DESC LIMIT 1), 0) ORDER BY e.number LIMIT ?`, limit)
}

// EachPublished implements [store.LogReader].
func (r *reader) EachPublished(ctx context.Context, from, before uint64, visit func(*store.LogEntry) error) error {
	var row logRow
	err := r.use.each(ctx, `SELECT `+logColumns+` JOIN log_leaf l ON l.entry = e.number WHERE l.position >= ? AND l.position < ? ORDER BY l.position`,
		[]any{int64(from), int64(before)}, row.targets(), func() error {
			entry, err := row.read()
			if err != nil {
				return err
			}
			return visit(&entry)
		})
	return translate(err)
}

// LogOf implements [store.LogReader].
func (r *reader) LogOf(ctx context.Context, id block.ID, kind string) ([]store.LogEntry, error) {
	const order = ` AND e.kind = ? ORDER BY e.number`
	if id == (block.ID{}) {
		return r.logEntries(ctx, ` LEFT JOIN log_leaf l ON l.entry = e.number WHERE e.block IS NULL`+order, kind)
	}
	return r.logEntries(ctx, ` LEFT JOIN log_leaf l ON l.entry = e.number WHERE e.block = ?`+order, id[:], kind)
}

// Ceremonies implements [store.LogReader].
func (r *reader) Ceremonies(ctx context.Context) ([]block.ID, error) {
	var ids []block.ID
	var id block.ID
	var bytes []byte
	err := r.use.each(ctx, `SELECT block FROM log_entry WHERE kind = 'ceremony' AND block IS NOT NULL ORDER BY number`, nil, []any{&bytes}, func() error {
		err := fixed(&id, bytes)
		ids = append(ids, id)
		return err
	})
	return ids, translate(err)
}

// SalesEntry implements [store.LogReader].
func (r *reader) SalesEntry(ctx context.Context, id block.ID, index uint32) (store.LogEntry, error) {
	return r.salesEntry(ctx, id, ` AND e.sold > ? ORDER BY e.sold LIMIT 1`, id[:], int64(index))
}

// LastSales implements [store.LogReader].
func (r *reader) LastSales(ctx context.Context, id block.ID) (store.LogEntry, error) {
	return r.salesEntry(ctx, id, ` ORDER BY e.sold DESC LIMIT 1`, id[:])
}

func (r *reader) salesEntry(ctx context.Context, id block.ID, which string, arguments ...any) (store.LogEntry, error) {
	found, err := r.logEntries(ctx, ` JOIN log_leaf l ON l.entry = e.number WHERE e.block = ? AND e.kind = 'sales'`+which, arguments...)
	if err != nil {
		return store.LogEntry{}, err
	}
	if len(found) == 0 {
		return store.LogEntry{}, fault.New(fault.NotFound, "sales_not_announced", "the public log does not tell of these sales of block %s yet", id).
			Next("ask again after the next checkpoint")
	}
	return found[0], nil
}

// Unannounced implements [store.LogReader].
func (r *reader) Unannounced(ctx context.Context) ([]store.Block, error) {
	return r.blocks(ctx, ` WHERE s.sold > s.announced`)
}

// LogHashes implements [store.LogReader].
func (r *reader) LogHashes(ctx context.Context, places []int64) ([]canon.Digest, error) {
	hashes := make([]canon.Digest, len(places))
	var hash []byte
	for at, place := range places {
		if err := r.use.row(ctx, `SELECT hash FROM log_hash WHERE position = ?`, []any{place}, &hash); err != nil {
			return nil, absent(err, "hash_unknown", "the public log has no hash %d", place)
		}
		if err := fixed(&hashes[at], hash); err != nil {
			return nil, err
		}
	}
	return hashes, nil
}

// LogHead implements [store.LogReader].
func (r *reader) LogHead(ctx context.Context) (store.LogHead, error) {
	head, err := r.logHead(ctx, ` ORDER BY size DESC LIMIT 1`)
	if fault.CodeOf(err) == "checkpoint_unknown" {
		return store.LogHead{}, nil
	}
	return head, err
}

// LogHeadAt implements [store.LogReader].
func (r *reader) LogHeadAt(ctx context.Context, size uint64) (store.LogHead, error) {
	return r.logHead(ctx, ` WHERE size = ?`, int64(size))
}

func (r *reader) logHead(ctx context.Context, which string, arguments ...any) (store.LogHead, error) {
	var head store.LogHead
	var size, at int64
	var root []byte
	if err := r.use.row(ctx, `SELECT size, root, note, at FROM log_checkpoint`+which, arguments, &size, &root, &head.Note, &at); err != nil {
		return store.LogHead{}, absent(err, "checkpoint_unknown", "the public log has no checkpoint of this size")
	}
	head.Size, head.At = uint64(size), instant(at)
	return head, fixed(&head.Root, root)
}

// Cosignatures implements [store.LogReader].
func (r *reader) Cosignatures(ctx context.Context, size uint64) ([]store.Cosignature, error) {
	var list []store.Cosignature
	one := store.Cosignature{Size: size}
	err := r.use.each(ctx, `SELECT witness, line FROM log_cosignature WHERE size = ? ORDER BY witness`, []any{int64(size)},
		[]any{&one.Witness, &one.Line}, func() error {
			list = append(list, one)
			return nil
		})
	return list, translate(err)
}

// Announce implements [store.LogTx].
func (t *tx) Announce(ctx context.Context, entry store.Announcement) error {
	if err := entry.Check(); err != nil {
		return err
	}
	return translate(t.announce(ctx, entry, nil))
}

func (t *tx) announce(ctx context.Context, entry store.Announcement, sold any) error {
	var of any
	if entry.Block != (block.ID{}) {
		of = entry.Block[:]
	}
	return t.use.exec(ctx, `INSERT INTO log_entry (kind, block, sold, body, at) VALUES (?, ?, ?, ?, ?)`,
		entry.Kind, of, sold, entry.Body, milliseconds(entry.At))
}

// AnnounceSales implements [store.LogTx].
func (t *tx) AnnounceSales(ctx context.Context, sold uint32, entry store.Announcement) error {
	if err := entry.Check(); err != nil {
		return err
	}
	number, err := t.blockNumber(ctx, entry.Block)
	if err != nil {
		return err
	}
	changed, err := t.use.changed(ctx, `UPDATE block_sale SET announced = ?1 WHERE block = ?2 AND announced < ?1 AND sold >= ?1`, int64(sold), number)
	if err == nil && changed != 1 {
		return fault.New(fault.Conflict, "sales_announced", "the public log was told of %d sales of block %s, or there are fewer", sold, entry.Block)
	}
	if err == nil {
		err = t.announce(ctx, entry, int64(sold))
	}
	return t.keep(translate(err))
}

// TakeLease implements [store.LogTx].
func (t *tx) TakeLease(ctx context.Context, lease store.Lease, now time.Time) error {
	changed, err := t.use.changed(ctx, `INSERT INTO lease (name, holder, until) VALUES (?1, ?2, ?3)
		ON CONFLICT (name) DO UPDATE SET holder = ?2, until = ?3 WHERE holder = ?2 OR until <= ?4`,
		lease.Name, lease.Holder, milliseconds(lease.Until), milliseconds(now))
	if err == nil && changed != 1 {
		return fault.New(fault.Conflict, "lease_held", "another node holds the lease on %s", lease.Name).
			Next("nothing: it takes over by itself when the other stops")
	}
	return translate(err)
}

// GrowLog implements [store.LogTx].
func (t *tx) GrowLog(ctx context.Context, growth store.Growth) error {
	if err := growth.Check(); err != nil {
		return err
	}
	var size, hashes int64
	err := t.use.row(ctx, `SELECT (SELECT coalesce(max(position), -1) + 1 FROM log_leaf), (SELECT coalesce(max(position), -1) + 1 FROM log_hash)`,
		nil, &size, &hashes)
	if err != nil {
		return translate(err)
	}
	if size != int64(growth.From) || hashes != growth.FirstHash {
		return fault.New(fault.Conflict, "log_moved", "the public log has %d entries, not %d", size, growth.From).
			Next("read it again")
	}
	return t.keep(t.growLog(ctx, &growth))
}

func (t *tx) growLog(ctx context.Context, growth *store.Growth) error {
	inserted, err := t.use.many(ctx, `INSERT INTO log_leaf (position, entry) SELECT v.column1, e.number FROM (VALUES `, `(?, ?)`,
		`) v JOIN log_entry e ON e.number = v.column2 WHERE true`, len(growth.Entries), func(arguments []any, at int) []any {
			return append(arguments, int64(growth.From)+int64(at), growth.Entries[at])
		})
	if err == nil && inserted != int64(len(growth.Entries)) {
		return fault.New(fault.NotFound, "entry_unknown", "the public log is to publish an entry that is not recorded")
	}
	if err != nil {
		return translate(err)
	}
	_, err = t.use.many(ctx, `INSERT INTO log_hash (position, hash) VALUES `, `(?, ?)`, ``, len(growth.Hashes), func(arguments []any, at int) []any {
		return append(arguments, growth.FirstHash+int64(at), growth.Hashes[at][:])
	})
	if err != nil {
		return translate(err)
	}
	head := &growth.Head
	if err := t.use.exec(ctx, `INSERT INTO log_checkpoint (size, root, note, at) VALUES (?, ?, ?, ?)`,
		int64(head.Size), head.Root[:], head.Note, milliseconds(head.At)); err != nil {
		return translate(err)
	}
	return t.seal(ctx, growth)
}

// seal lets the blocks pass to Sealed whose seals were published now. One that was withdrawn
// before stays so.
func (t *tx) seal(ctx context.Context, growth *store.Growth) error {
	var numbers []int64
	var number int64
	err := t.use.each(ctx, `SELECT b.number FROM log_leaf l JOIN log_entry e ON e.number = l.entry JOIN block b ON b.id = e.block
		JOIN block_sale s ON s.block = b.number WHERE l.position >= ? AND e.kind = 'seal' AND s.state = 'dealt' ORDER BY b.number`,
		[]any{int64(growth.From)}, []any{&number}, func() error {
			numbers = append(numbers, number)
			return nil
		})
	if err != nil {
		return translate(err)
	}
	for _, number := range numbers {
		step := store.Step{By: growth.By, Why: "its seal is in the public log", At: growth.Head.At}
		if err := t.move(ctx, number, store.Sealed, step); err != nil {
			return err
		}
	}
	return nil
}

// Cosign implements [store.LogTx].
func (t *tx) Cosign(ctx context.Context, cosignature store.Cosignature) error {
	if _, err := t.LogHeadAt(ctx, cosignature.Size); err != nil {
		return err
	}
	return translate(t.use.exec(ctx, `INSERT INTO log_cosignature (size, witness, line) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		int64(cosignature.Size), cosignature.Witness, cosignature.Line))
}
