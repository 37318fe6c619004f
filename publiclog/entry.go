// Package publiclog is the public log: what its entries say, the tree that they grow, the notes that
// are signed over it, the files that a stranger reads, and the rules by which he judges them.
//
// Its one promise: whoever holds the operator's public key and a copy of the log can tell whether it
// is whole, unchanged since any older checkpoint, and in the order that the rules demand, and needs
// nobody's word for it. The specification is docs/spec/log.md; the codes of findings
// are those of docs/spec/publication.md. Trees and notes are those of RFC 6962 and of the C2SP
// specifications tlog-tiles, tlog-checkpoint and tlog-cosignature.
package publiclog

import (
	"bytes"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/money"
)

// Version is the version of log.md that this package follows. Every entry carries it.
const Version = 1

// Kind says what an entry tells of.
type Kind string

// The kinds of entry.
const (
	KindDefinition   Kind = "definition"
	KindEmission     Kind = "emission"
	KindCeremony     Kind = "ceremony"
	KindContribution Kind = "contribution"
	KindAbandonment  Kind = "abandonment"
	KindSeal         Kind = "seal"
	KindApproval     Kind = "approval"
	KindSales        Kind = "sales"
	KindJackpotWin   Kind = "jackpot-win"
	KindWithdrawal   Kind = "withdrawal"
	KindOpening      Kind = "opening"
)

// The two types of definition.
const (
	TypeGame    = "game"
	TypeJackpot = "jackpot"
)

// Entry is one entry of the log: a value of one of the kinds below, never a pointer. None holds
// anything of a player.
type Entry interface {
	Kind() Kind
	When() time.Time // when it happened, UTC; the log keeps milliseconds
}

// Definition says that a definition rules the blocks that name it.
type Definition struct {
	At         time.Time
	Name       string // of the game or jackpot
	Type       string // TypeGame or TypeJackpot
	Definition canon.Digest
}

// Emission says that a number of blocks is to be put on sale.
type Emission struct {
	At       time.Time
	Emission uint64 // its number
	Game     string // a game or a jackpot
	Stake    uint32 // place among the game's stakes
	Blocks   uint32
}

// Ceremony says that a block's secret will be mixed from these parties' shares.
type Ceremony struct {
	At       time.Time
	Block    block.ID
	Emission uint64
	Position uint32 // in the emission, from 0
	Parties  []string
	Beacon   *Beacon // nil: none
}

// Contribution says that a party committed to its share.
type Contribution struct {
	At         time.Time
	Block      block.ID
	Party      string
	Commitment canon.Digest
}

// Abandonment says that a ceremony was given up: no block of this identifier will be dealt.
type Abandonment struct {
	At      time.Time
	Block   block.ID
	By, Why string
}

// Seal says that the block was dealt and is fixed from here on.
type Seal struct {
	At            time.Time
	Block         block.ID
	Game          string // a game or a jackpot
	Definition    canon.Digest
	Stake         uint32
	Price         money.Amount
	Size          uint32 // units
	Root          canon.Digest
	Commitment    canon.Digest // to the secret
	Emission      uint64
	Position      uint32
	By            string
	Contributions []Pledge // in the order of the ceremony's parties; nil without a ceremony
	Beacon        *Beacon
}

// Header gives what package block needs to know of the sealed block.
func (e Seal) Header() block.Header {
	return block.Header{
		Version: block.Version, ID: e.Block, Game: e.Game, Definition: e.Definition, Stake: int(e.Stake), Price: e.Price, Size: e.Size,
	}
}

// Approval says that a second person allowed the block's sale.
type Approval struct {
	At      time.Time
	Block   block.ID
	By, Why string
}

// Sales says that so much was sold, in this order.
type Sales struct {
	At    time.Time
	Block block.ID
	Sold  uint32
	Root  canon.Digest // of the sales tree over the first Sold sales
}

// JackpotWin says that a participation won.
type JackpotWin struct {
	At      time.Time
	Jackpot string
	Block   block.ID // of participations
	Index   uint32
	Amount  money.Amount
	Since   uint64 // participations sold since the pot last started, this one included
}

// Withdrawal says that the block was taken from sale for ever.
type Withdrawal struct {
	At      time.Time
	Block   block.ID
	Sold    uint32
	Root    canon.Digest // as in Sales
	By, Why string
}

// Opening says that the block is no longer sold, and gives its secret. The secret and the shares
// print themselves as "[secret]" until [Encode] writes them.
type Opening struct {
	At        time.Time
	Block     block.ID
	Secret    block.Secret
	Shares    []Share // in the order of the ceremony's parties; nil without a ceremony
	Signature []byte  // of the beacon's round; nil without a beacon
}

// Pledge is a party's commitment to its share, repeated in a seal.
type Pledge struct {
	Party      string
	Commitment canon.Digest
}

// Share is what a party contributed to a block's secret.
type Share struct {
	Party string
	Share block.Secret
}

// Beacon names a round of a public beacon (block.md, section 12).
type Beacon struct {
	Scheme string
	Key    []byte // the beacon's public key
	Round  uint64
}

// Equal reports whether both name the same round of the same beacon, or neither names one.
func (b *Beacon) Equal(other *Beacon) bool {
	if b == nil || other == nil {
		return b == other
	}
	return b.Scheme == other.Scheme && b.Round == other.Round && bytes.Equal(b.Key, other.Key)
}

// Kind gives the entry's kind.
func (Definition) Kind() Kind   { return KindDefinition }
func (Emission) Kind() Kind     { return KindEmission }
func (Ceremony) Kind() Kind     { return KindCeremony }
func (Contribution) Kind() Kind { return KindContribution }
func (Abandonment) Kind() Kind  { return KindAbandonment }
func (Seal) Kind() Kind         { return KindSeal }
func (Approval) Kind() Kind     { return KindApproval }
func (Sales) Kind() Kind        { return KindSales }
func (JackpotWin) Kind() Kind   { return KindJackpotWin }
func (Withdrawal) Kind() Kind   { return KindWithdrawal }
func (Opening) Kind() Kind      { return KindOpening }

// When gives the time of what the entry tells of.
func (e Definition) When() time.Time   { return e.At }
func (e Emission) When() time.Time     { return e.At }
func (e Ceremony) When() time.Time     { return e.At }
func (e Contribution) When() time.Time { return e.At }
func (e Abandonment) When() time.Time  { return e.At }
func (e Seal) When() time.Time         { return e.At }
func (e Approval) When() time.Time     { return e.At }
func (e Sales) When() time.Time        { return e.At }
func (e JackpotWin) When() time.Time   { return e.At }
func (e Withdrawal) When() time.Time   { return e.At }
func (e Opening) When() time.Time      { return e.At }
