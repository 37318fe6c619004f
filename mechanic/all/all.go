// Package all is the explicit list of mechanics.
//
// Its one promise: a definition that [Check] accepts can be dealt. Every prize of its table has a
// layout at every stake, losing units have one too, and what it says of its tiers is true (R-34,
// Loading a game is game.Load followed by Check.
package all

import (
	"strings"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/mechanic/collect"
	"github.com/talonlottery/talon/mechanic/lines"
)

// entry is a mechanic that definitions can name.
type entry struct {
	kind    string
	compile func(d *game.Definition, stake int) (mechanic.Mechanic, error)
}

// The list. A new mechanic is a package of its own and a line here.
var list = []entry{
	{collect.Kind, func(d *game.Definition, stake int) (mechanic.Mechanic, error) { return collect.New(d, stake) }},
	{lines.Kind, func(d *game.Definition, stake int) (mechanic.Mechanic, error) { return lines.New(d, stake) }},
}

// Kinds lists the mechanics that a definition can name.
func Kinds() []string {
	var kinds []string
	for _, e := range list {
		kinds = append(kinds, e.kind)
	}
	return kinds
}

// New compiles the mechanic of a definition at one of its stakes, from 0. It returns Invalid with
// code mechanic_unknown for a kind that is not in the list, else the error of the mechanic, with its
// place in the file.
func New(d *game.Definition, stake int) (mechanic.Mechanic, error) {
	for _, e := range list {
		if e.kind != d.Mechanic.Kind {
			continue
		}
		compiled, err := e.compile(d, stake)
		if err != nil {
			return nil, err // not a typed nil in an interface
		}
		return compiled, nil
	}
	return nil, d.Mechanic.Errorf("kind", "mechanic_unknown", "there is no mechanic %q; there are %s", d.Mechanic.Kind, strings.Join(Kinds(), ", "))
}
