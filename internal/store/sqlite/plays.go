package sqlite

import (
	"context"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

const playColumns = `p.number, p.id, o.id, o.unfinished, p.key, p.request, p.at, b.id, b.game, b.stake, p.position,
	p.game_part, p.jackpot_part, p.prize, p.prize_due, p.layout, p.salt, d.id, p.draw, p.draw_salt, p.won, p.won_due,
	p.before, p.after, c.cells
	FROM play p JOIN player o ON o.number = p.player JOIN block b ON b.number = p.block
	LEFT JOIN block d ON d.number = p.draw_block LEFT JOIN choice c ON c.play = p.number`

// playRow is where a row of play and what belongs to it is read into.
type playRow struct {
	id, who, unfinished, key, request, blockID, salt, drawBlock, drawSalt, cells []byte
	at                                                                           int64
	draw                                                                         *uint32
	won                                                                          money.Amount
	wonDue                                                                       bool
	play                                                                         store.Play
}

func (r *playRow) targets() []any {
	p := &r.play
	return []any{&p.Number, &r.id, &r.who, &r.unfinished, &r.key, &r.request, &r.at, &r.blockID, &p.Game, &p.Stake, &p.Index,
		&p.GamePart, &p.JackpotPart, &p.Prize, &p.PrizeDue, &p.Layout, &r.salt, &r.drawBlock, &r.draw, &r.drawSalt, &r.won,
		&r.wonDue, &p.Before, &p.After, &r.cells}
}

func (r *playRow) read() (store.Play, error) {
	p := r.play
	p.Layout = append([]byte(nil), p.Layout...)
	p.At, p.Choice, p.Draw = instant(r.at), decodeCells(r.cells), nil
	for _, err := range []error{
		fixed(&p.ID, r.id), fixed(&p.Player, r.who), fixed(&p.Key, r.key), fixed(&p.Request, r.request),
		fixed(&p.Block, r.blockID), fixed(&p.Salt, r.salt),
	} {
		if err != nil {
			return p, err
		}
	}
	if r.draw != nil {
		p.Draw = &store.Draw{Index: *r.draw, Won: r.won, WonDue: r.wonDue}
		if err := fixed(&p.Draw.Block, r.drawBlock); err != nil {
			return p, err
		}
		if err := fixed(&p.Draw.Salt, r.drawSalt); err != nil {
			return p, err
		}
	}
	unfinished, err := decodeUnfinished(r.unfinished)
	p.Shown = true
	for _, other := range unfinished {
		if other.Play == p.ID {
			p.Shown = false
		}
	}
	return p, err
}

// Play implements [store.Reader].
func (r *reader) Play(ctx context.Context, id player.ID, play block.PlayID) (store.Play, error) {
	var row playRow
	err := r.use.row(ctx, `SELECT `+playColumns+` WHERE p.id = ? AND o.id = ?`, []any{play[:], id[:]}, row.targets()...)
	if err != nil {
		return store.Play{}, absent(err, "play_unknown", "this player has no such play")
	}
	return row.read()
}

// History implements [store.Reader].
func (r *reader) History(ctx context.Context, id player.ID, before int64, limit int) ([]store.Play, error) {
	var plays []store.Play
	var row playRow
	visit := func() error {
		play, err := row.read()
		plays = append(plays, play)
		return err
	}
	account, err := r.Account(ctx, id)
	if err != nil {
		return nil, err
	}
	limit = max(limit, 0) // below zero SQLite would give all
	if before <= 0 {
		err = r.use.each(ctx, `SELECT `+playColumns+` WHERE p.player = ? ORDER BY p.at DESC, p.number DESC LIMIT ?`,
			[]any{account.Number, limit}, row.targets(), visit)
		return plays, translate(err)
	}
	err = r.use.each(ctx, `SELECT `+playColumns+` WHERE p.player = ?1 AND (p.at, p.number) < ((SELECT at FROM play WHERE number = ?2), ?2)
		ORDER BY p.at DESC, p.number DESC LIMIT ?3`, []any{account.Number, before, limit}, row.targets(), visit)
	return plays, translate(err)
}

// EachPlay implements [store.Records].
func (r *reader) EachPlay(ctx context.Context, id block.ID, visit func(*store.Play) error) error {
	number, err := r.blockNumber(ctx, id)
	if err != nil {
		return err
	}
	for _, order := range []string{` WHERE p.block = ? ORDER BY p.position`, ` WHERE p.draw_block = ? ORDER BY p.draw`} {
		if err := r.eachPlay(ctx, order, []any{number}, visit); err != nil {
			return err
		}
	}
	return nil
}

// EachSale implements [store.LogReader].
func (r *reader) EachSale(ctx context.Context, id block.ID, from uint32, visit func(uint32, block.PlayID, time.Time) error) error {
	number, err := r.blockNumber(ctx, id)
	if err != nil {
		return err
	}
	var index uint32
	var bytes []byte
	var at int64
	for _, text := range []string{`SELECT position, id, at FROM play WHERE block = ? AND position >= ? ORDER BY position`,
		`SELECT draw, id, at FROM play WHERE draw_block = ? AND draw >= ? ORDER BY draw`} {
		err := r.use.each(ctx, text, []any{number, int64(from)}, []any{&index, &bytes, &at}, func() error {
			var play block.PlayID
			if err := fixed(&play, bytes); err != nil {
				return err
			}
			return visit(index, play, instant(at))
		})
		if err != nil {
			return translate(err)
		}
	}
	return nil
}

// EachJournalLine implements [store.Records].
func (r *reader) EachJournalLine(ctx context.Context, visit func(*store.Play) error) error {
	return r.eachPlay(ctx, ` ORDER BY p.number`, nil, visit)
}

func (r *reader) eachPlay(ctx context.Context, which string, arguments []any, visit func(*store.Play) error) error {
	var row playRow
	return translate(r.use.each(ctx, `SELECT `+playColumns+which, arguments, row.targets(), func() error {
		play, err := row.read()
		if err != nil {
			return err
		}
		return visit(&play)
	}))
}
