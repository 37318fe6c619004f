// Package jackpot counts a jackpot: what participations bring, what a win pays, what the next pot
// starts with.
//
// Its one promise: no fraction of a cent is lost. What came in is in the pot, in the reserve,
// with the operator, or was paid, at every step; contributions are never income. It decides
// and holds no state.
package jackpot

import (
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
)

// Meter is where a jackpot stands. With several lanes each has a meter of its own and the jackpot is
// their sum ([Sum]); a single lane's reserve or pot is then a part only.
type Meter struct {
	Pot      money.Amount // what the next win pays, never rounded down
	Reserve  money.Amount // for the next starting amounts
	Advances money.Amount // what the operator advanced and the reserve has not repaid
}

// Contribute adds n participations. It returns Invalid with code participations_negative when n is
// below zero, for what came in is never taken back, and with code amount_overflow when the meter
// would not fit; the meter is unchanged then.
func (m Meter) Contribute(j *game.Jackpot, n int64) (Meter, error) {
	if n < 0 {
		return m, fault.New(fault.Invalid, "participations_negative", "%d participations cannot contribute to %s", n, j.Name)
	}
	pot, err := j.ToPot.Times(n)
	if err != nil {
		return m, err
	}
	reserve, err := j.ToReserve.Times(n)
	if err != nil {
		return m, err
	}
	after, err := Sum(m, Meter{Pot: pot, Reserve: reserve})
	if err != nil {
		return m, err
	}
	return after, nil
}

// Sum adds meters, for instance those of a jackpot's lanes.
func Sum(meters ...Meter) (Meter, error) {
	var total Meter
	for _, m := range meters {
		var err error
		if total.Pot, err = total.Pot.Add(m.Pot); err != nil {
			return Meter{}, err
		}
		if total.Reserve, err = total.Reserve.Add(m.Reserve); err != nil {
			return Meter{}, err
		}
		if total.Advances, err = total.Advances.Add(m.Advances); err != nil {
			return Meter{}, err
		}
	}
	return total, nil
}

// Step is what opening a jackpot or a win does: the meter after it, what is paid, and the postings
// that are not the winner's. Winner's postings depend on the prize threshold and are the sale's.
type Step struct {
	After    Meter
	Won      money.Amount // in whole cents; zero when a jackpot opens
	Postings []ledger.Posting
}

// Open gives a jackpot its first starting amount, which the operator advances.
func Open(j *game.Jackpot) (Step, error) { return start(j, Meter{}) }

// Win pays the whole pot and sets the next starting amount aside. The winning participation has
// contributed before it wins. A pot that ends in part of a cent is paid up to the next whole cent,
// and the operator bears the difference by a posting of its own. The postings debit the pot by what
// it held and leave the credit of Won to the caller: the sum of Postings is Won. The meter is the
// sum over all lanes. It returns Corrupt with code meter_negative for a meter that cannot be.
func (m Meter) Win(j *game.Jackpot) (Step, error) {
	if m.Pot < 0 || m.Reserve < 0 || m.Advances < 0 {
		return Step{}, fault.New(fault.Corrupt, "meter_negative", "the meter of %s is negative", j.Name).
			Next("stop selling participations and run `talon reconcile`")
	}
	rounding := (money.Cent - m.Pot%money.Cent) % money.Cent
	won, err := m.Pot.Add(rounding)
	if err != nil {
		return Step{}, err
	}
	next, err := start(j, Meter{Reserve: m.Reserve, Advances: m.Advances})
	if err != nil {
		return Step{}, err
	}
	next.Won = won
	next.Postings = append([]ledger.Posting{
		{Account: ledger.JackpotPot(j.Name), Amount: m.Pot},
		{Account: ledger.JackpotRounding(j.Name), Amount: rounding},
	}, next.Postings...)
	return next, nil
}

// start sets a starting amount aside: the reserve first repays what was advanced before, then gives
// what it has, and the operator advances the rest.
func start(j *game.Jackpot, m Meter) (Step, error) {
	repaid := min(m.Advances, m.Reserve)
	left := m.Reserve - repaid
	given := min(left, j.Start)
	advanced := j.Start - given
	advances, err := (m.Advances - repaid).Add(advanced)
	if err != nil {
		return Step{}, err
	}
	after := Meter{Pot: j.Start, Reserve: left - given, Advances: advances}
	return Step{After: after, Postings: []ledger.Posting{
		{Account: ledger.JackpotReserve(j.Name), Amount: repaid + given},
		{Account: ledger.JackpotAdvances(j.Name), Amount: advanced - repaid},
		{Account: ledger.JackpotPot(j.Name), Amount: -j.Start},
	}}, nil
}
