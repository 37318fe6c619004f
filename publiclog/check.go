package publiclog

import (
	"github.com/talonlottery/talon/canon"
)

// Check reads the whole log: every entry, and every tile of every level, and holds both against each
// other and against the checkpoint's root. Visit, which may be nil, is given each entry in order as
// it is read; nothing of it is to be believed before Check has returned nil. Memory does not grow with
// the log. It returns Corrupt with code log_unreadable or log_root_wrong, or the first error of visit.
func (r *Reader) Check(visit func(entry NumberedBytes) error) error {
	var edge canon.Edge
	c := tileCheck{reader: r}
	for n := uint64(0); n*tileWidth < r.checkpoint.Size; n++ {
		entries, err := r.bundle(r.tile(levelEntries, n))
		if err != nil {
			return err
		}
		for at, entry := range entries {
			leaf := Leaf(entry)
			edge.Append(leaf)
			if err := c.add(0, leaf); err != nil {
				return err
			}
			if visit == nil {
				continue
			}
			if err := visit(NumberedBytes{n*tileWidth + uint64(at), entry}); err != nil {
				return err
			}
		}
	}
	if err := c.finish(); err != nil {
		return err
	}
	if edge.Root() != r.checkpoint.Root {
		return rootWrong("the %d entries do not give the checkpoint's root", r.checkpoint.Size)
	}
	return nil
}

// tileCheck computes the tiles of every level from the leaves, and compares them with the
// published ones.
type tileCheck struct {
	reader *Reader
	levels []levelCheck
}

type levelCheck struct {
	hashes []canon.Digest // of the tile that is being filled
	tile   uint64         // its number
}

func (c *tileCheck) add(level int, hash canon.Digest) error {
	if level == len(c.levels) {
		c.levels = append(c.levels, levelCheck{hashes: make([]canon.Digest, 0, tileWidth)})
	}
	l := &c.levels[level]
	l.hashes = append(l.hashes, hash)
	if len(l.hashes) < tileWidth {
		return nil
	}
	if err := c.compare(level); err != nil {
		return err
	}
	var edge canon.Edge
	for _, hash := range l.hashes {
		edge.Append(hash)
	}
	l.hashes, l.tile = l.hashes[:0], l.tile+1
	return c.add(level+1, edge.Root())
}

// finish compares the partial tiles that end the levels.
func (c *tileCheck) finish() error {
	for level := range c.levels {
		if len(c.levels[level].hashes) == 0 {
			continue
		}
		if err := c.compare(level); err != nil {
			return err
		}
	}
	return nil
}

func (c *tileCheck) compare(level int) error {
	l := &c.levels[level]
	tile := c.reader.tile(level, l.tile)
	bytes, err := c.reader.hashes(tile)
	if err != nil {
		return err
	}
	published, err := unhash(bytes, len(l.hashes))
	if err != nil {
		return unreadable(tilePath(tile), err)
	}
	for at, hash := range l.hashes {
		if published[at] != hash {
			return rootWrong("tile %s does not hold the hash that the entries give at place %d", tilePath(tile), at)
		}
	}
	return nil
}
