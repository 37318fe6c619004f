package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/parsheet"
)

type checkCommand struct {
	Game  string `arg:"" help:"A game that comes with Talon, for instance piece-dor, or the path of a game.yaml."`
	JSON  bool   `help:"Print JSON for machines; it holds the ways." xor:"form"`
	Ways  bool   `help:"Print every way of every tier, too."`
	Pairs bool   `help:"Deal one block from a random secret, thrown away, and print how often each combination comes one symbol short." xor:"form,question"`

	Evidence bool   `help:"Deal whole blocks from published secrets and test their outcomes statistically (docs/rng.md); takes about a second a block." xor:"question"`
	Blocks   int    `help:"With --evidence: how many blocks, the stakes in turn." default:"16"`
	Seed     string `help:"With --evidence: the text that secrets are taken from, so that anyone gets the same figures." default:"${evidence_seed}"`
}

// Run prints the sheet of a game. A definition that is refused is unusable input.
func (c checkCommand) Run(ctx context.Context, s streams) error {
	definition, err := loadDefinition(c.Game)
	if err != nil {
		return err
	}
	if c.Evidence {
		return c.evidence(ctx, s, definition)
	}
	sheet, err := parsheet.Of(definition)
	if err != nil {
		return err
	}
	if c.JSON {
		encoder := json.NewEncoder(s.out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(sheet)
	}
	if err := sheet.Write(s.out); err != nil {
		return err
	}
	if c.Ways {
		for at := range sheet.Stakes {
			if err := sheet.Stakes[at].WriteWays(s.out); err != nil {
				return err
			}
		}
	}
	if c.Pairs {
		return writePairs(s, definition)
	}
	_, err = fmt.Fprintln(s.out, "\nEverything adds up; every tier has a layout at every stake; nothing outside the table is dealt.")
	return err
}

// loadDefinition takes a name of a game that comes with Talon, or the path of a file.
func loadDefinition(name string) (*game.Definition, error) {
	if !strings.ContainsAny(name, `/\.`) {
		return games.Definition(name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fault.New(fault.NotFound, "definition_missing", "the definition cannot be read: %w", err).
			Next("name a game that comes with Talon, or the path of a game.yaml")
	}
	return game.Load(name, data)
}
