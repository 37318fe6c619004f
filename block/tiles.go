package block

import (
	"io"
	"math/bits"
	"slices"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

// Tiles reads the file of tiles of one block: the leaf hashes of all units in order, then for each
// level above one hash a full tile below, level by level. The hashes are salted, so the file is
// public; proofs come straight from it, without the vault and without a tree in memory. It is safe
// for concurrent use if the reader is.
type Tiles struct {
	file io.ReaderAt
	size uint64
}

// NewTiles reads the tiles of a block of size units.
func NewTiles(file io.ReaderAt, size uint32) *Tiles { return &Tiles{file: file, size: uint64(size)} }

// TilesBytes is the exact size of the file of a block of size units.
func TilesBytes(size uint32) int64 {
	total := int64(0)
	for n := uint64(size); n > 0; n /= tileWidth {
		total += int64(n) * int64(len(canon.Digest{}))
	}
	return total
}

// Leaf is the leaf hash of a unit. It returns Invalid with code index_outside_block, and
// Unavailable with code tiles_not_read when the file cannot be read.
func (t *Tiles) Leaf(index uint32) (canon.Digest, error) {
	if uint64(index) >= t.size {
		return canon.Digest{}, fault.New(fault.Invalid, "index_outside_block", "the block has %d units, numbered from 0", t.size)
	}
	hashes, err := t.read(0, uint64(index), 1)
	if err != nil {
		return canon.Digest{}, err
	}
	return hashes[0], nil
}

// Prove is the inclusion proof of a unit: the audit path of RFC 6962, section 2.1.1, lowest first.
// Errors as [Tiles.Leaf].
func (t *Tiles) Prove(index uint32) ([]canon.Digest, error) {
	if uint64(index) >= t.size {
		return nil, fault.New(fault.Invalid, "index_outside_block", "the block has %d units, numbered from 0", t.size)
	}
	var path []canon.Digest
	for low, high := uint64(0), t.size; high-low > 1; {
		middle := low + split(high-low)
		otherLow, otherHigh := low, middle
		if uint64(index) < middle {
			otherLow, otherHigh = middle, high
			high = middle
		} else {
			low = middle
		}
		sibling, err := t.root(otherLow, otherHigh)
		if err != nil {
			return nil, err
		}
		path = append(path, sibling)
	}
	slices.Reverse(path)
	return path, nil
}

// Root is the root over all units, re-derived from the leaf hashes. Errors as [Tiles.Leaf].
func (t *Tiles) Root() (canon.Digest, error) {
	if t.size == 0 {
		return canon.FoldRoots(nil), nil
	}
	return t.root(0, t.size)
}

// root is the root of the subtree over the units from low to high.
func (t *Tiles) root(low, high uint64) (canon.Digest, error) {
	size := high - low
	if size&(size-1) == 0 {
		// A complete subtree: its lowest stored hashes are at the highest level not above it.
		height := bits.TrailingZeros64(size)
		level := height / 8
		hashes, err := t.read(level, low>>(8*level), size>>(8*level))
		if err != nil {
			return canon.Digest{}, err
		}
		return complete(hashes), nil
	}
	middle := low + split(size)
	left, err := t.root(low, middle)
	if err != nil {
		return canon.Digest{}, err
	}
	right, err := t.root(middle, high)
	if err != nil {
		return canon.Digest{}, err
	}
	return canon.NodeHash(left, right), nil
}

// split is the largest power of two below n, for n of at least 2.
func split(n uint64) uint64 { return 1 << (bits.Len64(n-1) - 1) }

func (t *Tiles) read(level int, first, count uint64) ([]canon.Digest, error) {
	const width = uint64(len(canon.Digest{}))
	offset := uint64(0)
	for n, below := t.size, level; below > 0; below-- {
		offset += n * width
		n /= tileWidth
	}
	bytes := make([]byte, count*width)
	// A reader may report the end of the file together with the last bytes that were asked for.
	if n, err := t.file.ReadAt(bytes, int64(offset+first*width)); n < len(bytes) {
		return nil, fault.New(fault.Unavailable, "tiles_not_read", "the block's tiles cannot be read: %w", err).
			Next("restore the block's tiles file from a backup; it is public and can also be made again when the block is opened")
	}
	hashes := make([]canon.Digest, count)
	for at := range hashes {
		hashes[at] = canon.Digest(bytes[uint64(at)*width:][:width])
	}
	return hashes, nil
}

// VerifyInclusion checks an audit path against a root: it returns Corrupt with code
// inclusion_not_proven when leaf, index, size and path do not lead to it.
func VerifyInclusion(root canon.Digest, size, index uint32, leaf canon.Digest, path []canon.Digest) error {
	if !canon.Includes(root, uint64(size), uint64(index), leaf, path) {
		return fault.New(fault.Corrupt, "inclusion_not_proven", "the proof does not lead from the unit to the block's root")
	}
	return nil
}
