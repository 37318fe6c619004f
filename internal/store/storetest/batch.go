package storetest

import (
	"context"
	"encoding/binary"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// bought is one play of a batch as a test wants it.
type bought struct {
	by    player.ID
	prize money.Amount
	due   bool
	key   store.KeyDigest // made up when zero
}

func by(ids ...player.ID) []bought {
	list := make([]bought, len(ids))
	for at, id := range ids {
		list[at].by = id
	}
	return list
}

// batch composes a sale that starts from a state of a lane, with the players' accounts as they are in
// the store now, by the rules of the design and not by the seller's code.
func (w *world) batch(before store.LaneState, list ...bought) store.Sale {
	w.Helper()
	accounts := make([]*store.Account, len(list))
	for at, one := range list {
		account, err := w.Account(w.ctx, one.by)
		w.must(err)
		accounts[at] = &account
	}
	return w.compose(before, accounts, list...)
}

func (w *world) compose(before store.LaneState, accounts []*store.Account, list ...bought) store.Sale {
	w.Helper()
	sale := store.Sale{Before: before, After: before}
	after := &sale.After
	after.Version++
	after.Units.Sales = before.Units.Sales.Clone()
	if before.Draw != nil {
		draw := *before.Draw
		draw.Sales = draw.Sales.Clone()
		after.Draw = &draw
	}
	totals := ledger.SaleTotals{Game: before.Lane.Game}
	for at, one := range list {
		account := *accounts[at]
		play := w.play(after, &account, one)
		sale.Plays = append(sale.Plays, play)
		account.Available = play.After
		account.Unfinished = unfinishedAfter(account.Unfinished, &play)
		sale.Accounts = append(sale.Accounts, account)
		totals.GamePart += play.GamePart
		if one.due {
			totals.ToDue += one.prize
		} else {
			totals.ToFunds += one.prize
		}
		if play.Draw != nil {
			totals.Jackpot = greatPot
			totals.ToPot, totals.ToReserve, totals.ToOperator = totals.ToPot+toPot, totals.ToReserve+toReserve, totals.ToOperator+toShare
		}
	}
	entry, err := ledger.SaleEntry(store.SaleReference(before.Units.Header.ID, before.Units.Sold, after.Units.Sold-1), w.now, totals)
	w.must(err)
	sale.Entries = []ledger.Transaction{entry}
	return sale
}

// play sells the next unit of a lane, and moves the lane on.
func (w *world) play(lane *store.LaneState, account *store.Account, one bought) store.Play {
	header, index := lane.Units.Header, lane.Units.Sold
	play := store.Play{
		ID: w.made("play"), Player: one.by, Key: one.key, Request: w.made("request"), At: w.now,
		Block: header.ID, Game: header.Game, Stake: header.Stake, Index: index,
		GamePart: header.Price, Prize: one.prize, PrizeDue: one.due,
		Layout: []byte{1, 2, 3, byte(index), 5, 6, 7, 8, 9}, Salt: w.made("salt"), Before: account.Available,
	}
	if play.Key == (store.KeyDigest{}) {
		play.Key = w.made("key")
	}
	if draw := lane.Draw; draw != nil {
		play.GamePart, play.JackpotPart = header.Price-drawPart, drawPart
		play.Draw = &store.Draw{Block: draw.Header.ID, Index: draw.Sold, Salt: w.made("salt")}
		draw.Sales.Append(block.SaleLeaf(draw.Header.ID, draw.Sold, play.ID, w.now.UnixMilli()))
		draw.Sold++
		lane.Meter = jackpot.Meter{Pot: lane.Meter.Pot + toPot, Reserve: lane.Meter.Reserve + toReserve, Advances: lane.Meter.Advances}
	}
	lane.Units.Sales.Append(block.SaleLeaf(header.ID, index, play.ID, w.now.UnixMilli()))
	lane.Units.Sold++
	play.After = play.Before - play.Price()
	if !one.due {
		play.After += one.prize
	}
	return play
}

func unfinishedAfter(list []store.Unfinished, play *store.Play) []store.Unfinished {
	after := []store.Unfinished{{Game: play.Game, Play: play.ID}}
	for _, other := range list {
		if other.Game != play.Game {
			after = append(after, other)
		}
	}
	return after
}

// record records a batch as a seller does: keys, players, lane, batch.
func record(ctx context.Context, tx store.Tx, sale store.Sale) error {
	keys, ids := make([]store.KeyDigest, len(sale.Plays)), make([]player.ID, len(sale.Plays))
	for at, play := range sale.Plays {
		keys[at], ids[at] = play.Key, play.Player
	}
	if _, err := tx.PlaysByKey(ctx, keys); err != nil {
		return err
	}
	if _, err := tx.LockPlayers(ctx, ids, sale.Plays[0].At); err != nil {
		return err
	}
	if err := tx.LockLane(ctx, sale.Before); err != nil {
		return err
	}
	return tx.RecordSale(ctx, sale)
}

// try records a batch without asking first, and gives the error.
func (w *world) try(sale store.Sale) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return tx.RecordSale(ctx, sale) })
}

// sell sells the next units of a lane and gives the plays as they were recorded.
func (w *world) sell(lane store.Lane, list ...bought) []store.Play {
	w.Helper()
	sale := w.batch(w.lane(lane), list...)
	w.update(func(ctx context.Context, tx store.Tx) error { return record(ctx, tx, sale) })
	return sale.Plays
}

// sellEach sells one unit to each of the players, a batch each.
func (w *world) sellEach(lane store.Lane, ids ...player.ID) []store.Play {
	w.Helper()
	var plays []store.Play
	for _, id := range ids {
		plays = append(plays, w.sell(lane, bought{by: id})...)
	}
	return plays
}

// advance passes a lane on to its next blocks.
func (w *world) advance(lane store.Lane) (state store.LaneState, err error) {
	err = w.Update(w.ctx, func(ctx context.Context, tx store.Tx) (err error) {
		state, err = tx.Advance(ctx, lane, w.now)
		return err
	})
	return state, err
}

// alone composes a batch of one play. It makes up identifiers from the player and the place in the
// lane, so that goroutines may call it at once.
func (w *world) alone(state store.LaneState, account *store.Account) store.Sale {
	own := &world{T: w.T, ctx: w.ctx, now: w.now, last: binary.BigEndian.Uint64(account.ID[:]) + uint64(state.Version)<<16}
	return own.compose(state, []*store.Account{account}, bought{by: account.ID})
}
