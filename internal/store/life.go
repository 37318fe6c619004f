package store

import (
	"slices"
	"time"

	"github.com/talonlottery/talon/fault"
)

// BlockState is where a block is in its life.
type BlockState string

// The states of a block. There is no way back: see [BlockState.LeadsTo].
const (
	Unsealed  BlockState = "dealt"    // its seal is recorded, and not in the public log yet
	Sealed    BlockState = "sealed"   // its seal is in the public log
	Approved  BlockState = "approved" // by another person than the one who dealt it: it may be sold
	OnSale    BlockState = "on-sale"
	SoldOut   BlockState = "sold-out"
	Withdrawn BlockState = "withdrawn" // taken from sale, for ever
	Opened    BlockState = "opened"    // its secret is published
)

// leads says which states may follow each.
var leads = map[BlockState][]BlockState{
	Unsealed:  {Sealed, Withdrawn},
	Sealed:    {Approved, Withdrawn},
	Approved:  {OnSale, Withdrawn},
	OnSale:    {SoldOut, Withdrawn},
	SoldOut:   {Opened},
	Withdrawn: {Opened},
}

// LeadsTo reports whether a block may pass from a state to another.
func (s BlockState) LeadsTo(next BlockState) bool { return slices.Contains(leads[s], next) }

// Ended reports whether no unit of the block will be sold any more.
func (s BlockState) Ended() bool { return s == SoldOut || s == Withdrawn || s == Opened }

// Step is why a block passes to a state.
type Step struct {
	By  string // who: a member of the staff, or the part of talon that did it
	Why string
	At  time.Time
}

// whyBytesMost is the most bytes of a reason, as in the public log (docs/spec/log.md).
const whyBytesMost = 500

// Check returns Invalid with code step_malformed unless it says who and why, in at most 40 and 500 bytes.
func (s Step) Check() error {
	if s.By == "" || len(s.By) > 40 || s.Why == "" || len(s.Why) > whyBytesMost {
		return fault.New(fault.Invalid, "step_malformed", "a step in a block's life says who (at most 40 bytes) and why (at most %d)", whyBytesMost).
			Next("name who decides with --by and give the reason with --why")
	}
	return nil
}

// LifeStep is a recorded step of a block's life.
type LifeStep struct {
	State BlockState
	Step
}

// CheckMove is what every engine asks before a block passes to a state: it returns Conflict with code
// block_state when the life of a block does not lead there, and Refused with code four_eyes when
// whoever dealt a block would approve it.
func CheckMove(from, to BlockState, dealtBy string, step Step) error {
	if err := step.Check(); err != nil {
		return err
	}
	if !from.LeadsTo(to) {
		return fault.New(fault.Conflict, "block_state", "a block that is %s cannot become %s", from, to).
			Next("`talon block list` shows where each block is in its life")
	}
	if to == Approved && step.By == dealtBy {
		return fault.New(fault.Refused, "four_eyes", "%s dealt the block and cannot approve it", step.By).
			Next("another person must approve it")
	}
	return nil
}
