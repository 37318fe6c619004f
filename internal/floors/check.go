package floors

import (
	"fmt"
	"slices"
	"strings"
)

// CheckGraph compares the packages with the plan. It returns nothing when they agree.
func CheckGraph(plan Plan, packages []Package) []Finding {
	var found []Finding
	report := func(where, what, why string) {
		found = append(found, Finding{where, what, why})
	}
	seen := map[string]bool{}
	for _, p := range packages {
		seen[short(p.Path)] = true
		from, known := plan.room(p.Path)
		if !known {
			report(short(p.Path), "is not in the table of floors",
				"a room without a floor may import anything: add a row with its reason to internal/floors/table.go")
			continue
		}
		for _, path := range p.Imports {
			plan.checkImport(from, path, report)
		}
		plan.checkReach(from, p.Reaches, report)
		for _, path := range p.TestImports {
			plan.checkTestImport(from, path, report)
		}
	}
	plan.checkNames(seen, report)
	return found
}

// checkImport judges one import of a room's code.
func (plan Plan) checkImport(from Room, path string, report func(where, what, why string)) {
	if why, ok := plan.restricted(from, path); !ok {
		report(from.Path, "imports "+path, why)
	}
	if !ours(path) {
		plan.checkOutside(from, path, report)
		return
	}
	plan.checkWalls(from, path, false, report)
	to, known := plan.room(path)
	if !known {
		return // reported as a package of its own
	}
	if from.Public() && !to.Public() {
		report(from.Path, "is public and imports "+to.Path,
			"a stranger who checks a block must be able to read and import all of it")
	}
	if to.Tests && !from.Tests {
		report(from.Path, "imports "+to.Path, "support for tests never enters the product")
	}
	if to.Floor >= from.Floor && !plan.excepted(from.Path, to.Path) {
		report(fmt.Sprintf("%s (floor %d)", from.Path, from.Floor), fmt.Sprintf("imports %s (floor %d)", to.Path, to.Floor),
			"a room imports only floors below it; what two rooms of a floor need goes down")
	}
}

// checkTestImport judges one import of a room's tests. Tests may look up (a definition is tested with a mechanic), never over a wall.
func (plan Plan) checkTestImport(from Room, path string, report func(where, what, why string)) {
	if !ours(path) {
		return
	}
	plan.checkWalls(from, path, true, report)
	if to, known := plan.room(path); known && from.Public() && !to.Public() {
		report(from.Path, "is public and its tests import "+to.Path, "a stranger must be able to run them beside his own copy")
	}
}

func (plan Plan) checkWalls(from Room, path string, test bool, report func(where, what, why string)) {
	for _, w := range plan.Walls {
		if short(path) != w.Around || from.Path == w.Around || slices.Contains(w.Doors, from.Path) {
			continue
		}
		if !test || !slices.Contains(w.TestDoors, from.Path) {
			report(from.Path, "imports "+w.Around+" over the wall", w.Why)
		}
	}
}

// checkReach asks that a room for strangers computes and nothing else, whatever stands below it.
func (plan Plan) checkReach(from Room, reaches []string, report func(where, what, why string)) {
	for _, u := range plan.Unreachable {
		if from.Public() && slices.Contains(reaches, u.Import) {
			report(from.Path, "reaches "+u.Import, u.Why)
		}
	}
}

// checkOutside asks that the module of another is one that the house has taken in, with a reason.
func (plan Plan) checkOutside(from Room, path string, report func(where, what, why string)) {
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") || from.Tests {
		return // the standard library, or support for tests
	}
	for _, o := range plan.Outside {
		if path != o.Import && !strings.HasPrefix(path, o.Import+"/") {
			continue
		}
		if len(o.Rooms) > 0 && !slices.Contains(o.Rooms, from.Path) {
			report(from.Path, "imports "+path, fmt.Sprintf("only %s may: %s", strings.Join(o.Rooms, ", "), o.Why))
		}
		return
	}
	report(from.Path, "imports "+path, "this module is not in the table of what is taken from others: add it with its reason, or do without")
}

// restricted reports why from may not import path.
func (plan Plan) restricted(from Room, path string) (why string, ok bool) {
	for _, r := range plan.Restricted {
		if path == r.Import && !from.Tests && !slices.Contains(r.Rooms, from.Path) {
			return r.Why, false
		}
	}
	return "", true
}

func (plan Plan) excepted(from, to string) bool {
	return slices.ContainsFunc(plan.Exceptions, func(e Exception) bool { return e.From == from && e.To == to })
}

// checkNames asks that every name in the plan is that of a package: a wall around a name that nobody uses any more protects nothing.
func (plan Plan) checkNames(seen map[string]bool, report func(where, what, why string)) {
	planned := map[string]bool{}
	for _, r := range plan.Rooms {
		planned[r.Path] = true
		if !seen[r.Path] && !r.Planned {
			report(r.Path, "is in the table of floors, but there is no such package", "a row without a room hides a renamed one")
		}
	}
	need := func(name, in string) {
		if !planned[name] {
			report(name, "is named in "+in+", but is not in the table of floors", "a rule about a name that nobody has protects nothing")
		}
	}
	for _, e := range plan.Exceptions {
		need(e.From, "an exception")
		need(e.To, "an exception")
	}
	for _, w := range plan.Walls {
		need(w.Around, "a wall")
		for _, d := range slices.Concat(w.Doors, w.TestDoors) {
			need(d, "the doors of a wall")
		}
	}
	for _, r := range slices.Concat(plan.Restricted, plan.Outside) {
		for _, name := range r.Rooms {
			need(name, "the rooms for "+r.Import)
		}
	}
}
