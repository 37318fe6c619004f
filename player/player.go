// Package player decides what a player may do: pure decisions with a reason.
//
// Its one promise: the tightest rule wins, and whoever is refused is told which rule it was and
// until when it holds.
package player

import (
	"encoding/hex"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// ID identifies a player. It is random and says nothing about the person.
type ID [16]byte

// String gives the identifier in hexadecimal.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Status is the state of a player's account.
type Status string

// The states.
const (
	Active    Status = "active"
	Suspended Status = "suspended" // may not stake until the operator lifts it
	Closed    Status = "closed"    // for ever
)

// CapPeriod is the rolling period over which stakes count against the cap (décret 2010-518, art. 16).
const CapPeriod = 7 * 24 * time.Hour

// Standing is what a decision about a stake looks at.
type Standing struct {
	Status        Status
	ExcludedUntil time.Time     // zero when not excluded
	StakeCap      *money.Amount // over [CapPeriod]; nil when the player set none
	Staked        money.Amount  // staked in the period that ends now; needed only with a cap
}

// MayStake decides whether a player may stake a price now. It returns Refused with code
// player_not_active, player_excluded or stake_cap_reached, in this order of weight.
func MayStake(s Standing, price money.Amount, now time.Time) error {
	if s.Status != Active {
		return fault.New(fault.Refused, "player_not_active", "the account is %s", s.Status).
			Next("ask the operator's customer service")
	}
	if now.Before(s.ExcludedUntil) {
		return fault.New(fault.Refused, "player_excluded", "the player is excluded until %s", s.ExcludedUntil.UTC().Format(time.RFC3339)).
			Next("an exclusion cannot be shortened; withdrawal stays open")
	}
	if s.StakeCap == nil {
		return nil
	}
	staked, err := s.Staked.Add(price)
	if err != nil {
		return err
	}
	if staked > *s.StakeCap {
		return fault.New(fault.Refused, "stake_cap_reached", "this stake would pass the cap of %s over 7 days; %s is left",
			*s.StakeCap, max(*s.StakeCap-s.Staked, 0)).
			Next("a higher cap takes effect 48 hours after it is asked for")
	}
	return nil
}
