package mechanic

import (
	"errors"
	"math/big"
	"slices"

	"github.com/talonlottery/talon/verify/internal/definition"
	"github.com/talonlottery/talon/verify/internal/stream"
)

// collect is the mechanic of block.md, section 7.1.
type collect struct {
	cells  int
	codes  int
	tiers  map[int]*collectTier        // by tier, Losing included
	prizes map[string]definition.Money // of every composition, by its counts
}

// collectTier is the choices for the units of a tier.
type collectTier struct {
	pick picker
	ways []collectWay
}

// collectWay is a way with its compositions, each laid by ascending code.
type collectWay struct {
	way
	pick    picker
	weights []uint64
	laid    [][]byte
}

const collectCellsMost = 31

func newCollect(d *definition.Definition, stake int) (*collect, error) {
	r, err := readRules(d, stake)
	if err != nil {
		return nil, err
	}
	m := &collect{
		cells: int(d.Mechanic.Whole("cells")), codes: len(r.roles),
		tiers: map[int]*collectTier{}, prizes: map[string]definition.Money{},
	}
	read := &reader{rules: r}
	for _, c := range r.combinations {
		counts := map[int]int{}
		for _, name := range c.Texts("symbols") {
			counts[r.code(c, "symbols", name)]++
		}
		var needs []need
		for code, count := range counts {
			needs = append(needs, need{code, count})
		}
		read.needs = append(read.needs, needs)
	}
	if err := d.Mechanic.Err(); err != nil {
		return nil, err
	}
	if m.cells < 1 || m.cells > collectCellsMost {
		return nil, errors.New("cells are not 1 to 31")
	}
	if err := m.addCompositions(read, tiersByPrize(d, stake)); err != nil {
		return nil, err
	}
	return m, m.weighWays(r)
}

// addCompositions goes through all compositions, by the count of symbol 0, ascending, then of symbol 1, and so on, and puts each with its way.
func (m *collect) addCompositions(read *reader, tiers map[definition.Money]int) error {
	counts := make([]int, m.codes)
	var visit func(code, left int) error
	visit = func(code, left int) error {
		if code == m.codes {
			if left > 0 {
				return nil
			}
			return m.addComposition(read, counts, tiers)
		}
		most := left
		if code == read.wild {
			most = min(left, 1)
		}
		for n := 0; n <= most; n++ {
			if code == m.codes-1 && n < left {
				continue // the last symbol takes what is left
			}
			counts[code] = n
			if err := visit(code+1, left-n); err != nil {
				return err
			}
		}
		counts[code] = 0
		return nil
	}
	return visit(0, m.cells)
}

func (m *collect) addComposition(read *reader, counts []int, tiers map[definition.Money]int) error {
	if len(m.prizes) == countedMost {
		return errors.New("more compositions than this checker counts")
	}
	best, err := read.best(counts)
	if err != nil {
		return err
	}
	laid := make([]byte, 0, m.cells)
	key := make([]byte, m.codes)
	for code, count := range counts {
		key[code] = byte(count)
		for range count {
			laid = append(laid, byte(code))
		}
	}
	m.prizes[string(key)] = best.sum
	tier, known := tiers[best.sum]
	if !known {
		return nil
	}
	weight, err := orders(m.cells, counts)
	if err != nil {
		return err
	}
	w := m.way(tier, way{gains: best.gains, wild: read.wild != none && counts[read.wild] > 0})
	w.weights = append(w.weights, weight)
	w.laid = append(w.laid, laid)
	return nil
}

// way finds a way of a tier, or adds it.
func (m *collect) way(tier int, wanted way) *collectWay {
	t := m.tiers[tier]
	if t == nil {
		t = &collectTier{}
		m.tiers[tier] = t
	}
	for i := range t.ways {
		if compareWays(t.ways[i].way, wanted) == 0 {
			return &t.ways[i]
		}
	}
	t.ways = append(t.ways, collectWay{way: wanted})
	return &t.ways[len(t.ways)-1]
}

// weighWays orders the ways of each tier and makes their choices.
func (m *collect) weighWays(r *rules) error {
	for tier, t := range m.tiers {
		slices.SortFunc(t.ways, func(a, b collectWay) int { return compareWays(a.way, b.way) })
		var weights []uint64
		for i := range t.ways {
			w := &t.ways[i]
			weights = append(weights, r.weight(tier, w.way))
			var err error
			if w.pick, err = newPicker(w.weights); err != nil {
				return err
			}
		}
		var err error
		if t.pick, err = newPicker(weights); err != nil {
			return err
		}
	}
	return nil
}

// orders counts the orders of a composition: cells! divided by count! of each symbol.
func orders(cells int, counts []int) (uint64, error) {
	n := new(big.Int).MulRange(1, int64(cells))
	for _, count := range counts {
		n.Div(n, new(big.Int).MulRange(1, int64(count)))
	}
	if !n.IsUint64() {
		return 0, errors.New("a composition has more orders than can be picked")
	}
	return n.Uint64(), nil
}

func (m *collect) Cells() int { return m.cells }

func (m *collect) Lay(tier int, s *stream.Stream, layout []byte) error {
	t := m.tiers[tier]
	if t == nil {
		return ErrNoLayout
	}
	w := &t.ways[t.pick.pick(s)]
	copy(layout, w.laid[w.pick.pick(s)])
	stream.Shuffle(s, layout)
	return nil
}

func (m *collect) Read(layout []byte) (definition.Money, bool) {
	var room [symbolsMost]byte
	counts := room[:m.codes]
	for _, code := range layout {
		if int(code) >= m.codes {
			return 0, false
		}
		counts[code]++
	}
	prize, known := m.prizes[string(counts)]
	return prize, known
}
