package store

import (
	"strconv"
	"strings"

	"github.com/talonlottery/talon/block"
)

// SaleReference is the reference of a batch's transaction in the general ledger: the block and the
// indexes that the batch sold, first and last included. It lets whoever checks the books find the
// journal's lines behind each transaction.
func SaleReference(id block.ID, first, last uint32) string {
	return id.String() + " " + strconv.FormatUint(uint64(first), 10) + "-" + strconv.FormatUint(uint64(last), 10)
}

// ParseSaleReference reads what [SaleReference] wrote, and nothing else.
func ParseSaleReference(reference string) (id block.ID, first, last uint32, ok bool) {
	text, indexes, _ := strings.Cut(reference, " ")
	low, high, _ := strings.Cut(indexes, "-")
	from, err := strconv.ParseUint(low, 10, 32)
	if err != nil {
		return block.ID{}, 0, 0, false
	}
	to, err := strconv.ParseUint(high, 10, 32)
	if err != nil || id.UnmarshalText([]byte(text)) != nil {
		return block.ID{}, 0, 0, false
	}
	first, last = uint32(from), uint32(to)
	return id, first, last, first <= last && SaleReference(id, first, last) == reference
}

// WinReference is the reference of the transaction that pays a pot: the play that won it.
func WinReference(play block.PlayID) string { return play.String() }
