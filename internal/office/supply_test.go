package office_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/store/storetest"
	"github.com/talonlottery/talon/money"
)

const (
	moons = cataloguetest.Moons
	winds = cataloguetest.Winds
	pot   = cataloguetest.SmallPot
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
}

// desk is an office with a real store, and a vault in memory.
type desk struct {
	t      testing.TB
	games  *catalogue.Catalogue
	store  store.Store
	vault  *saletest.MemoryVault
	config office.Config
	supply *office.Supply
}

func newDesk(t testing.TB, change func(*office.Config)) *desk {
	d := &desk{t: t, games: cataloguetest.New(t)}
	d.store = saletest.OpenStore(t, t.TempDir())
	d.vault = saletest.NewVault(d.games, 1)
	d.config = office.Config{Store: d.store, Vault: d.vault, Catalogue: d.games, Clock: func() time.Time { return saletest.Morning }, Blocks: 3,
		ApprovedBy: "approver", Announced: d.publish}
	if change != nil {
		change(&d.config)
	}
	d.supply = office.New(d.config)
	return d
}

// publish stands for the publisher: what was announced is in the public log at once.
func (d *desk) publish() {
	err := d.store.Update(d.t.Context(), func(ctx context.Context, tx store.Tx) error {
		return storetest.Publish(ctx, tx, saletest.Morning)
	})
	if err != nil && d.t.Context().Err() == nil {
		d.t.Error(err)
	}
	if d.supply != nil {
		d.supply.Wake()
	}
}

// open opens lanes and emissions.
func (d *desk) open() {
	d.t.Helper()
	if err := d.supply.Open(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

// run runs the supply until a condition holds.
func (d *desk) run(until func() bool) {
	d.t.Helper()
	ctx, stop := context.WithCancel(d.t.Context())
	ended := make(chan error)
	go func() { ended <- d.supply.Run(ctx) }()
	for !until() {
		time.Sleep(time.Millisecond)
	}
	stop()
	if err := <-ended; err != nil {
		d.t.Error(err)
	}
}

// dealt lists the blocks as game, stake, place, in the order of dealing.
func (d *desk) dealt() []string {
	d.t.Helper()
	blocks, err := d.store.Blocks(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	list := []string{}
	for _, b := range blocks {
		list = append(list, fmt.Sprintf("%s %d #%d", b.Deal.Header.Game, b.Deal.Header.Stake, b.Position))
	}
	return list
}

// full is what the lanes of both games need: one block on sale, one ahead.
var full = []string{
	"petit-pot 0 #0", "petit-pot 0 #1", "quatre-vents 0 #0", "quatre-vents 0 #1",
	"trois-lunes 0 #0", "trois-lunes 0 #1", "trois-lunes 1 #0", "trois-lunes 1 #1",
}

func TestWhatIsOpened(t *testing.T) {
	d := newDesk(t, nil)
	d.open()
	d.open() // the second time it is nothing
	lanes, err := d.store.Lanes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]store.Lane{{Game: winds}, {Game: moons}, {Game: moons, Stake: 1}}, lanes); diff != "" {
		t.Error(diff)
	}
	emissions, err := d.store.Emissions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string]int{}
	for _, e := range emissions {
		blocks[fmt.Sprint(e.Game, e.Stake)] += e.Blocks
	}
	// 3 blocks of 300 units need 900 participations: 6 blocks of 170, and one that is only begun.
	if diff := cmp.Diff(map[string]int{"petit-pot0": 7, "quatre-vents0": 3, "trois-lunes0": 3, "trois-lunes1": 3}, blocks); diff != "" {
		t.Error(diff)
	}
	meter, err := d.store.Meter(t.Context(), pot)
	if err != nil || meter.Pot != 2*money.Unit || meter.Advances != 2*money.Unit {
		t.Errorf("the jackpot was expected to open with 2.00, which the operator advances: %+v %v", meter, err)
	}
	if len(d.dealt()) != 0 {
		t.Error("nothing was expected to be dealt yet")
	}
}

// Each lane gets a block to sell and one ahead: first blocks first, never two of a game at once.
func TestFirstBlocksFirst(t *testing.T) {
	counting := &countingVault{}
	d := newDesk(t, func(c *office.Config) { counting.Vault = c.Vault; c.Vault = counting })
	d.open()
	d.run(func() bool { return len(d.dealt()) == len(full) })
	list := d.dealt()
	for _, block := range list[:4] {
		if !strings.HasSuffix(block, "#0") {
			t.Errorf("first blocks were expected first: %v", list)
		}
	}
	slices.Sort(list)
	if diff := cmp.Diff(full, list); diff != "" {
		t.Error(diff)
	}
	if counting.most > 2 || counting.sameGame {
		t.Errorf("%d blocks were dealt at once, two of a game: %t", counting.most, counting.sameGame)
	}
	for _, game := range d.games.Games() {
		for stake := range game.Stakes {
			if _, dealing := d.supply.Dealing(game.Name, stake); dealing {
				t.Errorf("%s is said to be dealing", game.Name)
			}
		}
	}
}

type countingVault struct {
	office.Vault
	mu       sync.Mutex
	dealing  []string
	most     int
	sameGame bool
}

func (v *countingVault) Deal(ctx context.Context, game string, stake int, progress func(done, total uint32)) (block.Deal, error) {
	name := fmt.Sprint(game, stake)
	v.mu.Lock()
	v.sameGame = v.sameGame || slices.Contains(v.dealing, name)
	v.dealing = append(v.dealing, name)
	v.most = max(v.most, len(v.dealing))
	v.mu.Unlock()
	defer func() {
		v.mu.Lock()
		v.dealing = slices.DeleteFunc(v.dealing, func(other string) bool { return other == name })
		v.mu.Unlock()
	}()
	return v.Vault.Deal(ctx, game, stake, progress)
}

// After a restart with everything ready, nothing is dealt.
func TestARestartDealsNothingTwice(t *testing.T) {
	d := newDesk(t, nil)
	d.open()
	d.run(func() bool { return len(d.dealt()) == len(full) })
	d.config.Vault = noVault{t}
	d.supply = office.New(d.config)
	d.open()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if err := d.supply.Run(ctx); err != nil {
		t.Error(err)
	}
}

type noVault struct{ t testing.TB }

func (v noVault) Deal(context.Context, string, int, func(done, total uint32)) (block.Deal, error) {
	v.t.Error("nothing was expected to be dealt")
	return block.Deal{}, context.Canceled
}

// Stopped at any instant, the supply has recorded whole blocks only; started again, it goes on. What
// files a stopped deal leaves is for the tests of the vault.
func TestStoppedAtAnyInstant(t *testing.T) {
	for stopAt := range 12 {
		t.Run(fmt.Sprint(stopAt), func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			reports := 0
			var mu sync.Mutex
			d := newDesk(t, func(c *office.Config) {
				c.Progress = func(office.Progress) {
					mu.Lock()
					defer mu.Unlock()
					if reports++; reports == 1+70*stopAt {
						stop()
					}
				}
			})
			d.open()
			if err := d.supply.Run(ctx); err != nil {
				t.Fatal(err)
			}
			blocks, err := d.store.Blocks(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range blocks {
				if err := d.vault.OpenUnits(t.Context(), custody.Batch{1}, custody.Range{Header: b.Deal.Header, Into: make([]block.Unit, 10)}); err != nil {
					t.Errorf("a recorded block does not open: %v", err)
				}
			}
			d.config.Progress = nil
			d.supply = office.New(d.config)
			d.run(func() bool { return len(d.dealt()) == len(full) })
			list := d.dealt()
			slices.Sort(list)
			if diff := cmp.Diff(full, list); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A deal that failed is tried again; one that can never succeed ends the supply with its error.
func TestDealsThatFail(t *testing.T) {
	corrupt := fault.New(fault.Corrupt, "prizes_not_table", "a block does not hold its table")
	d := newDesk(t, func(c *office.Config) { c.Vault = failingVault{corrupt} })
	d.open()
	if err := d.supply.Run(t.Context()); !errors.Is(err, fault.Corrupt) {
		t.Errorf("the supply was expected to end: %v", err)
	}
	full := fault.New(fault.Unavailable, "vault_unreadable", "the disk is full")
	d.config.Vault = failingVault{full}
	d.supply = office.New(d.config)
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if err := d.supply.Run(ctx); err != nil {
		t.Errorf("the supply was expected to wait: %v", err)
	}
	if len(d.dealt()) != 0 {
		t.Error("a deal that failed is recorded")
	}
}

type failingVault struct{ err error }

func (v failingVault) Deal(context.Context, string, int, func(done, total uint32)) (block.Deal, error) {
	return block.Deal{}, v.err
}

// Blocks of another definition than the catalogue's are noticed before anything is sold.
func TestADefinitionThatChanged(t *testing.T) {
	d := newDesk(t, nil)
	d.open()
	d.run(func() bool { return len(d.dealt()) == len(full) })
	var definitions []*game.Definition
	for _, g := range d.games.Games() {
		changed := *g.Definition
		if g.Name == winds {
			changed.Hash[0]++
		}
		definitions = append(definitions, &changed)
	}
	var err error
	if d.config.Catalogue, err = catalogue.New(definitions, d.games.Jackpots()); err != nil {
		t.Fatal(err)
	}
	err = office.New(d.config).Open(t.Context())
	if fault.CodeOf(err) != "definition_changed" || !strings.Contains(err.Error(), winds) || fault.NextOf(err) == "" {
		t.Errorf("a changed definition was expected to be noticed: %v", err)
	}
}

// The whole life of emissions: supplied while they are sold, until they are used up.
func TestSuppliedWhileSold(t *testing.T) {
	d := newDesk(t, nil)
	if state := d.state(moons, 0); state != office.UsedUp {
		t.Errorf("without an emission a game is %s", state)
	}
	d.open()
	if state := d.state(moons, 0); state != office.Preparing {
		t.Errorf("before its first block a game is %s", state)
	}
	saletest.Players(t, d.store, 20, 500*money.Unit)
	seller, err := sale.New(t.Context(), sale.Config{
		Store: d.store, Vault: d.vault, Catalogue: d.games, Clock: d.config.Clock,
		SoldOut: func(block.ID) { d.supply.Wake() },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- d.supply.Run(ctx) }()
	var buying sync.WaitGroup
	for n := range 20 {
		buying.Go(func() {
			var last block.PlayID
			for nth := 0; ; {
				receipt, err := seller.Sell(context.Background(), sale.Request{
					Player: saletest.Player(n), Key: fmt.Sprint(nth), Game: winds, Seen: last,
				})
				switch {
				case errors.Is(err, fault.Unavailable):
					time.Sleep(time.Millisecond) // with the same key
				case err != nil:
					if fault.CodeOf(err) != "emission_used_up" {
						t.Error(err)
					}
					return
				default:
					nth, last = nth+1, receipt.Play.ID
				}
			}
		})
	}
	buying.Wait()
	stop()
	if err := errors.Join(<-ended, seller.Close(t.Context())); err != nil {
		t.Error(err)
	}
	if state := d.state(winds, 0); state != office.UsedUp {
		t.Errorf("sold out, the game is %s", state)
	}
	if state := d.state(moons, 1); state != office.OnSale {
		t.Errorf("the other game is %s", state)
	}
	for _, difference := range saletest.Check(t.Context(), saletest.World{Store: d.store, Games: d.games}) {
		t.Error(difference)
	}
}

func (d *desk) state(game string, stake int) office.State {
	d.t.Helper()
	state, err := d.supply.State(d.t.Context(), game, stake)
	if err != nil {
		d.t.Fatal(err)
	}
	return state
}
