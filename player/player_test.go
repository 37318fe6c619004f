package player

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// The night on which clocks go back in France, in the middle of the hour that occurs twice.
var now = time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)

func capOf(amount money.Amount) *money.Amount { return &amount }

func TestMayStake(t *testing.T) {
	paris := time.FixedZone("CET", 3600)
	for _, c := range []struct {
		name     string
		standing Standing
		price    money.Amount
		code     string // "" when allowed
		says     string
	}{
		{"free", Standing{Status: Active}, 20_000, "", ""},
		{"suspended", Standing{Status: Suspended}, 5_000, "player_not_active", "suspended"},
		{"closed", Standing{Status: Closed}, 5_000, "player_not_active", "closed"},
		{"status never set", Standing{}, 5_000, "player_not_active", ""},
		{"status unheard of", Standing{Status: "vip"}, 5_000, "player_not_active", ""},
		{"excluded for a millisecond more", Standing{Status: Active, ExcludedUntil: now.Add(time.Millisecond)}, 5_000, "player_excluded", "2026-10-25T00:30:00Z"},
		{"exclusion ends now", Standing{Status: Active, ExcludedUntil: now}, 5_000, "", ""},
		{"exclusion ended", Standing{Status: Active, ExcludedUntil: now.Add(-time.Millisecond)}, 5_000, "", ""},
		{"excluded, told in another zone", Standing{Status: Active, ExcludedUntil: now.Add(time.Hour).In(paris)}, 5_000, "player_excluded", "2026-10-25T01:30:00Z"},
		{"exclusion ends now, told in another zone", Standing{Status: Active, ExcludedUntil: now.In(paris)}, 5_000, "", ""},
		{"excluded for years", Standing{Status: Active, ExcludedUntil: now.AddDate(3, 0, 0)}, 5_000, "player_excluded", "2029-10-25T00:30:00Z"},
		{"cap reached exactly", Standing{Status: Active, StakeCap: capOf(100_000), Staked: 95_000}, 5_000, "", ""},
		{"cap passed by a ten-thousandth", Standing{Status: Active, StakeCap: capOf(99_999), Staked: 95_000}, 5_000, "stake_cap_reached", "0.4999 is left"},
		{"cap of nothing", Standing{Status: Active, StakeCap: capOf(0)}, 5_000, "stake_cap_reached", "0.00 is left"},
		{"cap tightened below what was staked", Standing{Status: Active, StakeCap: capOf(10_000), Staked: 95_000}, 5_000, "stake_cap_reached", "0.00 is left"},
		{"no cap, whatever was staked", Standing{Status: Active, Staked: money.Most}, 5_000, "", ""},
		{"suspension weighs more than exclusion and cap", Standing{Status: Suspended, ExcludedUntil: now.Add(time.Hour), StakeCap: capOf(0)}, 5_000, "player_not_active", ""},
		{"exclusion weighs more than cap", Standing{Status: Active, ExcludedUntil: now.Add(time.Hour), StakeCap: capOf(0)}, 5_000, "player_excluded", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := MayStake(c.standing, c.price, now)
			if c.code == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			if !errors.Is(err, fault.Refused) || fault.CodeOf(err) != c.code {
				t.Fatalf("got %v (%s), want %s", err, fault.CodeOf(err), c.code)
			}
			if !strings.Contains(err.Error(), c.says) || fault.NextOf(err) == "" {
				t.Errorf("%q does not say %q and what to do next", err, c.says)
			}
		})
	}
}

// A stake so large that the sum would wrap round is not let through.
func TestMayStakeOverflow(t *testing.T) {
	s := Standing{Status: Active, StakeCap: capOf(100), Staked: 1<<63 - 1}
	if err := MayStake(s, 1, now); err == nil {
		t.Error("allowed")
	}
}

type decision func(Standing, money.Amount, time.Time) error

// checkDecision compares decisions with the rules counted one by one, and with the same question
// asked a little more or less strictly.
func checkDecision(t *testing.T, decide decision) (found error) {
	rapid.Check(t, func(r *rapid.T) {
		if found != nil {
			return
		}
		small := rapid.Int64Range(0, 4)
		s := Standing{
			Status: rapid.SampledFrom([]Status{Active, Active, Active, Suspended, Closed}).Draw(r, "status"),
			Staked: money.Amount(small.Draw(r, "staked")),
		}
		if rapid.Bool().Draw(r, "ever excluded") {
			s.ExcludedUntil = now.Add(time.Duration(rapid.IntRange(-2, 2).Draw(r, "until")) * time.Millisecond)
		}
		if rapid.Bool().Draw(r, "capped") {
			s.StakeCap = capOf(money.Amount(small.Draw(r, "cap")))
		}
		price := money.Amount(1 + small.Draw(r, "price"))
		err := decide(s, price, now)

		forbidden := map[string]bool{
			"player_not_active": s.Status == Suspended || s.Status == Closed,
			"player_excluded":   s.ExcludedUntil.Sub(now) > 0,
			"stake_cap_reached": s.StakeCap != nil && *s.StakeCap-s.Staked < price,
		}
		any := forbidden["player_not_active"] || forbidden["player_excluded"] || forbidden["stake_cap_reached"]
		switch {
		case any != (err != nil):
			found = fmt.Errorf("%+v at %d: %v", s, price, err)
		case err != nil && !forbidden[fault.CodeOf(err)]:
			found = fmt.Errorf("%+v: refused for %s, which does not hold", s, fault.CodeOf(err))
		case err == nil:
			found = checkMonotone(decide, s, price)
		}
	})
	return found
}

// checkMonotone: what is allowed stays allowed with a higher or no cap, a lower price, later.
func checkMonotone(decide decision, s Standing, price money.Amount) error {
	looser := s
	if s.StakeCap != nil {
		looser.StakeCap = capOf(*s.StakeCap + 1)
	}
	free := s
	free.StakeCap = nil
	for name, err := range map[string]error{
		"with a higher cap": decide(looser, price, now), "with no cap": decide(free, price, now),
		"at a lower price": decide(s, price-1, now), "a millisecond later": decide(s, price, now.Add(time.Millisecond)),
	} {
		if err != nil {
			return fmt.Errorf("%+v allowed, but not %s: %w", s, name, err)
		}
	}
	return nil
}

func TestTightestRuleWins(t *testing.T) {
	if err := checkDecision(t, MayStake); err != nil {
		t.Error(err)
	}
}

func TestBrokenDecisionsAreCaught(t *testing.T) {
	for name, broken := range map[string]decision{
		"forgets the price": func(s Standing, _ money.Amount, now time.Time) error { return MayStake(s, 0, now) },
		"lets the cap be passed once": func(s Standing, price money.Amount, now time.Time) error {
			if s.StakeCap != nil && s.Staked < *s.StakeCap {
				s.StakeCap = nil
			}
			return MayStake(s, price, now)
		},
		"ends an exclusion a millisecond early": func(s Standing, price money.Amount, now time.Time) error {
			return MayStake(s, price, now.Add(time.Millisecond))
		},
		"takes a cap of nothing for no cap": func(s Standing, price money.Amount, now time.Time) error {
			if s.StakeCap != nil && *s.StakeCap == 0 {
				s.StakeCap = nil
			}
			return MayStake(s, price, now)
		},
		"looks at the first rule only": func(s Standing, price money.Amount, now time.Time) error {
			if s.Status == Active && now.Before(s.ExcludedUntil) {
				return MayStake(s, price, now)
			}
			s.StakeCap = nil
			return MayStake(s, price, now)
		},
		"lets suspended players stake": func(s Standing, price money.Amount, now time.Time) error {
			if s.Status == Suspended {
				s.Status = Active
			}
			return MayStake(s, price, now)
		},
	} {
		if checkDecision(t, broken) == nil {
			t.Errorf("a decision that %s was not caught", name)
		}
	}
}

func TestIDString(t *testing.T) {
	if got, want := (ID{0: 0xab, 15: 0x01}).String(), "ab000000000000000000000000000001"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
