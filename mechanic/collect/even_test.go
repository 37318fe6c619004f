package collect

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// exhaustive answers every choice in every possible manner, one run after another.
type exhaustive struct {
	answers, limits []uint32
	at              int
}

func (e *exhaustive) Below(n uint32) uint32 {
	if e.at == len(e.answers) {
		e.answers, e.limits = append(e.answers, 0), append(e.limits, n)
	}
	e.at++
	return e.answers[e.at-1]
}

// chance is the probability of the run that just ended.
func (e *exhaustive) chance() *big.Rat {
	all := big.NewInt(1)
	for _, n := range e.limits {
		all.Mul(all, new(big.Int).SetUint64(uint64(n)))
	}
	return new(big.Rat).SetFrac(big.NewInt(1), all)
}

// next prepares the next run. It reports false after the last.
func (e *exhaustive) next() bool {
	e.at = 0
	for last := len(e.answers) - 1; last >= 0; last-- {
		if e.answers[last]+1 < e.limits[last] {
			e.answers[last]++
			e.answers, e.limits = e.answers[:last+1], e.limits[:last+1]
			return true
		}
	}
	return false
}

// layOut is LayOut, or a twin of it that is broken on purpose.
type layOut func(c *Collect, dst []byte, tier int, choose mechanic.Chooser) error

// checkEven makes every choice of a tier, and returns how the layouts of its ways are not as they
// should be: all of them there, each as likely as another, ways by weight.
func checkEven(c *Collect, tier int, lay layOut) error {
	chances := map[string]*big.Rat{}
	for e := new(exhaustive); ; {
		layout := make([]byte, c.Cells())
		if err := lay(c, layout, tier, e); err != nil {
			return err
		}
		if chances[string(layout)] == nil {
			chances[string(layout)] = new(big.Rat)
		}
		chances[string(layout)].Add(chances[string(layout)], e.chance())
		if !e.next() {
			break
		}
	}
	return compareEven(c, tier, chances)
}

// compareEven sorts every layout there is by way, reading it, and compares its chance.
func compareEven(c *Collect, tier int, chances map[string]*big.Rat) error {
	o, want := &c.losing, money.Amount(0)
	if tier != mechanic.Losing {
		o, want = &c.tiers[tier], c.tiers[tier].prize
	}
	layouts := map[string][]string{} // by way
	weights := map[string]int64{}
	sum := int64(0)
	for n := range power(len(c.Symbols()), c.Cells()) {
		layout := make([]byte, c.Cells())
		for i := range layout {
			layout[i] = byte(n % len(c.Symbols()))
			n /= len(c.Symbols())
		}
		r, err := c.Read(layout)
		if err != nil || r.Prize != want {
			continue
		}
		wild := false
		for _, code := range layout {
			wild = wild || int(code) == c.rules.wild
		}
		name := fmt.Sprint(wild)
		for _, g := range r.Gains {
			name += fmt.Sprint(" ", g.Combination)
		}
		if len(layouts[name]) == 0 {
			weights[name] = int64(mechanic.DefaultWeight(len(r.Gains), wild, 1))
			sum += weights[name]
		}
		layouts[name] = append(layouts[name], string(layout))
	}
	if len(layouts) != len(o.ways) {
		return fmt.Errorf("%d ways, not %d", len(o.ways), len(layouts))
	}
	found := 0
	for name, list := range layouts {
		each := big.NewRat(weights[name], sum*int64(len(list)))
		for _, layout := range list {
			if got := chances[layout]; got == nil || got.Cmp(each) != 0 {
				return fmt.Errorf("way %s: %v has chance %v, not %v", name, []byte(layout), got, each)
			}
			found++
		}
	}
	if found != len(chances) {
		return fmt.Errorf("%d layouts are dealt, not %d", len(chances), found)
	}
	return nil
}

// smallGame has few enough choices that all of them can be made.
func smallGame() rules {
	r := rules{cells: 4, wild: 3, fail: fail}
	for i, name := range []string{"a", "b", "n", "w"} {
		role := []mechanic.Role{mechanic.Paying, mechanic.Paying, mechanic.Neutral, mechanic.Wild}[i]
		r.symbols = append(r.symbols, mechanic.Symbol{Name: name, Role: role})
	}
	r.combinations = []mechanic.Combination{
		{Symbols: []byte{0, 0}, Gain: money.Unit}, {Symbols: []byte{1, 1}, Gain: 2 * money.Unit}, {Symbols: []byte{0, 1, 1}, Gain: 3 * money.Unit},
	}
	r.tiers = []money.Amount{4 * money.Unit, 3 * money.Unit, 2 * money.Unit, money.Unit}
	return r
}

// TestLayoutsAreEven proves on a small game, by making every choice there is, that the layouts of a
// way are exactly as likely as each other.
func TestLayoutsAreEven(t *testing.T) {
	c := compiled(t, smallGame())
	for tier := mechanic.Losing; tier < len(c.tiers); tier++ {
		if err := checkEven(c, tier, (*Collect).LayOut); err != nil {
			t.Errorf("tier %d: %v", tier, err)
		}
	}
}

// TestUnevenTwinsAreCaught shows that the proof notices the usual mistakes.
func TestUnevenTwinsAreCaught(t *testing.T) {
	c := compiled(t, smallGame())
	for name, broken := range map[string]layOut{
		"each cell is swapped with any cell":  breakable(false, false, true),
		"each composition is as likely":       breakable(false, true, false),
		"each way is as likely":               breakable(true, false, false),
		"the last cell is never swapped away": unswapped,
	} {
		caught := false
		for tier := mechanic.Losing; tier < len(c.tiers); tier++ {
			caught = caught || checkEven(c, tier, broken) != nil
		}
		if !caught {
			t.Errorf("%s: not caught", name)
		}
	}
	for tier := range c.tiers {
		if err := checkEven(c, tier, breakable(false, false, false)); err != nil {
			t.Errorf("the twin that is not broken is refused: %v", err)
		}
	}
}

// breakable lays out as the documentation says, but for what is to be broken.
func breakable(evenWays, evenCompositions, anyCell bool) layOut {
	return func(c *Collect, dst []byte, tier int, choose mechanic.Chooser) error {
		o, err := c.outcome(tier)
		if err != nil {
			return err
		}
		var w *way
		if evenWays {
			w = &o.ways[choose.Below(uint32(len(o.ways)))]
		} else {
			w = &o.ways[mechanic.Pick(o.weights, choose.Below(o.weights[len(o.weights)-1]))]
		}
		at := 0
		if evenCompositions {
			at = int(choose.Below(uint32(len(w.orders))))
		} else {
			at = mechanic.Pick(w.orders, choose.Below(w.total()))
		}
		copy(dst, w.layouts[at*len(dst):])
		for i := len(dst) - 1; i > 0; i-- {
			j := uint32(0)
			if anyCell {
				j = choose.Below(uint32(len(dst)))
			} else {
				j = choose.Below(uint32(i + 1))
			}
			dst[i], dst[j] = dst[j], dst[i]
		}
		return nil
	}
}

func unswapped(c *Collect, dst []byte, tier int, choose mechanic.Chooser) error {
	err := c.LayOut(dst, tier, choose)
	if dst[0] > dst[len(dst)-1] {
		dst[0], dst[len(dst)-1] = dst[len(dst)-1], dst[0]
	}
	return err
}
