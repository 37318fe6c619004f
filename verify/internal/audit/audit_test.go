package audit

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/talonlottery/talon/verify/internal/fixture"
	"github.com/talonlottery/talon/verify/internal/signednote"
	"github.com/talonlottery/talon/verify/internal/source"
)

func check(t *testing.T, w *fixture.World, b *fixture.Block, files fstest.MapFS) (*Report, error) {
	t.Helper()
	key, err := signednote.ParseKey(w.Operator.Key())
	if err != nil {
		t.Fatal(err)
	}
	return Block(context.Background(), source.Files(files), Options{Block: b.ID, Keys: signednote.Keys{Operator: key}})
}

func expect(t *testing.T, w *fixture.World, b *fixture.Block, files fstest.MapFS, codes ...string) *Report {
	t.Helper()
	report, err := check(t, w, b, files)
	if err != nil {
		t.Fatal(err)
	}
	if got := report.Findings.Codes(); !slices.Equal(got, codes) {
		t.Errorf("found %v instead of %v: %+v", got, codes, report.Findings)
	}
	return report
}

func TestHonest(t *testing.T) {
	w := fixture.New()
	r := expect(t, w, w.Game, w.Publish())
	if r.Sold != 12 || r.PrizesSold != 170_000 || r.PrizesUnsold != 0 || len(r.Tiers) != 3 || r.Tiers[2] != (Tier{10_000, 3, 3, 3}) {
		t.Errorf("%+v", r)
	}
	r = expect(t, w, w.Pot, w.Publish())
	if r.Sold != 250 || r.Wins == 0 {
		t.Errorf("%+v", r)
	}
	var page bytes.Buffer
	r.Print(&page)
	if !strings.Contains(page.String(), "sold 250, unsold 50") {
		t.Error(page.String())
	}
}

// tiles and sales of the game's block, to be changed in place.
func tiles(w *fixture.World) []byte { return w.Files["blocks/"+w.Game.ID.String()+".tiles"].Data }
func sales(w *fixture.World) []byte { return w.Files["sales/"+w.Game.ID.String()+".sales"].Data }

// republish writes sales, with their roots, after they were changed.
func republish(w *fixture.World) {
	w.Put("sales/"+w.Game.ID.String()+".sales", w.Game.SalesFile())
	for _, e := range w.Entries {
		if e["kind"] == "sales" && e["block"] == w.Game.ID.String() {
			e["root"] = w.Game.SalesRoot(e["sold"].(int))
		}
	}
}

// reseal makes the seal repeat what the block is after a change.
func reseal(w *fixture.World, key string, value any) {
	w.Entries[w.Find("seal", w.Game, 0)][key] = value
}

// TestFindings breaks one thing at a time in the block of the game.
func TestFindings(t *testing.T) {
	cases := []struct {
		name   string
		change func(w *fixture.World)
		codes  []string
	}{
		{"no definition", func(w *fixture.World) {
			for path := range w.Files {
				if strings.HasPrefix(path, "definitions/") {
					delete(w.Files, path)
				}
			}
		}, []string{"definition_missing"}},
		{"a title of the definition changed", func(w *fixture.World) {
			for path, f := range w.Files {
				if strings.HasPrefix(path, "definitions/") {
					w.Put(path, bytes.Replace(f.Data, []byte("Lune"), []byte("Luna"), 1))
				}
			}
		}, []string{"definition_wrong"}},
		{"another price", func(w *fixture.World) { reseal(w, "price", 20_000) }, []string{"definition_wrong"}},
		{"another secret", func(w *fixture.World) {
			w.Entries[w.Find("opening", w.Game, 0)]["secret"] = strings.Repeat("ab", 32)
		}, []string{"commitment_wrong", "root_wrong", "leaf_wrong", "sale_not_of_unit"}},
		{"another root", func(w *fixture.World) { reseal(w, "root", strings.Repeat("ab", 32)) }, []string{"root_wrong", "tiles_wrong"}},
		{"two leaves exchanged", func(w *fixture.World) {
			b := tiles(w)
			for i := range 32 {
				b[i], b[32+i] = b[32+i], b[i]
			}
		}, []string{"leaf_wrong", "tiles_wrong"}},
		{"tiles too short", func(w *fixture.World) {
			w.Put("blocks/"+w.Game.ID.String()+".tiles", tiles(w)[:11*32])
		}, []string{"tiles_wrong"}},
		{"tiles too long", func(w *fixture.World) {
			w.Put("blocks/"+w.Game.ID.String()+".tiles", append(tiles(w), 0))
		}, []string{"tiles_wrong"}},
		{"no tiles", func(w *fixture.World) { delete(w.Files, "blocks/"+w.Game.ID.String()+".tiles") }, []string{"tiles_missing"}},
		{"no sales", func(w *fixture.World) { delete(w.Files, "sales/"+w.Game.ID.String()+".sales") }, []string{"sales_missing"}},
		{"a sale fewer", func(w *fixture.World) {
			w.Put("sales/"+w.Game.ID.String()+".sales", sales(w)[:11*24])
		}, []string{"sales_missing"}},
		{"sold out of order", func(w *fixture.World) {
			w.Game.Sold[2], w.Game.Sold[3] = w.Game.Sold[3], w.Game.Sold[2]
			republish(w)
		}, []string{"sale_not_of_unit"}},
		{"another time in the file", func(w *fixture.World) {
			w.Game.At[0]--
			w.Put("sales/"+w.Game.ID.String()+".sales", w.Game.SalesFile())
		}, []string{"sales_root_wrong"}},
		{"a sale after the entry that covers it", func(w *fixture.World) {
			w.Game.At[4] = fixture.Start + 10*60_000 + 1 // covered at minute 9
			republish(w)
		}, []string{"sale_late"}},
		{"a sale long before the approval", func(w *fixture.World) {
			w.Game.At[0] = fixture.Start - 5*60_000 // approved at minute 6
			republish(w)
		}, []string{"sale_late"}},
		{"a sale as early as a clock may be", func(w *fixture.World) {
			w.Game.At[0] = fixture.Start - 2*60_000 // the entry before the covering one is at minute 8
			republish(w)
		}, nil},
		{"a win of a game's unit", func(w *fixture.World) {
			w.Insert(w.Find("sales", w.Game, 1), fixture.Entry{"kind": "jackpot-win", "jackpot": "lune", "block": w.Game.ID.String(), "index": 1, "since": 1, "amount": 100})
		}, []string{"win_wrong"}},
		{"a finding of the log", func(w *fixture.World) {
			w.Entries[w.Find("approval", w.Game, 0)]["by"] = "anton"
		}, []string{"approval_wrong"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := fixture.New()
			c.change(w)
			expect(t, w, w.Game, w.Publish(), c.codes...)
		})
	}
}

func TestHigherTiles(t *testing.T) {
	w := fixture.New()
	b := w.Files["blocks/"+w.Pot.ID.String()+".tiles"].Data // 300 hashes and one of level 1
	b[300*32]++
	expect(t, w, w.Pot, w.Publish(), "tiles_wrong")
}

func TestWins(t *testing.T) {
	cases := []struct {
		name   string
		change func(w *fixture.World, win fixture.Entry, i int)
		codes  []string
	}{
		{"a cent less", func(_ *fixture.World, win fixture.Entry, _ int) { win["amount"] = win["amount"].(int) - 100 }, []string{"win_wrong"}},
		{"not rounded up", func(_ *fixture.World, win fixture.Entry, _ int) {
			win["amount"] = 100*10_000 + win["since"].(int)*160 - 1
		}, []string{"win_wrong"}},
		{"another participation", func(_ *fixture.World, win fixture.Entry, _ int) { win["index"] = 1 }, []string{"win_wrong", "win_missing"}},
		{"not sold", func(_ *fixture.World, win fixture.Entry, _ int) { win["index"] = 299 }, []string{"win_wrong", "win_missing"}},
		{"no entry", func(w *fixture.World, _ fixture.Entry, i int) {
			w.Entries = slices.Delete(w.Entries, i, i+1)
		}, []string{"win_missing"}},
		{"twice", func(w *fixture.World, win fixture.Entry, i int) {
			again := fixture.Entry{}
			for k, v := range win {
				again[k] = v
			}
			w.Insert(i, again)
		}, []string{"win_wrong"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := fixture.New()
			i := w.Find("jackpot-win", w.Pot, 0)
			c.change(w, w.Entries[i], i)
			expect(t, w, w.Pot, w.Publish(), c.codes...)
		})
	}
}

func TestNotOpen(t *testing.T) {
	w := fixture.New()
	w.Entries = w.Entries[:w.Find("opening", nil, 0)]
	if _, err := check(t, w, w.Game, w.Publish()); !errors.Is(err, ErrNotOpen) {
		t.Error(err)
	}
}
