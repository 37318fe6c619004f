package collect

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// outcome is a tier, or losing: all its compositions, by way.
type outcome struct {
	prize        money.Amount
	ways         []way
	weights      []uint32 // running totals over ways
	compositions int
	single       int
}

// way is one way of a tier. See the package documentation.
type way struct {
	gains   []int // combinations, ascending
	wild    bool
	weight  uint32
	layouts []byte   // one layout a composition, by ascending code, cells bytes each
	orders  []uint32 // running totals of the numbers of orders
}

// total is the number of ordered layouts of the way.
func (w *way) total() uint32 { return w.orders[len(w.orders)-1] }

// compile reads every composition once and sorts it under its tier and way.
func compile(r rules) (*Collect, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	rank, ok := newRanking(r.cells, len(r.symbols), r.wild)
	if !ok {
		return nil, r.fail("symbols", "size_beyond_limit", "%d symbols in %d cells make more than %d compositions; use fewer", len(r.symbols), r.cells, CompositionsMost)
	}
	c := &Collect{rules: r, moves: movesOf(&r), rank: *rank, prizes: make([]money.Amount, rank.size)}
	c.tiers = make([]outcome, len(r.tiers))
	for i, amount := range r.tiers {
		c.tiers[i].prize = amount
	}
	if err := c.enumerate(); err != nil {
		return nil, err
	}
	if err := c.weigh(); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Collect) enumerate() error {
	steps := StepsMost
	off := map[money.Amount]bool{}
	err := c.rank.each(func(rank int, composition counts) error {
		s, ok := c.survey(composition, &steps)
		if !ok {
			return c.rules.fail("combinations", "size_beyond_limit", "the combinations can be read in too many manners; use fewer combinations, cells or symbols")
		}
		c.prizes[rank] = s.best.sum
		dealt := s.best.sum == 0
		if dealt {
			if err := c.add(&c.losing, composition, s); err != nil {
				return err
			}
		}
		for i := range c.tiers {
			if c.tiers[i].prize == s.best.sum {
				dealt = true
				if err := c.add(&c.tiers[i], composition, s); err != nil {
					return err
				}
			}
		}
		if !dealt {
			off[s.best.sum] = true
		}
		return nil
	})
	c.offTable = len(off)
	return err
}

// add puts a composition under its way.
func (c *Collect) add(o *outcome, composition counts, s survey) error {
	gains := make([]int, len(s.best.moves))
	for i, m := range s.best.moves {
		gains[i] = c.moves[m].combination
	}
	wild := c.rules.wild != none && composition[c.rules.wild] > 0
	o.compositions++
	if s.single {
		o.single++
	}
	at := slices.IndexFunc(o.ways, func(w way) bool { return w.wild == wild && slices.Equal(w.gains, gains) })
	if at < 0 {
		at = len(o.ways)
		o.ways = append(o.ways, way{gains: gains, wild: wild})
	}
	w := &o.ways[at]
	total := orders(composition, c.rules.cells)
	if len(w.orders) > 0 {
		total.Add(total, new(big.Int).SetUint64(uint64(w.total())))
	}
	if !total.IsUint64() || total.Uint64() > math.MaxUint32 {
		return c.rules.fail("cells", "size_beyond_limit", "a way to win %s has more than 4 294 967 295 ordered layouts; use fewer cells or symbols", o.prize)
	}
	w.orders = append(w.orders, uint32(total.Uint64()))
	for code, n := range composition {
		for range n {
			w.layouts = append(w.layouts, byte(code))
		}
	}
	return nil
}

// orders is the number of orders in which a composition can be laid out.
func orders(composition counts, cells int) *big.Int {
	total := new(big.Int).MulRange(1, int64(cells))
	for _, n := range composition {
		if n > 1 {
			total.Quo(total, new(big.Int).MulRange(1, int64(n)))
		}
	}
	return total
}

// weigh sorts the ways, simplest first, and gives them their weights.
func (c *Collect) weigh() error {
	for _, o := range append([]*outcome{&c.losing}, pointers(c.tiers)...) {
		slices.SortFunc(o.ways, func(a, b way) int {
			return cmp.Or(cmp.Compare(len(a.gains), len(b.gains)), slices.Compare(a.gains, b.gains), boolean(a.wild)-boolean(b.wild))
		})
		for i := range o.ways {
			w := &o.ways[i]
			w.weight = mechanic.DefaultWeight(len(w.gains), w.wild, 1)
		}
	}
	for _, given := range c.rules.weights {
		if err := c.reweigh(given); err != nil {
			return err
		}
	}
	for _, o := range append([]*outcome{&c.losing}, pointers(c.tiers)...) {
		total := uint64(0)
		for _, w := range o.ways {
			total += uint64(w.weight)
			if total > math.MaxUint32 {
				return c.rules.fail("weights", "weights_wrong", "the weights for %s add up to more than 4 294 967 295", o.prize)
			}
			o.weights = append(o.weights, uint32(total))
		}
	}
	return nil
}

func (c *Collect) reweigh(given mechanic.Weighting) error {
	o := &c.tiers[given.Tier]
	at := slices.IndexFunc(o.ways, func(w way) bool { return given.Of(w.gains, w.wild, 1) })
	if at < 0 {
		return c.rules.fail(given.Path, "way_unknown", "no layout wins %s in this way", o.prize)
	}
	o.ways[at].weight = given.Weight
	return nil
}

func pointers(outcomes []outcome) []*outcome {
	all := make([]*outcome, len(outcomes))
	for i := range outcomes {
		all[i] = &outcomes[i]
	}
	return all
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}
