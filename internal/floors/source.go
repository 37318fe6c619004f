package floors

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// clocks are the names of package time that read or wait for the machine's clock.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// CheckFile reads one file of a room (not a test file) and reports clocks in rules and floating-point numbers where amounts are.
func CheckFile(room Room, set *token.FileSet, file *ast.File) []Finding {
	var found []Finding
	report := func(at token.Pos, what, why string) {
		place := set.Position(at)
		found = append(found, Finding{fmt.Sprintf("%s:%d", place.Filename, place.Line), what, why})
	}
	times := importedAs(file, "time", func(at token.Pos) {
		if room.Rule {
			report(at, "imports package time with a dot", "its clock could not be told from a name of ours")
		}
	})
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			package_, ok := n.X.(*ast.Ident)
			if room.Rule && ok && times != "" && package_.Name == times && package_.Obj == nil && slices.Contains(clocks, n.Sel.Name) {
				report(n.Pos(), "reads the clock: time."+n.Sel.Name, "time is an argument of a rule, so that the same call always has the same answer")
			}
		case *ast.Ident:
			if room.Exact && (n.Name == "float64" || n.Name == "float32") {
				report(n.Pos(), "uses "+n.Name, exactly)
			}
		case *ast.BasicLit:
			if room.Exact && n.Kind == token.FLOAT {
				report(n.Pos(), "has the floating-point constant "+n.Value, exactly)
			}
		}
		return true
	})
	return found
}

const exactly = "amounts, counts and odds are integers, never rounded on the way"

// importedAs gives the name by which file knows the package, or "" when it does not import it. dot is called for an import with a dot.
func importedAs(file *ast.File, path string, dot func(token.Pos)) string {
	for _, i := range file.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err != nil || p != path {
			continue
		}
		switch {
		case i.Name == nil:
			return path[strings.LastIndex(path, "/")+1:]
		case i.Name.Name == ".":
			dot(i.Pos())
		case i.Name.Name != "_":
			return i.Name.Name
		}
	}
	return ""
}
