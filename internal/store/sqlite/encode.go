package sqlite

import (
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
)

func milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func instant(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds).UTC()
}

// encodeUnfinished packs the unfinished plays of a player into its row, which every sale writes
// anyway: one byte of length, the game's name, the play's identifier.
func encodeUnfinished(list []store.Unfinished) []byte {
	encoded := []byte{}
	for _, unfinished := range list {
		encoded = append(encoded, byte(len(unfinished.Game)))
		encoded = append(encoded, unfinished.Game...)
		encoded = append(encoded, unfinished.Play[:]...)
	}
	return encoded
}

func decodeUnfinished(encoded []byte) ([]store.Unfinished, error) {
	var list []store.Unfinished
	for len(encoded) > 0 {
		length := int(encoded[0])
		if len(encoded) < 1+length+16 {
			return nil, fault.New(fault.Corrupt, "storage_corrupt", "a player's unfinished plays cannot be read")
		}
		list = append(list, store.Unfinished{
			Game: string(encoded[1 : 1+length]),
			Play: block.PlayID(encoded[1+length : 1+length+16]),
		})
		encoded = encoded[1+length+16:]
	}
	return list, nil
}

func encodeCells(cells []int) ([]byte, error) {
	encoded := make([]byte, len(cells))
	for at, cell := range cells {
		if cell < 0 || cell > 255 {
			return nil, choiceMalformed()
		}
		encoded[at] = byte(cell)
	}
	if len(cells) == 0 {
		return nil, choiceMalformed()
	}
	return encoded, nil
}

func choiceMalformed() error {
	return fault.New(fault.Invalid, "choice_malformed", "a choice is at least one cell, numbered from 0 to 255")
}

func decodeCells(encoded []byte) []int {
	if encoded == nil {
		return nil
	}
	cells := make([]int, len(encoded))
	for at, cell := range encoded {
		cells[at] = int(cell)
	}
	return cells
}

// fixed copies bytes of a fixed size out of a row.
func fixed[T ~[16]byte | ~[32]byte](into *T, from []byte) error {
	if len(from) != len(*into) {
		return fault.New(fault.Corrupt, "storage_corrupt", "a record has %d bytes where %d are expected", len(from), len(*into))
	}
	for at := range from {
		(*into)[at] = from[at]
	}
	return nil
}
