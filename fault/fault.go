// Package fault gives every error of Talon a kind, a stable code and a next step.
//
// Its one promise: whoever receives an error can decide by its kind, look it up by its code, and
// tell a person what to do next, without reading its text. Anything that is not a [*Error] is
// Internal. Messages never hold a secret, an unsold outcome or a person's details.
package fault

import (
	"errors"
	"fmt"
)

// Kind says what sort of trouble an error is. Kinds are errors themselves, so that
// errors.Is(err, fault.NotFound) asks the question.
type Kind uint8

// The kinds. Their order has no meaning.
const (
	// Internal: a defect of ours, or of what we stand on; the caller can do nothing but report it.
	Internal Kind = iota
	// Invalid: the input is wrong and will be wrong again; the message says where.
	Invalid
	// NotFound: the thing asked for does not exist, or not for this caller.
	NotFound
	// Conflict: the request contradicts what is recorded.
	Conflict
	// Refused: a rule forbids it: funds, caps, exclusion, an unfinished play.
	Refused
	// Exhausted: nothing is left to sell.
	Exhausted
	// Corrupt: recorded data disagree with each other; stop and investigate.
	Corrupt
	// Unavailable: it cannot be done now and may be asked for again, with the same key.
	Unavailable
)

var kindNames = [...]string{"internal", "invalid", "not found", "conflict", "refused", "exhausted", "corrupt", "unavailable"}

// Error gives the kind's name, so that a Kind can be the target of errors.Is.
func (k Kind) Error() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Error is an error with a kind, a code and, where one is known, a next step. It is immutable.
type Error struct {
	kind    Kind
	code    string
	message string
	next    string
	place   string
	cause   error
}

// New makes an error of a kind. The code is stable snake_case that clients and translations key on;
// the message says in one English sentence what happened. %w verbs keep their causes.
func New(kind Kind, code, format string, arguments ...any) *Error {
	text := fmt.Errorf(format, arguments...)
	cause := errors.Unwrap(text)
	if _, several := text.(interface{ Unwrap() []error }); several {
		cause = text
	}
	return &Error{kind: kind, code: code, message: text.Error(), cause: cause}
}

// Next returns a copy with the sentence that tells the reader what to do now.
func (e *Error) Next(format string, arguments ...any) *Error {
	copied := *e
	copied.next = fmt.Sprintf(format, arguments...)
	return &copied
}

// At returns a copy with the place of bad input: `game.yaml:12:5`, a field, a flag.
func (e *Error) At(place string) *Error {
	copied := *e
	copied.place = place
	return &copied
}

// Error gives place, message and next step in one line.
func (e *Error) Error() string {
	text := e.message
	if e.place != "" {
		text = e.place + ": " + text
	}
	if e.next != "" {
		text += " (" + e.next + ")"
	}
	return text
}

// Unwrap gives the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is this error's kind.
func (e *Error) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && kind == e.kind
}

// Message gives the sentence without place and next step.
func (e *Error) Message() string { return e.message }

// KindOf returns the kind of an error: that of the first [*Error] in its chain, else Internal.
// A nil error has no kind; asking for it is a defect and gives Internal.
func KindOf(err error) Kind {
	if found, ok := errors.AsType[*Error](err); ok {
		return found.kind
	}
	return Internal
}

// CodeOf returns the stable code of an error, or "internal".
func CodeOf(err error) string {
	if found, ok := errors.AsType[*Error](err); ok && found.code != "" {
		return found.code
	}
	return "internal"
}

// NextOf returns the next step of an error, or "".
func NextOf(err error) string {
	if found, ok := errors.AsType[*Error](err); ok {
		return found.next
	}
	return ""
}

// PlaceOf returns the place of an error, or "".
func PlaceOf(err error) string {
	if found, ok := errors.AsType[*Error](err); ok {
		return found.place
	}
	return ""
}
