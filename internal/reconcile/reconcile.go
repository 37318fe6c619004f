// Package reconcile re-reads everything that was recorded and says whether it agrees: journal,
// blocks, players' funds, jackpots and the general ledger, to the cent and line by line.
//
// Its one promise: a report without differences means that each figure was derived a second time
// from the records it rests on and came out the same; a difference names the
// place and never an outcome that is not sold. It changes nothing and asks no secret.
//
// It streams: memory grows by a few dozen bytes a player and a ledger transaction, and is bounded in
// the number of plays (see [Options.KeysAtOnce]).
package reconcile

import (
	"context"
	"hash/maphash"
	"io"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// Records is what is read; [store.Reader] has it all. Hand in the reader of one [store.Store.View],
// so that what is compared belongs together while sales go on.
type Records interface {
	store.Records
	Emissions(ctx context.Context) ([]store.Emission, error)
	Blocks(ctx context.Context) ([]store.Block, error)
	Lanes(ctx context.Context) ([]store.Lane, error)
	Lane(ctx context.Context, lane store.Lane) (store.LaneState, error)
	Meter(ctx context.Context, jackpotName string) (jackpot.Meter, error)
}

// Catalogue knows the definitions that the records are read by; [catalogue.Catalogue] is one.
type Catalogue interface {
	Game(name string) (*catalogue.Game, error)
	Jackpot(name string) (*game.Jackpot, error)
}

// Tiles is the tiles file of a block (see [block.Tiles]).
type Tiles interface {
	io.ReaderAt
	io.Closer
}

// Options say how to check. The zero value checks all that the records alone can show.
type Options struct {
	// Tiles opens the tiles file of a block. Without it a leaf is compared only through the root of
	// a block that is sold out.
	Tiles func(id block.ID) (Tiles, error)
	// Progress is told how many of the recorded sales were read: every 10 000, and at the end. Each is
	// read more than once. nil for silence.
	Progress func(done, total uint64)
	// KeysAtOnce bounds the memory that finding a key used twice takes, at 8 bytes each; with more
	// plays the journal is read several times. 0 means 8 million.
	KeysAtOnce int
}

// Check reads everything once and compares. It returns an error only when reading itself fails: the
// context's, the store's, or Unavailable with code tiles_not_read; then nothing is known.
func Check(ctx context.Context, records Records, definitions Catalogue, options Options) (Report, error) {
	c := &checker{
		ctx: ctx, records: records, catalogue: definitions, options: options, seed: maphash.MakeSeed(),
		byID: map[block.ID]*dealt{}, players: map[player.ID]*funds{}, games: map[string]*gameSums{},
		jackpots: map[string]*pool{}, credits: map[int64]money.Amount{}, report: Report{Differences: []Difference{}},
	}
	for _, step := range []func() error{
		c.readBlocks, c.readLanes, c.readJackpots, c.readTransactions, c.readMovements,
		c.readJournal, c.readPlays, c.readParticipations, c.checkKeys, c.checkJackpots, c.readAccounts, c.checkBooks,
	} {
		if err := step(); err != nil {
			return Report{}, err
		}
	}
	c.tell()
	return c.report, nil
}

// checker holds what was derived so far. Each step reads one kind of record and adds to it.
type checker struct {
	ctx       context.Context
	records   Records
	catalogue Catalogue
	options   Options
	report    Report
	seed      maphash.Seed

	blocks      []*dealt
	byID        map[block.ID]*dealt
	units       uint64 // sold, by the blocks
	done, total uint64 // reads of sales, done and to do

	books    ledger.TrialBalance
	credits  map[int64]money.Amount // by transaction, until its movement is met
	credited money.Amount
	keys     keys

	players  map[player.ID]*funds
	games    map[string]*gameSums
	jackpots map[string]*pool
	due      money.Amount // prizes and pots posted to prizes due
	held     money.Amount // available funds of all players, as stored
}

// gameSums is what the journal says of a game.
type gameSums struct{ stakes, prizes money.Amount }

// add adds checked: a sum that does not fit is a difference, not a wrong figure.
func (c *checker) add(sum *money.Amount, where string, amounts ...money.Amount) {
	for _, amount := range amounts {
		total, err := sum.Add(amount)
		if err != nil {
			c.differ("amount_overflow", where, "an amount is so large that its sum does not fit")
			return
		}
		*sum = total
	}
}

// step counts a sale that was read.
func (c *checker) step() error {
	const every = 10_000
	if c.done++; c.done%every != 0 {
		return nil
	}
	c.tell()
	return c.ctx.Err()
}

func (c *checker) tell() {
	if c.options.Progress != nil {
		c.options.Progress(min(c.done, c.total), c.total)
	}
}
