package publiclog

import (
	"fmt"
	"iter"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

// Reader reads one signed state of a published log from its files, wherever they are, and believes
// nothing that the checkpoint's root does not confirm. It is not safe for concurrent use.
type Reader struct {
	read       func(path string) ([]byte, error)
	signed     []byte
	checkpoint Checkpoint
	tiles      tileCache
}

// OpenReader reads and opens a log's checkpoint. Read gives the bytes of the file with a path below
// the log's address or folder; it should refuse more than 17 MB. It returns Corrupt with code
// log_unreadable when the checkpoint cannot be read, and otherwise the errors of [OpenCheckpoint].
func OpenReader(read func(path string) ([]byte, error), key Key, witnesses []Key, need int) (*Reader, error) {
	signed, err := read(CheckpointPath)
	if err != nil {
		return nil, unreadable(CheckpointPath, err)
	}
	checkpoint, err := OpenCheckpoint(signed, key, witnesses, need)
	if err != nil {
		return nil, err
	}
	r := &Reader{read: read, signed: signed, checkpoint: checkpoint}
	r.tiles = tileCache{reader: r, kept: make(map[tlog.Tile][]byte)}
	return r, nil
}

// Checkpoint is the state that is read.
func (r *Reader) Checkpoint() Checkpoint { return r.checkpoint }

// Signed is the checkpoint as it was published, with its signatures.
func (r *Reader) Signed() []byte { return r.signed }

// Hashes gives the stored hashes of the tree, each confirmed by the checkpoint's root.
func (r *Reader) Hashes() tlog.HashReader {
	tree := tlog.Tree{N: int64(r.checkpoint.Size), Hash: tlog.Hash(r.checkpoint.Root)}
	return tlog.TileHashReader(tree, &r.tiles)
}

// ProveInclusion proves an entry to the checkpoint's root. It returns Invalid with code
// index_outside_log when there is no such entry, Corrupt with code log_root_wrong when the tiles do
// not give the root, and with code log_unreadable when one cannot be read.
func (r *Reader) ProveInclusion(index uint64) ([]canon.Digest, error) {
	path, err := ProveInclusion(r.checkpoint.Size, index, r.Hashes())
	return path, r.blame(err)
}

// ProveConsistency proves that the first older entries are the beginning of this log. Errors as
// [Reader.ProveInclusion].
func (r *Reader) ProveConsistency(older uint64) ([]canon.Digest, error) {
	proof, err := ProveConsistency(older, r.checkpoint.Size, r.Hashes())
	return proof, r.blame(err)
}

// Extends compares with an older checkpoint of the same log, one that was opened before. Errors as
// [Compare] and [Reader.ProveInclusion].
func (r *Reader) Extends(older Checkpoint) error {
	if older.Size >= r.checkpoint.Size {
		return Compare(older, r.checkpoint, nil)
	}
	proof, err := r.ProveConsistency(older.Size)
	if err != nil {
		return err
	}
	return Compare(older, r.checkpoint, proof)
}

// Entries gives the bytes of the entries from one number up to, not including, another, each
// confirmed by the checkpoint's root, with its number. It ends with the first error: those of
// [Reader.ProveInclusion].
func (r *Reader) Entries(from, to uint64) iter.Seq2[NumberedBytes, error] {
	return func(yield func(NumberedBytes, error) bool) {
		if from > to || to > r.checkpoint.Size {
			yield(NumberedBytes{}, fault.New(fault.Invalid, "index_outside_log", "the log has %d entries, numbered from 0", r.checkpoint.Size))
			return
		}
		for from < to {
			entries, err := r.confirmed(from / tileWidth)
			if err != nil {
				yield(NumberedBytes{}, err)
				return
			}
			for entries = entries[from%tileWidth:]; from < to && len(entries) > 0; from++ {
				if !yield(NumberedBytes{from, entries[0]}, nil) {
					return
				}
				entries = entries[1:]
			}
		}
	}
}

// NumberedBytes is an entry as it was published, with its place in the log.
type NumberedBytes struct {
	Index uint64
	Raw   []byte
}

// confirmed reads a tile of entries and compares it with leaves that the root confirms.
func (r *Reader) confirmed(n uint64) ([][]byte, error) {
	tile := r.tile(levelEntries, n)
	entries, err := r.bundle(tile)
	if err != nil {
		return nil, err
	}
	indexes := make([]int64, tile.W)
	for at := range indexes {
		indexes[at] = tlog.StoredHashIndex(0, tile.N*tileWidth+int64(at))
	}
	leaves, err := r.Hashes().ReadHashes(indexes)
	if err != nil {
		return nil, r.blame(hashesUnreadable(err))
	}
	for at, entry := range entries {
		if Leaf(entry) != canon.Digest(leaves[at]) {
			return nil, rootWrong("entry %d is not the one that the root confirms", n*tileWidth+uint64(at))
		}
	}
	return entries, nil
}

// tile is a tile of the log at the size of its checkpoint.
func (r *Reader) tile(level int, n uint64) tlog.Tile {
	width := min(levelCount(r.checkpoint.Size, level)-n*tileWidth, tileWidth)
	return tlog.Tile{H: tileHeight, L: level, N: int64(n), W: int(width)}
}

// fetch reads a tile. When a partial one is gone, as it may be once its tile is full, the full one is
// asked for, and its beginning is the same.
func (r *Reader) fetch(tile tlog.Tile) ([]byte, bool, error) {
	bytes, err := r.read(tilePath(tile))
	if err == nil {
		return bytes, false, nil
	}
	if tile.W < tileWidth {
		full := tile
		full.W = tileWidth
		if bytes, fullErr := r.read(tilePath(full)); fullErr == nil {
			return bytes, true, nil
		}
	}
	return nil, false, unreadable(tilePath(tile), err)
}

func (r *Reader) bundle(tile tlog.Tile) ([][]byte, error) {
	bytes, full, err := r.fetch(tile)
	if err != nil {
		return nil, err
	}
	width := tile.W
	if full {
		width = tileWidth
	}
	entries, err := unbundle(bytes, width)
	if err != nil {
		return nil, unreadable(tilePath(tile), err)
	}
	return entries[:tile.W], nil
}

func (r *Reader) hashes(tile tlog.Tile) ([]byte, error) {
	bytes, full, err := r.fetch(tile)
	if err != nil {
		return nil, err
	}
	width := tile.W
	if full {
		width = tileWidth
	}
	if len(bytes) != width*tlog.HashSize {
		return nil, unreadable(tilePath(tile), fmt.Errorf("it has %d bytes instead of %d", len(bytes), width*tlog.HashSize))
	}
	return bytes[:tile.W*tlog.HashSize], nil
}

// blame turns what package tlog says of tiles that contradict the root into our own word, and lets
// an unreadable file be one.
func (r *Reader) blame(err error) error {
	if fault.CodeOf(err) != "hashes_unreadable" {
		return err
	}
	if failed := r.tiles.failed; failed != nil {
		r.tiles.failed = nil
		return failed
	}
	return rootWrong("the tiles do not give the checkpoint's root")
}

// tileCacheMost is how many confirmed tiles are kept: 2 MB.
const tileCacheMost = 256

// tileCache reads tiles for package tlog and keeps those that were confirmed.
type tileCache struct {
	reader *Reader
	kept   map[tlog.Tile][]byte
	failed error // why the last reading failed
}

func (*tileCache) Height() int { return tileHeight }

func (c *tileCache) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	read := make([][]byte, len(tiles))
	for at, tile := range tiles {
		if kept, ok := c.kept[tile]; ok {
			read[at] = kept
			continue
		}
		var err error
		if read[at], err = c.reader.hashes(tile); err != nil {
			c.failed = err
			return nil, err
		}
	}
	return read, nil
}

func (c *tileCache) SaveTiles(tiles []tlog.Tile, data [][]byte) {
	for at, tile := range tiles {
		if len(c.kept) >= tileCacheMost {
			clear(c.kept)
		}
		c.kept[tile] = data[at]
	}
}

func unreadable(path string, err error) error {
	return fault.New(fault.Corrupt, "log_unreadable", "the log's file cannot be used: %w", err).At(path).
		Next("fetch the whole log again; a file of a public log is never missing")
}

func rootWrong(format string, arguments ...any) error {
	return fault.New(fault.Corrupt, "log_root_wrong", format, arguments...).
		Next("fetch the log again, from another mirror too; if it stays so, keep the signed checkpoint and these files")
}
