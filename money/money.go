// Package money counts money exactly.
//
// Its one promise: an [Amount] is a whole number of ten-thousandths of the currency unit, every
// operation on it is exact, and an operation whose result would not fit says so instead of wrapping
// round. There is no conversion from or to floating point.
//
// Ten-thousandths are needed because regulations publish parts of a price with four decimals
// (1,5243 € of 15 €); a player is only ever paid whole cents.
package money

import (
	"math"
	"math/bits"

	"github.com/talonlottery/talon/fault"
)

// Amount is a sum of money in 1/10 000 of the currency unit: 0,97 € is Amount(9700).
// The zero value is no money. Negative amounts are debts or the credit side of a posting.
type Amount int64

const (
	// Cent is a hundredth of the currency unit.
	Cent Amount = 100
	// Unit is one whole currency unit, for instance 1 €.
	Unit Amount = 10_000
	// Most is the largest amount that can be read from text: a thousand million units. It is far
	// above any prize table and far below the limits of int64, so that sums of millions of
	// amounts read from definitions cannot overflow.
	Most Amount = 1_000_000_000 * Unit
)

// Add returns a + b. It returns Invalid with code amount_overflow when the sum does not fit.
func (a Amount) Add(b Amount) (Amount, error) {
	sum := a + b
	if (b > 0 && sum < a) || (b < 0 && sum > a) {
		return 0, overflow("add", a, int64(b))
	}
	return sum, nil
}

// Sub returns a - b. It returns Invalid with code amount_overflow when the difference does not fit.
func (a Amount) Sub(b Amount) (Amount, error) {
	difference := a - b
	if (b > 0 && difference > a) || (b < 0 && difference < a) {
		return 0, overflow("subtract", a, int64(b))
	}
	return difference, nil
}

// Times returns a × n. It returns Invalid with code amount_overflow when the product does not fit.
func (a Amount) Times(n int64) (Amount, error) {
	high, low := bits.Mul64(magnitude(int64(a)), magnitude(n))
	negative := (a < 0) != (n < 0)
	switch {
	case high != 0, low > 1<<63, low == 1<<63 && !negative:
		return 0, overflow("multiply", a, n)
	case negative:
		return Amount(-low), nil
	default:
		return Amount(low), nil
	}
}

// Sum adds amounts. It returns Invalid with code amount_overflow when a partial sum does not fit.
func Sum(amounts ...Amount) (Amount, error) {
	var total Amount
	for _, amount := range amounts {
		var err error
		if total, err = total.Add(amount); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// WholeCents reports whether the amount can be paid to a person: no part of a cent is left over.
func (a Amount) WholeCents() bool { return a%Cent == 0 }

func magnitude(n int64) uint64 {
	if n >= 0 {
		return uint64(n)
	}
	if n == math.MinInt64 {
		return 1 << 63
	}
	return uint64(-n)
}

func overflow(operation string, a Amount, b int64) error {
	return fault.New(fault.Invalid, "amount_overflow",
		"cannot %s %d and %d ten-thousandths: the result does not fit in 64 bits", operation, int64(a), b)
}
