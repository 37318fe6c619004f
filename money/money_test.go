package money_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// operand draws amounts everywhere in 64 bits, and often where sums and products begin not to fit.
func operand() *rapid.Generator[int64] {
	near := func(center int64) *rapid.Generator[int64] {
		return rapid.Map(rapid.Int64Range(-3, 3), func(offset int64) int64 { return center + offset })
	}
	return rapid.OneOf(rapid.Int64(), rapid.Int64Range(-20_000, 20_000), near(0), near(math.MaxInt32), near(math.MinInt32),
		near(3_037_000_499), near(-3_037_000_499), // square root of 2^63
		rapid.Int64Range(math.MaxInt64-3, math.MaxInt64), rapid.Int64Range(math.MinInt64, math.MinInt64+3), near(math.MaxInt64/2), near(math.MinInt64/2))
}

// operation is an operation of money with its twin over numbers of any size.
type operation struct {
	name string
	ours func(a, b int64) (money.Amount, error)
	twin func(a, b *big.Int) *big.Int
}

var operations = []operation{
	{"add", func(a, b int64) (money.Amount, error) { return money.Amount(a).Add(money.Amount(b)) },
		func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }},
	{"subtract", func(a, b int64) (money.Amount, error) { return money.Amount(a).Sub(money.Amount(b)) },
		func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }},
	{"multiply", func(a, b int64) (money.Amount, error) { return money.Amount(a).Times(b) },
		func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }},
	{"sum", func(a, b int64) (money.Amount, error) { return money.Sum(money.Amount(a), money.Amount(b)) },
		func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }},
}

// disagreement says how an operation differs from its twin, or "".
func disagreement(o operation, a, b int64) string {
	exact := o.twin(big.NewInt(a), big.NewInt(b))
	got, err := o.ours(a, b)
	switch {
	case exact.IsInt64() && err != nil:
		return o.name + " refused what fits"
	case exact.IsInt64() && int64(got) != exact.Int64():
		return o.name + " is wrong"
	case !exact.IsInt64() && (err == nil || !errors.Is(err, fault.Invalid) || fault.CodeOf(err) != "amount_overflow" || got != 0):
		return o.name + " did not refuse what does not fit"
	}
	return ""
}

func TestArithmeticIsExact(t *testing.T) {
	for _, o := range operations {
		t.Run(o.name, rapid.MakeCheck(func(t *rapid.T) {
			a, b := operand().Draw(t, "a"), operand().Draw(t, "b")
			if found := disagreement(o, a, b); found != "" {
				t.Errorf("%d and %d: %s", a, b, found)
			}
		}))
	}
}

func TestArithmeticAtTheEdges(t *testing.T) {
	edges := []int64{math.MinInt64, math.MinInt64 + 1, math.MinInt64 / 2, -1 << 32, -2, -1, 0, 1, 2, 3, 1 << 31, 1 << 32, math.MaxInt64 / 2, math.MaxInt64/2 + 1, math.MaxInt64 - 1, math.MaxInt64}
	for _, o := range operations {
		for _, a := range edges {
			for _, b := range edges {
				if found := disagreement(o, a, b); found != "" {
					t.Errorf("%d and %d: %s", a, b, found)
				}
			}
		}
	}
}

// Broken twins: what programs without checks do is caught by the same comparison.
func TestBrokenArithmeticIsCaught(t *testing.T) {
	exact := map[string]func(a, b *big.Int) *big.Int{}
	for _, o := range operations {
		exact[o.name] = o.twin
	}
	for _, broken := range []struct {
		operation
		a, b int64
	}{
		{operation{"add", func(a, b int64) (money.Amount, error) { return money.Amount(a + b), nil }, exact["add"]}, math.MaxInt64, 1},
		{operation{"multiply", func(a, b int64) (money.Amount, error) { return money.Amount(a * b), nil }, exact["multiply"]}, 1 << 40, 1 << 40},
		{operation{"multiply", func(a, b int64) (money.Amount, error) { // checks by dividing, and forgets the smallest number
			if a != 0 && a*b/a != b {
				return 0, fault.New(fault.Invalid, "amount_overflow", "no")
			}
			return money.Amount(a * b), nil
		}, exact["multiply"]}, -1, math.MinInt64},
		{operation{"multiply", func(a, b int64) (money.Amount, error) { return money.Amount(float64(a) * float64(b)), nil }, exact["multiply"]}, 94906267, 94906267},
		{operation{"subtract", func(a, b int64) (money.Amount, error) { return money.Amount(a).Add(money.Amount(-b)) }, exact["subtract"]}, -1, math.MinInt64},
	} {
		if disagreement(broken.operation, broken.a, broken.b) == "" {
			t.Errorf("a broken twin of %s passes at %d and %d", broken.name, broken.a, broken.b)
		}
	}
}

func TestSum(t *testing.T) {
	if total, err := money.Sum(); total != 0 || err != nil {
		t.Errorf("nothing sums to %s, %v", total, err)
	}
	if total, err := money.Sum(9700, 300, -10_000); total != 0 || err != nil {
		t.Errorf("0.97 + 0.03 - 1 is %s, %v", total, err)
	}
	// A partial sum that does not fit is refused even where the whole would fit.
	if _, err := money.Sum(math.MaxInt64, 1, -1); fault.CodeOf(err) != "amount_overflow" {
		t.Error(err)
	}
}

func TestWholeCents(t *testing.T) {
	for amount, want := range map[money.Amount]bool{0: true, 100: true, -100: true, 9700: true, 1: false, 150: false, -1: false, 15243: false} {
		if amount.WholeCents() != want {
			t.Errorf("%s in whole cents: %t", amount, !want)
		}
	}
}

func TestJSON(t *testing.T) {
	text, err := json.Marshal(map[string]money.Amount{"prize": 75_000})
	if err != nil || string(text) != `{"prize":"7.50"}` {
		t.Errorf("%s, %v", text, err)
	}
	var back map[string]money.Amount
	if err := json.Unmarshal(text, &back); err != nil || back["prize"] != 75_000 {
		t.Errorf("%v, %v", back, err)
	}
	for _, bad := range []string{`{"prize":7.5}`, `{"prize":""}`, `{"prize":"seven"}`} {
		amount := map[string]money.Amount{}
		if err := json.Unmarshal([]byte(bad), &amount); err == nil {
			t.Errorf("%s was read as %v", bad, amount)
		}
	}
	kept := money.Amount(7)
	if err := kept.UnmarshalText([]byte("1,2,3")); err == nil || kept != 7 {
		t.Errorf("after a failure the amount is %s", kept)
	}
}
