package block

import (
	"bytes"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

type leafVector struct {
	Comment string       `json:"comment"`
	Block   hexBytes     `json:"block"`
	Index   uint32       `json:"index"`
	Prize   money.Amount `json:"prize"`
	Layout  hexBytes     `json:"layout"`
	Salt    hexBytes     `json:"salt"`
	Data    hexBytes     `json:"data,omitempty"` // what is hashed, without the 0x00 of a leaf
	Leaf    hexBytes     `json:"leaf"`
	Play    hexBytes     `json:"play,omitempty"`
	Failure string       `json:"failure,omitempty"` // bad: the leaf is not the unit's
}

type saleVector struct {
	Block hexBytes `json:"block"`
	Index uint32   `json:"index"`
	Play  hexBytes `json:"play"`
	At    int64    `json:"at"` // milliseconds
	Leaf  hexBytes `json:"leaf"`
}

type leafVectors struct {
	Units []leafVector `json:"units"`
	Sales []saleVector `json:"sales"`
}

func referenceLeaves(t *testing.T) leafVectors {
	r := lune(t)
	ref := r.reference()
	vector := func(comment string, u Unit) leafVector {
		leaf := ref.leaf(u)
		return leafVector{Comment: comment, Block: ref.id[:], Index: u.Index, Prize: u.Prize, Layout: u.Layout, Salt: bytes.Clone(u.Salt[:]),
			Data: ref.leafData(u), Leaf: leaf[:], Play: ref.playID(u)}
	}
	unit := ref.unit(0)
	largest := Unit{Index: 1<<32 - 1, Prize: money.Most, Layout: bytes.Repeat([]byte{30}, 36), Salt: [16]byte(bytes.Repeat([]byte{0xff}, 16))}
	empty := Unit{Layout: []byte{}}
	v := leafVectors{Units: []leafVector{vector("unit 0 of the block of lune.yaml", unit), vector("the largest values", largest), vector("nothing but zeros", empty)}}
	for _, bad := range []struct {
		comment string
		change  func(u *Unit)
	}{
		{"another index", func(u *Unit) { u.Index++ }},
		{"another prize", func(u *Unit) { u.Prize += money.Unit }},
		{"one symbol changed", func(u *Unit) { u.Layout[0] ^= 1 }},
		{"two cells exchanged", func(u *Unit) { exchange(u.Layout) }},
		{"one cell fewer", func(u *Unit) { u.Layout = u.Layout[1:] }},
		{"another salt", func(u *Unit) { u.Salt[0] ^= 0x80 }},
		{"no salt", func(u *Unit) { u.Salt = [16]byte{} }},
	} {
		changed := unit
		changed.Layout = bytes.Clone(unit.Layout)
		bad.change(&changed)
		b := vector(bad.comment, changed)
		b.Leaf, b.Data, b.Play, b.Failure = v.Units[0].Leaf, nil, nil, "leaf_differs"
		v.Units = append(v.Units, b)
	}
	for i, at := range []int64{0, 1_767_225_600_000} {
		play := ref.playID(ref.unit(uint32(i)))
		leaf := referenceSaleLeaf(ref.id, uint32(i), [16]byte(play), at)
		v.Sales = append(v.Sales, saleVector{ref.id[:], uint32(i), play, at, leaf[:]})
	}
	return v
}

// exchange exchanges the first two cells that differ.
func exchange(layout []byte) {
	for cell := range layout {
		if layout[cell] != layout[0] {
			layout[0], layout[cell] = layout[cell], layout[0]
			return
		}
	}
}

func TestVectorsOfLeaves(t *testing.T) {
	kept := read(t, "leaves.json", "leaves, play identifiers and leaves of sales, good and bad.", referenceLeaves(t))
	for _, v := range kept.Units {
		h := Header{ID: ID(v.Block)}
		u := Unit{Index: v.Index, Prize: v.Prize, Layout: v.Layout, Salt: [16]byte(v.Salt)}
		play := h.PlayID(&u)
		switch same := h.Leaf(&u) == canon.Digest(v.Leaf); {
		case v.Failure != "" && same:
			t.Errorf("%s: the leaf is the same", v.Comment)
		case v.Failure == "" && (!same || !bytes.Equal(play[:], v.Play) || canon.LeafHash(v.Data) != canon.Digest(v.Leaf)):
			t.Errorf("%s: leaf %s, play %s", v.Comment, h.Leaf(&u), play)
		}
	}
	for _, v := range kept.Sales {
		if got := SaleLeaf(ID(v.Block), v.Index, PlayID(v.Play), v.At); got != canon.Digest(v.Leaf) {
			t.Errorf("sale of %d: leaf %s", v.Index, got)
		}
	}
}

type treeVector struct {
	Size   uint32        `json:"size"` // leaf i is SHA-256(0x00 ‖ i as eight bytes)
	Root   hexBytes      `json:"root"`
	Proofs []proofVector `json:"proofs"`
}

type proofVector struct {
	Comment string     `json:"comment,omitempty"`
	Index   uint32     `json:"index"`
	Leaf    hexBytes   `json:"leaf"`
	Path    []hexBytes `json:"path"`
	Failure string     `json:"failure,omitempty"`
}

func referenceTrees(t *testing.T) (trees []treeVector) {
	for _, size := range []int{1, 2, 3, 7, 8, 255, 256, 257, 65536, 70000} {
		_, _, f := plant(t, size)
		root := f.root(t, size)
		tree := treeVector{Size: uint32(size), Root: root[:]}
		for _, index := range []int{0, size / 2, size - 1} {
			path, err := tlog.ProveRecord(int64(size), int64(index), f)
			if err != nil {
				t.Fatal(err)
			}
			good := proofVector{Index: uint32(index), Leaf: bytesOf(inventedLeaf(index)), Path: []hexBytes{}}
			for _, sibling := range path {
				good.Path = append(good.Path, bytes.Clone(sibling[:]))
			}
			tree.Proofs = append(tree.Proofs, good)
			tree.Proofs = append(tree.Proofs, spoilt(good, uint32(size))...)
		}
		trees = append(trees, tree)
	}
	return trees
}

func bytesOf(d canon.Digest) []byte { return d[:] }

// spoilt makes bad proofs from a good one of a small tree.
func spoilt(good proofVector, size uint32) (bad []proofVector) {
	if size > 8 {
		return nil
	}
	add := func(comment string, change func(p *proofVector)) {
		p := good
		p.Path = append([]hexBytes{}, good.Path...)
		p.Comment, p.Failure = comment, "inclusion_not_proven"
		change(&p)
		bad = append(bad, p)
	}
	add("the leaf of another unit", func(p *proofVector) { p.Leaf = bytesOf(inventedLeaf(int(size))) })
	add("an index outside the block", func(p *proofVector) { p.Index = size })
	add("a hash too many", func(p *proofVector) { p.Path = append(p.Path, p.Leaf) })
	if len(good.Path) > 0 {
		add("a hash too few", func(p *proofVector) { p.Path = p.Path[1:] })
		add("the leaf and its neighbour exchanged", func(p *proofVector) { p.Leaf, p.Path[0] = p.Path[0], p.Leaf })
	}
	return bad
}

func TestVectorsOfTrees(t *testing.T) {
	for _, tree := range read(t, "trees.json", "roots and inclusion proofs, good and bad.", referenceTrees(t)) {
		_, file, _ := plant(t, int(tree.Size))
		tiles := NewTiles(bytes.NewReader(file), tree.Size)
		if root, err := tiles.Root(); err != nil || root != canon.Digest(tree.Root) {
			t.Errorf("%d leaves: root %s, %v", tree.Size, root, err)
		}
		for _, proof := range tree.Proofs {
			var path []canon.Digest
			for _, sibling := range proof.Path {
				path = append(path, canon.Digest(sibling))
			}
			err := VerifyInclusion(canon.Digest(tree.Root), tree.Size, proof.Index, canon.Digest(proof.Leaf), path)
			if (err == nil) != (proof.Failure == "") || err != nil && fault.CodeOf(err) != proof.Failure {
				t.Errorf("%d leaves, leaf %d %s: %v, want %q", tree.Size, proof.Index, proof.Comment, err, proof.Failure)
			}
			if made, err := tiles.Prove(min(proof.Index, tree.Size-1)); proof.Failure == "" && (err != nil || fmt.Sprint(made) != fmt.Sprint(path)) {
				t.Errorf("%d leaves, leaf %d: %v, %v", tree.Size, proof.Index, made, err)
			}
		}
	}
}
