package block

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
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

// TestSpoiltProofsAreRefused changes a proof, a leaf, an index or a root in one place.
func TestSpoiltProofsAreRefused(t *testing.T) {
	trees := map[int]struct {
		root canon.Digest
		file []byte
	}{}
	for _, size := range []int{1, 2, 5, 64, 300} {
		root, file, _ := plant(t, size)
		trees[size] = struct {
			root canon.Digest
			file []byte
		}{root, file}
	}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{1, 2, 5, 64, 300}).Draw(t, "size")
		index := rapid.IntRange(0, size-1).Draw(t, "index")
		root, leaf := trees[size].root, inventedLeaf(index)
		path, err := NewTiles(bytes.NewReader(trees[size].file), uint32(size)).Prove(uint32(index))
		if err != nil {
			t.Fatal(err)
		}
		claimed := uint32(index)
		flip := func(d *canon.Digest) {
			d[rapid.IntRange(0, 31).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		}
		switch change := rapid.SampledFrom([]string{"leaf", "root", "path", "shorter", "longer", "index", "outside", "swapped"}).Draw(t, "change"); {
		case change == "leaf":
			flip(&leaf)
		case change == "root":
			flip(&root)
		case change == "longer":
			path = slices.Insert(path, rapid.IntRange(0, len(path)).Draw(t, "place"), inventedLeaf(7))
		case change == "outside":
			claimed = uint32(size) + rapid.Uint32Range(0, 1<<20).Draw(t, "beyond")
		case len(path) == 0:
			return
		case change == "path":
			flip(&path[rapid.IntRange(0, len(path)-1).Draw(t, "place")])
		case change == "shorter":
			place := rapid.IntRange(0, len(path)-1).Draw(t, "place")
			path = slices.Delete(path, place, place+1)
		case change == "index":
			if claimed = uint32(rapid.IntRange(0, size-1).Draw(t, "claimed")); int(claimed) == index {
				return
			}
		case change == "swapped":
			if len(path) < 2 {
				return
			}
			path[0], path[1] = path[1], path[0]
		}
		err = VerifyInclusion(root, uint32(size), claimed, leaf, path)
		if !errors.Is(err, fault.Corrupt) || fault.CodeOf(err) != "inclusion_not_proven" {
			t.Errorf("a spoilt proof is accepted: %v", err)
		}
	})
}

func FuzzVerifyInclusion(f *testing.F) {
	root, file, _ := plant(f, 5)
	path, err := NewTiles(bytes.NewReader(file), 5).Prove(3)
	if err != nil {
		f.Fatal(err)
	}
	right := slices.Concat(path[0][:], path[1][:], path[2][:])
	f.Add(uint32(5), uint32(3), right)
	f.Add(uint32(0), uint32(0), []byte{})
	f.Add(uint32(1<<32-1), uint32(1<<32-2), bytes.Repeat([]byte{1}, 32*40))
	f.Fuzz(func(t *testing.T, size, index uint32, encoded []byte) {
		var path []canon.Digest
		for ; len(encoded) >= 32; encoded = encoded[32:] {
			path = append(path, canon.Digest(encoded))
		}
		err := VerifyInclusion(root, size, index, inventedLeaf(3), path)
		proof := make(tlog.RecordProof, len(path))
		for i := range path {
			proof[i] = tlog.Hash(path[i])
		}
		accepted := index < size && tlog.CheckRecord(proof, int64(size), tlog.Hash(root), int64(index), tlog.Hash(inventedLeaf(3))) == nil
		if (err == nil) != accepted {
			t.Errorf("size %d, index %d: %v, tlog accepts: %v", size, index, err, accepted)
		}
	})
}

// atEnd reports the end of the file together with its last bytes, as [io.ReaderAt] allows.
type atEnd struct{ data []byte }

func (r atEnd) ReadAt(p []byte, offset int64) (int, error) {
	n := copy(p, r.data[min(offset, int64(len(r.data))):])
	if int(offset)+n == len(r.data) {
		return n, io.EOF
	}
	return n, nil
}

func TestTilesOfBrokenFiles(t *testing.T) {
	root, file, _ := plant(t, 600)
	whole := NewTiles(atEnd{file}, 600)
	if again, err := whole.Root(); err != nil || again != root {
		t.Errorf("a reader that reports its end: %s, %v", again, err)
	}
	for _, short := range [][]byte{nil, file[:32*600-1], file[:len(file)-1]} {
		tiles := NewTiles(bytes.NewReader(short), 600)
		if _, err := tiles.Root(); !errors.Is(err, fault.Unavailable) || fault.CodeOf(err) != "tiles_not_read" || fault.NextOf(err) == "" {
			t.Errorf("%d bytes: %v", len(short), err)
		}
	}
	if _, err := NewTiles(bytes.NewReader(file[:32]), 600).Prove(599); fault.CodeOf(err) != "tiles_not_read" {
		t.Errorf("proof: %v", err)
	}
	if _, err := NewTiles(bytes.NewReader(nil), 600).Leaf(0); fault.CodeOf(err) != "tiles_not_read" {
		t.Errorf("leaf: %v", err)
	}
	if _, err := whole.Leaf(600); fault.CodeOf(err) != "index_outside_block" {
		t.Errorf("leaf outside: %v", err)
	}
	if _, err := whole.Prove(600); fault.CodeOf(err) != "index_outside_block" {
		t.Errorf("proof outside: %v", err)
	}
	empty, err := NewTiles(bytes.NewReader(nil), 0).Root()
	if err != nil || empty.String() != "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("empty tree: %s, %v", empty, err)
	}
}

// BenchmarkProve reads proofs of a block of a million from a file.
func BenchmarkProve(b *testing.B) {
	const size = 1_000_000
	path := filepath.Join(b.TempDir(), "tiles")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	tree := newTreeWriter(file)
	for i := range size {
		if err := tree.append(inventedLeaf(i)); err != nil {
			b.Fatal(err)
		}
	}
	root, err := tree.finish()
	if err != nil {
		b.Fatal(err)
	}
	tiles := NewTiles(file, size)
	b.Run("prove", func(b *testing.B) {
		b.ReportAllocs()
		index := uint32(0)
		for b.Loop() {
			if _, err := tiles.Prove(index); err != nil {
				b.Fatal(err)
			}
			index = (index + 700_001) % size
		}
	})
	b.Run("verify", func(b *testing.B) {
		proof, err := tiles.Prove(123_456)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := VerifyInclusion(root, size, 123_456, inventedLeaf(123_456), proof); err != nil {
				b.Fatal(err)
			}
		}
	})
}
