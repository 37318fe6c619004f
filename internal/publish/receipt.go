package publish

import (
	"context"
	"errors"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
	"github.com/talonlottery/talon/receipt"
)

// Receipt makes the receipt of a play (docs/spec/receipt.md). It is provisional until the public log
// tells of the sale. The caller has checked that whoever asks may see the play's outcome. Errors as
// those of the store and of [block.Tiles.Prove].
func (p *Publisher) Receipt(ctx context.Context, play store.Play) (*receipt.Receipt, error) {
	var made *receipt.Receipt
	err := p.config.Store.View(ctx, func(ctx context.Context, reader store.Reader) (err error) {
		made, err = p.receipt(ctx, reader, play)
		return err
	})
	return made, err
}

// proofs is what the parts of one receipt are proven with: one snapshot, one head.
type proofs struct {
	publisher *Publisher
	reader    store.Reader
	head      store.LogHead
	play      store.Play
}

func (p *Publisher) receipt(ctx context.Context, reader store.Reader, play store.Play) (*receipt.Receipt, error) {
	head, err := reader.LogHead(ctx)
	if err != nil {
		return nil, err
	}
	note, err := cosigned(ctx, reader, head)
	if err != nil {
		return nil, err
	}
	with := proofs{publisher: p, reader: reader, head: head, play: play}
	made := &receipt.Receipt{Play: play.ID, At: play.At.UnixMilli(), Checkpoint: string(note)}
	unit := block.Unit{Index: play.Index, Prize: play.Prize, Layout: play.Layout, Salt: play.Salt}
	if made.Unit, err = with.part(ctx, play.Block, &unit); err != nil || play.Draw == nil {
		return made, err
	}
	draw := block.Unit{Index: play.Draw.Index, Layout: []byte{0}, Salt: play.Draw.Salt}
	if play.Draw.Won > 0 {
		draw.Layout[0] = 1
		if made.Win, err = with.win(ctx, play.Draw); err != nil {
			return made, err
		}
	}
	participation, err := with.part(ctx, play.Draw.Block, &draw)
	made.Participation = &participation
	return made, err
}

// part proves a unit in its block, the block's seal in the log, and the sale in the block's sales.
func (w *proofs) part(ctx context.Context, id block.ID, unit *block.Unit) (receipt.Part, error) {
	found, err := w.reader.Block(ctx, id)
	if err != nil {
		return receipt.Part{}, err
	}
	path, err := w.publisher.unitPath(id, found.Deal.Header.Size, unit.Index)
	if err != nil {
		return receipt.Part{}, err
	}
	seals, err := w.reader.LogOf(ctx, id, store.KindSeal)
	if err == nil && len(seals) != 1 {
		err = fault.New(fault.Corrupt, "seal_missing", "block %s has %d seals", id, len(seals)).Next("run `talon reconcile`")
	}
	if err != nil {
		return receipt.Part{}, err
	}
	seal, err := w.logged(ctx, seals[0])
	if err != nil {
		return receipt.Part{}, err
	}
	part := receipt.Of(unit, path, *seal)
	part.Sales, err = w.sale(ctx, id, unit.Index, block.SaleLeaf(id, unit.Index, w.play.ID, w.play.At.UnixMilli()))
	return part, err
}

// unitPath proves a unit out of the tiles of its block.
func (p *Publisher) unitPath(id block.ID, size, index uint32) ([]canon.Digest, error) {
	file, err := p.config.Tiles(id)
	if err != nil {
		return nil, err
	}
	path, err := block.NewTiles(file, size).Prove(index)
	return path, errors.Join(err, file.Close())
}

// logged proves an entry in the head.
func (w *proofs) logged(ctx context.Context, entry store.LogEntry) (*receipt.Logged, error) {
	path, err := prove(ctx, w.reader, w.head, entry)
	if err != nil {
		return nil, err
	}
	return &receipt.Logged{Entry: string(entry.Body), Index: uint64(entry.Position), Path: path}, nil
}

// sale is the place in the block's sales, or nil while the log does not tell of it.
func (w *proofs) sale(ctx context.Context, id block.ID, index uint32, leaf canon.Digest) (*receipt.Sale, error) {
	entry, err := w.reader.SalesEntry(ctx, id, index)
	if errors.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	parsed, err := publiclog.Parse(entry.Body)
	if err != nil {
		return nil, err
	}
	sales, ok := parsed.(publiclog.Sales)
	if !ok {
		return nil, fault.New(fault.Corrupt, "entry_malformed", "entry %d of the public log is not what it is recorded as", entry.Number).Next("run `talon reconcile`")
	}
	tree, err := w.publisher.tree(id)
	if err != nil {
		return nil, err
	}
	path, err := tree.prove(ctx, w.reader, sales.Sold, sales.Root, index, leaf)
	if err != nil {
		return nil, err
	}
	logged, err := w.logged(ctx, entry)
	if err != nil {
		return nil, err
	}
	return &receipt.Sale{Path: path, Logged: *logged}, nil
}

// win proves the entry of a participation's win, or gives nil while it is not published.
func (w *proofs) win(ctx context.Context, draw *store.Draw) (*receipt.Logged, error) {
	entries, err := w.reader.LogOf(ctx, draw.Block, string(publiclog.KindJackpotWin))
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		parsed, err := publiclog.Parse(entry.Body)
		if err != nil {
			return nil, err
		}
		if win, ok := parsed.(publiclog.JackpotWin); ok && win.Index == draw.Index && entry.Position != store.Unpublished {
			return w.logged(ctx, entry)
		}
	}
	return nil, nil
}
