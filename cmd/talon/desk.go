package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/publish"
	"github.com/talonlottery/talon/internal/store/sqlite"
	"github.com/talonlottery/talon/internal/vault"
	"github.com/talonlottery/talon/internal/vault/remote"
)

// openRecords opens the database of a data folder, which is never made here, so that a wrong path cannot
// agree with itself.
func openRecords(ctx context.Context, folder string) (*sqlite.Store, error) {
	path := filepath.Join(folder, databaseFile)
	if _, err := os.Stat(path); err != nil {
		return nil, fault.New(fault.NotFound, "database_missing", "there is no database %s", path).
			Next("name the folder with --data or TALON_DATA; it is never made by this command, so that a wrong path cannot agree with itself")
	}
	return sqlite.Open(ctx, path)
}

// desk is where the staff works on a data folder, whether a node runs on it or not.
type desk struct {
	folder    string
	catalogue *catalogue.Catalogue
	store     *sqlite.Store
	publisher *publish.Publisher
	staff     office.Staff
}

// deskFlags are those of commands of the staff.
type deskFlags struct {
	dataFlags
	publicFlags
}

// decisionFlags say who decides, and why.
type decisionFlags struct {
	By     string `help:"Who decides: a name of the operator's choice, the same each time." required:"" env:"TALON_STAFF"`
	Why    string `help:"Why: a sentence for the public log." required:""`
	Commit bool   `help:"Do it; without, it is only said what would be done."`
}

// open opens the desk. The database is never made by it.
func (f deskFlags) open(ctx context.Context, logger *slog.Logger) (_ *desk, err error) {
	d := &desk{}
	if d.folder, d.catalogue, err = f.load(); err != nil {
		return nil, err
	}
	if d.store, err = openRecords(ctx, d.folder); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.store.Close())
		}
	}()
	d.publisher, err = f.publisher(ctx, publicParts{
		folder: d.folder, store: d.store, tiles: d.tiles, catalogue: d.catalogue, log: logger,
	})
	d.staff = office.Staff{Store: d.store, Clock: time.Now}
	return d, err
}

// at opens the desk, lets the staff work and closes it.
func (f deskFlags) at(ctx context.Context, logger *slog.Logger, work func(*desk) error) error {
	d, err := f.open(ctx, logger)
	if err != nil {
		return err
	}
	return errors.Join(work(d), d.publisher.Close(), d.store.Close())
}

func (d *desk) tiles(id block.ID) string {
	return vault.TilesPath(filepath.Join(d.folder, tilesFolder), id)
}

// publish publishes what was decided, unless a node that runs does it.
func (d *desk) publish(ctx context.Context) error {
	published, err := d.publisher.Publish(ctx, false)
	if published > 0 {
		d.publisher.AskWitnesses(ctx)
	}
	d.publisher.Release(ctx)
	return err
}

// secrets is what the staff asks of a vault.
type secrets interface {
	Release(ctx context.Context, header block.Header, evidence custody.Evidence) (custody.Released, error)
	DealMixed(ctx context.Context, ceremony custody.Ceremony, progress func(done, total uint32)) (block.Deal, error)
	Close() error
}

// secrets opens the vault of the folder, or asks the one that another process runs.
func (d *desk) secrets(socket string, logger *slog.Logger) (secrets, error) {
	if socket != "" {
		return remote.New(socket), nil
	}
	config := vaultConfig(d.folder, d.catalogue, logger)
	config.Ended = publish.Ended(d.publisher.Key())
	return vault.Open(config)
}
