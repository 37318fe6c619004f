package reconcile

import (
	"context"
	"errors"
	"fmt"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/publiclog"
)

// CheckLog holds the public log against the records and adds what differs to a report: the log is
// whole, signed by the key and keeps its rules; and what it tells, published or waiting to be, is what
// happened, no more and no less. It returns an error only when reading itself fails.
func CheckLog(ctx context.Context, records store.Reader, key publiclog.Key, report *Report) error {
	l := &logChecker{checker: &checker{ctx: ctx, report: *report}, records: records}
	defer func() { *report = l.report }()
	for _, step := range []func() error{func() error { return l.readHead(key) }, l.readEntries, l.readWaiting, l.checkBlocks, l.checkWins} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

type logChecker struct {
	*checker
	records  store.Reader
	head     store.LogHead
	follower publiclog.Follower
	broken   bool // an entry could not be read: what it told is not known
}

const whereLog = "public log"

func (l *logChecker) readHead(key publiclog.Key) (err error) {
	if l.head, err = l.records.LogHead(l.ctx); err != nil || l.head.Size == 0 {
		return err
	}
	checkpoint, err := publiclog.OpenCheckpoint(l.head.Note, key, nil, 0)
	switch {
	case err != nil:
		l.differ("log_signature_wrong", whereLog, "its head is not signed by the key %s", key.Name())
	case checkpoint.Size != l.head.Size || checkpoint.Root != l.head.Root:
		l.differ("log_head_wrong", whereLog, "its head says %d entries, the signed checkpoint %d, or their roots differ", l.head.Size, checkpoint.Size)
	}
	return nil
}

// readEntries reads what is published, makes the tree anew and holds every stored hash against it.
func (l *logChecker) readEntries() error {
	tree := storedTree{log: l}
	next := uint64(0)
	err := l.records.EachPublished(l.ctx, 0, 1<<62, func(entry *store.LogEntry) error {
		if uint64(entry.Position) != next {
			l.differ("log_entry_missing", whereLog, "entries %d to %d are missing", next, entry.Position-1)
			l.broken = true
		}
		next = uint64(entry.Position) + 1
		l.take(entry, fmt.Sprintf("entry %d", entry.Position))
		return tree.append(publiclog.Leaf(entry.Body))
	})
	if err != nil {
		return err
	}
	if err := tree.flush(); err != nil {
		return err
	}
	if next != l.head.Size || !l.broken && tree.edge.Root() != l.head.Root && next > 0 {
		l.differ("log_root_wrong", whereLog, "its %d entries do not give the head that is signed, of %d", next, l.head.Size)
	}
	return nil
}

// readWaiting follows what is recorded and not published yet: it must be fit to be published.
func (l *logChecker) readWaiting() error {
	waiting, err := l.records.ToPublish(l.ctx, 1<<30)
	for at := range waiting {
		l.take(&waiting[at], fmt.Sprintf("entry recorded as %d", waiting[at].Number))
	}
	return err
}

func (l *logChecker) take(recorded *store.LogEntry, where string) {
	entry, err := publiclog.Parse(recorded.Body)
	if err != nil {
		l.differ("entry_malformed", where, "it is not an entry of the public log")
		l.broken = true
	} else if string(entry.Kind()) != recorded.Kind || publiclog.About(entry) != recorded.Block {
		l.differ("entry_other", where, "it is recorded as %q about block %s, and says otherwise", recorded.Kind, recorded.Block)
	}
	for _, finding := range l.follower.Take(l.follower.Next(), entry, recorded.Body) {
		l.differ(finding.Code, where, "%s", finding.What)
	}
}

func (l *logChecker) checkBlocks() error {
	blocks, err := l.records.Blocks(l.ctx)
	if err != nil {
		return err
	}
	known := make(map[block.ID]bool, len(blocks))
	for _, b := range blocks {
		id := b.Deal.Header.ID
		known[id] = true
		life, err := l.records.Life(l.ctx, id)
		if err != nil {
			return err
		}
		if said := l.follower.Block(id); said == nil || said.Seal == nil {
			l.differ("seal_missing", "block "+id.String(), "no entry seals it")
		} else {
			l.checkBlock(&b, said, life)
		}
	}
	for _, id := range l.follower.Blocks() {
		if said := l.follower.Block(id); said.Seal != nil && !known[id] {
			l.differ("block_unknown", "block "+id.String(), "an entry seals it, and it is not recorded")
		}
	}
	return nil
}

// checkBlock holds what the log says of a block against its record and the steps of its life.
func (l *logChecker) checkBlock(b *store.Block, said *publiclog.History, life []store.LifeStep) {
	where := "block " + b.Deal.Header.ID.String()
	seal := &said.Seal.Entry
	if seal.Header() != b.Deal.Header || seal.Root != b.Deal.Root || seal.Commitment != b.Deal.Commitment ||
		seal.Emission != uint64(b.Emission) || uint64(seal.Position) != uint64(b.Position) {
		l.differ("seal_other", where, "its seal in the log is not what is recorded of it")
	}
	if published := said.Seal.Index < l.head.Size; !published && b.State != store.Unsealed && b.State != store.Withdrawn {
		l.differ("seal_unpublished", where, "it is %s, and its seal is not published", b.State)
	}
	steps := map[store.BlockState]store.Step{}
	for _, step := range life {
		steps[step.State] = step.Step
	}
	if _, found := steps[b.State]; !found {
		l.differ("step_missing", where, "how it became %s is not recorded", b.State)
	}
	if steps[store.Unsealed].By != seal.By {
		l.differ("step_other", where, "%q dealt it, and its seal says %q", steps[store.Unsealed].By, seal.By)
	}
	approval, approved := steps[store.Approved]
	if approved != (said.Approval != nil) || approved && (said.Approval.Entry.By != approval.By || said.Approval.Entry.Why != approval.Why) {
		l.differ("approval_other", where, "its approval in the log is not what is recorded")
	}
	withdrawal, withdrawn := steps[store.Withdrawn]
	if withdrawn != (said.Withdrawal != nil) || withdrawn && said.Withdrawal.Entry.By != withdrawal.By {
		l.differ("withdrawal_other", where, "its withdrawal in the log is not what is recorded")
	}
	if opened := b.State == store.Opened; opened != (said.Opening != nil) || opened && b.Deal.Header.Commitment(said.Opening.Entry.Secret) != b.Deal.Commitment {
		l.differ("opening_other", where, "its opening in the log is not what is recorded")
	}
	l.checkSold(b, said, where, withdrawn)
}

func (l *logChecker) checkSold(b *store.Block, said *publiclog.History, where string, withdrawn bool) {
	sold, root, _ := said.Sold()
	want := b.Announced
	if withdrawn {
		want = b.Sold
	}
	if sold != want {
		l.differ("sales_other", where, "the log tells of %d sales, it is recorded to tell of %d", sold, want)
		return
	}
	if sold > 0 && sold == b.Sold && root != b.Sales.Root() {
		l.differ("sales_root_other", where, "the log's root over its %d sales is not theirs", sold)
	}
}

// checkWins holds the wins that the log tells against those of the journal.
func (l *logChecker) checkWins() error {
	type participation struct {
		block block.ID
		index uint32
	}
	told := make(map[participation]money.Amount)
	for _, id := range l.follower.Blocks() {
		for _, win := range l.follower.Block(id).Wins {
			told[participation{id, win.Entry.Index}] = win.Entry.Amount
		}
	}
	err := l.records.EachJournalLine(l.ctx, func(play *store.Play) error {
		if play.Draw == nil || play.Draw.Won == 0 {
			return nil
		}
		won := participation{play.Draw.Block, play.Draw.Index}
		if amount, found := told[won]; !found || amount != play.Draw.Won {
			l.differ("win_other", fmt.Sprintf("participation %d of block %s", won.index, won.block), "it won %s, and the log tells of %s", play.Draw.Won, amount)
		}
		delete(told, won)
		return nil
	})
	for left := range told {
		l.differ("win_other", fmt.Sprintf("participation %d of block %s", left.index, left.block), "the log tells of a win that the journal does not have")
	}
	return err
}

// storedTree makes the log's tree anew and compares every hash with the stored one at its place.
type storedTree struct {
	log    *logChecker
	edge   canon.Edge
	place  int64 // of the first of made
	made   []canon.Digest
	differ bool
}

// hashesTogether is how many stored hashes are read at once.
const hashesTogether = 4_096

func (t *storedTree) append(leaf canon.Digest) error {
	if t.made = t.edge.AppendTo(t.made, leaf); len(t.made) < hashesTogether {
		return nil
	}
	return t.flush()
}

func (t *storedTree) flush() error {
	places := make([]int64, len(t.made))
	for at := range places {
		places[at] = t.place + int64(at)
	}
	stored, err := t.log.records.LogHashes(t.log.ctx, places)
	if err != nil && !errors.Is(err, fault.NotFound) {
		return err
	}
	for at := range t.made {
		if !t.differ && (err != nil || stored[at] != t.made[at]) {
			t.log.differ("log_hash_wrong", whereLog, "a stored hash of its tree is missing or not what its entries give, from place %d on", t.place)
			t.differ = true
		}
	}
	t.place += int64(len(t.made))
	t.made = t.made[:0]
	return nil
}
