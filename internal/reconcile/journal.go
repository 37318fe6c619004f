package reconcile

import (
	"fmt"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
)

// place names a unit; it is put into words only once a difference is found: most never are.
type place struct {
	block block.ID
	index uint32
}

func (p place) String() string { return fmt.Sprintf("block %s unit %d", p.block, p.index) }

func placeOf(p *store.Play) place { return place{p.Block, p.Index} }

func (c *checker) differAt(code string, at place, format string, arguments ...any) {
	c.differ(code, at.String(), format, arguments...)
}

// readJournal reads all plays in the order of recording: what each did to its player's funds, and
// what the books must hold because of it.
func (c *checker) readJournal() error {
	c.keys.begin(c.options.KeysAtOnce, c.units)
	last := int64(0)
	return c.records.EachJournalLine(c.ctx, func(p *store.Play) error {
		c.report.Counts.Plays++
		if p.Number <= last {
			c.differAt("journal_order", placeOf(p), "journal line %d follows line %d", p.Number, last)
		}
		last = p.Number
		if d := c.byID[p.Block]; d == nil || d.jackpot != nil {
			c.differAt("play_wrong", placeOf(p), "the play's block is not one of units that is recorded")
		} else {
			d.lines++
		}
		c.checkShape(p)
		c.checkFunds(p)
		c.keys.take(p.Key)
		return c.step()
	})
}

// checkShape checks what holds for every play, and counts its participation.
func (c *checker) checkShape(p *store.Play) {
	if p.Prize < 0 || !p.Prize.WholeCents() || p.PrizeDue && p.Prize == 0 || p.GamePart < 0 || p.JackpotPart < 0 ||
		max(p.Prize, p.GamePart, p.JackpotPart, p.Before, p.After) > money.Most {
		c.differAt("play_wrong", placeOf(p), "the play's amounts cannot be")
	}
	if p.Draw == nil {
		return
	}
	if p.Draw.Won < 0 || p.Draw.Won > money.Most || !p.Draw.Won.WholeCents() || p.Draw.WonDue && p.Draw.Won == 0 {
		c.differAt("play_wrong", placeOf(p), "the pot that the play won cannot be")
	}
	if draws := c.byID[p.Draw.Block]; draws == nil || draws.jackpot == nil {
		c.differAt("draw_wrong", placeOf(p), "its participation is of block %s, which is not one of a jackpot", p.Draw.Block)
	} else {
		draws.lines++
	}
}

// checkFunds checks what a play did to its player's funds and adds it to what the game earned.
func (c *checker) checkFunds(p *store.Play) {
	toFunds, toDue := p.Prize, money.Amount(0)
	if p.PrizeDue {
		toFunds, toDue = toDue, toFunds
	}
	if p.Draw != nil && p.Draw.WonDue {
		toDue += p.Draw.Won
	} else if p.Draw != nil {
		toFunds += p.Draw.Won
	}
	change := toFunds - p.Price()
	switch {
	case p.Before+change != p.After:
		c.differAt("funds_wrong", placeOf(p), "funds of %s became %s, but price and prizes change them by %s", p.Before, p.After, change)
	case p.Before < p.Price() || p.After < 0:
		c.differAt("funds_negative", placeOf(p), "the player's funds of %s did not cover the price", p.Before)
	}
	f := c.fundsOf(p.Player)
	if !f.advance(p.Before) {
		c.differAt("chain_wrong", placeOf(p), "the player's funds are said to be %s before it, what was recorded before left %s", p.Before, f.current)
	}
	f.current = p.After
	f.play(c, p)
	c.add(&f.sum, p.Game, change)
	sums := c.gameSums(p.Game)
	c.add(&sums.stakes, p.Game, p.GamePart)
	c.add(&sums.prizes, p.Game, p.Prize)
	c.add(&c.due, "prizes due", toDue)
}

func (c *checker) gameSums(name string) *gameSums {
	sums := c.games[name]
	if sums == nil {
		sums = &gameSums{}
		c.games[name] = sums
	}
	return sums
}
