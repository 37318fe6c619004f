// Package judge has others judge Talon's public log: checkers that others wrote for any log of the
// C2SP specifications read what we publish, and must come to the same verdict.
//
// It is a module of its own, so that what these checkers stand on is not linked into talon. Run it
// with `go test ./...` in this folder.
package judge
