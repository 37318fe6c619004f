package publiclog

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
)

// Finding is one way in which a log breaks its rules. The codes are those of
// docs/spec/publication.md, section 2.
type Finding struct {
	Code  string `json:"code"`
	Where string `json:"where"` // the entry, by its number
	What  string `json:"what"`
}

func (f Finding) String() string { return f.Where + ": " + f.Code + ": " + f.What }

// Numbered is an entry with its place in the log and, where whoever followed had them, its bytes.
type Numbered[E Entry] struct {
	Index uint64
	Entry E
	Raw   []byte
}

// History is what a log says of one block, in the order of the log. Pointers are nil for what was
// not said.
type History struct {
	Ceremony      *Numbered[Ceremony]
	Contributions []Numbered[Contribution]
	Abandonment   *Numbered[Abandonment]
	Seal          *Numbered[Seal]
	Approval      *Numbered[Approval]
	Sales         []Numbered[Sales]
	Wins          []Numbered[JackpotWin]
	Withdrawal    *Numbered[Withdrawal]
	Opening       *Numbered[Opening]

	cover *cover // the last entry that says how much was sold
}

// cover is how much of a block was sold, as its last sales or withdrawal entry says.
type cover struct {
	sold uint32
	root canon.Digest
}

// Sold is how many units were sold, as the last sales or withdrawal entry says, with the root of the
// sales tree; known is false before the first.
func (h *History) Sold() (sold uint32, root canon.Digest, known bool) {
	if h.cover == nil {
		return 0, canon.Digest{}, false
	}
	return h.cover.sold, h.cover.root, true
}

// Ended reports whether the block can be opened: it was withdrawn, or all of it was sold.
func (h *History) Ended() bool {
	return h.Withdrawal != nil || h.Seal != nil && h.cover != nil && h.cover.sold == h.Seal.Entry.Size
}

// place is where in an emission a block stands.
type place struct {
	emission uint64
	position uint32
}

// Follower reads a log from its first entry on, judges every entry by log.md, section 2, and keeps
// what it says. The zero value is at the beginning. A Follower is not safe for concurrent use.
type Follower struct {
	// RoundTime gives the time of a beacon's round, where the beacon's clock is known. It may be nil.
	RoundTime func(Beacon) (at time.Time, known bool)

	definitions map[canon.Digest]Numbered[Definition]
	emissions   map[uint64]Numbered[Emission]
	blocks      map[block.ID]*History
	order       []block.ID         // of their first entry
	held        map[place]block.ID // by a seal, or by a ceremony that was not abandoned
	last        time.Time          // of the last entry; zero before the first
	next        uint64             // the number of the next entry
}

// Next is the number of the entry that comes next.
func (f *Follower) Next() uint64 { return f.next }

// Block gives what the log says of a block, or nil. It is the follower's own: nobody changes it.
func (f *Follower) Block(id block.ID) *History { return f.blocks[id] }

// Blocks gives the blocks of which the log says anything, in the order in which it first does.
func (f *Follower) Blocks() []block.ID { return slices.Clone(f.order) }

// Definition gives the first entry that published a definition.
func (f *Follower) Definition(hash canon.Digest) (Numbered[Definition], bool) {
	entry, ok := f.definitions[hash]
	return entry, ok
}

// Definitions gives the definitions that were published, in the order of the log.
func (f *Follower) Definitions() []Numbered[Definition] { return inOrder(f.definitions) }

// Emission gives the entry of an emission.
func (f *Follower) Emission(number uint64) (Numbered[Emission], bool) {
	entry, ok := f.emissions[number]
	return entry, ok
}

// Emissions gives the emissions, in the order of the log.
func (f *Follower) Emissions() []Numbered[Emission] { return inOrder(f.emissions) }

// Ceremonies gives the ceremonies, in the order of the log.
func (f *Follower) Ceremonies() []Numbered[Ceremony] {
	var ceremonies []Numbered[Ceremony]
	for _, id := range f.order {
		if c := f.blocks[id].Ceremony; c != nil {
			ceremonies = append(ceremonies, *c)
		}
	}
	slices.SortFunc(ceremonies, byIndex[Ceremony])
	return ceremonies
}

func inOrder[K comparable, E Entry](entries map[K]Numbered[E]) []Numbered[E] {
	return slices.SortedFunc(maps.Values(entries), byIndex[E])
}

func byIndex[E Entry](a, b Numbered[E]) int {
	switch {
	case a.Index < b.Index:
		return -1
	case a.Index > b.Index:
		return 1
	}
	return 0
}

// Check judges an entry as the next of the log and changes nothing. A nil entry is one that could not
// be parsed. No finding means that it may follow.
func (f *Follower) Check(entry Entry) []Finding {
	j := judge{follower: f, where: fmt.Sprintf("log entry %d", f.next)}
	j.entry(entry)
	return j.found
}

// Take judges the next entry as [Follower.Check] does and learns it. Index is its place in the log,
// raw its bytes, which are kept and may be nil. An entry that breaks a rule is learned as far as it
// says something new, so that one mistake is one finding.
func (f *Follower) Take(index uint64, entry Entry, raw []byte) []Finding {
	f.next = index
	found := f.Check(entry)
	f.next = index + 1
	if entry == nil {
		return found
	}
	f.last = entry.When()
	if f.blocks == nil {
		f.definitions = make(map[canon.Digest]Numbered[Definition])
		f.emissions = make(map[uint64]Numbered[Emission])
		f.blocks = make(map[block.ID]*History)
		f.held = make(map[place]block.ID)
	}
	f.learn(index, entry, raw)
	return found
}

func (f *Follower) learn(index uint64, entry Entry, raw []byte) {
	switch e := entry.(type) {
	case Definition:
		if _, again := f.definitions[e.Definition]; !again {
			f.definitions[e.Definition] = Numbered[Definition]{index, e, raw}
		}
	case Emission:
		if _, again := f.emissions[e.Emission]; !again {
			f.emissions[e.Emission] = Numbered[Emission]{index, e, raw}
		}
	case Ceremony:
		first(&f.history(e.Block).Ceremony, index, e, raw)
		f.hold(place{e.Emission, e.Position}, e.Block)
	case Seal:
		first(&f.history(e.Block).Seal, index, e, raw)
		f.hold(place{e.Emission, e.Position}, e.Block)
	case Abandonment:
		h := f.history(e.Block)
		first(&h.Abandonment, index, e, raw)
		if h.Ceremony != nil && h.Seal == nil {
			at := place{h.Ceremony.Entry.Emission, h.Ceremony.Entry.Position}
			if f.held[at] == e.Block {
				delete(f.held, at)
			}
		}
	case Contribution:
		h := f.history(e.Block)
		h.Contributions = append(h.Contributions, Numbered[Contribution]{index, e, raw})
	default:
		f.learnOfSealed(index, entry, raw)
	}
}

// learnOfSealed learns what is only said of blocks that were sealed.
func (f *Follower) learnOfSealed(index uint64, entry Entry, raw []byte) {
	h := f.blocks[About(entry)]
	if h == nil || h.Seal == nil {
		return
	}
	switch e := entry.(type) {
	case Approval:
		first(&h.Approval, index, e, raw)
	case Sales:
		h.Sales = append(h.Sales, Numbered[Sales]{index, e, raw})
		h.advance(e.Sold, e.Root)
	case Withdrawal:
		if first(&h.Withdrawal, index, e, raw) {
			h.advance(e.Sold, e.Root)
		}
	case JackpotWin:
		h.Wins = append(h.Wins, Numbered[JackpotWin]{index, e, raw})
	case Opening:
		first(&h.Opening, index, e, raw)
	}
}

// advance keeps the furthest that can be true, so that one step back or too far is one finding.
func (h *History) advance(sold uint32, root canon.Digest) {
	if sold <= h.Seal.Entry.Size && (h.cover == nil || sold > h.cover.sold) {
		h.cover = &cover{sold, root}
	}
}

func first[E Entry](field **Numbered[E], index uint64, entry E, raw []byte) bool {
	if *field != nil {
		return false
	}
	*field = &Numbered[E]{index, entry, raw}
	return true
}

func (f *Follower) history(id block.ID) *History {
	h := f.blocks[id]
	if h == nil {
		h = new(History)
		f.blocks[id] = h
		f.order = append(f.order, id)
	}
	return h
}

// hold gives a place to the first who takes it.
func (f *Follower) hold(at place, id block.ID) {
	if _, taken := f.held[at]; !taken {
		f.held[at] = id
	}
}

// About is the block that an entry names; the zero identifier for a definition and an emission.
func About(entry Entry) block.ID {
	switch e := entry.(type) {
	case Ceremony:
		return e.Block
	case Contribution:
		return e.Block
	case Abandonment:
		return e.Block
	case Seal:
		return e.Block
	case Approval:
		return e.Block
	case Sales:
		return e.Block
	case JackpotWin:
		return e.Block
	case Withdrawal:
		return e.Block
	case Opening:
		return e.Block
	}
	return block.ID{}
}
