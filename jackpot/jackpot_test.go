package jackpot

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
)

// super is the Super Jackpot as games/super-jackpot states it: 0,03 € = 0,016 + 0,005 + 0,009.
var super = &game.Jackpot{Name: "super-jackpot", Price: 300, ToPot: 160, ToReserve: 50, ToOperator: 90, Start: 10_000 * money.Unit, Odds: 2_000_000}

var (
	pot      = ledger.JackpotPot(super.Name)
	reserve  = ledger.JackpotReserve(super.Name)
	advances = ledger.JackpotAdvances(super.Name)
	rounding = ledger.JackpotRounding(super.Name)
)

// The operator gives a jackpot its first starting amount by an entry of its own.
func TestOpen(t *testing.T) {
	got, err := Open(super)
	if err != nil {
		t.Fatal(err)
	}
	want := map[ledger.Account]money.Amount{advances: 100_000_000, pot: -100_000_000}
	if diff := cmp.Diff(want, moved(t, got.Postings)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Meter{Pot: 100_000_000, Advances: 100_000_000}, got.After); diff != "" {
		t.Error(diff)
	}
	if got.Won != 0 {
		t.Errorf("opening pays %s", got.Won)
	}
}

// Expected figures are computed by hand from the rules of docs/divergences.md, in ten-thousandths.
func TestWin(t *testing.T) {
	const start = 100_000_000
	for _, c := range []struct {
		name  string
		meter Meter
		won   money.Amount
		after Meter
		moved map[ledger.Account]money.Amount
	}{
		{"the very first participation wins: 10 000,016 € is paid as 10 000,02 €",
			Meter{Pot: start + 160, Reserve: 50, Advances: start}, start + 200,
			Meter{Pot: start, Reserve: 0, Advances: 2*start - 50},
			map[ledger.Account]money.Amount{pot: 160, rounding: 40, reserve: 50, advances: start - 50}},
		{"the example of docs/accounts.md",
			Meter{Pot: 101_234_560, Reserve: 60_000_000, Advances: 20_000_000}, 101_234_600,
			Meter{Pot: start, Reserve: 0, Advances: 60_000_000},
			map[ledger.Account]money.Amount{pot: 1_234_560, rounding: 40, reserve: 60_000_000, advances: 40_000_000}},
		{"a pot in whole cents is paid as it is, and the reserve bears the whole start",
			Meter{Pot: start + 160*5, Reserve: start + 7, Advances: 0}, start + 800,
			Meter{Pot: start, Reserve: 7, Advances: 0},
			map[ledger.Account]money.Amount{pot: 800, reserve: start}},
		{"the reserve is exactly the start",
			Meter{Pot: start, Reserve: start}, start, Meter{Pot: start},
			map[ledger.Account]money.Amount{reserve: start}},
		{"the reserve repays first, then gives what it has, the operator advances the rest",
			Meter{Pot: start + 1, Reserve: 60_000_000, Advances: 20_000_000}, start + 100,
			Meter{Pot: start, Reserve: 0, Advances: 60_000_000},
			map[ledger.Account]money.Amount{pot: 1, rounding: 99, reserve: 60_000_000, advances: 40_000_000}},
		{"the reserve repays and gives all, and keeps the rest",
			Meter{Pot: start + 99, Reserve: 250_000_000, Advances: start}, start + 100,
			Meter{Pot: start, Reserve: 50_000_000, Advances: 0},
			map[ledger.Account]money.Amount{pot: 99, rounding: 1, reserve: 200_000_000, advances: -start}},
		{"the reserve is exactly what was advanced",
			Meter{Pot: start, Reserve: start, Advances: start}, start, Meter{Pot: start, Advances: start},
			map[ledger.Account]money.Amount{reserve: start}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.meter.Win(super)
			if err != nil {
				t.Fatal(err)
			}
			if got.Won != c.won {
				t.Errorf("won %s, want %s", got.Won, c.won)
			}
			if diff := cmp.Diff(c.after, got.After); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.moved, moved(t, got.Postings)); diff != "" {
				t.Error(diff)
			}
			// With the winner's credit the postings are a transaction that balances.
			if _, err := ledger.New(ledger.JackpotWin, "play", testTime, append(got.Postings, ledger.Posting{Account: ledger.PrizesDue, Amount: -got.Won})...); err != nil {
				t.Error(err)
			}
		})
	}
}

// Several wins in one batch: the second participation finds the new starting amount and its own
// contribution, and the winner is paid that.
func TestTwoWinsAtOnce(t *testing.T) {
	step, err := Open(super)
	if err != nil {
		t.Fatal(err)
	}
	m := step.After
	for at, want := range []money.Amount{100_000_000 + 48_000, 100_000_000 + 200} {
		n := []int64{300, 1}[at]
		if m, err = m.Contribute(super, n); err != nil {
			t.Fatal(err)
		}
		if step, err = m.Win(super); err != nil {
			t.Fatal(err)
		}
		if step.Won != want {
			t.Errorf("win %d pays %s, want %s", at, step.Won, want)
		}
		m = step.After
	}
	// 300 and 1 reserves of 0,005 € repaid 1,505 € of three starts that the operator advanced.
	if want := (Meter{Pot: 100_000_000, Advances: 300_000_000 - 15_050}); m != want {
		t.Errorf("got %+v, want %+v", m, want)
	}
}

func TestRefusals(t *testing.T) {
	full := Meter{Pot: 1<<63 - 1}
	for name, c := range map[string]struct {
		do   func() (Meter, error)
		kind fault.Kind
		code string
	}{
		"participations taken back":    {func() (Meter, error) { return full.Contribute(super, -1) }, fault.Invalid, "participations_negative"},
		"contribution that overflows":  {func() (Meter, error) { return full.Contribute(super, 1) }, fault.Invalid, "amount_overflow"},
		"more participations than fit": {func() (Meter, error) { return full.Contribute(super, 1<<62) }, fault.Invalid, "amount_overflow"},
		"sum that overflows":           {func() (Meter, error) { _, err := Sum(full, full); return full, err }, fault.Invalid, "amount_overflow"},
		"rounding that overflows":      {func() (Meter, error) { _, err := full.Win(super); return full, err }, fault.Invalid, "amount_overflow"},
		"advances that overflow": {func() (Meter, error) {
			_, err := Meter{Advances: 1<<63 - 1}.Win(super)
			return full, err
		}, fault.Invalid, "amount_overflow"},
		"negative pot":      {func() (Meter, error) { _, err := Meter{Pot: -1}.Win(super); return full, err }, fault.Corrupt, "meter_negative"},
		"negative reserve":  {func() (Meter, error) { _, err := Meter{Reserve: -1}.Win(super); return full, err }, fault.Corrupt, "meter_negative"},
		"negative advances": {func() (Meter, error) { _, err := Meter{Advances: -1}.Win(super); return full, err }, fault.Corrupt, "meter_negative"},
	} {
		m, err := c.do()
		if !errors.Is(err, c.kind) || fault.CodeOf(err) != c.code {
			t.Errorf("%s: got %v (%s), want %s", name, err, fault.CodeOf(err), c.code)
		}
		if m != full {
			t.Errorf("%s: the meter changed to %+v", name, m)
		}
	}
}

// 70 % of a participation goes to players in the long run, and its parts are its price.
func TestSuperJackpotFigures(t *testing.T) {
	if sum := super.ToPot + super.ToReserve + super.ToOperator; sum != super.Price {
		t.Errorf("parts sum to %s, the price is %s", sum, super.Price)
	}
	if players := super.ToPot + super.ToReserve; players*100 != super.Price*70 {
		t.Errorf("players get %s of %s", players, super.Price)
	}
	// The reserve brings 0,005 € × 2 000 000 = 10 000 €: on average exactly a starting amount a win.
	if brought := super.ToReserve * money.Amount(super.Odds); brought != super.Start {
		t.Errorf("the reserve brings %s a win, a start is %s", brought, super.Start)
	}
}

func moved(t *testing.T, postings []ledger.Posting) map[ledger.Account]money.Amount {
	t.Helper()
	sums := map[ledger.Account]money.Amount{}
	for _, posting := range postings {
		if sums[posting.Account] += posting.Amount; sums[posting.Account] == 0 {
			delete(sums, posting.Account)
		}
	}
	return sums
}
