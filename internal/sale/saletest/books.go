package saletest

import (
	"maps"
	"slices"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// books are the balances that the records lead one to expect: debits positive.
type books map[ledger.Account]money.Amount

func (b *books) add(account ledger.Account, amount money.Amount) {
	if *b == nil {
		*b = books{}
	}
	(*b)[account] += amount
}

func (b *books) play(play *store.Play) {
	b.add(ledger.PlayerFunds, play.Price()-paid(play))
	b.add(ledger.Stakes(play.Game), -play.GamePart)
	b.add(ledger.Prizes(play.Game), play.Prize)
	if play.PrizeDue {
		b.add(ledger.PrizesDue, -play.Prize)
	}
	if play.Draw != nil && play.Draw.WonDue {
		b.add(ledger.PrizesDue, -play.Draw.Won)
	}
}

// checkJackpots plays each jackpot's history again from the journal, participation by participation.
func (c *checker) checkJackpots() error {
	for _, terms := range c.Games.Jackpots() {
		found, err := c.Store.Meter(c.ctx, terms.Name)
		if err != nil {
			return err
		}
		expected := jackpot.Meter{Pot: terms.Start, Advances: terms.Start}
		for _, play := range c.plays {
			if play.Draw == nil || c.jackpotOf(play) != terms.Name {
				continue
			}
			expected.Pot += terms.ToPot
			expected.Reserve += terms.ToReserve
			c.books.add(ledger.JackpotShare(terms.Name), -terms.ToOperator)
			if play.Draw.Won > 0 {
				expected = c.win(terms, play, expected)
			}
		}
		if found != expected {
			c.differ("%s: its meter is %+v, its participations lead to %+v", terms.Name, found, expected)
		}
		c.books.add(ledger.JackpotPot(terms.Name), -expected.Pot)
		c.books.add(ledger.JackpotReserve(terms.Name), -expected.Reserve)
		c.books.add(ledger.JackpotAdvances(terms.Name), expected.Advances)
	}
	return nil
}

// win is the rule of a win in other words than package jackpot's: the pot to the next cent; then the
// reserve pays what it owes, then the next start as far as it reaches.
func (c *checker) win(terms *game.Jackpot, play *store.Play, m jackpot.Meter) jackpot.Meter {
	won := (m.Pot + money.Cent - 1) / money.Cent * money.Cent
	if play.Draw.Won != won {
		c.differ("play %s won a pot of %s, the meter stood at %s", play.ID, play.Draw.Won, m.Pot)
	}
	c.books.add(ledger.JackpotRounding(terms.Name), won-m.Pot)
	for m.Advances > 0 && m.Reserve > 0 {
		repaid := min(m.Advances, m.Reserve)
		m.Advances, m.Reserve = m.Advances-repaid, m.Reserve-repaid
	}
	m.Pot = terms.Start
	if m.Reserve >= terms.Start {
		m.Reserve -= terms.Start
	} else {
		m.Advances += terms.Start - m.Reserve
		m.Reserve = 0
	}
	return m
}

func (c *checker) jackpotOf(play *store.Play) string {
	found, err := c.Games.Game(play.Game)
	if err != nil {
		return ""
	}
	return found.Jackpot
}

// checkPlayers follows each player's funds from the first credit to now, and what is unfinished.
func (c *checker) checkPlayers() error {
	credits := map[player.ID][]store.Movement{}
	err := c.Store.EachMovement(c.ctx, func(m *store.Movement) error {
		credits[m.Player] = append(credits[m.Player], *m)
		c.books.add(ledger.PlayMoneySource, m.Amount)
		c.books.add(ledger.PlayerFunds, -m.Amount)
		return nil
	})
	if err != nil {
		return err
	}
	plays := c.playsOf()
	err = c.Store.EachAccount(c.ctx, func(account *store.Account) error {
		c.checkFunds(account, credits[account.ID], plays[account.ID])
		c.checkUnfinished(account, plays[account.ID])
		delete(plays, account.ID)
		return nil
	})
	for id := range plays {
		c.differ("player %s has plays and no account", id)
	}
	return err
}

func (c *checker) checkFunds(account *store.Account, credits []store.Movement, plays []*store.Play) {
	funds := money.Amount(0)
	for len(credits)+len(plays) > 0 {
		if len(credits) > 0 && (len(plays) == 0 || !credits[0].At.After(plays[0].At)) {
			if credits[0].Before != funds || credits[0].After != funds+credits[0].Amount {
				c.differ("player %s: a credit of %s finds %s, the records lead to %s", account.ID, credits[0].Amount, credits[0].Before, funds)
			}
			funds, credits = credits[0].After, credits[1:]
			continue
		}
		if plays[0].Before != funds {
			c.differ("play %s: funds before it are %s, the records lead to %s", plays[0].ID, plays[0].Before, funds)
		}
		funds, plays = plays[0].After, plays[1:]
	}
	if account.Available != funds {
		c.differ("player %s: available funds are %s, the records lead to %s", account.ID, account.Available, funds)
	}
}

func (c *checker) checkUnfinished(account *store.Account, plays []*store.Play) {
	open := map[string]string{}
	for _, play := range plays {
		if !play.Shown {
			if _, double := open[play.Game]; double {
				c.differ("player %s: two unfinished plays of %s", account.ID, play.Game)
			}
			open[play.Game] = play.ID.String()
		}
	}
	found := map[string]string{}
	for _, unfinished := range account.Unfinished {
		found[unfinished.Game] = unfinished.Play.String()
	}
	if !maps.Equal(open, found) {
		c.differ("player %s: unfinished plays are %v, the journal says %v", account.ID, found, open)
	}
}

// checkLedger compares the general ledger with what journal, movements and meters lead to.
func (c *checker) checkLedger() error {
	ledgered := books{}
	err := c.Store.EachTransaction(c.ctx, func(t *store.LedgerRecord) error {
		sum := money.Amount(0)
		for _, posting := range t.Postings {
			sum += posting.Amount
			ledgered.add(posting.Account, posting.Amount)
		}
		if sum != 0 {
			c.differ("transaction %d, %s %s, sums to %s", t.Number, t.Kind, t.Reference, sum)
		}
		return nil
	})
	if err != nil {
		return err
	}
	accounts := map[ledger.Account]bool{}
	for account := range ledgered {
		accounts[account] = true
	}
	for account := range c.books {
		accounts[account] = true
	}
	for _, account := range slices.Sorted(maps.Keys(accounts)) {
		if ledgered[account] != c.books[account] {
			c.differ("account %s: the ledger has %s, the records lead to %s", account, ledgered[account], c.books[account])
		}
	}
	return nil
}
