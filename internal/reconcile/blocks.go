package reconcile

import (
	"errors"
	"fmt"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/store"
)

// dealt is a recorded block and the definition that rules it.
type dealt struct {
	store.Block
	game    *catalogue.Game // of a block of units whose definition is the catalogue's
	jackpot *game.Jackpot   // of a block of participations
	batches []batch         // ledger transactions of its sales
	lines   uint32          // plays of the journal that name it
	lane    string          // that sells from it
}

func (d *dealt) id() block.ID                  { return d.Deal.Header.ID }
func (d *dealt) header() *block.Header         { return &d.Deal.Header }
func (d *dealt) where() string                 { return "block " + d.id().String() }
func (d *dealt) whereUnit(index uint32) string { return place{d.id(), index}.String() }

// readBlocks checks what is said of each block: by its emission, its definition and its own state.
func (c *checker) readBlocks() error {
	list, err := c.records.Emissions(c.ctx)
	if err != nil {
		return err
	}
	emissions := make(map[store.EmissionID]store.Emission, len(list))
	for _, emission := range list {
		emissions[emission.ID] = emission
	}
	blocks, err := c.records.Blocks(c.ctx)
	if err != nil {
		return err
	}
	type place struct {
		emission store.EmissionID
		position int
	}
	taken := make(map[place]bool, len(blocks))
	for _, recorded := range blocks {
		d := &dealt{Block: recorded}
		if c.byID[d.id()] != nil {
			c.differ("block_twice", d.where(), "the block is recorded twice")
			continue
		}
		c.byID[d.id()] = d
		c.blocks = append(c.blocks, d)
		c.report.Counts.Blocks++
		emission, known := emissions[d.Emission]
		at := place{d.Emission, d.Position}
		switch {
		case !known || emission.Game != d.header().Game || emission.Stake != d.header().Stake:
			c.differ("emission_wrong", d.where(), "its emission %d is not one of its game and stake", d.Emission)
		case d.Position < 0 || d.Position >= emission.Blocks || taken[at]:
			c.differ("emission_place", d.where(), "place %d of emission %d is taken or does not exist", d.Position, d.Emission)
		}
		taken[at] = true
		c.checkDefinition(d)
		c.checkState(d)
		if d.jackpot == nil {
			c.units += uint64(d.Sold)
			c.total += uint64(d.Sold) // once in the journal, once by block
		}
		c.total += uint64(d.Sold)
	}
	return nil
}

// checkDefinition finds the block's definition. What rests on a definition is checked only by the
// very one whose hash the header names.
func (c *checker) checkDefinition(d *dealt) {
	h := d.header()
	if found, err := c.catalogue.Game(h.Game); err == nil {
		if h.Version == block.Version && h.Definition == found.Hash && h.Size == found.BlockSize && h.Stake >= 0 &&
			h.Stake < len(found.Stakes) && h.Price == found.Stakes[h.Stake].Price {
			d.game = found
			return
		}
	} else if found, err := c.catalogue.Jackpot(h.Game); err == nil {
		d.jackpot = found
		if h.Version == block.Version && h.Definition == found.Hash && h.Size == found.BlockSize && h.Stake == 0 && h.Price == found.Price {
			return
		}
	}
	c.differ("definition_other", d.where(), "it was not dealt by the definition of %q that this check was given", h.Game)
}

func (c *checker) checkState(d *dealt) {
	size := d.header().Size
	wrong := d.Sold > size
	switch d.State {
	case store.Unsealed, store.Sealed, store.Approved:
		wrong = wrong || d.Sold != 0
	case store.OnSale, store.Withdrawn, store.Opened:
	case store.SoldOut:
		wrong = wrong || d.Sold != size
	default:
		wrong = true
	}
	if wrong {
		c.differ("state_wrong", d.where(), "it is %q with %d of %d sold", d.State, d.Sold, size)
	}
}

// readLanes checks that each lane sells from a recorded block of its game, and no other lane does.
func (c *checker) readLanes() error {
	lanes, err := c.records.Lanes(c.ctx)
	if err != nil {
		return err
	}
	for _, lane := range lanes {
		where := fmt.Sprintf("lane %s stake %d number %d", lane.Game, lane.Stake, lane.Number)
		state, err := c.records.Lane(c.ctx, lane)
		if errors.Is(err, fault.Unavailable) && fault.CodeOf(err) == "lane_without_block" {
			continue
		}
		if err != nil {
			return err
		}
		c.checkSequence(where, &state.Units, lane.Game, lane.Stake)
		found, err := c.catalogue.Game(lane.Game)
		if err != nil {
			c.differ("definition_other", where, "there is no definition of %q to check it by", lane.Game)
			continue
		}
		if (found.Jackpot != "") != (state.Draw != nil) {
			c.differ("lane_wrong", where, "it sells participations without a jackpot, or none with one")
		}
		if state.Draw != nil && found.Jackpot != "" {
			c.checkSequence(where, state.Draw, found.Jackpot, 0)
			c.pool(found.Jackpot).addLane(c, where, state.Meter)
		}
	}
	return nil
}

func (c *checker) checkSequence(where string, s *store.Sequence, name string, stake int) {
	d := c.byID[s.Header.ID]
	switch {
	case d == nil:
		c.differ("lane_wrong", where, "it sells from block %s, which is not recorded", s.Header.ID)
		return
	case d.Deal.Header != s.Header || d.Deal.Root != s.Root || s.Header.Game != name || s.Header.Stake != stake || d.State != store.OnSale && d.State != store.SoldOut:
		c.differ("lane_wrong", where, "block %s is not one that it may sell from", s.Header.ID)
	case d.Sold != s.Sold || d.Sales.Root() != s.Sales.Root():
		c.differ("lane_wrong", where, "it stands at %d units of block %s, the block at %d, or their sales differ", s.Sold, s.Header.ID, d.Sold)
	case d.lane != "":
		c.differ("lane_wrong", where, "%s sells from block %s too", d.lane, s.Header.ID)
	}
	d.lane = where
}
