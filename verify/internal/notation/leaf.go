package notation

import (
	"crypto/sha256"
	"encoding/binary"
)

// Leaves computes the leaves and play identifiers of one block: block.md, sections 8 and 10. The parts that are the same for all units
// are written once. It is for one goroutine.
type Leaves struct {
	unit, sale, play []byte
}

// NewLeaves prepares for the block of this identifier.
func NewLeaves(id ID) *Leaves {
	start := func(b []byte, tag string) []byte { return append(appendTag(b, tag), id[:]...) }
	return &Leaves{
		unit: start([]byte{0x00}, tagUnit),
		sale: start([]byte{0x00}, tagSale),
		play: start(nil, tagPlay),
	}
}

// UnitData is data(i): the bytes that a unit's leaf is the hash of, without the 0x00 before them.
func (l *Leaves) UnitData(index uint64, prize int64, layout []byte, salt Salt) []byte {
	return append([]byte(nil), l.unitBytes(index, prize, layout, salt)[1:]...)
}

// Unit is leaf(i). Prizes are in ten-thousandths of the currency unit.
func (l *Leaves) Unit(index uint64, prize int64, layout []byte, salt Salt) Digest {
	return sha256.Sum256(l.unitBytes(index, prize, layout, salt))
}

func (l *Leaves) unitBytes(index uint64, prize int64, layout []byte, salt Salt) []byte {
	start := len(l.unit)
	b := binary.BigEndian.AppendUint64(l.unit, index)
	b = binary.BigEndian.AppendUint64(b, uint64(prize))
	b = appendVar(b, layout)
	b = append(b, salt[:]...)
	l.unit = b[:start] // keeps the room for the next unit
	return b
}

// Play is the identifier of the play that buys a unit.
func (l *Leaves) Play(index uint64, salt Salt) ID {
	start := len(l.play)
	b := binary.BigEndian.AppendUint64(l.play, index)
	b = append(b, salt[:]...)
	l.play = b[:start]
	sum := sha256.Sum256(b)
	return ID(sum[:16])
}

// Sale is the leaf of a sale. The time is in milliseconds since 1970.
func (l *Leaves) Sale(index uint64, play ID, at int64) Digest {
	start := len(l.sale)
	b := binary.BigEndian.AppendUint64(l.sale, index)
	b = append(b, play[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(at))
	l.sale = b[:start]
	return sha256.Sum256(b)
}
