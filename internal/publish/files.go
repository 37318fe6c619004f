package publish

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

type digest = canon.Digest

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

// write writes the file with a path in the publication. It returns NotFound with code file_unknown for
// a path that a publication does not have.
func (v *view) write(ctx context.Context, path string, into io.Writer) error {
	if rest, ok := strings.CutPrefix(path, logFolder); ok {
		content, err := v.logFile(ctx, rest)
		if err == nil {
			_, err = into.Write(content)
		}
		return err
	}
	if hash, ok := between(path, definitionsFolder, ".json"); ok {
		return v.definition(hash, into)
	}
	if text, ok := between(path, blocksFolder, ".tiles"); ok {
		return v.tiles(ctx, text, into)
	}
	if text, ok := between(path, salesFolder, ".sales"); ok {
		return v.sales(ctx, text, into)
	}
	return fileUnknown()
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
	return publiclog.File(path, v.head.Size, v.hashes(ctx), func(from, to uint64) ([][]byte, error) {
		var bodies [][]byte
		err := v.reader.EachPublished(ctx, from, to, func(entry *store.LogEntry) error {
			bodies = append(bodies, entry.Body)
			return nil
		})
		return bodies, err
	})
}

func (v *view) hashes(ctx context.Context) tlog.HashReader { return logHashes(ctx, v.reader) }

func (v *view) definition(text string, into io.Writer) error {
	var hash canon.Digest
	if hash.UnmarshalText([]byte(text)) != nil || hash.String() != text {
		return fileUnknown()
	}
	content, err := v.publisher.config.Definitions(hash)
	if err == nil {
		_, err = into.Write(content)
	}
	return err
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

func (v *view) tiles(ctx context.Context, text string, into io.Writer) error {
	found, err := v.sealed(ctx, text)
	if err != nil {
		return err
	}
	file, err := v.publisher.config.Tiles(found.Deal.Header.ID)
	if err != nil {
		return err
	}
	_, err = io.Copy(into, io.NewSectionReader(file, 0, block.TilesBytes(found.Deal.Header.Size)))
	return errors.Join(err, file.Close())
}

// sales writes the sales that the log tells of, and no more.
func (v *view) sales(ctx context.Context, text string, into io.Writer) error {
	found, err := v.sealed(ctx, text)
	if err != nil {
		return err
	}
	id := found.Deal.Header.ID
	sold, root, err := v.told(ctx, id)
	if err != nil {
		return err
	}
	if sold == 0 {
		return nil
	}
	tree, err := v.publisher.tree(id)
	if err == nil {
		err = tree.reach(ctx, v.reader, sold, root)
	}
	if err != nil {
		return err
	}
	return tree.copy(into, sold)
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
