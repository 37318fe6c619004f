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

// canonical gives the definition's canonical JSON (RFC 8785) and its hash under the definition tag.
// Neither depends on comments, the order of keys or how values are laid out; any figure or word that
// differs makes another game.
func (r reader) canonical() ([]byte, canon.Digest, error) {
	value, err := plainValue(r.root)
	if err != nil {
		return nil, canon.Digest{}, placed(r.file, err)
	}
	text, err := json.Marshal(value)
	if err == nil {
		text, err = jcs.Transform(text)
	}
	if err != nil {
		return nil, canon.Digest{}, fault.New(fault.Invalid, "shape_wrong", "the definition has no canonical form: %w", err).At(r.file)
	}
	return text, canon.Hash(canon.TagDefinition, text), nil
}

// plainValue is a node as JSON holds it. Numbers that are whole, however written, are numbers; others
// are amounts and become strings with two to four decimals: 7.5 and 7.50 are one figure, as 1 and
// 1.00 are. A number and a text never share a place, since checkShape has refused one of them.
func plainValue(node ast.Node) (any, error) {
	switch n := node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		entries, _ := entriesOf(n)
		object := make(map[string]any, len(entries))
		for _, entry := range entries {
			value, err := plainValue(entry.Value)
			if err != nil {
				return nil, err
			}
			object[text(entry.Key)] = value
		}
		return object, nil
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
	case *ast.StringNode, *ast.LiteralNode:
		return text(n), nil
	case *ast.BoolNode:
		return n.Value, nil
	case *ast.IntegerNode:
		if whole, err := strconv.ParseInt(text(n), 10, 53); err == nil {
			return whole, nil
		}
	case *ast.FloatNode:
		if amount, err := money.Parse(text(n)); err == nil {
			if amount%money.Unit == 0 {
				return int64(amount / money.Unit), nil
			}
			return amount.String(), nil
		}
	}
	return nil, misplaced(node, "value_not_plain", "a value with a canonical form is expected here")
}
