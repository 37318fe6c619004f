package reconcile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
)

// given says what the check is given beside the records.
type given string

const (
	either  given = ""        // shows as this code with tiles and without
	tiles   given = "tiles"   // only where tiles are given
	records given = "records" // only where they are not
)

// wrong is a seeded fault: what is done to the records, and a code that tells it. Most show in
// several ways; the code named is the one that tells what was done.
type wrong struct {
	name  string
	do    func(w *world)
	code  string
	given given
}

var faults = []wrong{
	// The journal.
	{"missing play", func(w *world) { w.remove(w.find(anyPlay)) }, "index_skipped", either},
	{"missing last play of a block", func(w *world) { w.remove(w.lastOf(anyPlay)) }, "sold_wrong", either},
	{"extra play after the last", func(w *world) {
		p := w.plays[len(w.plays)-1]
		p.Index, p.Number = w.block(p.Block).Sold, p.Number+1
		w.plays = append(w.plays, p)
	}, "sold_wrong", either},
	{"duplicate play", func(w *world) { w.plays = append(w.plays, *w.find(anyPlay)) }, "index_twice", either},
	{"play beyond the block", func(w *world) { w.find(anyPlay).Index = 1 << 20 }, "index_outside", either},
	{"skipped index", func(w *world) {
		id := w.lanes[0].Units.Header.ID
		for at := range w.plays {
			if p := &w.plays[at]; p.Block == id && p.Index >= 20 {
				p.Index++
			}
		}
	}, "index_skipped", either},
	{"swapped sale order", func(w *world) {
		a := w.find(loses)
		b := w.find(func(p *store.Play) bool { return p.Block == a.Block && p.Index == a.Index+1 })
		a.Index, b.Index = b.Index, a.Index
	}, "play_id", either},
	{"swapped times", func(w *world) { w.find(anyPlay).At = w.clock.Add(time.Millisecond) }, "sales_tree", either},
	{"other identifier", func(w *world) { w.find(anyPlay).ID[3] ^= 1 }, "play_id", either},
	{"other salt", func(w *world) { w.find(anyPlay).Salt[3] ^= 1 }, "play_id", either},
	{"other salt, sealed", func(w *world) { w.find(anyPlay).Salt[3] ^= 1 }, "leaf_wrong", tiles},
	{"altered prize", func(w *world) { w.find(wins).Prize += money.Cent }, "layout_wrong", either},
	{"altered prize, to another of the table", func(w *world) { w.find(loses).Prize = 5_000 }, "layout_wrong", either},
	{"prize of no table", func(w *world) { w.find(wins).Prize = 70_000 }, "prize_unknown", either},
	{"prize in part of a cent", func(w *world) { w.find(wins).Prize++ }, "play_wrong", either},
	{"negative prize", func(w *world) { w.find(loses).Prize = -money.Unit }, "play_wrong", either},
	{"edited layout", func(w *world) {
		p := w.find(loses)
		p.Layout = w.find(func(o *store.Play) bool { return o.Block == p.Block && o.Prize > 0 }).Layout
	}, "layout_wrong", either},
	{"layout in another order", func(w *world) {
		p := w.find(func(p *store.Play) bool { return p.Layout[0] != p.Layout[1] })
		p.Layout[0], p.Layout[1] = p.Layout[1], p.Layout[0]
	}, "leaf_wrong", tiles},
	{"layout in another order, in a block that is sold out", func(w *world) {
		p := w.find(func(p *store.Play) bool { return p.Layout[0] != p.Layout[1] && w.block(p.Block).State == store.SoldOut })
		p.Layout[0], p.Layout[1] = p.Layout[1], p.Layout[0]
	}, "root_wrong", records},
	{"layout and prize of another unit", func(w *world) {
		a := w.find(loses)
		b := w.find(func(p *store.Play) bool { return p.Block == a.Block && p.Prize > 0 })
		a.Layout, a.Prize, b.Layout, b.Prize = b.Layout, b.Prize, a.Layout, a.Prize
	}, "leaf_wrong", tiles},
	{"price in other parts", func(w *world) { p := w.find(draws); p.GamePart, p.JackpotPart = p.GamePart+1, p.JackpotPart-1 }, "price_wrong", either},
	{"cheaper price", func(w *world) { w.find(anyPlay).GamePart -= money.Cent }, "price_wrong", either},
	{"other stake", func(w *world) { w.find(anyPlay).Stake++ }, "play_wrong", either},
	{"other game", func(w *world) { w.find(loses).Game = cataloguetest.Winds }, "play_wrong", either},
	{"a loss paid as due", func(w *world) { w.find(loses).PrizeDue = true }, "play_wrong", either},
	{"key of two plays", func(w *world) { w.plays[9].Key = w.plays[len(w.plays)-1].Key }, "key_twice", either},
	{"prizes of a sold out block", func(w *world) {
		a := w.find(func(p *store.Play) bool { return loses(p) && w.block(p.Block).State == store.SoldOut })
		b := w.find(func(p *store.Play) bool { return p.Block == a.Block && p.Prize > 0 })
		a.Layout, a.Prize = b.Layout, b.Prize
	}, "table_wrong", either},
	{"more of a prize than the table has", func(w *world) {
		top := w.find(func(p *store.Play) bool { return p.Prize == 600_000 || p.Prize == 500_000 })
		other := w.find(func(p *store.Play) bool { return p.Block == top.Block && p.Prize == 0 })
		other.Layout, other.Prize = top.Layout, top.Prize
	}, "prize_over", either},

	// What is shown.
	{"choice of too few", func(w *world) { p := w.find(chosen); p.Choice = p.Choice[:2] }, "choice_wrong", either},
	{"choice of one twice", func(w *world) { p := w.find(chosen); p.Choice[1] = p.Choice[0] }, "choice_wrong", either},
	{"choice of what is not there", func(w *world) { w.find(chosen).Choice[2] = 6 }, "choice_wrong", either},
	{"choice below", func(w *world) { w.find(chosen).Choice[2] = -1 }, "choice_wrong", either},
	{"choice where there is none", func(w *world) { w.find(draws).Choice = []int{1, 2, 3} }, "choice_wrong", either},
	{"shown before the choice", func(w *world) { w.find(chosen).Choice = nil }, "shown_early", either},
	{"forgotten unfinished play", func(w *world) { w.accounts[2].Unfinished = w.accounts[2].Unfinished[1:] }, "unfinished_wrong", either},
	{"unfinished play of another", func(w *world) { w.accounts[2].Unfinished[0].Play[0] ^= 1 }, "unfinished_wrong", either},
	{"two unfinished plays of a game", func(w *world) {
		p := w.find(func(p *store.Play) bool { return p.Shown })
		p.Shown = false
		a := w.account(p)
		a.Unfinished = append(a.Unfinished, store.Unfinished{Game: p.Game, Play: p.ID})
	}, "unfinished_wrong", either},

	// Players and their funds.
	{"changed balance", func(w *world) { w.accounts[3].Available += money.Cent }, "balance_wrong", either},
	{"negative balance", func(w *world) { w.accounts[3].Available = -1 }, "funds_negative", either},
	{"prize not paid", func(w *world) { w.find(wins).After -= money.Unit }, "funds_wrong", either},
	{"prize paid to funds and due", func(w *world) { w.find(due).PrizeDue = false }, "funds_wrong", either},
	{"last prize not paid", func(w *world) {
		p := w.lastOf(wins)
		p.After -= p.Prize
		w.account(p).Available -= p.Prize
	}, "funds_wrong", either},
	{"funds that do not follow each other", func(w *world) { p := w.find(anyPlay); p.Before, p.After = p.Before+money.Unit, p.After+money.Unit }, "chain_wrong", either},
	{"stake without funds", func(w *world) { p := w.find(loses); p.After -= p.Before; p.Before = 0 }, "funds_negative", either},
	{"play of another player", func(w *world) {
		p := w.find(anyPlay)
		p.Player = w.find(func(o *store.Play) bool { return o.Player != p.Player }).Player
	}, "balance_wrong", either},
	{"play that changes nothing, of another player", func(w *world) {
		p := w.find(func(p *store.Play) bool { return p.Before == p.After })
		p.Player = w.find(func(o *store.Play) bool { return o.Player != p.Player }).Player
	}, "chain_wrong", either},
	{"two plays of a player in another order", func(w *world) {
		a := w.find(loses)
		b := w.find(func(b *store.Play) bool { return b.Player == a.Player && b.Number > a.Number })
		a.Before, a.After, b.Before, b.After = b.Before, b.Before-a.Price(), a.Before, a.Before+b.After-b.Before
	}, "chain_wrong", either},
	{"journal out of order", func(w *world) { w.plays[50].Number = w.plays[49].Number }, "journal_order", either},
	{"play of no block", func(w *world) { w.find(draws).Block = block.ID{9} }, "play_wrong", either},
	{"play that the journal hides", func(w *world) { w.hidden = &w.find(loses).ID }, "journal_other", either},
	{"play of nobody", func(w *world) { w.find(anyPlay).Player[0] ^= 1 }, "player_unknown", either},
	{"missing player", func(w *world) { w.accounts = w.accounts[1:] }, "player_unknown", either},
	{"missing credit", func(w *world) { w.movements = w.movements[1:] }, "credit_wrong", either},
	{"duplicate credit", func(w *world) { w.movements = append(w.movements, w.movements[4]) }, "credit_wrong", either},
	{"altered credit", func(w *world) { w.movements[4].Amount++ }, "credit_wrong", either},
	{"credit to another", func(w *world) { w.movements[4].Player = w.movements[10].Player }, "balance_wrong", either},
	{"credit of nothing", func(w *world) { w.movements = append(w.movements, store.Movement{Player: w.accounts[0].ID}) }, "funds_wrong", either},

	// The general ledger.
	{"unbalanced posting", func(w *world) { w.any(ledger.Sale).Postings[0].Amount++ }, "unbalanced", either},
	{"unbalanced trial balance", func(w *world) { w.any(ledger.Sale).Postings[0].Amount++ }, "trial_balance", either},
	{"missing posting", func(w *world) { r := w.any(ledger.Sale); r.Postings = r.Postings[1:] }, "unbalanced", either},
	{"posting to no account", func(w *world) { w.any(ledger.Sale).Postings[0].Account = "slush" }, "unbalanced", either},
	{"missing transaction", func(w *world) { w.drop(w.any(ledger.Sale)) }, "not_posted", either},
	{"missing credit's transaction", func(w *world) { w.drop(w.any(ledger.PlayMoney)) }, "credit_wrong", either},
	{"missing win's transaction", func(w *world) { w.drop(w.any(ledger.JackpotWin)) }, "win_unposted", either},
	{"missing opening", func(w *world) { w.drop(w.any(ledger.JackpotOpening)) }, "pot_wrong", either},
	{"duplicate transaction", func(w *world) { w.again(w.any(ledger.Sale)) }, "posted_twice", either},
	{"duplicate opening", func(w *world) { w.again(w.any(ledger.JackpotOpening)) }, "opened_twice", either},
	{"duplicate win", func(w *world) { w.again(w.any(ledger.JackpotWin)) }, "win_unplayed", either},
	{"duplicate credit's transaction", func(w *world) { w.again(w.any(ledger.PlayMoney)) }, "credit_wrong", either},
	{"transactions out of order", func(w *world) { w.records[40].Number = w.records[39].Number }, "transaction_order", either},
	{"transaction of an unknown kind", func(w *world) { w.any(ledger.PlayMoney).Kind = "gift" }, "kind_unknown", either},
	{"a contribution taken for income", func(w *world) {
		w.shift(ledger.Sale, ledger.JackpotPot(cataloguetest.SmallPot), ledger.JackpotShare(cataloguetest.SmallPot), -160)
	}, "postings_wrong", either},
	{"prizes between two batches", func(w *world) {
		moved := money.Amount(0)
		for at := range w.records {
			r := &w.records[at]
			if r.Kind == ledger.Sale && indexOf(r, ledger.Prizes(cataloguetest.Moons)) >= 0 && moved < 2 {
				move(r, ledger.PlayerFunds, ledger.Prizes(cataloguetest.Moons), money.Unit*(1-2*moved))
				moved++
			}
		}
	}, "posted_wrong", either},
	{"reference to other units", func(w *world) {
		id := w.lanes[0].Units.Header.ID
		w.any(ledger.Sale).Reference = store.SaleReference(id, 600_000, 600_001)
	}, "posted_unsold", either},
	{"reference to no block", func(w *world) { w.any(ledger.Sale).Reference = store.SaleReference(block.ID{1}, 0, 1) }, "reference_wrong", either},
	{"reference in other words", func(w *world) { w.any(ledger.Sale).Reference = "batch 7" }, "reference_wrong", either},
	{"extra transaction between accounts", func(w *world) {
		w.post(ledger.PlayMoney, "x", ledger.Posting{Account: ledger.PrizesDue, Amount: 5}, ledger.Posting{Account: ledger.Stakes("piece-dor"), Amount: -5})
	}, "account_wrong", either},

	{"play money between accounts", func(w *world) {
		w.post(ledger.PlayMoney, "x", ledger.Posting{Account: ledger.PlayMoneySource, Amount: 5}, ledger.Posting{Account: ledger.PrizesDue, Amount: -5})
	}, "postings_wrong", either},
	{"postings beyond all sums", func(w *world) {
		for range 2 {
			w.post(ledger.PlayMoney, "x", ledger.Posting{Account: ledger.PlayMoneySource, Amount: 1 << 62}, ledger.Posting{Account: ledger.PlayerFunds, Amount: -1 << 62})
		}
	}, "amount_overflow", either},
	{"credits beyond all sums", func(w *world) {
		for at := range 2 {
			w.movements = append(w.movements, store.Movement{Player: w.accounts[at].ID, Amount: 1 << 62, After: 1 << 62})
		}
	}, "amount_overflow", either},
	{"credit that begins elsewhere", func(w *world) {
		w.register(money.Unit)
		last := &w.movements[len(w.movements)-2]
		last.Before, last.After = last.Before+1, last.After+1
	}, "chain_wrong", either},

	// The jackpot.
	{"wrong meter", func(w *world) { w.lanes[2].Meter.Pot++ }, "meter_wrong", either},
	{"wrong reserve", func(w *world) { w.lanes[3].Meter.Reserve += 50 }, "meter_wrong", either},
	{"wrong advances", func(w *world) { w.lanes[3].Meter.Advances += 50 }, "meter_wrong", either},
	{"negative meter", func(w *world) {
		w.lanes[2].Meter.Pot, w.lanes[3].Meter.Pot = -1, w.lanes[2].Meter.Pot+w.lanes[3].Meter.Pot+1
	}, "meter_wrong", either},
	{"meter rounded down to cents", func(w *world) { w.meter = &jackpot.Meter{} }, "meter_wrong", either},
	{"what the jackpot was opened with, twice", func(w *world) { w.left[cataloguetest.SmallPot] = jackpot.Meter{Pot: 20_000} }, "meter_wrong", either},
	{"participation not sold with its unit", func(w *world) { w.find(draws).Draw = nil }, "draw_missing", either},
	{"participation of another index", func(w *world) { w.find(draws).Draw.Index ^= 1 }, "index_twice", either},
	{"participation's salt", func(w *world) { w.find(draws).Draw.Salt[0]++ }, "leaf_wrong", tiles},
	{"pot that was not won", func(w *world) { w.find(draws).Draw.Won = 20_000 }, "win_unposted", either},
	{"pot that was not won, sealed", func(w *world) { w.find(draws).Draw.Won = 20_000 }, "leaf_wrong", tiles},
	{"pot that was won and not paid", func(w *world) { p := w.find(winsPot); p.Draw.Won, p.Draw.WonDue = 0, false }, "win_unplayed", either},
	{"pot of another amount", func(w *world) { w.find(winsPot).Draw.Won += money.Cent }, "win_wrong", either},
	{"pot in part of a cent", func(w *world) { w.find(winsPot).Draw.Won++ }, "play_wrong", either},
	{"pot paid elsewhere", func(w *world) { p := w.find(winsPot); p.Draw.WonDue = !p.Draw.WonDue }, "win_wrong", either},
	{"pot rounded down by the ledger", func(w *world) {
		w.shift(ledger.JackpotWin, ledger.JackpotRounding(cataloguetest.SmallPot), ledger.PrizesDue, money.Cent)
	}, "postings_wrong", either},
	{"advance forgotten by the ledger", func(w *world) {
		w.shift(ledger.JackpotWin, ledger.JackpotAdvances(cataloguetest.SmallPot), ledger.JackpotReserve(cataloguetest.SmallPot), 100)
	}, "postings_wrong", either},
	{"contribution in part lost by a pot", func(w *world) {
		w.shift(ledger.JackpotWin, ledger.JackpotPot(cataloguetest.SmallPot), ledger.JackpotReserve(cataloguetest.SmallPot), 1)
	}, "pot_wrong", either},
	{"pot with more than was contributed", func(w *world) {
		w.shift(ledger.JackpotWin, ledger.PrizesDue, ledger.JackpotPot(cataloguetest.SmallPot), 160_000)
	}, "pot_wrong", either},
	{"win without a pot", func(w *world) {
		w.post(ledger.JackpotWin, "x", ledger.Posting{Account: ledger.PrizesDue, Amount: 5}, ledger.Posting{Account: ledger.PlayMoneySource, Amount: -5})
	}, "postings_wrong", either},
	{"opening of another amount", func(w *world) {
		w.shift(ledger.JackpotOpening, ledger.JackpotPot(cataloguetest.SmallPot), ledger.JackpotAdvances(cataloguetest.SmallPot), 160)
	}, "postings_wrong", either},
	{"jackpot of no definition", func(w *world) { w.left["rien"] = jackpot.Meter{} }, "definition_other", either},
	{"meters beyond all sums", func(w *world) { w.lanes[2].Meter.Pot, w.lanes[3].Meter.Pot = 1<<62, 1<<62 }, "amount_overflow", either},
	{"participation sold with another game", func(w *world) {
		p := w.find(draws)
		w.find(loses).Draw, p.Draw = p.Draw, nil
	}, "draw_wrong", either},
	{"participation that its block does not list", func(w *world) { w.unlisted = &w.find(draws).ID }, "journal_other", either},
	{"play listed with a block that it does not name", func(w *world) { w.misfiled = w.find(loses) }, "draw_wrong", either},
	{"participation in a block of units", func(w *world) { w.find(draws).Draw.Block = w.lanes[0].Units.Header.ID }, "draw_wrong", either},
	{"unit of a block of participations", func(w *world) { w.find(draws).Block = w.lanes[2].Draw.Header.ID }, "play_wrong", either},

	// Blocks and lanes.
	{"cursor moved on", func(w *world) { w.block(w.lanes[0].Units.Header.ID).Sold++ }, "sold_wrong", either},
	{"cursor moved back", func(w *world) { w.block(w.lanes[0].Units.Header.ID).Sold-- }, "sold_wrong", either},
	{"other sales tree", func(w *world) { w.block(w.lanes[0].Units.Header.ID).Sales = canon.Edge{} }, "sales_tree", either},
	{"sold out too early", func(w *world) { w.block(w.lanes[0].Units.Header.ID).State = store.SoldOut }, "state_wrong", either},
	{"sold before it was on sale", func(w *world) { w.block(w.lanes[0].Units.Header.ID).State = store.Approved }, "state_wrong", either},
	{"no state", func(w *world) { w.block(w.lanes[0].Units.Header.ID).State = "" }, "state_wrong", either},
	{"other root", func(w *world) { w.blocks[0].Deal.Root[0] ^= 1 }, "root_wrong", either},
	{"other definition", func(w *world) { w.blocks[0].Deal.Header.Definition[0] ^= 1 }, "definition_other", either},
	{"definition of nothing", func(w *world) { w.blocks[0].Deal.Header.Game = "rien" }, "definition_other", either},
	{"other price", func(w *world) { w.blocks[0].Deal.Header.Price++ }, "definition_other", either},
	{"block recorded twice", func(w *world) { w.blocks = append(w.blocks, w.blocks[0]) }, "block_twice", either},
	{"missing block", func(w *world) { w.blocks = w.blocks[1:] }, "reference_wrong", either},
	{"emission of another game", func(w *world) { w.blocks[0].Emission = 3 }, "emission_wrong", either},
	{"place taken", func(w *world) { w.blocks[1].Position = 0 }, "emission_place", either},
	{"place beyond the emission", func(w *world) { w.blocks[1].Position = 2 }, "emission_place", either},
	{"lane at another unit", func(w *world) { w.lanes[0].Units.Sold++ }, "lane_wrong", either},
	{"lane of another block", func(w *world) { w.lanes[0].Units = w.lanes[1].Units }, "lane_wrong", either},
	{"lane of another root", func(w *world) { w.lanes[0].Units.Root[0] ^= 1 }, "lane_wrong", either},
	{"lane of no definition", func(w *world) { w.lanes[0].Lane.Game = "rien" }, "definition_other", either},
	{"two lanes at one block", func(w *world) { w.lanes[3].Units = w.lanes[2].Units }, "lane_wrong", either},
	{"lane without participations", func(w *world) { w.lanes[3].Draw = nil }, "lane_wrong", either},
	{"lane of an unrecorded block", func(w *world) { w.lanes[0].Units.Header.ID[0] ^= 1 }, "lane_wrong", either},

	// Tiles.
	{"edited leaf of a sold unit", func(w *world) { w.tiles[w.lanes[0].Units.Header.ID][3] ^= 1 }, "leaf_wrong", tiles},
	{"edited leaf of a unit that is not sold", func(w *world) {
		s := w.lanes[0].Units
		w.tiles[s.Header.ID][32*(s.Header.Size-1)] ^= 1
	}, "root_wrong", tiles},
	{"edited hash above the leaves", func(w *world) {
		s := w.lanes[0].Units
		w.tiles[s.Header.ID][32*s.Header.Size] ^= 1
	}, "root_wrong", tiles},
	{"tiles cut short", func(w *world) {
		id := w.lanes[0].Units.Header.ID
		w.tiles[id] = w.tiles[id][:100]
	}, "tiles_missing", tiles},
	{"tiles lost", func(w *world) { delete(w.tiles, w.lanes[0].Units.Header.ID) }, "tiles_missing", tiles},
}

// Every seeded fault is found, by the code that tells what was done, and named in one line.
func TestSeededFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			w := clean(t)
			f.do(w)
			for _, withTiles := range []bool{false, true} {
				if f.given == tiles && !withTiles || f.given == records && withTiles {
					continue
				}
				report := w.check(t, withTiles)
				if got := codes(report); !slices.Contains(got, f.code) {
					t.Errorf("tiles %v: got %v, want %s", withTiles, got, f.code)
				}
				for _, difference := range report.Differences {
					if text := difference.String(); strings.Contains(text, "\n") || difference.Where == "" || difference.What == "" || strings.Contains(text, "%!") {
						t.Errorf("%q is not one line with a place", text)
					}
				}
			}
		})
	}
}

// Every single field of a play is held by something.
func TestEveryFieldOfAPlay(t *testing.T) {
	for name, edit := range map[string]func(p *store.Play){
		"ID": func(p *store.Play) { p.ID[15] ^= 1 }, "Player": func(p *store.Play) { p.Player[0] ^= 1 },
		"At": func(p *store.Play) { p.At = p.At.Add(time.Millisecond) }, "Block": func(p *store.Play) { p.Block[0] ^= 1 },
		"Game": func(p *store.Play) { p.Game += "x" }, "Stake": func(p *store.Play) { p.Stake++ }, "Index": func(p *store.Play) { p.Index++ },
		"GamePart": func(p *store.Play) { p.GamePart++ }, "JackpotPart": func(p *store.Play) { p.JackpotPart++ },
		"Prize": func(p *store.Play) { p.Prize++ }, "PrizeDue": func(p *store.Play) { p.PrizeDue = !p.PrizeDue },
		"Layout": func(p *store.Play) { p.Layout[2] ^= 1 }, "Salt": func(p *store.Play) { p.Salt[0] ^= 1 },
		"Before": func(p *store.Play) { p.Before++ }, "After": func(p *store.Play) { p.After++ },
		"Draw.Block": func(p *store.Play) { p.Draw.Block[0] ^= 1 }, "Draw.Index": func(p *store.Play) { p.Draw.Index++ },
		"Draw.Salt": func(p *store.Play) { p.Draw.Salt[0] ^= 1 }, "Draw.Won": func(p *store.Play) { p.Draw.Won += money.Cent },
		"Draw.WonDue": func(p *store.Play) { p.Draw.WonDue = !p.Draw.WonDue },
	} {
		for at, holds := range []func(*store.Play) bool{draws, winsPot, func(p *store.Play) bool { return draws(p) && p.Prize > 0 }} {
			w := clean(t)
			edit(w.find(holds))
			if report := w.check(t, true); report.OK() {
				t.Errorf("an edited %s of play %d was not found", name, at)
			}
		}
	}
}

// A report of a block that is still sold tells nothing of the units that are left: a block that sells
// keeps them to itself, so the report is the same whatever they are.
func TestNothingOfUnsoldUnits(t *testing.T) {
	w := clean(t)
	w.find(loses).Prize = 5_000
	text := fmt.Sprint(w.check(t, true).Differences)
	for at := range w.blocks {
		b := &w.blocks[at]
		dealer := w.dealers[b.Deal.Header.ID]
		for index := b.Sold; index < b.Deal.Header.Size; index++ {
			var unit block.Unit
			if err := dealer.Unit(index, &unit); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text, fmt.Sprintf("%x", unit.Salt)) || strings.Contains(text, b.Deal.Header.PlayID(&unit).String()) {
				t.Fatal("a unit that is not sold is in the report")
			}
		}
	}
}
