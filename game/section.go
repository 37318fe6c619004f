package game

import (
	"reflect"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// Figure is an amount as a definition writes it: digits, and a point with one to four decimals where
// it has some. It is read from the text of the file, never through a floating-point number.
type Figure money.Amount

// UnmarshalYAML reads a plain number.
func (f *Figure) UnmarshalYAML(node ast.Node) error {
	amount, err := money.Parse(text(node))
	if err != nil {
		return misplaced(node, "amount_malformed", "%w", err)
	}
	*f = Figure(amount)
	return nil
}

// Section is a part of a definition file that another package decodes, with its place in the file,
// so that errors found later still name line and column. It is immutable and safe for concurrent use.
type Section struct {
	Kind string // value of the section's "kind" key
	file string
	node ast.Node
}

// Decode reads the section into a struct with yaml tags, into which only texts, whole numbers, truth
// values, [Figure] amounts, lists, structs and types that read themselves may enter. It returns
// Invalid, at the place in the file: key_unknown for a key that the struct does not have,
// amount_malformed, and shape_wrong for any other value of the wrong kind.
func (s Section) Decode(target any) error {
	if s.node == nil {
		return fault.New(fault.Invalid, "shape_wrong", "the section is missing").At(s.file + fileStart)
	}
	return decode(s.file, s.node, target)
}

// Errorf makes an Invalid error at the place of a path within the section, for instance
// "combinations[3].symbols". A path that does not exist is placed at the nearest part of it that does.
func (s Section) Errorf(path, code, format string, arguments ...any) error {
	return fault.New(fault.Invalid, code, format, arguments...).At(s.file + position(find(s.node, path)))
}

func decode(file string, node ast.Node, target any) error {
	if err := checkShape(node, reflect.TypeOf(target)); err != nil {
		return placed(file, err)
	}
	if err := yaml.NodeToValue(node, target, yaml.Strict()); err != nil {
		return placed(file, err)
	}
	return nil
}
