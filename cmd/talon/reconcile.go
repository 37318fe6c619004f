package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/reconcile"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/vault"
)

type reconcileCommand struct {
	dataFlags
	JSON bool `help:"Print JSON for machines."`
}

// Run checks all that was recorded in a data folder. It may run while the folder is being sold from:
// it reads one snapshot.
func (c reconcileCommand) Run(ctx context.Context, s streams) error {
	folder, loaded, err := c.load()
	if err != nil {
		return err
	}
	opened, err := openRecords(ctx, folder)
	if err != nil {
		return err
	}
	defer opened.Close()
	var report reconcile.Report
	err = opened.View(ctx, func(ctx context.Context, reader store.Reader) (err error) {
		report, err = reconcile.Check(ctx, reader, loaded, reconcile.Options{
			Tiles: func(id block.ID) (reconcile.Tiles, error) {
				return os.Open(vault.TilesPath(filepath.Join(folder, tilesFolder), id))
			},
			Progress: func(done, total uint64) {
				if done%100_000 == 0 && done > 0 {
					fmt.Fprintf(s.log, "read %d of %d sales\n", done, total)
				}
			},
		})
		if err != nil {
			return err
		}
		key, err := readPublicKey(folder)
		if err != nil {
			return err
		}
		return reconcile.CheckLog(ctx, reader, key, &report)
	})
	if err != nil {
		return err
	}
	return c.print(s, &report)
}

func (c reconcileCommand) print(s streams, report *reconcile.Report) error {
	var err error
	if c.JSON {
		err = json.NewEncoder(s.out).Encode(report)
	} else {
		err = report.WriteText(s.out)
	}
	if err == nil && !report.OK() {
		return errFound
	}
	return err
}
