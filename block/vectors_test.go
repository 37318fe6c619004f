package block

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

var update = flag.Bool("update", false, "write the test vectors anew, by the second implementation")

const vectorsFolder = "../testdata/vectors/"

// hexBytes are bytes that vectors hold in hexadecimal.
type hexBytes []byte

func (h hexBytes) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h)), nil }

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// file is a file of vectors: a comment and what it holds.
type file[T any] struct {
	Comment string `json:"comment"`
	Vectors T      `json:"vectors"`
}

// read reads a file of vectors. It must be what the second implementation makes; with -update it is
// written first.
func read[T any](t *testing.T, name, comment string, made T) T {
	t.Helper()
	text, err := json.MarshalIndent(file[T]{"Talon block format version 1: " + comment + " See docs/spec/block.md.", made}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile(vectorsFolder+name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(vectorsFolder + name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(kept), string(text)); diff != "" {
		t.Fatalf("%s is not what the second implementation makes; -update writes it anew (-kept +made):\n%s", name, diff)
	}
	return parse[T](t, kept)
}

func parse[T any](t *testing.T, text []byte) T {
	t.Helper()
	var read file[T]
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read.Vectors
}

type blockVector struct {
	Game       string     `json:"game"`
	Stake      int        `json:"stake"`
	Block      hexBytes   `json:"block"`
	Secret     hexBytes   `json:"secret"`
	Size       uint32     `json:"size"`
	Odds       uint32     `json:"odds,omitempty"`
	Commitment hexBytes   `json:"commitment"`
	Units      []unitSeen `json:"units,omitempty"`
	Root       hexBytes   `json:"root,omitempty"`
}

type unitSeen struct {
	Index  uint32       `json:"index"`
	Tier   int          `json:"tier"` // from 0, or -1 for none
	Prize  money.Amount `json:"prize"`
	Layout hexBytes     `json:"layout"`
	Salt   hexBytes     `json:"salt"`
	Leaf   hexBytes     `json:"leaf"`
	Play   hexBytes     `json:"play"`
}

// byReference makes the vectors of a block with some of its units; the root comes apart.
func (s *subject) byReference(units uint32) blockVector {
	r := s.reference()
	commitment := r.commitment()
	v := blockVector{Game: s.header.Game, Stake: s.header.Stake, Block: r.id[:], Secret: r.secret[:], Size: r.size, Odds: r.odds, Commitment: commitment[:]}
	for index := range min(units, r.size) {
		u := r.unit(index)
		leaf := r.leaf(u)
		v.Units = append(v.Units, unitSeen{u.Index, u.Tier, u.Prize, u.Layout, bytes.Clone(u.Salt[:]), leaf[:], r.playID(u)})
	}
	return v
}

// byPackage makes the same by the package.
func (s *subject) byPackage(t *testing.T, units uint32) blockVector {
	dealer := s.dealer(t)
	h := dealer.Header()
	commitment := h.Commitment(secretOf(s.secret))
	v := blockVector{Game: h.Game, Stake: h.Stake, Block: h.ID[:], Secret: s.secret[:], Size: h.Size, Commitment: commitment[:]}
	if s.jackpot != nil {
		v.Odds = s.jackpot.Odds
	}
	for index := range min(units, h.Size) {
		u := unitOf(t, dealer, index)
		leaf, play := h.Leaf(&u), h.PlayID(&u)
		v.Units = append(v.Units, unitSeen{u.Index, u.Tier, u.Prize, u.Layout, bytes.Clone(u.Salt[:]), leaf[:], play[:]})
	}
	return v
}

// TestVectorsOfUnits compares the first units of each game.
func TestVectorsOfUnits(t *testing.T) {
	const units = 20
	var made []blockVector
	for _, s := range published(t) {
		made = append(made, s.byReference(units))
	}
	kept := read(t, "units.json", "the first units of a block of each game. Secrets and identifiers are invented.", made)
	for i, s := range published(t) {
		if diff := cmp.Diff(kept[i], s.byPackage(t, units)); diff != "" {
			t.Errorf("%s, stake %d (-kept +package):\n%s", s.header.Game, s.header.Stake, diff)
		}
	}
}

// TestVectorsOfSmallBlocks compares two invented blocks whole, with their roots.
func TestVectorsOfSmallBlocks(t *testing.T) {
	subjects := []subject{lune(t), smallPot()}
	var made []blockVector
	for _, s := range subjects {
		v := s.byReference(300)
		root := s.reference().root(t)
		v.Root = root[:]
		made = append(made, v)
	}
	kept := read(t, "blocks.json", "two small invented blocks, whole: the game of lune.yaml, and participations of which 1 in odds wins.", made)
	for i, s := range subjects {
		v := s.byPackage(t, 300)
		deal, err := s.dealer(t).Deal(t.Context(), io.Discard, nil)
		if err != nil {
			t.Fatal(err)
		}
		v.Root = deal.Root[:]
		if deal.Commitment != canon.Digest(v.Commitment) {
			t.Errorf("%s: dealt under another commitment", s.header.Game)
		}
		if diff := cmp.Diff(kept[i], v); diff != "" {
			t.Errorf("%s (-kept +package):\n%s", s.header.Game, diff)
		}
	}
}

// TestVectorsOfWholeBlocks compares the roots of whole blocks of each game: the first stake of each,
// and with TALON_LONG=1 all of them, dealt by the second implementation too.
func TestVectorsOfWholeBlocks(t *testing.T) {
	const name = "roots.json"
	long := os.Getenv("TALON_LONG") == "1"
	var made []blockVector
	for _, s := range published(t) {
		v := s.byReference(0)
		if *update || long {
			root := s.reference().root(t)
			v.Root = root[:]
		}
		made = append(made, v)
	}
	var kept []blockVector
	if *update || long {
		kept = read(t, name, "the roots of whole blocks of each game. Secrets and identifiers are those of units.json.", made)
	} else {
		text, err := os.ReadFile(vectorsFolder + name)
		if err != nil {
			t.Fatal(err)
		}
		kept = parse[[]blockVector](t, text)
	}
	for i, s := range published(t) {
		if s.header.Stake > 0 && !long {
			continue
		}
		deal, err := s.dealer(t).Deal(t.Context(), io.Discard, nil)
		if err != nil {
			t.Fatal(err)
		}
		made[i].Root = deal.Root[:]
		if diff := cmp.Diff(kept[i], made[i]); diff != "" {
			t.Errorf("%s, stake %d (-kept +package):\n%s", s.header.Game, s.header.Stake, diff)
		}
	}
}

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
