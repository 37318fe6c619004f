package store

import (
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// Times in records are UTC and whole milliseconds.

// Lane is one queue of sales: units of a game at a stake, from one block at a time. There is one
// lane a game and stake unless an operator wants more.
type Lane struct {
	Game   string
	Stake  int
	Number int
}

// Sequence is where the sale of a block stands: units are sold in the order of their index.
type Sequence struct {
	Number int64 // the store's own short name of the block
	Header block.Header
	Root   canon.Digest
	Sold   uint32     // units sold; also the next index
	Sales  canon.Edge // tree of the sales so far
}

// Left is the number of units not sold.
func (s *Sequence) Left() uint32 { return s.Header.Size - s.Sold }

// LaneState is all that a sale changes of a lane. Whoever sells keeps it in memory and writes it
// where it is still what was read.
type LaneState struct {
	Lane    Lane
	Version uint64 // grows by one with every change
	Units   Sequence
	Draw    *Sequence     // participations of the jackpot sold with the units; nil without
	Meter   jackpot.Meter // this lane's part of the jackpot
}

// Unfinished is a play that was not shown to the end.
type Unfinished struct {
	Game string
	Play block.PlayID
}

// Account is what a sale must know of a player, and changes.
type Account struct {
	Number     int64 // the store's own short name of the player
	ID         player.ID
	Standing   player.Standing
	Available  money.Amount
	Unfinished []Unfinished // one a game at most
	Created    time.Time
}

// UnfinishedOf finds the unfinished play of a game.
func (a *Account) UnfinishedOf(game string) (block.PlayID, bool) {
	for _, unfinished := range a.Unfinished {
		if unfinished.Game == game {
			return unfinished.Play, true
		}
	}
	return block.PlayID{}, false
}

// KeyDigest stands for a player's idempotency key.
type KeyDigest [16]byte

// RequestDigest stands for the body of a request: the same key may only be used with the same one.
type RequestDigest [16]byte

// Play is one unit sold to one player, for ever: a line of the sales journal.
type Play struct {
	Number      int64 // line of the journal; given by the store
	ID          block.PlayID
	Player      player.ID
	Key         KeyDigest
	Request     RequestDigest
	At          time.Time
	Block       block.ID
	Game        string
	Stake       int
	Index       uint32
	GamePart    money.Amount
	JackpotPart money.Amount
	Prize       money.Amount
	PrizeDue    bool // posted to prizes due, not to available funds
	Layout      []byte
	Salt        [16]byte
	Draw        *Draw
	Before      money.Amount // available funds
	After       money.Amount
	Choice      []int // nil until it is recorded
	Shown       bool
}

// Price is what the player paid.
func (p *Play) Price() money.Amount { return p.GamePart + p.JackpotPart }

// Draw is the participation in a jackpot that was sold with a unit.
type Draw struct {
	Block  block.ID
	Index  uint32
	Salt   [16]byte
	Won    money.Amount // the pot, or nothing
	WonDue bool
}

// Sale is a batch of plays of one lane.
type Sale struct {
	Before, After LaneState // After.Version is Before.Version + 1
	Plays         []Play    // in the order of their index
	Accounts      []Account // Available and Unfinished as they become; found by Number
	Entries       []ledger.Transaction
}

// EmissionID identifies an emission.
type EmissionID int64

// Emission is a number of blocks of a game and stake put on sale together.
type Emission struct {
	ID     EmissionID
	Game   string // or a jackpot, whose stake is 0
	Stake  int
	Blocks int
	Opened time.Time
}

// Dealt is a block as it is recorded.
type Dealt struct {
	Emission EmissionID
	Position int // in the emission, from 0
	Deal     block.Deal
	At       time.Time
}

// Block is a recorded block.
type Block struct {
	Dealt
	State     BlockState
	Sold      uint32
	Sales     canon.Edge // tree of the sales so far
	Announced uint32     // how many sales the public log was told of
}

// Session is a player's session.
type Session struct {
	Digest  canon.Digest // of its token
	Player  player.ID
	Started time.Time
}

// Summary is what was staked and won.
type Summary struct{ Staked, Won money.Amount }

// Movement is a credit to a player that is not a prize.
type Movement struct {
	Player        player.ID
	Amount        money.Amount
	Before, After money.Amount
	Transaction   int64
	At            time.Time
}

// LedgerRecord is a transaction of the general ledger as it is recorded, balanced or not.
type LedgerRecord struct {
	Number    int64
	Kind      ledger.Kind
	Reference string
	At        time.Time
	Postings  []ledger.Posting
}
