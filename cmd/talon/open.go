package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/talonlottery/talon/block"
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
		if err := d.publish(ctx); err != nil { // its end may wait to be published
			return err
		}
		evidence, err := d.publisher.Evidence(ctx, c.Block)
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

type exportCommand struct {
	deskFlags
	Folder string `arg:"" help:"Folder that the publication is written to." type:"path"`
}

// Run writes everything that is public into a folder.
func (c exportCommand) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	d, err := c.open(ctx, logger)
	if err != nil {
		return err
	}
	defer d.close()
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
}
