package reconcile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
)

// batch is what the ledger's transaction of a batch says of its plays' prizes; all else of it
// follows from the number of plays and was checked when it was read.
type batch struct {
	number         int64
	first, last    uint32
	toFunds, toDue money.Amount
}

// readTransactions checks every transaction of the general ledger by itself, adds it to the trial
// balance, and keeps what is to be compared with other records.
func (c *checker) readTransactions() error {
	last := int64(0)
	return c.records.EachTransaction(c.ctx, func(record *store.LedgerRecord) error {
		c.report.Counts.Transactions++
		where := fmt.Sprintf("transaction %d (%s)", record.Number, record.Kind)
		if record.Number <= last {
			c.differ("transaction_order", where, "it follows transaction %d", last)
		}
		last = record.Number
		if err := c.books.Add(record.Postings...); err != nil {
			c.differ("amount_overflow", where, "its amounts are so large that the books' sums do not fit")
		}
		// What cannot be made again from its postings does not balance, or is no transaction at all.
		if _, err := ledger.New(record.Kind, record.Reference, record.At, record.Postings...); err != nil {
			c.differ("unbalanced", where, "%v", err)
		}
		switch record.Kind {
		case ledger.Sale:
			c.readSale(where, record)
		case ledger.PlayMoney:
			c.readCredit(where, record)
		case ledger.JackpotOpening:
			c.readOpening(where, record)
		case ledger.JackpotWin:
			c.readWin(where, record)
		default:
			c.differ("kind_unknown", where, "nothing is known that is recorded by transactions of this kind")
		}
		return c.ctx.Err()
	})
}

func (c *checker) readCredit(where string, record *store.LedgerRecord) {
	amount := -posted(record, ledger.PlayerFunds)
	want, err := ledger.New(record.Kind, record.Reference, record.At,
		ledger.Posting{Account: ledger.PlayMoneySource, Amount: amount}, ledger.Posting{Account: ledger.PlayerFunds, Amount: -amount})
	if err != nil || amount <= 0 || !samePostings(want, record) {
		c.differ("postings_wrong", where, "it does not credit play money to a player")
		return
	}
	c.credits[record.Number] = amount
}

// readSale makes the entry again from the number of plays and the prizes it says were paid.
func (c *checker) readSale(where string, record *store.LedgerRecord) {
	id, first, last, ok := store.ParseSaleReference(record.Reference)
	d := c.byID[id]
	if !ok || d == nil || d.jackpot != nil {
		c.differ("reference_wrong", where, "its reference %q names no units of a recorded block", record.Reference)
		return
	}
	if d.game == nil {
		return // told already: there is no definition to make the entry by
	}
	due := -posted(record, ledger.PrizesDue)
	b := batch{number: record.Number, first: first, last: last, toDue: due, toFunds: posted(record, ledger.Prizes(d.game.Name)) - due}
	d.batches = append(d.batches, b)
	want, err := c.saleEntry(d, b, record)
	if err != nil || !samePostings(want, record) {
		c.differ("postings_wrong", where, "its postings are not those of %d plays and what it says of their prizes", int64(last)-int64(first)+1)
	}
}

func (c *checker) saleEntry(d *dealt, b batch, record *store.LedgerRecord) (ledger.Transaction, error) {
	stake, plays := d.game.Stakes[d.header().Stake], int64(b.last)-int64(b.first)+1
	part, err := stake.GamePart(d.game.Name).Times(plays)
	if err != nil {
		return ledger.Transaction{}, err
	}
	totals := ledger.SaleTotals{Game: d.game.Name, GamePart: part, ToFunds: b.toFunds, ToDue: b.toDue}
	if d.game.Jackpot != "" {
		j, err := c.catalogue.Jackpot(d.game.Jackpot)
		if err != nil {
			return ledger.Transaction{}, err
		}
		totals.Jackpot = j.Name
		count := money.Amount(plays)
		totals.ToPot, totals.ToReserve, totals.ToOperator = j.ToPot*count, j.ToReserve*count, j.ToOperator*count
	}
	return ledger.SaleEntry(record.Reference, record.At, totals)
}

// postings follows the ledger's transactions of a block beside its plays.
type postings struct {
	block   *dealt
	batches []batch
	at      int
	sum     batch // of the plays of batches[at] read so far
}

func (c *checker) posted(d *dealt) *postings {
	slices.SortFunc(d.batches, func(a, b batch) int { return cmp.Compare(a.first, b.first) })
	for at := 1; at < len(d.batches); at++ {
		if before, b := d.batches[at-1], d.batches[at]; b.first <= before.last {
			c.differ("posted_twice", d.where(), "transactions %d and %d both post unit %d", before.number, b.number, b.first)
		}
	}
	return &postings{block: d, batches: d.batches}
}

func (l *postings) check(c *checker, p *store.Play) {
	if l.block.game == nil {
		return
	}
	for l.at < len(l.batches) && l.batches[l.at].last < p.Index {
		l.finish(c)
	}
	if l.at == len(l.batches) || p.Index < l.batches[l.at].first {
		c.differAt("not_posted", placeOf(p), "no transaction of the ledger posts it")
		return
	}
	if p.PrizeDue {
		l.sum.toDue += p.Prize
	} else {
		l.sum.toFunds += p.Prize
	}
}

// finish compares a transaction with the plays that it posts.
func (l *postings) finish(c *checker) {
	if b := l.batches[l.at]; b.toFunds != l.sum.toFunds || b.toDue != l.sum.toDue {
		c.differ("posted_wrong", fmt.Sprintf("transaction %d", b.number), "it posts prizes of %s to funds and %s to prizes due for units %d to %d of block %s, the journal has %s and %s",
			b.toFunds, b.toDue, b.first, b.last, l.block.id(), l.sum.toFunds, l.sum.toDue)
	}
	l.at++
	l.sum = batch{}
}

func (l *postings) end(c *checker, next uint32) {
	for l.at < len(l.batches) {
		if b := l.batches[l.at]; b.last >= next {
			c.differ("posted_unsold", fmt.Sprintf("transaction %d", b.number), "it posts units %d to %d of block %s, the journal ends after %d",
				b.first, b.last, l.block.id(), next)
		}
		l.finish(c)
	}
	l.block.batches = nil // not needed any more
}

// checkBooks compares every account with what the records give: the control accounts of journal,
// players and jackpots.
func (c *checker) checkBooks() error {
	want := map[ledger.Account]money.Amount{
		ledger.PlayerFunds: -c.held, ledger.PrizesDue: -c.due, ledger.PlayMoneySource: c.credited,
	}
	for name, sums := range c.games {
		want[ledger.Stakes(name)] = -sums.stakes
		want[ledger.Prizes(name)] = sums.prizes
	}
	for name, p := range c.jackpots {
		want[ledger.JackpotPot(name)] = -p.meter.Pot
		want[ledger.JackpotReserve(name)] = -p.meter.Reserve
		want[ledger.JackpotAdvances(name)] = p.meter.Advances
		want[ledger.JackpotShare(name)] = -p.share
		want[ledger.JackpotRounding(name)] = p.rounding
	}
	for _, line := range c.books.Lines() {
		if _, found := want[line.Account]; !found {
			want[line.Account] = 0
		}
	}
	for _, account := range slices.Sorted(maps.Keys(want)) {
		if stands, amount := c.books.Balance(account), want[account]; stands != amount {
			c.differ("account_wrong", "account "+string(account), "it stands at %s, the records give %s", stands, amount)
		}
	}
	if total, err := c.books.Total(); err != nil || total != 0 {
		c.differ("trial_balance", "trial balance", "the accounts sum to %s, not to zero", total)
	}
	return nil
}

func posted(record *store.LedgerRecord, account ledger.Account) money.Amount {
	sum := money.Amount(0)
	for _, posting := range record.Postings {
		if posting.Account == account {
			sum += posting.Amount
		}
	}
	return sum
}

func samePostings(want ledger.Transaction, record *store.LedgerRecord) bool {
	recorded := slices.Clone(record.Postings)
	slices.SortFunc(recorded, func(a, b ledger.Posting) int { return strings.Compare(string(a.Account), string(b.Account)) })
	return slices.Equal(want.Postings(), recorded)
}
