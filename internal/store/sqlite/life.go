package sqlite

import (
	"context"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
)

// blockNumber finds the store's own name of a block.
func (r *reader) blockNumber(ctx context.Context, id block.ID) (number int64, err error) {
	err = r.use.row(ctx, `SELECT number FROM block WHERE id = ?`, []any{id[:]}, &number)
	return number, absent(err, "block_unknown", "there is no block %s", id)
}

// Block implements [store.Reader].
func (r *reader) Block(ctx context.Context, id block.ID) (store.Block, error) {
	var row blockRow
	if err := r.use.row(ctx, `SELECT `+blockColumns+` WHERE b.id = ?`, []any{id[:]}, row.targets()...); err != nil {
		return store.Block{}, absent(err, "block_unknown", "there is no block %s", id)
	}
	return row.read()
}

// Life implements [store.Reader].
func (r *reader) Life(ctx context.Context, id block.ID) ([]store.LifeStep, error) {
	number, err := r.blockNumber(ctx, id)
	if err != nil {
		return nil, err
	}
	var steps []store.LifeStep
	var step store.LifeStep
	var at int64
	err = r.use.each(ctx, `SELECT state, at, by, why FROM block_step WHERE block = ? ORDER BY CASE state
		WHEN 'dealt' THEN 1 WHEN 'sealed' THEN 2 WHEN 'approved' THEN 3 WHEN 'on-sale' THEN 4 WHEN 'opened' THEN 6 ELSE 5 END`, []any{number},
		[]any{&step.State, &at, &step.By, &step.Why}, func() error {
			step.At = instant(at)
			steps = append(steps, step)
			return nil
		})
	return steps, translate(err)
}

// MoveBlock implements [store.BlockTx].
func (t *tx) MoveBlock(ctx context.Context, id block.ID, to store.BlockState, step store.Step, entry store.Announcement) error {
	if err := entry.Check(); err != nil {
		return err
	}
	number, err := t.blockNumber(ctx, id)
	if err != nil {
		return err
	}
	if to != store.Approved && to != store.Withdrawn && to != store.Opened {
		return fault.New(fault.Conflict, "block_state", "a block does not become %s by decision", to)
	}
	if err := t.move(ctx, number, to, step); err != nil {
		return t.keep(err)
	}
	if to == store.Withdrawn {
		const leave = `UPDATE lane SET version = version + 1, block = CASE WHEN block = ?1 THEN NULL ELSE block END,
			draw_block = CASE WHEN draw_block = ?1 THEN NULL ELSE draw_block END WHERE block = ?1 OR draw_block = ?1`
		if err := t.use.exec(ctx, leave, number); err != nil {
			return t.keep(translate(err))
		}
	}
	return t.keep(translate(t.announce(ctx, entry, nil)))
}

// move lets a block pass to a state, if its life leads there, and records the step.
func (t *tx) move(ctx context.Context, number int64, to store.BlockState, step store.Step) error {
	var from store.BlockState
	var dealtBy string
	err := t.use.row(ctx, `SELECT s.state, p.by FROM block_sale s JOIN block_step p ON p.block = s.block AND p.state = 'dealt' WHERE s.block = ?`,
		[]any{number}, &from, &dealtBy)
	if err != nil {
		return translate(err)
	}
	if err := store.CheckMove(from, to, dealtBy, step); err != nil {
		return err
	}
	if err := t.use.exec(ctx, `UPDATE block_sale SET state = ? WHERE block = ?`, string(to), number); err != nil {
		return translate(err)
	}
	return translate(t.recordStep(ctx, number, to, step))
}

func (t *tx) recordStep(ctx context.Context, number int64, state store.BlockState, step store.Step) error {
	return t.use.exec(ctx, `INSERT INTO block_step (block, state, at, by, why) VALUES (?, ?, ?, ?, ?)`,
		number, string(state), milliseconds(step.At), step.By, step.Why)
}
