package game_test

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/money"
)

// Expected by hand: 2 × 7.5 + 20 + 30 × 1 = 65 of 97 € or 100 €; 33 prizes in 100 units, 30 of them
// no larger than the price.
func TestOdds(t *testing.T) {
	d := load(t, small)
	ofGamePart, ofPrice, err := d.Payout(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name      string
		got, want string
	}{
		{"of the game's part", ofGamePart.String(), "65/97"},
		{"of the game's part, in percent", ofGamePart.Percent(3), "67.010"},
		{"of the price", ofPrice.String(), "13/20"},
		{"of the price, in percent", ofPrice.Percent(1), "65.0"},
		{"units a prize", d.UnitsPerPrize().String(), "100/33"},
		{"units a prize, in decimals", d.UnitsPerPrize().Decimals(3), "3.030"},
		{"units a tier", d.UnitsPerTier(1).String(), "50/1"},
		{"units a tier, in decimals", d.UnitsPerTier(2).Decimals(2), "3.33"},
		{"stake back", d.StakeBack(0).String(), "10/11"},
		{"stake back at the second stake", d.StakeBack(1).Percent(2), "90.91"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got, test.want)
		}
	}
	whole, part, err := d.BlockPrice(1)
	if err != nil || whole != 200*money.Unit || part != 197*money.Unit {
		t.Errorf("a block sells for %s, %s of it the game's: %v", whole, part, err)
	}
}

// Halves are rounded away from zero: 1 in 2.125 units is 2.13, not the 2.12 of banker's rounding.
func TestOddsRounding(t *testing.T) {
	text := strings.NewReplacer("size: 100", "size: 85", "{count: 30,", "{count: 37,", "count: 33", "count: 40", "65, 130", "72, 144").Replace(small)
	d := load(t, text)
	if got := d.UnitsPerPrize().Decimals(2); got != "2.13" {
		t.Errorf("85/40 with two decimals is %s, want 2.13", got)
	}
	if got := d.UnitsPerPrize().Decimals(0); got != "2" {
		t.Errorf("85/40 without decimals is %s, want 2", got)
	}
}

// Decimals agree with rounding by whole numbers: (2 × 10^k × n + d) / 2d.
func TestOddsDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.Int64Range(1, 100).Draw(t, "count")
		digits := rapid.IntRange(0, 6).Draw(t, "digits")
		text := strings.NewReplacer("{count: 1, ", "{count: "+big.NewInt(count).String()+", ", "size: 100,", "size: 9999,").Replace(small)
		text = strings.Replace(text, "printed: {count: 33", "printed: {count: "+big.NewInt(count+32).String(), 1)
		text = strings.Replace(text, "[65, 130]", "["+big.NewInt(45+20*count).String()+", "+big.NewInt(90+40*count).String()+"]", 1)
		d, err := game.Load("x", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
		rounded := new(big.Int).Mul(big.NewInt(2*9999), scale)
		rounded.Add(rounded, big.NewInt(count+32)).Div(rounded, big.NewInt(2*(count+32)))
		if got := strings.Replace(d.UnitsPerPrize().Decimals(digits), ".", "", 1); got != rounded.String() {
			t.Errorf("9999/%d with %d decimals: digits %s, want %s", count+32, digits, got, rounded)
		}
	})
}
