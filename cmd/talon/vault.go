package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/publish"
	"github.com/talonlottery/talon/internal/vault"
	vaultserver "github.com/talonlottery/talon/internal/vault/serve"
	"github.com/talonlottery/talon/publiclog"
)

// vaultCommand is the vault as a process of its own, and what is done with its folder. docs/vault.md explains all of it.
type vaultCommand struct {
	Serve     vaultServe     `cmd:"" default:"withargs" help:"Answer on a Unix socket."`
	Recipient vaultRecipient `cmd:"" help:"Print the recipient that shares of a ceremony are encrypted to."`
	Split     vaultSplit     `cmd:"" help:"Make a recovery identity and write its shares."`
	Recover   vaultRecover   `cmd:"" help:"Make a new vault from shares and the encrypted files of a lost one."`
	Adopt     vaultAdopt     `cmd:"" help:"Take over blocks that the journal does not know."`
}

// vaultFlags are those of every command on a vault's folder.
type vaultFlags struct {
	dataFlags
	Tiles string `help:"Folder of the blocks' tiles, which whoever sells must read. Default: blocks below the data folder." type:"path"`
}

func (f vaultFlags) config(logger *slog.Logger) (vault.Config, error) {
	folder, loaded, err := f.load()
	if err != nil {
		return vault.Config{}, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return vault.Config{}, fault.New(fault.Unavailable, "data_folder_unusable", "the data folder cannot be made: %w", err).
			Next("name another with --data or TALON_DATA")
	}
	config := vaultConfig(folder, loaded, logger)
	if f.Tiles != "" {
		config.Tiles = f.Tiles
	}
	return config, nil
}

// vaultConfig is what the vault of a data folder is made of, before anything is asked of it in particular.
func vaultConfig(folder string, loaded *catalogue.Catalogue, logger *slog.Logger) vault.Config {
	return vault.Config{
		Secrets: filepath.Join(folder, secretsFolder), Tiles: filepath.Join(folder, tilesFolder), Random: rand.Reader, Catalogue: loaded, Log: logger,
	}
}

type vaultServe struct {
	vaultFlags
	Socket    string   `help:"Path of the Unix socket." required:"" env:"TALON_VAULT" type:"path"`
	AllowUser []int    `help:"User id that may ask; repeat it for several. Default: the user that runs this." placeholder:"UID"`
	LogKey    string   `help:"The operator's public key, by which the end of a block is proven before its secret is given out. Without it none is." env:"TALON_LOG_KEY"`
	Recipient []string `help:"Encrypt secrets to this age recipient, too; repeat it for several. Kept in the folder." placeholder:"age1…"`
}

// Run answers until it is told to stop.
func (c vaultServe) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	config, err := c.config(logger)
	if err != nil {
		return err
	}
	config.Recipients = c.Recipient
	if c.LogKey != "" {
		key, err := publiclog.ParseKey(c.LogKey)
		if err != nil {
			return err
		}
		config.Ended = publish.Ended(key)
	}
	v, err := vault.Open(config)
	if err != nil {
		return err
	}
	defer v.Close()
	if len(c.AllowUser) == 0 {
		c.AllowUser = []int{os.Getuid()}
	}
	listener, err := vaultserver.Listen(c.Socket, c.AllowUser, logger)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "The vault answers users %d on %s. Its recipient is %s\n", c.AllowUser, c.Socket, v.Recipient())
	return vaultserver.Serve(ctx, listener, v, logger)
}

type vaultRecipient struct{ vaultFlags }

// Run prints the recipient of the vault's own identity.
func (c vaultRecipient) Run(s streams, logger *slog.Logger) error {
	config, err := c.config(logger)
	if err != nil {
		return err
	}
	v, err := vault.Open(config)
	if err != nil {
		return err
	}
	defer v.Close()
	fmt.Fprintln(s.out, v.Recipient())
	return nil
}

type vaultSplit struct {
	vaultFlags
	Shares    int    `help:"How many shares are written." required:""`
	Threshold int    `help:"How many of them rebuild the identity." required:""`
	Out       string `help:"Folder that the shares are written to." default:"." type:"path"`
}

// Run makes a recovery identity. Shares are written before anything depends on them.
func (c vaultSplit) Run(s streams, logger *slog.Logger) error {
	config, err := c.config(logger)
	if err != nil {
		return err
	}
	recipient, parts, err := vault.SplitRecovery(rand.Reader, c.Shares, c.Threshold)
	if err != nil {
		return err
	}
	for _, part := range parts {
		text, err := part.MarshalText()
		if err != nil {
			return err
		}
		name := filepath.Join(c.Out, fmt.Sprintf("recovery-%s-share-%d-of-%d.txt", recipient[len(recipient)-8:], part.Number, part.Shares))
		if err := writeNew(name, text); err != nil {
			return err
		}
		fmt.Fprintln(s.out, name)
	}
	files, err := vault.AddRecipient(config, recipient)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, `%d files are now encrypted to %s, too.
Any %d of the %d shares together open every block of this vault that was not opened yet. Give each to another person, on paper or on a
medium of its own, and delete the files here. With fewer than %[3]d left, nothing can be recovered; make a new set in time, and take the
old recipient from the vault's recipients.txt.
`, files, recipient, c.Threshold, c.Shares)
	return nil
}

type vaultRecover struct {
	vaultFlags
	Share []string `arg:"" help:"Files of shares, as many as are needed." type:"path"`
	From  string   `help:"Vault folder of the lost vault, from its backup; the identity is not needed. Default: vault below the data folder." type:"path"`
	Out   string   `help:"Folder of the new vault, which must not exist." required:"" type:"path"`
}

// Run makes a new vault's folder.
func (c vaultRecover) Run(s streams, logger *slog.Logger) error {
	config, err := c.config(logger)
	if err != nil {
		return err
	}
	parts := make([]vault.RecoveryShare, len(c.Share))
	for at, name := range c.Share {
		text, err := os.ReadFile(name)
		if err != nil {
			return fault.New(fault.Invalid, "share_unreadable", "a share cannot be read: %w", err)
		}
		if err := parts[at].UnmarshalText(text); err != nil {
			return fault.New(fault.Invalid, fault.CodeOf(err), "%w", err).At(name)
		}
	}
	identity, err := vault.JoinRecovery(parts)
	if err != nil {
		return err
	}
	from := c.From
	if from == "" {
		from = config.Secrets
	}
	config.Secrets = c.Out
	files, err := vault.Rebuild(config, from, identity)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%d files were recovered into %s. Put it in the place of the lost vault folder, and start.\n", files, c.Out)
	return nil
}

type vaultAdopt struct {
	vaultFlags
	Block  map[string]string `arg:"" help:"Blocks with the number of units that the database says were sold: BLOCK=UNITS."`
	Commit bool              `help:"Write it; without, it is only said what would be written."`
}

// Run takes over blocks whose journal is lost or never was.
func (c vaultAdopt) Run(s streams, logger *slog.Logger) error {
	config, err := c.config(logger)
	if err != nil {
		return err
	}
	sold := make(map[block.ID]uint32, len(c.Block))
	for _, name := range slices.Sorted(maps.Keys(c.Block)) {
		var id block.ID
		if err := id.UnmarshalText([]byte(name)); err != nil {
			return err
		}
		units, err := strconv.ParseUint(c.Block[name], 10, 32)
		if err != nil {
			return fault.New(fault.Invalid, "units_malformed", "%s: a number of units is expected, not %q", name, c.Block[name])
		}
		sold[id] = uint32(units)
		fmt.Fprintf(s.out, "block %s: the next unit that may be opened is %d\n", id, units)
	}
	if !c.Commit {
		fmt.Fprintln(s.out, "Nothing was written. If these are the database's numbers, run it again with --commit.")
		return nil
	}
	return vault.Adopt(config, sold)
}

// writeNew writes a secret file that must not exist.
func writeNew(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = file.Write(text)
		if synced := file.Sync(); err == nil {
			err = synced
		}
		if closed := file.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return fault.New(fault.Invalid, "file_unwritable", "%s cannot be written: %w", name, err).Next("name another folder with --out")
	}
	return nil
}
