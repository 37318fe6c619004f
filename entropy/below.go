package entropy

// word is an unsigned machine word. Below is written once for every width, so that what is proven
// exhaustively on eight bits is the code that runs on thirty-two.
type word interface{ ~uint8 | ~uint16 | ~uint32 }

// below draws words until one falls in the largest range from zero whose size is a multiple of n,
// and gives its remainder by n. Words above that range are discarded. n is at least 1.
func below[W word](draw func() W, n W) W {
	// 2^bits mod n, computed without a wider type.
	surplus := (^W(0)%n + 1) % n
	for {
		if x := draw(); x <= ^W(0)-surplus {
			return x % n
		}
	}
}

// Shuffle puts items in an order drawn from the stream, each order exactly as likely if the stream
// is uniform: Fisher–Yates from the last place down, i = n-1 … 1, exchanging item i with item
// Below(i+1). It takes n-1 numbers and no more than 2^32 items.
func Shuffle[T any](s *Stream, items []T) { shuffleBy(s.Below, items) }

// shuffleBy is Shuffle by any choices, so that tests can go through all of them.
func shuffleBy[T any](choose func(n uint32) uint32, items []T) {
	for i := len(items) - 1; i > 0; i-- {
		j := choose(uint32(i + 1))
		items[i], items[j] = items[j], items[i]
	}
}
