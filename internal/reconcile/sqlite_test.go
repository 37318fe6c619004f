package reconcile_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/reconcile"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/store/sqlite"
	"github.com/talonlottery/talon/money"
)

// openVault deals blocks and opens their units to whoever asks.
type openVault struct {
	games   *catalogue.Catalogue
	dealers map[block.ID]*block.Dealer
	tiles   map[block.ID][]byte
}

func (v *openVault) deal(ctx context.Context, name string, stake int, _ func(done, total uint32)) (block.Deal, error) {
	number := byte(len(v.dealers) + 1)
	secret, err := block.SecretFromBytes(bytes.Repeat([]byte{number}, 32))
	if err != nil {
		return block.Deal{}, err
	}
	dealer, err := newDealer(v.games, block.Header{Version: block.Version, ID: block.ID{number}, Game: name, Stake: stake}, secret)
	if err != nil {
		return block.Deal{}, err
	}
	var tiles bytes.Buffer
	deal, err := dealer.Deal(ctx, &tiles, nil)
	v.dealers[block.ID{number}], v.tiles[block.ID{number}] = dealer, tiles.Bytes()
	return deal, err
}

func (v *openVault) OpenUnits(_ context.Context, _ custody.Batch, ranges ...custody.Range) error {
	for _, r := range ranges {
		for at := range r.Into {
			if err := v.dealers[r.Header.ID].Unit(r.From+uint32(at), &r.Into[at]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *openVault) Bound(context.Context, block.ID) (custody.Bound, error) {
	return custody.Bound{}, nil
}

// soldDatabase is a database file into which the real sale sold units of both games.
func soldDatabase(t *testing.T) (file string, v *openVault) {
	const buyers, each = 12, 25
	folder := t.TempDir()
	v = &openVault{games: cataloguetest.New(t), dealers: map[block.ID]*block.Dealer{}, tiles: map[block.ID][]byte{}}
	s := saletest.OpenStore(t, folder)
	saletest.OpenJackpots(t, s, v.games)
	for name, blocks := range map[string]int{cataloguetest.Moons: 1, cataloguetest.Winds: 2, cataloguetest.SmallPot: 5} {
		if name != cataloguetest.SmallPot {
			saletest.OpenLanes(t, s, v.games, name, 0, 1)
		}
		saletest.OpenEmission(t, s, v.deal, name, 0, blocks, blocks)
	}
	saletest.Players(t, s, buyers, 100*money.Unit)
	seller, err := sale.New(t.Context(), sale.Config{
		Store: s, Vault: v, Catalogue: v.games, Clock: func() time.Time { return saletest.Morning }, PrizeDueAbove: dueAbove,
	})
	if err != nil {
		t.Fatal(err)
	}
	var buying sync.WaitGroup
	for buyer := range buyers {
		buying.Go(func() {
			last := map[string]block.PlayID{}
			for nth := range 2 * each {
				name := []string{cataloguetest.Moons, cataloguetest.Winds}[nth%2]
				receipt, err := seller.Sell(t.Context(), sale.Request{
					Player: saletest.Player(buyer), Key: fmt.Sprint(buyer, "-", nth), Game: name, Seen: last[name]})
				if err == nil && name == cataloguetest.Moons {
					_, err = seller.Choose(t.Context(), saletest.Player(buyer), receipt.Play.ID, []int{5, 0, 3})
				}
				if err != nil {
					t.Error(err)
					return
				}
				last[name] = receipt.Play.ID
			}
		})
	}
	buying.Wait()
	if err := seller.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "talon.db"), v
}

func (v *openVault) check(t *testing.T, file string) (report reconcile.Report, err error) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := &world{tiles: v.tiles}
	err = s.View(t.Context(), func(ctx context.Context, reader store.Reader) (err error) {
		report, err = reconcile.Check(ctx, reader, v.games, reconcile.Options{Tiles: w.openTiles})
		return err
	})
	return report, err
}

// A play of Trois lunes that lost and one that won, and a batch's transaction, in the middle of what was sold.
const (
	lost     = `(SELECT p.number FROM play p WHERE p.prize = 0 AND p.draw IS NULL ORDER BY p.number LIMIT 1 OFFSET 50)`
	won      = `(SELECT p.number FROM play p WHERE p.prize > 0 AND p.prize_due = 0 ORDER BY p.number LIMIT 1 OFFSET 20)`
	sold     = `(SELECT number FROM ledger_transaction WHERE kind = 'sale' ORDER BY number LIMIT 1 OFFSET 10)`
	potTaken = `(SELECT max(number) FROM ledger_transaction WHERE kind = 'jackpot-win')`
)

// Whatever is changed in the database by hand, past triggers and constraints, is found.
func TestTamperedDatabase(t *testing.T) {
	file, v := soldDatabase(t)
	if report, err := v.check(t, file); err != nil || !report.OK() || report.Counts.Plays != 600 || report.Counts.JackpotWins == 0 {
		t.Fatalf("%+v, %v: %v", report.Counts, err, report.Differences)
	}
	for name, statements := range map[string]string{
		"prize raised":                `UPDATE play SET prize = 5000 WHERE number = ` + lost,
		"prize and funds raised":      `UPDATE play SET prize = 5000, after = after + 5000 WHERE number = ` + lost,
		"play deleted":                `DELETE FROM play WHERE number = ` + lost,
		"last play deleted":           `DELETE FROM play WHERE number = (SELECT max(number) FROM play)`,
		"play added":                  `INSERT INTO play SELECT 100000, randomblob(16), randomblob(16), request, player, at, block, (SELECT max(position) + 1 FROM play q WHERE q.block = play.block), game_part, jackpot_part, prize, prize_due, layout, salt, NULL, NULL, NULL, 0, 0, after, after - game_part FROM play WHERE number = ` + lost,
		"play doubled":                `INSERT INTO play SELECT 100000, id, key, request, player, at, block, position, game_part, jackpot_part, prize, prize_due, layout, salt, draw_block, draw, draw_salt, won, won_due, before, after FROM play WHERE number = ` + lost,
		"player exchanged":            `UPDATE play SET player = player % 12 + 1 WHERE number = ` + lost,
		"time changed":                `UPDATE play SET at = at + 1 WHERE number = ` + lost,
		"salt changed":                `UPDATE play SET salt = randomblob(16) WHERE number = ` + lost,
		"layout changed":              `UPDATE play SET layout = (SELECT layout FROM play WHERE number = ` + won + `) WHERE number = ` + lost,
		"two units exchanged":         `UPDATE play SET position = 1 - position WHERE position < 2 AND draw IS NULL`,
		"key bound twice":             `UPDATE play SET key = (SELECT key FROM play WHERE number = 1) WHERE number = 100`,
		"participation taken away":    `UPDATE play SET draw_block = NULL, draw = NULL, draw_salt = NULL WHERE draw = 20`,
		"pot given":                   `UPDATE play SET won = 20000 WHERE draw = 20 AND won = 0 OR draw = 21 AND won = 0`,
		"prize due made paid":         `UPDATE play SET prize_due = 0 WHERE prize_due = 1`,
		"funds raised":                `UPDATE player SET available = available + 1 WHERE number = 3`,
		"funds moved between players": `UPDATE player SET available = available + CASE number WHEN 3 THEN 100 ELSE -100 END WHERE number IN (3, 4)`,
		"player deleted":              `DELETE FROM player WHERE number = 3`,
		"credit deleted":              `DELETE FROM movement WHERE number = 3`,
		"credit raised":               `UPDATE movement SET amount = amount + 1, after = after + 1 WHERE number = 3`,
		"credit moved":                `UPDATE movement SET player = 5 WHERE number = 3`,
		"posting raised":              `UPDATE posting SET amount = amount + 1 WHERE ledger_transaction = ` + sold + ` AND amount > 0`,
		"postings of a batch deleted": `DELETE FROM posting WHERE ledger_transaction = ` + sold,
		"transaction of a batch gone": `DELETE FROM posting WHERE ledger_transaction = ` + sold + `; DELETE FROM ledger_transaction WHERE number = ` + sold,
		"two batches exchanged":       `UPDATE ledger_transaction SET reference = (SELECT reference FROM ledger_transaction WHERE number = ` + sold + ` + 1) WHERE number = ` + sold,
		"win deleted":                 `DELETE FROM posting WHERE ledger_transaction = ` + potTaken,
		"win of another":              `UPDATE ledger_transaction SET reference = (SELECT lower(hex(id)) FROM play WHERE number = 5) WHERE number = ` + potTaken,
		"account renamed":             `UPDATE account SET name = 'prizes:other' WHERE name = 'prizes:trois-lunes'`,
		"meter raised":                `UPDATE lane SET pot = pot + 1 WHERE game = 'quatre-vents'`,
		"meter rounded down":          `UPDATE lane SET pot = pot - pot % 100, reserve = reserve - reserve % 100 WHERE game = 'quatre-vents'`,
		"jackpot opened again":        `UPDATE jackpot SET pot = 20000, advances = 20000`,
		"cursor moved on":             `UPDATE block_sale SET sold = sold + 1 WHERE state = 'on-sale'`,
		"sales tree changed":          `UPDATE block_sale SET sales = (SELECT sales FROM block_sale WHERE state = 'sold-out' LIMIT 1) WHERE state = 'on-sale'`,
		"block declared sold out":     `UPDATE block_sale SET state = 'sold-out' WHERE state = 'on-sale'`,
		"root changed":                `UPDATE block SET root = randomblob(32) WHERE number = 1`,
		"definition changed":          `UPDATE block SET definition = randomblob(32) WHERE number = 1`,
		"price changed":               `UPDATE block SET price = price + 100 WHERE number = 1`,
		"choice changed":              `UPDATE choice SET cells = x'000000' WHERE play = (SELECT min(play) FROM choice)`,
		"choice deleted":              `DELETE FROM choice WHERE play = (SELECT min(play) FROM choice)`,
	} {
		t.Run(name, func(t *testing.T) {
			report, err := v.check(t, tampered(t, file, statements))
			if err == nil && report.OK() {
				t.Fatal("not found")
			}
			if err != nil {
				t.Log(err)
			}
			t.Log(codes(report))
		})
	}
}

// tampered copies a database and changes the copy past its triggers, indexes and constraints.
func tampered(t *testing.T, file, statements string) string {
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "talon.db")
	if err := os.WriteFile(copied, content, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", copied)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	rows, err := db.Query(`SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL`)
	if err != nil {
		t.Fatal(err)
	}
	drop := `PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;`
	for rows.Next() {
		var kind, name string
		if err := rows.Scan(&kind, &name); err != nil {
			t.Fatal(err)
		}
		drop += ` DROP ` + kind + ` ` + name + `;`
	}
	changed, err := db.Exec(drop + statements)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := changed.RowsAffected(); err != nil || n == 0 {
		t.Fatal("nothing was changed")
	}
	return copied
}
