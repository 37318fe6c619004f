package sqlite

import (
	"context"

	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
)

// EachTransaction implements [store.Records].
func (r *reader) EachTransaction(ctx context.Context, visit func(*store.LedgerRecord) error) error {
	var record store.LedgerRecord
	var number, at int64
	var kind, reference string
	var account *ledger.Account // nil for a transaction that lost its postings
	var amount *money.Amount
	flush := func() error {
		if record.Number == 0 {
			return nil
		}
		return visit(&record)
	}
	err := r.use.each(ctx, `SELECT t.number, t.kind, t.reference, t.at, a.name, p.amount
		FROM ledger_transaction t LEFT JOIN posting p ON p.ledger_transaction = t.number LEFT JOIN account a ON a.number = p.account
		ORDER BY t.number, a.name`, nil, []any{&number, &kind, &reference, &at, &account, &amount}, func() error {
		if number != record.Number {
			if err := flush(); err != nil {
				return err
			}
			record = store.LedgerRecord{Number: number, Kind: ledger.Kind(kind), Reference: reference, At: instant(at),
				Postings: record.Postings[:0]}
		}
		if account != nil && amount != nil {
			record.Postings = append(record.Postings, ledger.Posting{Account: *account, Amount: *amount})
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	return translate(err)
}

// EachMovement implements [store.Records].
func (r *reader) EachMovement(ctx context.Context, visit func(*store.Movement) error) error {
	var movement store.Movement
	var id []byte
	var at int64
	err := r.use.each(ctx, `SELECT p.id, m.amount, m.before, m.after, m.ledger_transaction, m.at
		FROM movement m JOIN player p ON p.number = m.player ORDER BY m.number`, nil,
		[]any{&id, &movement.Amount, &movement.Before, &movement.After, &movement.Transaction, &at}, func() error {
			movement.At = instant(at)
			if err := fixed(&movement.Player, id); err != nil {
				return err
			}
			return visit(&movement)
		})
	return translate(err)
}

// EachAccount implements [store.Records].
func (r *reader) EachAccount(ctx context.Context, visit func(*store.Account) error) error {
	var row accountRow
	err := r.use.each(ctx, `SELECT `+accountColumns+` FROM player ORDER BY number`, nil, row.targets(), func() error {
		account, err := row.read()
		if err != nil {
			return err
		}
		return visit(&account)
	})
	return translate(err)
}

// EachJackpot implements [store.Records].
func (r *reader) EachJackpot(ctx context.Context, visit func(string, jackpot.Meter) error) error {
	var name string
	var left jackpot.Meter
	err := r.use.each(ctx, `SELECT name, pot, reserve, advances FROM jackpot ORDER BY name`, nil,
		[]any{&name, &left.Pot, &left.Reserve, &left.Advances}, func() error { return visit(name, left) })
	return translate(err)
}
