package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/store"
)

type openCommand struct {
	deskFlags
	decisionFlags
	Vault string   `help:"Socket of a vault in another process. Default: the vault in the data folder, which no other process may hold." env:"TALON_VAULT"`
	Block block.ID `arg:"" help:"The block's identifier."`
}

// Run publishes the secret of a block that is no longer sold.
func (c openCommand) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	return decide(ctx, s, logger, c.deskFlags, c.decisionFlags, c.Block, store.Opened, func(d *desk) error {
		evidence, err := d.evidence(ctx, s, c.Block)
		if err != nil {
			return err
		}
		keeper, err := d.secrets(c.Vault, logger)
		if err != nil {
			return err
		}
		defer keeper.Close()
		return d.staff.Open(ctx, c.Block, c.By, c.Why, keeper, evidence)
	})
}

// endPatience is how long a command waits for a node that runs to publish the end of a block.
const endPatience = 20 * time.Second

// evidence proves out of the log that a block ended. Its end may have to be published first, by this
// command or by the node that runs.
func (d *desk) evidence(ctx context.Context, s streams, id block.ID) (custody.Evidence, error) {
	ctx, stop := context.WithTimeout(ctx, endPatience)
	defer stop()
	for told := false; ; {
		if err := d.publish(ctx); err != nil {
			return custody.Evidence{}, err
		}
		evidence, err := d.publisher.Evidence(ctx, id)
		if fault.CodeOf(err) != "end_not_published" {
			return evidence, err
		}
		if !told {
			fmt.Fprintln(s.log, "waiting until the end of the block is in the public log")
			told = true
		}
		select {
		case <-ctx.Done():
			return evidence, err
		case <-time.After(time.Second):
		}
	}
}

type exportCommand struct {
	deskFlags
	Folder string `arg:"" help:"Folder that the publication is written to." type:"path"`
}

// Run writes everything that is public into a folder.
func (c exportCommand) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	return c.at(ctx, logger, func(d *desk) error {
		if err := d.publish(ctx); err != nil {
			return err
		}
		files := 0
		if err := d.publisher.Export(ctx, c.Folder, func(path string) {
			files++
			fmt.Fprintln(s.log, path)
		}); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%d files in %s. The operator's key: %s\nCheck it with: talon audit log %s --key KEY\n", files, c.Folder, d.publisher.Key(), c.Folder)
		return nil
	})
}
