package sqlite

import (
	"context"
	"time"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// reader implements [store.Reader] over a connection or a pool.
type reader struct{ use *statements }

const accountColumns = `number, id, status, excluded_until, stake_cap, available, unfinished, created`

// accountRow is where a row of player is read into.
type accountRow struct {
	id, unfinished         []byte
	excludedUntil, created int64
	stakeCap               *money.Amount
	account                store.Account
}

func (r *accountRow) targets() []any {
	return []any{&r.account.Number, &r.id, &r.account.Standing.Status, &r.excludedUntil, &r.stakeCap,
		&r.account.Available, &r.unfinished, &r.created}
}

func (r *accountRow) read() (store.Account, error) {
	account := r.account
	account.Standing.ExcludedUntil, account.Standing.StakeCap = instant(r.excludedUntil), r.stakeCap
	account.Created = instant(r.created)
	if err := fixed(&account.ID, r.id); err != nil {
		return account, err
	}
	var err error
	account.Unfinished, err = decodeUnfinished(r.unfinished)
	return account, err
}

// Account implements [store.Reader].
func (r *reader) Account(ctx context.Context, id player.ID) (store.Account, error) {
	var row accountRow
	if err := r.use.row(ctx, `SELECT `+accountColumns+` FROM player WHERE id = ?`, []any{id[:]}, row.targets()...); err != nil {
		return store.Account{}, absent(err, "player_unknown", "there is no such player")
	}
	return row.read()
}

// Session implements [store.Reader].
func (r *reader) Session(ctx context.Context, digest canon.Digest) (store.Session, error) {
	session := store.Session{Digest: digest}
	var id []byte
	var started int64
	err := r.use.row(ctx, `SELECT p.id, s.started FROM session s JOIN player p ON p.number = s.player WHERE s.digest = ?`,
		[]any{digest[:]}, &id, &started)
	if err != nil {
		return session, absent(err, "session_unknown", "there is no such session")
	}
	session.Started = instant(started)
	return session, fixed(&session.Player, id)
}

// Summary implements [store.Reader].
func (r *reader) Summary(ctx context.Context, id player.ID, since time.Time) (store.Summary, error) {
	// Sums and unfinished plays come from one statement, so that a play is never counted as shown
	// because it was sold between two reads. The plays themselves never change.
	var summary store.Summary
	var packed []byte
	err := r.use.row(ctx, `SELECT o.unfinished, coalesce(sum(p.game_part + p.jackpot_part), 0), coalesce(sum(p.prize + p.won), 0)
		FROM player o LEFT JOIN play p ON p.player = o.number AND p.at >= ?2 WHERE o.id = ?1 GROUP BY o.number`,
		[]any{id[:], milliseconds(since)}, &packed, &summary.Staked, &summary.Won)
	if err != nil {
		return store.Summary{}, absent(err, "player_unknown", "there is no such player")
	}
	list, err := decodeUnfinished(packed)
	if err != nil {
		return store.Summary{}, err
	}
	for _, unfinished := range list {
		play, err := r.Play(ctx, id, unfinished.Play)
		if err != nil {
			return store.Summary{}, err
		}
		if !play.At.Before(since) {
			summary.Won -= play.Prize
			if play.Draw != nil {
				summary.Won -= play.Draw.Won
			}
		}
	}
	return summary, nil
}

// Lanes implements [store.Reader].
func (r *reader) Lanes(ctx context.Context) ([]store.Lane, error) {
	var lanes []store.Lane
	var lane store.Lane
	err := r.use.each(ctx, `SELECT game, stake, number FROM lane ORDER BY game, stake, number`, nil,
		[]any{&lane.Game, &lane.Stake, &lane.Number}, func() error {
			lanes = append(lanes, lane)
			return nil
		})
	return lanes, translate(err)
}

// Lane implements [store.Reader].
func (r *reader) Lane(ctx context.Context, lane store.Lane) (store.LaneState, error) {
	state, blocks, err := r.laneRow(ctx, lane)
	if err != nil {
		return state, err
	}
	if blocks.units.block == nil || blocks.jackpot != nil && blocks.draw.block == nil {
		return state, fault.New(fault.Unavailable, "lane_without_block", "no block of %s is on sale yet", lane.Game).
			Next("wait until its first block is dealt")
	}
	if state.Units, err = r.sequence(ctx, &blocks.units); err != nil {
		return state, err
	}
	if blocks.draw.block != nil {
		draw, err := r.sequence(ctx, &blocks.draw)
		if err != nil {
			return state, err
		}
		state.Draw = &draw
	}
	return state, nil
}

// laneBlocks are the blocks that a lane's row names, and what changes of them.
type laneBlocks struct {
	units, draw laneBlock
	jackpot     *string
}

// laneBlock is nil where the lane has no such block.
type laneBlock struct {
	block *int64
	sold  *uint32
	sales []byte
}

// laneRow reads in one statement all that changes of a lane, so that it belongs together.
func (r *reader) laneRow(ctx context.Context, lane store.Lane) (store.LaneState, laneBlocks, error) {
	state := store.LaneState{Lane: lane}
	var blocks laneBlocks
	err := r.use.row(ctx, `SELECT l.version, l.block, u.sold, u.sales, l.draw_block, d.sold, d.sales, l.jackpot, l.pot, l.reserve, l.advances
		FROM lane l LEFT JOIN block_sale u ON u.block = l.block LEFT JOIN block_sale d ON d.block = l.draw_block
		WHERE l.game = ? AND l.stake = ? AND l.number = ?`, []any{lane.Game, lane.Stake, lane.Number},
		&state.Version, &blocks.units.block, &blocks.units.sold, &blocks.units.sales,
		&blocks.draw.block, &blocks.draw.sold, &blocks.draw.sales, &blocks.jackpot,
		&state.Meter.Pot, &state.Meter.Reserve, &state.Meter.Advances)
	return state, blocks, absent(err, "lane_unknown", "%s at its stake %d has no lane %d", lane.Game, lane.Stake, lane.Number)
}

const blockColumns = `b.number, b.id, b.emission, b.position, b.version, b.game, b.definition, b.stake, b.price, b.size,
	b.root, b.commitment, b.dealt, s.state, s.sold, s.sales, s.announced FROM block b JOIN block_sale s ON s.block = b.number`

// blockRow is where a row of block and block_sale is read into.
type blockRow struct {
	id, definition, root, commitment, sales []byte
	number, dealt                           int64
	block                                   store.Block
}

func (r *blockRow) targets() []any {
	h := &r.block.Deal.Header
	return []any{&r.number, &r.id, &r.block.Emission, &r.block.Position, &h.Version, &h.Game, &r.definition, &h.Stake, &h.Price,
		&h.Size, &r.root, &r.commitment, &r.dealt, &r.block.State, &r.block.Sold, &r.sales, &r.block.Announced}
}

func (r *blockRow) read() (store.Block, error) {
	found := r.block
	found.At = instant(r.dealt)
	for _, err := range []error{
		fixed(&found.Deal.Header.ID, r.id), fixed(&found.Deal.Header.Definition, r.definition),
		fixed(&found.Deal.Root, r.root), fixed(&found.Deal.Commitment, r.commitment),
		found.Sales.UnmarshalBinary(r.sales),
	} {
		if err != nil {
			return found, err
		}
	}
	return found, nil
}

// sequence adds to a lane's block what never changes of it.
func (r *reader) sequence(ctx context.Context, of *laneBlock) (store.Sequence, error) {
	var row blockRow
	if err := r.use.row(ctx, `SELECT `+blockColumns+` WHERE b.number = ?`, []any{*of.block}, row.targets()...); err != nil {
		return store.Sequence{}, translate(err)
	}
	found, err := row.read()
	if err != nil {
		return store.Sequence{}, err
	}
	sequence := store.Sequence{Number: *of.block, Header: found.Deal.Header, Root: found.Deal.Root, Sold: *of.sold}
	return sequence, sequence.Sales.UnmarshalBinary(of.sales)
}

// Blocks implements [store.Reader].
func (r *reader) Blocks(ctx context.Context) ([]store.Block, error) { return r.blocks(ctx, ``) }

func (r *reader) blocks(ctx context.Context, which string) ([]store.Block, error) {
	var blocks []store.Block
	var row blockRow
	err := r.use.each(ctx, `SELECT `+blockColumns+which+` ORDER BY b.number`, nil, row.targets(), func() error {
		found, err := row.read()
		blocks = append(blocks, found)
		return err
	})
	return blocks, translate(err)
}

// Emissions implements [store.Reader].
func (r *reader) Emissions(ctx context.Context) ([]store.Emission, error) {
	var emissions []store.Emission
	var emission store.Emission
	var opened int64
	err := r.use.each(ctx, `SELECT number, game, stake, blocks, opened FROM emission ORDER BY number`, nil,
		[]any{&emission.ID, &emission.Game, &emission.Stake, &emission.Blocks, &opened}, func() error {
			emission.Opened = instant(opened)
			emissions = append(emissions, emission)
			return nil
		})
	return emissions, translate(err)
}

// Meter implements [store.Reader].
func (r *reader) Meter(ctx context.Context, jackpotName string) (jackpot.Meter, error) {
	var meter jackpot.Meter
	err := r.use.row(ctx, `SELECT j.pot + coalesce(sum(l.pot), 0), j.reserve + coalesce(sum(l.reserve), 0),
		j.advances + coalesce(sum(l.advances), 0)
		FROM jackpot j LEFT JOIN lane l ON l.jackpot = j.name WHERE j.name = ? GROUP BY j.name`,
		[]any{jackpotName}, &meter.Pot, &meter.Reserve, &meter.Advances)
	return meter, absent(err, "jackpot_unknown", "the jackpot %s is not open", jackpotName)
}
