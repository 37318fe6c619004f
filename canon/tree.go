package canon

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"github.com/talonlottery/talon/fault"
)

// LeafHash is the hash of a leaf in a tree of RFC 6962, section 2.1: SHA-256(0x00 ‖ data). It does
// not allocate for data of up to 255 bytes.
func LeafHash(data []byte) Digest {
	var buffer [256]byte
	if len(data) < len(buffer) {
		return sha256.Sum256(buffer[:1+copy(buffer[1:], data)])
	}
	return sha256.Sum256(append([]byte{0}, data...))
}

// NodeHash is the hash of an inner node in a tree of RFC 6962: SHA-256(0x01 ‖ left ‖ right).
func NodeHash(left, right Digest) Digest {
	var buffer [1 + 2*sha256.Size]byte
	buffer[0] = 1
	copy(buffer[1:], left[:])
	copy(buffer[1+sha256.Size:], right[:])
	return sha256.Sum256(buffer[:])
}

// Edge is the right edge of a growing tree of RFC 6962: the roots of its complete subtrees, largest
// first. It is all that is needed to append leaves and to know the root. The zero value is the empty
// tree. An Edge is not safe for concurrent use; copies made by assignment are independent only after
// [Edge.Clone].
type Edge struct {
	size  uint64
	roots []Digest
}

// EdgeOf is the edge of a tree of a size, given the roots of its complete subtrees, largest first: as many
// as the size has one bits. It keeps the list.
func EdgeOf(size uint64, roots []Digest) Edge { return Edge{size: size, roots: roots} }

// Size is the number of leaves appended.
func (e *Edge) Size() uint64 { return e.size }

// Append adds a leaf hash.
func (e *Edge) Append(leaf Digest) { e.grow(nil, leaf, false) }

// AppendTo is Append that also adds the leaf hash and the roots of the subtrees that it completes,
// smallest first, to dst: one after the other they are the hashes of a whole tree, each after the
// hashes below it.
func (e *Edge) AppendTo(dst []Digest, leaf Digest) []Digest { return e.grow(dst, leaf, true) }

func (e *Edge) grow(dst []Digest, leaf Digest, keep bool) []Digest {
	if keep {
		dst = append(dst, leaf)
	}
	// Each trailing one bit of the size is a complete subtree that the new leaf completes further.
	for n := e.size; n&1 == 1; n >>= 1 {
		leaf = NodeHash(e.roots[len(e.roots)-1], leaf)
		e.roots = e.roots[:len(e.roots)-1]
		if keep {
			dst = append(dst, leaf)
		}
	}
	e.roots = append(e.roots, leaf)
	e.size++
	return dst
}

// Root is the root of the tree so far. The root of the empty tree is SHA-256 of nothing.
func (e *Edge) Root() Digest { return FoldRoots(e.roots) }

// FoldRoots is the root of a tree given the roots of its complete subtrees, largest first; of none, the
// root of the empty tree.
func FoldRoots(roots []Digest) Digest {
	if len(roots) == 0 {
		return sha256.Sum256(nil)
	}
	root := roots[len(roots)-1]
	for at := len(roots) - 2; at >= 0; at-- {
		root = NodeHash(roots[at], root)
	}
	return root
}

// Includes reports whether leaf, index, size and audit path, the hash next to the leaf first, lead to a
// root (RFC 9162, section 2.1.3.2).
func Includes(root Digest, size, index uint64, leaf Digest, path []Digest) bool {
	if index >= size {
		return false
	}
	hash, at, last := leaf, index, size-1
	for _, sibling := range path {
		if last == 0 {
			return false
		}
		if at&1 == 1 || at == last {
			hash = NodeHash(sibling, hash)
			for at&1 == 0 && at != 0 {
				at, last = at>>1, last>>1
			}
		} else {
			hash = NodeHash(hash, sibling)
		}
		at, last = at>>1, last>>1
	}
	return last == 0 && hash == root
}

// Clone gives an independent copy.
func (e *Edge) Clone() Edge { return Edge{size: e.size, roots: append([]Digest(nil), e.roots...)} }

// MarshalBinary writes the size as eight bytes, most significant first, then the subtree roots,
// largest first.
func (e *Edge) MarshalBinary() ([]byte, error) {
	encoded := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(e.roots)*sha256.Size), e.size)
	for _, root := range e.roots {
		encoded = append(encoded, root[:]...)
	}
	return encoded, nil
}

// UnmarshalBinary reads what [Edge.MarshalBinary] wrote. No bytes at all are the empty tree. It
// returns Corrupt with code edge_malformed when the number of roots does not fit the size.
func (e *Edge) UnmarshalBinary(encoded []byte) error {
	if len(encoded) == 0 {
		*e = Edge{}
		return nil
	}
	if len(encoded) < 8 {
		return edgeMalformed(len(encoded))
	}
	size, rest := binary.BigEndian.Uint64(encoded), encoded[8:]
	if len(rest) != bits.OnesCount64(size)*sha256.Size {
		return edgeMalformed(len(encoded))
	}
	edge := Edge{size: size}
	for ; len(rest) > 0; rest = rest[sha256.Size:] {
		edge.roots = append(edge.roots, Digest(rest[:sha256.Size]))
	}
	*e = edge
	return nil
}

func edgeMalformed(length int) error {
	return fault.New(fault.Corrupt, "edge_malformed", "%d bytes are not the right edge of a tree", length)
}
