package audit

import (
	"encoding/json"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic/all"
	"github.com/talonlottery/talon/money"
)

// rules are what a block is dealt by: those of a game at a stake, or of a jackpot.
type rules struct {
	game    *game.Definition
	jackpot *game.Jackpot
	dealer  *block.Dealer
}

// checkDefinition takes step 1 and gives the dealer, or nil when nothing can be dealt again.
func (c *checker) checkDefinition() *rules {
	path := "definitions/" + c.seal.Definition.String() + ".json"
	text, err := readAll(c.publication.files, path, game.FileBytesMost)
	if err != nil {
		c.find("definition_missing", path, "it cannot be read: %v", err)
		return nil
	}
	if canon.Hash(canon.TagDefinition, text) != c.seal.Definition {
		c.find("definition_wrong", path, "its hash is not the one that the seal names")
		return nil
	}
	r := new(rules)
	var head struct{ Kind string }
	_ = json.Unmarshal(text, &head) // what cannot be read is refused below
	if head.Kind == "jackpot" {
		r.jackpot, err = game.LoadCanonicalJackpot(path, text)
	} else {
		r.game, err = game.LoadCanonical(path, text)
	}
	if fault.CodeOf(err) == "more_prizes_than_units" {
		c.find("prizes_not_table", path, "no block holds its table: %v", err)
		return nil
	}
	if err != nil {
		c.find("definition_wrong", path, "it cannot be used: %v", err)
		return nil
	}
	name, size, price := r.figures(c.header.Stake)
	if name != c.seal.Game || size != c.seal.Size || price != c.seal.Price {
		c.find("definition_wrong", path, "it defines %s with %d units at %s, and the seal is of %s with %d units at %s",
			name, size, price, c.seal.Game, c.seal.Size, c.seal.Price)
		return nil
	}
	if err := r.compile(c.header, c.opening.Secret); err != nil {
		c.find("definition_wrong", path, "no block can be dealt from it: %v", err)
		return nil
	}
	return r
}

// figures are what a seal repeats of a definition; a stake that it does not have costs nothing.
func (r *rules) figures(stake int) (name string, size uint32, price money.Amount) {
	if r.jackpot != nil {
		if stake == 0 {
			price = r.jackpot.Price
		}
		return r.jackpot.Name, r.jackpot.BlockSize, price
	}
	if stake < len(r.game.Stakes) {
		price = r.game.Stakes[stake].Price
	}
	return r.game.Name, r.game.BlockSize, price
}

func (r *rules) compile(header block.Header, secret block.Secret) (err error) {
	if r.jackpot != nil {
		r.dealer, err = block.NewDrawDealer(header, secret, r.jackpot)
		return err
	}
	mechanic, err := all.New(r.game, header.Stake)
	if err != nil {
		return err
	}
	r.dealer, err = block.NewDealer(header, secret, r.game, mechanic)
	return err
}
