// Package player decides what a player may do: pure decisions with a reason.
//
// Its one promise: the tightest rule wins, and whoever is refused is told which rule and until when.
package player

import "encoding/hex"

// ID identifies a player. It is random and says nothing about the person.
type ID [16]byte

// String gives the identifier in hexadecimal.
func (id ID) String() string { return hex.EncodeToString(id[:]) }
