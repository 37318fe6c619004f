package evidence

import (
	"context"
	"fmt"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/mechanic/all"
)

// Seed is the published text that secrets are taken from unless another is given.
const Seed = "talon evidence"

// Published gives identifier and secret of the block of a number, from a text that anyone can check has
// nothing up its sleeve: SHA-256 of "SEED NAME secret NUMBER", and the first 16 bytes of that of "SEED
// NAME block NUMBER". Such a block is dealt to be looked at. It is never sold: everyone knows its secret.
func Published(seed, name string, number int) (block.ID, block.Secret, error) {
	secret := canon.Sum(fmt.Appendf(nil, "%s %s secret %d", seed, name, number))
	id := canon.Sum(fmt.Appendf(nil, "%s %s block %d", seed, name, number))
	made, err := block.SecretFromBytes(secret[:])
	return block.ID(id[:16]), made, err
}

// GameDeal deals blocks of a game from a published text, by the dealer that deals what is sold.
func GameDeal(d *game.Definition, seed string) (Deal, error) {
	var mechanics []mechanic.Mechanic
	for stake := range d.Stakes {
		m, err := all.New(d, stake)
		if err != nil {
			return nil, err
		}
		mechanics = append(mechanics, m)
	}
	return func(ctx context.Context, number int, into *Block) error {
		id, secret, err := Published(seed, d.Name, number)
		if err != nil {
			return err
		}
		stake := number % len(d.Stakes)
		dealer, err := block.NewDealer(block.Header{
			Version: block.Version, ID: id, Game: d.Name, Definition: d.Hash, Stake: stake, Price: d.Stakes[stake].Price, Size: d.BlockSize,
		}, secret, d, mechanics[stake])
		if err != nil {
			return err
		}
		return collectUnits(ctx, dealer, mechanics[stake].Cells(), into)
	}, nil
}

// DrawDeal deals blocks of participations that win once in odds, from a published text.
func DrawDeal(j *game.Jackpot, odds uint32, seed string) Deal {
	larger := *j
	larger.Odds = odds
	return func(ctx context.Context, number int, into *Block) error {
		id, secret, err := Published(seed, j.Name, number)
		if err != nil {
			return err
		}
		dealer, err := block.NewDrawDealer(block.Header{
			Version: block.Version, ID: id, Game: j.Name, Definition: j.Hash, Price: j.Price, Size: j.BlockSize,
		}, secret, &larger)
		if err != nil {
			return err
		}
		return collectUnits(ctx, dealer, 0, into)
	}
}

// unitsAtOnce is after how many units a deal looks whether it is to end.
const unitsAtOnce = 1 << 14

// collectUnits opens every unit of a block; with no cells, of participations.
func collectUnits(ctx context.Context, dealer *block.Dealer, cells int, into *Block) error {
	into.Tiers, into.Layouts = into.Tiers[:0], into.Layouts[:0]
	var unit block.Unit
	for index := range dealer.Header().Size {
		if index%unitsAtOnce == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := dealer.Unit(index, &unit); err != nil {
			return err
		}
		tier := uint8(Lost)
		switch {
		case cells == 0 && unit.Wins():
			tier = 0
		case unit.Tier != mechanic.Losing:
			tier = uint8(unit.Tier)
		}
		into.Tiers = append(into.Tiers, tier)
		if cells > 0 {
			into.Layouts = append(into.Layouts, unit.Layout...)
		}
	}
	return nil
}
