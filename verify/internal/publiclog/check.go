package publiclog

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/talonlottery/talon/verify/internal/finding"
	"github.com/talonlottery/talon/verify/internal/merkle"
	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/signednote"
	"github.com/talonlottery/talon/verify/internal/source"
)

// Options are what a log is checked with.
type Options struct {
	Keys  signednote.Keys
	Older []byte // an older signed checkpoint, or nil

	// Visit is told every entry in order, nil in the place of one that is malformed. It may be nil.
	Visit func(index uint64, data []byte, e *Entry)

	// Progress is told how many entries were read. It may be nil.
	Progress func(done, all uint64)
}

// Result is what a log was found to be.
type Result struct {
	Size     uint64 // entries of the newest checkpoint
	Findings finding.List
}

const checkpointBytesMost = 65_536

// checker is the check of one log.
type checker struct {
	ctx     context.Context
	source  source.Source
	options Options
	result  Result
	leaves  []notation.Digest
}

// Check checks a log, whose files are below the source: publication.md, section 2. An error says that the source cannot be read at all.
func Check(ctx context.Context, s source.Source, options Options) (Result, error) {
	c := &checker{ctx: ctx, source: s, options: options}
	err := c.check()
	return c.result, err
}

func (c *checker) add(code, where, what string) { c.result.Findings.Add(code, where, what) }

// unreadable makes a finding of a file that is missing or malformed, and passes any other error on.
func (c *checker) unreadable(where string, err error) error {
	if unusable(err) {
		return err
	}
	c.add("log_unreadable", where, err.Error())
	return nil
}

func (c *checker) check() error {
	data, err := source.ReadAll(c.ctx, c.source, "checkpoint", checkpointBytesMost)
	if err != nil {
		return c.unreadable("checkpoint", err)
	}
	newest, ok := c.open("checkpoint", data, c.options.Keys)
	if !ok {
		return nil
	}
	c.result.Size = newest.Size
	complete, err := c.readEntries(newest.Size)
	if err != nil {
		return err
	}
	if complete {
		if merkle.Root(c.leaves) != newest.Root {
			c.add("log_root_wrong", "checkpoint", "the entries do not give the checkpoint's root")
		}
		if err := c.checkTiles(); err != nil {
			return err
		}
	}
	if c.options.Older != nil {
		// Witnesses are asked about the newest checkpoint only.
		if older, ok := c.open("older checkpoint", c.options.Older, signednote.Keys{Operator: c.options.Keys.Operator}); ok {
			c.compare(older, newest)
		}
	}
	return nil
}

// open opens a checkpoint; one that lacks a cosignature can still be followed.
func (c *checker) open(where string, data []byte, keys signednote.Keys) (signednote.Checkpoint, bool) {
	checkpoint, err := signednote.Open(data, keys)
	switch {
	case err == nil:
		return checkpoint, true
	case errors.Is(err, signednote.ErrCosignature):
		c.add("cosignature_missing", where, err.Error())
		return checkpoint, true
	case errors.Is(err, signednote.ErrSignature):
		c.add("checkpoint_signature_wrong", where, err.Error())
	default:
		c.add("log_unreadable", where, err.Error())
	}
	return checkpoint, false
}

// readEntries reads all entries and checks them against the rules. It says whether all could be read.
func (c *checker) readEntries(size uint64) (bool, error) {
	rules := newRules()
	for first := uint64(0); first < size; first += merkle.TileWidth {
		width := int(min(size-first, merkle.TileWidth))
		entries, err := readEntries(c.ctx, c.source, first/merkle.TileWidth, width)
		if err != nil {
			return false, c.unreadable(tilePath("entries", first/merkle.TileWidth, width), err)
		}
		for i, data := range entries {
			c.entry(rules, first+uint64(i), data)
		}
		if c.options.Progress != nil {
			c.options.Progress(first+uint64(width), size)
		}
	}
	return true, nil
}

func (c *checker) entry(rules *rules, index uint64, data []byte) {
	c.leaves = append(c.leaves, merkle.Leaf(data))
	where := fmt.Sprintf("entry %d", index)
	e, err := ParseEntry(data)
	if err != nil {
		c.add("entry_malformed", where, err.Error())
		e = nil
	} else {
		for _, b := range rules.add(e) {
			c.add(b.code, where, b.what)
		}
	}
	if c.options.Visit != nil {
		c.options.Visit(index, data, e)
	}
}

// checkTiles compares every tile with the hashes that the entries give.
func (c *checker) checkTiles() error {
	level := c.leaves
	for number := 0; len(level) > 0; number++ {
		var above []notation.Digest
		for first := 0; first < len(level); first += merkle.TileWidth {
			width := min(len(level)-first, merkle.TileWidth)
			n := uint64(first / merkle.TileWidth)
			path := tilePath(fmt.Sprint(number), n, width)
			hashes, err := readHashes(c.ctx, c.source, number, n, width)
			if err != nil {
				if err := c.unreadable(path, err); err != nil {
					return err
				}
			} else if !slices.Equal(hashes, level[first:first+width]) {
				c.add("log_root_wrong", path, "the tile does not hold the hashes that the entries give")
			}
			if width == merkle.TileWidth {
				full := [merkle.TileWidth]notation.Digest(level[first:])
				above = append(above, merkle.RootOfFullTile(&full))
			}
		}
		level = above
	}
	return nil
}

// compare checks that the log grew from an older checkpoint: log.md, section 3.
func (c *checker) compare(older, newest signednote.Checkpoint) {
	switch {
	case older.Size > newest.Size:
		c.add("log_rolled_back", "checkpoint", fmt.Sprintf("%d entries, %d before", newest.Size, older.Size))
	case older.Size == newest.Size:
		if older.Root != newest.Root {
			c.add("split_view", "checkpoint", fmt.Sprintf("two roots over %d entries: keep both signed notes", older.Size))
		}
	case older.Size > uint64(len(c.leaves)): // the entries could not be read, which was found already
	case merkle.Root(c.leaves[:older.Size]) != older.Root:
		c.add("log_rolled_back", "checkpoint", fmt.Sprintf("the first %d entries are not those of the older checkpoint", older.Size))
	}
}
