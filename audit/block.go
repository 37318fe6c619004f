package audit

import (
	"context"
	"fmt"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/entropy"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/publiclog"
)

// checker checks one block.
type checker struct {
	publication *Publication
	history     *publiclog.History
	seal        publiclog.Seal
	opening     publiclog.Opening
	header      block.Header
	report      Report
}

func newChecker(p *Publication, history *publiclog.History) *checker {
	seal := history.Seal.Entry
	sold, _, _ := history.Sold()
	return &checker{
		publication: p, history: history, seal: seal, opening: history.Opening.Entry, header: seal.Header(),
		report: Report{Block: seal.Block, Game: seal.Game, Stake: seal.Stake, Size: seal.Size, Sold: sold,
			Tiers: []Tier{}, Findings: []Finding{}, price: seal.Price},
	}
}

func (c *checker) find(code, where, format string, arguments ...any) {
	c.report.Findings = append(c.report.Findings, Finding{Code: code, Where: where, What: fmt.Sprintf(format, arguments...)})
}

func (c *checker) entry(index uint64) string { return fmt.Sprintf("log entry %d", index) }

// run takes the steps of publication.md, section 3, in one pass over the units, the tiles and the
// sales. What a finding makes impossible is left out.
func (c *checker) run(ctx context.Context) error {
	rules := c.checkDefinition()
	c.checkSecret()
	tiles := c.openTiles()
	defer tiles.close()
	sales := c.openSales()
	defer sales.close()
	if rules != nil {
		if err := c.dealAgain(ctx, rules, tiles, sales); err != nil {
			return err
		}
	} else {
		tiles.reread(c)
		if err := c.playsAlone(sales); err != nil {
			return err
		}
	}
	sales.finish(c)
	return nil
}

// progressSteps is how often progress is told.
const progressSteps = 100

// dealt counts what is dealt again.
type dealt struct {
	rules   *rules
	winners map[uint32]bool // participations that win and were sold; false until an entry tells of them
}

// dealAgain takes steps 5 to 7 and 9.
func (c *checker) dealAgain(ctx context.Context, rules *rules, tiles *tilesCheck, sales *salesCheck) error {
	d := dealt{rules: rules, winners: map[uint32]bool{}}
	c.tableOf(rules)
	var unit block.Unit
	var undealt error
	step := max(c.seal.Size/progressSteps, 1)
	for index := range c.seal.Size {
		if index%step == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			c.progress(index)
		}
		// The salt of a unit that cannot be laid out is right all the same, and so is its play.
		if err := rules.dealer.Unit(index, &unit); err != nil && undealt == nil {
			undealt = err
			c.find("layout_not_prize", fmt.Sprintf("unit %d", index), "it cannot be dealt again: %v", err)
		}
		sales.compare(index, c.header.PlayID(&unit))
		if undealt == nil {
			c.count(&d, &unit, index < c.report.Sold)
			tiles.compare(c.header.Leaf(&unit))
		}
	}
	c.progress(c.seal.Size)
	if undealt != nil {
		tiles.reread(c)
		return nil
	}
	c.checkTable()
	tiles.finish(c)
	if rules.jackpot != nil {
		c.checkWins(&d)
	}
	return nil
}

// playsAlone compares the plays with their units where no unit can be dealt again: a play follows from
// the salt, and the salt from the secret.
func (c *checker) playsAlone(sales *salesCheck) error {
	keys, err := entropy.Derive(c.opening.Secret.Reveal(), c.header.ID[:])
	if err != nil {
		return err
	}
	salts := entropy.NewCipher(keys.Salt)
	for index := range c.report.Sold {
		unit := block.Unit{Index: index}
		salts.Block(uint64(index), &unit.Salt)
		sales.compare(index, c.header.PlayID(&unit))
	}
	return nil
}

func (c *checker) progress(done uint32) {
	if c.publication.options.Progress != nil {
		c.publication.options.Progress(done, c.seal.Size)
	}
}

func (c *checker) tableOf(rules *rules) {
	if rules.game == nil {
		return
	}
	for _, tier := range rules.game.Prizes.Tiers {
		c.report.Tiers = append(c.report.Tiers, Tier{Amount: int64(tier.Amounts[c.header.Stake]), Table: tier.Count})
	}
}

func (c *checker) count(d *dealt, unit *block.Unit, sold bool) {
	if sold {
		c.report.PrizesSold += int64(unit.Prize)
	} else {
		c.report.PrizesUnsold += int64(unit.Prize)
	}
	if d.rules.jackpot != nil {
		if sold && unit.Wins() {
			c.report.Wins++
			d.winners[unit.Index] = false
		}
		return
	}
	if unit.Tier != mechanic.Losing {
		tier := &c.report.Tiers[unit.Tier]
		tier.Dealt++
		if sold {
			tier.Sold++
		}
	}
}

func (c *checker) checkTable() {
	for at, tier := range c.report.Tiers {
		if tier.Dealt != tier.Table {
			c.find("prizes_not_table", fmt.Sprintf("tier %d", at), "%d units were dealt, and the table says %d", tier.Dealt, tier.Table)
		}
	}
}
