package game

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"github.com/talonlottery/talon/fault"
)

// A YAML reader is helpful: it makes text of a number, a number of "010" by an older rule, nothing of
// a missing value. Two files that look different would then say the same, and two that say different
// things might share a hash. The checks of this file come first and leave it nothing to guess.
var (
	wholePattern  = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,14})$`)
	amountPattern = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,4})?$`)
)

// checkPlain refuses what has more than one spelling or no canonical form: keys that are not plain
// words, keys given twice, missing values, unusual numbers and control characters in texts.
func checkPlain(node ast.Node) error {
	switch n := node.(type) {
	case *ast.MappingNode:
		return checkPlainEntries(n.Values)
	case *ast.MappingValueNode:
		return checkPlainEntries([]*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		for _, item := range n.Values {
			if err := checkPlain(item); err != nil {
				return err
			}
		}
		return nil
	case *ast.StringNode:
		return checkPlainText(n, n.Value)
	case *ast.LiteralNode:
		return checkPlainText(n, n.Value.Value)
	case *ast.BoolNode:
		return nil
	case *ast.IntegerNode:
		if wholePattern.MatchString(text(n)) {
			return nil
		}
	case *ast.FloatNode:
		if amountPattern.MatchString(text(n)) {
			return nil
		}
	case *ast.NullNode:
		return misplaced(n, "value_not_plain", "a value is missing here")
	}
	return misplaced(node, "value_not_plain",
		"a text, a whole number, an amount such as 7.5 with at most four decimals, true or false is expected here; texts that look otherwise stand in quotes")
}

func checkPlainEntries(entries []*ast.MappingValueNode) error {
	seen := make(map[string]bool, len(entries))
	for _, entry := range entries {
		key, ok := entry.Key.(*ast.StringNode)
		if !ok {
			return misplaced(entry.Key, "value_not_plain", "a key is a plain word")
		}
		if seen[key.Value] {
			return misplaced(key, "key_twice", "%q stands here a second time", key.Value)
		}
		seen[key.Value] = true
		if err := checkPlainText(key, key.Value); err != nil {
			return err
		}
		if err := checkPlain(entry.Value); err != nil {
			return err
		}
	}
	return nil
}

func checkPlainText(node ast.Node, value string) error {
	if !utf8.ValidString(value) || strings.ContainsFunc(value, isControl) {
		return misplaced(node, "text_malformed", "a text has no control characters and no escapes that are not characters")
	}
	return nil
}

// checkShape refuses values that do not fit the type they are read into: keys it does not have,
// numbers where a text is meant, and the other way round. The node has passed checkPlain.
func checkShape(node ast.Node, target reflect.Type) error {
	switch {
	case target == reflect.TypeFor[Figure]():
		if amountPattern.MatchString(text(node)) && isNumber(node) {
			return nil
		}
		return misplaced(node, "amount_malformed", "an amount of money is expected here, such as 7.5: a point, at most four decimals, no quotes")
	case readsItself(target):
		return nil
	}
	switch target.Kind() {
	case reflect.Pointer:
		return checkShape(node, target.Elem())
	case reflect.Struct:
		return checkFields(node, target)
	case reflect.Slice:
		return checkItems(node, target.Elem())
	case reflect.String:
		if node.Type() == ast.StringType || node.Type() == ast.LiteralType {
			return nil
		}
		return misplaced(node, "shape_wrong", "a text is expected here; a text that looks like a number stands in quotes")
	case reflect.Bool:
		if node.Type() == ast.BoolType {
			return nil
		}
		return misplaced(node, "shape_wrong", "true or false is expected here")
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Uint, reflect.Uint64, reflect.Uint32:
		if node.Type() == ast.IntegerType {
			return nil // its range is for the reader, which refuses what does not fit
		}
		return misplaced(node, "shape_wrong", "a whole number is expected here")
	default:
		return nil // any value
	}
}

func checkFields(node ast.Node, target reflect.Type) error {
	entries, ok := entriesOf(node)
	if !ok {
		return misplaced(node, "shape_wrong", "keys and values are expected here: %s", strings.Join(keysOf(target), ", "))
	}
	for _, entry := range entries {
		field, known := fieldOf(target, text(entry.Key))
		if !known {
			return misplaced(entry.Key, "key_unknown", "%q is not a key here; the keys are %s", text(entry.Key), strings.Join(keysOf(target), ", "))
		}
		if err := checkShape(entry.Value, field.Type); err != nil {
			return err
		}
	}
	return nil
}

func checkItems(node ast.Node, item reflect.Type) error {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return misplaced(node, "shape_wrong", "a list is expected here")
	}
	for _, value := range list.Values {
		if err := checkShape(value, item); err != nil {
			return err
		}
	}
	return nil
}

func entriesOf(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := node.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

func fieldOf(target reflect.Type, key string) (reflect.StructField, bool) {
	for field := range fields(target) {
		if keyOf(field) == key {
			return field, true
		}
	}
	return reflect.StructField{}, false
}

func keysOf(target reflect.Type) []string {
	var keys []string
	for field := range fields(target) {
		keys = append(keys, keyOf(field))
	}
	return slices.DeleteFunc(keys, func(key string) bool { return key == "-" })
}

func fields(target reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for at := range target.NumField() {
			if field := target.Field(at); field.IsExported() && !yield(field) {
				return
			}
		}
	}
}

func keyOf(field reflect.StructField) string {
	if key, _, _ := strings.Cut(field.Tag.Get("yaml"), ","); key != "" {
		return key
	}
	return strings.ToLower(field.Name)
}

// readsItself reports whether a type has its own way of being read, which then decides.
func readsItself(target reflect.Type) bool {
	_, own := reflect.PointerTo(target).MethodByName("UnmarshalYAML")
	return own
}

func isNumber(node ast.Node) bool {
	return node.Type() == ast.IntegerType || node.Type() == ast.FloatType
}

// text is what a scalar says: for numbers exactly as written.
func text(node ast.Node) string {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value
	}
	return ""
}

func isControl(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\ufeff' }

func misplaced(node ast.Node, code, format string, arguments ...any) error {
	return placedAt(first(node).GetToken(), fault.New(fault.Invalid, code, format, arguments...))
}
