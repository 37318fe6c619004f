// Package publish publishes: the public log with its signed checkpoints, the sales trees of blocks,
// the receipts that rest on both, and the files that strangers check.
//
// Its one promise: what is published happened, and what happened is published once a node runs. An
// entry is recorded in the transaction that it tells of; this package numbers recorded entries and
// signs them in one transaction before it serves any of them, one node at a time.
// Nothing that it publishes links to a player or tells an outcome that is not sold.
package publish

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// Config is what a [Publisher] is made of.
type Config struct {
	Store  store.Store
	Signer *publiclog.Signer
	Clock  func() time.Time
	Log    *slog.Logger // nil: nothing is logged
	// Holder names this node among those that share the database; two nodes never have one name.
	Holder string
	// Folder is for the sales trees of blocks. They follow from the database and can be lost.
	Folder string
	// Tiles opens the tiles file of a block.
	Tiles func(id block.ID) (Tiles, error)
	// Definitions gives the canonical JSON of a definition by its hash; NotFound for one unknown.
	Definitions func(hash canon.Digest) ([]byte, error)
	// Every is how often the log is told of sales, at most. Zero: 10 seconds.
	Every time.Duration
	// Witnesses are asked to cosign each checkpoint.
	Witnesses []Witness
	// Published, when set, is told after each publication: blocks may have become sealed.
	Published func()
}

// defaultEvery is how often the public log is told of sales.
const defaultEvery = 10 * time.Second

// leaseLasts is how long a node that stopped keeps others from publishing.
const leaseLasts = 15 * time.Second

// leaseName is the name of the publisher's lease.
const leaseName = "public log"

// publishMost is the most entries of one publication.
const publishMost = 1_000

// author is the name under which blocks are recorded as sealed.
const author = "public log"

// Publisher publishes. It is safe for concurrent use.
type Publisher struct {
	config Config
	key    publiclog.Key
	wake   chan struct{}
	grown  chan struct{} // there may be a head to cosign

	mu    sync.Mutex // guards what follows
	trees map[block.ID]*salesTree
	told  time.Time         // when the log was last told of sales
	seen  map[string]uint64 // the size that each witness cosigned last
}

// New makes a publisher. It returns Conflict with code log_key_other when the log was signed with
// another key.
func New(ctx context.Context, config Config) (*Publisher, error) {
	if config.Every == 0 {
		config.Every = defaultEvery
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if config.Published == nil {
		config.Published = func() {}
	}
	p := &Publisher{config: config, key: config.Signer.Key(), wake: make(chan struct{}, 1), grown: make(chan struct{}, 1), trees: make(map[block.ID]*salesTree), seen: make(map[string]uint64)}
	head, err := config.Store.LogHead(ctx)
	if err != nil || head.Size == 0 {
		return p, err
	}
	if _, err := publiclog.OpenCheckpoint(head.Note, p.key, nil, 0); err != nil {
		return nil, fault.New(fault.Conflict, "log_key_other", "the public log was not signed by the key %s", p.key.Name()).
			Next("start with the key that signed it; it is in the data folder's backup. A log whose key is lost cannot go on")
	}
	return p, nil
}

// Key is the operator's public key.
func (p *Publisher) Key() publiclog.Key { return p.key }

// Wake makes Run publish at once.
func (p *Publisher) Wake() {
	select {
	case p.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// Run publishes what is recorded until the context ends, and once more then, so that a node that
// stops leaves nothing untold. A failure is logged and tried again.
func (p *Publisher) Run(ctx context.Context) {
	ticker := time.NewTicker(p.config.Every)
	defer ticker.Stop()
	var asking sync.WaitGroup
	defer asking.Wait()
	asking.Go(func() { p.witness(ctx) })
	for {
		p.publishAll(ctx, false)
		select {
		case p.grown <- struct{}{}:
		default: // witnesses are being asked, and are asked again
		}
		select {
		case <-ctx.Done():
			p.publishAll(context.WithoutCancel(ctx), true)
			p.AskWitnesses(context.WithoutCancel(ctx))
			p.Release(context.WithoutCancel(ctx))
			return
		case <-p.wake:
		case <-ticker.C:
		}
	}
}

// Release gives the lease back, so that another node goes on at once. Should it fail, the lease ends by itself.
func (p *Publisher) Release(ctx context.Context) {
	now := p.config.Clock()
	err := p.config.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.TakeLease(ctx, store.Lease{Name: leaseName, Holder: p.config.Holder, Until: now}, now)
	})
	if err != nil && fault.CodeOf(err) != "lease_held" {
		p.config.Log.WarnContext(ctx, "the lease on the public log was not given back", "error", err)
	}
}

func (p *Publisher) publishAll(ctx context.Context, sales bool) {
	for {
		published, err := p.Publish(ctx, sales)
		if err != nil && ctx.Err() == nil {
			p.config.Log.ErrorContext(ctx, "the public log was not continued", "error", err)
		}
		if err != nil || published < publishMost {
			return
		}
	}
}

// Publish publishes what is recorded, at most a thousand entries, and gives their number. It tells the
// log of sales when that is due or asked for. While another node holds the lease it does nothing.
func (p *Publisher) Publish(ctx context.Context, sales bool) (published int, err error) {
	now := p.config.Clock().UTC().Truncate(time.Millisecond)
	p.mu.Lock()
	sales = sales || now.Sub(p.told) >= p.config.Every || now.Before(p.told)
	p.mu.Unlock()
	err = p.config.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		published = 0
		lease := store.Lease{Name: leaseName, Holder: p.config.Holder, Until: now.Add(leaseLasts)}
		if err := tx.TakeLease(ctx, lease, now); err != nil {
			return err
		}
		if err := announceSales(ctx, tx, now, sales); err != nil {
			return err
		}
		published, err = p.grow(ctx, tx, now)
		return err
	})
	if fault.CodeOf(err) == "lease_held" {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if sales {
		p.mu.Lock()
		p.told = now
		p.mu.Unlock()
	}
	if published > 0 {
		p.config.Published()
	}
	return published, nil
}

// grow numbers the entries that wait, grows the tree by them and signs its new head.
func (p *Publisher) grow(ctx context.Context, tx store.Tx, now time.Time) (int, error) {
	waiting, err := tx.ToPublish(ctx, publishMost)
	if err != nil || len(waiting) == 0 {
		return 0, err
	}
	head, err := tx.LogHead(ctx)
	if err != nil {
		return 0, err
	}
	growth := store.Growth{From: head.Size, FirstHash: int64(publiclog.HashCount(head.Size)), By: author}
	leaves := make([]canon.Digest, len(waiting))
	for at, entry := range waiting {
		growth.Entries = append(growth.Entries, entry.Number)
		leaves[at] = publiclog.Leaf(entry.Body)
	}
	added, root, err := publiclog.Append(head.Size, leaves, logHashes(ctx, tx))
	if err != nil {
		return 0, err
	}
	growth.Hashes = added
	growth.Head = store.LogHead{Size: head.Size + uint64(len(waiting)), Root: root, At: now}
	growth.Head.Note, err = p.config.Signer.Sign(publiclog.Checkpoint{Origin: p.key.Name(), Size: growth.Head.Size, Root: root})
	if err != nil {
		return 0, err
	}
	return len(waiting), tx.GrowLog(ctx, growth)
}

// logHashes reads the stored hashes of the log's tree.
func logHashes(ctx context.Context, reader store.LogReader) tlog.HashReader {
	return publiclog.HashesFunc(func(places []int64) ([]canon.Digest, error) { return reader.LogHashes(ctx, places) })
}

// announceSales tells the log how many units of each block were sold: of a block that is sold out at
// once, of the others when asked for. A block that was withdrawn has told it by its withdrawal.
func announceSales(ctx context.Context, tx store.Tx, now time.Time, all bool) error {
	blocks, err := tx.Unannounced(ctx)
	if err != nil {
		return err
	}
	for _, b := range blocks {
		full := b.Sold == b.Deal.Header.Size
		if b.State != store.OnSale && b.State != store.SoldOut || !all && !full {
			continue
		}
		entry, err := store.NewAnnouncement(publiclog.Sales{At: now, Block: b.Deal.Header.ID, Sold: b.Sold, Root: b.Sales.Root()})
		if err != nil {
			return err
		}
		if err := tx.AnnounceSales(ctx, b.Sold, entry); err != nil {
			return err
		}
	}
	return nil
}

// prove gives the proof that a published entry is in a head that is not older. It returns Unavailable with
// code not_published for an entry that is not published yet.
func prove(ctx context.Context, reader store.LogReader, head store.LogHead, entry store.LogEntry) ([]canon.Digest, error) {
	if entry.Position == store.Unpublished || uint64(entry.Position) >= head.Size {
		return nil, fault.New(fault.Unavailable, "not_published", "it is recorded, and not in the public log yet").
			Next("ask again in a moment")
	}
	return publiclog.ProveInclusion(head.Size, uint64(entry.Position), logHashes(ctx, reader))
}

// cosigned is a head's note with the lines of its witnesses.
func cosigned(ctx context.Context, reader store.LogReader, head store.LogHead) ([]byte, error) {
	lines, err := reader.Cosignatures(ctx, head.Size)
	if err != nil {
		return nil, err
	}
	note := append([]byte(nil), head.Note...)
	for _, cosignature := range lines {
		note = append(note, cosignature.Line...)
	}
	return note, nil
}

func errNoCosignature() error {
	return fault.New(fault.Corrupt, "cosignature_wrong", "the witness's answer is not its signature on this checkpoint").
		Next("check the address and the key of this witness")
}

// Sign signs a text that is not a checkpoint with the operator's key. Errors as
// [publiclog.Signer.SignStatement].
func (p *Publisher) Sign(title, text string) ([]byte, error) {
	return p.config.Signer.SignStatement(title, text)
}
