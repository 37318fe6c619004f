package reconcile

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
)

// pool is a jackpot: its rules run again over what the ledger and the plays say.
type pool struct {
	name    string
	jackpot *game.Jackpot // nil when there is no definition
	opened  bool
	meter   jackpot.Meter // by the rules
	stored  jackpot.Meter // sum of what lanes and the jackpot's own row hold
	// assigned is how many participations the pots that were won account for; sold is how many the
	// journal has. The rest is in the meter.
	assigned, sold  int64
	share, rounding money.Amount
	posted          []win                // as the ledger has them, in order
	won             map[block.PlayID]win // as the journal has them
}

// win is a pot that was won.
type win struct {
	number    int64 // of the ledger's transaction
	reference string
	amount    money.Amount
	due       bool
}

func (c *checker) pool(name string) *pool {
	p := c.jackpots[name]
	if p == nil {
		p = &pool{name: name, won: map[block.PlayID]win{}}
		if found, err := c.catalogue.Jackpot(name); err == nil {
			p.jackpot = found
		} else {
			c.differ("definition_other", "jackpot "+name, "there is no definition to check it by")
		}
		c.jackpots[name] = p
	}
	return p
}

func (p *pool) where() string { return "jackpot " + p.name }

func (p *pool) addLane(c *checker, where string, m jackpot.Meter) {
	if m.Pot < 0 || m.Reserve < 0 || m.Advances < 0 {
		c.differ("meter_wrong", where, "its meter is negative")
	}
	sum, err := jackpot.Sum(p.stored, m)
	if err != nil {
		c.differ("amount_overflow", where, "its meter is so large that the jackpot's does not fit")
		return
	}
	p.stored = sum
}

func (c *checker) readJackpots() error {
	return c.records.EachJackpot(c.ctx, func(name string, left jackpot.Meter) error {
		c.pool(name).addLane(c, "jackpot "+name, left)
		return c.ctx.Err()
	})
}

// poolOf finds the jackpot that a transaction moves by its pot.
func (c *checker) poolOf(where string, record *store.LedgerRecord) *pool {
	head := string(ledger.JackpotPot(""))
	for _, posting := range record.Postings {
		if name, found := strings.CutPrefix(string(posting.Account), head); found {
			if p := c.pool(name); p.jackpot != nil {
				return p
			}
			return nil
		}
	}
	c.differ("postings_wrong", where, "it moves no jackpot's pot")
	return nil
}

func (c *checker) readOpening(where string, record *store.LedgerRecord) {
	p := c.poolOf(where, record)
	if p == nil {
		return
	}
	if p.opened {
		c.differ("opened_twice", where, "%s was opened before", p.where())
		return
	}
	p.opened = true
	step, err := jackpot.Open(p.jackpot)
	if err == nil {
		p.meter = step.After
		err = expect(record, step.Postings)
	}
	if err != nil {
		c.differ("postings_wrong", where, "its postings are not those of opening %s", p.where())
	}
}

// readWin lets the rules run to the next win. What the pot held says how many participations there
// were since the last one: the pot begins with the starting amount and each brings the same.
func (c *checker) readWin(where string, record *store.LedgerRecord) {
	p := c.poolOf(where, record)
	if p == nil {
		return
	}
	c.report.Counts.JackpotWins++
	brought := posted(record, ledger.JackpotPot(p.name)) + p.jackpot.Start - p.meter.Pot
	participations := int64(brought / p.jackpot.ToPot)
	if participations < 1 || brought%p.jackpot.ToPot != 0 || !p.opened {
		c.differ("pot_wrong", where, "no number of participations brings the pot of %s to what it pays", p.where())
		participations = max(participations, 0)
	}
	before, err := p.meter.Contribute(p.jackpot, participations)
	if err != nil {
		c.differ("amount_overflow", where, "%v", err)
		return
	}
	p.assigned += participations
	step, err := before.Win(p.jackpot)
	if err != nil {
		c.differ("pot_wrong", where, "%v", err)
		return
	}
	p.meter = step.After
	p.rounding += step.Won - before.Pot
	w := win{number: record.Number, reference: record.Reference, amount: step.Won, due: posted(record, ledger.PrizesDue) != 0}
	credited := ledger.PlayerFunds
	if w.due {
		credited = ledger.PrizesDue
	}
	if expect(record, append(step.Postings, ledger.Posting{Account: credited, Amount: -step.Won})) != nil {
		c.differ("postings_wrong", where, "its postings are not those of a win of %s", p.where())
	}
	p.posted = append(p.posted, w)
}

var errOther = errors.New("the postings are others")

func expect(record *store.LedgerRecord, postings []ledger.Posting) error {
	want, err := ledger.New(record.Kind, record.Reference, record.At, postings...)
	if err == nil && !samePostings(want, record) {
		err = errOther
	}
	return err
}

// checkJackpots compares the wins of ledger and journal, and the meters with what the rules give
//
func (c *checker) checkJackpots() error {
	for _, name := range slices.Sorted(maps.Keys(c.jackpots)) {
		p := c.jackpots[name]
		if p.jackpot == nil {
			continue
		}
		p.matchWins(c)
		p.share = p.jackpot.ToOperator * money.Amount(p.sold)
		rest := p.sold - p.assigned
		if rest < 0 {
			c.differ("pot_wrong", p.where(), "pots were won that held more participations than were sold")
			rest = 0
		}
		meter, err := p.meter.Contribute(p.jackpot, rest)
		if err != nil {
			return err
		}
		p.meter = meter
		stored, err := c.records.Meter(c.ctx, p.name)
		if errors.Is(err, fault.NotFound) {
			stored, err = jackpot.Meter{}, nil
		}
		if err != nil {
			return err
		}
		if stored != p.meter || p.stored != p.meter {
			c.differ("meter_wrong", p.where(), "pot %s, reserve %s and advances %s are read, its lanes hold %s, %s and %s, participations and wins give %s, %s and %s",
				stored.Pot, stored.Reserve, stored.Advances, p.stored.Pot, p.stored.Reserve, p.stored.Advances, meter.Pot, meter.Reserve, meter.Advances)
		}
	}
	return nil
}

// matchWins pairs the wins of the ledger with the plays that won, by the play's identifier.
func (p *pool) matchWins(c *checker) {
	for _, posted := range p.posted {
		var id block.PlayID
		err := id.UnmarshalText([]byte(posted.reference))
		played, found := p.won[id]
		switch {
		case err != nil || !found || store.WinReference(id) != posted.reference:
			c.differ("win_unplayed", fmt.Sprintf("transaction %d", posted.number), "it pays the pot of %s to a play that did not win it, or twice", p.where())
		case played.amount != posted.amount || played.due != posted.due:
			c.differ("win_wrong", "play "+id.String(), "it won %s of %s, the ledger pays %s, or elsewhere", played.amount, p.where(), posted.amount)
		}
		delete(p.won, id)
	}
	for _, id := range slices.SortedFunc(maps.Keys(p.won), func(a, b block.PlayID) int { return bytes.Compare(a[:], b[:]) }) {
		c.differ("win_unposted", "play "+id.String(), "it won the pot of %s, which the ledger does not pay", p.where())
	}
}
