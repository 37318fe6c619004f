package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/talonlottery/talon/fault"
)

var kinds = map[fault.Kind]string{
	fault.Internal: "internal", fault.Invalid: "invalid", fault.NotFound: "not found", fault.Conflict: "conflict",
	fault.Refused: "refused", fault.Exhausted: "exhausted", fault.Corrupt: "corrupt", fault.Unavailable: "unavailable",
}

func TestKinds(t *testing.T) {
	if len(kinds) != 8 {
		t.Fatalf("two kinds are one: %v", kinds)
	}
	for kind, name := range kinds {
		if kind.Error() != name {
			t.Errorf("%d is %q, want %q", kind, kind.Error(), name)
		}
		wrapped := fmt.Errorf("while selling: %w", fault.New(kind, "some_code", "something happened"))
		for other := range kinds {
			if errors.Is(wrapped, other) != (other == kind) {
				t.Errorf("an error that is %v is taken for %v", kind, other)
			}
		}
		if fault.KindOf(wrapped) != kind || fault.CodeOf(wrapped) != "some_code" {
			t.Errorf("%v, %s", fault.KindOf(wrapped), fault.CodeOf(wrapped))
		}
	}
	if got := fault.Kind(200).Error(); got != "kind 200" {
		t.Errorf("an unknown kind is %q", got)
	}
}

func TestText(t *testing.T) {
	plain := fault.New(fault.Refused, "insufficient_funds", "the unit costs %s", "2.00")
	placed := plain.At("game.yaml:12:5")
	complete := placed.Next("choose a stake up to %s", "1.00")
	for _, test := range []struct {
		err  *fault.Error
		want string
	}{
		{plain, "the unit costs 2.00"},
		{placed, "game.yaml:12:5: the unit costs 2.00"},
		{plain.Next("wait"), "the unit costs 2.00 (wait)"},
		{complete, "game.yaml:12:5: the unit costs 2.00 (choose a stake up to 1.00)"},
	} {
		if test.err.Error() != test.want {
			t.Errorf("%q, want %q", test.err.Error(), test.want)
		}
		if test.err.Message() != "the unit costs 2.00" {
			t.Errorf("the message alone is %q", test.err.Message())
		}
	}
	// Next and At give copies: an error that is kept in a variable stays as it is.
	if plain.Error() != "the unit costs 2.00" || fault.PlaceOf(plain) != "" || fault.NextOf(placed) != "" {
		t.Errorf("the first error has changed: %q", plain.Error())
	}
	wrapped := fmt.Errorf("loading: %w", complete)
	if fault.NextOf(wrapped) != "choose a stake up to 1.00" || fault.PlaceOf(wrapped) != "game.yaml:12:5" {
		t.Errorf("%q, %q", fault.NextOf(wrapped), fault.PlaceOf(wrapped))
	}
}

func TestCause(t *testing.T) {
	err := fault.New(fault.Unavailable, "file_unreadable", "the file cannot be read: %w", fs.ErrPermission).At("x").Next("y")
	if !errors.Is(err, fs.ErrPermission) || !errors.Is(err, fault.Unavailable) {
		t.Error("the cause is lost")
	}
	if fault.New(fault.Internal, "x", "no cause").Unwrap() != nil {
		t.Error("a cause from nowhere")
	}
	two := fault.New(fault.Corrupt, "x", "%w and %w", fs.ErrClosed, fs.ErrExist)
	if !errors.Is(two, fs.ErrClosed) || !errors.Is(two, fs.ErrExist) {
		t.Error("one of two causes is lost")
	}
}

// What is not a fault is Internal, and its text is for nobody.
func TestStrangeErrors(t *testing.T) {
	for _, err := range []error{nil, errors.New("disk on fire"), fmt.Errorf("x: %w", fs.ErrClosed)} {
		if fault.KindOf(err) != fault.Internal || fault.CodeOf(err) != "internal" || fault.NextOf(err) != "" || fault.PlaceOf(err) != "" {
			t.Errorf("%v: %v %s %q %q", err, fault.KindOf(err), fault.CodeOf(err), fault.NextOf(err), fault.PlaceOf(err))
		}
	}
	// The outermost fault decides: whoever wraps has judged.
	inner := fault.New(fault.NotFound, "player_unknown", "no such player")
	outer := fault.New(fault.Corrupt, "play_without_player", "a play has no player: %w", inner)
	if fault.KindOf(outer) != fault.Corrupt || fault.CodeOf(outer) != "play_without_player" {
		t.Errorf("%v %s", fault.KindOf(outer), fault.CodeOf(outer))
	}
}
