package collect

import (
	"fmt"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

func fail(path, code, format string, arguments ...any) error {
	return fault.New(fault.Invalid, code, format, arguments...).At(path)
}

// pieceDor gives the rules of « Pièce d'or » at the stake of 0,50 €, articles 3.1 and 4.4, typed in
// from the regulation, times a factor of 1, 2 or 4 for the three stakes.
func pieceDor(factor int64) rules {
	r := rules{cells: 9, wild: 5, fail: fail}
	for i, name := range []string{"or", "croix", "etoile", "couronne", "piece-trouee", "trefle"} {
		role := mechanic.Paying
		if i == 5 {
			role = mechanic.Wild
		}
		r.symbols = append(r.symbols, mechanic.Symbol{Name: name, Role: role})
	}
	for _, line := range []struct {
		symbols []byte
		gain    string
	}{
		{[]byte{0, 0, 0}, "5000"}, {[]byte{1, 1, 0, 0}, "250"}, {[]byte{1, 1, 1}, "25"}, {[]byte{1, 1, 2, 2}, "5"},
		{[]byte{2, 2, 2}, "2.5"}, {[]byte{3, 3, 3}, "1"}, {[]byte{4, 4, 4}, "0.5"},
	} {
		r.combinations = append(r.combinations, mechanic.Combination{Symbols: line.symbols, Gain: amount(line.gain, factor), Article: "4.4"})
	}
	for _, text := range []string{"5000", "250", "25", "7.5", "5", "2.5", "1", "0.5"} {
		r.tiers = append(r.tiers, amount(text, factor))
	}
	return r
}

func amount(text string, factor int64) money.Amount {
	a, err := money.Parse(text)
	if err != nil {
		panic(fmt.Sprint("test amount: ", err))
	}
	return a * money.Amount(factor)
}
