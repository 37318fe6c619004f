package receipt

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// LinkBytesMost is the longest short form that is read; a QR code holds less.
const LinkBytesMost = 1024

// Link is what a QR code holds of a receipt: the unit and when it was sold. With the published files it
// is completed to the receipt.
type Link struct {
	Play   block.PlayID
	Block  block.ID
	Index  uint64
	Prize  money.Amount
	Layout []byte
	Salt   [16]byte
	At     int64 // milliseconds since 1970, UTC
}

// Link is the short form of the receipt's unit, sold from a block.
func (r *Receipt) Link(id block.ID) Link {
	return Link{Play: r.Play, Block: id, Index: r.Unit.Index, Prize: r.Unit.Prize, Layout: r.Unit.Layout, Salt: r.Unit.Salt, At: r.At}
}

// Encode writes what follows the # of the link: PLAY.BLOCK.INDEX.PRIZE.LAYOUT.SALT.AT.
func (l *Link) Encode() string {
	return strings.Join([]string{
		l.Play.String(), l.Block.String(), strconv.FormatUint(l.Index, 10), strconv.FormatInt(int64(l.Prize), 10),
		hex.EncodeToString(l.Layout), hex.EncodeToString(l.Salt[:]), strconv.FormatInt(l.At, 10),
	}, ".")
}

// ParseLink reads what follows the # of a link. It returns Invalid with code link_malformed for
// anything that [Link.Encode] does not write.
func ParseLink(text string) (*Link, error) {
	malformed := fault.New(fault.Invalid, "link_malformed", "the link does not hold a receipt's short form").
		Next("scan the QR code again, or take the receipt's file")
	parts := strings.Split(text, ".")
	if len(text) > LinkBytesMost || len(parts) != 7 {
		return nil, malformed
	}
	var l Link
	ok := exactHex(parts[0], l.Play[:]) && exactHex(parts[1], l.Block[:]) && exactHex(parts[5], l.Salt[:])
	layout, lower := lowerHex(parts[4])
	index, err1 := decimal(parts[2])
	prize, err2 := decimal(parts[3])
	at, err3 := decimal(parts[6])
	if !ok || !lower || err1 || err2 || err3 {
		return nil, malformed
	}
	l.Layout, l.Index, l.Prize, l.At = layout, index, money.Amount(prize), int64(at)
	return &l, nil
}

func exactHex(text string, into []byte) bool {
	decoded, ok := lowerHex(text)
	return ok && len(decoded) == len(into) && copy(into, decoded) == len(into)
}

// decimal reads a number written in one way only: no sign, no leading zero.
func decimal(text string) (n uint64, wrong bool) {
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err != nil || n > numberMost || strconv.FormatUint(n, 10) != text
}
