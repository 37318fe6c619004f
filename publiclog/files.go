package publiclog

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

const (
	// CheckpointPath is the path of the newest checkpoint below a log's address.
	CheckpointPath = "checkpoint"
	// tileHeight is the height of a tile: 256 hashes or entries.
	tileHeight = 8
	tileWidth  = 1 << tileHeight
	// levelEntries stands for the tiles of entries, as package tlog has it.
	levelEntries = -1
)

// tilePath gives the path of a tile (C2SP tlog-tiles).
func tilePath(tile tlog.Tile) string {
	path := strings.TrimPrefix(tile.Path(), "tile/8/")
	if entries, ok := strings.CutPrefix(path, "data/"); ok {
		path = "entries/" + entries
	}
	return "tile/" + path
}

// parseTilePath reads the path of a tile, strictly: one tile has one path.
func parseTilePath(path string) (tlog.Tile, bool) {
	rest, ok := strings.CutPrefix(path, "tile/")
	if !ok || len(path) > 100 {
		return tlog.Tile{}, false
	}
	if entries, ok := strings.CutPrefix(rest, "entries/"); ok {
		rest = "data/" + entries
	} else if level, _, _ := strings.Cut(rest, "/"); level == "data" {
		return tlog.Tile{}, false
	}
	tile, err := tlog.ParseTilePath("tile/" + strconv.Itoa(tileHeight) + "/" + rest)
	return tile, err == nil && tile.L < 64
}

// levelCount is how many hashes a level of tiles has, or how many entries.
func levelCount(size uint64, level int) uint64 {
	if level == levelEntries {
		return size
	}
	return size >> (tileHeight * level) // 0 when shifted out
}

// Paths lists the tiles of a tree, those of entries included, as they are exported: every full
// tile, and the partial ones that end the levels.
func Paths(size uint64) []string {
	var paths []string
	for level := levelEntries; level < 64 && levelCount(size, level) > 0; level++ {
		count := levelCount(size, level)
		for n := uint64(0); n*tileWidth < count; n++ {
			width := min(count-n*tileWidth, tileWidth)
			paths = append(paths, tilePath(tlog.Tile{H: tileHeight, L: level, N: int64(n), W: int(width)}))
		}
	}
	return paths
}

// File renders the file with a path below `tile/` for a tree of a size. Stored hashes are those of the
// tree; entries gives the entries from one number up to, not including, another. A partial tile is
// rendered when the tree holds its hashes, also when the tree has grown since: whoever has an older
// checkpoint asks for it. It returns NotFound with code tile_unknown for every other path, and
// otherwise the errors of its sources.
func File(path string, size uint64, stored tlog.HashReader, entries func(from, to uint64) ([][]byte, error)) ([]byte, error) {
	tile, ok := parseTilePath(path)
	if !ok || size > SizeMost {
		return nil, tileUnknown()
	}
	from := uint64(tile.N) * tileWidth
	if uint64(tile.N) >= SizeMost/tileWidth || from+uint64(tile.W) > levelCount(size, tile.L) {
		return nil, tileUnknown()
	}
	if tile.L == levelEntries {
		list, err := entries(from, from+uint64(tile.W))
		if err != nil {
			return nil, err
		}
		return bundle(list, tile.W)
	}
	hashes, err := tlog.ReadTileData(tile, stored)
	if err != nil {
		return nil, hashesUnreadable(err)
	}
	return hashes, nil
}

// bundle joins entries, each after two bytes of length.
func bundle(entries [][]byte, width int) ([]byte, error) {
	if len(entries) != width {
		return nil, fault.New(fault.Internal, "entries_wrong", "%d entries were given instead of %d", len(entries), width)
	}
	var joined []byte
	for _, entry := range entries {
		if len(entry) > EntryBytesMost {
			return nil, fault.New(fault.Internal, "entries_wrong", "an entry has %d bytes, and %d is the most", len(entry), EntryBytesMost)
		}
		joined = binary.BigEndian.AppendUint16(joined, uint16(len(entry)))
		joined = append(joined, entry...)
	}
	return joined, nil
}

// unbundle takes a tile of entries apart. The entries share its memory.
func unbundle(joined []byte, width int) ([][]byte, error) {
	entries := make([][]byte, 0, width)
	for len(joined) > 0 && len(entries) < width {
		if len(joined) < 2 {
			break
		}
		length := int(binary.BigEndian.Uint16(joined))
		if len(joined) < 2+length {
			break
		}
		entries = append(entries, joined[2:2+length:2+length])
		joined = joined[2+length:]
	}
	if len(joined) > 0 || len(entries) != width {
		return nil, fmt.Errorf("it does not hold %d entries", width)
	}
	return entries, nil
}

// unhash takes a tile of hashes apart.
func unhash(joined []byte, width int) ([]canon.Digest, error) {
	const size = len(canon.Digest{})
	if len(joined) != width*size {
		return nil, fmt.Errorf("it has %d bytes instead of %d", len(joined), width*size)
	}
	hashes := make([]canon.Digest, width)
	for at := range hashes {
		hashes[at] = canon.Digest(joined[at*size:])
	}
	return hashes, nil
}

func tileUnknown() error {
	return fault.New(fault.NotFound, "tile_unknown", "the log has no such file").
		Next("read the checkpoint, and ask for the tiles of a tree of its size")
}
