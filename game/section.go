package game

import "github.com/goccy/go-yaml/ast"

// Section is a part of a definition file that another package decodes, with its place in the file,
// so that errors found later still name the line.
type Section struct {
	Kind string // value of the section's "kind" key
	file string
	node ast.Node
}
