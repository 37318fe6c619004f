package publish

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// Export writes the whole publication into a folder, as one signed head of the log tells it. The folder
// is made; files in it are replaced. Progress, which may be nil, is told each file. Errors as the
// store's, and Unavailable with code export_failed when a file cannot be written.
func (p *Publisher) Export(ctx context.Context, folder string, progress func(path string)) error {
	return p.config.Store.View(ctx, func(ctx context.Context, reader store.Reader) error {
		head, err := reader.LogHead(ctx)
		if err != nil {
			return err
		}
		if head.Size == 0 {
			return fault.New(fault.NotFound, "log_empty", "the public log has no entry yet").Next("run a lottery first, for instance `talon demo`")
		}
		v := &view{publisher: p, reader: reader, head: head}
		paths, err := v.paths(ctx)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := v.export(ctx, folder, path); err != nil {
				return err
			}
			if progress != nil {
				progress(path)
			}
		}
		return nil
	})
}

// paths lists the publication's files; the checkpoint is the last, so that a copy that broke off is not
// taken for a whole one.
func (v *view) paths(ctx context.Context) ([]string, error) {
	var paths []string
	definitions, err := v.reader.LogOf(ctx, block.ID{}, string(publiclog.KindDefinition))
	if err != nil {
		return nil, err
	}
	for _, recorded := range definitions {
		parsed, err := publiclog.Parse(recorded.Body)
		if err != nil {
			return nil, err
		}
		if d, ok := parsed.(publiclog.Definition); ok && recorded.Position != store.Unpublished {
			paths = append(paths, definitionsFolder+d.Definition.String()+".json")
		}
	}
	blocks, err := v.reader.Blocks(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		id := b.Deal.Header.ID.String()
		if _, err := v.sealed(ctx, id); err != nil {
			continue // its seal is not published yet
		}
		paths = append(paths, blocksFolder+id+".tiles", salesFolder+id+".sales")
	}
	for _, path := range publiclog.Paths(v.head.Size) {
		paths = append(paths, logFolder+path)
	}
	return append(paths, logFolder+publiclog.CheckpointPath), nil
}

func (v *view) export(ctx context.Context, folder, path string) error {
	target := filepath.Join(folder, filepath.FromSlash(path))
	failed := func(err error) error {
		return fault.New(fault.Unavailable, "export_failed", "%s cannot be written: %w", target, err).Next("check the folder, its rights and the room on its disk")
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return failed(err)
	}
	file, err := os.CreateTemp(filepath.Dir(target), ".export-*")
	if err != nil {
		return failed(err)
	}
	defer func() { _ = os.Remove(file.Name()) }() // it is gone once it was renamed
	content, err := v.open(ctx, path)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	_, err = io.Copy(file, content)
	err = errors.Join(err, content.Close(), file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), target)
	}
	if err != nil {
		return failed(err)
	}
	return nil
}
