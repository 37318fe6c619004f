package sale

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/player"
)

// lane sells the units of one lane, batch after batch. Only its own goroutine touches what follows
// requests.
type lane struct {
	seller  *Seller
	config  *Config
	at      store.Lane
	game    *catalogue.Game
	jackpot *game.Jackpot // nil without

	requests chan *pending

	state   *store.LaneState // nil until it is read, and after it moved
	next    []*pending       // taken for the batch after this one
	stopped error            // why nothing more is sold: data were found corrupt
}

func (s *Seller) newLane(at store.Lane) (*lane, error) {
	found, err := s.config.Catalogue.Game(at.Game)
	if err != nil {
		return nil, fault.New(fault.NotFound, "game_unknown", "the database has a lane of %s, which is not in the catalogue", at.Game).
			Next("start with the definition of this game")
	}
	l := &lane{seller: s, config: &s.config, at: at, game: found, requests: make(chan *pending, s.config.WaitingMost)}
	if found.Jackpot != "" {
		if l.jackpot, err = s.config.Catalogue.Jackpot(found.Jackpot); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *lane) run(ctx context.Context) {
	for {
		gathered := l.gather(ctx)
		if len(gathered) == 0 {
			return
		}
		l.sell(ctx, gathered)
		if ctx.Err() != nil { // given up: answer whoever still waits
			for _, waiting := range l.next {
				waiting.refuse(context.Canceled)
			}
			l.next = nil
		}
	}
}

// waitingOfOneMost is how many requests of one player a lane keeps for its next batches: more would
// take the places of other players.
const waitingOfOneMost = 8

// gather waits for a request and takes all that wait with it, up to the most of a batch. A player is
// at most once in a batch: further requests of the same player wait for the next. It returns nothing
// when the lane is closed and empty.
func (l *lane) gather(ctx context.Context) []*pending {
	batch := make([]*pending, 0, max(len(l.next), 16))
	seen := make(map[player.ID]int, cap(batch))
	before := l.next
	l.next = nil
	take := func(waiting *pending) {
		seen[waiting.request.Player]++
		switch n := seen[waiting.request.Player]; {
		case n > waitingOfOneMost:
			waiting.refuse(fault.New(fault.Unavailable, "too_many_requests_in_flight", "more than %d requests of this player wait for this game", waitingOfOneMost).
				Next("wait for an answer before you ask for more"))
		case n > 1 || len(batch) >= l.config.BatchMost:
			l.next = append(l.next, waiting)
		default:
			batch = append(batch, waiting)
		}
	}
	for _, waiting := range before {
		take(waiting)
	}
	if len(batch) == 0 {
		waiting, open := <-l.requests
		if !open {
			return nil
		}
		if waiting.state.CompareAndSwap(stateWaiting, stateTaken) {
			take(waiting)
		}
	}
	for len(batch) < l.config.BatchMost && len(l.next) < l.config.WaitingMost {
		select {
		case waiting, open := <-l.requests:
			if !open {
				return batch
			}
			if waiting.state.CompareAndSwap(stateWaiting, stateTaken) {
				take(waiting)
			}
			continue
		default:
		}
		break
	}
	if len(batch) == 0 {
		return l.gather(ctx) // all that waited had been abandoned
	}
	return batch
}

// conflictsMost bounds how often a batch is tried again because its lane moved.
const conflictsMost = 100

// sell sells a batch: it answers every request or keeps it for the next batch.
func (l *lane) sell(ctx context.Context, gathered []*pending) {
	b, begun := &batch{lane: l, waiting: gathered}, l.config.Clock()
	attempts, err := l.settleOn(ctx, b)
	told := Batch{Lane: l.at, Others: len(gathered), Attempts: attempts, Failed: err != nil}
	if err != nil {
		b.fail(err)
	} else {
		told.Plays, told.Others = len(b.accepted), len(gathered)-len(b.accepted)
		b.settle()
	}
	if l.config.Observe != nil {
		told.Took = l.config.Clock().Sub(begun)
		l.config.Observe(told)
	}
}

// settleOn tries a batch until it is recorded, or must be given up for the reason it returns.
func (l *lane) settleOn(ctx context.Context, b *batch) (attempts int, err error) {
	pause := l.config.RetryPause
	for attempts = 1; ; attempts++ {
		err := l.attempt(ctx, b)
		if err == nil {
			return attempts, nil
		}
		b.rolledBack()
		switch {
		case !b.bound() && fault.CodeOf(err) == "lane_moved" && attempts < conflictsMost:
			l.state = nil
			continue
		case errors.Is(err, fault.Corrupt) || b.bound() && errors.Is(err, fault.Invalid):
			l.stop(err) // what is corrupt or malformed once is so each time
			return attempts, err
		case !b.bound() || ctx.Err() != nil || fault.CodeOf(err) == codeWithdrawn:
			return attempts, err
		}
		// Units were opened for these requests: they are sold to them and to nobody else, so the
		// same batch is tried until it is recorded.
		l.config.Log.ErrorContext(ctx, "a batch must be tried again", "game", l.at.Game, "stake", l.at.Stake, "lane", l.at.Number,
			"plays", len(b.accepted), "error", err)
		l.state = nil
		sleep(ctx, pause)
		pause = min(2*pause, 64*l.config.RetryPause)
	}
}

// stop ends the sale of the lane, for this process: what was sold can still be asked for.
func (l *lane) stop(err error) {
	l.config.Log.Error("the sale of a lane stopped", "game", l.at.Game, "stake", l.at.Stake, "lane", l.at.Number, "error", err)
	l.stopped = fault.New(fault.Unavailable, "lane_stopped", "the sale of %s at this stake has stopped: records or units disagree", l.at.Game).
		Next("choose another game or stake; the operator runs `talon reconcile` and starts again once the cause is found")
}

// attempt runs the batch in one transaction. A batch that is bound is looked for even when nothing can
// be sold now: it may have sold the last units itself, in an attempt whose answer was lost.
func (l *lane) attempt(ctx context.Context, b *batch) error {
	stateErr := l.ready(ctx)
	return l.config.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		return b.record(ctx, tx, stateErr)
	})
}

// ready reads the lane when it is not in memory, and passes to the next block when one of its blocks
// is sold out.
func (l *lane) ready(ctx context.Context) error {
	if l.stopped != nil {
		return l.stopped
	}
	if l.state == nil {
		state, err := l.config.Store.Lane(ctx, l.at)
		if err != nil && fault.CodeOf(err) != "lane_without_block" {
			return err
		}
		if err == nil {
			l.state = &state
		}
	}
	if l.state != nil && l.state.Units.Left() > 0 && (l.state.Draw == nil || l.state.Draw.Left() > 0) {
		return nil
	}
	left := l.state
	var advanced store.LaneState
	err := l.config.Store.Update(ctx, func(ctx context.Context, tx store.Tx) (err error) {
		advanced, err = tx.Advance(ctx, l.at, l.config.Clock())
		return err
	})
	if err != nil {
		return err
	}
	l.state = &advanced
	l.tellSoldOut(left)
	return nil
}

func (l *lane) tellSoldOut(left *store.LaneState) {
	if left == nil || l.config.SoldOut == nil {
		return
	}
	if left.Units.Number != l.state.Units.Number {
		l.config.SoldOut(left.Units.Header.ID)
	}
	if left.Draw != nil && left.Draw.Number != l.state.Draw.Number {
		l.config.SoldOut(left.Draw.Header.ID)
	}
}

// sleep pauses, or returns early when the context ends.
func sleep(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// reservations keep a player whose request is bound to opened units from staking elsewhere until it
// is recorded: otherwise the funds for it could be gone.
type reservations struct {
	mu      sync.Mutex
	players map[player.ID]*lane
	doubted map[*lane]bool // lanes whose batch failed after its units were opened
	changed sync.Cond
}

func newReservations() *reservations {
	r := &reservations{players: make(map[player.ID]*lane), doubted: make(map[*lane]bool)}
	r.changed.L = &r.mu
	return r
}

// hold reserves a player for a lane. It is called with the player locked in the store, so that a lane
// that holds the player has ended its transaction: hold waits until that lane says how, and reports
// whether the player is free. A player in doubt is not: that lane must try its batch again.
func (r *reservations) hold(id player.ID, by *lane) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		holder, held := r.players[id]
		if !held || holder == by {
			r.players[id] = by
			return true
		}
		if r.doubted[holder] {
			return false
		}
		r.changed.Wait()
	}
}

// doubt says that the lane's batch failed after its units were opened.
func (r *reservations) doubt(l *lane) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.doubted[l] = true
	r.changed.Broadcast()
}

// release frees the players of a batch that was recorded, or of which nothing was opened.
func (r *reservations) release(l *lane, accepted []*order) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.doubted, l)
	for _, o := range accepted {
		delete(r.players, o.waiting.request.Player)
	}
	r.changed.Broadcast()
}
