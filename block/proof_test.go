package block

import (
	"bytes"
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
