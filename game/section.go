package game

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// Figure is an amount as a definition writes it. It is read from the text of the file, never through
// a floating-point number.
type Figure money.Amount

// UnmarshalYAML reads a plain number or a quoted amount.
func (f *Figure) UnmarshalYAML(node ast.Node) error {
	scalar, ok := node.(ast.ScalarNode)
	if !ok {
		return placedAt(node.GetToken(), fault.New(fault.Invalid, "amount_malformed", "an amount of money is expected here"))
	}
	amount, err := money.Parse(scalar.GetToken().Value)
	if err != nil {
		return placedAt(node.GetToken(), fault.New(fault.Invalid, "amount_malformed", "%w", err))
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

// Decode reads the section into a struct with yaml tags. Keys that the struct does not have, and
// values of the wrong kind, are Invalid with code shape_wrong, at their place.
func (s Section) Decode(target any) error {
	if err := yaml.NodeToValue(s.node, target, yaml.Strict()); err != nil {
		return placed(s.file, err)
	}
	return nil
}

// Errorf makes an Invalid error at the place of a path within the section, for instance
// "combinations[3].symbols". A path that does not exist is placed at the nearest part of it that does.
func (s Section) Errorf(path, code, format string, arguments ...any) error {
	return fault.New(fault.Invalid, code, format, arguments...).At(s.file + position(find(s.node, path)))
}

// find is the node at a path below another, or the nearest above it that exists.
func find(node ast.Node, path string) ast.Node {
	for path != "" {
		full := path
		if strings.HasPrefix(full, "[") {
			full = "$" + full
		} else {
			full = "$." + full
		}
		if expression, err := yaml.PathString(full); err == nil {
			if found, err := expression.FilterNode(node); err == nil && found != nil {
				return found
			}
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return node
}

// atToken is an error with the token it is about; the loader adds the file.
type atToken struct {
	token *token.Token
	fault *fault.Error
}

func placedAt(at *token.Token, err *fault.Error) error { return &atToken{at, err} }

func (e *atToken) Error() string { return e.fault.Error() }

func (e *atToken) Unwrap() error { return e.fault }

// position writes where a node begins, as ":line:column".
func position(node ast.Node) string {
	if node == nil || node.GetToken() == nil {
		return ""
	}
	return tokenPosition(first(node).GetToken())
}

// first is the node at which a mapping begins; the token of a mapping itself is its first colon.
func first(node ast.Node) ast.Node {
	switch n := node.(type) {
	case *ast.MappingNode:
		if n.IsFlowStyle || len(n.Values) == 0 {
			return n
		}
		return n.Values[0].Key
	case *ast.MappingValueNode:
		return n.Key
	default:
		return n
	}
}

func tokenPosition(at *token.Token) string {
	if at == nil || at.Position == nil {
		return ""
	}
	return fmt.Sprintf(":%d:%d", at.Position.Line, at.Position.Column)
}
