package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// CreatePlayer implements [store.PlayerTx].
func (t *tx) CreatePlayer(ctx context.Context, id player.ID, at time.Time) error {
	return translate(t.use.exec(ctx, `INSERT INTO player (id, created) VALUES (?, ?)`, id[:], milliseconds(at)))
}

// Credit implements [store.PlayerTx].
func (t *tx) Credit(ctx context.Context, id player.ID, amount money.Amount, entry ledger.Transaction) error {
	return t.keep(t.credit(ctx, id, amount, entry))
}

func (t *tx) credit(ctx context.Context, id player.ID, amount money.Amount, entry ledger.Transaction) error {
	if err := store.CheckCredit(amount, entry); err != nil {
		return err
	}
	account, err := t.Account(ctx, id)
	if err != nil {
		return err
	}
	after, err := account.Available.Add(amount)
	if err != nil {
		return err
	}
	number, err := t.insertEntry(ctx, entry)
	if err != nil {
		return err
	}
	if err := t.use.exec(ctx, `INSERT INTO movement (player, amount, before, after, ledger_transaction, at) VALUES (?, ?, ?, ?, ?, ?)`,
		account.Number, int64(amount), int64(account.Available), int64(after), number, milliseconds(entry.At())); err != nil {
		return translate(err)
	}
	return translate(t.use.exec(ctx, `UPDATE player SET available = ? WHERE number = ?`, int64(after), account.Number))
}

// SetStanding implements [store.PlayerTx].
func (t *tx) SetStanding(ctx context.Context, id player.ID, standing player.Standing) error {
	var stakeCap any
	if standing.StakeCap != nil {
		stakeCap = int64(*standing.StakeCap)
	}
	changed, err := t.use.changed(ctx, `UPDATE player SET status = ?, excluded_until = ?, stake_cap = ? WHERE id = ?`,
		string(standing.Status), milliseconds(standing.ExcludedUntil), stakeCap, id[:])
	if err == nil && changed == 0 {
		err = sql.ErrNoRows
	}
	return absent(err, "player_unknown", "there is no such player")
}

// CreateSession implements [store.PlayerTx].
func (t *tx) CreateSession(ctx context.Context, session store.Session) error {
	account, err := t.Account(ctx, session.Player)
	if err != nil {
		return err
	}
	return translate(t.use.exec(ctx, `INSERT INTO session (digest, player, started) VALUES (?, ?, ?)`,
		session.Digest[:], account.Number, milliseconds(session.Started)))
}

// RecordChoice implements [store.PlayerTx].
func (t *tx) RecordChoice(ctx context.Context, id player.ID, play block.PlayID, cells []int, at time.Time) error {
	encoded, err := encodeCells(cells)
	if err != nil {
		return err
	}
	recorded, err := t.Play(ctx, id, play)
	if err != nil {
		return err
	}
	if recorded.Choice != nil {
		if slices.Equal(recorded.Choice, cells) {
			return nil
		}
		return store.ChoiceRecorded()
	}
	return translate(t.use.exec(ctx, `INSERT INTO choice (play, cells, at) VALUES (?, ?, ?)`,
		recorded.Number, encoded, milliseconds(at)))
}

// MarkShown implements [store.PlayerTx].
func (t *tx) MarkShown(ctx context.Context, id player.ID, play block.PlayID) error {
	account, err := t.Account(ctx, id)
	if errors.Is(err, fault.NotFound) {
		return fault.New(fault.NotFound, "play_unknown", "this player has no such play")
	}
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(account.Unfinished), func(u store.Unfinished) bool { return u.Play == play })
	if len(left) == len(account.Unfinished) {
		var number int64
		err := t.use.row(ctx, `SELECT number FROM play WHERE id = ? AND player = ?`, []any{play[:], account.Number}, &number)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "play_unknown", "this player has no such play")
		}
		return translate(err)
	}
	return translate(t.use.exec(ctx, `UPDATE player SET unfinished = ? WHERE number = ?`, encodeUnfinished(left), account.Number))
}
