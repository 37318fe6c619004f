package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/talonlottery/talon/verify/internal/audit"
	"github.com/talonlottery/talon/verify/internal/definition"
	"github.com/talonlottery/talon/verify/internal/finding"
	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/publiclog"
	"github.com/talonlottery/talon/verify/internal/receipt"
	"github.com/talonlottery/talon/verify/internal/source"
	"github.com/talonlottery/talon/verify/internal/vectors"
)

// receipt verifies a receipt.
func (c *command) receipt() (int, error) {
	data, err := readFile(c.arguments[0])
	if err != nil {
		return exitUnusable, err
	}
	result := receipt.Verify(data, c.keys)
	if c.json {
		return exitCode(result.Findings), c.writeJSON(result)
	}
	fmt.Fprintln(c.out, result.Outcome)
	if r := result.Receipt; r != nil {
		fmt.Fprintf(c.out, "play %s: unit %d of block %s of %s at stake %d, prize %s\n",
			r.Play, r.Unit.Index, result.Seal.Block, result.Seal.Game, result.Seal.Stake, definition.Format(r.Unit.Prize))
		if p := r.Participation; p != nil {
			fmt.Fprintf(c.out, "participation %d in the jackpot, wins: %v\n", p.Index, len(p.Layout) == 1 && p.Layout[0] == 1)
		}
	}
	result.Findings.Print(c.out)
	return exitCode(result.Findings), nil
}

// log checks the public log.
func (c *command) log(ctx context.Context) (int, error) {
	s, err := source.New(c.arguments[0])
	if err != nil {
		return exitUnusable, err
	}
	if s, err = logOf(ctx, s); err != nil {
		return exitUnusable, err
	}
	progress := c.progress()
	options := publiclog.Options{Keys: c.keys, Progress: func(done, all uint64) { progress("entries", done, all) }}
	if c.older != "" {
		if options.Older, err = readFile(c.older); err != nil {
			return exitUnusable, err
		}
	}
	result, err := publiclog.Check(ctx, s, options)
	if err != nil {
		return exitUnusable, err
	}
	if c.json {
		findings := append(finding.List{}, result.Findings...)
		return exitCode(findings), c.writeJSON(map[string]any{"entries": result.Size, "findings": findings})
	}
	fmt.Fprintf(c.out, "log of %s, %d entries\n", c.keys.Operator.Name, result.Size)
	result.Findings.Print(c.out)
	return exitCode(result.Findings), nil
}

// logOf finds the log of a publication; a folder that has a checkpoint is the log itself.
func logOf(ctx context.Context, s source.Source) (source.Source, error) {
	file, err := s.Open(ctx, "checkpoint")
	if errors.Is(err, fs.ErrNotExist) {
		return source.Below(s, "log"), nil
	}
	if err != nil {
		return nil, err
	}
	return s, file.Close()
}

// block checks the log and a block that is open.
func (c *command) block(ctx context.Context) (int, error) {
	id, err := notation.ParseID(c.arguments[1])
	if err != nil {
		return exitUnusable, fmt.Errorf("%q is not the identifier of a block: %w", c.arguments[1], err)
	}
	s, err := source.New(c.arguments[0])
	if err != nil {
		return exitUnusable, err
	}
	report, err := audit.Block(ctx, s, audit.Options{Block: id, Keys: c.keys, Progress: c.progress()})
	if err != nil {
		return exitUnusable, err
	}
	if c.json {
		return exitCode(report.Findings), c.writeJSON(report)
	}
	report.Print(c.out)
	return exitCode(report.Findings), nil
}

// vectors runs test vectors.
func (c *command) vectors(ctx context.Context) (int, error) {
	s, err := source.New(c.arguments[0])
	if err != nil {
		return exitUnusable, err
	}
	results, err := vectors.Run(ctx, s, vectors.Options{Progress: func(what string) { fmt.Fprintln(c.err, what) }})
	if err != nil {
		return exitUnusable, err
	}
	code, run := exitNothing, 0
	for _, r := range results {
		if r.Missing {
			fmt.Fprintf(c.out, "%s: not there\n", r.File)
			continue
		}
		run++
		fmt.Fprintf(c.out, "%s: %d values, %d differ\n", r.File, r.Checked, len(r.Failures))
		for _, failure := range r.Failures {
			fmt.Fprintf(c.out, "  %s\n", failure)
			code = exitFound
		}
	}
	if run == 0 {
		return exitUnusable, errors.New("no vectors are there")
	}
	return code, nil
}

func exitCode(findings finding.List) int {
	if len(findings) > 0 {
		return exitFound
	}
	return exitNothing
}

func (c *command) writeJSON(value any) error {
	encoder := json.NewEncoder(c.out)
	encoder.SetIndent("", " ")
	return encoder.Encode(value)
}
