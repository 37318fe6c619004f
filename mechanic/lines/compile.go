package lines

import (
	"math"
	"slices"

	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// outcome is a tier with its ways.
type outcome struct {
	prize   money.Amount
	ways    []way
	weights []uint32 // running totals over ways
}

// way is one way of a tier. See the package documentation.
type way struct {
	gains      []int // combinations, ascending
	wild       bool
	multiplier int  // coefficient, 1 when none
	code       byte // of the multiplier
	weight     uint32
	placements []placement
	totals     []uint32 // running totals of the placements' weights
}

// effort is what is left of the limits while a definition is compiled.
type effort struct{ tries, placements, steps int }

// compile prepares reading and finds every way of every tier.
func compile(r rules) (*Lines, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	l := &Lines{rules: r}
	l.prepareView()
	l.tiers = make([]outcome, len(r.tiers))
	for i, amount := range r.tiers {
		l.tiers[i].prize = amount
	}
	work := effort{tries: PlacingTriesMost, placements: PlacementsMost, steps: StepsMost}
	if err := l.checkLosing(&work.steps); err != nil {
		return nil, err
	}
	if err := l.findWays(&work); err != nil {
		return nil, err
	}
	return l, l.weigh()
}

func (l *Lines) prepareView() {
	v := &l.view
	v.length, v.count = len(l.rules.combinations[0].Symbols), len(l.rules.lines)
	for i, line := range l.rules.lines {
		for k := range v.lines[i] {
			v.lines[i][k] = uint8(line[0])
			if k < len(line) {
				v.lines[i][k] = uint8(line[k])
			}
		}
	}
	for code, symbol := range l.rules.symbols {
		switch symbol.Role {
		case mechanic.Wild:
			v.wild = 1 << code
		case mechanic.Paying:
			v.paying |= 1 << code
			l.fillers = append(l.fillers, byte(code))
		case mechanic.Multiplier:
			v.multipliers |= 1 << code
		case mechanic.Neutral:
			l.fillers = append(l.fillers, byte(code))
		}
	}
	for i, combination := range l.rules.combinations {
		code := combination.Symbols[0]
		l.combinationOf[code], l.gainOf[code] = i, combination.Gain
	}
}

// findWays goes through the multisets of gains, with each multiplier, that make a tier.
func (l *Lines) findWays(left *effort) error {
	coefficients := []mechanic.Symbol{{Coefficient: 1}}
	codes := []byte{0}
	for code, symbol := range l.rules.symbols {
		if symbol.Role == mechanic.Multiplier {
			coefficients, codes = append(coefficients, symbol), append(codes, byte(code))
		}
	}
	for size := 1; size <= l.rules.gainsMost; size++ {
		err := multisets(len(l.rules.combinations), size, func(gains []int) error {
			sum := l.sumOf(gains)
			for _, wild := range []bool{false, true} {
				if wild && l.rules.wild == none {
					continue
				}
				for i, symbol := range coefficients {
					w := way{gains: gains, wild: wild, multiplier: symbol.Coefficient, code: codes[i]}
					if err := l.addWay(sum*money.Amount(symbol.Coefficient), w, left); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addWay adds a way to the tiers that it makes, if it has a placement.
func (l *Lines) addWay(prize money.Amount, w way, left *effort) error {
	for i := range l.tiers {
		if l.tiers[i].prize != prize {
			continue
		}
		placements := l.place(&w, &left.tries)
		if left.placements -= len(placements); left.placements < 0 || left.tries <= 0 {
			return l.rules.fail("lines", "size_beyond_limit", "the ways of all tiers have too many placements, more than %d; lower gains_most or the number of lines", PlacementsMost)
		}
		added, err := l.weighPlacements(&w, placements, &left.steps)
		if err != nil {
			return err
		}
		if added {
			l.tiers[i].ways = append(l.tiers[i].ways, w)
		}
	}
	return nil
}

// multisets calls visit with each multiset of size numbers below n, ascending, in ascending order.
func multisets(n, size int, visit func([]int) error) error {
	chosen := make([]int, size)
	var walk func(at, first int) error
	walk = func(at, first int) error {
		if at == size {
			return visit(append([]int(nil), chosen...))
		}
		for i := first; i < n; i++ {
			chosen[at] = i
			if err := walk(at+1, i); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(0, 0)
}

// weigh gives the ways their weights: the definition's, or the documented default.
func (l *Lines) weigh() error {
	for i := range l.tiers {
		for k := range l.tiers[i].ways {
			w := &l.tiers[i].ways[k]
			w.weight = mechanic.DefaultWeight(len(w.gains), w.wild, w.multiplier)
		}
	}
	for _, given := range l.rules.weights {
		if err := l.reweigh(given); err != nil {
			return err
		}
	}
	for i := range l.tiers {
		o := &l.tiers[i]
		total := uint64(0)
		for _, w := range o.ways {
			total += uint64(w.weight)
			if total > math.MaxUint32 {
				return l.rules.fail("weights", "weights_wrong", "the weights for %s add up to more than 4 294 967 295", o.prize)
			}
			o.weights = append(o.weights, uint32(total))
		}
	}
	return nil
}

func (l *Lines) reweigh(given mechanic.Weighting) error {
	o := &l.tiers[given.Tier]
	at := slices.IndexFunc(o.ways, func(w way) bool { return given.Of(w.gains, w.wild, w.multiplier) })
	if at < 0 {
		return l.rules.fail(given.Path, "way_unknown", "no layout of up to %d gains wins %s in this way", l.rules.gainsMost, o.prize)
	}
	o.ways[at].weight = given.Weight
	return nil
}

// sumOf adds the gains of combinations. Gains are at most money.Most, and few.
func (l *Lines) sumOf(gains []int) (sum money.Amount) {
	for _, gain := range gains {
		sum += l.rules.combinations[gain].Gain
	}
	return sum
}
