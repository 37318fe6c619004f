// Package merkle has the trees of RFC 6962: roots, audit paths, and a root that grows leaf by leaf.
package merkle

import (
	"crypto/sha256"

	"github.com/talonlottery/talon/verify/internal/notation"
)

// TileWidth is how many hashes a tile holds: block.md, section 9, and log.md, section 4.
const TileWidth = 256

// Leaf is the hash of a leaf's data: RFC 6962, section 2.1.
func Leaf(data []byte) notation.Digest {
	return sha256.Sum256(append([]byte{0x00}, data...))
}

// Node is the hash of an inner node.
func Node(left, right notation.Digest) notation.Digest {
	var b [65]byte
	b[0] = 0x01
	copy(b[1:33], left[:])
	copy(b[33:], right[:])
	return sha256.Sum256(b[:])
}

// Root is the Merkle tree hash over leaf hashes; that of no leaf is the hash of nothing.
func Root(leaves []notation.Digest) notation.Digest {
	var tree Tree
	for _, leaf := range leaves {
		tree.Append(leaf)
	}
	return tree.Root()
}

// Tree computes the root of a list of leaves that grows. The zero value is a tree without leaves.
type Tree struct {
	size uint64
	// full holds the roots of the complete subtrees that the list falls into, the largest first: one for each bit of size.
	full []notation.Digest
}

// Append adds a leaf hash, or, when every leaf of the tree is so, the root of 2ⁿ leaves: subtrees of one size make a tree as leaves do.
func (t *Tree) Append(leaf notation.Digest) {
	for s := t.size; s&1 == 1; s >>= 1 {
		last := len(t.full) - 1
		leaf = Node(t.full[last], leaf)
		t.full = t.full[:last]
	}
	t.full = append(t.full, leaf)
	t.size++
}

// Size is the number of leaves.
func (t *Tree) Size() uint64 { return t.size }

// Root is the root over the leaves so far.
func (t *Tree) Root() notation.Digest {
	if t.size == 0 {
		return sha256.Sum256(nil)
	}
	last := len(t.full) - 1
	root := t.full[last]
	for i := last - 1; i >= 0; i-- {
		root = Node(t.full[i], root)
	}
	return root
}

// RootOfFullTile is the root over the 256 hashes of a full tile. It overwrites them.
func RootOfFullTile(hashes *[TileWidth]notation.Digest) notation.Digest {
	for n := TileWidth / 2; n >= 1; n /= 2 {
		for i := range n {
			hashes[i] = Node(hashes[2*i], hashes[2*i+1])
		}
	}
	return hashes[0]
}
