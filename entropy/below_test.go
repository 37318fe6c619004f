package entropy

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// tally gives, for every first word of eight bits, the number that a scaling function makes of it;
// words that it discards are not counted. It is the whole distribution, not a sample.
func tally(n uint8, scale func(draw func() uint8, n uint8) uint8) (counts []int, discarded int) {
	counts = make([]int, n)
	for word := range 256 {
		drawn := 0
		number := scale(func() uint8 {
			drawn++
			if drawn > 1 {
				return 0 // accepted by every rule; only the first word is examined
			}
			return uint8(word)
		}, n)
		if drawn == 1 {
			counts[number]++
		} else {
			discarded++
		}
	}
	return counts, discarded
}

func even(counts []int) bool {
	for _, count := range counts {
		if count != counts[0] {
			return false
		}
	}
	return true
}

// modulo is a broken twin: the remainder without discarding.
func modulo(draw func() uint8, n uint8) uint8 { return draw() % n }

// offByOne is a broken twin: it keeps one word too many when a word has to be discarded.
func offByOne(draw func() uint8, n uint8) uint8 {
	surplus := uint8(256 % int(n))
	for {
		if x := draw(); surplus == 0 || x <= 255-surplus+1 {
			return x % n
		}
	}
}

// greedy is a broken twin that is even and yet wrong: it discards a whole multiple too much. Only the
// number of discarded words tells it from the specification.
func greedy(draw func() uint8, n uint8) uint8 {
	for {
		if x := draw(); int(x) < 256/int(n)*int(n)-int(n)*(256/int(n)/2) {
			return x % n
		}
	}
}

func TestBelowIsExactOnEightBits(t *testing.T) {
	for n := 1; n <= 255; n++ {
		counts, discarded := tally(uint8(n), below[uint8])
		if !even(counts) || counts[0] != 256/n || discarded != 256%n {
			t.Errorf("n = %d: counts %v, %d discarded", n, counts, discarded)
		}
	}
}

func TestBrokenScalingIsCaught(t *testing.T) {
	for _, twin := range []struct {
		name   string
		broken func(func() uint8, uint8) uint8
		caught int // the twin is right for the other n
	}{
		{"modulo", modulo, 255 - 8}, // powers of two up to 128 need no discarding
		{"off by one", offByOne, 255 - 8},
		{"greedy", greedy, 128}, // above 128 there is one multiple only
	} {
		caught := 0
		for n := 1; n <= 255; n++ {
			counts, discarded := tally(uint8(n), twin.broken)
			if !even(counts) || counts[0] != 256/n || discarded != 256%n {
				caught++
			}
		}
		if caught != twin.caught {
			t.Errorf("%s: caught for %d of 255 n, want %d", twin.name, caught, twin.caught)
		}
	}
}

// TestBelowAtTheEdge looks at the words around the last one accepted, with a limit computed in 64
// bits rather than as the code does.
func TestBelowAtTheEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Uint32Range(1, 1<<32-1), rapid.Uint32Range(1, 70), rapid.Uint32Range(1<<31, 1<<32-1)).Draw(t, "n")
		limit := uint64(1) << 32 / uint64(n) * uint64(n) // first word discarded
		for _, word := range []uint64{0, limit - 1, limit, 1<<32 - 1} {
			if word > 1<<32-1 {
				continue
			}
			words := []uint32{uint32(word), 5 % n}
			got := below(func() uint32 { word := words[0]; words = words[1:]; return word }, n)
			want, left := uint32(word)%n, 1
			if word >= limit {
				want, left = 5%n, 0
			}
			if got != want || len(words) != left {
				t.Fatalf("word %d below %d: %d, %d words left; want %d, %d", word, n, got, len(words), want, left)
			}
		}
	})
}

// permutations runs a shuffle over every sequence of choices and counts how often each order of n
// items comes out, weighted so that every sequence is as likely as its choices make it.
func permutations(n int, shuffle func(choose func(uint32) uint32, items []byte)) map[string]int {
	counts := map[string]int{}
	var walk func(choices []uint32)
	walk = func(choices []uint32) {
		items := []byte("abcd")[:n]
		at, asked := 0, uint32(0)
		shuffle(func(below uint32) uint32 {
			at++
			if at <= len(choices) {
				return choices[at-1]
			}
			if asked == 0 {
				asked = below
			}
			return 0
		}, items)
		if asked == 0 {
			counts[string(items)]++
			return
		}
		for choice := range asked {
			walk(append(append([]uint32(nil), choices...), choice))
		}
	}
	walk(nil)
	return counts
}

// TestShuffleIsExact enumerates every sequence of choices for three and four items: each order comes
// out once. The naive exchange with any item, which draws n^n sequences, cannot be even and is caught.
func TestShuffleIsExact(t *testing.T) {
	naive := func(choose func(uint32) uint32, items []byte) {
		for i := range items {
			j := choose(uint32(len(items)))
			items[i], items[j] = items[j], items[i]
		}
	}
	cyclic := func(choose func(uint32) uint32, items []byte) { // Sattolo: never leaves an item in its place
		for i := len(items) - 1; i > 0; i-- {
			j := choose(uint32(i))
			items[i], items[j] = items[j], items[i]
		}
	}
	for n, orders := range map[int]int{3: 6, 4: 24} {
		if !evenOrders(permutations(n, shuffleBy[byte]), orders) {
			t.Errorf("n = %d: %v", n, permutations(n, shuffleBy[byte]))
		}
		if evenOrders(permutations(n, naive), orders) {
			t.Errorf("n = %d: the naive exchange passes", n)
		}
		if evenOrders(permutations(n, cyclic), orders) {
			t.Errorf("n = %d: the cyclic exchange passes", n)
		}
	}
}

func evenOrders(counts map[string]int, orders int) bool {
	for _, count := range counts {
		if count != 1 {
			return false
		}
	}
	return len(counts) == orders
}

// TestBiasedShuffleIsCaught runs whole shuffles of three items from every pair of 4-bit words: with
// rejection each order comes out of as many pairs, with the plain remainder it does not.
func TestBiasedShuffleIsCaught(t *testing.T) {
	count := func(scale func(word, n uint32) (uint32, bool)) map[string]int {
		counts := map[string]int{}
		for first := range uint32(16) {
			for second := range uint32(16) {
				words, discarded := []uint32{first, second}, false
				items := []byte("abc")
				shuffleBy(func(n uint32) uint32 {
					number, ok := scale(words[0], n)
					discarded, words = discarded || !ok, words[1:]
					return number
				}, items)
				if !discarded {
					counts[string(items)]++
				}
			}
		}
		return counts
	}
	rejecting := count(func(word, n uint32) (uint32, bool) { return word % n, word < 16/n*n })
	if diff := cmp.Diff(map[string]int{"abc": 40, "acb": 40, "bac": 40, "bca": 40, "cab": 40, "cba": 40}, rejecting); diff != "" {
		t.Errorf("with rejection (-want +got):\n%s", diff)
	}
	remainder := count(func(word, n uint32) (uint32, bool) { return word % n, true })
	if fmt.Sprint(remainder) == fmt.Sprint(rejecting) || remainder["abc"] == remainder["cba"] && remainder["abc"] == remainder["bca"] {
		t.Errorf("the remainder without rejection looks even: %v", remainder)
	}
}
