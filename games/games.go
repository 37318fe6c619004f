// Package games holds the definitions that come with Talon: one folder a game.
//
// Its one promise: what it returns is what the files in its folders say, loaded by package game.
package games

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
)

//go:embed */game.yaml
var files embed.FS

// Set is a number of definitions that are used together.
type Set struct {
	Games    []*game.Definition
	Jackpots []*game.Jackpot
}

// All loads every definition that comes with Talon. It returns the fault of the first that is wrong,
// which a test of this package rules out.
func All() (Set, error) { return In(files) }

// In loads the definitions below a folder that holds one folder a game, each with a game.yaml. It
// returns NotFound with code definitions_missing when there is none.
func In(folder fs.FS) (Set, error) {
	names, err := fs.Glob(folder, "*/game.yaml")
	if err != nil {
		return Set{}, err
	}
	if len(names) == 0 {
		return Set{}, fault.New(fault.NotFound, "definitions_missing", "there is no game here").
			Next("a folder of games holds one folder a game, each with a game.yaml")
	}
	var set Set
	for _, name := range names {
		if err := set.read(folder, name); err != nil {
			return Set{}, err
		}
	}
	return set, nil
}

// Definition loads one game that comes with Talon. It returns NotFound with code game_unknown.
func Definition(name string) (*game.Definition, error) {
	set, err := All()
	if err != nil {
		return nil, err
	}
	var known []string
	for _, definition := range set.Games {
		if definition.Name == name {
			return definition, nil
		}
		known = append(known, definition.Name)
	}
	return nil, fault.New(fault.NotFound, "game_unknown", "no game named %q comes with Talon", name).
		Next("it comes with %s; a path to a game.yaml is taken too", strings.Join(known, ", "))
}

// Jackpot loads one jackpot that comes with Talon. It returns NotFound with code jackpot_unknown.
func Jackpot(name string) (*game.Jackpot, error) {
	set, err := All()
	if err != nil {
		return nil, err
	}
	for _, jackpot := range set.Jackpots {
		if jackpot.Name == name {
			return jackpot, nil
		}
	}
	return nil, fault.New(fault.NotFound, "jackpot_unknown", "no jackpot named %q comes with Talon", name)
}

func (s *Set) read(folder fs.FS, name string) error {
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return fault.New(fault.NotFound, "definition_missing", "there is no %s", name)
		}
		return fault.New(fault.Unavailable, "definition_unreadable", "%s cannot be read: %w", name, err)
	}
	head, err := game.ReadHead(name, data)
	if err != nil {
		return err
	}
	if head.Name != path.Base(path.Dir(name)) {
		return head.Errorf("name", "folder_name", "folder and name are one: the folder is %q, the name %q", path.Base(path.Dir(name)), head.Name)
	}
	if head.Kind == "jackpot" {
		jackpot, err := game.LoadJackpot(name, data)
		if err != nil {
			return err
		}
		s.Jackpots = append(s.Jackpots, jackpot)
		return nil
	}
	definition, err := game.Load(name, data)
	if err != nil {
		return err
	}
	s.Games = append(s.Games, definition)
	return nil
}
