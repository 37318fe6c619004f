package game

import (
	"fmt"
	"math/big"

	"github.com/talonlottery/talon/money"
)

// Ratio is an exact fraction.
type Ratio struct{ value *big.Rat }

func ratio(numerator, denominator int64) Ratio { return Ratio{big.NewRat(numerator, denominator)} }

// Decimals writes the ratio with a fixed number of decimals, rounded to the nearest, halves away
// from zero: 4.554.
func (r Ratio) Decimals(digits int) string { return r.value.FloatString(digits) }

// Percent writes the ratio as a percentage with a fixed number of decimals: 70.000.
func (r Ratio) Percent(digits int) string {
	return new(big.Rat).Mul(r.value, big.NewRat(100, 1)).FloatString(digits)
}

// String writes the fraction in lowest terms.
func (r Ratio) String() string { return fmt.Sprint(r.value) }

// BlockPrice is what a whole block of a stake sells for, and its part that is the game's own.
func (d *Definition) BlockPrice(stake int) (whole, gamePart money.Amount, err error) {
	if whole, err = d.Stakes[stake].Price.Times(int64(d.BlockSize)); err != nil {
		return 0, 0, err
	}
	gamePart, err = d.Stakes[stake].GamePart(d.Name).Times(int64(d.BlockSize))
	return whole, gamePart, err
}

// Payout is the share of a block's price that its prizes give back: of the game's own part, on which
// payout rates are stated, and of the whole price.
func (d *Definition) Payout(stake int) (ofGamePart, ofPrice Ratio, err error) {
	whole, gamePart, err := d.BlockPrice(stake)
	if err != nil {
		return Ratio{}, Ratio{}, err
	}
	total := int64(d.Prizes.Totals[stake])
	return ratio(total, int64(gamePart)), ratio(total, int64(whole)), nil
}

// UnitsPerPrize is how many units there are for one prize: "1 in 4.554".
func (d *Definition) UnitsPerPrize() Ratio { return ratio(int64(d.BlockSize), int64(d.Prizes.Count)) }

// UnitsPerTier is how many units there are for one prize of a tier.
func (d *Definition) UnitsPerTier(tier int) Ratio {
	return ratio(int64(d.BlockSize), int64(d.Prizes.Tiers[tier].Count))
}

// StakeBack is the share of the prizes of a stake that are no larger than its price: they return the
// stake and are not wins.
func (d *Definition) StakeBack(stake int) Ratio {
	count := int64(0)
	for _, tier := range d.Prizes.Tiers {
		if tier.Amounts[stake] <= d.Stakes[stake].Price {
			count += int64(tier.Count)
		}
	}
	return ratio(count, int64(d.Prizes.Count))
}
