package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/publish"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/store/sqlite"
	"github.com/talonlottery/talon/internal/vault"
	"github.com/talonlottery/talon/internal/vault/remote"
	"github.com/talonlottery/talon/money"
)

// The files of a house, below its data folder.
const (
	databaseFile  = "talon.db"
	secretsFolder = "vault"
	tilesFolder   = "blocks"
)

// dataFlags are the flags of every command that works on a data folder.
type dataFlags struct {
	Data  string `help:"Folder of database, vault and blocks. Default: talon/demo below XDG_DATA_HOME or ~/.local/share." env:"TALON_DATA" type:"path"`
	Games string `help:"Folder of games to use instead of those that come with Talon: one folder a game, each with a game.yaml." env:"TALON_GAMES" type:"path"`
}

func (f dataFlags) folder() (string, error) {
	if f.Data != "" {
		return f.Data, nil
	}
	if base := os.Getenv("XDG_DATA_HOME"); base != "" {
		return filepath.Join(base, "talon", "demo"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fault.New(fault.Invalid, "data_folder_unknown", "there is no home folder to keep data in: %w", err).
			Next("name a folder with --data or TALON_DATA")
	}
	return filepath.Join(home, ".local", "share", "talon", "demo"), nil
}

// load gives the data folder and the games.
func (f dataFlags) load() (folder string, loaded *catalogue.Catalogue, err error) {
	if folder, err = f.folder(); err != nil {
		return "", nil, err
	}
	loaded, err = f.catalogue()
	return folder, loaded, err
}

// catalogue loads, checks and compiles the games.
func (f dataFlags) catalogue() (*catalogue.Catalogue, error) {
	set, err := games.All()
	if f.Games != "" {
		set, err = games.In(os.DirFS(f.Games))
	}
	if err != nil {
		return nil, err
	}
	return catalogue.New(set.Games, set.Jackpots)
}

// keeper is a vault, in this process or in another.
type keeper interface {
	office.Vault
	sale.Vault
	Forget(block.ID)
	Close() error
}

// house is a running lottery: its rooms, wired.
type house struct {
	folder    string
	catalogue *catalogue.Catalogue
	store     *sqlite.Store
	vault     keeper
	supply    *office.Supply
	seller    *sale.Seller
	publisher *publish.Publisher
	lock      *os.File

	stopSupply  context.CancelFunc
	supplied    chan error // the end of the supply
	stopPublish context.CancelFunc
	published   chan struct{} // the end of publishing
}

// houseConfig is what differs between commands that open a house.
type houseConfig struct {
	folder        string
	catalogue     *catalogue.Catalogue
	blocks        int
	prizeDueAbove money.Amount
	dealtBy       string
	approvedBy    string // empty: a person approves each block
	public        publicFlags
	vault         string // socket of a vault in another process; empty: the vault is in this one
	log           *slog.Logger
	progress      func(office.Progress)
}

// openHouse opens what the folder holds, or makes it, and begins to deal what is missing.
func openHouse(ctx context.Context, config houseConfig) (_ *house, err error) {
	if err := os.MkdirAll(config.folder, 0o755); err != nil {
		return nil, fault.New(fault.Unavailable, "data_folder_unusable", "the data folder cannot be made: %w", err).
			Next("name another with --data or TALON_DATA")
	}
	h := &house{folder: config.folder, catalogue: config.catalogue}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.close(ctx))
		}
	}()
	if h.lock, err = lockFolder(config.folder); err != nil {
		return nil, err
	}
	if h.store, err = sqlite.Open(ctx, filepath.Join(config.folder, databaseFile)); err != nil {
		return nil, err
	}
	if err := h.openVault(ctx, config); err != nil {
		return nil, err
	}
	if h.publisher, err = config.public.publisher(ctx, publicParts{
		folder: config.folder, store: h.store, tiles: func(id block.ID) string { return vault.TilesPath(filepath.Join(config.folder, tilesFolder), id) }, catalogue: h.catalogue, log: config.log, published: func() { h.supply.Wake() },
	}); err != nil {
		return nil, err
	}
	h.supply = office.New(office.Config{
		Store: h.store, Vault: h.vault, Catalogue: h.catalogue, Clock: time.Now, Log: config.log,
		Blocks: config.blocks, Progress: config.progress, DealtBy: config.dealtBy, ApprovedBy: config.approvedBy, Announced: h.publisher.Wake,
	})
	if err := h.supply.Open(ctx); err != nil {
		return nil, err
	}
	h.seller, err = sale.New(ctx, sale.Config{
		Store: h.store, Vault: h.vault, Catalogue: h.catalogue, Clock: time.Now, Log: config.log,
		PrizeDueAbove: config.prizeDueAbove,
		SoldOut:       func(id block.ID) { h.vault.Forget(id); h.supply.Wake(); h.publisher.Wake() },
	})
	if err != nil {
		return nil, err
	}
	h.runPublisher(ctx)
	h.runSupply(ctx, config.log)
	return h, nil
}

// openVault opens the vault, or takes the one that another process runs, and lets it remove what stopped deals left.
func (h *house) openVault(ctx context.Context, config houseConfig) error {
	blocks, err := h.store.Blocks(ctx)
	if err != nil {
		return err
	}
	known := make([]block.ID, len(blocks))
	for at, b := range blocks {
		known[at] = b.Deal.Header.ID
	}
	var removed int
	if config.vault != "" {
		asked := remote.New(config.vault)
		h.vault = asked
		removed, err = asked.Sweep(ctx, known)
	} else {
		var opened *vault.Vault
		settings := vaultConfig(h.folder, h.catalogue, config.log)
		settings.Ended = h.ended
		if opened, err = vault.Open(settings); err != nil {
			return err
		}
		h.vault = opened
		removed, err = opened.Sweep(func(id block.ID) bool { return slices.Contains(known, id) })
	}
	if removed > 0 {
		config.log.InfoContext(ctx, "removed files of blocks whose deal was stopped", "files", removed)
	}
	return err
}

// runSupply begins to deal. When that ends by itself, whoever runs the house must know at once: what
// is dealt already goes on being sold, and nothing follows.
func (h *house) runSupply(ctx context.Context, logger *slog.Logger) {
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	h.stopSupply, h.supplied = stop, make(chan error, 1)
	go func() {
		err := h.supply.Run(run)
		if err != nil {
			logger.ErrorContext(run, "no more blocks are dealt", "error", err)
		}
		h.supplied <- err
	}()
}

// runPublisher begins to publish, until the sale has ended.
func (h *house) runPublisher(ctx context.Context) {
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	h.stopPublish, h.published = stop, make(chan struct{})
	go func() {
		defer close(h.published)
		h.publisher.Run(run)
	}()
}

// close stops dealing, finishes what was taken from buyers, publishes what happened, and closes the database.
func (h *house) close(ctx context.Context) error {
	var errs []error
	if h.stopSupply != nil {
		h.stopSupply()
		errs = append(errs, <-h.supplied)
	}
	if h.seller != nil {
		errs = append(errs, h.seller.Close(ctx))
	}
	if h.stopPublish != nil {
		h.stopPublish()
		<-h.published
	}
	if h.publisher != nil {
		errs = append(errs, h.publisher.Close())
	}
	if h.store != nil {
		errs = append(errs, h.store.Close())
	}
	if h.vault != nil {
		errs = append(errs, h.vault.Close())
	}
	if h.lock != nil {
		errs = append(errs, h.lock.Close())
	}
	return errors.Join(errs...)
}

// ended is how the vault judges that a block has ended: by the public log of this house.
func (h *house) ended(header block.Header, evidence custody.Evidence) error {
	return publish.Ended(h.publisher.Key())(header, evidence)
}
