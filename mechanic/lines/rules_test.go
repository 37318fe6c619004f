package lines

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

func fail(path, code, format string, arguments ...any) error {
	return fault.New(fault.Invalid, code, format, arguments...).At(path)
}

// preciusAurus gives the rules of « Precius Aurus », articles 4 and 5.2 to 5.5, typed in from the
// regulation.
func preciusAurus() rules {
	r := rules{
		rows: 4, columns: 4, cells: 16, lines: straightLines(4, 4, "rows", "columns", "diagonals"),
		gainsMost: GainsDefault, fail: fail,
	}
	for _, line := range []struct{ name, gain string }{
		{"diamant", "10000"}, {"trefle", "5000"}, {"bourse", "1000"}, {"pieces-d-or", "500"}, {"etoile", "100"},
		{"cle", "50"}, {"fer-a-cheval", "10"}, {"chiffre-sept", "5"}, {"jambon", "1"},
	} {
		r.pay(line.name, 4, amount(line.gain))
	}
	r.serve("chance")
	r.multiply(2, 3, 4, 5, 10)
	for _, text := range []string{"10000", "5000", "1000", "500", "150", "100", "50", "20", "10", "5", "2", "1"} {
		r.tiers = append(r.tiers, amount(text))
	}
	return r
}

// pay adds a paying symbol and its combination, serve the wild, multiply a multiplier.
func (r *rules) pay(name string, alike int, gain money.Amount) {
	r.add(mechanic.Symbol{Name: name}, len(r.symbols))
	symbols := bytes.Repeat([]byte{byte(len(r.symbols) - 1)}, alike)
	r.combinations = append(r.combinations, mechanic.Combination{Symbols: symbols, Gain: gain, Article: "5.3"})
	r.wild = none
}

func (r *rules) serve(name string) {
	r.add(mechanic.Symbol{Name: name, Role: mechanic.Wild}, len(r.symbols))
	r.wild = len(r.symbols) - 1
}

func (r *rules) multiply(coefficients ...int) {
	at := len(r.symbols)
	for _, n := range coefficients {
		r.add(mechanic.Symbol{Name: fmt.Sprintf("x%d", n), Role: mechanic.Multiplier, Coefficient: n}, at)
	}
}

// tiny is a 2 × 2 grid with two paying symbols, a wild and a multiplier: all its grids can be read.
func tiny(gainsMost int) rules {
	r := rules{
		rows: 2, columns: 2, cells: 4, lines: straightLines(2, 2, "rows", "columns"),
		gainsMost: gainsMost, fail: fail,
	}
	r.pay("a", 2, amount("3"))
	r.pay("b", 2, amount("1"))
	r.serve("w")
	r.multiply(2)
	r.tiers = []money.Amount{amount("6"), amount("3"), amount("2"), amount("1")}
	return r
}

func amount(text string) money.Amount {
	a, err := money.Parse(text)
	if err != nil {
		panic(fmt.Sprint("test amount: ", err))
	}
	return a
}

// dice is a fixed stream of choices.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1))} }

func (d dice) Below(n uint32) uint32 { return d.Uint32N(n) }
