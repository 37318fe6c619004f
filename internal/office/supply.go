// Package office opens emissions and keeps blocks ready ahead of the sale.
//
// Its one promise: a lane that sells has its next block dealt before the last is sold out, as long as
// its emission has one, so that a sale never waits; and stopping it at any instant leaves whole
// blocks only.
package office

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/publiclog"
)

// Vault deals blocks; see the contract of vault.Deal.
type Vault interface {
	Deal(ctx context.Context, game string, stake int, progress func(done, total uint32)) (block.Deal, error)
}

// Config is what a [Supply] is made of.
type Config struct {
	Store     store.Store
	Vault     Vault
	Catalogue *catalogue.Catalogue
	Clock     func() time.Time
	Log       *slog.Logger
	// Blocks is how many blocks the emission of each game and stake has when it is opened. Zero: 1.
	Blocks int
	// Ahead is how many blocks are kept ready besides the ones on sale. Zero: 1.
	Ahead int
	// Together is how many blocks are dealt at once. Zero: 2.
	Together int
	// DealtBy is the name under which blocks are recorded as dealt. Empty: "talon".
	DealtBy string
	// ApprovedBy, when set, is the name under which each sealed block is approved at once. It is meant
	// for demonstrations: elsewhere a person approves (see [Staff.Approve]).
	ApprovedBy string
	// Announced, when set, is told that there is something to publish.
	Announced func()
	// Progress, when set, is told how far each block is.
	Progress func(Progress)
}

// Progress is how far a block that is being dealt is.
type Progress struct {
	Game        string
	Stake       int
	Done, Total uint32
}

// pool is what blocks are kept ready for: a game at a stake, or a jackpot at 0.
type pool struct {
	game  string
	stake int
	lanes int // lanes that sell from it
}

// Supply keeps blocks ready. It is safe for concurrent use.
type Supply struct {
	config Config
	wake   chan struct{}
	sealed chan struct{} // there may be blocks to approve

	mu       sync.Mutex // guards progress
	progress map[pool]Progress
}

// New makes a supply. Nothing is dealt before Run.
func New(config Config) *Supply {
	if config.Blocks == 0 {
		config.Blocks = 1
	}
	if config.Ahead == 0 {
		config.Ahead = 1
	}
	if config.Together == 0 {
		config.Together = 2
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if config.DealtBy == "" {
		config.DealtBy = "talon"
	}
	if config.Announced == nil {
		config.Announced = func() {}
	}
	return &Supply{config: config, wake: make(chan struct{}, 1), sealed: make(chan struct{}, 1), progress: make(map[pool]Progress)}
}

// Open opens what the catalogue has and the store has not: jackpots with their first starting
// amount, one emission and one lane a game and stake, and as many blocks of participations as the
// games sold with a jackpot need. It deals nothing, and does nothing the second time. It returns Conflict
// with code definition_changed when blocks were dealt of a definition that the catalogue has otherwise.
func (s *Supply) Open(ctx context.Context) error {
	defer s.config.Announced()
	return s.config.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		if err := s.sameDefinitions(ctx, tx); err != nil {
			return err
		}
		emissions, err := tx.Emissions(ctx)
		if err != nil {
			return err
		}
		for _, j := range s.config.Catalogue.Jackpots() {
			if err := s.openJackpot(ctx, tx, emissions, j.Name); err != nil {
				return err
			}
		}
		for _, g := range s.config.Catalogue.Games() {
			for stake := range g.Stakes {
				if err := s.openGame(ctx, tx, emissions, g, stake); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// sameDefinitions refuses what the catalogue defines otherwise than when its blocks were dealt: they could
// not be sold, and what was sold of them would be read wrongly. A game that is gone is for the seller.
func (s *Supply) sameDefinitions(ctx context.Context, tx store.Tx) error {
	blocks, err := tx.Blocks(ctx)
	if err != nil {
		return err
	}
	defined := make(map[string]canon.Digest)
	for _, g := range s.config.Catalogue.Games() {
		defined[g.Name] = g.Hash
	}
	for _, j := range s.config.Catalogue.Jackpots() {
		defined[j.Name] = j.Hash
	}
	for _, b := range blocks {
		h := b.Deal.Header
		if hash, found := defined[h.Game]; found && hash != h.Definition {
			return fault.New(fault.Conflict, "definition_changed", "%s is defined otherwise than when its block %s was dealt", h.Game, h.ID).
				Next("start with the definition whose hash is %s, or give the new one another name or another data folder", h.Definition)
		}
	}
	return nil
}

func (s *Supply) openGame(ctx context.Context, tx store.Tx, emissions []store.Emission, g *catalogue.Game, stake int) error {
	if opened(emissions, g.Name, stake) {
		return nil
	}
	definition := publiclog.Definition{At: s.config.Clock(), Name: g.Name, Type: publiclog.TypeGame, Definition: g.Hash}
	emission := store.Emission{Game: g.Name, Stake: stake, Blocks: s.config.Blocks, Opened: s.config.Clock()}
	if err := openEmission(ctx, tx, definition, emission); err != nil {
		return err
	}
	return tx.OpenLane(ctx, store.Lane{Game: g.Name, Stake: stake}, g.Jackpot)
}

func (s *Supply) openJackpot(ctx context.Context, tx store.Tx, emissions []store.Emission, name string) error {
	if opened(emissions, name, 0) {
		return nil
	}
	terms, err := s.config.Catalogue.Jackpot(name)
	if err != nil {
		return err
	}
	step, err := jackpot.Open(terms)
	if err != nil {
		return err
	}
	entry, err := ledger.New(ledger.JackpotOpening, name, s.config.Clock(), step.Postings...)
	if err != nil {
		return err
	}
	if err := tx.OpenJackpot(ctx, name, step.After, entry); err != nil {
		return err
	}
	definition := publiclog.Definition{At: s.config.Clock(), Name: name, Type: publiclog.TypeJackpot, Definition: terms.Hash}
	return openEmission(ctx, tx, definition, store.Emission{Game: name, Blocks: s.participationBlocks(name), Opened: s.config.Clock()})
}

// participationBlocks is how many blocks of participations the units of all emissions can use, and
// one more, for the last may be only begun by each lane.
func (s *Supply) participationBlocks(name string) int {
	terms, err := s.config.Catalogue.Jackpot(name)
	if err != nil {
		return 1
	}
	blocks := 0
	for _, g := range s.config.Catalogue.Games() {
		if g.Jackpot == name {
			units := uint64(g.BlockSize) * uint64(s.config.Blocks)
			perStake := (units + uint64(terms.BlockSize) - 1) / uint64(terms.BlockSize)
			blocks += len(g.Stakes) * int(perStake+1)
		}
	}
	return max(blocks, 1)
}

func opened(emissions []store.Emission, name string, stake int) bool {
	return slices.ContainsFunc(emissions, func(e store.Emission) bool { return e.Game == name && e.Stake == stake })
}

// Wake makes Run look again at once: a lane has passed to its next block, or a seal was published.
func (s *Supply) Wake() {
	for _, wake := range []chan struct{}{s.wake, s.sealed} {
		select {
		case wake <- struct{}{}:
		default: // it will look anyway
		}
	}
}

// lookAgain is how long Run waits at most before it looks what is missing.
const lookAgain = time.Minute

// retryPause is the pause before a deal that failed is tried again.
const retryPause = 5 * time.Second

// Run deals what is missing, first blocks first, and goes on whenever a lane moves on, until the
// context ends. A deal that fails is logged and tried again; a block of a definition that cannot be
// dealt (Corrupt) is never tried again, and Run returns the error.
func (s *Supply) Run(ctx context.Context) error {
	var approving sync.WaitGroup
	defer approving.Wait()
	run, stop := context.WithCancel(ctx)
	defer stop()
	approving.Go(func() { s.runApprovals(run) })
	for {
		again, err := s.deal(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, fault.Corrupt) {
			return err
		}
		look := time.After(lookAgain) // should nobody have told that a lane moved on
		if err != nil {
			s.config.Log.ErrorContext(ctx, "a block was not dealt", "error", err)
			look = time.After(retryPause)
		} else if again {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.wake:
		case <-look:
		}
	}
}

// deal deals the most urgent missing blocks, as many at once as configured, and reports whether it
// dealt any.
func (s *Supply) deal(ctx context.Context) (bool, error) {
	orders, err := s.missing(ctx)
	if err != nil || len(orders) == 0 {
		return false, err
	}
	orders = together(orders, s.config.Together)
	errs := make([]error, len(orders))
	var dealing sync.WaitGroup
	for at, order := range orders {
		dealing.Go(func() { errs[at] = s.dealOne(ctx, order) })
	}
	dealing.Wait()
	return true, errors.Join(errs...)
}

func (s *Supply) dealOne(ctx context.Context, order order) error {
	key := pool{game: order.pool.game, stake: order.pool.stake}
	dealt, err := s.config.Vault.Deal(ctx, key.game, key.stake, func(done, total uint32) {
		s.report(key, Progress{Game: key.game, Stake: key.stake, Done: done, Total: total})
	})
	if err != nil {
		return err
	}
	recorded := store.Dealt{Emission: order.emission, Position: order.position, Deal: dealt, At: s.config.Clock()}
	step := store.Step{By: s.config.DealtBy, Why: "the emission's next block is kept ready", At: recorded.At}
	err = s.config.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error { return addBlock(ctx, tx, recorded, step) })
	if err != nil {
		return err
	}
	s.config.Announced()
	s.mu.Lock()
	delete(s.progress, key)
	s.mu.Unlock()
	s.config.Log.InfoContext(ctx, "a block is dealt", "game", key.game, "stake", key.stake, "block", dealt.Header.ID, "units", dealt.Header.Size, "root", dealt.Root)
	return nil
}

func (s *Supply) report(key pool, p Progress) {
	s.mu.Lock()
	s.progress[key] = p
	s.mu.Unlock()
	if s.config.Progress != nil {
		s.config.Progress(p)
	}
}

// Dealing tells how far the block of a game at a stake that is being dealt is, if one is.
func (s *Supply) Dealing(game string, stake int) (Progress, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.progress[pool{game: game, stake: stake}]
	return p, ok
}
