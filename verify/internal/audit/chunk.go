package audit

import (
	"encoding/binary"

	"github.com/talonlottery/talon/verify/internal/deal"
	"github.com/talonlottery/talon/verify/internal/merkle"
	"github.com/talonlottery/talon/verify/internal/notation"
)

const (
	chunkUnits = merkle.TileWidth // so that a chunk is a tile
	saleBytes  = 24               // publication.md, section 1
	hashBytes  = 32
	tiersRoom  = 65 // losing units and 64 tiers
)

// chunk is 256 units of a block, the last one fewer, with their tile and their sales. One goroutine after the other has it.
type chunk struct {
	first, count int
	tile         []byte // published leaf hashes; shorter when the file is
	sales        []byte // published sales of the units that were sold; shorter when the file is
	done         chan struct{}

	leaves     [chunkUnits]notation.Digest
	saleLeaves [chunkUnits]notation.Digest
	root       notation.Digest // of the units
	tileRoot   notation.Digest // of the tile, when it is whole
	tallies
}

// tallies are counts over units. Tier t is at t+1.
type tallies struct {
	dealt, sold [tiersRoom]int
	winners     []int // participations that win
	unread      some  // layouts that do not read as their prizes
	leafWrong   some
	playWrong   some
}

// some counts units and keeps the first.
type some struct{ count, first int }

func (s *some) add(index int) {
	if s.count == 0 {
		s.first = index
	}
	s.count++
}

func (s *some) join(other some) {
	if s.count == 0 {
		s.first = other.first
	}
	s.count += other.count
}

func (t *tallies) join(other *tallies) {
	for i := range t.dealt {
		t.dealt[i] += other.dealt[i]
		t.sold[i] += other.sold[i]
	}
	t.winners = append(t.winners, other.winners...)
	t.unread.join(other.unread)
	t.leafWrong.join(other.leafWrong)
	t.playWrong.join(other.playWrong)
}

// worker computes chunks. Its dealer is nil when the block cannot be dealt.
type worker struct {
	sold    int
	dealer  *deal.Dealer
	leaves  *notation.Leaves
	jackpot bool
}

func (w *worker) compute(c *chunk) {
	c.tallies = tallies{winners: c.winners[:0]}
	if w.dealer != nil {
		for k := range c.count {
			w.unit(c, k)
		}
		c.root = rootOf(c.leaves[:c.count])
	}
	for k := range len(c.sales) / saleBytes {
		play, at := c.sale(k)
		c.saleLeaves[k] = w.leaves.Sale(uint64(c.first+k), play, at)
	}
	if len(c.tile) == c.count*hashBytes {
		if w.dealer != nil && c.leafWrong.count == 0 {
			c.tileRoot = c.root
			return
		}
		for k := range c.count {
			c.leaves[k] = notation.Digest(c.tile[k*hashBytes:])
		}
		c.tileRoot = rootOf(c.leaves[:c.count])
	}
}

// unit deals one unit and compares it with its tile and its sale.
func (w *worker) unit(c *chunk, k int) {
	index := c.first + k
	u := w.dealer.Unit(index)
	c.leaves[k] = u.Leaf
	c.dealt[u.Tier+1]++
	if index < w.sold {
		c.sold[u.Tier+1]++
	}
	if !u.Read {
		c.unread.add(index)
	}
	if w.dealer.WinsPot(u) {
		c.winners = append(c.winners, index)
	}
	if published := c.tile[min(k*hashBytes, len(c.tile)):]; len(published) >= hashBytes && u.Leaf != notation.Digest(published) {
		c.leafWrong.add(index)
	}
	// Participations are sold by the plays of units of other blocks.
	if !w.jackpot && k < len(c.sales)/saleBytes {
		if play, _ := c.sale(k); play != u.Play {
			c.playWrong.add(index)
		}
	}
}

// sale is the published sale of unit k of the chunk.
func (c *chunk) sale(k int) (notation.ID, int64) {
	sale := c.sales[k*saleBytes:]
	return notation.ID(sale[:16]), int64(binary.BigEndian.Uint64(sale[16:24]))
}

// rootOf is the root over the hashes of a tile. It may overwrite them.
func rootOf(hashes []notation.Digest) notation.Digest {
	if len(hashes) == chunkUnits {
		return merkle.RootOfFullTile((*[chunkUnits]notation.Digest)(hashes))
	}
	return merkle.Root(hashes)
}
