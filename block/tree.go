package block

import (
	"io"

	"github.com/talonlottery/talon/canon"
)

// tileWidth is the number of hashes in a full tile: tiles are of height 8, as in C2SP tlog-tiles.
const tileWidth = 256

// treeWriter writes the tiles of a tree as its leaves arrive. Level 0 goes straight to the writer,
// gathered into large writes; the levels above, a 256th of it, are kept and follow at the end.
type treeWriter struct {
	out      io.Writer
	gathered []byte
	// open holds, level by level, the hashes of the tile that is not full yet.
	open [][]canon.Digest
	// above holds every hash of the levels from 1 on, in order.
	above [][]canon.Digest
}

const gatheredMost = 1 << 16

func newTreeWriter(out io.Writer) *treeWriter {
	return &treeWriter{out: out, gathered: make([]byte, 0, gatheredMost)}
}

func (t *treeWriter) append(leaf canon.Digest) error {
	if err := t.write(leaf); err != nil {
		return err
	}
	t.push(0, leaf)
	return nil
}

func (t *treeWriter) write(hash canon.Digest) error {
	t.gathered = append(t.gathered, hash[:]...)
	if len(t.gathered) < gatheredMost {
		return nil
	}
	return t.flush()
}

func (t *treeWriter) flush() error {
	_, err := t.out.Write(t.gathered)
	t.gathered = t.gathered[:0]
	return err
}

func (t *treeWriter) push(level int, hash canon.Digest) {
	if level == len(t.open) {
		t.open = append(t.open, make([]canon.Digest, 0, tileWidth))
		t.above = append(t.above, nil)
	}
	if level > 0 {
		t.above[level] = append(t.above[level], hash)
	}
	t.open[level] = append(t.open[level], hash)
	if len(t.open[level]) == tileWidth {
		root := complete(t.open[level])
		t.open[level] = t.open[level][:0]
		t.push(level+1, root)
	}
}

// finish writes the levels above the leaves and gives the root of the tree.
func (t *treeWriter) finish() (canon.Digest, error) {
	for level := 1; level < len(t.above); level++ {
		for _, hash := range t.above[level] {
			if err := t.write(hash); err != nil {
				return canon.Digest{}, err
			}
		}
	}
	if err := t.flush(); err != nil {
		return canon.Digest{}, err
	}
	// The tree is the complete subtrees of falling size that its open tiles hold, folded from the right.
	var roots []canon.Digest
	for level := len(t.open) - 1; level >= 0; level-- {
		rest := t.open[level]
		for size := tileWidth / 2; size > 0; size /= 2 {
			if len(rest) >= size {
				roots = append(roots, complete(rest[:size]))
				rest = rest[size:]
			}
		}
	}
	return canon.FoldRoots(roots), nil
}

// complete is the root of a complete subtree whose lowest hashes are given: a power of two of them,
// at most a tile.
func complete(hashes []canon.Digest) canon.Digest {
	var work [tileWidth]canon.Digest
	n := copy(work[:], hashes)
	for ; n > 1; n /= 2 {
		for i := range n / 2 {
			work[i] = canon.NodeHash(work[2*i], work[2*i+1])
		}
	}
	return work[0]
}
