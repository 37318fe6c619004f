package publiclog

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
)

// Encode gives the bytes of an entry in the log: canonical JSON (RFC 8785). Of its time what is finer
// than a millisecond is not written. It returns Invalid with code entry_malformed for a value that
// log.md, section 1, does not allow.
func Encode(entry Entry) ([]byte, error) {
	var m members
	if err := list(entry, &m); err != nil {
		return nil, err
	}
	if m.err != nil {
		return nil, malformed("%w", m.err)
	}
	encoded := m.object()
	if len(encoded) > EntryBytesMost {
		return nil, malformed("it would have %d bytes, and %d is the most", len(encoded), EntryBytesMost)
	}
	return encoded, nil
}

// Parse reads an entry, strictly: its bytes must be those that [Encode] gives for it. It returns
// Invalid with code entry_malformed for anything else. The entry shares no memory with its bytes.
func Parse(encoded []byte) (Entry, error) {
	if len(encoded) > EntryBytesMost {
		return nil, malformed("it has %d bytes, and %d is the most", len(encoded), EntryBytesMost)
	}
	m, err := readObject(encoded)
	if err != nil {
		return nil, malformed("it is not a JSON object")
	}
	var named string
	if json.Unmarshal(m.reading["kind"], &named) != nil {
		return nil, malformed("it has no kind")
	}
	read, known := readers[Kind(named)]
	if !known {
		return nil, malformed("its kind is not known")
	}
	entry := read(m)
	if err := m.end(); err != nil {
		return nil, malformed("%w", err)
	}
	again, err := Encode(entry)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, encoded) {
		return nil, malformed("it is not canonical")
	}
	return entry, nil
}

// Leaf is the leaf hash of an entry's bytes in the log's tree.
func Leaf(encoded []byte) canon.Digest { return canon.LeafHash(encoded) }

var readers = map[Kind]func(*members) Entry{
	KindDefinition:   reader((*Definition).members),
	KindEmission:     reader((*Emission).members),
	KindCeremony:     reader((*Ceremony).members),
	KindContribution: reader((*Contribution).members),
	KindAbandonment:  reader((*Abandonment).members),
	KindSeal:         reader((*Seal).members),
	KindApproval:     reader((*Approval).members),
	KindSales:        reader((*Sales).members),
	KindJackpotWin:   reader((*JackpotWin).members),
	KindWithdrawal:   reader((*Withdrawal).members),
	KindOpening:      reader((*Opening).members),
}

func reader[E Entry](list func(*E, *members)) func(*members) Entry {
	return func(m *members) Entry {
		var entry E
		list(&entry, m)
		return entry
	}
}

// list writes the keys of an entry.
func list(entry Entry, m *members) error {
	switch e := entry.(type) {
	case Definition:
		e.members(m)
	case Emission:
		e.members(m)
	case Ceremony:
		e.members(m)
	case Contribution:
		e.members(m)
	case Abandonment:
		e.members(m)
	case Seal:
		e.members(m)
	case Approval:
		e.members(m)
	case Sales:
		e.members(m)
	case JackpotWin:
		e.members(m)
	case Withdrawal:
		e.members(m)
	case Opening:
		e.members(m)
	default:
		return malformed("%T is not of any kind", entry)
	}
	return nil
}

// begin goes through the two keys that every entry has besides its time.
func begin(m *members, of Kind) {
	named := string(of)
	with(m, "kind", &named, textForm(func(s string) bool { return s == string(of) }))
	once(m, "version", Version)
}

func (e *Definition) members(m *members) {
	begin(m, KindDefinition)
	with(m, "at", &e.At, moment)
	with(m, "definition", &e.Definition, digest)
	with(m, "name", &e.Name, name)
	with(m, "type", &e.Type, kind)
}

func (e *Emission) members(m *members) {
	begin(m, KindEmission)
	with(m, "at", &e.At, moment)
	with(m, "blocks", &e.Blocks, count)
	with(m, "emission", &e.Emission, number)
	with(m, "game", &e.Game, name)
	with(m, "stake", &e.Stake, count)
}

func (e *Ceremony) members(m *members) {
	begin(m, KindCeremony)
	with(m, "at", &e.At, moment)
	beacon(m, &e.Beacon)
	with(m, "block", &e.Block, blockID)
	with(m, "emission", &e.Emission, number)
	with(m, "parties", &e.Parties, listOf(name))
	with(m, "position", &e.Position, count)
	distinct(m, e.Parties, func(party string) string { return party })
}

func (e *Contribution) members(m *members) {
	begin(m, KindContribution)
	with(m, "at", &e.At, moment)
	with(m, "block", &e.Block, blockID)
	with(m, "commitment", &e.Commitment, digest)
	with(m, "party", &e.Party, name)
}

func (e *Abandonment) members(m *members) {
	begin(m, KindAbandonment)
	with(m, "at", &e.At, moment)
	with(m, "block", &e.Block, blockID)
	with(m, "by", &e.By, staff)
	with(m, "why", &e.Why, why)
}

func (e *Seal) members(m *members) {
	begin(m, KindSeal)
	once(m, "format", block.Version)
	with(m, "at", &e.At, moment)
	beacon(m, &e.Beacon)
	with(m, "block", &e.Block, blockID)
	with(m, "by", &e.By, staff)
	with(m, "commitment", &e.Commitment, digest)
	if m.has("contributions", len(e.Contributions) > 0) {
		with(m, "contributions", &e.Contributions, listOf(objectOf((*Pledge).members)))
		distinct(m, e.Contributions, func(p Pledge) string { return p.Party })
	}
	with(m, "definition", &e.Definition, digest)
	with(m, "emission", &e.Emission, number)
	with(m, "game", &e.Game, name)
	with(m, "position", &e.Position, count)
	with(m, "price", &e.Price, amount)
	with(m, "root", &e.Root, digest)
	with(m, "size", &e.Size, count)
	with(m, "stake", &e.Stake, count)
}

func (e *Approval) members(m *members) {
	begin(m, KindApproval)
	with(m, "at", &e.At, moment)
	with(m, "block", &e.Block, blockID)
	with(m, "by", &e.By, staff)
	with(m, "why", &e.Why, why)
}

func (e *Sales) members(m *members) {
	begin(m, KindSales)
	with(m, "at", &e.At, moment)
	with(m, "block", &e.Block, blockID)
	with(m, "root", &e.Root, digest)
	with(m, "sold", &e.Sold, count)
}

func (e *JackpotWin) members(m *members) {
	begin(m, KindJackpotWin)
	with(m, "amount", &e.Amount, amount)
	with(m, "at", &e.At, moment)
	with(m, "block", &e.Block, blockID)
	with(m, "index", &e.Index, count)
	with(m, "jackpot", &e.Jackpot, name)
	with(m, "since", &e.Since, number)
}

func (e *Withdrawal) members(m *members) {
	begin(m, KindWithdrawal)
	with(m, "at", &e.At, moment)
	with(m, "block", &e.Block, blockID)
	with(m, "by", &e.By, staff)
	with(m, "root", &e.Root, digest)
	with(m, "sold", &e.Sold, count)
	with(m, "why", &e.Why, why)
}

func (e *Opening) members(m *members) {
	begin(m, KindOpening)
	with(m, "at", &e.At, moment)
	with(m, "block", &e.Block, blockID)
	with(m, "secret", &e.Secret, secret)
	if m.has("shares", len(e.Shares) > 0) {
		with(m, "shares", &e.Shares, listOf(objectOf((*Share).members)))
		distinct(m, e.Shares, func(s Share) string { return s.Party })
	}
	if m.has("signature", len(e.Signature) > 0) {
		with(m, "signature", &e.Signature, public)
	}
}

func (p *Pledge) members(m *members) {
	with(m, "commitment", &p.Commitment, digest)
	with(m, "party", &p.Party, name)
}

func (s *Share) members(m *members) {
	with(m, "party", &s.Party, name)
	with(m, "share", &s.Share, secret)
}

func (b *Beacon) members(m *members) {
	with(m, "key", &b.Key, public)
	with(m, "round", &b.Round, number)
	with(m, "scheme", &b.Scheme, name)
}

// beacon goes through the optional key of a beacon.
func beacon(m *members, field **Beacon) {
	if !m.has("beacon", *field != nil) {
		return
	}
	var value Beacon
	if *field != nil {
		value = **field
	}
	with(m, "beacon", &value, objectOf((*Beacon).members))
	*field = &value
}

// distinct asks that no party is named twice.
func distinct[T any](m *members, values []T, party func(T) string) {
	seen := make(map[string]bool, len(values))
	for _, value := range values {
		if seen[party(value)] && m.err == nil {
			m.err = fmt.Errorf("a party is named twice")
		}
		seen[party(value)] = true
	}
}
