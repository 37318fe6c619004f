package sqlite

import (
	"context"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/player"
)

// listed turns a blob of 16-byte values into rows of their place and value, so that many rows are
// found by one statement: the driver's price for a statement is above SQLite's for a row.
const listed = `WITH RECURSIVE listed (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM listed WHERE place + 1 < length(?1) / 16) `

// PlaysByKey implements [store.SaleTx].
func (t *tx) PlaysByKey(ctx context.Context, keys []store.KeyDigest) ([]*store.Play, error) {
	plays := make([]*store.Play, len(keys))
	var at int
	var number int64
	found := make(map[int]int64) // repeated requests are few
	err := t.use.each(ctx, listed+`SELECT place, p.number FROM listed CROSS JOIN play p ON p.key = substr(?1, place * 16 + 1, 16)`,
		[]any{packed(keys)}, []any{&at, &number}, func() error {
			found[at] = number
			return nil
		})
	if err != nil {
		return nil, translate(err)
	}
	for at, number := range found {
		var row playRow
		if err := t.use.row(ctx, `SELECT `+playColumns+` WHERE p.number = ?`, []any{number}, row.targets()...); err != nil {
			return nil, translate(err)
		}
		play, err := row.read()
		if err != nil {
			return nil, err
		}
		plays[at] = &play
	}
	return plays, nil
}

// packed puts values one after the other.
func packed[T ~[16]byte](values []T) []byte {
	bytes := make([]byte, 0, 16*len(values))
	for _, value := range values {
		one := [16]byte(value)
		bytes = append(bytes, one[:]...)
	}
	return bytes
}

// LockPlayers implements [store.SaleTx].
func (t *tx) LockPlayers(ctx context.Context, ids []player.ID, now time.Time) ([]*store.Account, error) {
	accounts := make([]*store.Account, len(ids))
	var row accountRow
	var at int
	err := t.use.each(ctx, listed+`SELECT place, `+accountColumns+` FROM listed CROSS JOIN player ON id = substr(?1, place * 16 + 1, 16)`,
		[]any{packed(ids)}, append([]any{&at}, row.targets()...), func() error {
			account, err := row.read()
			accounts[at] = &account
			return err
		})
	if err != nil {
		return nil, translate(err)
	}
	for _, account := range accounts {
		if account == nil || account.Standing.StakeCap == nil {
			continue
		}
		err := t.use.row(ctx, `SELECT coalesce(sum(game_part + jackpot_part), 0) FROM play WHERE player = ? AND at > ?`,
			[]any{account.Number, milliseconds(now.Add(-player.CapPeriod))}, &account.Standing.Staked)
		if err != nil {
			return nil, translate(err)
		}
	}
	return accounts, nil
}

// LockLane implements [store.SaleTx].
func (t *tx) LockLane(ctx context.Context, remembered store.LaneState) error {
	lane := remembered.Lane
	var version uint64
	err := t.use.row(ctx, `SELECT version FROM lane WHERE game = ? AND stake = ? AND number = ?`,
		[]any{lane.Game, lane.Stake, lane.Number}, &version)
	if err != nil {
		return absent(err, "lane_unknown", "%s at its stake %d has no lane %d", lane.Game, lane.Stake, lane.Number)
	}
	if version != remembered.Version {
		return laneMoved(lane)
	}
	return nil
}

func laneMoved(lane store.Lane) error {
	return fault.New(fault.Conflict, "lane_moved", "lane %d of %s moved since it was read", lane.Number, lane.Game).
		Next("read the lane again")
}
