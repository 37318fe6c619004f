package reconcile

import (
	"errors"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// readPlays follows every block of units through the sales journal.
func (c *checker) readPlays() error {
	c.keys.begin(c.options.KeysAtOnce, c.total)
	for _, d := range c.blocks {
		if d.jackpot != nil {
			continue
		}
		if err := c.readUnits(d); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) readUnits(d *dealt) error {
	s := c.follow(d)
	rules := c.rulesOf(d)
	posted := c.posted(d)
	var unit block.Unit
	err := c.records.EachPlay(c.ctx, d.id(), func(p *store.Play) error {
		c.report.Counts.Plays++
		where := place{d, p.Index}
		unit.Index, unit.Prize, unit.Layout, unit.Salt = p.Index, p.Prize, p.Layout, p.Salt
		if p.Block != d.id() || p.Game != d.header().Game || p.Stake != d.header().Stake {
			c.differAt("play_wrong", where, "the play says that it is of another block, game or stake")
		}
		if d.header().PlayID(&unit) != p.ID {
			c.differAt("play_id", where, "the identifier of the play is not the one that its salt gives")
		}
		s.take(&unit, block.SaleLeaf(d.id(), p.Index, p.ID, p.At.UnixMilli()))
		rules.check(c, where, p)
		posted.check(c, p)
		c.checkFunds(where, p)
		c.keys.take(p.Key)
		return c.step()
	})
	if err == nil {
		posted.end(c, s.next)
		rules.end(c, d, s.next)
		err = s.end()
	}
	return errors.Join(err, s.close())
}

// place names a unit, but only once a difference is found: most never are.
type place struct {
	block *dealt
	index uint32
}

func (c *checker) differAt(code string, at place, format string, arguments ...any) {
	c.differ(code, at.block.whereUnit(at.index), format, arguments...)
}

// rules check plays by the definition of their block.
type rules struct {
	game     *catalogue.Game
	mechanic mechanic.Mechanic
	stake    game.Stake
	left     map[money.Amount]int64 // units by prize that the table still has
	size     uint32
	over     bool
}

// rulesOf gives the rules of a block; without the definition it was dealt by it has none.
func (c *checker) rulesOf(d *dealt) *rules {
	if d.game == nil {
		return &rules{}
	}
	stake := d.header().Stake
	r := &rules{
		game: d.game, mechanic: d.game.Mechanics[stake], stake: d.game.Stakes[stake],
		left: map[money.Amount]int64{0: int64(d.header().Size)}, size: d.header().Size,
	}
	for _, tier := range d.game.Prizes.Tiers {
		r.left[tier.Amounts[stake]] += int64(tier.Count)
		r.left[0] -= int64(tier.Count)
	}
	return r
}

func (r *rules) check(c *checker, at place, p *store.Play) {
	c.checkShape(at, p)
	if r.game == nil {
		return
	}
	c.checkShown(at, r.game.Definition, p)
	if prize, err := r.mechanic.Prize(p.Layout); err != nil || prize != p.Prize {
		c.differAt("layout_wrong", at, "the layout does not read as the recorded prize")
	}
	left, known := r.left[p.Prize]
	switch {
	case !known:
		c.differAt("prize_unknown", at, "the prize is not in the table")
	case left == 0 && !r.over:
		r.over = true
		c.differAt("prize_over", at, "the table does not have that many units of its prize")
	case left > 0:
		r.left[p.Prize]--
	}
	if p.GamePart != r.stake.GamePart(r.game.Name) || p.JackpotPart != r.stake.JackpotPart(r.game.Jackpot) {
		c.differAt("price_wrong", at, "%s and %s are not the parts of the price", p.GamePart, p.JackpotPart)
	}
	if (r.game.Jackpot != "") != (p.Draw != nil) {
		c.differAt("draw_missing", at, "unit and participation were not sold together, or one was that is not offered")
	}
}

// checkShape checks what holds for every play, and counts its participation.
func (c *checker) checkShape(at place, p *store.Play) {
	if p.Prize < 0 || !p.Prize.WholeCents() || p.PrizeDue && p.Prize == 0 || p.GamePart < 0 || p.JackpotPart < 0 ||
		max(p.Prize, p.GamePart, p.JackpotPart, p.Before, p.After) > money.Most {
		c.differAt("play_wrong", at, "the play's amounts cannot be")
	}
	if p.Draw == nil {
		return
	}
	if p.Draw.Won < 0 || p.Draw.Won > money.Most || !p.Draw.Won.WholeCents() || p.Draw.WonDue && p.Draw.Won == 0 {
		c.differAt("play_wrong", at, "the pot that the play won cannot be")
	}
	if draws := c.byID[p.Draw.Block]; draws == nil || draws.jackpot == nil {
		c.differAt("draw_wrong", at, "its participation is of block %s, which is not one of a jackpot", p.Draw.Block)
	} else {
		draws.draws++
	}
}

// end checks, of a block that is sold out, that it held exactly the prize table.
func (r *rules) end(c *checker, d *dealt, next uint32) {
	if r.game == nil || next != r.size {
		return
	}
	for _, left := range r.left {
		if left != 0 {
			c.differ("table_wrong", d.where(), "it is sold out, but its prizes are not those of the table")
			return
		}
	}
}
