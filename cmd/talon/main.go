// Command talon runs, checks and measures instant lottery games sold from finite blocks.
//
// It wires the rooms of the house together and holds no rule of its own. `talon --help` lists the
// commands; `talon demo` is the place to begin.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/evidence"
)

// Exit codes, as `talon --help` states them.
const (
	exitDone     = 0 // done, and nothing was found wrong
	exitFound    = 1 // a check found a difference, or the work failed
	exitBadInput = 2 // flags, names or files that cannot be used
)

// commands is the command line: one field a command, flags with their TALON_ twins.
type commands struct {
	Demo      demoCommand      `cmd:"" help:"Serve both games with play money at http://localhost:8080."`
	Check     checkCommand     `cmd:"" help:"Check a game's definition: sums, odds, tiers and the layouts that show them."`
	Reconcile reconcileCommand `cmd:"" help:"Re-read everything that was recorded and say whether it agrees, to the cent."`
	Block     blockCommand     `cmd:"" help:"List blocks; approve and withdraw them."`
	Open      openCommand      `cmd:"" help:"Publish the secret of a block that is no longer sold, so that anybody can check all of it."`
	Export    exportCommand    `cmd:"" help:"Write everything that is public into a folder: the log, definitions, tiles, sales."`
	Witness   witnessCommand   `cmd:"" help:"Cosign the public logs of others, so that nobody is shown another log than the rest."`
	Verify    verifyCommand    `cmd:"" help:"Verify what the operator handed out: a receipt."`
	Audit     auditCommand     `cmd:"" help:"Check a publication: the public log, and blocks that were opened."`
	Bench     benchCommand     `cmd:"" help:"Measure this machine: reading, dealing, selling at full durability, memory."`
	Vault     vaultCommand     `cmd:"" help:"Keep the secrets of blocks in a process and under a user of their own."`
	Ceremony  ceremonyCommand  `cmd:"" help:"Take part in a secret that nobody chose."`
	Keystream keystreamCommand `cmd:"" hidden:"" help:"Write the numbers that outcomes are drawn from, for a battery of tests (./test randomness)."`
	Version   versionCommand   `cmd:"" help:"Print the version and what it was built from."`

	LogLevel slog.Level `help:"Least level of the log on standard error: debug, info, warn or error." default:"info" env:"TALON_LOG_LEVEL"`
}

// streams are where a command reads and writes; tests hand in their own.
type streams struct {
	out io.Writer // results, for people or machines
	log io.Writer // the log and progress
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	forgetEmptyVariables()
	code := run(ctx, os.Args[1:], streams{out: os.Stdout, log: os.Stderr})
	stop()
	os.Exit(code)
}

// forgetEmptyVariables takes an empty TALON_ variable for none, as whoever starts services in
// containers means it.
func forgetEmptyVariables() {
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "TALON_") && value == "" {
			_ = os.Unsetenv(name) // it exists: nothing can fail
		}
	}
}

// run parses the command line, runs the command and gives its exit code.
func run(ctx context.Context, arguments []string, s streams) int {
	var line commands
	exited := -1
	parser, err := kong.New(&line,
		kong.Name("talon"),
		kong.Description("An open engine for instant lottery games sold from finite blocks.\n\n"+
			"Exit codes: 0 done and nothing wrong, 1 something was found wrong or failed, 2 unusable input."),
		kong.Vars{"evidence_seed": evidence.Seed},
		kong.Writers(s.out, s.log),
		kong.Exit(func(code int) { exited = code }),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		fmt.Fprintln(s.log, "talon:", err)
		return exitFound
	}
	command, err := parser.Parse(arguments)
	if exited >= 0 {
		return exited // --help was asked for
	}
	if err != nil {
		fmt.Fprintf(s.log, "talon: %v\nRun `talon --help` for the commands.\n", err)
		return exitBadInput
	}
	logger := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: line.LogLevel}))
	return exitCode(s, command.Run(ctx, s, logger))
}

// errFound says that a check did its work and found something wrong; it has been printed already.
var errFound = errors.New("differences were found")

func exitCode(s streams, err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFound):
		return exitFound
	}
	fmt.Fprintln(s.log, "talon:", err)
	if errors.Is(err, fault.Invalid) || errors.Is(err, fault.NotFound) {
		return exitBadInput
	}
	return exitFound
}
