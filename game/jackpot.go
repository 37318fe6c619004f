package game

import (
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/money"
)

// Jackpot is the definition of a jackpot sold with the units of games. It is immutable once loaded
// and safe for concurrent use. What its terms mean is decided by package jackpot.
type Jackpot struct {
	Name   string
	Titles Text
	// Price is what one participation costs; it is shared out exactly.
	Price, ToPot, ToReserve, ToOperator money.Amount
	Start                               money.Amount // of each pot
	Odds                                uint32       // a participation wins once in so many
	BlockSize                           uint32       // participations in a block
	Canonical                           []byte       // the document as canonical JSON, which the hash is of; not to be changed
	Hash                                canon.Digest
}

// jackpotKind is the value of "kind" in a jackpot's definition.
const jackpotKind = "jackpot"

func (r reader) checkJackpot(document *jackpotDocument, j *Jackpot) error {
	if err := r.checkName("name", j.Name); err != nil {
		return err
	}
	if err := r.checkTitles(j.Titles); err != nil {
		return err
	}
	if err := r.checkRegulation(Regulation(document.Regulation), false); err != nil {
		return err
	}
	if document.Article == "" {
		return r.errorf("article", "article_missing", "the article that the price comes from is expected, in quotes")
	}
	if j.Price <= 0 || !j.Price.WholeCents() {
		return r.errorf("price", "price_wrong", "a participation costs more than nothing, in whole cents, not %s", j.Price)
	}
	if j.ToPot <= 0 || j.ToReserve < 0 || j.ToOperator < 0 {
		return r.errorf("shares", "shares_wrong", "the pot's share is above zero and no share is negative")
	}
	if sum := j.ToPot + j.ToReserve + j.ToOperator; sum != j.Price {
		return r.errorf("shares", "parts_not_price", "the shares sum to %s, but a participation costs %s", sum, j.Price)
	}
	if j.Start <= 0 || !j.Start.WholeCents() {
		return r.errorf("start", "amount_wrong", "a starting amount is above zero and in whole cents, not %s", j.Start)
	}
	if j.Odds < 2 || j.Odds > JackpotOddsMax {
		return r.errorf("one_in", "size_beyond_limit", "a participation wins once in 2 to %d", JackpotOddsMax)
	}
	if j.BlockSize < 1 || j.BlockSize > BlockSizeMost {
		return r.errorf("block.size", "size_beyond_limit", "a block has 1 to %d participations", BlockSizeMost)
	}
	return nil
}
