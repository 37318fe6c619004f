package game

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/talonlottery/talon/fault"
)

// Places are file:line:column, both counted from 1, columns in characters.

// find is the node at a path below another, for instance "stakes[0].price", or the nearest above it
// that exists.
func find(node ast.Node, path string) ast.Node {
	for step := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		next := child(node, step)
		if next == nil {
			return node
		}
		node = next
	}
	return node
}

func child(node ast.Node, step string) ast.Node {
	if list, ok := node.(*ast.SequenceNode); ok {
		if at, err := strconv.Atoi(step); err == nil && at >= 0 && at < len(list.Values) {
			return list.Values[at]
		}
		return nil
	}
	entries, _ := entriesOf(node)
	for _, entry := range entries {
		if text(entry.Key) == step {
			return entry.Value
		}
	}
	return nil
}

// atToken is an error with the token it is about; the loader adds the file.
type atToken struct {
	token *token.Token
	fault *fault.Error
}

func placedAt(at *token.Token, err *fault.Error) error { return &atToken{at, err} }

func (e *atToken) Error() string { return e.fault.Error() }

func (e *atToken) Unwrap() error { return e.fault }

// placed turns an error of the YAML reader, or of our own checks of its nodes, into a fault at its
// place. An error without a place is put at the beginning of the file.
func placed(file string, err error) error {
	if at, ok := errors.AsType[*atToken](err); ok {
		return at.fault.At(file + tokenPosition(at.token))
	}
	var syntax yaml.Error
	if errors.As(err, &syntax) {
		return fault.New(fault.Invalid, "shape_wrong", "%s", oneLine(syntax.GetMessage())).At(file + tokenPosition(syntax.GetToken()))
	}
	return fault.New(fault.Invalid, "shape_wrong", "%s", oneLine(err.Error())).At(file + fileStart)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

const fileStart = ":1:1"

// position writes where a node begins, as ":line:column".
func position(node ast.Node) string {
	if node == nil {
		return fileStart
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
		return fileStart
	}
	return fmt.Sprintf(":%d:%d", at.Position.Line, at.Position.Column)
}

// bytePosition writes the place of a byte of the file, the text before which is UTF-8.
func bytePosition(data []byte, at int) string {
	line := 1 + bytes.Count(data[:at], []byte("\n"))
	column := 1 + utf8.RuneCount(data[bytes.LastIndexByte(data[:at], '\n')+1:at])
	return fmt.Sprintf(":%d:%d", line, column)
}
