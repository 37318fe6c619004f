package office

import (
	"context"

	"github.com/talonlottery/talon/internal/store"
)

// State says whether units can be bought.
type State string

// The states of a game at a stake.
const (
	Preparing State = "preparing" // a block is being dealt, sealed or approved
	OnSale    State = "on-sale"
	UsedUp    State = "used-up" // the emission is sold out, or the participations sold with it
)

// State tells whether units of a game at a stake can be bought now. It is read from what is recorded,
// so that it is the same on every node and after a restart.
func (s *Supply) State(ctx context.Context, game string, stake int) (State, error) {
	found, err := s.config.Catalogue.Game(game)
	if err != nil {
		return UsedUp, err
	}
	state := OnSale
	err = s.config.Store.View(ctx, func(ctx context.Context, reader store.Reader) error {
		emissions, err := reader.Emissions(ctx)
		if err != nil {
			return err
		}
		blocks, err := reader.Blocks(ctx)
		if err != nil {
			return err
		}
		state = poolState(game, stake, emissions, blocks)
		if found.Jackpot != "" && state != UsedUp {
			if draws := poolState(found.Jackpot, 0, emissions, blocks); draws != OnSale {
				state = draws
			}
		}
		return nil
	})
	return state, err
}

func poolState(game string, stake int, emissions []store.Emission, blocks []store.Block) State {
	missing := 0
	for _, e := range emissions {
		if e.Game == game && e.Stake == stake {
			missing += e.Blocks
		}
	}
	for _, b := range blocks {
		h := b.Deal.Header
		if h.Game != game || h.Stake != stake {
			continue
		}
		switch sellable := b.State == store.Approved || b.State == store.OnSale; {
		case sellable && b.Sold < h.Size:
			return OnSale
		case sellable || b.State.Ended():
			missing-- // those that are dealt and sealed are being prepared
		}
	}
	if missing > 0 {
		return Preparing
	}
	return UsedUp
}
