package store

import (
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/publiclog"
)

// Announcement is an entry for the public log, recorded in the transaction that it tells of. Its kinds
// and bytes are those of package publiclog; the store knows them as they are.
type Announcement struct {
	Kind  string
	Block block.ID // what it is about; zero for what is about no block
	Body  []byte
	At    time.Time
}

// NewAnnouncement is the announcement of an entry. Errors as [publiclog.Encode].
func NewAnnouncement(entry publiclog.Entry) (Announcement, error) {
	body, err := publiclog.Encode(entry)
	return Announcement{Kind: string(entry.Kind()), Block: publiclog.About(entry), Body: body, At: entry.When()}, err
}

// KindSeal is the kind of the entry that seals a block, and KindSales of one that tells how much of a
// block was sold: the store acts on these two.
const (
	KindSeal  = string(publiclog.KindSeal)
	KindSales = string(publiclog.KindSales)
)

// bodyBytesMost is the most bytes of an entry (C2SP tlog-tiles).
const bodyBytesMost = 65_535

// Check returns Invalid with code announcement_malformed for an entry that no log could take.
func (a *Announcement) Check() error {
	if a.Kind == "" || len(a.Body) < 2 || len(a.Body) > bodyBytesMost {
		return fault.New(fault.Invalid, "announcement_malformed", "an entry of the public log has a kind and 2 to %d bytes", bodyBytesMost)
	}
	return nil
}

// Unpublished is the position of an entry that is not in the public log yet.
const Unpublished int64 = -1

// LogEntry is a recorded entry.
type LogEntry struct {
	Announcement
	Number   int64 // in the order of recording
	Position int64 // in the public log, from 0, or [Unpublished]
}

// LogHead is the newest signed state of the public log. The zero value is the log before its first entry.
type LogHead struct {
	Size uint64
	Root canon.Digest
	Note []byte // the signed checkpoint
	At   time.Time
}

// Growth is what one publication adds to the public log.
type Growth struct {
	From      uint64         // size before
	Entries   []int64        // numbers of the entries, in the order of their positions from From on
	FirstHash int64          // place of the first of Hashes: one after the last that is stored
	Hashes    []canon.Digest // added to the tree, in the order in which they are stored
	Head      LogHead        // Head.Size is From plus the number of entries
	By        string         // the name under which blocks are recorded as sealed
}

// Check returns Invalid with code growth_malformed unless sizes agree.
func (g *Growth) Check() error {
	if len(g.Entries) == 0 || g.Head.Size != g.From+uint64(len(g.Entries)) || len(g.Hashes) < len(g.Entries) || len(g.Head.Note) == 0 {
		return fault.New(fault.Invalid, "growth_malformed", "what is added to the public log does not fit its new size")
	}
	return nil
}

// Lease lets one node at a time do a piece of work.
type Lease struct {
	Name   string
	Holder string
	Until  time.Time
}

// Cosignature is a witness's signature line on the checkpoint of a size.
type Cosignature struct {
	Size    uint64
	Witness string // the witness's key
	Line    string
}
