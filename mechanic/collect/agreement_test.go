package collect

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// ordersTried is in how many orders each composition is read.
const ordersTried = 6

// pieceDorAt compiles the definition that comes with Talon, at a stake.
func pieceDorAt(t testing.TB, stake int) *Collect {
	t.Helper()
	d, err := games.Definition("piece-dor")
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(d, stake)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// hand writes a layout in the words of the regulation.
func hand(c *Collect, layout []byte) []string {
	words := make([]string, len(layout))
	for i, code := range layout {
		words[i] = c.Symbols()[code].Titles.French
	}
	return words
}

// everyLayout calls visit with every composition of nine symbols, in several orders, and with what
// the second reader makes of it.
func everyLayout(t *testing.T, c *Collect, second slowReader, visit func(layout []byte, prize int, totals map[int]bool)) (compositions int) {
	choose := newDice(2012)
	err := c.rank.each(func(_ int, composition counts) error {
		compositions++
		layout := make([]byte, 0, c.Cells())
		for code, n := range composition {
			layout = append(layout, slices.Repeat([]byte{byte(code)}, int(n))...)
		}
		prize, totals := second.read(hand(c, layout))
		for range ordersTried {
			visit(layout, prize, totals)
			choose.Shuffle(len(layout), func(i, j int) { layout[i], layout[j] = layout[j], layout[i] })
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return compositions
}

// TestAgreesWithSecondReader reads every composition of « Pièce d'or » with both readers, at every
// stake: prize, and the totals of all maximal readings.
func TestAgreesWithSecondReader(t *testing.T) {
	for stake, factor := range []money.Amount{1, 2, 4} {
		c := pieceDorAt(t, stake)
		tally := map[string]int{}
		n := everyLayout(t, c, article, func(layout []byte, prize int, totals map[int]bool) {
			want := money.Amount(prize) * money.Cent * factor
			got, err := c.Prize(layout)
			if err != nil || got != want {
				t.Fatalf("%v: prize %s, %v; the second reader says %s", hand(c, layout), got, err, want)
			}
			readings, err := c.Readings(layout)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[int]bool{}
			for _, r := range readings {
				checkReading(t, c, layout, r)
				seen[int(r.Prize/factor/money.Cent)] = true
			}
			if readings[0].Prize != want || !maps.Equal(seen, totals) {
				t.Fatalf("%v: readings come to %v, best first %s; the second reader says %v", hand(c, layout), seen, readings[0].Prize, totals)
			}
			reach(tally, c, layout, readings)
		})
		if n != 715+495 { // nine of five symbols; a clover and eight of five
			t.Errorf("%d compositions were read", n)
		}
		for _, row := range []string{"loses", "clover serves", "clover idle", "one gain", "two gains", "three gains", "readings differ", "one total"} {
			t.Logf("stake %d: %-16s %6d", stake, row, tally[row])
			if tally[row] == 0 {
				t.Errorf("%s was never reached", row)
			}
		}
	}
}

func reach(tally map[string]int, c *Collect, layout []byte, readings []mechanic.Reading) {
	best := readings[0]
	tally[[]string{"loses", "one gain", "two gains", "three gains"}[len(best.Gains)]]++
	if slices.Contains(layout, byte(c.rules.wild)) {
		if slices.ContainsFunc(best.Gains, func(g mechanic.Gain) bool { return g.WildCell >= 0 }) {
			tally["clover serves"]++
		} else {
			tally["clover idle"]++
		}
	}
	if slices.ContainsFunc(readings, func(r mechanic.Reading) bool { return r.Prize != best.Prize }) {
		tally["readings differ"]++
	} else {
		tally["one total"]++
	}
}

// checkReading takes a reading apart: its gains share no cell, show their combination, and add up.
func checkReading(t *testing.T, c *Collect, layout []byte, r mechanic.Reading) {
	t.Helper()
	sum, taken, wilds := money.Amount(0), map[int]bool{}, 0
	for _, gain := range r.Gains {
		combination := c.Combinations()[gain.Combination]
		lacking := slices.Clone(combination.Symbols)
		for _, cell := range gain.Cells {
			if taken[cell] {
				t.Fatalf("cell %d is used twice: %+v", cell, r)
			}
			taken[cell] = true
			if cell == gain.WildCell {
				wilds++
				continue
			}
			at := slices.Index(lacking, layout[cell])
			if at < 0 {
				t.Fatalf("cell %d does not belong to its combination: %+v", cell, r)
			}
			lacking = slices.Delete(lacking, at, at+1)
		}
		if want := min(1, gain.WildCell+1); len(lacking) != want || !slices.IsSorted(gain.Cells) || gain.Amount != combination.Gain {
			t.Fatalf("the gain is not its combination: %+v", r)
		}
		sum += gain.Amount
	}
	if wilds > 1 || sum != r.Prize || r.Multiplier != 1 || r.MultiplierCell != -1 {
		t.Fatalf("the reading does not add up: %+v", r)
	}
}

// TestBrokenReadersAreCaught shows that the agreement test finds readers that are broken on purpose.
func TestBrokenReadersAreCaught(t *testing.T) {
	c := pieceDorAt(t, 0)
	for name, broken := range map[string]slowReader{
		"the clover serves twice":                 {table: tableau, cloverServes: 2},
		"the clover never serves":                 {table: tableau, cloverServes: 0},
		"the first combination met, not the best": {table: tableau, cloverServes: 1, takesLast: true},
		"symbols are used again":                  {table: tableau, cloverServes: 1, reuses: true},
		"a line of the table is missing":          {table: tableau[:6], cloverServes: 1},
	} {
		found, example := 0, ""
		everyLayout(t, c, broken, func(layout []byte, prize int, _ map[int]bool) {
			if got, err := c.Prize(layout); err != nil || got != money.Amount(prize)*money.Cent {
				found, example = found+1, fmt.Sprint(hand(c, layout), " is ", got, ", not ", prize, " cents")
			}
		})
		t.Logf("%s: %d layouts differ; %s", name, found, example)
		if found == 0 {
			t.Errorf("%s: not caught", name)
		}
	}
}

// TestAgreesOnOtherGames reads every layout of small games made up at random with both readers. On
// « Pièce d'or » taking combinations from the top of the table always comes to the best reading; here
// it does not, and the broken reader that does so is caught.
func TestAgreesOnOtherGames(t *testing.T) {
	choose := newDice(44)
	greedyDiffers := 0
	for range 60 {
		r, second := randomGame(choose)
		c := compiled(t, r)
		greedy := second
		greedy.takesFirst = true
		layout := make([]byte, r.cells)
		for n := range power(len(r.symbols), r.cells) {
			words := make([]string, r.cells)
			for i := range layout {
				layout[i] = byte(n % len(r.symbols))
				words[i] = r.symbols[layout[i]].Name
				n /= len(r.symbols)
			}
			got, err := c.Prize(layout)
			if len(r.symbols) == 4 && bytes.Count(layout, []byte{3}) > 1 {
				if fault.CodeOf(err) != "layout_malformed" {
					t.Fatalf("two wilds were read: %v", layout)
				}
				continue
			}
			want, _ := second.read(words)
			if err != nil || got != money.Amount(want)*money.Cent {
				t.Fatalf("%+v\n%v is %s (%v), the second reader says %d cents", r.combinations, words, got, err, want)
			}
			if first, _ := greedy.read(words); first != want {
				greedyDiffers++
			}
		}
	}
	if greedyDiffers == 0 {
		t.Error("the first combination instead of the best: not caught")
	}
	t.Logf("the first combination instead of the best: %d layouts differ", greedyDiffers)
}

// randomGame makes up a game of three paying symbols, often with a wild, and 3 to 5 cells.
func randomGame(choose dice) (rules, slowReader) {
	r := rules{cells: 3 + choose.IntN(3), wild: none, fail: fail}
	second := slowReader{cloverServes: 1}
	for _, name := range []string{"a", "b", "c"} {
		r.symbols = append(r.symbols, mechanic.Symbol{Name: name})
	}
	if choose.IntN(4) > 0 {
		r.wild = 3
		r.symbols = append(r.symbols, mechanic.Symbol{Name: clover, Role: mechanic.Wild})
	}
	for k := range 3 + choose.IntN(3) {
		symbols := []byte{byte(k % 3)}
		words := []string{r.symbols[k%3].Name}
		for range 1 + choose.IntN(2) {
			code := byte(choose.IntN(3))
			symbols, words = append(symbols, code), append(words, r.symbols[code].Name)
		}
		gain := 1 + choose.IntN(9)
		r.combinations = append(r.combinations, mechanic.Combination{Symbols: symbols, Gain: money.Amount(gain) * money.Cent})
		second.table = append(second.table, ligne{words, gain})
	}
	return r, second
}

func power(base, exponent int) int {
	n := 1
	for range exponent {
		n *= base
	}
	return n
}
