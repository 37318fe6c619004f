package publiclog

import (
	"fmt"
	"io"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

// SizeMost is the largest number of leaves of a tree that is built or proven here. It keeps every
// number of a stored hash within 64 bits.
const SizeMost = NumberMost

// Trees are stored as golang.org/x/mod/sumdb/tlog numbers their hashes: each leaf's hash, followed
// by the hashes of the subtrees that it completes, smallest first. Nothing that was stored changes
// when the tree grows.

// HashCount is the number of stored hashes of a tree.
func HashCount(size uint64) uint64 { return 2*size - uint64(bits.OnesCount64(size)) }

// Append grows a tree of a size by leaves. It returns the hashes to store, in storage order, the
// first at [HashCount] of the old size, and the root of the larger tree. It reads the old tree's
// right edge, once. It returns Invalid with code tree_too_large beyond [SizeMost], and Unavailable
// with code hashes_unreadable when stored hashes cannot be read.
func Append(size uint64, leaves []canon.Digest, stored tlog.HashReader) (added []canon.Digest, root canon.Digest, err error) {
	if size > SizeMost || uint64(len(leaves)) > SizeMost-size {
		return nil, root, tooLarge()
	}
	edge, err := readEdge(size, stored)
	if err != nil {
		return nil, root, err
	}
	added = make([]canon.Digest, 0, 2*len(leaves))
	for _, leaf := range leaves {
		added = edge.AppendTo(added, leaf)
	}
	return added, edge.Root(), nil
}

// Root is the root of the first size leaves of a stored tree. Errors as [Append].
func Root(size uint64, stored tlog.HashReader) (canon.Digest, error) {
	if size > SizeMost {
		return canon.Digest{}, tooLarge()
	}
	edge, err := readEdge(size, stored)
	if err != nil {
		return canon.Digest{}, err
	}
	return edge.Root(), nil
}

// readEdge reads the right edge of a stored tree.
func readEdge(size uint64, stored tlog.HashReader) (canon.Edge, error) {
	if size == 0 {
		return canon.Edge{}, nil
	}
	var indexes []int64
	for rest, before := size, uint64(0); rest > 0; {
		level := bits.Len64(rest) - 1
		indexes = append(indexes, tlog.StoredHashIndex(level, int64(before>>level)))
		before += 1 << level
		rest &^= 1 << level
	}
	hashes, err := stored.ReadHashes(indexes)
	if err != nil || len(hashes) != len(indexes) {
		return canon.Edge{}, hashesUnreadable(err)
	}
	return canon.EdgeOf(size, fromHashes(hashes)), nil
}

// ProveInclusion gives the audit path of a leaf in the tree of a size, the hash next to the leaf
// first (RFC 6962, section 2.1.1). It returns Invalid with code index_outside_log when there is no such
// leaf; other errors as [Append].
func ProveInclusion(size, index uint64, stored tlog.HashReader) ([]canon.Digest, error) {
	if size > SizeMost {
		return nil, tooLarge()
	}
	if index >= size {
		return nil, fault.New(fault.Invalid, "index_outside_log", "the tree has %d leaves, numbered from 0", size)
	}
	proof, err := tlog.ProveRecord(int64(size), int64(index), stored)
	if err != nil {
		return nil, hashesUnreadable(err)
	}
	return fromHashes(proof), nil
}

// ProveConsistency gives the proof that the older tree is the beginning of the newer (RFC 6962, section
// 2.1.2). It is empty when the older tree is empty or the same. It returns Invalid with code
// index_outside_log when the older tree is the larger; other errors as [Append].
func ProveConsistency(older, newer uint64, stored tlog.HashReader) ([]canon.Digest, error) {
	switch {
	case newer > SizeMost:
		return nil, tooLarge()
	case older > newer:
		return nil, fault.New(fault.Invalid, "index_outside_log", "a tree of %d leaves cannot be the beginning of one of %d", older, newer)
	case older == 0 || older == newer:
		return nil, nil
	}
	proof, err := tlog.ProveTree(int64(newer), int64(older), stored)
	if err != nil {
		return nil, hashesUnreadable(err)
	}
	return fromHashes(proof), nil
}

// VerifyInclusion checks an audit path against a root (RFC 9162, section 2.1.3.2). It returns Corrupt
// with code inclusion_not_proven when leaf, index, size and path do not lead to it.
func VerifyInclusion(root canon.Digest, size, index uint64, leaf canon.Digest, path []canon.Digest) error {
	if !canon.Includes(root, size, index, leaf, path) {
		return inclusionNotProven()
	}
	return nil
}

// VerifyConsistency checks that the tree of the older size and root is the beginning of the newer one
// (RFC 9162, section 2.1.4.2). An empty tree is the beginning of every tree, and needs no proof. It
// returns Corrupt with code consistency_not_proven when sizes, roots and proof do not agree.
func VerifyConsistency(older uint64, olderRoot canon.Digest, newer uint64, newerRoot canon.Digest, proof []canon.Digest) error {
	switch {
	case older > newer:
		return consistencyNotProven()
	case older == newer:
		return consistent(len(proof) == 0 && olderRoot == newerRoot)
	case older == 0:
		return consistent(len(proof) == 0 && olderRoot == canon.Sum(nil))
	}
	if older&(older-1) == 0 {
		// The older tree is a node of the newer: its root begins the proof and is left out of it.
		proof = append([]canon.Digest{olderRoot}, proof...)
	}
	if len(proof) == 0 {
		return consistencyNotProven()
	}
	at, last := older-1, newer-1
	for ; at&1 == 1; at >>= 1 {
		last >>= 1
	}
	then, now := proof[0], proof[0]
	for _, hash := range proof[1:] {
		if last == 0 {
			return consistencyNotProven()
		}
		if at&1 == 1 || at == last {
			then, now = canon.NodeHash(hash, then), canon.NodeHash(hash, now)
			for at&1 == 0 && at != 0 {
				at, last = at>>1, last>>1
			}
		} else {
			now = canon.NodeHash(now, hash)
		}
		at, last = at>>1, last>>1
	}
	return consistent(last == 0 && then == olderRoot && now == newerRoot)
}

func consistent(proven bool) error {
	if !proven {
		return consistencyNotProven()
	}
	return nil
}

// HashFile reads stored hashes from a file that holds them in storage order, 32 bytes each, such as
// the sales tree of one block. It is as safe for concurrent use as the file.
func HashFile(file io.ReaderAt) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for at, index := range indexes {
			// A reader may report the end of the file together with the last bytes that were asked for.
			if n, err := file.ReadAt(hashes[at][:], index*tlog.HashSize); n < tlog.HashSize {
				return nil, fmt.Errorf("stored hash %d: %w", index, err)
			}
		}
		return hashes, nil
	})
}

// HashesFunc reads stored hashes with a function that gives, in the order that is asked for, the hashes
// with these numbers in storage order.
func HashesFunc(read func(indexes []int64) ([]canon.Digest, error)) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		digests, err := read(indexes)
		hashes := make([]tlog.Hash, len(digests))
		for at, digest := range digests {
			hashes[at] = tlog.Hash(digest)
		}
		return hashes, err
	})
}

func fromHashes[H ~[]tlog.Hash](hashes H) []canon.Digest {
	digests := make([]canon.Digest, len(hashes))
	for at, hash := range hashes {
		digests[at] = canon.Digest(hash)
	}
	return digests
}

func tooLarge() error {
	return fault.New(fault.Invalid, "tree_too_large", "a tree has at most %d leaves", uint64(SizeMost))
}

func hashesUnreadable(err error) error {
	if err == nil {
		err = fmt.Errorf("too few hashes")
	}
	return fault.New(fault.Unavailable, "hashes_unreadable", "the stored hashes of a tree cannot be read: %w", err).
		Next("restore the log's hashes from a backup, or make them again from its entries")
}

func inclusionNotProven() error {
	return fault.New(fault.Corrupt, "inclusion_not_proven", "the proof does not lead from the leaf to the root")
}

func consistencyNotProven() error {
	return fault.New(fault.Corrupt, "consistency_not_proven", "the proof does not show that the older tree is the beginning of the newer").
		Next("keep both signed checkpoints: a log may only grow")
}
