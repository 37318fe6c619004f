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
	visited := uint32(0)
	var unit block.Unit
	err := c.records.EachPlay(c.ctx, d.id(), func(p *store.Play) error {
		visited++
		unit.Index, unit.Prize, unit.Layout, unit.Salt = p.Index, p.Prize, p.Layout, p.Salt
		if p.Block != d.id() || p.Game != d.header().Game || p.Stake != d.header().Stake {
			c.differAt("play_wrong", placeOf(p), "the play says that it is of another block, game or stake")
		}
		if d.header().PlayID(&unit) != p.ID {
			c.differAt("play_id", placeOf(p), "the identifier of the play is not the one that its salt gives")
		}
		s.take(&unit, block.SaleLeaf(d.id(), p.Index, p.ID, p.At.UnixMilli()))
		rules.check(c, p)
		posted.check(c, p)
		return c.step()
	})
	if err == nil {
		if visited != d.lines {
			c.differ("journal_other", d.where(), "%d plays are listed with it, the journal has %d", visited, d.lines)
		}
		posted.end(c, s.next)
		rules.end(c, d, s.next)
		err = s.end()
	}
	return errors.Join(err, s.close())
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

func (r *rules) check(c *checker, p *store.Play) {
	if r.game == nil {
		return
	}
	c.checkShown(r.game.Definition, p)
	if prize, err := r.mechanic.Prize(p.Layout); err != nil || prize != p.Prize {
		c.differAt("layout_wrong", placeOf(p), "the layout does not read as the recorded prize")
	}
	left, known := r.left[p.Prize]
	switch {
	case !known:
		c.differAt("prize_unknown", placeOf(p), "the prize is not in the table")
	case left == 0 && !r.over:
		r.over = true
		c.differAt("prize_over", placeOf(p), "the table does not have that many units of its prize")
	case left > 0:
		r.left[p.Prize]--
	}
	if p.GamePart != r.stake.GamePart(r.game.Name) || p.JackpotPart != r.stake.JackpotPart(r.game.Jackpot) {
		c.differAt("price_wrong", placeOf(p), "%s and %s are not the parts of the price", p.GamePart, p.JackpotPart)
	}
	if (r.game.Jackpot != "") != (p.Draw != nil) {
		c.differAt("draw_missing", placeOf(p), "unit and participation were not sold together, or one was that is not offered")
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
