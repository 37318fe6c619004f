package publicationtest

import (
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/publiclog"
	"github.com/talonlottery/talon/receipt"
)

// root is the root over the block's units as they stand.
func (b *Block) root() canon.Digest {
	var edge canon.Edge
	for at := range b.Units {
		edge.Append(b.Header.Leaf(&b.Units[at]))
	}
	return edge.Root()
}

// tilesOf writes tiles over leaves, level by level (block.md, section 9).
func tilesOf(leaves []canon.Digest) []byte {
	var file []byte
	for level := leaves; len(level) > 0; {
		var above []canon.Digest
		var tile canon.Edge
		for _, hash := range level {
			file = append(file, hash[:]...)
			tile.Append(hash)
			if tile.Size() == 256 {
				above = append(above, tile.Root())
				tile = canon.Edge{}
			}
		}
		level = above
	}
	return file
}

// redeal seals units that the dealer did not deal: leaves, tiles and root are those of the changed
// units, as an operator who cheats would publish them.
func (p *Publication) redeal(role string, with func(units []block.Unit)) {
	b := p.Blocks[role]
	with(b.Units)
	var leaves []canon.Digest
	for at := range b.Units {
		leaves = append(leaves, b.Header.Leaf(&b.Units[at]))
	}
	b.Tiles = tilesOf(leaves)
	p.changeSeal(role, func(seal *publiclog.Seal) { seal.Root = b.root() })
}

// resecret deals the block from another secret, and publishes everything accordingly.
func (p *Publication) resecret(role string, secret [32]byte) {
	b := p.Blocks[role]
	b.Secret = secretOf(secret)
	p.fill(b)
	for at := range b.Sales {
		b.Sales[at].Play = b.Header.PlayID(&b.Units[at])
	}
	p.reroot(role)
	p.changeSeal(role, func(seal *publiclog.Seal) {
		seal.Root, seal.Commitment = b.root(), b.Header.Commitment(b.Secret)
	})
	p.changeOpening(role, func(opening *publiclog.Opening) { opening.Secret, opening.Shares = b.Secret, b.Shares })
}

func (p *Publication) changeSeal(role string, with func(*publiclog.Seal)) {
	change(p, func(seal *publiclog.Seal) {
		if seal.Block == idOf(role) {
			with(seal)
		}
	})
}

func (p *Publication) changeOpening(role string, with func(*publiclog.Opening)) {
	change(p, func(opening *publiclog.Opening) {
		if opening.Block == idOf(role) {
			with(opening)
		}
	})
}

// saleLeaves are the leaves of a block's sales.
func (b *Block) saleLeaves(sold int) []canon.Digest {
	var leaves []canon.Digest
	for index, sale := range b.Sales[:sold] {
		leaves = append(leaves, block.SaleLeaf(b.Header.ID, uint32(index), sale.Play, sale.At))
	}
	return leaves
}

func (p *Publication) salesRoot(role string, sold int) canon.Digest {
	_, root := grown(p.Blocks[role].saleLeaves(sold))
	return root
}

// reroot publishes the roots of sales that were changed.
func (p *Publication) reroot(role string) {
	change(p, func(sales *publiclog.Sales) {
		if sales.Block == idOf(role) {
			sales.Root = p.salesRoot(role, int(sales.Sold))
		}
	})
	change(p, func(withdrawal *publiclog.Withdrawal) {
		if withdrawal.Block == idOf(role) {
			withdrawal.Root = p.salesRoot(role, int(withdrawal.Sold))
		}
	})
}

// logged proves an entry to the newest checkpoint.
func (p *Publication) logged(index int) receipt.Logged {
	_, stored, _ := p.tree(len(p.Log))
	path, err := publiclog.ProveInclusion(uint64(len(p.Log)), uint64(index), stored)
	must(err)
	return receipt.Logged{Entry: string(p.Bytes(index)), Index: uint64(index), Path: path}
}

// part is the part of a receipt for a unit of a block; it has sales when an entry covers the unit.
func (p *Publication) part(role string, index uint32) receipt.Part {
	b := p.Blocks[role]
	var leaves []canon.Digest
	for at := range b.Units {
		leaves = append(leaves, b.Header.Leaf(&b.Units[at]))
	}
	stored, _ := grown(leaves)
	path, err := publiclog.ProveInclusion(uint64(b.Header.Size), uint64(index), stored)
	must(err)
	seal := find(p, func(s publiclog.Seal) bool { return s.Block == b.Header.ID })
	part := receipt.Of(&b.Units[index], path, p.logged(seal))
	for at, entry := range p.Log {
		sales, ok := entry.(publiclog.Sales)
		if !ok || sales.Block != b.Header.ID || sales.Sold <= index {
			continue
		}
		stored, _ := grown(b.saleLeaves(int(sales.Sold)))
		path, err := publiclog.ProveInclusion(uint64(sales.Sold), uint64(index), stored)
		must(err)
		part.Sales = &receipt.Sale{Path: path, Logged: p.logged(at)}
		break
	}
	return part
}

// Receipt makes the receipt of a unit that was sold, with its participation when it was sold with one.
func (p *Publication) Receipt(role string, index uint32) *receipt.Receipt {
	sale := p.Blocks[role].Sales[index]
	r := &receipt.Receipt{Play: sale.Play, At: sale.At, Unit: p.part(role, index), Checkpoint: string(p.Checkpoint(len(p.Log)))}
	for _, pot := range []string{Pot, NextPot} {
		for at, bought := range p.Blocks[pot].Sales {
			if bought.Play != sale.Play {
				continue
			}
			part := p.part(pot, uint32(at))
			r.Participation = &part
			if p.Blocks[pot].Units[at].Wins() {
				win := p.logged(find(p, func(w publiclog.JackpotWin) bool { return w.Block == idOf(pot) && w.Index == uint32(at) }))
				r.Win = &win
			}
		}
	}
	return r
}
