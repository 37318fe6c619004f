// Package receipt verifies a player's receipt offline: receipt.md.
package receipt

import (
	"errors"

	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/strictjson"
)

const (
	format       = "talon-receipt/1"
	bytesMost    = 65_536
	pathMost     = 64  // hashes of a path: no tree is higher
	layoutMost   = 255 // bytes
	prizeMost    = 10_000_000_000_000
	winningByte  = 1
	kindUnit     = "unit"
	kindJackpot  = "participation"
	statusWhole  = "complete"
	statusPartly = "provisional"
	statusFailed = "refused"
)

// Receipt is a receipt that was read, not yet verified.
type Receipt struct {
	Play          notation.ID
	At            int64 // milliseconds since 1970
	Unit          Part
	Participation *Part
	Win           *Proof // of the jackpot-win entry
	Checkpoint    string
}

// Part is a unit, or a participation.
type Part struct {
	Index  uint64
	Prize  int64 // ten-thousandths of the currency unit
	Layout []byte
	Salt   notation.Salt
	Path   []notation.Digest
	Seal   Proof
	Sales  *Sales // nil while the receipt is provisional
}

// Proof is an entry of the public log with its place.
type Proof struct {
	Entry string
	Index uint64
	Path  []notation.Digest
}

// Sales is the place in a block's order of sales.
type Sales struct {
	Path []notation.Digest // in the sales tree
	Proof
}

// Parse reads a receipt: receipt.md, step 1.
func Parse(data []byte) (*Receipt, error) {
	if len(data) > bytesMost {
		return nil, errors.New("larger than 65 536 bytes")
	}
	value, err := strictjson.Parse(data)
	if err != nil {
		return nil, err
	}
	f := strictjson.FieldsOf(value)
	r := &Receipt{Play: f.ID("play"), At: int64(f.Whole("at")), Checkpoint: f.Text("checkpoint")}
	if f.Text("format") != format {
		f.Fail("format", "not "+format)
	}
	r.Unit = parsePart(f.Object(kindUnit))
	if f.Has(kindJackpot) {
		p := parsePart(f.Object(kindJackpot))
		r.Participation = &p
		if p.Prize != 0 {
			f.Fail("participation.prize", "not 0")
		}
	}
	if f.Has("win") {
		win := f.Object("win")
		p := parseProof(win, "path")
		r.Win = &p
		_ = win.End() // the error is f's
	}
	return r, f.End()
}

func parsePart(f *strictjson.Fields) Part {
	p := Part{Index: f.Whole("index"), Prize: int64(f.Whole("prize")), Salt: notation.Salt(f.Hex("salt", 16)), Path: path(f, "path")}
	text := f.Text("layout")
	layout, err := notation.ParseHex(text, len(text)/2)
	if err != nil || len(layout) > layoutMost {
		f.Fail("layout", "not a layout in hexadecimal")
	}
	if p.Layout = layout; p.Prize > prizeMost {
		f.Fail("prize", "too large")
	}
	seal := f.Object("seal")
	p.Seal = parseProof(seal, "path")
	_ = seal.End()
	if f.Has("sales") {
		sales := f.Object("sales")
		p.Sales = &Sales{Path: path(sales, "path"), Proof: parseProof(sales, "log")}
		_ = sales.End()
	}
	_ = f.End()
	return p
}

func parseProof(f *strictjson.Fields, key string) Proof {
	return Proof{Entry: f.Text("entry"), Index: f.Whole("index"), Path: path(f, key)}
}

func path(f *strictjson.Fields, key string) []notation.Digest {
	hashes := f.Digests(key)
	if len(hashes) > pathMost {
		f.Fail(key, "too long")
	}
	return hashes
}
