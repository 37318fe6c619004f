// Package catalogue holds the games that are played: definitions that were loaded, checked and
// compiled.
//
// Its one promise: whatever is in a [Catalogue] may be dealt and sold; a definition with a tier that
// no layout reaches, or a claim that is untrue, never gets in.
package catalogue

import (
	"slices"
	"strings"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/mechanic/all"
	"github.com/talonlottery/talon/money"
)

// Game is one game of the catalogue. It is immutable and safe for concurrent use.
type Game struct {
	*game.Definition
	Mechanics []mechanic.Mechanic // one a stake
}

// Catalogue is a set of games and jackpots. It is immutable and safe for concurrent use.
type Catalogue struct {
	games    []*Game
	jackpots []*game.Jackpot
}

// New checks and compiles definitions. It returns the fault of the first definition that is refused,
// Conflict with code name_taken when two share a name, and Invalid with code jackpot_unknown when a
// game is sold with a jackpot that is not given.
func New(definitions []*game.Definition, jackpots []*game.Jackpot) (*Catalogue, error) {
	c := &Catalogue{jackpots: slices.Clone(jackpots)}
	for _, definition := range definitions {
		if _, err := c.Game(definition.Name); err == nil {
			return nil, fault.New(fault.Conflict, "name_taken", "two games are named %q", definition.Name)
		}
		compiled, err := c.compile(definition)
		if err != nil {
			return nil, err
		}
		c.games = append(c.games, compiled)
	}
	slices.SortFunc(c.games, func(a, b *Game) int { return strings.Compare(a.Name, b.Name) })
	return c, nil
}

func (c *Catalogue) compile(definition *game.Definition) (*Game, error) {
	if err := all.Check(definition); err != nil {
		return nil, err
	}
	if definition.Jackpot != "" {
		jackpot, err := c.Jackpot(definition.Jackpot)
		if err != nil {
			return nil, fault.New(fault.Invalid, "jackpot_unknown", "%s is sold with the jackpot %q, which is not defined: %w",
				definition.Name, definition.Jackpot, err)
		}
		if err := checkJackpotParts(definition, jackpot); err != nil {
			return nil, err
		}
	}
	compiled := &Game{Definition: definition}
	for stake := range definition.Stakes {
		compiledMechanic, err := all.New(definition, stake)
		if err != nil {
			return nil, err
		}
		compiled.Mechanics = append(compiled.Mechanics, compiledMechanic)
	}
	return compiled, nil
}

// checkJackpotParts refuses a stake that does not pay for exactly one participation.
func checkJackpotParts(definition *game.Definition, jackpot *game.Jackpot) error {
	for _, stake := range definition.Stakes {
		if part := stake.JackpotPart(jackpot.Name); part != jackpot.Price {
			return fault.New(fault.Invalid, "jackpot_part", "%s at %s pays %s for %s, whose participation costs %s",
				definition.Name, stake.Price, part, jackpot.Name, jackpot.Price).
				Next("make the part of the price equal to one participation")
		}
	}
	return nil
}

// Games lists the games in the order of their names. Callers do not change it.
func (c *Catalogue) Games() []*Game { return c.games }

// Jackpots lists the jackpots. Callers do not change it.
func (c *Catalogue) Jackpots() []*game.Jackpot { return c.jackpots }

// Game returns a game by name. It returns NotFound with code game_unknown.
func (c *Catalogue) Game(name string) (*Game, error) {
	for _, found := range c.games {
		if found.Name == name {
			return found, nil
		}
	}
	return nil, fault.New(fault.NotFound, "game_unknown", "there is no game named %q", name).
		Next("the list of games is at the lobby and under /api/v1/games")
}

// Jackpot returns a jackpot by name. It returns NotFound with code jackpot_unknown.
func (c *Catalogue) Jackpot(name string) (*game.Jackpot, error) {
	for _, found := range c.jackpots {
		if found.Name == name {
			return found, nil
		}
	}
	return nil, fault.New(fault.NotFound, "jackpot_unknown", "there is no jackpot named %q", name)
}

// StakeAt finds the stake with a price. It returns Invalid with code stake_unknown.
func (g *Game) StakeAt(price money.Amount) (int, error) {
	for at, stake := range g.Stakes {
		if stake.Price == price {
			return at, nil
		}
	}
	return 0, fault.New(fault.Invalid, "stake_unknown", "%s is not sold at %s", g.Name, price).
		Next("choose one of the stakes that the game lists")
}
