package block

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/canon"
)

// inventedLeaf is the i-th leaf hash of the trees in this file.
func inventedLeaf(i int) canon.Digest {
	return canon.Digest(tlog.RecordHash(binary.BigEndian.AppendUint64(nil, uint64(i))))
}

// plant writes the tiles of a tree of invented leaves, and grows the same tree in tlog.
func plant(t testing.TB, size int) (root canon.Digest, tiles []byte, reference *forest) {
	t.Helper()
	var file bytes.Buffer
	tree := newTreeWriter(&file)
	reference = new(forest)
	for i := range size {
		leaf := inventedLeaf(i)
		if err := tree.append(leaf); err != nil {
			t.Fatal(err)
		}
		reference.append(t, i, tlog.Hash(leaf))
	}
	root, err := tree.finish()
	if err != nil {
		t.Fatal(err)
	}
	return root, file.Bytes(), reference
}

// TestTilesAgreeWithAnotherTree compares roots, proofs and tiles with the Go project's tlog.
func TestTilesAgreeWithAnotherTree(t *testing.T) {
	for _, size := range []int{1, 2, 3, 255, 256, 257, 511, 513, 65535, 65536, 65537, 70000} {
		root, file, reference := plant(t, size)
		if want := reference.root(t, size); root != canon.Digest(want) {
			t.Errorf("%d leaves: root %s, want %s", size, root, want)
		}
		tiles := NewTiles(bytes.NewReader(file), uint32(size))
		if again, err := tiles.Root(); err != nil || again != root {
			t.Errorf("%d leaves: root from tiles %s, %v", size, again, err)
		}
		if int64(len(file)) != TilesBytes(uint32(size)) {
			t.Errorf("%d leaves: %d bytes, want %d", size, len(file), TilesBytes(uint32(size)))
		}
		compareTiles(t, size, file, reference)
		indexes := []int{0, 1, 2, 254, 255, 256, 257, size / 3, size / 2, 65534, 65535, 65536, size - 2, size - 1}
		for _, index := range indexes {
			if index >= 0 && index < size {
				compareProof(t, tiles, root, size, index, reference)
			}
		}
	}
}

// compareTiles compares the file with the tiles of tlog, which are those of C2SP tlog-tiles.
func compareTiles(t *testing.T, size int, file []byte, reference *forest) {
	t.Helper()
	for _, tile := range tlog.NewTiles(8, 0, int64(size)) {
		want, err := tlog.ReadTileData(tile, reference)
		if err != nil {
			t.Fatal(err)
		}
		offset := 0
		for n, level := size, 0; level < tile.L; level++ {
			offset += n * 32
			n /= 256
		}
		offset += int(tile.N) * 256 * 32
		if !bytes.Equal(file[offset:offset+len(want)], want) {
			t.Errorf("%d leaves: tile %s is another", size, tile.Path())
		}
	}
}

func compareProof(t *testing.T, tiles *Tiles, root canon.Digest, size, index int, reference *forest) {
	t.Helper()
	path, err := tiles.Prove(uint32(index))
	if err != nil {
		t.Fatal(err)
	}
	want, err := tlog.ProveRecord(int64(size), int64(index), reference)
	if err != nil {
		t.Fatal(err)
	}
	proof := make(tlog.RecordProof, len(path))
	for i := range path {
		proof[i] = tlog.Hash(path[i])
	}
	if !slices.Equal(proof, want) {
		t.Errorf("%d leaves: the proof of %d is another", size, index)
	}
	if err := tlog.CheckRecord(proof, int64(size), tlog.Hash(root), int64(index), tlog.Hash(inventedLeaf(index))); err != nil {
		t.Errorf("%d leaves: tlog refuses the proof of %d: %v", size, index, err)
	}
	if err := VerifyInclusion(root, uint32(size), uint32(index), inventedLeaf(index), path); err != nil {
		t.Errorf("%d leaves: the proof of %d is refused: %v", size, index, err)
	}
	if leaf, err := tiles.Leaf(uint32(index)); err != nil || leaf != inventedLeaf(index) {
		t.Errorf("%d leaves: leaf %d is %s, %v", size, index, leaf, err)
	}
}

// TestSmallTreesWhole proves every leaf of every tree of up to 70 leaves, and around a tile.
func TestSmallTreesWhole(t *testing.T) {
	sizes := []int{255, 256, 257, 300}
	for size := 1; size <= 70; size++ {
		sizes = append(sizes, size)
	}
	for _, size := range sizes {
		root, file, reference := plant(t, size)
		for index := range size {
			compareProof(t, NewTiles(bytes.NewReader(file), uint32(size)), root, size, index, reference)
		}
	}
}

// TestSalesTreeIsConsistent checks that the right edge of a growing tree gives the roots of one tree.
func TestSalesTreeIsConsistent(t *testing.T) {
	var edge canon.Edge
	var reference forest
	roots := []tlog.Hash{tlog.Hash(edge.Root())}
	for i := range 300 {
		leaf := SaleLeaf(ID{1}, uint32(i), PlayID{byte(i)}, int64(i))
		edge.Append(leaf)
		reference.append(t, i, tlog.Hash(leaf))
		roots = append(roots, tlog.Hash(edge.Root()))
	}
	for _, old := range []int64{1, 2, 127, 128, 255, 256, 299, 300} {
		proof, err := tlog.ProveTree(300, old, &reference)
		if err != nil {
			t.Fatal(err)
		}
		if err := tlog.CheckTree(proof, 300, roots[300], old, roots[old]); err != nil {
			t.Errorf("the tree of %d sales is no part of that of 300: %v", old, err)
		}
	}
}
