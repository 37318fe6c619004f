package canon_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

// Leaves and roots of the test tree of Certificate Transparency, as published with its first
// implementation: root[n] is the root of the first n+1 leaves.
var (
	publishedLeaves = []string{"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"}
	publishedRoots  = []string{
		"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
		"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		"aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
		"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
		"4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
		"76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
		"ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
		"5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	}
)

func TestPublishedTree(t *testing.T) {
	var edge canon.Edge
	if got := edge.Root().String(); got != "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("the empty tree has root %s", got)
	}
	for at, leaf := range publishedLeaves {
		data, err := hex.DecodeString(leaf)
		if err != nil {
			t.Fatal(err)
		}
		edge.Append(canon.LeafHash(data))
		if got := edge.Root().String(); got != publishedRoots[at] || edge.Size() != uint64(at+1) {
			t.Errorf("%d leaves: size %d, root %s, want %s", at+1, edge.Size(), got, publishedRoots[at])
		}
	}
}

func leafData(n uint64) []byte {
	return binary.AppendUvarint(slices.Repeat([]byte{byte(n)}, int(n%300)), n) // 1 to 310 bytes: both sides of the buffer
}

// Leaves, nodes and roots are those of the Go team's own tree, at every size up to 1 100 and at some
// beyond.
func TestTreeAgreesWithTlog(t *testing.T) {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for at, index := range indexes {
			hashes[at] = stored[index]
		}
		return hashes, nil
	})
	var edge canon.Edge
	for n := uint64(0); n < 5000; n++ {
		data := leafData(n)
		leaf := canon.LeafHash(data)
		if tlog.Hash(leaf) != tlog.RecordHash(data) {
			t.Fatalf("leaf %d of %d bytes: %s", n, len(data), leaf)
		}
		hashes, err := tlog.StoredHashes(int64(n), data, reader)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, hashes...)
		edge.Append(leaf)
		if size := n + 1; size <= 1100 || size%997 == 0 || size&(size-1) == 0 || size == 5000 {
			want, err := tlog.TreeHash(int64(size), reader)
			if err != nil || tlog.Hash(edge.Root()) != want {
				t.Fatalf("%d leaves: %s, want %s, %v", size, edge.Root(), want, err)
			}
		}
	}
	if got := canon.NodeHash(canon.Digest{1}, canon.Digest{2}); tlog.Hash(got) != tlog.NodeHash(tlog.Hash{1}, tlog.Hash{2}) {
		t.Errorf("node: %s", got)
	}
}

// recursive is the definition of RFC 6962, section 2.1, word for word: slow, and with its parts open
// to be broken.
func recursive(leaves []canon.Digest, node func(left, right canon.Digest) canon.Digest) canon.Digest {
	switch len(leaves) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return leaves[0]
	}
	split := 1
	for split*2 < len(leaves) {
		split *= 2
	}
	return node(recursive(leaves[:split], node), recursive(leaves[split:], node))
}

func TestEdgeAgreesWithTheDefinition(t *testing.T) {
	for _, size := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33, 100, 255, 256, 257, 1000} {
		leaves, edge := someLeaves(size)
		if want := recursive(leaves, canon.NodeHash); edge.Root() != want {
			t.Errorf("%d leaves: %s, want %s", size, edge.Root(), want)
		}
	}
}

// Broken twins: a tree that forgets the node's prefix, swaps its sides, splits in halves or takes a
// lone leaf twice has another root, and the comparison sees it.
func TestBrokenTreesAreCaught(t *testing.T) {
	withoutPrefix := func(left, right canon.Digest) canon.Digest { return sha256.Sum256(append(left[:], right[:]...)) }
	swapped := func(left, right canon.Digest) canon.Digest { return canon.NodeHash(right, left) }
	var halves func(leaves []canon.Digest) canon.Digest
	halves = func(leaves []canon.Digest) canon.Digest {
		if len(leaves) == 1 {
			return leaves[0]
		}
		return canon.NodeHash(halves(leaves[:len(leaves)/2]), halves(leaves[len(leaves)/2:]))
	}
	doubled := func(leaves []canon.Digest) canon.Digest {
		for len(leaves) > 1 {
			if len(leaves)%2 == 1 {
				leaves = append(leaves, leaves[len(leaves)-1])
			}
			var above []canon.Digest
			for at := 0; at < len(leaves); at += 2 {
				above = append(above, canon.NodeHash(leaves[at], leaves[at+1]))
			}
			leaves = above
		}
		return leaves[0]
	}
	leaves, edge := someLeaves(7)
	for name, root := range map[string]canon.Digest{
		"without prefix": recursive(leaves, withoutPrefix), "swapped": recursive(leaves, swapped),
		"halves": halves(leaves), "doubled": doubled(slices.Clone(leaves)),
	} {
		if root == edge.Root() {
			t.Errorf("a tree %s has the same root", name)
		}
	}
	// Without the prefixes a node could be shown as a leaf.
	if canon.LeafHash(append(leaves[0][:], leaves[1][:]...)) == canon.NodeHash(leaves[0], leaves[1]) {
		t.Error("a leaf can be taken for a node")
	}
}

func someLeaves(size int) ([]canon.Digest, canon.Edge) {
	var leaves []canon.Digest
	var edge canon.Edge
	for n := range size {
		leaf := canon.LeafHash(leafData(uint64(n)))
		leaves = append(leaves, leaf)
		edge.Append(leaf)
	}
	return leaves, edge
}

// An edge that was written and read back goes on as if it had not been; so does a clone, and neither
// disturbs the other.
func TestEdgeGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := rapid.IntRange(0, 200).Draw(t, "before"), rapid.IntRange(0, 50).Draw(t, "after")
		_, whole := someLeaves(before + after)
		_, edge := someLeaves(before)
		encoded, err := edge.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var read canon.Edge
		if err := read.UnmarshalBinary(encoded); err != nil {
			t.Fatal(err)
		}
		clone, rootBefore := edge.Clone(), edge.Root()
		for n := before; n < before+after; n++ {
			leaf := canon.LeafHash(leafData(uint64(n)))
			read.Append(leaf)
			clone.Append(leaf)
		}
		if read.Root() != whole.Root() || clone.Root() != whole.Root() || read.Size() != whole.Size() {
			t.Errorf("%d leaves and %d more: %s and %s, want %s", before, after, read.Root(), clone.Root(), whole.Root())
		}
		if edge.Root() != rootBefore || edge.Size() != uint64(before) {
			t.Error("appending to a copy has changed the edge")
		}
	})
}

func TestEdgeEncoding(t *testing.T) {
	leaves, edge := someLeaves(3)
	encoded, err := edge.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	pair := canon.NodeHash(leaves[0], leaves[1])
	want := append(append([]byte{0, 0, 0, 0, 0, 0, 0, 3}, pair[:]...), leaves[2][:]...)
	if string(encoded) != string(want) {
		t.Errorf("%x, want %x", encoded, want)
	}
	var empty canon.Edge
	if err := empty.UnmarshalBinary(nil); err != nil || empty.Size() != 0 {
		t.Errorf("no bytes: size %d, %v", empty.Size(), err)
	}
	for name, bad := range map[string][]byte{
		"cut": want[:len(want)-1], "longer": append(slices.Clone(want), 0), "a root more": append(slices.Clone(want), pair[:]...),
		"a root less": want[:40], "half a size": want[:4], "another size": append([]byte{0, 0, 0, 0, 0, 0, 0, 7}, want[8:]...),
	} {
		kept := edge.Clone()
		if err := kept.UnmarshalBinary(bad); fault.CodeOf(err) != "edge_malformed" || fault.KindOf(err) != fault.Corrupt {
			t.Errorf("%s: %v", name, err)
		}
		if kept.Root() != edge.Root() {
			t.Errorf("%s: a failure has changed the edge", name)
		}
	}
}

func TestTreeDoesNotAllocate(t *testing.T) {
	data := make([]byte, 255)
	var digest canon.Digest
	if n := testing.AllocsPerRun(100, func() { digest = canon.NodeHash(canon.LeafHash(data), digest) }); n != 0 {
		t.Errorf("a leaf of 255 bytes and a node allocate %v times", n)
	}
}

// The hashes that AppendTo gives are those that the Go project's tlog stores for the same leaves, in its
// order; and the edge is the same as Append's.
func TestAppendToGivesStoredHashes(t *testing.T) {
	var collected, plain canon.Edge
	var made []canon.Digest
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(places []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(places))
		for at, place := range places {
			hashes[at] = stored[place]
		}
		return hashes, nil
	})
	for n := range int64(300) {
		leaf := canon.LeafHash([]byte{byte(n), byte(n >> 8)})
		made = collected.AppendTo(made, leaf)
		plain.Append(leaf)
		added, err := tlog.StoredHashesForRecordHash(n, tlog.Hash(leaf), reader)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, added...)
		if len(made) != len(stored) || made[len(made)-1] != canon.Digest(stored[len(stored)-1]) || collected.Root() != plain.Root() {
			t.Fatalf("after leaf %d the hashes or the roots differ", n)
		}
	}
	for at := range made {
		if made[at] != canon.Digest(stored[at]) {
			t.Fatalf("hash %d differs", at)
		}
	}
}
