package store

import (
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// Check is what every engine asks of a batch before it writes it, so that a defect of the seller is
// refused and not recorded: the next indexes without a gap, one play a player, funds that follow
// from prices and prizes, ledger transactions that move players' funds by as much as the plays do.
// It returns Conflict with code unit_sold for an index below the next one, and Invalid with code
// sale_malformed for anything else.
func (s *Sale) Check() error {
	before, after := &s.Before, &s.After
	if len(s.Plays) == 0 || before.Lane != after.Lane || after.Version != before.Version+1 || (before.Draw == nil) != (after.Draw == nil) {
		return malformed("it does not lead from one state of its lane to the next")
	}
	if err := checkSequence(&before.Units, &after.Units, len(s.Plays)); err != nil {
		return err
	}
	if before.Draw != nil {
		if err := checkSequence(before.Draw, after.Draw, len(s.Plays)); err != nil {
			return err
		}
	}
	moved, err := s.checkPlays()
	if err != nil {
		return err
	}
	for _, entry := range s.Entries {
		funds, err := fundsMoved(entry)
		if err != nil {
			return err
		}
		if moved, err = moved.Sub(funds); err != nil {
			return err
		}
	}
	if moved != 0 {
		return malformed("its ledger transactions do not move players' funds as its plays do")
	}
	return nil
}

func checkSequence(before, after *Sequence, plays int) error {
	if before.Number != after.Number || before.Header != after.Header || uint64(after.Sold) != uint64(before.Sold)+uint64(plays) {
		return malformed("the block's cursor does not move by its plays")
	}
	if after.Sold > after.Header.Size {
		return malformed("it sells more units than the block has")
	}
	if after.Sales.Size() != uint64(after.Sold) {
		return malformed("the block's tree of sales does not grow by its plays")
	}
	return nil
}

// checkPlays gives the sum by which the plays change available funds.
func (s *Sale) checkPlays() (moved money.Amount, err error) {
	if len(s.Accounts) != len(s.Plays) {
		return 0, malformed("a player is in it without one play, or with several")
	}
	accounts := make(map[player.ID]*Account, len(s.Accounts))
	for at := range s.Accounts {
		accounts[s.Accounts[at].ID] = &s.Accounts[at]
	}
	for at := range s.Plays {
		play := &s.Plays[at]
		account := accounts[play.Player]
		if account == nil {
			return 0, malformed("a player is in it without one play, or with several")
		}
		delete(accounts, play.Player)
		if err := s.checkUnit(play, at); err != nil {
			return 0, err
		}
		change, err := play.change()
		if err != nil {
			return 0, err
		}
		if play.After-play.Before != change || account.Available != play.After {
			return 0, malformed("a player's funds do not follow from price and prizes")
		}
		if moved, err = moved.Add(change); err != nil {
			return 0, err
		}
	}
	return moved, nil
}

// checkUnit checks what the play of a place in the batch sells.
func (s *Sale) checkUnit(play *Play, at int) error {
	header := &s.Before.Units.Header
	if play.Block != header.ID || play.Game != header.Game || play.Stake != header.Stake || len(play.Layout) == 0 {
		return malformed("a play is not of the lane's block")
	}
	if err := checkIndex(play.Index, s.Before.Units.Sold, at); err != nil {
		return err
	}
	draw := s.Before.Draw
	if (draw == nil) != (play.Draw == nil) {
		return malformed("a play and its lane disagree about a participation in the jackpot")
	}
	if draw == nil {
		return nil
	}
	if play.Draw.Block != draw.Header.ID {
		return malformed("a participation is not of the lane's block")
	}
	return checkIndex(play.Draw.Index, draw.Sold, at)
}

func checkIndex(index, sold uint32, at int) error {
	switch next := uint64(sold) + uint64(at); {
	case uint64(index) < next:
		return fault.New(fault.Conflict, "unit_sold", "unit %d was sold before", index).Next("read the lane again")
	case uint64(index) > next:
		return malformed("an index is left out")
	}
	return nil
}

// change is what a play adds to available funds.
func (p *Play) change() (money.Amount, error) {
	price, err := p.GamePart.Add(p.JackpotPart)
	if err != nil {
		return 0, err
	}
	gained := money.Amount(0)
	if !p.PrizeDue {
		gained = p.Prize
	}
	if p.Draw != nil && !p.Draw.WonDue {
		if gained, err = gained.Add(p.Draw.Won); err != nil {
			return 0, err
		}
	}
	return gained.Sub(price)
}

// CheckCredit is what every engine asks of a credit before it writes it. It returns Invalid with code
// amount_wrong unless the amount is above zero, and credit_malformed when the ledger's transaction
// does not move the same amount to players' funds.
func CheckCredit(amount money.Amount, entry ledger.Transaction) error {
	if amount <= 0 {
		return fault.New(fault.Invalid, "amount_wrong", "a credit is above zero, not %s", amount)
	}
	if funds, err := fundsMoved(entry); err != nil || funds != amount {
		return fault.New(fault.Invalid, "credit_malformed", "a credit of %s has a ledger transaction of another amount", amount).
			Next("record nothing; this is a defect of whoever made the transaction")
	}
	return nil
}

// fundsMoved is what a ledger transaction adds to the funds of players. They are owed to players, so
// a credit posting adds to them.
func fundsMoved(entry ledger.Transaction) (money.Amount, error) {
	for _, posting := range entry.Postings() {
		if posting.Account == ledger.PlayerFunds {
			return money.Amount(0).Sub(posting.Amount)
		}
	}
	return 0, nil
}

// ChoiceRecorded is the refusal of a choice when another was recorded: Conflict with code choice_recorded.
func ChoiceRecorded() error {
	return fault.New(fault.Conflict, "choice_recorded", "another choice was recorded for this play").
		Next("read the play; its choice is final and had no effect on the prize")
}

func malformed(what string) error {
	return fault.New(fault.Invalid, "sale_malformed", "a batch of sales is malformed: %s", what).
		Next("record nothing; this is a defect of whoever made the batch")
}
