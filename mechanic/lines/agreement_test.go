package lines

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

const (
	randomGrids  = 640_000
	buildsPerWay = 3_000
)

// preciusAurusGame compiles the definition that comes with Talon.
func preciusAurusGame(t testing.TB) *Lines {
	t.Helper()
	d, err := games.Definition("precius-aurus")
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// words lists, by code, what the regulation calls a symbol.
func words(l *Lines) (list []string) {
	for _, symbol := range l.Symbols() {
		if symbol.Role == mechanic.Multiplier {
			list = append(list, fmt.Sprintf("X%d", symbol.Coefficient))
			continue
		}
		list = append(list, symbol.Titles.French)
	}
	return list
}

func screen(words []string, layout []byte) (s square) {
	for cell, code := range layout {
		s[cell/4][cell%4] = words[code]
	}
	return s
}

// scatter fills a grid at random, from few symbols so that lines win, with wilds and multipliers of
// various densities.
func scatter(l *Lines, layout []byte, choose dice) {
	palette := 1 + choose.IntN(4)
	var symbols [4]byte
	for i := range palette {
		symbols[i] = byte(choose.IntN(9))
	}
	wilds, multipliers := choose.IntN(50), 0
	if choose.IntN(3) == 0 {
		multipliers = choose.IntN(12)
	}
	for cell := range layout {
		switch x := choose.IntN(100); {
		case x < wilds:
			layout[cell] = byte(l.rules.wild)
		case x < wilds+multipliers:
			layout[cell] = byte(l.rules.wild + 1 + choose.IntN(5))
		default:
			layout[cell] = symbols[choose.IntN(palette)]
		}
	}
}

// everyGrid calls visit with random grids, and with grids built for every way of every tier and for
// losing units. built names the way, or is "" for random grids.
func everyGrid(t *testing.T, l *Lines, random, perWay int, visit func(layout []byte, built string, want money.Amount)) {
	t.Helper()
	choose := newDice(2019)
	layout := make([]byte, l.Cells())
	for range random {
		scatter(l, layout, choose)
		visit(layout, "", 0)
	}
	for range perWay {
		if err := l.LayOut(layout, mechanic.Losing, choose); err != nil {
			t.Fatal(err)
		}
		visit(layout, "loses", 0)
	}
	for _, o := range l.tiers {
		for i := range o.ways {
			w := &o.ways[i]
			name := wayName(o.prize, w)
			for range perWay {
				tries := 0
				for !l.try(layout, w, choose) {
					if tries++; tries > TriesMost {
						t.Fatalf("%s cannot be laid out", name)
					}
				}
				visit(layout, name, o.prize)
			}
		}
	}
}

func wayName(prize money.Amount, w *way) string {
	name := fmt.Sprintf("%8s € = gains %v", prize, w.gains)
	if w.wild {
		name += " with wild"
	}
	if w.multiplier > 1 {
		name += fmt.Sprintf(" × %d", w.multiplier)
	}
	return name
}

// TestAgreesWithSecondReader reads more than a million grids of « Precius Aurus » with both readers,
// and prints what was reached. A kind of grid that was never reached fails the test.
func TestAgreesWithSecondReader(t *testing.T) {
	l := preciusAurusGame(t)
	names := words(l)
	reached := map[string]int{}
	for _, kind := range kinds {
		reached[kind] = 0
	}
	for _, o := range l.tiers {
		for i := range o.ways {
			reached[wayName(o.prize, &o.ways[i])] = 0
		}
	}
	grids := 0
	everyGrid(t, l, randomGrids, buildsPerWay, func(layout []byte, built string, want money.Amount) {
		grids++
		s := screen(names, layout)
		euros, possible := article.read(&s)
		got, err := l.Prize(layout)
		switch {
		case possible != (err == nil), err == nil && got != money.Amount(euros)*money.Unit:
			t.Fatalf("%v: %s, %v; the second reader says %d, possible: %v", s, got, err, euros, possible)
		case err != nil && fault.CodeOf(err) != "layout_malformed":
			t.Fatal(err)
		case built != "" && (err != nil || got != want):
			t.Fatalf("%v was built for %s and shows %s, %v", s, want, got, err)
		}
		if built != "" {
			reached[built]++
			checkBuilt(t, l, layout, built)
		}
		countKinds(t, l, layout, err, reached)
	})
	if grids < 1_000_000 {
		t.Errorf("only %d grids were read", grids)
	}
	var table strings.Builder
	for _, row := range slices.Sorted(maps.Keys(reached)) {
		fmt.Fprintf(&table, "%9d  %s\n", reached[row], row)
		if reached[row] == 0 {
			t.Errorf("%s was never reached", row)
		}
	}
	t.Logf("%d grids; reached:\n%s", grids, table.String())
}

var article slowReader

// kinds are the kinds of grid that must be reached, beside each way of each tier.
var kinds = []string{
	"loses", "wins 1 line", "wins 2 lines", "wins 3 lines", "wins more lines",
	"wild completes a line", "wild completes two crossing lines of one symbol", "wild completes two crossing lines of two symbols",
	"wild completes nothing", "several wilds, each on a line of its own",
	"two wilds and twice a symbol on a line", "three wilds and a symbol on a line", "four wilds on a line",
	"two lines cross in their symbol", "two lines of two symbols",
	"multiplier 2", "multiplier 3", "multiplier 4", "multiplier 5", "multiplier 10",
	"malformed: multiplier without a line", "malformed: several multipliers",
	"line across", "line down", "line falling", "line rising",
}

// countKinds sorts a grid by what Read and its cells show.
func countKinds(t *testing.T, l *Lines, layout []byte, malformed error, reached map[string]int) {
	multipliers, wilds := 0, 0
	for _, code := range layout {
		switch l.Symbols()[code].Role {
		case mechanic.Multiplier:
			multipliers++
		case mechanic.Wild:
			wilds++
		}
	}
	if malformed != nil {
		if multipliers > 1 {
			reached["malformed: several multipliers"]++
		} else {
			reached["malformed: multiplier without a line"]++
		}
		return
	}
	r, err := l.Read(layout)
	if err != nil {
		t.Fatal(err)
	}
	checkReading(t, l, layout, r)
	if r.Multiplier > 1 {
		reached[fmt.Sprintf("multiplier %d", r.Multiplier)]++
	}
	reached[[]string{"loses", "wins 1 line", "wins 2 lines", "wins 3 lines", "wins more lines"}[min(4, len(r.Gains))]]++
	countWilds(r, wilds, reached)
	countLines(l, layout, r, reached)
}

func countWilds(r mechanic.Reading, wilds int, reached map[string]int) {
	serves := map[int][]int{} // combinations, by the wild's cell
	for _, g := range r.Gains {
		if g.WildCell >= 0 {
			serves[g.WildCell] = append(serves[g.WildCell], g.Combination)
		}
	}
	for _, combinations := range serves {
		reached["wild completes a line"]++
		if len(combinations) > 1 && combinations[0] == combinations[1] {
			reached["wild completes two crossing lines of one symbol"]++
		} else if len(combinations) > 1 {
			reached["wild completes two crossing lines of two symbols"]++
		}
	}
	if len(serves) > 1 {
		reached["several wilds, each on a line of its own"]++
	}
	if wilds > len(serves) {
		reached["wild completes nothing"]++
	}
}

func countLines(l *Lines, layout []byte, r mechanic.Reading, reached map[string]int) {
	for i, g := range r.Gains {
		switch step := g.Cells[1] - g.Cells[0]; step {
		case 1, 3, 4, 5:
			reached[map[int]string{1: "line across", 4: "line down", 5: "line falling", 3: "line rising"}[step]]++
		}
		for _, other := range r.Gains[:i] {
			if g.Combination != other.Combination {
				reached["two lines of two symbols"]++
			}
			for _, cell := range g.Cells {
				if slices.Contains(other.Cells, cell) && cell != g.WildCell {
					reached["two lines cross in their symbol"]++
				}
			}
		}
	}
	for _, line := range l.rules.lines {
		wilds, symbols := 0, uint32(0)
		for _, cell := range line {
			if int(layout[cell]) == l.rules.wild {
				wilds++
			} else {
				symbols |= 1 << layout[cell]
			}
		}
		if bits.OnesCount32(symbols) == 1 && wilds > 1 {
			reached[[]string{2: "two wilds and twice a symbol on a line", 3: "three wilds and a symbol on a line"}[wilds]]++
		} else if wilds == 4 {
			reached["four wilds on a line"]++
		}
	}
}

// checkBuilt holds a laid-out grid to what LayOut promises beside the prize: it is of its way, and
// shows at most one wild, on a winning line.
func checkBuilt(t *testing.T, l *Lines, layout []byte, built string) {
	r, err := l.Read(layout)
	if err != nil {
		t.Fatal(err)
	}
	w := way{multiplier: r.Multiplier}
	for _, g := range r.Gains {
		w.gains = append(w.gains, g.Combination)
		w.wild = w.wild || g.WildCell >= 0
	}
	slices.Sort(w.gains)
	if name := wayName(r.Prize, &w); name != built && (built != "loses" || len(r.Gains) > 0) {
		t.Fatalf("%v was built as %s and is %s", layout, built, name)
	}
	wilds, multipliers := 0, 0
	for _, code := range layout {
		switch l.Symbols()[code].Role {
		case mechanic.Wild:
			wilds++
		case mechanic.Multiplier:
			multipliers++
		}
	}
	if wilds > 1 || (wilds == 1) != w.wild || (multipliers == 1) != (r.Multiplier > 1) {
		t.Fatalf("%v holds %d wilds and %d multipliers", layout, wilds, multipliers)
	}
}

// checkReading takes a reading apart: each gain is a line of the grid that shows its combination,
// and the gains make the prize.
func checkReading(t *testing.T, l *Lines, layout []byte, r mechanic.Reading) {
	sum := money.Amount(0)
	for _, g := range r.Gains {
		combination := l.Combinations()[g.Combination]
		for i, cell := range g.Cells {
			if layout[cell] != combination.Symbols[i] && cell != g.WildCell {
				t.Fatalf("%v: cell %d is not of %+v", layout, cell, g)
			}
		}
		if !slices.ContainsFunc(l.rules.lines, func(line []int) bool { return slices.Equal(line, g.Cells) }) || g.Amount != combination.Gain {
			t.Fatalf("%v: %+v is no line", layout, g)
		}
		sum += g.Amount
	}
	if sum*money.Amount(r.Multiplier) != r.Prize || (r.MultiplierCell >= 0) != (r.Multiplier > 1) {
		t.Fatalf("%v: the reading does not add up: %+v", layout, r)
	}
}

// TestBrokenReadersAreCaught shows that the agreement test finds readers that are broken on purpose.
func TestBrokenReadersAreCaught(t *testing.T) {
	l := preciusAurusGame(t)
	names := words(l)
	for name, broken := range map[string]slowReader{
		"two wilds complete a line":           {twoChances: true},
		"three wilds complete a line":         {chanceOfFour: true},
		"a wild serves one line only":         {servesOnce: true},
		"the first line is paid, not all":     {firstOnly: true},
		"diagonals are not read":              {noDiagonals: true},
		"the coefficient is added, not times": {addsUp: true},
	} {
		found := 0
		everyGrid(t, l, 20_000, 20, func(layout []byte, _ string, _ money.Amount) {
			s := screen(names, layout)
			euros, possible := broken.read(&s)
			got, err := l.Prize(layout)
			if possible != (err == nil) || err == nil && got != money.Amount(euros)*money.Unit {
				found++
			}
		})
		t.Logf("%s: %d grids differ", name, found)
		if found == 0 {
			t.Errorf("%s: not caught", name)
		}
	}
}
