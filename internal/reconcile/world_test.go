package reconcile_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// world is a lottery in memory, whose records a test may damage. Its seller is written for these
// tests and shares nothing with package sale.
type world struct {
	games     *catalogue.Catalogue
	emissions []store.Emission
	blocks    []store.Block
	lanes     []store.LaneState
	plays     []store.Play // in the order of the journal
	records   []store.LedgerRecord
	movements []store.Movement
	accounts  []store.Account
	left      map[string]jackpot.Meter
	tiles     map[block.ID][]byte
	meter     *jackpot.Meter // what Meter tells instead of the sum, when set
	// Defects of a store, when set: a play that only the journal lacks, one that only the block of its
	// participation lacks, and one that every block of participations lists.
	hidden, unlisted *block.PlayID
	misfiled         *store.Play

	dealers map[block.ID]*block.Dealer
	random  *rand.Rand
	clock   time.Time
}

// dueAbove makes both ways of a prize, and of a pot, occur often.
const dueAbove = 26_000

// clean is a world in which nothing is wrong, dealt and sold once and copied for each test.
func clean(t testing.TB) *world {
	t.Helper()
	cleanOnce.Do(func() { cleanWorld = newWorld(t, 2) })
	return cleanWorld.copy()
}

var (
	cleanOnce  sync.Once
	cleanWorld *world
)

func newWorld(t testing.TB, seed uint64) *world {
	t.Helper()
	w := &world{
		games: cataloguetest.New(t), left: map[string]jackpot.Meter{}, tiles: map[block.ID][]byte{},
		dealers: map[block.ID]*block.Dealer{}, random: rand.New(rand.NewPCG(seed, 0)), clock: time.UnixMilli(1_790_000_000_000).UTC(),
	}
	w.open(cataloguetest.SmallPot)
	for range 25 {
		w.register(2_000 * money.Unit)
	}
	w.deal(cataloguetest.Moons, 0, 2)
	w.deal(cataloguetest.Moons, 1, 2)
	w.deal(cataloguetest.Winds, 0, 4)
	w.deal(cataloguetest.SmallPot, 0, 6)
	w.lanes = []store.LaneState{
		{Lane: store.Lane{Game: cataloguetest.Moons}}, {Lane: store.Lane{Game: cataloguetest.Moons, Stake: 1}},
		{Lane: store.Lane{Game: cataloguetest.Winds}}, {Lane: store.Lane{Game: cataloguetest.Winds, Number: 1}},
	}
	for at := range w.lanes {
		w.advance(&w.lanes[at])
	}
	for range 260 {
		// The first lane sells twice as much, so that a block of each kind is sold out.
		w.sell(&w.lanes[w.random.IntN(len(w.lanes)+1)%len(w.lanes)], 1+w.random.IntN(12))
	}
	return w
}

func (w *world) open(name string) {
	j, _ := w.games.Jackpot(name)
	step, err := jackpot.Open(j)
	must(err)
	w.left[name] = step.After
	w.post(ledger.JackpotOpening, name, step.Postings...)
}

func (w *world) post(kind ledger.Kind, reference string, postings ...ledger.Posting) int64 {
	transaction, err := ledger.New(kind, reference, w.clock, postings...)
	must(err)
	w.records = append(w.records, store.LedgerRecord{Number: int64(len(w.records) + 1), Kind: kind, Reference: reference, At: w.clock, Postings: transaction.Postings()})
	return int64(len(w.records))
}

func (w *world) register(amount money.Amount) {
	var id player.ID
	w.fill(id[:])
	w.accounts = append(w.accounts, store.Account{ID: id, Standing: player.Standing{Status: player.Active}})
	for _, part := range []money.Amount{amount / 4, amount - amount/4} {
		w.credit(len(w.accounts)-1, part)
	}
}

func (w *world) credit(at int, amount money.Amount) {
	account := &w.accounts[at]
	number := w.post(ledger.PlayMoney, account.ID.String(),
		ledger.Posting{Account: ledger.PlayMoneySource, Amount: amount}, ledger.Posting{Account: ledger.PlayerFunds, Amount: -amount})
	w.movements = append(w.movements, store.Movement{Player: account.ID, Amount: amount, Before: account.Available,
		After: account.Available + amount, Transaction: number, At: w.clock})
	account.Available += amount
}

func (w *world) fill(into []byte) {
	for at := range into {
		into[at] = byte(w.random.Uint32())
	}
}

// deal opens an emission and deals its blocks.
func (w *world) deal(name string, stake, blocks int) {
	emission := store.Emission{ID: store.EmissionID(len(w.emissions) + 1), Game: name, Stake: stake, Blocks: blocks, Opened: w.clock}
	w.emissions = append(w.emissions, emission)
	for position := range blocks {
		var raw [32]byte
		w.fill(raw[:])
		secret, err := block.SecretFromBytes(raw[:])
		must(err)
		h := block.Header{Version: block.Version, Game: name, Stake: stake}
		w.fill(h.ID[:])
		dealer, err := newDealer(w.games, h, secret)
		must(err)
		var tiles bytes.Buffer
		deal, err := dealer.Deal(context.Background(), &tiles, nil)
		must(err)
		w.tiles[h.ID], w.dealers[h.ID] = tiles.Bytes(), dealer
		w.blocks = append(w.blocks, store.Block{
			Dealt: store.Dealt{Emission: emission.ID, Position: position, Deal: deal, At: w.clock}, State: store.Approved,
		})
	}
}

// newDealer completes a header by the definition it names, of a game or of a jackpot.
func newDealer(games *catalogue.Catalogue, h block.Header, secret block.Secret) (*block.Dealer, error) {
	if found, err := games.Game(h.Game); err == nil {
		h.Definition, h.Price, h.Size = found.Hash, found.Stakes[h.Stake].Price, found.BlockSize
		return block.NewDealer(h, secret, found.Definition, found.Mechanics[h.Stake])
	}
	j, err := games.Jackpot(h.Game)
	if err != nil {
		return nil, err
	}
	h.Definition, h.Price, h.Size = j.Hash, j.Price, j.BlockSize
	return block.NewDrawDealer(h, secret, j)
}

// advance gives a lane the next ready blocks for those that are sold out; false when there is none.
func (w *world) advance(lane *store.LaneState) bool {
	if !w.next(&lane.Units, lane.Lane.Game, lane.Lane.Stake) {
		return false
	}
	found, err := w.games.Game(lane.Lane.Game)
	must(err)
	if found.Jackpot == "" {
		return true
	}
	if lane.Draw == nil {
		lane.Draw = &store.Sequence{}
	}
	return w.next(lane.Draw, found.Jackpot, 0)
}

func (w *world) next(s *store.Sequence, name string, stake int) bool {
	if s.Left() > 0 {
		return true
	}
	for at := range w.blocks {
		if b := &w.blocks[at]; b.State == store.Approved && b.Deal.Header.Game == name && b.Deal.Header.Stake == stake {
			if old := w.block(s.Header.ID); old != nil {
				old.State = store.SoldOut
			}
			b.State = store.OnSale
			*s = store.Sequence{Header: b.Deal.Header, Root: b.Deal.Root}
			return true
		}
	}
	return false
}

func (w *world) block(id block.ID) *store.Block {
	for at := range w.blocks {
		if w.blocks[at].Deal.Header.ID == id {
			return &w.blocks[at]
		}
	}
	return nil
}

// sell sells a batch of a lane, of at most n units, and posts it.
func (w *world) sell(lane *store.LaneState, n int) {
	if !w.advance(lane) {
		return
	}
	n = min(n, int(lane.Units.Left()))
	if lane.Draw != nil {
		n = min(n, int(lane.Draw.Left()))
	}
	w.clock = w.clock.Add(time.Duration(w.random.IntN(5)) * time.Millisecond)
	totals := ledger.SaleTotals{Game: lane.Lane.Game}
	first := lane.Units.Sold
	buyers := w.random.Perm(len(w.accounts))[:n]
	var wins []func()
	for _, buyer := range buyers {
		if win := w.sellOne(lane, &w.accounts[buyer], &totals); win != nil {
			wins = append(wins, win)
		}
	}
	entry, err := ledger.SaleEntry(store.SaleReference(lane.Units.Header.ID, first, first+uint32(n)-1), w.clock, totals)
	must(err)
	w.post(ledger.Sale, entry.Reference(), entry.Postings()...)
	for _, win := range wins {
		win()
	}
}

func (w *world) sellOne(lane *store.LaneState, account *store.Account, totals *ledger.SaleTotals) (postWin func()) {
	found, err := w.games.Game(lane.Lane.Game)
	must(err)
	unit := w.take(&lane.Units)
	stake := found.Stakes[lane.Lane.Stake]
	play := store.Play{
		Number: int64(len(w.plays) + 1), ID: lane.Units.Header.PlayID(&unit), Player: account.ID, At: w.clock,
		Block: lane.Units.Header.ID, Game: found.Name, Stake: lane.Lane.Stake, Index: unit.Index,
		GamePart: stake.GamePart(found.Name), JackpotPart: stake.JackpotPart(found.Jackpot),
		Prize: unit.Prize, PrizeDue: unit.Prize > dueAbove, Layout: unit.Layout, Salt: unit.Salt, Before: account.Available,
	}
	w.fill(play.Key[:])
	account.Available -= stake.Price
	totals.GamePart += play.GamePart
	if play.PrizeDue {
		totals.ToDue += play.Prize
	} else {
		totals.ToFunds += play.Prize
		account.Available += play.Prize
	}
	if lane.Draw != nil {
		postWin = w.participate(lane, account, &play, totals)
	}
	play.After = account.Available
	w.recordSale(&lane.Units, play.Index, &play)
	w.plays = append(w.plays, play)
	w.show(account, &play)
	return postWin
}

// show shows the play of the game that came before, and makes this one unfinished.
func (w *world) show(account *store.Account, play *store.Play) {
	unfinished := []store.Unfinished{{Game: play.Game, Play: play.ID}}
	for _, before := range account.Unfinished {
		if before.Game != play.Game {
			unfinished = append(unfinished, before)
			continue
		}
		for at := range w.plays {
			if shown := &w.plays[at]; shown.ID == before.Play {
				shown.Shown = true
				if shown.Game == cataloguetest.Moons {
					shown.Choice = w.random.Perm(6)[:3]
				}
			}
		}
	}
	account.Unfinished = unfinished
}

func (w *world) participate(lane *store.LaneState, account *store.Account, play *store.Play, totals *ledger.SaleTotals) (postWin func()) {
	j, err := w.games.Jackpot(lane.Draw.Header.Game)
	must(err)
	unit := w.take(lane.Draw)
	play.Draw = &store.Draw{Block: lane.Draw.Header.ID, Index: unit.Index, Salt: unit.Salt}
	lane.Meter, err = lane.Meter.Contribute(j, 1)
	must(err)
	totals.Jackpot = j.Name
	totals.ToPot, totals.ToReserve, totals.ToOperator = totals.ToPot+j.ToPot, totals.ToReserve+j.ToReserve, totals.ToOperator+j.ToOperator
	if unit.Wins() {
		all := []jackpot.Meter{w.left[j.Name]}
		w.left[j.Name] = jackpot.Meter{}
		for at := range w.lanes {
			all = append(all, w.lanes[at].Meter)
			w.lanes[at].Meter = jackpot.Meter{}
		}
		meter, err := jackpot.Sum(all...)
		must(err)
		step, err := meter.Win(j)
		must(err)
		lane.Meter, play.Draw.Won, play.Draw.WonDue = step.After, step.Won, step.Won > dueAbove
		to := ledger.PrizesDue
		if !play.Draw.WonDue {
			to = ledger.PlayerFunds
			account.Available += step.Won
		}
		id := play.ID
		postWin = func() {
			w.post(ledger.JackpotWin, store.WinReference(id), append(step.Postings, ledger.Posting{Account: to, Amount: -step.Won})...)
		}
	}
	w.recordSale(lane.Draw, unit.Index, play)
	return postWin
}

func (w *world) take(s *store.Sequence) block.Unit {
	var unit block.Unit
	must(w.dealers[s.Header.ID].Unit(s.Sold, &unit))
	return unit
}

func (w *world) recordSale(s *store.Sequence, index uint32, play *store.Play) {
	s.Sales.Append(block.SaleLeaf(s.Header.ID, index, play.ID, play.At.UnixMilli()))
	s.Sold++
	b := w.block(s.Header.ID)
	b.Sold, b.Sales = s.Sold, s.Sales.Clone()
}

// copy gives a world that may be damaged without harm to the first.
func (w *world) copy() *world {
	c := *w
	c.emissions, c.blocks, c.lanes, c.plays = slices.Clone(w.emissions), slices.Clone(w.blocks), slices.Clone(w.lanes), slices.Clone(w.plays)
	c.records, c.movements, c.accounts = slices.Clone(w.records), slices.Clone(w.movements), slices.Clone(w.accounts)
	for at := range c.plays {
		p := &c.plays[at]
		p.Layout, p.Choice = slices.Clone(p.Layout), slices.Clone(p.Choice)
		if p.Draw != nil {
			draw := *p.Draw
			p.Draw = &draw
		}
	}
	for at := range c.accounts {
		c.accounts[at].Unfinished = slices.Clone(c.accounts[at].Unfinished)
	}
	for at := range c.records {
		c.records[at].Postings = slices.Clone(c.records[at].Postings)
	}
	for at := range c.lanes {
		if c.lanes[at].Draw != nil {
			draw := *c.lanes[at].Draw
			c.lanes[at].Draw = &draw
		}
	}
	c.left, c.tiles = map[string]jackpot.Meter{}, map[block.ID][]byte{}
	for name, m := range w.left {
		c.left[name] = m
	}
	for id, file := range w.tiles {
		c.tiles[id] = slices.Clone(file)
	}
	return &c
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
