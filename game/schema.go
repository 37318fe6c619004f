package game

import _ "embed"

// Schema is the JSON Schema (draft 2020-12) of definition files, for editors and other tools. The
// loader does not use it: it checks more, and names line and column. A test keeps the two in step.
//
//go:embed schema.json
var Schema []byte
