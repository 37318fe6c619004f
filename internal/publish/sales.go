package publish

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// saleBytes is the size of a sale in the published file: play identifier and time
// (docs/spec/publication.md, section 1).
const saleBytes = 24

// salesTree keeps two files of a block: its sales in the order of index, as they are published, and
// the hashes of the tree over them. Both follow from the plays in the database: they are extended when
// they are asked for, and made again when they do not fit.
type salesTree struct {
	mu     sync.Mutex // guards the files
	id     block.ID
	sales  *os.File
	hashes *os.File
	size   uint64 // sales in both files
	sound  bool   // the sales were held against the hashes since the files were opened
}

// salesSuffix and hashesSuffix end the names of the two files.
const (
	salesSuffix  = ".sales"
	hashesSuffix = ".hashes"
)

// tree gives the tree of a block, whose files may be short.
func (p *Publisher) tree(id block.ID) (*salesTree, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if found, ok := p.trees[id]; ok {
		return found, nil
	}
	if err := os.MkdirAll(p.config.Folder, 0o755); err != nil {
		return nil, salesUnusable(err)
	}
	made := &salesTree{id: id}
	for suffix, file := range map[string]**os.File{salesSuffix: &made.sales, hashesSuffix: &made.hashes} {
		opened, err := os.OpenFile(filepath.Join(p.config.Folder, id.String()+suffix), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, errors.Join(salesUnusable(err), made.close())
		}
		*file = opened
	}
	if err := made.measure(); err != nil {
		return nil, errors.Join(err, made.close())
	}
	p.trees[id] = made
	return made, nil
}

func (t *salesTree) close() error {
	var errs []error
	for _, file := range []*os.File{t.sales, t.hashes} {
		if file != nil {
			errs = append(errs, file.Close())
		}
	}
	return errors.Join(errs...)
}

// Close closes the files of sales trees. The publisher is not used afterwards.
func (p *Publisher) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for id, tree := range p.trees {
		errs = append(errs, tree.close())
		delete(p.trees, id)
	}
	return errors.Join(errs...)
}

// measure finds how many sales are whole in both files: a stop may have cut either.
func (t *salesTree) measure() error {
	sales, err := t.sales.Stat()
	if err != nil {
		return salesUnusable(err)
	}
	hashes, err := t.hashes.Stat()
	if err != nil {
		return salesUnusable(err)
	}
	t.size = uint64(sales.Size()) / saleBytes
	for t.size > 0 && publiclog.HashCount(t.size)*uint64(len(canon.Digest{})) > uint64(hashes.Size()) {
		t.size--
	}
	return nil
}

// reach extends the files until they hold a number of sales whose root is known. Files that lead to
// another root are of another database, for instance one restored since: they are made again, once.
func (t *salesTree) reach(ctx context.Context, reader store.LogReader, sold uint32, root canon.Digest) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.sound {
		if err := t.check(); err != nil {
			return err
		}
		t.sound = true
	}
	for attempt := 0; ; attempt++ {
		if err := t.extend(ctx, reader, sold); err != nil {
			return err
		}
		found, err := publiclog.Root(uint64(sold), publiclog.HashFile(t.hashes))
		if err != nil {
			return err
		}
		if found == root {
			return nil
		}
		if attempt > 0 {
			return fault.New(fault.Corrupt, "sales_root_wrong", "the sales of block %s do not give the root that was published", t.id).
				Next("run `talon reconcile`; publish nothing of this block")
		}
		t.size = 0
	}
}

// check holds the sales against the hashes. Files that do not agree are made again.
func (t *salesTree) check() error {
	var edge canon.Edge
	var record [saleBytes]byte
	sales := bufio.NewReaderSize(io.NewSectionReader(t.sales, 0, int64(t.size)*saleBytes), 1<<16)
	for index := range uint32(t.size) {
		if _, err := io.ReadFull(sales, record[:]); err != nil {
			return salesUnusable(err)
		}
		edge.Append(block.SaleLeaf(t.id, index, block.PlayID(record[:16]), int64(binary.BigEndian.Uint64(record[16:]))))
	}
	root, err := publiclog.Root(t.size, publiclog.HashFile(t.hashes))
	if err != nil {
		return err
	}
	if root != edge.Root() {
		t.size = 0
	}
	return nil
}

// salesTogether is how many sales are added to the files at once.
const salesTogether = 4_096

func (t *salesTree) extend(ctx context.Context, reader store.LogReader, sold uint32) error {
	var records []byte
	var leaves []canon.Digest
	flush := func() error {
		if len(leaves) == 0 {
			return nil
		}
		added, _, err := publiclog.Append(t.size, leaves, publiclog.HashFile(t.hashes))
		if err != nil {
			return err
		}
		if _, err := t.sales.WriteAt(records, int64(t.size)*saleBytes); err != nil {
			return salesUnusable(err)
		}
		encoded := make([]byte, 0, len(added)*len(canon.Digest{}))
		for _, hash := range added {
			encoded = append(encoded, hash[:]...)
		}
		if _, err := t.hashes.WriteAt(encoded, int64(publiclog.HashCount(t.size))*int64(len(canon.Digest{}))); err != nil {
			return salesUnusable(err)
		}
		t.size += uint64(len(leaves))
		records, leaves = records[:0], leaves[:0]
		return nil
	}
	if t.size >= uint64(sold) {
		return nil
	}
	enough := errors.New("enough")
	next := uint32(t.size)
	err := reader.EachSale(ctx, t.id, next, func(index uint32, play block.PlayID, at time.Time) error {
		if index != next {
			return fault.New(fault.Corrupt, "index_skipped", "sale %d of block %s is missing", next, t.id).Next("run `talon reconcile`")
		}
		records = binary.BigEndian.AppendUint64(append(records, play[:]...), uint64(at.UnixMilli()))
		leaves = append(leaves, block.SaleLeaf(t.id, index, play, at.UnixMilli()))
		if next++; next == sold {
			return enough
		}
		if len(leaves) < salesTogether {
			return nil
		}
		return flush()
	})
	if err == nil {
		return fault.New(fault.Corrupt, "sold_wrong", "block %s has fewer sales than the public log was told of", t.id).Next("run `talon reconcile`")
	}
	if !errors.Is(err, enough) {
		return err
	}
	return flush()
}

// prove proves a sale in the tree over the first sold sales, whose root is known. The proof is verified:
// hashes that were damaged are made again, once.
func (t *salesTree) prove(ctx context.Context, reader store.LogReader, sold uint32, root canon.Digest, index uint32, leaf canon.Digest) ([]canon.Digest, error) {
	for attempt := 0; ; attempt++ {
		if err := t.reach(ctx, reader, sold, root); err != nil {
			return nil, err
		}
		t.mu.Lock()
		path, err := publiclog.ProveInclusion(uint64(sold), uint64(index), publiclog.HashFile(t.hashes))
		broken := err == nil && attempt == 0 && publiclog.VerifyInclusion(root, uint64(sold), uint64(index), leaf, path) != nil
		if broken {
			t.size = 0
		}
		t.mu.Unlock()
		if !broken {
			return path, err
		}
	}
}

// first gives the first sold sales as they are published, once they were reached.
func (t *salesTree) first(sold uint32) io.Reader {
	return io.NewSectionReader(t.sales, 0, int64(sold)*saleBytes)
}

func salesUnusable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fault.New(fault.Unavailable, "sales_unusable", "the folder of sales trees cannot be used: %w", err).
			Next("give talon the right to write there")
	}
	return fault.New(fault.Unavailable, "sales_unusable", "the files of a sales tree cannot be read or written: %w", err).
		Next("check the folder, its rights and the room on its disk; the files are made again by themselves")
}
