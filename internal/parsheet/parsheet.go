// Package parsheet makes the sheet of a game: its sums, odds, and what its mechanic was proven to do.
//
// Its one promise: every figure is exact and computed from the definition; none is typed or sampled
//
package parsheet

import (
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/mechanic/all"
	"github.com/talonlottery/talon/money"
)

// Sheet is the sheet of one game.
type Sheet struct {
	Game       string       `json:"game"`
	Title      string       `json:"title"`
	Definition canon.Digest `json:"definition"`
	Mechanic   string       `json:"mechanic"`
	BlockSize  uint32       `json:"blockSize"`
	Prizes     uint32       `json:"prizes"`
	WinOneIn   string       `json:"winOneIn"`
	Stakes     []Stake      `json:"stakes"`
	Notes      []string     `json:"notes,omitempty"`
	// OffTable is the number of totals outside the prize table that layouts could show and that are
	// never dealt; -1 where it was not counted.
	OffTable int `json:"offTable"`
}

// Stake is the part of a sheet for one stake.
type Stake struct {
	Price                 money.Amount `json:"price"`
	Parts                 []Part       `json:"parts"`
	BlockPrice            money.Amount `json:"blockPrice"`
	PrizeTotal            money.Amount `json:"prizeTotal"`
	PayoutOfGamePart      string       `json:"payoutOfGamePartPercent"`
	PayoutOfPrice         string       `json:"payoutOfPricePercent"`
	StakeBackOfPrizes     string       `json:"stakeBackOfPrizesPercent"`
	Losing                Tier         `json:"losing"`
	Tiers                 []Tier       `json:"tiers"`
	ReachableByAddingOnly []string     `json:"reachableByAddingOrMultiplyingOnly"`
}

// Part is a part of a price.
type Part struct {
	For    string       `json:"for"`
	Amount money.Amount `json:"amount"`
}

// Tier is a line of the prize table with what was proven of it. Counts that a mechanic does not make
// are -1.
type Tier struct {
	Count               uint32       `json:"count"`
	Prize               money.Amount `json:"prize"`
	Total               money.Amount `json:"total"`
	OneIn               string       `json:"oneIn"`
	Compositions        int64        `json:"compositions"`
	SingleReading       int64        `json:"singleReading"`
	Layouts             int64        `json:"layouts"`
	CumulativeOnly      bool         `json:"cumulativeOnly"`
	SaidCumulativeOnly  bool         `json:"saidCumulativeOnly"`
	Ways                []Way        `json:"ways"`
	CompositionsInWords []string     `json:"examples,omitempty"`
}

// Way is a way in which a tier is shown.
type Way struct {
	Gains      []string `json:"gains"`
	Wild       bool     `json:"wild"`
	Multiplier int      `json:"multiplier"`
	Weight     uint32   `json:"weight"`
	Count      int64    `json:"compositions"`
	Layouts    int64    `json:"layouts"`
}

// Of makes the sheet of a definition. It returns the fault for which the definition is refused, if it
// is.
func Of(d *game.Definition) (*Sheet, error) {
	if err := all.Check(d); err != nil {
		return nil, err
	}
	sheet := &Sheet{
		Game: d.Name, Title: d.Titles.French, Definition: d.Hash, Mechanic: d.Mechanic.Kind, BlockSize: d.BlockSize,
		Prizes: d.Prizes.Count, WinOneIn: d.UnitsPerPrize().Decimals(3),
	}
	for stake := range d.Stakes {
		m, err := all.New(d, stake)
		if err != nil {
			return nil, err
		}
		proof, err := m.Prove()
		if err != nil {
			return nil, err
		}
		made, err := stakeOf(d, stake, m, proof)
		if err != nil {
			return nil, err
		}
		sheet.Stakes = append(sheet.Stakes, made)
		sheet.Notes, sheet.OffTable = proof.Notes, proof.OffTable
	}
	return sheet, nil
}

func stakeOf(d *game.Definition, stake int, m mechanic.Mechanic, proof mechanic.Proof) (Stake, error) {
	blockPrice, _, err := d.BlockPrice(stake)
	if err != nil {
		return Stake{}, err
	}
	ofGame, ofPrice, err := d.Payout(stake)
	if err != nil {
		return Stake{}, err
	}
	made := Stake{
		Price: d.Stakes[stake].Price, BlockPrice: blockPrice, PrizeTotal: d.Prizes.Totals[stake],
		PayoutOfGamePart: ofGame.Percent(3), PayoutOfPrice: ofPrice.Percent(3), StakeBackOfPrizes: d.StakeBack(stake).Percent(3),
		ReachableByAddingOnly: []string{},
	}
	for _, part := range d.Stakes[stake].Parts {
		made.Parts = append(made.Parts, Part{For: part.For, Amount: part.Amount})
	}
	losing := d.BlockSize - d.Prizes.Count
	made.Losing = tierOf(m, proof.Losing, losing)
	for at, tier := range d.Prizes.Tiers {
		line := tierOf(m, proof.Tiers[at], tier.Count)
		line.OneIn, line.SaidCumulativeOnly = d.UnitsPerTier(at).Decimals(3), tier.CumulativeOnly
		if line.Total, err = tier.Amounts[stake].Times(int64(tier.Count)); err != nil {
			return Stake{}, err
		}
		if line.CumulativeOnly {
			made.ReachableByAddingOnly = append(made.ReachableByAddingOnly, line.Prize.String())
		}
		made.Tiers = append(made.Tiers, line)
	}
	return made, nil
}

func tierOf(m mechanic.Mechanic, proof mechanic.TierProof, count uint32) Tier {
	line := Tier{
		Count: count, Prize: proof.Prize, Compositions: proof.Compositions, SingleReading: proof.SingleReading,
		Layouts: proof.Layouts, CumulativeOnly: proof.CumulativeOnly, CompositionsInWords: proof.Examples,
	}
	for _, way := range proof.Ways {
		line.Ways = append(line.Ways, Way{
			Gains: gainWords(m, way.Gains), Wild: way.Wild, Multiplier: way.Multiplier, Weight: way.Weight,
			Count: way.Compositions, Layouts: way.Layouts,
		})
	}
	return line
}

// gainWords names combinations by their symbols: "2 croix + 2 or".
func gainWords(m mechanic.Mechanic, gains []int) []string {
	words := []string{}
	for _, gain := range gains {
		counts := make([]uint8, len(m.Symbols()))
		for _, code := range m.Combinations()[gain].Symbols {
			counts[code]++
		}
		words = append(words, mechanic.Words(m.Symbols(), counts))
	}
	return words
}
