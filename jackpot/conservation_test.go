package jackpot

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
)

var testTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// rules are what conservation is checked of, so that broken ones can be put in their place.
type rules struct {
	open       func(*game.Jackpot) (Step, error)
	contribute func(Meter, *game.Jackpot, int64) (Meter, error)
	win        func(Meter, *game.Jackpot) (Step, error)
}

var asPublished = rules{Open, Meter.Contribute, Meter.Win}

// world is a jackpot with several lanes, and an independent count of everything that ever moved.
type world struct {
	rules
	jackpot *game.Jackpot
	lanes   []Meter
	books   ledger.TrialBalance

	participations money.Amount // a count; an Amount so that it multiplies
	paid           money.Amount
	wins           int
}

func (w *world) total() Meter {
	var total Meter
	for _, lane := range w.lanes {
		total.Pot, total.Reserve, total.Advances = total.Pot+lane.Pot, total.Reserve+lane.Reserve, total.Advances+lane.Advances
	}
	return total
}

// sell posts n participations of a lane as the entry of a batch does.
func (w *world) sell(lane int, n int64) error {
	after, err := w.contribute(w.lanes[lane], w.jackpot, n)
	if err != nil {
		return err
	}
	w.lanes[lane] = after
	w.participations += money.Amount(n)
	count := money.Amount(n)
	return w.books.Add(
		ledger.Posting{Account: ledger.PlayerFunds, Amount: count * w.jackpot.Price},
		ledger.Posting{Account: ledger.JackpotPot(w.jackpot.Name), Amount: -count * w.jackpot.ToPot},
		ledger.Posting{Account: ledger.JackpotReserve(w.jackpot.Name), Amount: -count * w.jackpot.ToReserve},
		ledger.Posting{Account: ledger.JackpotShare(w.jackpot.Name), Amount: -count * w.jackpot.ToOperator})
}

// takePot lets a participation of a lane win what all lanes hold together.
func (w *world) takePot(lane int) error {
	before := w.total()
	step, err := w.win(before, w.jackpot)
	if err != nil {
		return err
	}
	clear(w.lanes)
	w.lanes[lane] = step.After
	w.paid += step.Won
	w.wins++
	if step.Won < before.Pot || step.Won-before.Pot >= money.Cent || !step.Won.WholeCents() {
		return fmt.Errorf("a pot of %s paid %s", before.Pot, step.Won)
	}
	if step.After.Pot != w.jackpot.Start {
		return fmt.Errorf("the next pot starts with %s", step.After.Pot)
	}
	if step.After.Reserve != 0 && step.After.Advances != 0 {
		return fmt.Errorf("after a win the reserve keeps %s while %s is owed to the operator", step.After.Reserve, step.After.Advances)
	}
	return w.books.Add(append(step.Postings, ledger.Posting{Account: ledger.PlayerFunds, Amount: -step.Won})...)
}

// check is conservation: the meter is what the books say, and what came in, with what
// the operator advanced and added, is what is there, what was paid and what the operator took.
func (w *world) check() error {
	name, meter := w.jackpot.Name, w.total()
	rounding, share := w.books.Balance(ledger.JackpotRounding(name)), w.participations*w.jackpot.ToOperator
	for account, want := range map[ledger.Account]money.Amount{
		ledger.JackpotPot(name): -meter.Pot, ledger.JackpotReserve(name): -meter.Reserve,
		ledger.JackpotAdvances(name): meter.Advances, ledger.JackpotShare(name): -share,
		ledger.PlayerFunds: w.participations*w.jackpot.Price - w.paid,
	} {
		if got := w.books.Balance(account); got != want {
			return fmt.Errorf("%s is %s in the books, %s by count", account, got, want)
		}
	}
	if rounding < 0 || rounding >= money.Cent*money.Amount(max(w.wins, 1)) {
		return fmt.Errorf("rounding cost %s over %d wins", rounding, w.wins)
	}
	if total, err := w.books.Total(); err != nil || total != 0 {
		return fmt.Errorf("the books sum to %s, %w", total, err)
	}
	in := w.participations*w.jackpot.Price + meter.Advances + rounding
	if out := meter.Pot + meter.Reserve + w.paid + share; in != out {
		return fmt.Errorf("%s came in, %s is accounted for", in, out)
	}
	// Every part of what the operator put in for starts is counted: a start a win and the first.
	fromReserve := w.participations*w.jackpot.ToReserve - meter.Reserve
	if starts := w.jackpot.Start * money.Amount(w.wins+1); fromReserve+meter.Advances != starts {
		return fmt.Errorf("%d starts cost %s, the reserve gave %s and %s is advanced", w.wins+1, starts, fromReserve, meter.Advances)
	}
	return nil
}

// checkHistories runs random histories of several lanes, checked at every step.
func checkHistories(t *testing.T, r rules) (found error) {
	rapid.Check(t, func(rt *rapid.T) {
		if found != nil {
			return
		}
		toPot, toReserve := rapid.Int64Range(1, 400).Draw(rt, "to pot"), rapid.Int64Range(0, 400).Draw(rt, "to reserve")
		toOperator := rapid.Int64Range(0, 400).Draw(rt, "to operator")
		w := &world{rules: r, lanes: make([]Meter, rapid.IntRange(1, 3).Draw(rt, "lanes")), jackpot: &game.Jackpot{
			Name: "super-jackpot", Price: money.Amount(toPot + toReserve + toOperator), ToPot: money.Amount(toPot), ToReserve: money.Amount(toReserve),
			ToOperator: money.Amount(toOperator), Start: money.Amount(rapid.Int64Range(0, 20_000).Draw(rt, "start")) * money.Cent,
		}}
		step, err := w.open(w.jackpot)
		if err != nil {
			rt.Fatal(err)
		}
		w.lanes[0] = step.After
		if err := w.books.Add(step.Postings...); err != nil {
			rt.Fatal(err)
		}
		for range rapid.IntRange(1, 200).Draw(rt, "steps") {
			lane := rapid.IntRange(0, len(w.lanes)-1).Draw(rt, "lane")
			n := rapid.SampledFrom([]int64{1, 1, 2, 7, 1000, 100_000}).Draw(rt, "participations")
			err := w.sell(lane, n)
			if err == nil {
				err = w.check()
			}
			// A participation contributes, then may win; so another may win right after it.
			if err == nil && rapid.IntRange(0, 3).Draw(rt, "wins") == 0 {
				if err = w.takePot(lane); err == nil {
					err = w.check()
				}
			}
			if err != nil {
				found = err
				return
			}
		}
	})
	return found
}

func TestNothingIsLost(t *testing.T) {
	if err := checkHistories(t, asPublished); err != nil {
		t.Error(err)
	}
}

func TestBrokenRulesAreCaught(t *testing.T) {
	// after changes what a win leaves or pays.
	after := func(change func(before Meter, j *game.Jackpot, step *Step)) func(Meter, *game.Jackpot) (Step, error) {
		return func(m Meter, j *game.Jackpot) (Step, error) {
			step, err := m.Win(j)
			change(m, j, &step)
			return step, err
		}
	}
	for name, broken := range map[string]rules{
		"drops a contribution": {Open, func(m Meter, j *game.Jackpot, n int64) (Meter, error) { return m.Contribute(j, max(n-1, 1)) }, Meter.Win},
		"rounds the pot down to cents": {Open, func(m Meter, j *game.Jackpot, n int64) (Meter, error) {
			m, err := m.Contribute(j, n)
			m.Pot -= m.Pot % money.Cent
			return m, err
		}, Meter.Win},
		"pays the pot rounded down": {Open, Meter.Contribute, after(func(before Meter, _ *game.Jackpot, s *Step) { s.Won = before.Pot - before.Pot%money.Cent })},
		"forgets an advance in the meter": {Open, Meter.Contribute, after(func(before Meter, _ *game.Jackpot, s *Step) {
			s.After.Advances = min(s.After.Advances, before.Advances)
		})},
		"forgets an advance in the books": {Open, Meter.Contribute, after(func(_ Meter, j *game.Jackpot, s *Step) {
			for at := range s.Postings {
				if s.Postings[at].Account == ledger.JackpotAdvances(j.Name) {
					s.Postings[at].Amount = 0
				}
			}
		})},
		"starts twice": {Open, Meter.Contribute, after(func(_ Meter, j *game.Jackpot, s *Step) {
			s.After.Pot += j.Start
			s.After.Advances += j.Start
			s.Postings = append(s.Postings, ledger.Posting{Account: ledger.JackpotPot(j.Name), Amount: -j.Start},
				ledger.Posting{Account: ledger.JackpotAdvances(j.Name), Amount: j.Start})
		})},
		"does not start again": {Open, Meter.Contribute, after(func(_ Meter, _ *game.Jackpot, s *Step) { s.After.Pot = 0 })},
		"does not repay from the reserve": {Open, Meter.Contribute, after(func(before Meter, j *game.Jackpot, s *Step) {
			s.After.Reserve += min(before.Advances, before.Reserve)
			s.After.Advances += min(before.Advances, before.Reserve)
			s.Postings = append(s.Postings, ledger.Posting{Account: ledger.JackpotReserve(j.Name), Amount: -min(before.Advances, before.Reserve)},
				ledger.Posting{Account: ledger.JackpotAdvances(j.Name), Amount: min(before.Advances, before.Reserve)})
		})},
		"keeps the winning contribution for the next pot": {Open, Meter.Contribute, func(m Meter, j *game.Jackpot) (Step, error) {
			m.Pot -= j.ToPot
			step, err := m.Win(j)
			step.After.Pot += j.ToPot
			return step, err
		}},
		"lets a lane's pot survive a win": {Open, Meter.Contribute, after(func(before Meter, _ *game.Jackpot, s *Step) { s.After.Pot += before.Pot })},
		"opens without an advance":        {func(j *game.Jackpot) (Step, error) { return Step{After: Meter{Pot: j.Start}}, nil }, Meter.Contribute, Meter.Win},
	} {
		if checkHistories(t, broken) == nil {
			t.Errorf("rules that %s were not caught", name)
		}
	}
}

// The jackpot of several lanes is their sum: however participations fall on lanes, it is the same.
func TestLanesSum(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		counts := rapid.SliceOfN(rapid.Int64Range(0, 1_000_000), 1, 5).Draw(r, "participations by lane")
		var lanes []Meter
		all := int64(0)
		for _, n := range counts {
			lane, err := Meter{}.Contribute(super, n)
			if err != nil {
				r.Fatal(err)
			}
			lanes = append(lanes, lane)
			all += n
		}
		one, err := Meter{}.Contribute(super, all)
		if err != nil {
			r.Fatal(err)
		}
		if sum, err := Sum(lanes...); err != nil || sum != one {
			r.Errorf("lanes sum to %+v (%v), one lane has %+v", sum, err, one)
		}
	})
}
