package reconcile_test

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"testing"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/reconcile"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
)

// The world as [reconcile.Records].

func (w *world) Emissions(context.Context) ([]store.Emission, error) { return w.emissions, nil }
func (w *world) Blocks(context.Context) ([]store.Block, error)       { return w.blocks, nil }

func (w *world) Lanes(context.Context) (lanes []store.Lane, err error) {
	for _, lane := range w.lanes {
		lanes = append(lanes, lane.Lane)
	}
	return lanes, nil
}

func (w *world) Lane(_ context.Context, lane store.Lane) (store.LaneState, error) {
	for _, state := range w.lanes {
		if state.Lane == lane {
			return state, nil
		}
	}
	return store.LaneState{}, fault.New(fault.Unavailable, "lane_without_block", "no block")
}

func (w *world) Meter(_ context.Context, name string) (jackpot.Meter, error) {
	if w.meter != nil {
		return *w.meter, nil
	}
	total := w.left[name]
	for _, lane := range w.lanes {
		total, _ = jackpot.Sum(total, lane.Meter)
	}
	return total, nil
}

func (w *world) EachPlay(_ context.Context, id block.ID, visit func(*store.Play) error) error {
	var units, draws []*store.Play
	for at := range w.plays {
		if p := &w.plays[at]; p.Block == id {
			units = append(units, p)
		} else if p.Draw != nil && p.Draw.Block == id && (w.unlisted == nil || p.ID != *w.unlisted) {
			draws = append(draws, p)
		}
	}
	slices.SortStableFunc(units, func(a, b *store.Play) int { return cmp.Compare(a.Index, b.Index) })
	slices.SortStableFunc(draws, func(a, b *store.Play) int { return cmp.Compare(a.Draw.Index, b.Draw.Index) })
	if w.misfiled != nil && len(draws) > 0 {
		draws = append(draws, w.misfiled)
	}
	return each(append(units, draws...), func(p **store.Play) error { return visit(*p) })
}

func (w *world) EachJournalLine(_ context.Context, visit func(*store.Play) error) error {
	if w.hidden == nil {
		return each(w.plays, visit)
	}
	return each(w.plays, func(p *store.Play) error {
		if p.ID == *w.hidden {
			return nil
		}
		return visit(p)
	})
}

func (w *world) EachTransaction(_ context.Context, visit func(*store.LedgerRecord) error) error {
	return each(w.records, visit)
}

func (w *world) EachMovement(_ context.Context, visit func(*store.Movement) error) error {
	return each(w.movements, visit)
}

func (w *world) EachAccount(_ context.Context, visit func(*store.Account) error) error {
	return each(w.accounts, visit)
}

func (w *world) EachJackpot(_ context.Context, visit func(string, jackpot.Meter) error) error {
	for name, m := range w.left {
		if err := visit(name, m); err != nil {
			return err
		}
	}
	return nil
}

func each[T any](all []T, visit func(*T) error) error {
	for at := range all {
		if err := visit(&all[at]); err != nil {
			return err
		}
	}
	return nil
}

type tilesFile struct{ *bytes.Reader }

func (tilesFile) Close() error { return nil }

func (w *world) openTiles(id block.ID) (reconcile.Tiles, error) {
	file, found := w.tiles[id]
	if !found {
		return nil, fault.New(fault.NotFound, "tiles_not_found", "there is no file: %w", io.ErrUnexpectedEOF)
	}
	return tilesFile{bytes.NewReader(file)}, nil
}

func (w *world) check(t testing.TB, withTiles bool) reconcile.Report {
	t.Helper()
	options := reconcile.Options{}
	if withTiles {
		options.Tiles = w.openTiles
	}
	report, err := reconcile.Check(context.Background(), w, w.games, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}
