package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
)

// OpenEmission implements [store.BlockTx].
func (t *tx) OpenEmission(ctx context.Context, emission store.Emission) (store.EmissionID, error) {
	if emission.Blocks < 1 {
		return 0, fault.New(fault.Invalid, "emission_empty", "an emission has at least one block")
	}
	number, err := t.use.insert(ctx, `INSERT INTO emission (game, stake, blocks, opened) VALUES (?, ?, ?, ?)`,
		emission.Game, emission.Stake, emission.Blocks, milliseconds(emission.Opened))
	return store.EmissionID(number), translate(err)
}

// OpenLane implements [store.BlockTx].
func (t *tx) OpenLane(ctx context.Context, lane store.Lane, jackpotName string) error {
	var name any
	if jackpotName != "" {
		if _, err := t.Meter(ctx, jackpotName); err != nil {
			return err
		}
		name = jackpotName
	}
	return translate(t.use.exec(ctx, `INSERT INTO lane (game, stake, number, jackpot) VALUES (?, ?, ?, ?)`,
		lane.Game, lane.Stake, lane.Number, name))
}

// OpenJackpot implements [store.BlockTx].
func (t *tx) OpenJackpot(ctx context.Context, jackpotName string, meter jackpot.Meter, entry ledger.Transaction) error {
	if err := t.use.exec(ctx, `INSERT INTO jackpot (name, pot, reserve, advances) VALUES (?, ?, ?, ?)`,
		jackpotName, int64(meter.Pot), int64(meter.Reserve), int64(meter.Advances)); err != nil {
		return translate(err)
	}
	_, err := t.insertEntry(ctx, entry)
	return t.keep(err)
}

// AddBlock implements [store.BlockTx].
func (t *tx) AddBlock(ctx context.Context, dealt store.Dealt, step store.Step, seal store.Announcement) error {
	if err := errors.Join(step.Check(), seal.Check()); err != nil {
		return err
	}
	var of store.Emission
	if err := t.use.row(ctx, `SELECT game, stake, blocks FROM emission WHERE number = ?`, []any{int64(dealt.Emission)},
		&of.Game, &of.Stake, &of.Blocks); err != nil {
		return absent(err, "emission_unknown", "there is no emission %d", dealt.Emission)
	}
	if dealt.Position < 0 || dealt.Position >= of.Blocks {
		return fault.New(fault.Conflict, "emission_full", "the emission has %d blocks", of.Blocks)
	}
	h := dealt.Deal.Header
	if h.Game != of.Game || h.Stake != of.Stake || h.Size == 0 {
		return fault.New(fault.Invalid, "block_malformed", "a block of %s is not one of an emission of %s", h.Game, of.Game)
	}
	if seal.Kind != store.KindSeal || seal.Block != h.ID {
		return fault.New(fault.Invalid, "block_malformed", "the seal of block %s is not about it", h.ID)
	}
	number, err := t.use.insert(ctx, `INSERT INTO block (id, emission, position, version, game, definition, stake, price, size,
		root, commitment, dealt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		h.ID[:], int64(dealt.Emission), dealt.Position, h.Version, h.Game, h.Definition[:], h.Stake, int64(h.Price), int64(h.Size),
		dealt.Deal.Root[:], dealt.Deal.Commitment[:], milliseconds(dealt.At))
	if err != nil {
		return translate(err)
	}
	err = t.use.exec(ctx, `INSERT INTO block_sale (block, state) VALUES (?, ?)`, number, string(store.Unsealed))
	if err == nil {
		err = t.recordStep(ctx, number, store.Unsealed, step)
	}
	if err == nil {
		err = t.announce(ctx, seal, nil)
	}
	return t.keep(translate(err))
}

// Advance implements [store.BlockTx]. It finds both next blocks before it changes anything.
func (t *tx) Advance(ctx context.Context, lane store.Lane, at time.Time) (store.LaneState, error) {
	state, blocks, err := t.laneRow(ctx, lane)
	if err != nil {
		return state, err
	}
	units, err := t.nextUnlessLeft(ctx, blocks.units.block, lane.Game, lane.Stake)
	if err != nil {
		return state, err
	}
	draw := blocks.draw.block
	if blocks.jackpot != nil {
		if draw, err = t.nextUnlessLeft(ctx, draw, *blocks.jackpot, 0); err != nil {
			return state, err
		}
	}
	if same(units, blocks.units.block) && same(draw, blocks.draw.block) {
		return t.Lane(ctx, lane)
	}
	for _, step := range []struct{ from, to *int64 }{{blocks.units.block, units}, {blocks.draw.block, draw}} {
		if err := t.replace(ctx, step.from, step.to, at); err != nil {
			return state, t.keep(err)
		}
	}
	err = t.use.exec(ctx, `UPDATE lane SET block = ?, draw_block = ?, version = version + 1
		WHERE game = ? AND stake = ? AND number = ?`, units, draw, lane.Game, lane.Stake, lane.Number)
	if err != nil {
		return state, t.keep(translate(err))
	}
	return t.Lane(ctx, lane)
}

func same(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// nextUnlessLeft finds the block to sell: the current one while it has units left, and otherwise the
// next approved one of the game and stake.
func (t *tx) nextUnlessLeft(ctx context.Context, current *int64, game string, stake int) (*int64, error) {
	if current != nil {
		var left int64
		err := t.use.row(ctx, `SELECT b.size - s.sold FROM block b JOIN block_sale s ON s.block = b.number WHERE b.number = ?`,
			[]any{*current}, &left)
		if err != nil {
			return nil, translate(err)
		}
		if left > 0 {
			return current, nil
		}
	}
	var next int64
	err := t.use.row(ctx, `SELECT b.number FROM block_sale s JOIN block b ON b.number = s.block
		WHERE s.state = 'approved' AND b.game = ? AND b.stake = ? ORDER BY b.number LIMIT 1`, []any{game, stake}, &next)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, t.noneReady(ctx, game, stake)
	}
	return &next, translate(err)
}

// seller is the name under which a block's sale is recorded to begin and to end.
const seller = "sale"

// replace takes a block from sale and puts another on sale.
func (t *tx) replace(ctx context.Context, from, to *int64, at time.Time) error {
	if same(from, to) {
		return nil
	}
	if from != nil {
		if err := t.move(ctx, *from, store.SoldOut, store.Step{By: seller, Why: "its last unit is sold", At: at}); err != nil {
			return err
		}
	}
	return t.move(ctx, *to, store.OnSale, store.Step{By: seller, Why: "its lane has no units left of another block", At: at})
}

// noneReady tells a block that is not approved yet from an emission that is used up.
func (t *tx) noneReady(ctx context.Context, game string, stake int) error {
	var missing int64
	err := t.use.row(ctx, `SELECT coalesce(sum(blocks), 0) - (SELECT count(*) FROM block b JOIN block_sale s ON s.block = b.number
			WHERE b.game = ?1 AND b.stake = ?2 AND s.state NOT IN ('dealt', 'sealed'))
		FROM emission WHERE game = ?1 AND stake = ?2`, []any{game, stake}, &missing)
	if err != nil {
		return translate(err)
	}
	if missing > 0 {
		return fault.New(fault.Unavailable, "next_block_not_ready", "the next block of %s is being made ready", game).
			Next("ask again in a moment, with the same key")
	}
	return fault.New(fault.Exhausted, "emission_used_up", "the emission of %s is used up", game).
		Next("wait for its next emission, or choose another game or stake")
}
