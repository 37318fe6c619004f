package saletest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// World is what [Check] looks at.
type World struct {
	Store store.Reader
	Games *catalogue.Catalogue
	// PrizeDueAbove is the seller's threshold; zero: prizes are never due.
	PrizeDueAbove money.Amount
	// Tiles opens the tiles of a block; nil: sold units are not compared with them.
	Tiles func(block.ID) io.ReaderAt
	// Acknowledged are plays that buyers were told of.
	Acknowledged []store.Play
}

// Check re-reads everything and lists each difference in one line. The world must be at rest.
func Check(ctx context.Context, w World) []string {
	c := &checker{World: w, ctx: ctx, keys: map[string]block.PlayID{}, byID: map[block.PlayID]*store.Play{}}
	for _, step := range []func() error{c.readBlocks, c.checkEmissions, c.checkPlays, c.checkJackpots, c.checkPlayers, c.checkLedger} {
		if err := step(); err != nil {
			c.differ("reading failed: %v", err)
			break
		}
	}
	c.checkAcknowledged()
	return c.differences
}

type checker struct {
	World
	ctx         context.Context
	differences []string
	blocks      []store.Block
	plays       []*store.Play // by journal number
	byID        map[block.PlayID]*store.Play
	keys        map[string]block.PlayID
	books       books
}

func (c *checker) differ(format string, arguments ...any) {
	c.differences = append(c.differences, fmt.Sprintf(format, arguments...))
}

// readBlocks visits each block's plays: every index once, in order, without a gap, up to the cursor.
func (c *checker) readBlocks() error {
	var err error
	if c.blocks, err = c.Store.Blocks(c.ctx); err != nil {
		return err
	}
	for at := range c.blocks {
		if err := c.readBlock(&c.blocks[at]); err != nil {
			return err
		}
	}
	slices.SortFunc(c.plays, func(a, b *store.Play) int { return cmp.Compare(a.Number, b.Number) })
	return nil
}

func (c *checker) readBlock(b *store.Block) error {
	header := b.Deal.Header
	_, jackpotErr := c.Games.Jackpot(header.Game)
	draw := jackpotErr == nil
	next, prizes, edge := uint32(0), map[money.Amount]uint32{}, canon.Edge{}
	err := c.Store.EachPlay(c.ctx, header.ID, func(found *store.Play) error {
		play := clone(found)
		unit := block.Unit{Index: play.Index, Prize: play.Prize, Layout: play.Layout, Salt: play.Salt}
		if draw {
			if play.Draw == nil || play.Draw.Block != header.ID {
				c.differ("block %s: play %s has no participation of it", header.ID, play.ID)
				return nil
			}
			unit = block.Unit{Index: play.Draw.Index, Layout: []byte{0}, Salt: play.Draw.Salt}
			if play.Draw.Won > 0 {
				unit.Layout[0] = 1
			}
		}
		if unit.Index != next {
			c.differ("block %s: index %d was sold where %d comes next", header.ID, unit.Index, next)
		}
		next = unit.Index + 1
		edge.Append(block.SaleLeaf(header.ID, unit.Index, play.ID, play.At.UnixMilli()))
		c.checkLeaf(header, &unit)
		if draw {
			return nil
		}
		if play.Block != header.ID || play.Game != header.Game || play.Stake != header.Stake || play.Price() != header.Price {
			c.differ("block %s: play %s is recorded for another game, stake, block or price", header.ID, play.ID)
		}
		if header.PlayID(&unit) != play.ID {
			c.differ("play %s: its identifier does not follow from its unit", play.ID)
		}
		prizes[play.Prize]++
		c.plays = append(c.plays, play)
		if c.byID[play.ID] != nil {
			c.differ("play %s is recorded twice", play.ID)
		}
		c.byID[play.ID] = play
		return nil
	})
	if err != nil {
		return err
	}
	c.checkCursor(b, next, &edge)
	if next == header.Size && !draw {
		c.checkTable(header, prizes)
	}
	return nil
}

func (c *checker) checkCursor(b *store.Block, sold uint32, edge *canon.Edge) {
	id, sales := b.Deal.Header.ID, b.Sales
	if b.Sold != sold {
		c.differ("block %s: its cursor says %d sold, its plays say %d", id, b.Sold, sold)
	}
	if sales.Size() != edge.Size() || sales.Root() != edge.Root() {
		c.differ("block %s: its sales tree does not follow from its plays", id)
	}
	if full := sold == b.Deal.Header.Size; b.State == store.SoldOut && !full || !sellable(b.State) && sold > 0 {
		c.differ("block %s: %d of %d sold, but it is %s", id, sold, b.Deal.Header.Size, b.State)
	}
}

// sellable reports whether units of a block in a state may be sold, or may have been.
func sellable(state store.BlockState) bool { return state == store.OnSale || state.Ended() }

// checkTable counts a sold out block's prizes by amount against the published table.
func (c *checker) checkTable(header block.Header, prizes map[money.Amount]uint32) {
	found, err := c.Games.Game(header.Game)
	if err != nil {
		c.differ("block %s: %v", header.ID, err)
		return
	}
	losing := header.Size
	for _, tier := range found.Prizes.Tiers {
		losing -= tier.Count
		if amount := tier.Amounts[header.Stake]; prizes[amount] != tier.Count {
			c.differ("block %s: %d prizes of %s, the table has %d", header.ID, prizes[amount], amount, tier.Count)
		}
	}
	if prizes[0] != losing {
		c.differ("block %s: %d units without a prize, the table leaves %d", header.ID, prizes[0], losing)
	}
}

func (c *checker) checkLeaf(header block.Header, unit *block.Unit) {
	if c.Tiles == nil {
		return
	}
	leaf, err := block.NewTiles(c.Tiles(header.ID), header.Size).Leaf(unit.Index)
	if err != nil || leaf != header.Leaf(unit) {
		c.differ("block %s: unit %d is not the one that was sealed (%v)", header.ID, unit.Index, err)
	}
}

// checkEmissions: no more blocks than the emission has, in order, sold in order.
func (c *checker) checkEmissions() error {
	emissions, err := c.Store.Emissions(c.ctx)
	if err != nil {
		return err
	}
	for _, emission := range emissions {
		position, ready := 0, false
		for _, b := range c.blocks {
			if b.Emission != emission.ID {
				continue
			}
			if b.Position != position || position >= emission.Blocks {
				c.differ("emission %d: block %s has place %d, %d comes next", emission.ID, b.Deal.Header.ID, b.Position, position)
			}
			if ready && sellable(b.State) {
				c.differ("emission %d: block %s is sold before an earlier one", emission.ID, b.Deal.Header.ID)
			}
			ready = ready || !sellable(b.State)
			position++
		}
	}
	return nil
}

// checkPlays looks at each play by itself: prize as the layout reads, parts, threshold, key.
func (c *checker) checkPlays() error {
	last := int64(0)
	for _, play := range c.plays {
		if play.Number <= last {
			c.differ("play %s: journal line %d is not its own", play.ID, play.Number)
		}
		last = play.Number
		found, err := c.Games.Game(play.Game)
		if err != nil {
			return err
		}
		if read, err := found.Mechanics[play.Stake].Prize(play.Layout); err != nil || read != play.Prize {
			c.differ("play %s: its layout does not read as its prize", play.ID)
		}
		stake := found.Stakes[play.Stake]
		if play.GamePart != stake.GamePart(play.Game) || play.JackpotPart != stake.JackpotPart(found.Jackpot) {
			c.differ("play %s: the parts of its price are not those of the definition", play.ID)
		}
		if (play.Draw != nil) != (found.Jackpot != "") {
			c.differ("play %s: participation missing or of no jackpot", play.ID)
		}
		if play.PrizeDue != c.due(play.Prize) || play.Draw != nil && play.Draw.WonDue != c.due(play.Draw.Won) {
			c.differ("play %s: its prize went to the wrong account", play.ID)
		}
		key := string(play.Player[:]) + string(play.Key[:])
		if other, taken := c.keys[key]; taken {
			c.differ("plays %s and %s share a key", other, play.ID)
		}
		c.keys[key] = play.ID
		if play.After != play.Before-play.Price()+paid(play) || play.Before < play.Price() || play.After < 0 {
			c.differ("play %s: funds of %s become %s", play.ID, play.Before, play.After)
		}
		c.books.play(play)
	}
	return nil
}

func (c *checker) due(amount money.Amount) bool {
	return c.PrizeDueAbove > 0 && amount > c.PrizeDueAbove
}

// paid is what a play brought to available funds.
func paid(play *store.Play) money.Amount {
	total := money.Amount(0)
	if !play.PrizeDue {
		total += play.Prize
	}
	if play.Draw != nil && !play.Draw.WonDue {
		total += play.Draw.Won
	}
	return total
}

func (c *checker) checkAcknowledged() {
	for _, told := range c.Acknowledged {
		found := c.byID[told.ID]
		switch {
		case found == nil:
			c.differ("play %s was acknowledged and is not recorded", told.ID)
		case found.Player != told.Player || found.Key != told.Key || found.Index != told.Index || found.Block != told.Block ||
			found.Prize != told.Prize || found.Before != told.Before || found.After != told.After || !bytes.Equal(found.Layout, told.Layout):
			c.differ("play %s is recorded otherwise than it was acknowledged", told.ID)
		}
	}
}

func clone(play *store.Play) *store.Play {
	copied := *play
	copied.Layout = slices.Clone(play.Layout)
	copied.Choice = slices.Clone(play.Choice)
	if play.Draw != nil {
		draw := *play.Draw
		copied.Draw = &draw
	}
	return &copied
}

// playsOf gives each player's plays in the order of the journal.
func (c *checker) playsOf() map[player.ID][]*store.Play {
	grouped := map[player.ID][]*store.Play{}
	for _, play := range c.plays {
		grouped[play.Player] = append(grouped[play.Player], play)
	}
	return grouped
}
