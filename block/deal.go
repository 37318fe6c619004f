package block

import (
	"context"
	"io"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/mechanic"
)

// Deal is what is published of a block that was dealt: the root over all its units, in order.
type Deal struct {
	Header     Header       `json:"header"`
	Root       canon.Digest `json:"root"`
	Commitment canon.Digest `json:"commitment"`
}

// progressSteps is how often a deal reports: about every hundredth of the block.
const progressSteps = 100

// Deal opens every unit in order, reads its layout back, recounts the prizes against the published
// table, and writes the leaf hashes as tiles (see [Tiles]). It returns Corrupt when anything
// disagrees, the context's error when it ends first, and Unavailable with code tiles_not_written
// when the writer fails; what was written is then worthless. Progress may be nil.
func (d *Dealer) Deal(ctx context.Context, tiles io.Writer, progress func(done, total uint32)) (Deal, error) {
	tree := newTreeWriter(tiles)
	prizes, losing := make([]uint32, d.units.tiers()), uint32(0)
	var unit Unit
	step := max(d.header.Size/progressSteps, 1)
	for index := range d.header.Size {
		if index%step == 0 {
			if err := ctx.Err(); err != nil {
				return Deal{}, err
			}
			if progress != nil {
				progress(index, d.header.Size)
			}
		}
		if err := d.Unit(index, &unit); err != nil {
			return Deal{}, err
		}
		if unit.Tier == mechanic.Losing {
			losing++
		} else {
			prizes[unit.Tier]++
		}
		if err := tree.append(d.header.Leaf(&unit)); err != nil {
			return Deal{}, tilesNotWritten(err)
		}
	}
	if err := d.units.check(prizes, losing); err != nil {
		return Deal{}, err
	}
	root, err := tree.finish()
	if err != nil {
		return Deal{}, tilesNotWritten(err)
	}
	if progress != nil {
		progress(d.header.Size, d.header.Size)
	}
	return Deal{Header: d.header, Root: root, Commitment: d.commitment}, nil
}

func tilesNotWritten(err error) error {
	return fault.New(fault.Unavailable, "tiles_not_written", "the block's tiles could not be written: %w", err).
		Next("make room on the disk; the block is dealt anew")
}
