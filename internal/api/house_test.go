package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/api"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/store/sqlite"
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

// funds is what each player of a house has at first.
const funds = 100 * money.Unit

// house is a small lottery behind its API: a real store and a real seller.
type house struct {
	t        testing.TB
	contract *contract
	games    *catalogue.Catalogue
	store    *sqlite.Store
	vault    *saletest.MemoryVault
	seller   *sale.Seller
	config   api.Config
	handler  http.Handler
	logged   *lockedBuffer
	seconds  atomic.Int64
}

// open makes a house; with dealt false its blocks are still to be dealt.
func open(t testing.TB, dealt bool) *house {
	t.Helper()
	h := &house{t: t, contract: readContract(t), games: cataloguetest.New(t), logged: new(lockedBuffer)}
	h.store = saletest.OpenStore(t, t.TempDir())
	h.vault = saletest.NewVault(h.games, 1)
	saletest.OpenJackpots(t, h.store, h.games)
	for _, g := range h.games.Games() {
		for stake := range g.Stakes {
			saletest.OpenLanes(t, h.store, h.games, g.Name, stake, 1)
			saletest.OpenEmission(t, h.store, h.vault.Deal, g.Name, stake, 1, count(dealt))
		}
	}
	saletest.OpenEmission(t, h.store, h.vault.Deal, smallPot, 0, 3, 3*count(dealt))
	saletest.Players(t, h.store, 3, funds)
	supply := office.New(office.Config{Store: h.store, Vault: h.vault, Catalogue: h.games, Clock: h.clock})
	h.config = api.Config{
		Catalogue: h.games, Store: h.store, Supply: supply, Receipts: paperReceipts{}, PlayMoney: true, Visitor: visitor,
		Log: slog.New(slog.NewTextHandler(h.logged, nil)),
	}
	h.start()
	t.Cleanup(h.stop)
	return h
}

func count(dealt bool) int {
	if dealt {
		return 1
	}
	return 0
}

// start begins to sell, anew after stop.
func (h *house) start() {
	h.t.Helper()
	seller, err := sale.New(context.Background(), sale.Config{
		Store: h.store, Vault: h.vault, Catalogue: h.games, Clock: h.clock, PrizeDueAbove: 30 * money.Unit,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.seller, h.config.Seller = seller, seller
	h.handler = api.New(h.config)
}

func (h *house) stop() {
	if err := h.seller.Close(context.Background()); err != nil {
		h.t.Error(err)
	}
}

func (h *house) clock() time.Time {
	return saletest.Morning.Add(time.Duration(h.seconds.Add(1)) * time.Second)
}

// visitor takes the player from a header of the tests.
func visitor(r *http.Request) (store.Session, error) {
	n, err := strconv.Atoi(r.Header.Get("Test-Player"))
	if err != nil {
		return store.Session{}, fault.New(fault.Refused, "session_required", "the request belongs to no session").Next("open the lobby once")
	}
	return store.Session{Player: saletest.Player(n), Started: saletest.Morning}, nil
}

// call is a request to be made.
type call struct {
	method, path string
	player       int    // -1: nobody
	key          string // "": none
	body         string
	kind         string // Content-Type; "": application/json where there is a body
	header       map[string]string
}

func (c call) request() *http.Request {
	request := httptest.NewRequest(c.method, "/api/v1"+c.path, strings.NewReader(c.body))
	if c.body == "" {
		request.Body, request.ContentLength = http.NoBody, 0
	}
	if c.player >= 0 {
		request.Header.Set("Test-Player", strconv.Itoa(c.player))
	}
	if c.key != "" {
		request.Header.Set("Idempotency-Key", c.key)
	}
	if c.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.kind != "" {
		request.Header.Set("Content-Type", c.kind)
	}
	for name, value := range c.header {
		request.Header.Set(name, value)
	}
	return request
}

// answer is what came back, and has been compared with the contract.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

// ask makes a request and holds the answer to the contract.
func (h *house) ask(c call) answer {
	h.t.Helper()
	recorder := httptest.NewRecorder()
	h.handler.ServeHTTP(recorder, c.request())
	got := answer{h.t, recorder.Code, recorder.Header(), recorder.Body.Bytes()}
	if err := h.contract.breach(c.method, strings.SplitN("/api/v1"+c.path, "?", 2)[0], got.status, got.header, got.body); err != nil {
		h.t.Errorf("%s %s: %v", c.method, c.path, err)
	}
	return got
}

// get reads a document that must be there.
func get[T any](h *house, player int, path string) T {
	h.t.Helper()
	return read[T](h.ask(call{method: "GET", path: path, player: player}), http.StatusOK)
}

// read decodes an answer of a status.
func read[T any](a answer, status int) T {
	a.t.Helper()
	var document T
	if a.status != status {
		a.t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	if err := json.Unmarshal(a.body, &document); err != nil {
		a.t.Fatal(err)
	}
	return document
}

// refused fails unless the answer is a problem with a status and a code, which docs/api.md lists.
func (a answer) refused(status int, code string) problem {
	a.t.Helper()
	p := read[problem](a, status)
	if p.Code != code {
		a.t.Fatalf("code %s, want %s: %s", p.Code, code, a.body)
	}
	if code != inventedCode && !documented(a.t, status, code) {
		a.t.Errorf("docs/api.md does not list %s with status %d", code, status)
	}
	return p
}

// inventedCode is a code that only tests use.
const inventedCode = "x"

// documented reports whether docs/api.md lists a code with a status.
func documented(t testing.TB, status int, code string) bool {
	t.Helper()
	for row := range strings.Lines(fileText(t, "../../docs/api.md")) {
		if strings.HasPrefix(row, fmt.Sprintf("| %d | ", status)) && strings.Contains(row, "`"+code+"`") {
			return true
		}
	}
	return false
}

func order(game, stake, seen string) string {
	body := map[string]string{"game": game, "stake": stake}
	if seen != "" {
		body["seen"] = seen
	}
	text, _ := json.Marshal(body)
	return string(text)
}

// buy buys a unit, which must be sold.
func (h *house) buy(player int, key, game, stake, seen string) api.Play {
	h.t.Helper()
	return read[api.Play](h.ask(call{method: "POST", path: "/plays", player: player, key: key, body: order(game, stake, seen)}), http.StatusCreated)
}

// show chooses, where there is a choice, and shows a play to the end; it gives the play as told.
func (h *house) show(player int, play api.Play) api.Play {
	h.t.Helper()
	if play.Game == moons {
		play = read[api.Play](h.ask(call{method: "PUT", path: "/plays/" + play.Id + "/choice", player: player, body: `{"cells":[5,0,2]}`}), http.StatusOK)
	}
	if a := h.ask(call{method: "PUT", path: "/plays/" + play.Id + "/shown", player: player}); a.status != http.StatusNoContent {
		h.t.Fatalf("status %d: %s", a.status, a.body)
	}
	return get[api.Play](h, player, "/plays/"+play.Id)
}

// sold counts the units sold of a game.
func (h *house) sold(game string) int {
	h.t.Helper()
	blocks, err := h.store.Blocks(context.Background())
	if err != nil {
		h.t.Fatal(err)
	}
	total := 0
	for _, b := range blocks {
		if b.Deal.Header.Game == game {
			total += int(b.Sold)
		}
	}
	return total
}

// parse reads an amount of the API.
func (h *house) parse(text string) money.Amount {
	h.t.Helper()
	amount, err := money.Parse(text)
	if err != nil {
		h.t.Fatal(err)
	}
	return amount
}

type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
