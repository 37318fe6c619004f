// Package deal derives every unit of a block from its secret: block.md, sections 3 to 8.
package deal

import (
	"errors"
	"fmt"

	"github.com/talonlottery/talon/verify/internal/definition"
	"github.com/talonlottery/talon/verify/internal/mechanic"
	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/stream"
)

// ErrTable says that the prize table has more prizes than the block has units.
var ErrTable = errors.New("the block has fewer units than the table has prizes")

// Block is a block whose prizes are shuffled. It is safe for concurrent use.
type Block struct {
	ID         notation.ID
	Definition *definition.Definition
	Stake      int
	Size       int

	keys     stream.Keys
	mechanic mechanic.Mechanic
	tiers    []int8 // of unit i, when there is a prize table
}

// New shuffles the prizes of a block: block.md, section 5. Size is normally the definition's.
func New(id notation.ID, secret notation.Digest, d *definition.Definition, stake, size int) (*Block, error) {
	if stake < 0 || stake >= len(d.Prices) {
		return nil, fmt.Errorf("the definition has no stake %d", stake)
	}
	m, err := mechanic.New(d, stake)
	if err != nil {
		return nil, err
	}
	b := &Block{ID: id, Definition: d, Stake: stake, Size: size, keys: stream.KeysOf(id, secret), mechanic: m}
	if d.Jackpot != nil {
		return b, nil
	}
	if d.Winners() > size {
		return nil, ErrTable
	}
	b.tiers = make([]int8, 0, size)
	for i, tier := range d.Tiers {
		for range tier.Count {
			b.tiers = append(b.tiers, int8(i))
		}
	}
	for len(b.tiers) < size {
		b.tiers = append(b.tiers, definition.Losing)
	}
	stream.Shuffle(stream.New(b.keys.Shuffle), b.tiers)
	return b, nil
}

// Unit is a unit as it was dealt.
type Unit struct {
	Index  int
	Tier   int // definition.Losing when it wins nothing from the table
	Prize  definition.Money
	Layout []byte // until the next unit is dealt
	Salt   notation.Salt
	Leaf   notation.Digest
	Play   notation.ID // of the play that buys it

	// Read says whether the layout was found and reads as the prize.
	Read bool
}

// Dealer deals the units of a block one after the other. It is for one goroutine; a block may have several.
type Dealer struct {
	*Block
	layouts *stream.Stream
	salts   *stream.Salts
	leaves  *notation.Leaves
	layout  []byte
}

// Dealer makes a dealer.
func (b *Block) Dealer() *Dealer {
	return &Dealer{
		Block: b, layouts: stream.New(b.keys.Layout), salts: stream.NewSalts(b.keys.Salt),
		leaves: notation.NewLeaves(b.ID), layout: make([]byte, b.mechanic.Cells()),
	}
}

// Unit deals one unit.
func (d *Dealer) Unit(index int) Unit {
	u := Unit{Index: index, Tier: definition.Losing, Layout: d.layout}
	if d.tiers != nil {
		u.Tier = int(d.tiers[index])
	}
	u.Prize = d.Definition.Prize(u.Tier, d.Stake)
	d.layouts.Restart(uint64(index))
	err := d.mechanic.Lay(u.Tier, d.layouts, u.Layout)
	prize, known := d.mechanic.Read(u.Layout)
	u.Read = err == nil && known && prize == u.Prize
	u.Salt = d.salts.Salt(uint64(index))
	u.Leaf = d.leaves.Unit(uint64(index), u.Prize, u.Layout, u.Salt)
	u.Play = d.leaves.Play(uint64(index), u.Salt)
	return u
}

// WinsPot says whether a participation wins: block.md, section 7.3.
func (d *Dealer) WinsPot(u Unit) bool {
	return d.Definition.Jackpot != nil && u.Layout[0] == 1
}
