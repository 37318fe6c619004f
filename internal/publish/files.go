package publish

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// Tiles is the tiles file of a block.
type Tiles interface {
	io.ReaderAt
	io.Closer
}

// OpenTiles opens the tiles of a block in a folder of tiles.
func OpenTiles(path func(block.ID) string) func(block.ID) (Tiles, error) {
	return func(id block.ID) (Tiles, error) {
		file, err := os.Open(path(id))
		if err != nil {
			return nil, fault.New(fault.Unavailable, "tiles_not_read", "the tiles of block %s cannot be read: %w", id, err).
				Next("restore the block's tiles file from a backup; it is public and can also be made again when the block is opened")
		}
		return file, nil
	}
}

// The folders of a publication (docs/spec/publication.md, section 1).
const (
	logFolder         = "log/"
	definitionsFolder = "definitions/"
	blocksFolder      = "blocks/"
	salesFolder       = "sales/"
)

// view is what one signed head of the log tells: all files of a publication that belong together.
type view struct {
	publisher *Publisher
	reader    store.Reader
	head      store.LogHead
}

// open opens the file with a path in the publication. What it gives does not need the view any more: files
// are large and those who fetch them slow. It returns NotFound with code file_unknown for a path that a
// publication does not have.
func (v *view) open(ctx context.Context, path string) (io.ReadCloser, error) {
	if rest, ok := strings.CutPrefix(path, logFolder); ok {
		return inMemory(v.logFile(ctx, rest))
	}
	if hash, ok := between(path, definitionsFolder, ".json"); ok {
		return inMemory(v.definition(hash))
	}
	if text, ok := between(path, blocksFolder, ".tiles"); ok {
		return v.tiles(ctx, text)
	}
	if text, ok := between(path, salesFolder, ".sales"); ok {
		return v.sales(ctx, text)
	}
	return nil, fileUnknown()
}

func inMemory(content []byte, err error) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(content)), err
}

func between(path, folder, suffix string) (string, bool) {
	rest, ok := strings.CutPrefix(path, folder)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, suffix)
}

func fileUnknown() error {
	return fault.New(fault.NotFound, "file_unknown", "a publication has no such file").
		Next("docs/spec/publication.md lists the files")
}

func (v *view) logFile(ctx context.Context, path string) ([]byte, error) {
	if v.head.Size == 0 {
		return nil, fileUnknown()
	}
	if path == publiclog.CheckpointPath {
		return cosigned(ctx, v.reader, v.head)
	}
	return publiclog.File(path, v.head.Size, logHashes(ctx, v.reader), func(from, to uint64) ([][]byte, error) {
		var bodies [][]byte
		err := v.reader.EachPublished(ctx, from, to, func(entry *store.LogEntry) error {
			bodies = append(bodies, entry.Body)
			return nil
		})
		return bodies, err
	})
}

func (v *view) definition(text string) ([]byte, error) {
	var hash canon.Digest
	if hash.UnmarshalText([]byte(text)) != nil || hash.String() != text {
		return nil, fileUnknown()
	}
	return v.publisher.config.Definitions(hash)
}

// sealed finds a block that the head seals.
func (v *view) sealed(ctx context.Context, text string) (store.Block, error) {
	var id block.ID
	if id.UnmarshalText([]byte(text)) != nil || id.String() != text {
		return store.Block{}, fileUnknown()
	}
	seals, err := v.reader.LogOf(ctx, id, store.KindSeal)
	if err != nil {
		return store.Block{}, err
	}
	if len(seals) == 0 || seals[0].Position == store.Unpublished {
		return store.Block{}, fileUnknown()
	}
	return v.reader.Block(ctx, id)
}

func (v *view) tiles(ctx context.Context, text string) (io.ReadCloser, error) {
	found, err := v.sealed(ctx, text)
	if err != nil {
		return nil, err
	}
	file, err := v.publisher.config.Tiles(found.Deal.Header.ID)
	if err != nil {
		return nil, err
	}
	return section{io.NewSectionReader(file, 0, block.TilesBytes(found.Deal.Header.Size)), file}, nil
}

// section is a part of a file that is closed with it.
type section struct {
	io.Reader
	io.Closer
}

// sales gives the sales that the log tells of, and no more.
func (v *view) sales(ctx context.Context, text string) (io.ReadCloser, error) {
	found, err := v.sealed(ctx, text)
	if err != nil {
		return nil, err
	}
	id := found.Deal.Header.ID
	sold, root, err := v.told(ctx, id)
	if err != nil || sold == 0 {
		return inMemory(nil, err)
	}
	tree, err := v.publisher.tree(id)
	if err == nil {
		err = tree.reach(ctx, v.reader, sold, root)
	}
	if err != nil {
		return nil, err
	}
	return io.NopCloser(tree.first(sold)), nil
}

// told is how many sales of a block the published log tells of last.
func (v *view) told(ctx context.Context, id block.ID) (sold uint32, root canon.Digest, err error) {
	last, err := v.reader.LogOf(ctx, id, string(publiclog.KindWithdrawal))
	if err != nil {
		return 0, root, err
	}
	if len(last) == 0 || last[0].Position == store.Unpublished {
		sales, err := v.reader.LastSales(ctx, id)
		if errors.Is(err, fault.NotFound) {
			return 0, root, nil
		}
		if err != nil {
			return 0, root, err
		}
		last = []store.LogEntry{sales}
	}
	parsed, err := publiclog.Parse(last[0].Body)
	if err != nil {
		return 0, root, err
	}
	switch e := parsed.(type) {
	case publiclog.Sales:
		return e.Sold, e.Root, nil
	case publiclog.Withdrawal:
		return e.Sold, e.Root, nil
	}
	return 0, root, nil
}
