// Package sale sells units: one durable transaction for stake, unit, prize, jackpot participation,
// ledger and sales record, or nothing.
//
// Its one promise: whoever is told of a play holds it for ever, and nothing else happened. The same
// request twice is one play. No unit is opened before every check passed and every lock is held, and
// what was opened for a request is sold to that request. The play path draws no
// random number.
//
// Requests that arrive while a transaction of their lane is in flight gather and are sold in the next
// one: the busier a lane is, the larger its batches. There is no timer.
package sale

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// Vault opens the units of ranges for a batch, and gives back the newest batch of a block; see the contracts of vault.OpenUnits and
// vault.Bound.
type Vault interface {
	OpenUnits(ctx context.Context, batch custody.Batch, ranges ...custody.Range) error
	Bound(ctx context.Context, id block.ID) (custody.Bound, error)
}

// Request asks for one unit.
type Request struct {
	Player player.ID
	Key    string // idempotency key: 1 to 64 visible ASCII characters, a new one for each decision to play
	Game   string
	Stake  int
	// Seen is the last play of this game that the player was shown to the end, or zero. It is taken
	// as shown in the same transaction, so that a client needs no request more.
	Seen block.PlayID
}

// Receipt is the play that a request is answered with.
type Receipt struct {
	Play     store.Play
	Repeated bool // the key was known: this is the play it bound before
}

// Config is what a [Seller] is made of.
type Config struct {
	Store     store.Store
	Vault     Vault
	Catalogue *catalogue.Catalogue
	Clock     func() time.Time
	Log       *slog.Logger // nil: nothing is logged

	// PrizeDueAbove is the prize above which (strictly) it goes to prizes due instead of available
	// funds. Zero: all prizes go to available funds.
	PrizeDueAbove money.Amount
	// BatchMost is the most plays of one transaction. Zero: 1 000.
	BatchMost int
	// WaitingMost is the most requests that wait in a lane. Zero: 20 000.
	WaitingMost int
	// Patience is how long a caller waits for an answer before it is told that the outcome is not
	// known yet. Zero: 10 seconds.
	Patience time.Duration
	// RetryPause is the pause after the first failure of a batch that must be tried again; it doubles
	// up to 64 times itself. Zero: 20 milliseconds.
	RetryPause time.Duration
	// SoldOut, when set, is told of each block that a lane has left.
	SoldOut func(block.ID)
	// Observe, when set, is told of each batch once it is answered, by the goroutine of its lane: for
	// metrics. It is told no outcome.
	Observe func(Batch)
}

// Batch is what may be told of requests that were answered together.
type Batch struct {
	Lane     store.Lane
	Plays    int           // sold
	Others   int           // refused, answered from an earlier play, or left for the next batch
	Attempts int           // transactions that it took: one, unless the store failed or the lane moved
	Took     time.Duration // by the seller's clock
	Failed   bool          // given up: nobody was sold anything as far as is known
}

// Defaults of [Config].
const (
	defaultBatchMost   = 1_000
	defaultWaitingMost = 20_000
	defaultPatience    = 10 * time.Second
	defaultRetryPause  = 20 * time.Millisecond
)

// Seller sells. It is safe for concurrent use. Several sellers may share one store: lanes notice it.
type Seller struct {
	config Config
	lanes  map[queue][]*lane
	held   *reservations
	clerk  clerk

	closing sync.RWMutex // held for reading while a request is handed to a lane
	closed  bool
	abandon context.CancelFunc
	running sync.WaitGroup
}

// queue is a game and a stake; it may have several lanes.
type queue struct {
	game  string
	stake int
}

// New makes a seller for the lanes that the store has. Units that the vault opened for a batch which was not recorded, because the
// process ended in between, are sold to that batch's requests first; whoever sent them finds the play when asking again with the same
// key. Call Close when done.
func New(ctx context.Context, config Config) (*Seller, error) {
	config.fillDefaults()
	lanes, err := config.Store.Lanes(ctx)
	if err != nil {
		return nil, err
	}
	run, abandon := context.WithCancel(context.WithoutCancel(ctx))
	s := &Seller{config: config, lanes: make(map[queue][]*lane), held: newReservations(), clerk: clerk{store: config.Store}, abandon: abandon}
	for _, at := range lanes {
		made, err := s.newLane(at)
		if err != nil {
			abandon()
			return nil, err
		}
		q := queue{at.Game, at.Stake}
		s.lanes[q] = append(s.lanes[q], made)
	}
	if err := s.recoverBound(ctx); err != nil {
		abandon()
		return nil, err
	}
	for _, group := range s.lanes {
		for _, l := range group {
			s.running.Go(func() { l.run(run) })
		}
	}
	return s, nil
}

func (c *Config) fillDefaults() {
	if c.BatchMost == 0 {
		c.BatchMost = defaultBatchMost
	}
	if c.WaitingMost == 0 {
		c.WaitingMost = defaultWaitingMost
	}
	if c.Patience == 0 {
		c.Patience = defaultPatience
	}
	if c.RetryPause == 0 {
		c.RetryPause = defaultRetryPause
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

// Sell sells one unit, or gives the play that the request's key bound before. Refused requests take
// no unit and bind no key. Codes: key_malformed and game_unknown (Invalid, NotFound);
// idempotency_key_reused (Conflict) for a key bound by another body; player_unknown (NotFound);
// player_not_active, player_excluded, stake_cap_reached, unfinished_play, insufficient_funds
// (Refused, in this order); emission_used_up (Exhausted); next_block_not_ready,
// too_many_requests_in_flight, other_play_in_doubt, lane_stopped, selling_stops (Unavailable: nothing
// happened); sale_outcome_unknown (Unavailable: ask again with the same key); and Corrupt when records
// or units disagree, which stops the lane. The context ends only the wait.
func (s *Seller) Sell(ctx context.Context, request Request) (Receipt, error) {
	if err := checkKey(request.Key); err != nil {
		return Receipt{}, err
	}
	group, ok := s.lanes[queue{request.Game, request.Stake}]
	if !ok {
		return Receipt{}, fault.New(fault.NotFound, "game_unknown", "there is no game %q at its stake %d", request.Game, request.Stake)
	}
	// A player keeps to one lane of a game and stake, as long as that lane has units.
	var receipt Receipt
	var err error
	for at := range group {
		l := group[(int(request.Player[0])+at)%len(group)]
		if receipt, err = s.ask(ctx, l, request); !errors.Is(err, fault.Exhausted) {
			break
		}
	}
	return receipt, err
}

// ask asks one lane.
func (s *Seller) ask(ctx context.Context, l *lane, request Request) (Receipt, error) {
	waiting := newPending(request)
	if err := s.hand(l, waiting); err != nil {
		return Receipt{}, err
	}
	return s.wait(ctx, waiting)
}

func (s *Seller) hand(l *lane, waiting *pending) error {
	s.closing.RLock()
	defer s.closing.RUnlock()
	if s.closed {
		return fault.New(fault.Unavailable, "selling_stops", "the sale is closing; nothing was sold").
			Next("ask again in a moment, with the same key")
	}
	select {
	case l.requests <- waiting:
		return nil
	default:
		return fault.New(fault.Unavailable, "too_many_requests_in_flight", "more than %d requests wait for this game", s.config.WaitingMost).
			Next("ask again in a moment, with the same key")
	}
}

func (s *Seller) wait(ctx context.Context, waiting *pending) (Receipt, error) {
	patience := time.NewTimer(s.config.Patience)
	defer patience.Stop()
	select {
	case answer := <-waiting.answer:
		return answer.receipt, answer.err
	case <-ctx.Done():
	case <-patience.C:
	}
	if waiting.state.CompareAndSwap(stateWaiting, stateAbandoned) {
		if err := ctx.Err(); err != nil {
			return Receipt{}, err // nothing happened
		}
		return Receipt{}, fault.New(fault.Unavailable, "too_many_requests_in_flight", "the request waited too long; nothing was sold").
			Next("ask again in a moment, with the same key")
	}
	select {
	case answer := <-waiting.answer: // it came meanwhile
		return answer.receipt, answer.err
	default:
		return Receipt{}, outcomeUnknown(nil)
	}
}

func outcomeUnknown(cause error) error {
	unknown := fault.New(fault.Unavailable, "sale_outcome_unknown", "it is not known yet whether the unit was sold")
	if cause != nil {
		unknown = fault.New(fault.Unavailable, "sale_outcome_unknown", "it is not known yet whether the unit was sold: %w", cause)
	}
	return unknown.Next("ask again with the same key: it is one play, whatever happened")
}

// Close takes no more requests, finishes those it took, and stops. When the context ends first, what
// is still waiting is given up: a batch whose transaction keeps failing is then sold to nobody.
func (s *Seller) Close(ctx context.Context) error {
	s.closing.Lock()
	if !s.closed {
		s.closed = true
		for _, group := range s.lanes {
			for _, l := range group {
				close(l.requests)
			}
		}
	}
	s.closing.Unlock()
	done := make(chan struct{})
	go func() { s.running.Wait(); close(done) }()
	defer s.abandon()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		s.abandon()
		<-done
		return fault.New(fault.Unavailable, "selling_stopped_early", "the sale stopped before all that waited was answered: %w", ctx.Err()).
			Next("start again; whoever waited asks again with the same key")
	}
}

// The states of a pending request.
const (
	stateWaiting int32 = iota
	stateTaken         // a batch has it: it will be answered
	stateAbandoned
)

// pending is a request that waits for its answer.
type pending struct {
	request Request
	key     store.KeyDigest
	digest  store.RequestDigest
	state   atomic.Int32
	answer  chan answer // holds the one answer
}

type answer struct {
	receipt Receipt
	err     error
}

func newPending(request Request) *pending {
	return &pending{request: request, key: keyDigest(request), digest: requestDigest(request), answer: make(chan answer, 1)}
}

func (p *pending) refuse(err error) { p.answer <- answer{err: err} }

func (p *pending) grant(play store.Play, repeated bool) {
	p.answer <- answer{receipt: Receipt{Play: play, Repeated: repeated}}
}

const keyBytesMost = 64

func checkKey(key string) error {
	malformed := fault.New(fault.Invalid, "key_malformed", "an idempotency key is 1 to %d visible ASCII characters", keyBytesMost).
		Next("send a new random key for each decision to play, for instance a UUID").At("Idempotency-Key")
	if len(key) < 1 || len(key) > keyBytesMost {
		return malformed
	}
	for _, c := range []byte(key) {
		if c <= ' ' || c > '~' {
			return malformed
		}
	}
	return nil
}

// keyDigest stands for the key; two players' keys never meet.
func keyDigest(r Request) store.KeyDigest {
	digest := canon.Hash(canon.TagKey, r.Player[:], []byte(r.Key))
	return store.KeyDigest(digest[:16])
}

// requestDigest stands for what was asked. Seen is left out: it says what happened before.
func requestDigest(r Request) store.RequestDigest {
	digest := canon.Hash(canon.TagRequest, []byte(r.Game), []byte{byte(r.Stake)})
	return store.RequestDigest(digest[:16])
}
