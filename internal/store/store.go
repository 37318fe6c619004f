// Package store says what must be atomic when an instant lottery game is sold, in domain words.
//
// Its one promise, kept by every engine behind [Store] and proven by package storetest: a
// transaction happens whole or not at all, what it recorded survives a power cut once Update has
// returned nil, and what is recorded never changes.
//
// Errors are faults. Besides the codes that methods name, any method may return Unavailable with
// code storage_full, storage_io or storage_busy (nothing happened; it may be tried again once the
// cause is gone), Corrupt with code storage_corrupt, and the context's error when it ended first.
package store

import (
	"context"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// Store is a database of one lottery. All methods are safe for concurrent use.
type Store interface {
	// Reader's methods each see the newest committed state.
	Reader
	// Update runs a function in one transaction that may write. When Update returns nil, all of it
	// is durable. When it returns the function's error or another, none of it happened, with one
	// exception: Unavailable with code commit_unknown, where it may have; ask by key. The function
	// may be called again after it was rolled back; it must not act outside the transaction.
	Update(ctx context.Context, do func(context.Context, Tx) error) error
	// View runs a function on one snapshot: all that it reads belongs together.
	View(ctx context.Context, do func(context.Context, Reader) error) error
	// Close waits for transactions in flight and closes the database. Afterwards all methods return
	// Unavailable with code storage_closed, but Close, which is nothing then.
	Close() error
}

// Tx is a transaction that may write. It is not safe for concurrent use. Its methods see what was
// written before in the same transaction. When one of its methods that write returns an error, the
// function returns it too: if it does not, Update returns it all the same, and nothing is recorded.
type Tx interface {
	Reader
	SaleTx
	BlockTx
	LogTx
	PlayerTx
}

// SaleTx is what a batch of sales writes, in the order of the methods.
type SaleTx interface {
	// PlaysByKey finds the plays that bound the keys, in the order of the keys, nil where a key is free.
	PlaysByKey(ctx context.Context, keys []KeyDigest) ([]*Play, error)
	// LockPlayers finds players, in the order asked, nil where there is none, and keeps them from
	// other transactions until this one ends. Standing.Staked counts the stakes of the
	// [player.CapPeriod] before now, where a cap is set.
	LockPlayers(ctx context.Context, ids []player.ID, now time.Time) ([]*Account, error)
	// LockLane keeps a lane from other transactions until this one ends. It returns Conflict with
	// code lane_moved unless the lane still is what the caller remembers, and NotFound with code
	// lane_unknown.
	LockLane(ctx context.Context, remembered LaneState) error
	// TakeMeters empties the meters of all lanes of a jackpot but the given one, and what the
	// jackpot was opened with, and returns their sum. Those lanes have moved afterwards. NotFound
	// with code jackpot_unknown.
	TakeMeters(ctx context.Context, jackpotName string, except Lane) (jackpot.Meter, error)
	// RecordSale writes all of a batch. It returns Conflict with code lane_moved when the lane is
	// not at Before, key_taken when a key was bound meanwhile, unit_sold when an index was sold
	// before, and Refused with code funds_negative when funds would go below zero. Before any of this
	// it returns what [Sale.Check] returns, and NotFound with code player_unknown for an account that
	// is not recorded. It fills in the plays' Number.
	RecordSale(ctx context.Context, sale Sale) error
}

// BlockTx is what the life of blocks writes.
type BlockTx interface {
	// OpenEmission records an emission and gives its identifier. It returns Invalid with code
	// emission_empty for one without blocks.
	OpenEmission(ctx context.Context, emission Emission) (EmissionID, error)
	// OpenLane makes a lane without blocks, and with a jackpot unless the name is empty. It returns
	// Conflict with code lane_exists when there is one, and NotFound with code jackpot_unknown.
	OpenLane(ctx context.Context, lane Lane, jackpotName string) error
	// OpenJackpot records a jackpot's first meter and its transaction. It returns Conflict with code
	// jackpot_open when it was opened before.
	OpenJackpot(ctx context.Context, jackpotName string, meter jackpot.Meter, entry ledger.Transaction) error
	// AddBlock records a dealt block, with who dealt it and why, and its seal, to be published. It
	// returns Conflict with code block_exists when the block, or its place in the emission, is recorded,
	// and emission_full beyond the emission's number of blocks. NotFound with code emission_unknown, and
	// Invalid with code block_malformed for a block of another game or stake, or without units, or with a
	// seal that is not about it. Errors as [Step.Check] and [Announcement.Check].
	AddBlock(ctx context.Context, dealt Dealt, step Step, seal Announcement) error
	// MoveBlock lets a block pass to Approved, Withdrawn or Opened, with the entry that tells of it. A
	// block that is withdrawn leaves its lane, which has moved then. It returns what [CheckMove] and
	// [Announcement.Check] return, Conflict with code block_state for any other state, and NotFound with
	// code block_unknown.
	MoveBlock(ctx context.Context, id block.ID, to BlockState, step Step, entry Announcement) error
	// Advance replaces the blocks of a lane that are sold out, or that it never had, by the next
	// approved ones, marks the old ones sold out, and returns the lane as it then is. It returns
	// Unavailable with code next_block_not_ready when the next block is not approved yet, and Exhausted
	// with code emission_used_up when there will be none; nothing is changed then. A lane whose
	// blocks have units left stays as it is. NotFound with code lane_unknown.
	Advance(ctx context.Context, lane Lane, at time.Time) (LaneState, error)
}

// LogTx is what the public log writes.
type LogTx interface {
	// Announce records an entry that is to be published. Errors as [Announcement.Check].
	Announce(ctx context.Context, entry Announcement) error
	// AnnounceSales records an entry that tells how many sales of a block there were, and that the
	// log was told so. It returns Conflict with code sales_announced when it was told of as many.
	AnnounceSales(ctx context.Context, sold uint32, entry Announcement) error
	// TakeLease gives a lease to its holder, or prolongs it. It returns Conflict with code lease_held
	// while another's has not ended.
	TakeLease(ctx context.Context, lease Lease, now time.Time) error
	// GrowLog publishes entries. Blocks whose seals are among them are sealed then, but for those that
	// were withdrawn. It returns Conflict with code log_moved unless the log has the size From and the
	// hashes before FirstHash, and with code entry_published for an entry that is published already;
	// NotFound with code entry_unknown; and errors as [Growth.Check].
	GrowLog(ctx context.Context, growth Growth) error
	// Cosign records a witness's signature; the same witness's for the same size again is nothing.
	// NotFound with code checkpoint_unknown.
	Cosign(ctx context.Context, cosignature Cosignature) error
}

// PlayerTx is what is written of players.
type PlayerTx interface {
	// CreatePlayer records a player without funds. It returns Conflict with code player_exists.
	CreatePlayer(ctx context.Context, id player.ID, at time.Time) error
	// Credit adds an amount to a player's available funds, with the ledger's transaction for it. It
	// returns NotFound with code player_unknown, and what [CheckCredit] returns.
	Credit(ctx context.Context, id player.ID, amount money.Amount, entry ledger.Transaction) error
	// SetStanding changes a player's status, exclusion and cap. NotFound with code player_unknown.
	SetStanding(ctx context.Context, id player.ID, standing player.Standing) error
	// CreateSession records a session by the digest of its token. Conflict with code
	// session_exists, NotFound with code player_unknown.
	CreateSession(ctx context.Context, session Session) error
	// RecordChoice records the choice of a play, once. The same choice again is the same; another
	// returns Conflict with code choice_recorded. NotFound with code play_unknown when the play is
	// not this player's, and Invalid with code choice_malformed unless there are cells, each from
	// 0 to 255.
	RecordChoice(ctx context.Context, id player.ID, play block.PlayID, cells []int, at time.Time) error
	// MarkShown takes a play from the player's unfinished ones; it is nothing when it is not one of
	// them. NotFound with code play_unknown when the play is not this player's.
	MarkShown(ctx context.Context, id player.ID, play block.PlayID) error
}

// Reader reads. Lists have a stated order.
type Reader interface {
	// Account is a player. NotFound with code player_unknown.
	Account(ctx context.Context, id player.ID) (Account, error)
	// Session is a session by the digest of its token. NotFound with code session_unknown.
	Session(ctx context.Context, digest canon.Digest) (Session, error)
	// Summary is what a player staked since a time, and won in those plays that were shown to the
	// end. NotFound with code player_unknown.
	Summary(ctx context.Context, id player.ID, since time.Time) (Summary, error)
	// Play is a play of a player. NotFound with code play_unknown, also when it is another player's.
	Play(ctx context.Context, id player.ID, play block.PlayID) (Play, error)
	// History lists a player's plays, newest first, at most limit of them, before a journal line
	// (0: from the newest). Newest means by time, then by journal line. NotFound with code
	// player_unknown.
	History(ctx context.Context, id player.ID, before int64, limit int) ([]Play, error)

	// Lane is the state of a lane. NotFound with code lane_unknown, and Unavailable with code
	// lane_without_block while it has none.
	Lane(ctx context.Context, lane Lane) (LaneState, error)
	// Lanes lists all lanes by game, stake and number.
	Lanes(ctx context.Context) ([]Lane, error)
	// Emissions lists all emissions in the order of opening.
	Emissions(ctx context.Context) ([]Emission, error)
	// Blocks lists all blocks in the order of dealing.
	Blocks(ctx context.Context) ([]Block, error)
	// Block is a block. NotFound with code block_unknown.
	Block(ctx context.Context, id block.ID) (Block, error)
	// Life lists the steps of a block's life in their order. NotFound with code block_unknown.
	Life(ctx context.Context, id block.ID) ([]LifeStep, error)
	// Meter is the sum of a jackpot's meters. NotFound with code jackpot_unknown.
	Meter(ctx context.Context, jackpotName string) (jackpot.Meter, error)

	LogReader
	Records
}

// LogReader reads the public log, published or not.
type LogReader interface {
	// LogHead is the newest signed state; zero before the first.
	LogHead(ctx context.Context) (LogHead, error)
	// LogHeadAt is the signed state at a size. NotFound with code checkpoint_unknown.
	LogHeadAt(ctx context.Context, size uint64) (LogHead, error)
	// Cosignatures lists those on the checkpoint of a size, by witness.
	Cosignatures(ctx context.Context, size uint64) ([]Cosignature, error)
	// ToPublish lists entries that are not published, in the order of recording, at most limit.
	ToPublish(ctx context.Context, limit int) ([]LogEntry, error)
	// EachPublished visits published entries by position, from one on, and before another.
	EachPublished(ctx context.Context, from, before uint64, visit func(*LogEntry) error) error
	// LogHashes gives stored hashes of the log's tree by their places. NotFound with code hash_unknown.
	LogHashes(ctx context.Context, places []int64) ([]canon.Digest, error)
	// LogOf lists the entries of a kind about a block in the order of recording; of the zero block,
	// those about no block.
	LogOf(ctx context.Context, id block.ID, kind string) ([]LogEntry, error)
	// Ceremonies lists the blocks that a ceremony was recorded for, in the order of recording.
	Ceremonies(ctx context.Context) ([]block.ID, error)
	// SalesEntry is the first published sales entry of a block that tells of more sales than an index.
	// NotFound with code sales_not_announced while there is none.
	SalesEntry(ctx context.Context, id block.ID, index uint32) (LogEntry, error)
	// LastSales is the last published sales entry of a block. NotFound with code sales_not_announced
	// while there is none.
	LastSales(ctx context.Context, id block.ID) (LogEntry, error)
	// Unannounced lists the blocks of which more was sold than the log was told of, in the order of
	// dealing.
	Unannounced(ctx context.Context) ([]Block, error)
	// EachSale visits index, play and time of the sales of a block, or of a block of participations, by
	// index, from one on. NotFound with code block_unknown.
	EachSale(ctx context.Context, id block.ID, from uint32, visit func(index uint32, play block.PlayID, at time.Time) error) error
}

// Records reads everything that was recorded, for whoever checks it. Iteration stops at the first
// error that the function returns, and returns it. What the functions get may be used again.
type Records interface {
	// EachPlay visits the plays that sold units of a block by index; or, for a block of
	// participations, the plays that sold those by the participation's index.
	// NotFound with code block_unknown.
	EachPlay(ctx context.Context, id block.ID, visit func(*Play) error) error
	// EachJournalLine visits all plays in the order of their numbers, whatever their block. Those of
	// one player are in the order in which they were recorded.
	EachJournalLine(ctx context.Context, visit func(*Play) error) error
	// EachTransaction visits the general ledger in the order of recording, postings by account.
	EachTransaction(ctx context.Context, visit func(*LedgerRecord) error) error
	// EachMovement visits what was credited to players, in the order of recording.
	EachMovement(ctx context.Context, visit func(*Movement) error) error
	// EachAccount visits all players in the order of registration.
	EachAccount(ctx context.Context, visit func(*Account) error) error
	// EachJackpot visits what each jackpot was opened with and has not been taken by a win.
	EachJackpot(ctx context.Context, visit func(name string, left jackpot.Meter) error) error
}
