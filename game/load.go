package game

import (
	"bytes"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/talonlottery/talon/fault"
)

// Limits of a definition file. A file beyond them is refused when it is read.
const (
	FileBytesMost  = 64 << 10
	BlockSizeMost  = 10_000_000
	TiersMost      = 64
	StakesMost     = 3
	PartsMost      = 4
	ChoiceMost     = 64
	TextBytesMost  = 200
	NameBytesMost  = 40
	JackpotOddsMax = 1_000_000_000
)

// Load reads the definition of a game. The file's name is for error messages only. Whatever is wrong
// is Invalid, with file, line and column and what was expected; codes are listed in
// docs/spec/definition.md. Layouts are proven by package mechanic/all, not here.
func Load(file string, data []byte) (*Definition, error) {
	reader, err := parse(file, data)
	if err != nil {
		return nil, err
	}
	if err := reader.checkKind(gameKind); err != nil {
		return nil, err
	}
	var document gameDocument
	if err := decode(file, reader.root, &document); err != nil {
		return nil, err
	}
	definition := document.definition()
	definition.Mechanic, definition.File = reader.section("mechanic"), reader.section("")
	if err := reader.checkGame(definition); err != nil {
		return nil, err
	}
	definition.Canonical, definition.Hash, err = reader.canonical()
	return definition, err
}

// LoadJackpot reads the definition of a jackpot. Errors as [Load].
func LoadJackpot(file string, data []byte) (*Jackpot, error) {
	reader, err := parse(file, data)
	if err != nil {
		return nil, err
	}
	if err := reader.checkKind(jackpotKind); err != nil {
		return nil, err
	}
	var document jackpotDocument
	if err := decode(file, reader.root, &document); err != nil {
		return nil, err
	}
	jackpot := document.jackpot()
	if err := reader.checkJackpot(&document, jackpot); err != nil {
		return nil, err
	}
	jackpot.Canonical, jackpot.Hash, err = reader.canonical()
	return jackpot, err
}

// Head is what a definition says of itself first.
type Head struct {
	Section        // the whole file; its Kind is "game" or "jackpot"
	Name    string // as written, unchecked
}

// ReadHead reads the kind and the name of a definition, without checking the rest. Errors as [Load].
func ReadHead(file string, data []byte) (Head, error) {
	reader, err := parse(file, data)
	if err != nil {
		return Head{}, err
	}
	return Head{Section: reader.section(""), Name: text(child(reader.root, "name"))}, nil
}

// reader makes errors at the places of a file's values.
type reader struct {
	file string
	root ast.Node
}

// parse reads one YAML document that is a mapping and uses nothing but plain values.
func parse(file string, data []byte) (reader, error) {
	if err := checkBytes(file, data); err != nil {
		return reader{}, err
	}
	parsed, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey()) // a key given twice is found below
	if err != nil {
		return reader{}, placed(file, err)
	}
	var documents []ast.Node
	for _, document := range parsed.Docs {
		if document.Body != nil {
			documents = append(documents, document.Body)
		}
	}
	if len(documents) != 1 {
		place := fileStart
		if len(documents) > 1 {
			place = position(documents[1])
		}
		return reader{}, fault.New(fault.Invalid, "documents_wrong", "a definition is one YAML document, not %d", len(documents)).At(file + place)
	}
	root := documents[0]
	plain := plainness{}
	ast.Walk(&plain, root)
	if plain.found != nil {
		return reader{}, fault.New(fault.Invalid, "yaml_not_plain", "YAML anchors, aliases, merge keys, tags and directives are not read").
			Next("write the value where it is meant").At(file + position(plain.found))
	}
	if _, ok := entriesOf(root); !ok {
		return reader{}, fault.New(fault.Invalid, "shape_wrong", "a definition is a mapping of keys to values").At(file + position(root))
	}
	if err := checkPlain(root); err != nil {
		return reader{}, placed(file, err)
	}
	return reader{file, root}, nil
}

// checkBytes refuses what is not a text of a reasonable size.
func checkBytes(file string, data []byte) error {
	if len(data) > FileBytesMost {
		return fault.New(fault.Invalid, "file_too_large", "a definition has at most %d bytes, not %d", FileBytesMost, len(data)).At(file + fileStart)
	}
	for at := 0; at < len(data); {
		r, width := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && width == 1 || isControl(r) && r != '\t' && !(r == '\r' && bytes.HasPrefix(data[at:], []byte("\r\n"))) {
			return fault.New(fault.Invalid, "text_not_utf8", "a definition is UTF-8 text without control characters or byte order mark").
				At(file + bytePosition(data, at))
		}
		at += width
	}
	return nil
}

// plainness finds the first node that is more than a value written where it is meant.
type plainness struct{ found ast.Node }

// Visit implements [ast.Visitor].
func (p *plainness) Visit(node ast.Node) ast.Visitor {
	switch node.Type() {
	case ast.AnchorType, ast.AliasType, ast.TagType, ast.MergeKeyType, ast.DirectiveType:
		if p.found == nil {
			p.found = node
		}
		return nil
	}
	return p
}

func (r reader) section(key string) Section {
	node := r.root
	if key != "" {
		node = child(r.root, key)
	}
	return Section{Kind: text(child(node, "kind")), file: r.file, node: node}
}

func (r reader) errorf(path, code, format string, arguments ...any) error {
	return fault.New(fault.Invalid, code, format, arguments...).At(r.file + position(find(r.root, path)))
}

func (r reader) checkKind(kind string) error {
	if found := text(find(r.root, "kind")); found != kind {
		return r.errorf("kind", "kind_wrong", "`kind: %s` is expected here, not %q", kind, found)
	}
	return nil
}
