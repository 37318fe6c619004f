package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"

	"github.com/talonlottery/talon/verify/internal/deal"
	"github.com/talonlottery/talon/verify/internal/merkle"
	"github.com/talonlottery/talon/verify/internal/notation"
)

// pass goes once through all units with their tiles and sales: steps 5 to 8. Files are read in one goroutine, chunks are computed in
// several, and what depends on the order is followed in the caller's.
type pass struct {
	*auditor
	tallies
	tiles, sales io.ReadCloser // nil when the file is not there
	soldUnits    int           // by the log
	saleCount    int           // sales that the file has, of those
	unitTree     merkle.Tree   // over the roots of chunks
	tileTree     merkle.Tree
	tileRoots    []notation.Digest // of full tiles
	tileHashes   int               // hashes of level 0 that the file has
	saleCheck    *saleCheck
	plays        map[notation.ID]bool // that bought a participation; nil for a block of units
}

// pass makes steps 5 to 8. Without a block it checks what needs no units.
func (a *auditor) pass(block *deal.Block) (*pass, error) {
	p := &pass{auditor: a, soldUnits: a.history.sold()}
	p.saleCheck = newSaleCheck(&a.history)
	var err error
	tilesPath, salesPath := "blocks/"+a.history.id.String()+".tiles", "sales/"+a.history.id.String()+".sales"
	if p.tiles, err = a.open(tilesPath); err != nil {
		return nil, err
	}
	if p.sales, err = a.open(salesPath); err != nil {
		return nil, err
	}
	defer closeAll(p.tiles, p.sales)
	if block != nil && block.Definition.Jackpot != nil {
		p.plays = make(map[notation.ID]bool)
	}
	if block != nil || p.tiles != nil || p.sales != nil {
		if err := p.run(block); err != nil {
			return nil, err
		}
	}
	p.conclude(block, tilesPath, salesPath)
	return p, nil
}

// open opens a file of the block; it is nil when there is none.
func (a *auditor) open(path string) (io.ReadCloser, error) {
	file, err := a.source.Open(a.ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file, err
}

func closeAll(files ...io.ReadCloser) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// run sends chunks through the workers and follows them in order.
func (p *pass) run(block *deal.Block) error {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	room := 4 * workers
	ordered, work := make(chan *chunk, room), make(chan *chunk, room)
	spare := make(chan *chunk, room)
	for range room {
		spare <- &chunk{done: make(chan struct{}, 1)}
	}
	var failed error // set before ordered is closed
	go func() {
		defer close(ordered)
		defer close(work)
		failed = p.read(ctx, spare, ordered, work)
	}()
	for range workers {
		w := &worker{sold: p.soldUnits, leaves: notation.NewLeaves(p.history.id)}
		if block != nil {
			w.dealer, w.jackpot = block.Dealer(), block.Definition.Jackpot != nil
		}
		go func() {
			for c := range work {
				w.compute(c)
				c.done <- struct{}{}
			}
		}()
	}
	for c := range ordered {
		<-c.done
		p.follow(c)
		p.options.Progress("units", uint64(c.first+c.count), p.history.seal.Size)
		spare <- c
	}
	return failed
}

// read fills chunks from the files.
func (p *pass) read(ctx context.Context, spare, ordered, work chan *chunk) error {
	size := int(p.history.seal.Size)
	for first := 0; first < size; first += chunkUnits {
		var c *chunk
		select {
		case c = <-spare:
		case <-ctx.Done():
			return ctx.Err()
		}
		c.first, c.count = first, min(size-first, chunkUnits)
		var err error
		if c.tile, err = readUpTo(p.tiles, c.tile, c.count*hashBytes); err != nil {
			return err
		}
		if c.sales, err = readUpTo(p.sales, c.sales, max(0, min(c.count, p.soldUnits-first))*saleBytes); err != nil {
			return err
		}
		ordered <- c
		work <- c
	}
	return nil
}

// readUpTo reads size bytes, or fewer when the file ends.
func readUpTo(file io.Reader, buffer []byte, size int) ([]byte, error) {
	if file == nil || size == 0 {
		return buffer[:0], nil
	}
	if cap(buffer) < size {
		buffer = make([]byte, size)
	}
	n, err := io.ReadFull(file, buffer[:size])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return buffer[:n], err
}

// follow takes a chunk that was computed, in order.
func (p *pass) follow(c *chunk) {
	p.join(&c.tallies)
	p.unitTree.Append(c.root)
	p.tileHashes += len(c.tile) / hashBytes
	if len(c.tile) == c.count*hashBytes {
		p.tileTree.Append(c.tileRoot)
		if c.count == chunkUnits {
			p.tileRoots = append(p.tileRoots, c.tileRoot)
		}
	}
	for k := range len(c.sales) / saleBytes {
		play, at := c.sale(k)
		if p.plays != nil {
			if p.plays[play] {
				p.playWrong.add(c.first + k)
			}
			p.plays[play] = true
		}
		p.saleCheck.add(at, c.saleLeaves[k])
		p.saleCount++
	}
}

// conclude makes the findings of steps 5 to 8.
func (p *pass) conclude(block *deal.Block, tilesPath, salesPath string) {
	if p.unread.count > 0 {
		p.add("layout_not_prize", fmt.Sprintf("unit %d", p.unread.first), "its layout does not read as its prize; %d such units", p.unread.count)
	}
	undealt := p.unread.count > 0 // then units are not what their leaves can be compared with
	if block != nil && !undealt && p.unitTree.Root() != p.history.seal.Root {
		p.add("root_wrong", "seal", "the units give the root %s", p.unitTree.Root())
	}
	if !undealt && p.leafWrong.count > 0 {
		p.add("leaf_wrong", fmt.Sprintf("unit %d", p.leafWrong.first), "its leaf is not the published one; %d such units", p.leafWrong.count)
	}
	if p.tiles == nil {
		p.add("tiles_missing", tilesPath, "the file is not there")
	} else if what := p.tilesWrong(); what != "" {
		p.add("tiles_wrong", tilesPath, "%s", what)
	}
	if p.saleCount < p.soldUnits {
		p.add("sales_missing", salesPath, "%d sales instead of %d", p.saleCount, p.soldUnits)
	}
	if p.playWrong.count > 0 {
		p.add("sale_not_of_unit", fmt.Sprintf("sale %d", p.playWrong.first), "its play is not that of the unit; %d such sales", p.playWrong.count)
	}
	p.saleCheck.conclude(&p.report.Findings)
}

// tilesWrong checks the whole file of tiles: block.md, section 9. It says what is wrong.
func (p *pass) tilesWrong() string {
	if p.tileHashes < int(p.history.seal.Size) {
		return "the file is too short"
	}
	if p.tileTree.Root() != p.history.seal.Root {
		return "level 0 does not give the seal's root"
	}
	var buffer []byte
	for level, number := p.tileRoots, 1; len(level) > 0; number++ {
		var err error
		if buffer, err = readUpTo(p.tiles, buffer, len(level)*hashBytes); err != nil || len(buffer) < len(level)*hashBytes {
			return fmt.Sprintf("level %d is not whole", number)
		}
		var above []notation.Digest
		for i, hash := range level {
			if notation.Digest(buffer[i*hashBytes:]) != hash {
				return fmt.Sprintf("hash %d of level %d is not that of its tile", i, number)
			}
			if i%chunkUnits == chunkUnits-1 {
				full := [chunkUnits]notation.Digest(level[i+1-chunkUnits:])
				above = append(above, merkle.RootOfFullTile(&full))
			}
		}
		level = above
	}
	if n, _ := io.CopyN(io.Discard, p.tiles, 1); n > 0 {
		return "something follows the last level"
	}
	return ""
}
