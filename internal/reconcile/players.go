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
	sum     money.Amount // of all that was recorded
	current money.Amount // after what was read so far
	// credits are those not placed among the plays yet. Credits and plays are numbered apart; but a
	// credit raises funds, so the first play after it cannot begin where the one before it ended.
	credits []credit
	// open is the sum of keyed hashes of the plays that are not shown.
	open uint64
}

type credit struct{ before, after money.Amount }

func (c *checker) fundsOf(who player.ID) *funds {
	f := c.players[who]
	if f == nil {
		f = &funds{}
		c.players[who] = f
	}
	return f
}

// advance takes the credits that lead from the current funds to those of the next record.
func (f *funds) advance(to money.Amount) bool {
	for f.current != to && len(f.credits) > 0 && f.credits[0].before == f.current {
		f.current, f.credits = f.credits[0].after, f.credits[1:]
	}
	return f.current == to
}

// play notes a play that is not shown.
func (f *funds) play(c *checker, p *store.Play) {
	if !p.Shown {
		f.open += maphash.Comparable(c.seed, store.Unfinished{Game: p.Game, Play: p.ID})
	}
}

// checkShown checks what was recorded after the sale: a choice as the definition has it, none where
// there is nothing to choose, and nothing shown before it.
func (c *checker) checkShown(definition *game.Definition, p *store.Play) {
	choice := definition.Choice
	if choice == nil {
		if p.Choice != nil {
			c.differAt("choice_wrong", placeOf(p), "a choice is recorded, but the game has none")
		}
		return
	}
	if p.Choice == nil {
		if p.Shown {
			c.differAt("shown_early", placeOf(p), "it was shown before its choice was recorded")
		}
		return
	}
	wrong := len(p.Choice) != choice.Pick
	for at, cell := range p.Choice {
		wrong = wrong || cell < 0 || cell >= choice.Of || slices.Contains(p.Choice[:at], cell)
	}
	if wrong {
		c.differAt("choice_wrong", placeOf(p), "the choice is not %d different ones of %d", choice.Pick, choice.Of)
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
		f := c.fundsOf(m.Player)
		f.credits = append(f.credits, credit{m.Before, m.After})
		c.add(&f.sum, where, m.Amount)
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
		f := c.fundsOf(a.ID)
		delete(c.players, a.ID)
		where := "player " + a.ID.String()
		switch {
		case a.Available < 0:
			c.differ("funds_negative", where, "available funds are %s", a.Available)
		case a.Available != f.sum:
			c.differ("balance_wrong", where, "available funds are %s, the records give %s", a.Available, f.sum)
		case !f.advance(a.Available) || len(f.credits) > 0:
			c.differ("chain_wrong", where, "what plays and credits say of the funds before and after does not lead to %s", a.Available)
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
