package player_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/api"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/demo"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/store/sqlite"
	"github.com/talonlottery/talon/internal/web/player"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// house is a small lottery behind its pages and its API: real games with smaller blocks, a real store
// and a real seller.
type house struct {
	t        testing.TB
	games    *catalogue.Catalogue
	store    *sqlite.Store
	dealers  *dealers
	seller   *sale.Seller
	supply   *office.Supply
	visitors *demo.Demo
	server   *httptest.Server
	logged   *lockedBuffer
	seconds  atomic.Int64 // since Morning

	// handler is what the server serves; a broken twin replaces it.
	handler http.Handler
}

// build is what a house is built with. The zero value is a house that sells everything.
type build struct {
	games   blocksOf
	undealt bool                              // no block is dealt
	reader  func(store.Reader) store.Reader   // what pages and API read from, for broken twins
	wrap    func(http.Handler) http.Handler   // around the pages, for broken twins
	seller  func(player.Seller) player.Seller // what pages sell through
	key     string                            // the operator's public key, on the page « Vérifier »
	public  http.Handler                      // what is below /public/
	built   func(*house)                      // is told of the house
}

func newHouse(t testing.TB, with build) *house {
	t.Helper()
	h := &house{t: t, games: smallGames(t, with.games), store: saletest.OpenStore(t, t.TempDir()), logged: &lockedBuffer{}}
	h.dealers = &dealers{games: h.games, random: mathrand.NewChaCha8([32]byte{3}), of: make(map[block.ID]*block.Dealer)}
	saletest.OpenJackpots(t, h.store, h.games)
	dealt := map[bool]int{false: 1}[with.undealt]
	for _, g := range h.games.Games() {
		for stake := range g.Stakes {
			saletest.OpenLanes(t, h.store, h.games, g.Name, stake, 1)
			saletest.OpenEmission(t, h.store, h.dealers.Deal, g.Name, stake, 1, dealt)
		}
	}
	saletest.OpenEmission(t, h.store, h.dealers.Deal, jackpots, 0, 1, dealt)
	log := slog.New(slog.NewTextHandler(h.logged, nil))
	var err error
	h.seller, err = sale.New(t.Context(), sale.Config{Store: h.store, Vault: h.dealers, Catalogue: h.games, Clock: h.clock, Log: log, PrizeDueAbove: 1000 * money.Unit})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.seller.Close(context.Background()) })
	h.supply = office.New(office.Config{Store: h.store, Vault: h.dealers, Catalogue: h.games, Clock: h.clock, Log: log})
	h.visitors = demo.New(demo.Config{Store: h.store, Clock: h.clock, Random: rand.Reader})
	h.handler = h.faces(with, log)
	if with.built != nil {
		with.built(h)
	}
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.handler.ServeHTTP(w, r) }))
	t.Cleanup(h.server.Close)
	return h
}

// faces wires pages and API as cmd/talon does.
func (h *house) faces(with build, log *slog.Logger) http.Handler {
	reader := store.Reader(h.store)
	if with.reader != nil {
		reader = with.reader(reader)
	}
	seller := player.Seller(h.seller)
	if with.seller != nil {
		seller = with.seller(seller)
	}
	pages := player.New(player.Config{
		Catalogue: h.games, Seller: seller, Store: reader, Supply: h.supply, Visitors: h.visitors, Clock: h.clock, Key: rand.Text, Log: log,
		PublicKey: with.key, Receipts: paperReceipts{},
	})
	if with.wrap != nil {
		pages = with.wrap(pages)
	}
	mux := http.NewServeMux()
	mux.Handle("/", pages)
	if with.public != nil {
		mux.Handle("/public/", with.public)
	}
	mux.Handle("/api/v1/", api.New(api.Config{
		Catalogue: h.games, Seller: seller, Store: reader, Supply: h.supply, Receipts: paperReceipts{}, PlayMoney: true, Log: log,
		Visitor: func(r *http.Request) (store.Session, error) {
			return h.visitors.Session(r.Context(), player.SessionToken(r))
		},
	}))
	return mux
}

func (h *house) clock() time.Time {
	return saletest.Morning.Add(time.Duration(h.seconds.Load()) * time.Second)
}

// plays lists all plays of all players, in order.
func (h *house) plays() []store.Play {
	h.t.Helper()
	var list []store.Play
	err := h.store.EachJournalLine(h.t.Context(), func(play *store.Play) error { list = append(list, *play); return nil })
	if err != nil {
		h.t.Fatal(err)
	}
	return list
}

// unitIs is what a test asks of a unit.
type unitIs func(price money.Amount, unit block.Unit, reading mechanic.Reading) bool

func losing(_ money.Amount, _ block.Unit, r mechanic.Reading) bool { return r.Prize == 0 }
func stakeBack(price money.Amount, _ block.Unit, r mechanic.Reading) bool {
	return r.Prize > 0 && r.Prize <= price
}
func winning(price money.Amount, _ block.Unit, r mechanic.Reading) bool {
	return r.Prize > price && r.Multiplier == 1 && r.Prize <= 20*money.Unit
}
func multiplied(price money.Amount, _ block.Unit, r mechanic.Reading) bool {
	return r.Prize > price && r.Multiplier > 1
}

// until sells units to somebody else until the next one of a game at a stake is as a test asks.
func (h *house) until(game string, stake int, is unitIs) {
	h.t.Helper()
	found, err := h.games.Game(game)
	if err != nil {
		h.t.Fatal(err)
	}
	for range found.BlockSize - 1 {
		unit := h.dealers.next(h.t, game, stake)
		reading, err := found.Mechanics[stake].Read(unit.Layout)
		if err != nil {
			h.t.Fatal(err)
		}
		if is(found.Stakes[stake].Price, unit, reading) {
			return
		}
		h.sellToAnother(game, stake)
	}
	h.t.Fatalf("no unit of %s is as this test asks", game)
}

func (h *house) sellToAnother(game string, stake int) {
	h.t.Helper()
	ctx := h.t.Context()
	_, session, err := h.visitors.Visit(ctx)
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := h.seller.Sell(ctx, sale.Request{Player: session.Player, Key: rand.Text(), Game: game, Stake: stake}); err != nil {
		h.t.Fatal(err)
	}
}

// dealers stand in for the vault, behind whose wall these tests may not look: blocks of tests have no
// secret worth keeping, and a test sees which unit is next.
type dealers struct {
	games  *catalogue.Catalogue
	random *mathrand.ChaCha8

	mu     sync.Mutex
	of     map[block.ID]*block.Dealer
	opened map[string]uint32 // units sold, by game and stake
}

// Deal deals a block, as the vault does.
func (d *dealers) Deal(ctx context.Context, game string, stake int, progress func(done, total uint32)) (block.Deal, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	secret, err := block.NewSecret(d.random)
	if err != nil {
		return block.Deal{}, err
	}
	header := block.Header{Version: block.Version, Game: game, Stake: stake}
	if _, err := d.random.Read(header.ID[:]); err != nil {
		return block.Deal{}, err
	}
	dealer, err := d.dealer(header, secret)
	if err != nil {
		return block.Deal{}, err
	}
	d.of[header.ID] = dealer
	return dealer.Deal(ctx, io.Discard, progress)
}

func (d *dealers) dealer(header block.Header, secret block.Secret) (*block.Dealer, error) {
	if jackpot, err := d.games.Jackpot(header.Game); err == nil {
		header.Definition, header.Price, header.Size = jackpot.Hash, jackpot.Price, jackpot.BlockSize
		return block.NewDrawDealer(header, secret, jackpot)
	}
	found, err := d.games.Game(header.Game)
	if err != nil {
		return nil, err
	}
	header.Definition, header.Price, header.Size = found.Hash, found.Stakes[header.Stake].Price, found.BlockSize
	return block.NewDealer(header, secret, found.Definition, found.Mechanics[header.Stake])
}

// OpenUnits opens units for a batch of sales.
func (d *dealers) OpenUnits(_ context.Context, _ custody.Batch, ranges ...custody.Range) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range ranges {
		dealer, ok := d.of[r.Header.ID]
		if !ok {
			return fault.New(fault.NotFound, "secret_unknown", "block %s was not dealt here", r.Header.ID)
		}
		for at := range r.Into {
			if err := dealer.Unit(r.From+uint32(at), &r.Into[at]); err != nil {
				return err
			}
		}
		if d.opened == nil {
			d.opened = make(map[string]uint32)
		}
		d.opened[fmt.Sprint(r.Header.Game, r.Header.Stake)] = r.From + uint32(len(r.Into))
	}
	return nil
}

// Bound says that nothing waits to be recorded.
func (d *dealers) Bound(context.Context, block.ID) (custody.Bound, error) {
	return custody.Bound{}, nil
}

// next is the unit that the next sale of a game at a stake sells.
func (d *dealers) next(t testing.TB, game string, stake int) block.Unit {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, dealer := range d.of {
		if header := dealer.Header(); header.Game == game && header.Stake == stake {
			var unit block.Unit
			if err := dealer.Unit(d.opened[fmt.Sprint(game, stake)], &unit); err != nil {
				t.Fatal(err)
			}
			return unit
		}
	}
	t.Fatalf("no block of %s was dealt", game)
	return block.Unit{}
}

// lockedBuffer holds what was logged.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
