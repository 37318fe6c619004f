package reconcile

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// funds is what records say of a player's available funds.
type funds struct {
	sum money.Amount
	// chain is the sum of keyed hashes of what funds were after each record, less those of what they
	// were before. Records that follow each other cancel out, in whatever order they are read, so
	// that only the first "before" and the last "after" remain.
	chain uint64
	// open is the sum of keyed hashes of the plays that are not shown.
	open uint64
}

func (c *checker) mix(amount money.Amount) uint64 { return maphash.Comparable(c.seed, amount) }

// move adds a record to a player's funds.
func (c *checker) move(who player.ID, amount, before, after money.Amount) {
	f := c.players[who]
	if sum, err := f.sum.Add(amount); err == nil {
		f.sum = sum
	} else {
		c.differ("amount_overflow", "player "+who.String(), "an amount is so large that its sum does not fit")
	}
	f.chain += c.mix(after) - c.mix(before)
	c.players[who] = f
}

// checkFunds checks what a play did to its player's funds and adds it to what the game earned.
func (c *checker) checkFunds(at place, p *store.Play) {
	toFunds, toDue := p.Prize, money.Amount(0)
	if p.PrizeDue {
		toFunds, toDue = toDue, toFunds
	}
	if p.Draw != nil && p.Draw.WonDue {
		toDue += p.Draw.Won
	} else if p.Draw != nil {
		toFunds += p.Draw.Won
	}
	change := toFunds - p.GamePart - p.JackpotPart
	switch {
	case p.Before+change != p.After:
		c.differAt("funds_wrong", at, "funds of %s became %s, but price and prizes change them by %s", p.Before, p.After, change)
	case p.Before < p.GamePart+p.JackpotPart || p.After < 0:
		c.differAt("funds_negative", at, "the player's funds of %s did not cover the price", p.Before)
	}
	c.move(p.Player, change, p.Before, p.After)
	if !p.Shown {
		f := c.players[p.Player]
		f.open += maphash.Comparable(c.seed, store.Unfinished{Game: p.Game, Play: p.ID})
		c.players[p.Player] = f
	}
	sums := c.gameSums(p.Game)
	c.add(&sums.stakes, p.Game, p.GamePart)
	c.add(&sums.prizes, p.Game, p.Prize)
	c.add(&c.due, "prizes due", toDue)
}

func (c *checker) gameSums(name string) *gameSums {
	sums := c.games[name]
	if sums == nil {
		sums = &gameSums{}
		c.games[name] = sums
	}
	return sums
}

// checkShown checks what was recorded after the sale: a choice as the definition has it, none where
// there is nothing to choose, and nothing shown before it.
func (c *checker) checkShown(at place, definition *game.Definition, p *store.Play) {
	choice := definition.Choice
	if choice == nil {
		if p.Choice != nil {
			c.differAt("choice_wrong", at, "a choice is recorded, but the game has none")
		}
		return
	}
	if p.Choice == nil {
		if p.Shown {
			c.differAt("shown_early", at, "it was shown before its choice was recorded")
		}
		return
	}
	wrong := len(p.Choice) != choice.Pick
	for at, cell := range p.Choice {
		wrong = wrong || cell < 0 || cell >= choice.Of || slices.Contains(p.Choice[:at], cell)
	}
	if wrong {
		c.differAt("choice_wrong", at, "the choice is not %d different ones of %d", choice.Pick, choice.Of)
	}
}

// checkUnfinished compares the plays that a player is to be shown with the journal's.
func (c *checker) checkUnfinished(where string, a *store.Account, open uint64) {
	games := make(map[string]bool, len(a.Unfinished))
	for _, unfinished := range a.Unfinished {
		open -= maphash.Comparable(c.seed, unfinished)
		games[unfinished.Game] = true
	}
	if open != 0 || len(games) != len(a.Unfinished) {
		c.differ("unfinished_wrong", where, "the plays that are still to be shown are not those of the journal, one a game")
	}
}

// readMovements checks each credit with the ledger's transaction for it.
func (c *checker) readMovements() error {
	err := c.records.EachMovement(c.ctx, func(m *store.Movement) error {
		c.report.Counts.Movements++
		where := fmt.Sprintf("credit of transaction %d to player %s", m.Transaction, m.Player)
		if m.Amount <= 0 || m.Before < 0 || m.Before+m.Amount != m.After {
			c.differ("funds_wrong", where, "funds of %s became %s by a credit of %s", m.Before, m.After, m.Amount)
		}
		if posted, found := c.credits[m.Transaction]; !found || posted != m.Amount {
			c.differ("credit_wrong", where, "the ledger's transaction does not credit %s, or is missing or used twice", m.Amount)
		}
		delete(c.credits, m.Transaction)
		c.add(&c.credited, where, m.Amount)
		c.move(m.Player, m.Amount, m.Before, m.After)
		return c.ctx.Err()
	})
	for _, number := range slices.Sorted(maps.Keys(c.credits)) {
		c.differ("credit_wrong", fmt.Sprintf("transaction %d", number), "it credits %s to a player, whose funds did not move", c.credits[number])
	}
	return err
}

// readAccounts compares each player's stored funds with those that records give.
func (c *checker) readAccounts() error {
	err := c.records.EachAccount(c.ctx, func(a *store.Account) error {
		c.report.Counts.Players++
		f := c.players[a.ID]
		delete(c.players, a.ID)
		where := "player " + a.ID.String()
		switch {
		case a.Available < 0:
			c.differ("funds_negative", where, "available funds are %s", a.Available)
		case a.Available != f.sum:
			c.differ("balance_wrong", where, "available funds are %s, the records give %s", a.Available, f.sum)
		case f.chain != c.mix(a.Available)-c.mix(0):
			c.differ("chain_wrong", where, "what plays and credits say of the funds before and after does not follow each other")
		}
		c.checkUnfinished(where, a, f.open)
		c.add(&c.held, where, a.Available)
		return c.ctx.Err()
	})
	for _, id := range slices.SortedFunc(maps.Keys(c.players), func(a, b player.ID) int { return bytes.Compare(a[:], b[:]) }) {
		c.differ("player_unknown", "player "+id.String(), "there are plays or credits, but no account")
	}
	return err
}
