package game

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/talonlottery/talon/fault"
)

// Limits of a definition file. A file beyond them is refused when it is read.
const (
	FileBytesMost  = 256 << 10
	BlockSizeMost  = 10_000_000
	TiersMost      = 64
	StakesMost     = 3
	PartsMost      = 4
	ChoiceMost     = 64
	TextBytesMost  = 200
	JackpotOddsMax = 1_000_000_000
)

// Load reads the definition of a game. The file's name is for error messages only. Whatever is wrong
// is Invalid, with file, line and column and what was expected; codes are listed in
// docs/spec/definition.md. Layouts are proven by package mechanic/all, not here.
func Load(file string, data []byte) (*Definition, error) {
	root, err := parse(file, data)
	if err != nil {
		return nil, err
	}
	var document gameDocument
	if err := yaml.NodeToValue(root, &document, yaml.Strict()); err != nil {
		return nil, placed(file, err)
	}
	reader := reader{file: file, root: root}
	definition := document.definition()
	definition.Mechanic, definition.File = reader.section("mechanic"), reader.section("")
	if err := reader.checkGame(definition); err != nil {
		return nil, err
	}
	definition.Hash, err = reader.hash()
	return definition, err
}

// LoadJackpot reads the definition of a jackpot. Errors as [Load].
func LoadJackpot(file string, data []byte) (*Jackpot, error) {
	root, err := parse(file, data)
	if err != nil {
		return nil, err
	}
	var document jackpotDocument
	if err := yaml.NodeToValue(root, &document, yaml.Strict()); err != nil {
		return nil, placed(file, err)
	}
	reader := reader{file: file, root: root}
	jackpot := document.jackpot()
	if err := reader.checkJackpot(document.Kind, jackpot); err != nil {
		return nil, err
	}
	jackpot.Hash, err = reader.hash()
	return jackpot, err
}

// parse reads one YAML document that is a mapping and uses nothing but plain values.
func parse(file string, data []byte) (ast.Node, error) {
	switch {
	case len(data) > FileBytesMost:
		return nil, fault.New(fault.Invalid, "file_too_large", "a definition has at most %d bytes, not %d", FileBytesMost, len(data)).At(file)
	case !utf8.Valid(data):
		return nil, fault.New(fault.Invalid, "text_not_utf8", "a definition is UTF-8 text").At(file)
	}
	parsed, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, placed(file, err)
	}
	var documents []ast.Node
	for _, document := range parsed.Docs {
		if document.Body != nil {
			documents = append(documents, document.Body)
		}
	}
	if len(documents) != 1 {
		return nil, fault.New(fault.Invalid, "shape_wrong", "a definition is one YAML document, not %d", len(documents)).At(file)
	}
	plain := plainness{}
	ast.Walk(&plain, documents[0])
	if plain.found != nil {
		return nil, fault.New(fault.Invalid, "yaml_not_plain", "YAML anchors, aliases, merge keys and tags are not read").
			Next("write the value where it is meant").At(file + tokenPosition(plain.found.GetToken()))
	}
	if kind := documents[0].Type(); kind != ast.MappingType && kind != ast.MappingValueType {
		return nil, fault.New(fault.Invalid, "shape_wrong", "a definition is a mapping of keys to values").At(file + position(documents[0]))
	}
	return documents[0], nil
}

// plainness finds the first node that is more than a value written where it is meant.
type plainness struct{ found ast.Node }

// Visit implements [ast.Visitor].
func (p *plainness) Visit(node ast.Node) ast.Visitor {
	switch node.Type() {
	case ast.AnchorType, ast.AliasType, ast.TagType, ast.MergeKeyType:
		if p.found == nil {
			p.found = node
		}
		return nil
	}
	return p
}

// placed turns an error of the YAML reader into a fault at its place.
func placed(file string, err error) error {
	if at, ok := errors.AsType[*atToken](err); ok {
		return at.fault.At(file + tokenPosition(at.token))
	}
	var syntax yaml.Error
	if errors.As(err, &syntax) {
		return fault.New(fault.Invalid, "shape_wrong", "%s", oneLine(syntax.GetMessage())).At(file + tokenPosition(syntax.GetToken()))
	}
	return fault.New(fault.Invalid, "shape_wrong", "%s", oneLine(err.Error())).At(file)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// reader makes errors at the places of a file's values.
type reader struct {
	file string
	root ast.Node
}

func (r reader) section(key string) Section {
	node := find(r.root, key)
	var head struct {
		Kind string `yaml:"kind"`
	}
	_ = yaml.NodeToValue(node, &head) // a section without kind is refused by the check that follows
	return Section{Kind: head.Kind, file: r.file, node: node}
}

func (r reader) errorf(path, code, format string, arguments ...any) error {
	return fault.New(fault.Invalid, code, format, arguments...).At(r.file + position(find(r.root, path)))
}
