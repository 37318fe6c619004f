package reconcile

import (
	"errors"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/store"
)

// readParticipations follows every block of participations through the journal.
func (c *checker) readParticipations() error {
	for _, d := range c.blocks {
		if d.jackpot == nil {
			continue
		}
		if err := c.readDraws(d); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) readDraws(d *dealt) error {
	s, p := c.follow(d), c.pool(d.jackpot.Name)
	visited := uint32(0)
	layout := []byte{0}
	var unit block.Unit
	err := c.records.EachPlay(c.ctx, d.id(), func(play *store.Play) error {
		draw := play.Draw
		if draw == nil || draw.Block != d.id() {
			c.differ("draw_wrong", d.where(), "play %s is listed with it, but names no participation of it", play.ID)
			return nil
		}
		c.report.Counts.Participations++
		visited++
		layout[0] = 0
		if draw.Won != 0 {
			layout[0] = 1
			p.won[play.ID] = win{amount: draw.Won, due: draw.WonDue}
		}
		unit.Index, unit.Layout, unit.Salt = draw.Index, layout, draw.Salt
		s.take(&unit, block.SaleLeaf(d.id(), draw.Index, play.ID, play.At.UnixMilli()))
		p.sold++
		c.checkDraw(d, play)
		return c.step()
	})
	if err == nil {
		if visited != d.lines {
			c.differ("journal_other", d.where(), "%d participations are listed with it, the journal has %d", visited, d.lines)
		}
		err = s.end()
	}
	return errors.Join(err, s.close())
}

// checkDraw checks that the unit sold with a participation is one of a game that offers it.
func (c *checker) checkDraw(d *dealt, play *store.Play) {
	if units := c.byID[play.Block]; units != nil && units.game != nil && units.game.Jackpot != d.jackpot.Name {
		c.differAt("draw_wrong", placeOf(play), "its participation is in %s, with which the game is not sold", d.jackpot.Name)
	}
}
