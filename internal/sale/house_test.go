package sale_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/vault"
	"github.com/talonlottery/talon/money"
)

const (
	moons    = cataloguetest.Moons
	winds    = cataloguetest.Winds
	smallPot = cataloguetest.SmallPot
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
}

// house is a small lottery: a real store and a real vault in a folder, and a seller.
type house struct {
	t      testing.TB
	folder string
	games  *catalogue.Catalogue
	store  *saletest.FailingStore
	vault  *vault.Vault
	seller *sale.Seller
	config sale.Config
	now    atomic.Int64 // nanoseconds after Morning

	mu           sync.Mutex
	acknowledged []store.Play
}

// build makes a lottery without lanes.
func build(t testing.TB) *house {
	h := &house{t: t, folder: t.TempDir(), games: cataloguetest.New(t)}
	h.open()
	saletest.OpenJackpots(t, h.store, h.games)
	t.Cleanup(func() { h.stop() })
	return h
}

// open opens store and vault in the folder, anew after a restart.
func (h *house) open() {
	h.t.Helper()
	opened, err := vault.Open(vault.Config{
		Secrets: filepath.Join(h.folder, "vault"), Tiles: filepath.Join(h.folder, "tiles"),
		Random: rand.NewChaCha8([32]byte{1}), Catalogue: h.games,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.vault, h.store = opened, saletest.Failing(saletest.OpenStore(h.t, h.folder))
	h.config = sale.Config{Store: h.store, Vault: h.vault, Catalogue: h.games, Clock: h.clock, RetryPause: time.Millisecond}
}

func (h *house) clock() time.Time { return saletest.Morning.Add(time.Duration(h.now.Load())) }

// lanes opens lanes and an emission whose blocks are all dealt, with participations enough.
func (h *house) lanes(game string, stake, lanes, blocks int) *house {
	h.t.Helper()
	saletest.OpenLanes(h.t, h.store, h.games, game, stake, lanes)
	saletest.OpenEmission(h.t, h.store, h.vault.Deal, game, stake, blocks, blocks)
	if found, err := h.games.Game(game); err == nil && found.Jackpot != "" {
		draws := 2*blocks + lanes + 1
		saletest.OpenEmission(h.t, h.store, h.vault.Deal, found.Jackpot, 0, draws, draws)
	}
	return h
}

// start starts selling.
func (h *house) start() *house {
	h.t.Helper()
	seller, err := sale.New(h.t.Context(), h.config)
	if err != nil {
		h.t.Fatal(err)
	}
	h.seller = seller
	return h
}

// stop stops selling, as often as it is called.
func (h *house) stop() {
	if h.seller != nil {
		h.store.Fail(nil) // so that what was accepted can be finished
		if err := h.seller.Close(context.Background()); err != nil {
			h.t.Error(err)
		}
		h.seller = nil
	}
}

// restart closes everything and opens it again.
func (h *house) restart() {
	h.t.Helper()
	h.stop()
	if err := errors.Join(h.store.Close(), h.vault.Close()); err != nil {
		h.t.Fatal(err)
	}
	h.open()
	h.start()
}

// request is the n-th player's request with a key of its own.
func request(n int, key, game string, stake int) sale.Request {
	return sale.Request{Player: saletest.Player(n), Key: key, Game: game, Stake: stake}
}

// sell sells a unit, remembers what was acknowledged, and fails unless it was sold.
func (h *house) sell(r sale.Request) sale.Receipt {
	h.t.Helper()
	receipt, err := h.seller.Sell(h.t.Context(), r)
	if err != nil {
		h.t.Fatal(err)
	}
	h.acknowledge(receipt)
	return receipt
}

func (h *house) acknowledge(receipt sale.Receipt) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.acknowledged = append(h.acknowledged, receipt.Play)
}

// refused fails unless a request is refused with a code.
func (h *house) refused(r sale.Request, kind fault.Kind, code string) {
	h.t.Helper()
	_, err := h.seller.Sell(h.t.Context(), r)
	h.wants(err, kind, code)
}

func (h *house) wants(err error, kind fault.Kind, code string) {
	h.t.Helper()
	if !errors.Is(err, kind) || fault.CodeOf(err) != code {
		h.t.Fatalf("%s with code %s was expected, not %v (%s)", kind, code, err, fault.CodeOf(err))
	}
	if fault.NextOf(err) == "" {
		h.t.Errorf("%s: the error does not say what to do next", code)
	}
}

// show chooses where there is a choice, and shows a play.
func (h *house) show(play store.Play) {
	h.t.Helper()
	if found, err := h.games.Game(play.Game); err == nil && found.Choice != nil {
		if _, err := h.seller.Choose(h.t.Context(), play.Player, play.ID, []int{4, 0, 2}); err != nil {
			h.t.Fatal(err)
		}
	}
	if err := h.seller.Shown(h.t.Context(), play.Player, play.ID); err != nil {
		h.t.Fatal(err)
	}
}

// differences asks the oracle.
func (h *house) differences() []string {
	h.t.Helper()
	return saletest.Check(h.t.Context(), saletest.World{
		Store: h.store, Games: h.games, PrizeDueAbove: h.config.PrizeDueAbove, Acknowledged: h.acknowledged,
		Tiles: func(id block.ID) io.ReaderAt {
			content, err := os.ReadFile(h.vault.TilesPath(id))
			if err != nil {
				h.t.Fatal(err)
			}
			return strings.NewReader(string(content))
		},
	})
}

// check fails on each difference that the oracle finds.
func (h *house) check() {
	h.t.Helper()
	for _, difference := range h.differences() {
		h.t.Error(difference)
	}
}

// blocks lists all blocks.
func (h *house) blocks() []store.Block {
	h.t.Helper()
	blocks, err := h.store.Blocks(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return blocks
}

// sold counts the plays of all blocks of a game.
func (h *house) sold(game string) int {
	h.t.Helper()
	total := 0
	for _, b := range h.blocks() {
		if b.Deal.Header.Game == game {
			total += int(b.Sold)
		}
	}
	return total
}

func (h *house) available(n int) money.Amount {
	h.t.Helper()
	account, err := h.store.Account(h.t.Context(), saletest.Player(n))
	if err != nil {
		h.t.Fatal(err)
	}
	return account.Available
}

// buyUntil lets buyers buy at once, each again and again, until an answer ends them all, and fails
// unless that answer is the code.
func (h *house) buyUntil(buyers int, code string, wish func(buyer, nth int) sale.Request) {
	h.t.Helper()
	var buying sync.WaitGroup
	ends := make([]error, buyers)
	for buyer := range buyers {
		buying.Go(func() {
			var last block.PlayID
			for nth := 0; ; nth++ {
				r := wish(buyer, nth)
				r.Seen = last
				receipt, err := h.seller.Sell(context.Background(), r)
				if err != nil {
					ends[buyer] = err
					return
				}
				h.acknowledge(receipt)
				last = receipt.Play.ID
				if found, err := h.games.Game(r.Game); err == nil && found.Choice != nil {
					if _, err := h.seller.Choose(context.Background(), r.Player, last, []int{nth % 6, (nth + 1) % 6, (nth + 2) % 6}); err != nil {
						ends[buyer] = err
						return
					}
				}
			}
		})
	}
	buying.Wait()
	for buyer, err := range ends {
		if fault.CodeOf(err) != code {
			h.t.Errorf("buyer %d was expected to end with %s, not %v", buyer, code, err)
		}
	}
}

// key is a key nobody else uses.
func key(parts ...any) string { return strings.ReplaceAll(fmt.Sprint(parts...), " ", "-") }

// indexes lists block and index of plays in order.
func indexes(plays []store.Play) []string {
	var list []string
	for _, play := range plays {
		list = append(list, fmt.Sprintf("%s %06d", play.Block, play.Index))
	}
	slices.Sort(list)
	return list
}
