package storetest

import (
	"errors"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// Story is a lottery that sells while its engine is made to fail: it knows what must have been
// recorded. An engine's own tests tell it, for they know how the engine fails. It is not safe for
// concurrent use.
type Story struct {
	world   *world
	players []player.ID
	sold    int
	known   Dump
	// doubtful is the last batch when nobody knows whether it was recorded.
	doubtful *store.Sale
}

// NewStory opens a lottery in an empty store.
func NewStory(t T, s store.Store) *Story {
	t.Helper()
	w := newWorld(t, s)
	story := &Story{world: w, players: w.crowd(200, 1000*money.Unit)}
	w.openCoins(1 << 20)
	story.known = w.dump()
	return story
}

// On goes on with the store opened again.
func (s *Story) On(opened store.Store) { s.world.Store = opened }

// Sell sells some units, at most 200, in one batch. When nothing was recorded it returns why.
func (s *Story) Sell(units int) error {
	s.world.Helper()
	ids := make([]player.ID, units)
	for at := range ids {
		ids[at] = s.players[(s.sold+at)%len(s.players)]
	}
	state, err := s.world.Lane(s.world.ctx, coinsLane)
	if err != nil {
		return err
	}
	sale := s.world.batch(state, by(ids...)...)
	err = s.world.try(sale)
	switch {
	case err == nil:
		s.known = s.known.after(sale)
		s.sold += units
	case fault.CodeOf(err) == "commit_unknown":
		s.doubtful = &sale
	}
	return err
}

// Check reads everything: it must be what was recorded, to the last field.
func (s *Story) Check() {
	s.world.Helper()
	now := s.world.dump()
	if s.doubtful != nil {
		if with := s.known.after(*s.doubtful); cmp.Equal(now, with, cmp.AllowUnexported(canon.Edge{})) {
			s.known = with
			s.sold += len(s.doubtful.Plays)
		}
		s.doubtful = nil
	}
	s.world.same("everything", now, s.known)
}

// Survives fails the engine in some way and checks what the contract promises of it: a stated error,
// nothing half done, reading as before, and sales that go on once the cause is gone.
func (s *Story) Survives(codes []string, fail, repair func()) {
	s.world.Helper()
	s.world.must(s.Sell(3))
	s.Check()
	fail()
	err := s.untilRefused()
	switch {
	case err == nil:
		s.world.Errorf("the engine was made to fail, and sells on")
	case !errors.Is(err, fault.Unavailable) || fault.NextOf(err) == "":
		s.world.Errorf("got error %v (%v), want Unavailable with a next step", err, fault.KindOf(err))
	default:
		s.oneOf(fault.CodeOf(err), codes)
	}
	s.Check()
	repair()
	s.Check()
	s.world.must(s.Sell(3))
	s.Check()
}

// untilRefused sells until something fails, for an engine may have room left.
func (s *Story) untilRefused() error {
	for range 200 {
		if err := s.Sell(len(s.players)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Story) oneOf(code string, codes []string) {
	s.world.Helper()
	for _, allowed := range codes {
		if code == allowed {
			return
		}
	}
	s.world.Errorf("got code %s, want one of %v", code, codes)
}

// Choose records the choice of the newest play.
func (s *Story) Choose() {
	s.world.Helper()
	play := s.known.Plays[len(s.known.Plays)-1]
	s.world.must(s.world.choose(play.Player, play.ID, 2, 0, 1))
	s.known = s.world.dump()
}

// Sold is how many units were sold.
func (s *Story) Sold() int { return s.sold }

// CheckWhole checks, of a story that was broken off, that nothing is half recorded: every index once
// and in order, cursors, trees, meters, funds and books as the plays make them. It gives the number of
// plays.
func CheckWhole(t T, opened store.Store) (plays int) {
	t.Helper()
	w := newWorld(t, opened)
	d := w.dump()
	state := w.lane(coinsLane)
	var units, draws canon.Edge
	paid := map[player.ID]money.Amount{}
	for at, play := range d.Plays {
		w.same("index", [2]uint32{play.Index, play.Draw.Index}, [2]uint32{uint32(at), uint32(at)})
		units.Append(block.SaleLeaf(play.Block, play.Index, play.ID, play.At.UnixMilli()))
		draws.Append(block.SaleLeaf(play.Draw.Block, play.Draw.Index, play.ID, play.At.UnixMilli()))
		paid[play.Player] += play.Before - play.After
	}
	plays = len(d.Plays)
	w.same("cursors", [2]uint32{state.Units.Sold, state.Draw.Sold}, [2]uint32{uint32(plays), uint32(plays)})
	w.same("trees", [2]canon.Edge{state.Units.Sales, state.Draw.Sales}, [2]canon.Edge{units, draws})
	w.same("meter", state.Meter, jackpot.Meter{Pot: money.Amount(plays) * toPot, Reserve: money.Amount(plays) * toReserve})
	owed := money.Amount(0)
	for _, account := range d.Accounts {
		w.same("funds", account.Available, 1000*money.Unit-paid[account.ID])
		owed += account.Available
	}
	var books ledger.TrialBalance
	for _, transaction := range d.Transactions {
		w.must(books.Add(transaction.Postings...))
	}
	total, err := books.Total()
	w.must(err)
	w.same("sum of all postings", total, money.Amount(0))
	w.same("player funds in the books", books.Balance(ledger.PlayerFunds), -owed)
	return plays
}
