package mechanic

import (
	"sort"
	"strconv"
	"strings"

	"github.com/talonlottery/talon/fault"
)

// WeightMost is the weight of the simplest way; see [DefaultWeight].
const WeightMost = 64

// DefaultWeight is the weight of a way for which the definition gives none. Simple ways are likelier
// than contrived ones: starting from [WeightMost] for one gain and nothing else, the weight is
// quartered for each further gain, halved for a wild and halved for a multiplier, and is at least 1.
func DefaultWeight(gains int, wild bool, multiplier int) uint32 {
	weight := uint32(WeightMost)
	for i := 1; i < gains; i++ {
		weight /= 4
	}
	if wild {
		weight /= 2
	}
	if multiplier > 1 {
		weight /= 2
	}
	return max(weight, 1)
}

// Pick is the place of the choice x among things that were given running totals of their weights:
// the first total above x. x is below the last total.
func Pick(totals []uint32, x uint32) int {
	if len(totals) <= 16 {
		for i, total := range totals {
			if x < total {
				return i
			}
		}
	}
	return sort.Search(len(totals), func(i int) bool { return totals[i] > x })
}

// Malformed is the error of a layout that cannot be a unit of its game.
func Malformed(format string, arguments ...any) error {
	return fault.New(fault.Corrupt, "layout_malformed", "the layout cannot be a unit of this game: "+format, arguments...)
}

// NotFound is the error of a layout that could not be built for a tier (an index, or [Losing]).
func NotFound(kind string, tier int, reason string) error {
	return fault.New(fault.Internal, "layout_not_found", "%s: no layout for tier %d: %s", kind, tier, reason).
		Next("run talon check on the definition")
}

// Words writes a composition in words, in the order of the symbols: "2 or, 1 croix". counts holds
// how often each code occurs.
func Words(symbols []Symbol, counts []uint8) string {
	var parts []string
	for code, n := range counts {
		if n > 0 {
			parts = append(parts, strconv.Itoa(int(n))+" "+symbols[code].Name)
		}
	}
	return strings.Join(parts, ", ")
}

// OneShort is a mechanic that can say which combinations a layout misses by one symbol. Such near
// misses are neither engineered nor highlighted; they are counted so that they can be
// published.
type OneShort interface {
	// OneShort adds one to counts[i] for each combination i (a place in Combinations) that the
	// layout does not form anywhere and would form if one of its cells showed another symbol, as the
	// package documentation of the mechanic details. len(counts) is len(Combinations()). Errors as
	// Prize. It does not allocate.
	OneShort(layout []byte, counts []uint32) error
}
