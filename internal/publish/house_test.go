package publish_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/publish"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/publiclog"
)

const (
	moons = cataloguetest.Moons
	winds = cataloguetest.Winds
	pot   = cataloguetest.SmallPot
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
}

// house is a small lottery that publishes: a real store, office and sale, and a vault in memory.
type house struct {
	t         testing.TB
	folder    string
	games     *catalogue.Catalogue
	store     *saletest.FailingStore
	vault     *saletest.MemoryVault
	supply    *office.Supply
	seller    *sale.Seller
	publisher *publish.Publisher
	now       atomic.Int64 // milliseconds after Morning
	bought    int
	last      map[string]block.PlayID // by player and game
}

// signer is the key of the tests; it follows from nothing but this text.
func signer(t testing.TB) *publiclog.Signer {
	t.Helper()
	seed := sha256.Sum256([]byte("the key of the publisher's tests"))
	text, _, err := publiclog.NewKey(bytes.NewReader(seed[:]), "example.org/tests")
	if err != nil {
		t.Fatal(err)
	}
	made, err := publiclog.NewSigner(text)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (h *house) clock() time.Time {
	return saletest.Morning.Add(time.Duration(h.now.Load()) * time.Millisecond)
}

// pass lets time pass.
func (h *house) pass(d time.Duration) { h.now.Add(d.Milliseconds()) }

// build makes a lottery with everything on sale, and its publisher.
func build(t testing.TB) *house {
	t.Helper()
	h := &house{t: t, folder: t.TempDir(), games: cataloguetest.New(t), last: make(map[string]block.PlayID)}
	h.store = saletest.Failing(saletest.OpenStore(t, h.folder))
	h.vault = saletest.NewVault(h.games, 7)
	h.publisher = h.node("node", nil)
	h.supply = office.New(office.Config{Store: h.store, Vault: h.vault, Catalogue: h.games, Clock: h.clock, Blocks: 2,
		DealtBy: "dealer", ApprovedBy: "approver", Announced: func() {}})
	if err := h.supply.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.prepare()
	saletest.Players(t, h.store, 30, 1_000*money.Unit)
	var err error
	h.seller, err = sale.New(t.Context(), sale.Config{Store: h.store, Vault: h.vault, Catalogue: h.games, Clock: h.clock, RetryPause: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.seller.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return h
}

// node makes one more publisher on the same database, with files of its own.
func (h *house) node(name string, change func(*publish.Config)) *publish.Publisher {
	h.t.Helper()
	config := publish.Config{Store: h.store, Signer: signer(h.t), Clock: h.clock, Holder: name, Folder: filepath.Join(h.folder, name),
		Tiles: func(id block.ID) (publish.Tiles, error) { return memoryFile{bytes.NewReader(h.vault.Tiles(id))}, nil },
		Definitions: func(hash canon.Digest) ([]byte, error) {
			for _, g := range h.games.Games() {
				if g.Hash == hash {
					return g.Canonical, nil
				}
			}
			for _, j := range h.games.Jackpots() {
				if j.Hash == hash {
					return j.Canonical, nil
				}
			}
			return nil, fault.New(fault.NotFound, "definition_unknown", "there is no such definition")
		}}
	if change != nil {
		change(&config)
	}
	made, err := publish.New(h.t.Context(), config)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = made.Close() })
	return made
}

type memoryFile struct{ io.ReaderAt }

func (memoryFile) Close() error { return nil }

// prepare deals, seals and approves until nothing is missing.
func (h *house) prepare() {
	h.t.Helper()
	ctx, stop := context.WithCancel(h.t.Context())
	ended := make(chan error)
	go func() { ended <- h.supply.Run(ctx) }()
	for ready := 0; ready < 8; time.Sleep(time.Millisecond) { // two blocks of each of four pools
		h.publish(false)
		h.supply.Wake()
		blocks, err := h.store.Blocks(h.t.Context())
		if err != nil {
			h.t.Fatal(err)
		}
		ready = 0
		for _, b := range blocks {
			if b.State == store.Approved || b.State == store.OnSale || b.State.Ended() {
				ready++
			}
		}
	}
	stop()
	if err := <-ended; err != nil {
		h.t.Error(err)
	}
	h.publish(false)
}

// publish publishes all that waits; with sales, also how much was sold.
func (h *house) publish(sales bool) {
	h.t.Helper()
	if _, err := h.publisher.Publish(h.t.Context(), sales); err != nil {
		h.t.Fatal(err)
	}
}

// buy buys units for players in turn and gives the plays.
func (h *house) buy(game string, units int) []store.Play {
	h.t.Helper()
	var plays []store.Play
	for range units {
		n := h.bought % 30
		h.bought++
		who := fmt.Sprint(n, game)
		receipt, err := h.seller.Sell(h.t.Context(), sale.Request{Player: saletest.Player(n), Key: fmt.Sprint(h.bought), Game: game, Seen: h.last[who]})
		if err != nil {
			h.t.Fatal(err)
		}
		if game == moons {
			if _, err := h.seller.Choose(h.t.Context(), saletest.Player(n), receipt.Play.ID, []int{0, 1, 2}); err != nil {
				h.t.Fatal(err)
			}
		}
		h.last[who] = receipt.Play.ID
		plays = append(plays, receipt.Play)
		h.pass(time.Millisecond)
	}
	return plays
}

// read opens the publication exported to a folder and follows its log, which must be without a finding.
func (h *house) read() (*publiclog.Reader, *publiclog.Follower, string) {
	h.t.Helper()
	folder := h.t.TempDir()
	if err := h.publisher.Export(h.t.Context(), folder, nil); err != nil {
		h.t.Fatal(err)
	}
	reader, err := publiclog.OpenReader(func(path string) ([]byte, error) {
		return os.ReadFile(filepath.Join(folder, "log", filepath.FromSlash(path)))
	}, signer(h.t).Key(), nil, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	var follower publiclog.Follower
	err = reader.Check(func(numbered publiclog.NumberedBytes) error {
		entry, err := publiclog.Parse(numbered.Raw)
		if err != nil {
			return err
		}
		for _, finding := range follower.Take(numbered.Index, entry, numbered.Raw) {
			h.t.Errorf("the log breaks a rule: %s", finding)
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return reader, &follower, folder
}
