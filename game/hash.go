package game

import (
	"encoding/json"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/gowebpki/jcs"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// hash is the hash of the definition: of its canonical JSON (RFC 8785) under the definition tag. It
// does not depend on comments, the order of keys or how values are laid out; any figure or word that
// differs makes another game.
func (r reader) hash() (canon.Digest, error) {
	value, err := plainValue(r.root)
	if err != nil {
		return canon.Digest{}, placed(r.file, err)
	}
	text, err := json.Marshal(value)
	if err == nil {
		text, err = jcs.Transform(text)
	}
	if err != nil {
		return canon.Digest{}, fault.New(fault.Invalid, "shape_wrong", "the definition has no canonical form: %w", err).At(r.file)
	}
	return canon.Hash(canon.TagDefinition, text), nil
}

// plainValue is a node as JSON holds it. Whole numbers stay numbers; numbers with decimals are
// amounts and become strings with two to four decimals, so that 7.5 and 7.50 are one figure.
func plainValue(node ast.Node) (any, error) {
	switch n := node.(type) {
	case *ast.MappingNode:
		object := make(map[string]any, len(n.Values))
		for _, entry := range n.Values {
			if err := addEntry(object, entry); err != nil {
				return nil, err
			}
		}
		return object, nil
	case *ast.MappingValueNode:
		object := make(map[string]any, 1)
		return object, addEntry(object, n)
	case *ast.SequenceNode:
		list := make([]any, 0, len(n.Values))
		for _, item := range n.Values {
			value, err := plainValue(item)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.BoolNode:
		return n.Value, nil
	case *ast.IntegerNode:
		if whole, err := strconv.ParseInt(n.GetToken().Value, 10, 53); err == nil {
			return whole, nil
		}
	case *ast.FloatNode:
		if amount, err := money.Parse(n.GetToken().Value); err == nil {
			return amount.String(), nil
		}
	case *ast.NullNode:
		return nil, nil
	}
	return nil, placedAt(node.GetToken(), fault.New(fault.Invalid, "value_not_plain",
		"a text, a whole number, an amount of money or true or false is expected here"))
}

func addEntry(object map[string]any, entry *ast.MappingValueNode) error {
	value, err := plainValue(entry.Value)
	if err != nil {
		return err
	}
	object[entry.Key.GetToken().Value] = value
	return nil
}
