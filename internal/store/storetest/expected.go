package storetest

import (
	"slices"

	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
)

// after is what everything must be once a sale is recorded: the dump changed by hand, place by place,
// from the contract's words. The dump it is called on stays as it is.
func (d Dump) after(sale store.Sale) Dump {
	d.Accounts, d.Lanes, d.Blocks = slices.Clone(d.Accounts), slices.Clone(d.Lanes), slices.Clone(d.Blocks)
	for at := range d.Accounts {
		for _, account := range sale.Accounts {
			if account.ID == d.Accounts[at].ID {
				d.Accounts[at].Available, d.Accounts[at].Unfinished = account.Available, account.Unfinished
			}
		}
	}
	for at := range d.Lanes {
		if d.Lanes[at].Lane == sale.Before.Lane {
			d.Lanes[at] = sale.After
		}
	}
	for at := range d.Blocks {
		for _, sequence := range []*store.Sequence{&sale.After.Units, sale.After.Draw} {
			if sequence != nil && sequence.Header.ID == d.Blocks[at].Deal.Header.ID {
				d.Blocks[at].Sold, d.Blocks[at].Sales = sequence.Sold, sequence.Sales
			}
		}
	}
	number := int64(len(d.Plays))
	d.Plays, d.Draws = slices.Clone(d.Plays), slices.Clone(d.Draws)
	for _, plays := range [][]store.Play{d.Plays, d.Draws} {
		for at := range plays {
			plays[at].Shown = d.shown(&plays[at]) // a new play takes the place of an unfinished one
		}
	}
	for at, play := range sale.Plays {
		play.Number = number + int64(at) + 1
		d.Plays = append(d.Plays, play)
		if play.Draw != nil {
			d.Draws = append(d.Draws, play)
		}
	}
	d.Transactions = slices.Clone(d.Transactions)
	for _, entry := range sale.Entries {
		d.Transactions = append(d.Transactions, store.LedgerRecord{Number: int64(len(d.Transactions)) + 1,
			Kind: entry.Kind(), Reference: entry.Reference(), At: entry.At(), Postings: entry.Postings()})
	}
	d.Meters = map[string]jackpot.Meter{}
	for name := range d.Jackpots {
		total := d.Jackpots[name]
		for _, lane := range d.Lanes {
			if lane.Draw != nil && lane.Draw.Header.Game == name {
				total.Pot += lane.Meter.Pot
				total.Reserve += lane.Meter.Reserve
				total.Advances += lane.Meter.Advances
			}
		}
		d.Meters[name] = total
	}
	return d
}

// shown reports whether no account has the play among its unfinished ones.
func (d *Dump) shown(play *store.Play) bool {
	for _, account := range d.Accounts {
		if unfinished, found := account.UnfinishedOf(play.Game); found && unfinished == play.ID {
			return false
		}
	}
	return true
}
