// Package receipt is what lets a player prove one play.
//
// Its one promise: a receipt that verifies as complete proves, with the operator's public key alone
// and without asking anybody, that the unit's prize and layout were fixed in the block before its
// sale, and that the play has its place in the block's order of sales. The format and each step are in
// docs/spec/receipt.md. Receipts of version 1 verify for ever: testdata/receipts only grows.
package receipt

import (
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/money"
)

// Format names the version that is written.
const Format = "talon-receipt/1"

// BytesMost is the largest receipt that is read.
const BytesMost = 65_536

// Receipt is the proof of one play. It is a value: nothing in it is secret once the play was sold.
type Receipt struct {
	Play          block.PlayID
	At            int64 // when it was sold, in milliseconds since 1970, UTC
	Unit          Part
	Participation *Part   // bought with the unit; nil when the game has no jackpot
	Win           *Logged // the entry that tells of the participation's win; nil without one
	Checkpoint    string  // the signed checkpoint that all entries are proven against, with its line ends
}

// Part is one unit that was sold, or one participation: what it is, its place in its block, and its
// place in the block's sales.
type Part struct {
	Index  uint64
	Prize  money.Amount // of a unit; zero for a participation
	Layout []byte
	Salt   [16]byte
	Path   []canon.Digest // from the leaf to the seal's root, lowest first
	Seal   Logged
	Sales  *Sale // nil while no entry of the public log covers the sale
}

// Logged is an entry of the public log with the proof that it is there.
type Logged struct {
	Entry string // its bytes
	Index uint64 // its place in the log
	Path  []canon.Digest
}

// Sale is a place in the sales of a block: the path leads from the sale's leaf to the root that a
// sales entry of the public log names.
type Sale struct {
	Path []canon.Digest
	Logged
}

// Of makes the part of a unit from the unit, its path in the block's tiles ([block.Tiles.Prove]) and
// the seal of its block. Its sales are added when an entry covers them.
func Of(u *block.Unit, path []canon.Digest, seal Logged) Part {
	return Part{Index: uint64(u.Index), Prize: u.Prize, Layout: append([]byte(nil), u.Layout...), Salt: u.Salt, Path: path, Seal: seal}
}

// unit is the part as blocks know it. The index is below 2³² because the caller has compared it with
// the block's size.
func (p *Part) unit() block.Unit {
	return block.Unit{Index: uint32(p.Index), Prize: p.Prize, Layout: p.Layout, Salt: p.Salt}
}

// wins reports whether a participation wins the pot.
func (p *Part) wins() bool { return len(p.Layout) == 1 && p.Layout[0] == 1 }

// FileName is the name under which a receipt is kept.
func (r *Receipt) FileName() string { return "talon-" + r.Play.String() + ".receipt.json" }
