package proof_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/reconcile"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/store/sqlite"
	"github.com/talonlottery/talon/internal/vault"
	"github.com/talonlottery/talon/money"
)

// table is what a regulation prints of a block, typed from its articles.
type table struct {
	game   string
	stake  int
	units  int
	prizes map[money.Amount]int
	total  money.Amount
}

func euros(n float64) money.Amount { return money.Amount(n * 10_000) }

// pieceDor is the table of articles 3.1 to 3.3, whose amounts double from stake to stake.
func pieceDor(stake int) table {
	t := table{game: "piece-dor", stake: stake, units: 1_000_000, total: 350_000 * money.Unit << stake, prizes: map[money.Amount]int{}}
	for amount, count := range map[float64]int{5000: 1, 250: 1, 25: 32, 7.5: 26_000, 5: 80, 2.5: 46, 1: 103_435, 0.5: 90_000} {
		t.prizes[euros(amount)<<stake] = count
	}
	return t
}

// preciusAurus is the table of article 4.
var preciusAurus = table{game: "precius-aurus", units: 800_000, total: 558_720 * money.Unit, prizes: map[money.Amount]int{
	euros(10_000): 1, euros(5_000): 1, euros(1_000): 1, euros(500): 1, euros(150): 3, euros(100): 5, euros(50): 30,
	euros(20): 400, euros(10): 25_000, euros(5): 10_040, euros(2): 77_000, euros(1): 77_570,
}}

// TestWholeBlock sells a whole block of each game through the real sale to concurrent buyers and
// recounts it.
func TestWholeBlock(t *testing.T) {
	tables := []table{pieceDor(0), preciusAurus}
	if os.Getenv("TALON_LONG") != "" {
		tables = append(tables, pieceDor(1), pieceDor(2))
	}
	for _, expected := range tables {
		t.Run(fmt.Sprintf("%s/stake %d", expected.game, expected.stake+1), func(t *testing.T) { sellBlock(t, expected) })
	}
}

// buyers are the players who buy at the same time, each one unit a round.
const buyers = 5_000

func sellBlock(t *testing.T, expected table) {
	h := open(t, expected)
	start := time.Now()
	for sold := 0; sold < expected.units; {
		sold += h.round(t, min(buyers, expected.units-sold))
		if sold%(20*buyers) == 0 {
			t.Logf("%d of %d units sold in %s", sold, expected.units, time.Since(start).Round(time.Second))
		}
	}
	_, err := h.seller.Sell(t.Context(), sale.Request{Player: saletest.Player(0), Key: "one-more", Game: expected.game, Stake: expected.stake, Seen: h.seen[0]})
	if fault.CodeOf(err) != "emission_used_up" {
		t.Errorf("a unit after the last: %v, want emission_used_up", err)
	}
	if err := h.seller.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.recount(t, expected)
	h.reconcile(t)
}

// house is a lottery with one emission of one block.
type house struct {
	folder    string
	catalogue *catalogue.Catalogue
	store     *sqlite.Store
	vault     *vault.Vault
	seller    *sale.Seller
	game      *catalogue.Game
	stake     int
	seen      [buyers]block.PlayID
	rounds    int
}

func open(t *testing.T, expected table) *house {
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	h := &house{folder: t.TempDir(), stake: expected.stake}
	if h.catalogue, err = catalogue.New(set.Games, set.Jackpots); err != nil {
		t.Fatal(err)
	}
	if h.game, err = h.catalogue.Game(expected.game); err != nil {
		t.Fatal(err)
	}
	if h.vault, err = vault.Open(vault.Config{
		Secrets: filepath.Join(h.folder, "vault"), Tiles: filepath.Join(h.folder, "blocks"), Random: rand.Reader, Catalogue: h.catalogue,
	}); err != nil {
		t.Fatal(err)
	}
	h.store = saletest.OpenStore(t, h.folder)
	saletest.Players(t, h.store, buyers, 1_000*money.Unit)
	saletest.OpenJackpots(t, h.store, h.catalogue)
	saletest.OpenLanes(t, h.store, h.catalogue, expected.game, expected.stake, 1)
	saletest.OpenEmission(t, h.store, h.vault.Deal, expected.game, expected.stake, 1, 1)
	if h.game.Jackpot != "" {
		saletest.OpenEmission(t, h.store, h.vault.Deal, h.game.Jackpot, 0, 1, 1)
	}
	if h.seller, err = sale.New(t.Context(), sale.Config{
		Store: h.store, Vault: h.vault, Catalogue: h.catalogue, Clock: time.Now, PrizeDueAbove: 1_000 * money.Unit,
		Patience: time.Minute,
	}); err != nil {
		t.Fatal(err)
	}
	return h
}

// round lets each of n buyers buy a unit at the same time; then those of a game with a choice record
// it, all in one transaction.
func (h *house) round(t *testing.T, n int) int {
	h.rounds++
	var buying sync.WaitGroup
	errs := make([]error, n)
	for at := range n {
		buying.Go(func() {
			receipt, err := h.seller.Sell(t.Context(), sale.Request{
				Player: saletest.Player(at), Key: fmt.Sprint(h.rounds), Game: h.game.Name, Stake: h.stake, Seen: h.seen[at],
			})
			h.seen[at], errs[at] = receipt.Play.ID, err
		})
	}
	buying.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	if h.game.Choice != nil {
		saletest.Update(t, h.store, func(ctx context.Context, tx store.Tx) error {
			for at := range n {
				if err := tx.RecordChoice(ctx, saletest.Player(at), h.seen[at], []int{at % 6, (at + 1) % 6, (at + 2) % 6}, time.Now()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return n
}

// recount reads the plays of the block and counts them by the regulation's table.
func (h *house) recount(t *testing.T, expected table) {
	blocks, err := h.store.Blocks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if b.Deal.Header.Game != expected.game {
			continue
		}
		count := counting{prizes: map[money.Amount]int{}}
		err := h.store.EachPlay(t.Context(), b.Deal.Header.ID, func(p *store.Play) error {
			count.add(p.Index, p.Prize)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, difference := range count.against(expected) {
			t.Error(difference)
		}
		return
	}
	t.Errorf("there is no block of %s", expected.game)
}

// counting counts the units of a block in the order of their sale, with arithmetic of its own.
type counting struct {
	next   uint32
	total  money.Amount
	prizes map[money.Amount]int
	wrong  []string
}

func (c *counting) add(index uint32, prize money.Amount) {
	if index != c.next && len(c.wrong) < 10 {
		c.wrong = append(c.wrong, fmt.Sprintf("index %d was sold where %d was next", index, c.next))
	}
	c.next = index + 1
	if prize > 0 {
		c.prizes[prize]++
		c.total += prize
	}
}

// against lists what differs from a published table.
func (c *counting) against(expected table) []string {
	found := c.wrong
	if int(c.next) != expected.units || c.total != expected.total || len(c.prizes) != len(expected.prizes) {
		found = append(found, fmt.Sprintf("%d units, %s in %d tiers; want %d, %s in %d",
			c.next, c.total, len(c.prizes), expected.units, expected.total, len(expected.prizes)))
	}
	for amount, count := range expected.prizes {
		if c.prizes[amount] != count {
			found = append(found, fmt.Sprintf("%d prizes of %s, want %d", c.prizes[amount], amount, count))
		}
	}
	return found
}

// TestRecountTwins shows that the recount sees a skipped index, an index sold twice, a missing and an
// altered prize, and a block that was not sold to its end.
func TestRecountTwins(t *testing.T) {
	small := table{units: 5, total: euros(4), prizes: map[money.Amount]int{euros(3): 1, euros(1): 1}}
	type unit struct {
		index uint32
		prize money.Amount
	}
	sound := []unit{{0, 0}, {1, euros(3)}, {2, 0}, {3, euros(1)}, {4, 0}}
	for name, sale := range map[string][]unit{
		"":                 sound,
		"an index skipped": {sound[0], sound[1], sound[3], sound[4]},
		"an index twice":   {sound[0], sound[1], sound[1], sound[2], sound[3], sound[4]},
		"a prize missing":  {sound[0], {1, 0}, sound[2], sound[3], sound[4]},
		"a prize altered":  {sound[0], {1, euros(2)}, sound[2], sound[3], sound[4]},
		"not to the end":   sound[:4],
	} {
		count := counting{prizes: map[money.Amount]int{}}
		for _, u := range sale {
			count.add(u.index, u.prize)
		}
		if found := count.against(small); (len(found) == 0) != (name == "") {
			t.Errorf("%q: %v", name, found)
		}
	}
}

// reconcile re-derives everything that was recorded.
func (h *house) reconcile(t *testing.T) {
	err := h.store.View(t.Context(), func(ctx context.Context, reader store.Reader) error {
		report, err := reconcile.Check(ctx, reader, h.catalogue, reconcile.Options{
			Tiles: func(id block.ID) (reconcile.Tiles, error) { return os.Open(h.vault.TilesPath(id)) },
		})
		if err != nil {
			return err
		}
		for _, difference := range report.Differences {
			t.Error(difference)
		}
		if report.Counts.Leaves == 0 || report.Counts.Plays == 0 {
			t.Errorf("nothing was compared: %+v", report.Counts)
		}
		t.Logf("%+v", report.Counts)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
