package publiclog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"

	"github.com/talonlottery/talon/verify/internal/merkle"
	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/source"
)

// bundleBytesMost is 256 entries of the largest size.
const bundleBytesMost = merkle.TileWidth * (2 + entryBytesMost)

// errMalformed says that a file is not what it should be; it is a finding, not a failure to read.
var errMalformed = errors.New("malformed")

// tilePath is the path of a tile of C2SP tlog-tiles. The level is "entries" for entries; a width of 256 is a full tile.
func tilePath(level string, n uint64, width int) string {
	number := fmt.Sprintf("%03d", n%1000)
	for n >= 1000 {
		n /= 1000
		number = fmt.Sprintf("x%03d/%s", n%1000, number)
	}
	path := "tile/" + level + "/" + number
	if width < merkle.TileWidth {
		path += fmt.Sprintf(".p/%d", width)
	}
	return path
}

// readTile reads a tile, partial or full. A log may drop a partial tile when the full one is there, which then begins with it; whole says
// which it was.
func readTile(ctx context.Context, s source.Source, level string, n uint64, width int, limit int64) (data []byte, whole bool, err error) {
	data, err = source.ReadAll(ctx, s, tilePath(level, n, width), limit)
	if errors.Is(err, fs.ErrNotExist) && width < merkle.TileWidth {
		if data, err := source.ReadAll(ctx, s, tilePath(level, n, merkle.TileWidth), limit); err == nil {
			return data, false, nil
		}
	}
	return data, true, err
}

// readEntries reads the entries of one bundle.
func readEntries(ctx context.Context, s source.Source, n uint64, width int) ([][]byte, error) {
	data, whole, err := readTile(ctx, s, "entries", n, width, bundleBytesMost)
	if err != nil {
		return nil, err
	}
	entries := make([][]byte, width)
	for i := range entries {
		if len(data) < 2 {
			return nil, fmt.Errorf("%s is too short: %w", tilePath("entries", n, width), errMalformed)
		}
		length := int(binary.BigEndian.Uint16(data))
		if len(data) < 2+length {
			return nil, fmt.Errorf("%s is too short: %w", tilePath("entries", n, width), errMalformed)
		}
		entries[i], data = data[2:2+length], data[2+length:]
	}
	if whole && len(data) > 0 {
		return nil, fmt.Errorf("%s is too long: %w", tilePath("entries", n, width), errMalformed)
	}
	return entries, nil
}

// readHashes reads the hashes of one tile.
func readHashes(ctx context.Context, s source.Source, level int, n uint64, width int) ([]notation.Digest, error) {
	data, whole, err := readTile(ctx, s, fmt.Sprint(level), n, width, merkle.TileWidth*32)
	if err != nil {
		return nil, err
	}
	if len(data) < width*32 || (whole && len(data) != width*32) {
		return nil, fmt.Errorf("%s has not %d hashes: %w", tilePath(fmt.Sprint(level), n, width), width, errMalformed)
	}
	hashes := make([]notation.Digest, width)
	for i := range hashes {
		hashes[i] = notation.Digest(data[32*i:])
	}
	return hashes, nil
}

// unusable says whether an error is a failure of the source instead of a finding.
func unusable(err error) bool {
	return err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errMalformed) && !errors.Is(err, source.ErrTooLarge)
}
