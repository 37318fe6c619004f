// Command talon-verify checks what an operator of Talon published, with the operator's public key alone. It shares no code with the engine:
// docs/spec, and publication.md, section 5, for this command line.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/talonlottery/talon/verify/internal/signednote"
)

// Exit codes: publication.md, section 3.
const (
	exitNothing  = 0 // nothing was found
	exitFound    = 1
	exitUnusable = 2 // the input cannot be used
)

const usage = `talon-verify checks what a lottery published.

  talon-verify receipt FILE --key KEY [--witness KEY]... [--json]
      a player's receipt
  talon-verify log FOLDER --key KEY [--witness KEY]... [--older FILE] [--json]
      the public log; --older is a checkpoint that was kept from before
  talon-verify block FOLDER BLOCK --key KEY [--witness KEY]... [--json]
      the log, and every unit and sale of a block that is open
  talon-verify vectors FOLDER
      the test vectors of the specification

FOLDER is a folder or an address that begins with http:// or https://. For log it is a publication's or the log's own.
KEY is a public key, name+hash+key, or a file that holds it. Options may stand before or after the arguments.
Exit code 0: nothing was found. 1: something was. 2: the input cannot be used.
`

// errUsage says that the command line is wrong.
var errUsage = errors.New("see talon-verify --help")

// command is a command line that was read, with where it writes.
type command struct {
	name      string
	arguments []string
	keys      signednote.Keys
	older     string
	json      bool
	out, err  io.Writer
}

// argumentsOf says how many arguments each command takes, and whether it needs a key.
var argumentsOf = map[string]struct {
	count int
	key   bool
}{"receipt": {1, true}, "log": {1, true}, "block": {2, true}, "vectors": {1, false}}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, arguments []string, out, errs io.Writer) int {
	c := &command{out: out, err: errs}
	err := c.read(arguments)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(out, usage)
		return exitNothing
	}
	code := exitUnusable
	if err == nil {
		code, err = c.do(ctx)
	}
	if err != nil {
		fmt.Fprintf(errs, "talon-verify: %v\n", err)
		return exitUnusable
	}
	return code
}

func (c *command) do(ctx context.Context) (int, error) {
	switch c.name {
	case "receipt":
		return c.receipt()
	case "log":
		return c.log(ctx)
	case "block":
		return c.block(ctx)
	}
	return c.vectors(ctx)
}

// read reads the command line. Options may stand anywhere.
func (c *command) read(arguments []string) error {
	var key string
	var witnesses []string
	flags := flag.NewFlagSet("talon-verify", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&key, "key", "", "")
	flags.StringVar(&c.older, "older", "", "")
	flags.BoolVar(&c.json, "json", false, "")
	flags.Func("witness", "", func(text string) error {
		witnesses = append(witnesses, text)
		return nil
	})
	for {
		if err := flags.Parse(arguments); err != nil {
			return err
		}
		if flags.NArg() == 0 {
			break
		}
		c.arguments = append(c.arguments, flags.Arg(0))
		arguments = flags.Args()[1:]
	}
	if len(c.arguments) == 0 {
		return errUsage
	}
	c.name, c.arguments = c.arguments[0], c.arguments[1:]
	wanted, known := argumentsOf[c.name]
	if !known || len(c.arguments) != wanted.count || (c.older != "" && c.name != "log") {
		return errUsage
	}
	if !wanted.key {
		return nil
	}
	return c.readKeys(key, witnesses)
}

func (c *command) readKeys(key string, witnesses []string) error {
	if key == "" {
		return fmt.Errorf("--key is missing: %w", errUsage)
	}
	operator, err := readKey(key)
	if err != nil {
		return err
	}
	if operator.IsWitness() {
		return errors.New("--key is a witness's key")
	}
	c.keys.Operator = operator
	for _, text := range witnesses {
		w, err := readKey(text)
		if err != nil {
			return err
		}
		if !w.IsWitness() {
			return errors.New("--witness is not a witness's key")
		}
		for _, other := range c.keys.Witnesses {
			if w.Same(other) {
				return errors.New("--witness names one key twice")
			}
		}
		c.keys.Witnesses = append(c.keys.Witnesses, w)
	}
	return nil
}

// readKey reads a key from its text, or from the file of this name.
func readKey(text string) (*signednote.Key, error) {
	if k, err := signednote.ParseKey(text); err == nil {
		return k, nil
	}
	data, err := readFile(text)
	if err != nil {
		return nil, fmt.Errorf("%q is neither a key nor a file: %w", text, err)
	}
	k, err := signednote.ParseKey(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return k, nil
}

const fileBytesMost = 1 << 20

// readFile reads a small file.
func readFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, fileBytesMost))
}

// progress writes on standard error what is done, at most once a second.
func (c *command) progress() func(what string, done, all uint64) {
	last := time.Now()
	return func(what string, done, all uint64) {
		if now := time.Now(); now.Sub(last) >= time.Second {
			last = now
			fmt.Fprintf(c.err, "%s %d of %d\n", what, done, all)
		}
	}
}
