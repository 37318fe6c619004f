package money_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// Amounts as they stand in regulations, with their value in ten-thousandths counted by hand.
func TestParse(t *testing.T) {
	for text, want := range map[string]money.Amount{
		"0": 0, "0,00": 0, "-0": 0, "1": 10_000, "0,5 €": 5_000, "0.50": 5_000, "0,97 €": 9_700, "0,03 €": 300,
		"7,5": 75_000, "7,5 €": 75_000, "2,5": 25_000, "15 €": 150_000, "1000 €": 10_000_000, "1 000": 10_000_000, "1500 €": 15_000_000,
		"10 000 €": 100_000_000, "10\u00a0000\u00a0€": 100_000_000, "10\u202f000\u00a0€": 100_000_000, "1 400 000 €": 14_000_000_000,
		"558 720 €": 5_587_200_000, "2 euros": 20_000, "1 euro": 10_000, "1 Euro": 10_000, "3 EUR": 30_000, "5€": 50_000, "1,5243 €": 15_243, "0,0001": 1, "0,005": 50,
		"-7,50 €": -75_000, "  7,5  ": 75_000, "1 000 000 000": money.Most, "-1 000 000 000": -money.Most, "007": 70_000, "1 234,5678": 12_345_678,
	} {
		if got, err := money.Parse(text); err != nil || got != want {
			t.Errorf("%q is %d ten-thousandths, want %d (%v)", text, got, want, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", "€", "-", "--1", "+1", "- 1", "€ 5", "1 €€", "1 € EUR", ",5", ".5", "5,", "5.", "1,2,3", "1.2.3", "1,234.5", "1.234,5", "1,00001",
		"1 00", "10 00", "1000 000", "1  000", "1 0000", "1 000 00", "1 000,5 0", "1e3", "0x10", "1_000", "½", "١٢", "1\t000", "1'000",
		"1 000 000 001", "1 000 000 000,0001", "-1 000 000 000,0001", "999999999999", "1000000000000", strings.Repeat("9", 100), "1\x00", "NaN", "Inf", "seven", "5 $", "5 livres",
	} {
		got, err := money.Parse(text)
		if !errors.Is(err, fault.Invalid) || fault.CodeOf(err) != "amount_malformed" || got != 0 {
			t.Errorf("%q was read as %s, %v", text, got, err)
		}
	}
	_, err := money.Parse(strings.Repeat("é", 1000))
	if len(err.Error()) > 200 {
		t.Errorf("the error of a long text has %d bytes", len(err.Error()))
	}
}

func TestPrint(t *testing.T) {
	for _, test := range []struct {
		amount                               money.Amount
		machine, french, regulation, english string
	}{
		{0, "0.00", "0,00_€", "0_€", "€0.00"},
		{75_000, "7.50", "7,50_€", "7,5_€", "€7.50"},
		{9_700, "0.97", "0,97_€", "0,97_€", "€0.97"},
		{5_000, "0.50", "0,50_€", "0,5_€", "€0.50"},
		{15_243, "1.5243", "1,5243_€", "1,5243_€", "€1.5243"},
		{160, "0.016", "0,016_€", "0,016_€", "€0.016"},
		{100_000_000, "10000.00", "10~000,00_€", "10_000_€", "€10,000.00"},
		{9_990_000, "999.00", "999,00_€", "999_€", "€999.00"},
		{10_000_000, "1000.00", "1~000,00_€", "1_000_€", "€1,000.00"},
		{10_050_000, "1005.00", "1~005,00_€", "1_005_€", "€1,005.00"},
		{14_000_000_000, "1400000.00", "1~400~000,00_€", "1_400_000_€", "€1,400,000.00"},
		{-20_000, "-2.00", "-2,00_€", "-2_€", "-€2.00"},
		{-1, "-0.0001", "-0,0001_€", "-0,0001_€", "-€0.0001"},
		{math.MaxInt64, "922337203685477.5807", "922~337~203~685~477,5807_€", "922_337_203_685_477,5807_€", "€922,337,203,685,477.5807"},
		{math.MinInt64, "-922337203685477.5808", "-922~337~203~685~477,5808_€", "-922_337_203_685_477,5808_€", "-€922,337,203,685,477.5808"},
	} {
		spaces := strings.NewReplacer("_", "\u00a0", "~", "\u202f")
		for _, form := range [][3]string{
			{"String", test.amount.String(), test.machine}, {"French", test.amount.French(), spaces.Replace(test.french)},
			{"Regulation", test.amount.Regulation(), spaces.Replace(test.regulation)}, {"English", test.amount.English(), test.english},
		} {
			if form[1] != form[2] {
				t.Errorf("%s of %d: %q, want %q", form[0], int64(test.amount), form[1], form[2])
			}
		}
	}
}

// What is printed for people or machines is read back as the same amount, wherever it stands.
func TestParseReadsWhatIsPrinted(t *testing.T) {
	amounts := rapid.OneOf(rapid.Int64Range(-int64(money.Most), int64(money.Most)), rapid.Int64Range(-30_000, 30_000),
		rapid.Map(rapid.Int64Range(-1_000_000, 1_000_000), func(cents int64) int64 { return cents * 100 }))
	rapid.Check(t, func(t *rapid.T) { checkPrinted(t, amounts.Draw(t, "amount")) })
}

func checkPrinted(t rapid.TB, n int64) {
	amount := money.Amount(n)
	for _, text := range []string{amount.String(), amount.French(), amount.Regulation(), strings.ReplaceAll(amount.French(), "\u202f", " ")} {
		if got, err := money.Parse(text); err != nil || got != amount {
			t.Errorf("%d is printed %q and read back as %d, %v", n, text, got, err)
		}
	}
	// The machine form is the fraction n/10 000, counted by another library.
	exact, ok := new(big.Rat).SetString(amount.String())
	if !ok || exact.Cmp(big.NewRat(n, 10_000)) != 0 {
		t.Errorf("%d is printed %q, which is %s", n, amount.String(), exact)
	}
}

func FuzzPrint(f *testing.F) {
	for _, n := range []int64{0, 1, -1, 75_000, 9_999_999, int64(money.Most), -int64(money.Most)} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		if n >= -int64(money.Most) && n <= int64(money.Most) {
			checkPrinted(t, n)
		}
	})
}

// Whatever is read is what its digits say, and has one printed form that reads as itself.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"7,5 €", "0.50", "10 000 €", "1\u202f000,25\u00a0€", "-3", "1 0", "1,23456", "9999999999", "€"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		amount, err := money.Parse(text)
		if err != nil {
			if !errors.Is(err, fault.Invalid) || amount != 0 {
				t.Errorf("%q: %s, %v", text, amount, err)
			}
			return
		}
		kept := strings.Map(func(r rune) rune {
			switch {
			case r == ',':
				return '.'
			case r >= '0' && r <= '9', r == '.', r == '-':
				return r
			}
			return -1
		}, text)
		exact, ok := new(big.Rat).SetString(kept)
		if !ok || exact.Mul(exact, big.NewRat(10_000, 1)).Cmp(new(big.Rat).SetInt64(int64(amount))) != 0 {
			t.Errorf("%q was read as %s, but its digits are %q", text, amount, kept)
		}
		checkPrinted(t, int64(amount))
	})
}
