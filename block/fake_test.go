package block

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// invented is the definition of a game with one stake and a number of units a tier, the best first.
func invented(size uint32, counts ...uint32) *game.Definition {
	d := &game.Definition{
		Name:      "invented",
		Stakes:    []game.Stake{{Price: money.Unit}},
		BlockSize: size,
		Hash:      canon.Hash(canon.TagDefinition, binary.BigEndian.AppendUint32(nil, size)),
	}
	total := money.Amount(0)
	for i, count := range counts {
		amount := money.Amount(len(counts)-i) * money.Unit
		d.Prizes.Tiers = append(d.Prizes.Tiers, game.Tier{Count: count, Amounts: []money.Amount{amount}})
		d.Prizes.Count += count
		total += amount * money.Amount(count)
	}
	d.Prizes.Totals = []money.Amount{total}
	return d
}

func headerOf(d *game.Definition) Header {
	return Header{Version: Version, ID: ID([]byte("0123456789abcdef")), Game: d.Name, Definition: d.Hash,
		Price: d.Stakes[0].Price, Size: d.BlockSize}
}

func secretFrom(first byte) Secret {
	var bytes [32]byte
	for i := range bytes {
		bytes[i] = first + byte(i)
	}
	return secretOf(bytes)
}

func dealerOf(t testing.TB, d *game.Definition, m mechanic.Mechanic) *Dealer {
	t.Helper()
	dealer, err := NewDealer(headerOf(d), secretFrom(1), d, m)
	if err != nil {
		t.Fatal(err)
	}
	return dealer
}

// spot is a mechanic as simple as can be: one of four cells shows the sign of the tier, or none does.
type spot struct{ definition *game.Definition }

func (spot) Kind() string                              { return "spot" }
func (spot) Cells() int                                { return 4 }
func (spot) Symbols() []mechanic.Symbol                { return nil }
func (spot) Combinations() []mechanic.Combination      { return nil }
func (spot) Read([]byte) (r mechanic.Reading, e error) { return r, errors.ErrUnsupported }
func (spot) Readings([]byte) ([]mechanic.Reading, error) {
	return nil, errors.ErrUnsupported
}
func (spot) Prove() (p mechanic.Proof, err error) { return p, errors.ErrUnsupported }

func (s spot) Prize(layout []byte) (money.Amount, error) {
	prize := money.Amount(0)
	for _, sign := range layout {
		switch {
		case sign == 0:
		case prize != 0 || int(sign) > len(s.definition.Prizes.Tiers):
			return 0, mechanic.Malformed("signs %v", layout)
		default:
			prize = s.definition.Prizes.Tiers[sign-1].Amounts[0]
		}
	}
	return prize, nil
}

func (s spot) LayOut(dst []byte, tier int, choose mechanic.Chooser) error {
	clear(dst)
	if tier != mechanic.Losing {
		dst[choose.Below(uint32(len(dst)))] = byte(tier + 1)
	}
	return nil
}

// echo lays out the stream itself, so that a test sees it.
type echo struct{ spot }

func (echo) Cells() int                                  { return 8 }
func (e echo) Prize(layout []byte) (money.Amount, error) { return 0, nil }

func (e echo) LayOut(dst []byte, _ int, choose mechanic.Chooser) error {
	binary.BigEndian.PutUint32(dst, choose.Below(math.MaxUint32))
	binary.BigEndian.PutUint32(dst[4:], choose.Below(math.MaxUint32))
	return nil
}

// wrong is a mechanic that does what the test says instead of laying out or reading.
type wrong struct {
	spot
	layOut func(dst []byte, tier int, choose mechanic.Chooser) error
	prize  func(layout []byte) (money.Amount, error)
}

func (w wrong) LayOut(dst []byte, tier int, choose mechanic.Chooser) error {
	if w.layOut == nil {
		return w.spot.LayOut(dst, tier, choose)
	}
	return w.layOut(dst, tier, choose)
}

func (w wrong) Prize(layout []byte) (money.Amount, error) {
	if w.prize == nil {
		return w.spot.Prize(layout)
	}
	return w.prize(layout)
}
