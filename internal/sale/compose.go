package sale

import (
	"context"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/publiclog"
)

// composition is the records of a batch as they are put together, play by play.
type composition struct {
	batch  *batch
	tx     store.Tx
	after  store.LaneState
	plays  []store.Play
	owners []store.Account
	totals ledger.SaleTotals
	wins   []ledger.Transaction
}

// compose puts the records of a batch together. It reads each layout again: what does not show its
// prize is never sold.
func (b *batch) compose(ctx context.Context, tx store.Tx, units, draws []block.Unit) (store.Sale, error) {
	before := *b.lane.state
	c := &composition{batch: b, tx: tx, after: before, totals: ledger.SaleTotals{Game: b.lane.game.Name}}
	c.after.Version++
	c.after.Units.Sales = before.Units.Sales.Clone()
	if before.Draw != nil {
		draw := *before.Draw
		draw.Sales = before.Draw.Sales.Clone()
		c.after.Draw = &draw
		c.totals.Jackpot = b.lane.jackpot.Name
	}
	for at, o := range b.accepted {
		var draw *block.Unit
		if draws != nil {
			draw = &draws[at]
		}
		if err := c.add(ctx, o, &units[at], draw); err != nil {
			return store.Sale{}, err
		}
	}
	first := b.from
	entry, err := ledger.SaleEntry(store.SaleReference(before.Units.Header.ID, first, first+uint32(len(units))-1), b.at, c.totals)
	if err != nil {
		return store.Sale{}, err
	}
	return store.Sale{
		Before: before, After: c.after, Plays: c.plays, Accounts: c.owners,
		Entries: append([]ledger.Transaction{entry}, c.wins...),
	}, nil
}

// add makes the records of one play.
func (c *composition) add(ctx context.Context, o *order, unit, draw *block.Unit) error {
	l := c.batch.lane
	if unit.Index != c.after.Units.Sold || draw != nil && draw.Index != c.after.Draw.Sold {
		return fault.New(fault.Corrupt, "unit_out_of_order", "a unit of %s was opened that is not the next one", l.game.Name).
			Next("stop the sale of this block; nothing of this batch was sold")
	}
	if read, err := l.game.Mechanics[l.at.Stake].Prize(unit.Layout); err != nil || read != unit.Prize {
		return fault.New(fault.Corrupt, "layout_not_prize", "a unit of %s does not show its prize", l.game.Name).
			Next("stop the sale of this block; nothing of this batch was sold")
	}
	header, stake := c.after.Units.Header, l.game.Stakes[l.at.Stake]
	play := store.Play{
		ID: header.PlayID(unit), Player: o.account.ID, Key: o.waiting.key, Request: o.waiting.digest, At: c.batch.at,
		Block: header.ID, Game: l.game.Name, Stake: l.at.Stake, Index: unit.Index,
		GamePart: stake.GamePart(l.game.Name), Prize: unit.Prize, PrizeDue: c.due(unit.Prize),
		Layout: unit.Layout, Salt: unit.Salt, Before: o.account.Available,
	}
	if draw != nil {
		if err := c.participate(ctx, &play, draw); err != nil {
			return err
		}
	}
	if err := c.settle(&play); err != nil {
		return err
	}
	at := c.batch.at.UnixMilli()
	c.after.Units.Sales.Append(block.SaleLeaf(header.ID, unit.Index, play.ID, at))
	c.after.Units.Sold++
	if draw != nil {
		c.after.Draw.Sales.Append(block.SaleLeaf(play.Draw.Block, draw.Index, play.ID, at))
		c.after.Draw.Sold++
	}
	c.plays = append(c.plays, play)
	c.owners = append(c.owners, owner(o.account, &play))
	return nil
}

// owner is the player's account after the play: its funds, and the play not shown yet.
func owner(account *store.Account, play *store.Play) store.Account {
	after := *account
	after.Available = play.After
	after.Unfinished = []store.Unfinished{{Game: play.Game, Play: play.ID}}
	for _, other := range account.Unfinished {
		if other.Game != play.Game {
			after.Unfinished = append(after.Unfinished, other)
		}
	}
	return after
}

// participate adds the participation in the jackpot: it contributes first, then may win.
func (c *composition) participate(ctx context.Context, play *store.Play, draw *block.Unit) error {
	j := c.batch.lane.jackpot
	play.JackpotPart = j.Price
	play.Draw = &store.Draw{Block: c.after.Draw.Header.ID, Index: draw.Index, Salt: draw.Salt}
	var err error
	if c.after.Meter, err = c.after.Meter.Contribute(j, 1); err != nil {
		return err
	}
	c.totals.ToPot += j.ToPot // a batch has at most thousands of plays: no overflow
	c.totals.ToReserve += j.ToReserve
	c.totals.ToOperator += j.ToOperator
	if !draw.Wins() {
		return nil
	}
	return c.win(ctx, play)
}

// win pays the whole pot: the meters of all lanes are taken in this transaction.
func (c *composition) win(ctx context.Context, play *store.Play) error {
	j := c.batch.lane.jackpot
	others, err := c.tx.TakeMeters(ctx, j.Name, c.batch.lane.at)
	if err != nil {
		return err
	}
	meter, err := jackpot.Sum(c.after.Meter, others)
	if err != nil {
		return err
	}
	step, err := meter.Win(j)
	if err != nil {
		return err
	}
	c.after.Meter, play.Draw.Won, play.Draw.WonDue = step.After, step.Won, c.due(step.Won)
	account := ledger.PlayerFunds
	if play.Draw.WonDue {
		account = ledger.PrizesDue
	}
	entry, err := ledger.New(ledger.JackpotWin, store.WinReference(play.ID), c.batch.at,
		append(step.Postings, ledger.Posting{Account: account, Amount: -step.Won})...)
	if err != nil {
		return err
	}
	c.wins = append(c.wins, entry)
	return c.announceWin(ctx, play, meter)
}

// announceWin tells the public log of a win, in the same transaction: which participation won, how much,
// and how many participations were sold since the pot last started, so that anybody can work the
// amount out. Who won is told to nobody.
func (c *composition) announceWin(ctx context.Context, play *store.Play, meter jackpot.Meter) error {
	j := c.batch.lane.jackpot
	entry, err := store.NewAnnouncement(publiclog.JackpotWin{
		At: c.batch.at, Jackpot: j.Name, Block: play.Draw.Block, Index: play.Draw.Index, Amount: play.Draw.Won,
		Since: uint64((meter.Pot - j.Start) / j.ToPot),
	})
	if err != nil {
		return err
	}
	return c.tx.Announce(ctx, entry)
}

// settle works out the player's funds after the play and adds it to the batch's sums. A prize is one
// posting: it goes whole to available funds or whole to prizes due (art. 4.6).
func (c *composition) settle(play *store.Play) error {
	after, err := play.Before.Sub(play.Price())
	if err != nil {
		return err
	}
	c.totals.GamePart += play.GamePart
	if play.PrizeDue {
		c.totals.ToDue += play.Prize
	} else {
		c.totals.ToFunds += play.Prize
		if after, err = after.Add(play.Prize); err != nil {
			return err
		}
	}
	if play.Draw != nil && !play.Draw.WonDue {
		if after, err = after.Add(play.Draw.Won); err != nil {
			return err
		}
	}
	play.After = after
	return nil
}

// due reports whether a prize is above the threshold.
func (c *composition) due(prize money.Amount) bool {
	threshold := c.batch.lane.config.PrizeDueAbove
	return threshold > 0 && prize > threshold
}
