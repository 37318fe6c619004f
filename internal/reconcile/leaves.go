package reconcile

import (
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
)

// sequence follows the sales of one block in the order of their index: no index twice, none left
// out, each unit the one that was sealed, and the tree of sales the one that is recorded.
type sequence struct {
	c      *checker
	block  *dealt
	next   uint32
	broken bool // an index was skipped, so that trees cannot be compared
	sales  canon.Edge
	leaves canon.Edge
	file   Tiles
	tiles  *block.Tiles
}

func (c *checker) follow(d *dealt) *sequence {
	s := &sequence{c: c, block: d}
	if c.options.Tiles == nil {
		return s
	}
	file, err := c.options.Tiles(d.id())
	if err != nil {
		c.differ("tiles_missing", d.where(), "its tiles file cannot be opened: %v", err)
		return s
	}
	s.file, s.tiles = file, block.NewTiles(&pages{file: file, at: -1}, d.header().Size)
	return s
}

// sealed is the leaf that was sealed. A tiles file that cannot be read is a difference of its own,
// told once; the records are then checked without it.
func (s *sequence) sealed(index uint32) (leaf canon.Digest, ok bool) {
	if s.tiles == nil {
		return leaf, false
	}
	leaf, err := s.tiles.Leaf(index)
	if err != nil {
		s.unreadable(err)
		return leaf, false
	}
	return leaf, true
}

func (s *sequence) unreadable(err error) {
	s.c.differ("tiles_missing", s.block.where(), "its tiles file cannot be read: %v", err)
	s.tiles, s.broken = nil, true
}

func (s *sequence) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// take checks that a unit is the next one and the sealed one.
func (s *sequence) take(unit *block.Unit, sale canon.Digest) {
	switch {
	case unit.Index >= s.block.header().Size:
		s.c.differ("index_outside", s.block.whereUnit(unit.Index), "the block has no such unit")
		return
	case unit.Index < s.next:
		s.c.differ("index_twice", s.block.whereUnit(unit.Index), "it was sold more than once, or out of order")
		return
	case unit.Index > s.next:
		s.skipped(unit.Index)
	}
	s.next = unit.Index + 1
	s.sales.Append(sale)
	leaf := s.block.header().Leaf(unit)
	if sealed, ok := s.sealed(unit.Index); ok {
		if sealed != leaf {
			s.c.differ("leaf_wrong", s.block.whereUnit(unit.Index), "prize, layout or salt are not those that were sealed")
		}
		leaf = sealed
		s.c.report.Counts.Leaves++
	}
	s.leaves.Append(leaf)
}

func (s *sequence) skipped(upTo uint32) {
	s.broken = true
	s.c.differ("index_skipped", s.block.where(), "units %d to %d were not sold, but later ones were", s.next, upTo-1)
}

// end compares the whole with what is recorded of the block.
func (s *sequence) end() error {
	d := s.block
	if s.next != d.Sold {
		s.c.differ("sold_wrong", d.where(), "%d are recorded as sold, the journal ends after %d", d.Sold, s.next)
	}
	if d.Sales.Size() != uint64(d.Sold) || !s.broken && d.Sales.Root() != s.sales.Root() {
		s.c.differ("sales_tree", d.where(), "the tree of its sales is not the one that its plays give")
	}
	if s.tiles != nil {
		return s.checkTiles()
	}
	if !s.broken && s.next == d.header().Size && s.leaves.Root() != d.Deal.Root {
		s.c.differ("root_wrong", d.where(), "its units do not give the root that was sealed")
	}
	return nil
}

// checkTiles reads the leaves that are not sold too: they are salted hashes and tell nothing.
func (s *sequence) checkTiles() error {
	from := s.next
	if s.broken {
		s.leaves, from = canon.Edge{}, 0
	}
	for index := from; index < s.block.header().Size; index++ {
		leaf, ok := s.sealed(index)
		if !ok {
			return nil
		}
		s.leaves.Append(leaf)
		if index%(1<<16) == 0 && s.c.ctx.Err() != nil {
			return s.c.ctx.Err()
		}
	}
	above, err := s.tiles.Root()
	if err != nil {
		s.unreadable(err)
		return nil
	}
	if s.leaves.Root() != s.block.Deal.Root || above != s.block.Deal.Root {
		s.c.differ("root_wrong", s.block.where(), "its tiles file does not give the root that was sealed")
	}
	return nil
}

// pages reads a file a page at a time, so that a walk over its hashes is not a system call each.
type pages struct {
	file Tiles
	at   int64 // number of the page held, or -1
	n    int
	page [1 << 16]byte
}

// ReadAt implements [io.ReaderAt]; unlike most it is not safe for concurrent use.
func (p *pages) ReadAt(into []byte, offset int64) (int, error) {
	first := offset / int64(len(p.page))
	if last := (offset + int64(len(into)) - 1) / int64(len(p.page)); offset < 0 || len(into) == 0 || last != first {
		return p.file.ReadAt(into, offset)
	}
	if first != p.at {
		p.at = -1
		n, _ := p.file.ReadAt(p.page[:], first*int64(len(p.page)))
		p.at, p.n = first, n
	}
	from := int(offset - first*int64(len(p.page)))
	if from+len(into) > p.n {
		p.at = -1
		return p.file.ReadAt(into, offset) // its error says why
	}
	return copy(into, p.page[from:]), nil
}
