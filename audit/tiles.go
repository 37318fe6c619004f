package audit

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"

	"github.com/talonlottery/talon/canon"
)

// tileWidth is the number of hashes in a full tile.
const tileWidth = 256

// levels builds the tiles of a tree as its leaves arrive, and keeps all of them but the leaves.
type levels struct {
	edge  canon.Edge
	tiles []canon.Edge // level by level, the tile that is being filled
	above [][]canon.Digest
}

func (l *levels) add(leaf canon.Digest) {
	l.edge.Append(leaf)
	l.push(0, leaf)
}

func (l *levels) push(level int, hash canon.Digest) {
	if level == len(l.tiles) {
		l.tiles = append(l.tiles, canon.Edge{})
		l.above = append(l.above, nil)
	}
	if level > 0 {
		l.above[level] = append(l.above[level], hash)
	}
	tile := &l.tiles[level]
	tile.Append(hash)
	if tile.Size() == tileWidth {
		root := tile.Root()
		*tile = canon.Edge{}
		l.push(level+1, root)
	}
}

// tilesCheck compares units that are dealt again with the published tiles.
type tilesCheck struct {
	path      string
	file      fs.File
	reader    *bufio.Reader
	missing   error
	short     bool // the file ends too early
	hash      canon.Digest
	dealt     levels
	different uint32 // leaves
	first     uint32
}

const readAhead = 1 << 16

func (c *checker) openTiles() *tilesCheck {
	t := &tilesCheck{path: "blocks/" + c.seal.Block.String() + ".tiles"}
	if t.file, t.missing = c.publication.files.Open(t.path); t.missing == nil {
		t.reader = bufio.NewReaderSize(t.file, readAhead)
	}
	return t
}

func (t *tilesCheck) close() {
	if t.file != nil {
		_ = t.file.Close() // it was only read
	}
}

// next reads the next hash of the file.
func (t *tilesCheck) next() (hash canon.Digest, ok bool) {
	if t.missing != nil || t.short {
		return hash, false
	}
	if _, err := io.ReadFull(t.reader, t.hash[:]); err != nil {
		t.short = true
		return hash, false
	}
	return t.hash, true
}

// compare takes the leaf of the next unit as it was dealt again.
func (t *tilesCheck) compare(leaf canon.Digest) {
	if published, ok := t.next(); ok && published != leaf {
		if t.different == 0 {
			t.first = uint32(t.dealt.edge.Size())
		}
		t.different++
	}
	t.dealt.add(leaf)
}

// finish takes step 6.
func (t *tilesCheck) finish(c *checker) {
	root := t.dealt.edge.Root()
	if root != c.seal.Root {
		c.find("root_wrong", c.entry(c.history.Seal.Index), "the units give the root %s, and the seal has %s", root, c.seal.Root)
	}
	if t.missing != nil {
		t.report(c)
		return
	}
	if t.different > 0 {
		c.find("leaf_wrong", fmt.Sprintf("unit %d", t.first), "the published leaf is not that of the unit; so with %d units", t.different)
		t.reread(c)
		return
	}
	if !t.short && root == c.seal.Root && t.above(&t.dealt) {
		return
	}
	t.wrong(c)
}

func (t *tilesCheck) report(c *checker) {
	c.find("tiles_missing", t.path, "it cannot be read: %v", t.missing)
}

func (t *tilesCheck) wrong(c *checker) {
	c.find("tiles_wrong", t.path, "it does not hold a tree with the root that was sealed")
}

// above reports whether the rest of the file is exactly the levels above the leaves.
func (t *tilesCheck) above(l *levels) bool {
	for level := 1; level < len(l.above); level++ {
		for _, hash := range l.above[level] {
			if published, ok := t.next(); !ok || published != hash {
				return false
			}
		}
	}
	_, err := t.reader.ReadByte()
	return err == io.EOF
}

// reread judges the file for itself: where its leaves are not those of the units, and where no unit can
// be dealt again.
func (t *tilesCheck) reread(c *checker) {
	t.close()
	if t.file, t.missing = c.publication.files.Open(t.path); t.missing != nil {
		t.report(c)
		return
	}
	t.reader, t.short = bufio.NewReaderSize(t.file, readAhead), false
	t.alone(c)
}

func (t *tilesCheck) alone(c *checker) {
	var published levels
	for range c.seal.Size {
		hash, ok := t.next()
		if !ok {
			break
		}
		published.add(hash)
	}
	if t.short || published.edge.Root() != c.seal.Root || !t.above(&published) {
		t.wrong(c)
	}
}
