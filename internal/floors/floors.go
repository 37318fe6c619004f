// Package floors keeps the picture of the house true: which package stands on which floor, what it may import, and where secrets,
// randomness, time and floating-point numbers may not go. The picture is the table in table.go, each row with its reason; the checks
// are pure functions over a package graph and parsed files, so that the tests can hand them houses that are broken on purpose.
//
// Nothing imports this package: its tests are the product. Run them with ./test floors.
package floors

import (
	"fmt"
	"strings"
)

// Module is the import path that our own packages begin with.
const Module = "github.com/talonlottery/talon"

// A Room is a row of the table: one package of the house.
type Room struct {
	// Path is the package's path below Module.
	Path string
	// Floor says what it may import: only rooms of lower floors, unless an Exception says otherwise.
	Floor int
	// Rule marks a room of rules: time and randomness are arguments there, never imported.
	Rule bool
	// Exact marks a room that handles amounts or counts of units: no floating-point number there.
	Exact bool
	// Tests marks support for tests and for generation: only test files and other such rooms may import it, and it may use what the
	// product may not.
	Tests bool
	// Planned marks a room that is not built yet; it may be missing.
	Planned bool
	// Why says why the room stands there.
	Why string
}

// An Exception lets one room import another of its own floor.
type Exception struct{ From, To, Why string }

// A Wall is a room that only the named rooms may import: Doors from code and tests, TestDoors from tests only.
type Wall struct {
	Around    string
	Doors     []string
	TestDoors []string
	Why       string
}

// A Restricted package (of the standard library or of another module) may be imported only by the named rooms.
type Restricted struct {
	Import string
	Rooms  []string
	Why    string
}

// A Plan is the whole picture.
type Plan struct {
	Rooms      []Room
	Exceptions []Exception
	Walls      []Wall
	Restricted []Restricted
	// Unreachable lists what no public room may depend on, not even through another's module.
	Unreachable []Restricted
	// Outside lists the modules of others that the house's code (not its tests) may import.
	Outside []Restricted
}

// A Package is one package as go list reports it, reduced to what is checked.
type Package struct {
	Path        string   // import path
	Imports     []string // imports of the code
	TestImports []string // imports of its tests, inside and outside the package
	Reaches     []string // everything that its code depends on, directly or through others
}

// A Finding is one way in which the house differs from the plan.
type Finding struct {
	Where string // package, or file and line
	What  string
	Why   string
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s (%s)", f.Where, f.What, f.Why) }

// Public reports whether the room is meant for strangers: neither internal nor a command.
func (r Room) Public() bool {
	return !strings.HasPrefix(r.Path, "internal/") && !strings.HasPrefix(r.Path, "cmd/")
}

// room finds the row of an import path.
func (p Plan) room(path string) (Room, bool) {
	name := strings.TrimPrefix(path, Module+"/")
	for _, r := range p.Rooms {
		if r.Path == name {
			return r, true
		}
	}
	return Room{}, false
}

// ours reports whether path is a package of this module.
func ours(path string) bool { return path == Module || strings.HasPrefix(path, Module+"/") }

// short is the path as the table writes it.
func short(path string) string { return strings.TrimPrefix(path, Module+"/") }
