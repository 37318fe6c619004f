package sqlite

import (
	"context"
	"database/sql"

	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/player"
)

// tx implements [store.Tx]: the only transaction that writes while it lasts, so that whatever it
// reads is locked.
type tx struct {
	reader
	// failed is the first error of a method that may have written a part: nothing is committed then.
	failed error
}

// keep remembers an error of a method that writes several rows.
func (t *tx) keep(err error) error {
	if t.failed == nil {
		t.failed = err
	}
	return err
}

// TakeMeters implements [store.SaleTx].
func (t *tx) TakeMeters(ctx context.Context, jackpotName string, except store.Lane) (jackpot.Meter, error) {
	taken, err := t.takeMeters(ctx, jackpotName, except)
	return taken, t.keep(err)
}

func (t *tx) takeMeters(ctx context.Context, jackpotName string, except store.Lane) (jackpot.Meter, error) {
	var opened, lanes jackpot.Meter
	err := t.use.row(ctx, `SELECT pot, reserve, advances FROM jackpot WHERE name = ?`, []any{jackpotName},
		&opened.Pot, &opened.Reserve, &opened.Advances)
	if err != nil {
		return opened, absent(err, "jackpot_unknown", "the jackpot %s is not open", jackpotName)
	}
	const others = ` WHERE jackpot = ? AND NOT (game = ? AND stake = ? AND number = ?)`
	arguments := []any{jackpotName, except.Game, except.Stake, except.Number}
	err = t.use.row(ctx, `SELECT coalesce(sum(pot), 0), coalesce(sum(reserve), 0), coalesce(sum(advances), 0) FROM lane`+others, arguments,
		&lanes.Pot, &lanes.Reserve, &lanes.Advances)
	if err != nil {
		return opened, translate(err)
	}
	if err := t.use.exec(ctx, `UPDATE jackpot SET pot = 0, reserve = 0, advances = 0 WHERE name = ?`, jackpotName); err != nil {
		return opened, translate(err)
	}
	if err := t.use.exec(ctx, `UPDATE lane SET pot = 0, reserve = 0, advances = 0, version = version + 1`+others, arguments...); err != nil {
		return opened, translate(err)
	}
	return jackpot.Sum(opened, lanes)
}

// RecordSale implements [store.SaleTx].
func (t *tx) RecordSale(ctx context.Context, sale store.Sale) error {
	return t.keep(t.recordSale(ctx, sale))
}

func (t *tx) recordSale(ctx context.Context, sale store.Sale) error {
	if err := sale.Check(); err != nil {
		return err
	}
	if err := t.moveLane(ctx, sale.Before, sale.After); err != nil {
		return err
	}
	if err := t.updateAccounts(ctx, sale.Accounts); err != nil {
		return err
	}
	if err := t.insertPlays(ctx, &sale); err != nil {
		return err
	}
	for _, entry := range sale.Entries {
		if _, err := t.insertEntry(ctx, entry); err != nil {
			return err
		}
	}
	return nil
}

// Statements on many rows say OR FAIL: the first row that is refused ends them without undoing the
// rows before it, for which SQLite would have to keep a copy of each page. The transaction as a whole
// is rolled back after any error (see tx.failed).

func (t *tx) updateAccounts(ctx context.Context, accounts []store.Account) error {
	changed, err := t.use.many(ctx, `UPDATE OR FAIL player SET available = v.column2, unfinished = v.column3 FROM (VALUES `, `(?, ?, ?)`,
		`) v WHERE number = v.column1`, len(accounts), func(arguments []any, at int) []any {
			account := &accounts[at]
			return append(arguments, account.Number, int64(account.Available), encodeUnfinished(account.Unfinished))
		})
	if err == nil && changed != int64(len(accounts)) {
		err = sql.ErrNoRows
	}
	return absent(err, "player_unknown", "there is no such player")
}

func (t *tx) insertPlays(ctx context.Context, sale *store.Sale) error {
	var last int64
	if err := t.use.row(ctx, `SELECT coalesce(max(number), 0) FROM play`, nil, &last); err != nil {
		return translate(err)
	}
	numbers := make(map[player.ID]int64, len(sale.Accounts))
	for at := range sale.Accounts {
		numbers[sale.Accounts[at].ID] = sale.Accounts[at].Number
	}
	_, err := t.use.many(ctx, `INSERT OR FAIL INTO play (number, id, key, request, player, at, block, position, game_part, jackpot_part,
		prize, prize_due, layout, salt, draw_block, draw, draw_salt, won, won_due, before, after) VALUES `,
		`(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, ``, len(sale.Plays), func(arguments []any, at int) []any {
			p := &sale.Plays[at]
			p.Number = last + 1 + int64(at)
			var drawBlock, drawIndex, drawSalt, won, wonDue any = nil, nil, nil, int64(0), false
			if p.Draw != nil {
				drawBlock, drawIndex, drawSalt = sale.After.Draw.Number, int64(p.Draw.Index), p.Draw.Salt[:]
				won, wonDue = int64(p.Draw.Won), p.Draw.WonDue
			}
			return append(arguments, p.Number, p.ID[:], p.Key[:], p.Request[:], numbers[p.Player], milliseconds(p.At),
				sale.After.Units.Number, int64(p.Index), int64(p.GamePart), int64(p.JackpotPart), int64(p.Prize), p.PrizeDue,
				p.Layout, p.Salt[:], drawBlock, drawIndex, drawSalt, won, wonDue, int64(p.Before), int64(p.After))
		})
	return translate(err)
}

func (t *tx) moveLane(ctx context.Context, before, after store.LaneState) error {
	lane := before.Lane
	changed, err := t.use.changed(ctx, `UPDATE lane SET version = ?, pot = ?, reserve = ?, advances = ?
		WHERE game = ? AND stake = ? AND number = ? AND version = ?`,
		int64(after.Version), int64(after.Meter.Pot), int64(after.Meter.Reserve), int64(after.Meter.Advances), lane.Game, lane.Stake, lane.Number, before.Version)
	if err != nil {
		return translate(err)
	}
	if changed != 1 {
		return laneMoved(lane)
	}
	if err := t.moveSequence(ctx, lane, &before.Units, &after.Units); err != nil {
		return err
	}
	if before.Draw != nil {
		return t.moveSequence(ctx, lane, before.Draw, after.Draw)
	}
	return nil
}

func (t *tx) moveSequence(ctx context.Context, lane store.Lane, before, after *store.Sequence) error {
	edge, err := after.Sales.MarshalBinary()
	if err != nil {
		return err
	}
	changed, err := t.use.changed(ctx, `UPDATE block_sale SET sold = ?, sales = ? WHERE block = ? AND sold = ? AND state = 'on-sale'`,
		int64(after.Sold), edge, before.Number, int64(before.Sold))
	if err != nil {
		return translate(err)
	}
	if changed != 1 {
		return laneMoved(lane)
	}
	return nil
}

func (t *tx) insertEntry(ctx context.Context, entry ledger.Transaction) (int64, error) {
	number, err := t.use.insert(ctx, `INSERT INTO ledger_transaction (kind, reference, at) VALUES (?, ?, ?)`,
		string(entry.Kind()), entry.Reference(), milliseconds(entry.At()))
	if err != nil {
		return 0, translate(err)
	}
	for _, posting := range entry.Postings() {
		if err := t.insertPosting(ctx, number, posting); err != nil {
			return 0, translate(err)
		}
	}
	return number, nil
}

// insertPosting records a posting, and its account when nothing was ever posted to it.
func (t *tx) insertPosting(ctx context.Context, transaction int64, posting ledger.Posting) error {
	const text = `INSERT INTO posting (ledger_transaction, account, amount) SELECT ?1, number, ?2 FROM account WHERE name = ?3`
	arguments := []any{transaction, int64(posting.Amount), string(posting.Account)}
	inserted, err := t.use.changed(ctx, text, arguments...)
	if err != nil || inserted == 1 {
		return err
	}
	if err := t.use.exec(ctx, `INSERT INTO account (name) VALUES (?)`, string(posting.Account)); err != nil {
		return err
	}
	return t.use.exec(ctx, text, arguments...)
}
