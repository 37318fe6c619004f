package sale_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
)

// plain is a second seller, written for tests alone: one unit a transaction, nothing clever. Its
// fields break it on purpose; the oracle, the store or the vault must notice each.
type plain struct {
	h *house

	skipsAnIndex            bool
	sellsWithoutFunds       bool
	forgetsTheContribution  bool
	forgetsTheParticipation bool // in the books, not in the meter
	keepsAPot               bool
	paysItsOwnMeterOnly     bool
	paysAnotherPrize        bool
	swapsTheLayout          bool
	swapsTheTime            bool // after the sales tree was made
	forgetsTheLedger        bool
	recordsAnotherPlayer    bool
	givesTheStakeBack       bool
}

// sell sells the next unit of a lane to the n-th player.
func (p *plain) sell(n int, lane store.Lane, nth int) (store.Play, error) {
	var play store.Play
	err := p.h.store.Update(context.Background(), func(ctx context.Context, tx store.Tx) error {
		before, err := tx.Advance(ctx, lane, p.h.clock())
		if err != nil {
			return err
		}
		accounts, err := tx.LockPlayers(ctx, saletest.IDs(n, n+1), p.h.clock())
		if err != nil {
			return err
		}
		if accounts[0].Available < money.Unit && !p.sellsWithoutFunds { // before anything is opened
			return fault.New(fault.Refused, "insufficient_funds", "no funds")
		}
		from, drawFrom := before.Units.Sold, before.Draw.Sold
		if p.skipsAnIndex && nth == 5 { // the vault would refuse to skip one: it is opened for nobody
			skipped := custody.Range{Header: before.Units.Header, From: from, Into: make([]block.Unit, 1)}
			if err := p.h.vault.OpenUnits(ctx, custody.Batch("skipped"), skipped); err != nil {
				return err
			}
			from++
		}
		batch := custody.Batch{byte(n), byte(nth), byte(nth >> 8), byte(lane.Number)}
		unit, draw := make([]block.Unit, 1), make([]block.Unit, 1)
		err = p.h.vault.OpenUnits(ctx, batch, custody.Range{Header: before.Units.Header, From: from, Into: unit},
			custody.Range{Header: before.Draw.Header, From: drawFrom, Into: draw})
		if err != nil {
			return err
		}
		sold, err := p.records(ctx, tx, before, accounts, &unit[0], &draw[0], nth)
		if err != nil {
			return err
		}
		play = sold.Plays[0]
		return tx.RecordSale(ctx, sold)
	})
	return play, err
}

func (p *plain) records(ctx context.Context, tx store.Tx, before store.LaneState, accounts []*store.Account, unit, draw *block.Unit, nth int) (store.Sale, error) {
	header, account, now := before.Units.Header, *accounts[0], p.h.clock()
	terms, err := p.h.games.Jackpot(smallPot)
	if err != nil {
		return store.Sale{}, err
	}
	play := store.Play{
		ID: header.PlayID(unit), Player: account.ID, Key: store.KeyDigest{byte(nth), byte(nth >> 8), account.ID[0], account.ID[1], 1}, At: now,
		Block: header.ID, Game: header.Game, Stake: header.Stake, Index: unit.Index,
		GamePart: 97 * money.Cent, JackpotPart: 3 * money.Cent, Prize: unit.Prize, Layout: unit.Layout, Salt: unit.Salt,
		Draw: &store.Draw{Block: before.Draw.Header.ID, Index: draw.Index, Salt: draw.Salt}, Before: account.Available,
	}
	after := before
	drawAfter := *before.Draw
	after.Version, after.Draw = before.Version+1, &drawAfter
	after.Units.Sales, drawAfter.Sales = before.Units.Sales.Clone(), before.Draw.Sales.Clone()
	after.Units.Sales.Append(block.SaleLeaf(header.ID, play.Index, play.ID, now.UnixMilli()))
	drawAfter.Sales.Append(block.SaleLeaf(play.Draw.Block, play.Draw.Index, play.ID, now.UnixMilli()))
	after.Units.Sold, drawAfter.Sold = unit.Index+1, draw.Index+1
	p.spoilUnit(&play, nth)

	if !p.forgetsTheContribution || nth != 5 {
		if after.Meter, err = before.Meter.Contribute(terms, 1); err != nil {
			return store.Sale{}, err
		}
	}
	var entries []ledger.Transaction
	if draw.Wins() && !p.keepsAPot {
		entry, err := p.win(ctx, tx, &play, &after)
		if err != nil {
			return store.Sale{}, err
		}
		entries = append(entries, entry)
	}
	play.After = play.Before - play.Price() + play.Prize + play.Draw.Won
	play.After = max(play.After, 0) // for whoever sells without funds
	if p.givesTheStakeBack && nth == 5 {
		play.After += play.Price()
	}
	totals := ledger.SaleTotals{Game: header.Game, GamePart: play.GamePart, ToFunds: play.Prize,
		Jackpot: smallPot, ToPot: terms.ToPot, ToReserve: terms.ToReserve, ToOperator: terms.ToOperator}
	if p.forgetsTheParticipation && nth == 5 {
		totals.ToPot, totals.ToReserve, totals.ToOperator = 0, 0, 0
	}
	if entry, err := ledger.SaleEntry(store.SaleReference(header.ID, unit.Index, unit.Index), now, totals); err != nil {
		return store.Sale{}, err
	} else if !p.forgetsTheLedger || nth != 5 {
		entries = append(entries, entry)
	}
	changed := account
	changed.Available = play.After
	changed.Unfinished = []store.Unfinished{{Game: play.Game, Play: play.ID}}
	owners := []store.Account{changed}
	if p.recordsAnotherPlayer && nth == 5 && accounts[1] != nil {
		play.Player = accounts[1].ID
		owners = append(owners, *accounts[1])
	}
	return store.Sale{Before: before, After: after, Plays: []store.Play{play}, Accounts: owners, Entries: entries}, nil
}

func (p *plain) spoilUnit(play *store.Play, nth int) {
	switch {
	case nth != 5:
	case p.paysAnotherPrize:
		play.Prize += money.Unit
	case p.swapsTheLayout:
		play.Layout = bytes.Clone(play.Layout)
		play.Layout[0], play.Layout[3] = play.Layout[3]^1, play.Layout[0]^1
	case p.swapsTheTime:
		play.At = play.At.Add(60_000_000_000)
	}
}

func (p *plain) win(ctx context.Context, tx store.Tx, play *store.Play, after *store.LaneState) (ledger.Transaction, error) {
	terms, err := p.h.games.Jackpot(smallPot)
	if err != nil {
		return ledger.Transaction{}, err
	}
	meter := after.Meter
	others, err := tx.TakeMeters(ctx, smallPot, after.Lane)
	if err != nil {
		return ledger.Transaction{}, err
	}
	if !p.paysItsOwnMeterOnly {
		if meter, err = jackpot.Sum(meter, others); err != nil {
			return ledger.Transaction{}, err
		}
	}
	step, err := meter.Win(terms)
	if err != nil {
		return ledger.Transaction{}, err
	}
	after.Meter, play.Draw.Won = step.After, step.Won
	return ledger.New(ledger.JackpotWin, store.WinReference(play.ID), play.At,
		append(step.Postings, ledger.Posting{Account: ledger.PlayerFunds, Amount: -step.Won})...)
}

// history lets a plain seller sell 90 units in two lanes to four players, one of them poor, and gives
// the codes of errors that it met.
func history(t *testing.T, p *plain) map[string]int {
	h := build(t).lanes(winds, 0, 2, 2)
	p.h = h
	saletest.Players(t, h.store, 4, 100*money.Unit)
	saletest.Update(t, h.store, func(ctx context.Context, tx store.Tx) error {
		if err := tx.CreatePlayer(ctx, saletest.Player(4), saletest.Morning); err != nil {
			return err
		}
		return saletest.Credit(ctx, tx, saletest.Player(4), 50*money.Cent, saletest.Morning)
	})
	codes := map[string]int{}
	for nth := range 90 {
		h.now.Add(1_000_000)
		n, lane := nth%4, store.Lane{Game: winds, Number: nth / 4 % 2}
		if nth == 7 {
			n = 4
		}
		if _, err := p.sell(n, lane, nth); err != nil {
			codes[fault.CodeOf(err)]++
		}
	}
	return codes
}

// The oracle accepts the plain seller as it accepts the real one, and notices each broken twin.
func TestBrokenTwinsAreNoticed(t *testing.T) {
	sound := &plain{}
	if codes := history(t, sound); len(codes) != 1 || codes["insufficient_funds"] != 1 {
		t.Errorf("the sound seller met %v", codes)
	}
	if sold := sound.h.sold(winds); sold != 89 {
		t.Errorf("89 units were expected to be sold, not %d", sold)
	}
	sound.h.check()
	for name, twin := range map[string]*plain{
		"skips an index":            {skipsAnIndex: true},
		"sells without funds":       {sellsWithoutFunds: true},
		"forgets the contribution":  {forgetsTheContribution: true},
		"forgets the participation": {forgetsTheParticipation: true},
		"keeps a pot":               {keepsAPot: true},
		"pays its own meter only":   {paysItsOwnMeterOnly: true},
		"pays another prize":        {paysAnotherPrize: true},
		"swaps the layout":          {swapsTheLayout: true},
		"swaps the time":            {swapsTheTime: true},
		"forgets the ledger":        {forgetsTheLedger: true},
		"records another player":    {recordsAnotherPlayer: true},
		"gives the stake back":      {givesTheStakeBack: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			codes := history(t, twin)
			delete(codes, "insufficient_funds")
			differences := twin.h.differences()
			if len(differences) == 0 && len(codes) == 0 {
				t.Fatal("nobody noticed")
			}
			t.Logf("%s: %v %.300q", name, codes, differences)
		})
	}
}

// edited is a store some of whose records were changed behind its back.
type edited struct {
	store.Store
	play        func(*store.Play) (times int)
	transaction func(*store.LedgerRecord) (times int)
	movement    func(*store.Movement) (times int)
	account     func(*store.Account)
	block       func(*store.Block)
}

func (e *edited) EachPlay(ctx context.Context, id block.ID, visit func(*store.Play) error) error {
	return e.Store.EachPlay(ctx, id, func(p *store.Play) error {
		if e.play == nil {
			return visit(p)
		}
		for range e.play(p) {
			if err := visit(p); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *edited) EachTransaction(ctx context.Context, visit func(*store.LedgerRecord) error) error {
	return e.Store.EachTransaction(ctx, func(r *store.LedgerRecord) error {
		if e.transaction == nil {
			return visit(r)
		}
		for range e.transaction(r) {
			if err := visit(r); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *edited) EachMovement(ctx context.Context, visit func(*store.Movement) error) error {
	return e.Store.EachMovement(ctx, func(m *store.Movement) error {
		if e.movement == nil {
			return visit(m)
		}
		for range e.movement(m) {
			if err := visit(m); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *edited) EachAccount(ctx context.Context, visit func(*store.Account) error) error {
	return e.Store.EachAccount(ctx, func(a *store.Account) error {
		if e.account != nil {
			e.account(a)
		}
		return visit(a)
	})
}

func (e *edited) Blocks(ctx context.Context) ([]store.Block, error) {
	blocks, err := e.Store.Blocks(ctx)
	for at := range blocks {
		if e.block != nil {
			e.block(&blocks[at])
		}
	}
	return blocks, err
}

// The oracle notices each edit of one record.
func TestEditedRecordsAreNoticed(t *testing.T) {
	sound := &plain{}
	history(t, sound)
	onPlay := func(number int64, times int, edit func(*store.Play)) *edited {
		return &edited{play: func(p *store.Play) int {
			if p.Number != number {
				return 1
			}
			if edit != nil {
				edit(p)
			}
			return times
		}}
	}
	onTransaction := func(number int64, times int, edit func(*store.LedgerRecord)) *edited {
		return &edited{transaction: func(r *store.LedgerRecord) int {
			if r.Number != number {
				return 1
			}
			if edit != nil {
				edit(r)
			}
			return times
		}}
	}
	lost := func(*store.Movement) int { return 0 }
	for name, world := range map[string]*edited{
		"a play lost":               onPlay(30, 0, nil),
		"a play doubled":            onPlay(30, 2, nil),
		"an index moved":            onPlay(30, 1, func(p *store.Play) { p.Index += 1000 }),
		"a participation moved":     onPlay(30, 1, func(p *store.Play) { p.Draw.Index++ }),
		"a participation lost":      onPlay(30, 1, func(p *store.Play) { p.Draw = nil }),
		"another player":            onPlay(30, 1, func(p *store.Play) { p.Player = saletest.Player(4) }),
		"another prize":             onPlay(30, 1, func(p *store.Play) { p.Prize += money.Unit }),
		"another pot":               onPlay(30, 1, func(p *store.Play) { p.Draw.Won += money.Unit }),
		"other funds":               onPlay(30, 1, func(p *store.Play) { p.Before++; p.After++ }),
		"another price":             onPlay(30, 1, func(p *store.Play) { p.GamePart -= money.Cent; p.JackpotPart += money.Cent }),
		"another salt":              onPlay(30, 1, func(p *store.Play) { p.Salt[0]++ }),
		"another time":              onPlay(30, 1, func(p *store.Play) { p.At = p.At.Add(1_000_000) }),
		"another account for it":    onPlay(30, 1, func(p *store.Play) { p.PrizeDue = true }),
		"another play's key":        onPlay(30, 1, func(p *store.Play) { p.Key = store.KeyDigest{26, 0, 2, 0, 1} }),
		"a transaction lost":        onTransaction(40, 0, nil),
		"a transaction doubled":     onTransaction(40, 2, nil),
		"a transaction unbalanced":  onTransaction(40, 1, func(r *store.LedgerRecord) { r.Postings[0].Amount++ }),
		"a transaction misdirected": onTransaction(40, 1, func(r *store.LedgerRecord) { r.Postings[0].Account = ledger.PrizesDue }),
		"credits lost":              {movement: lost},
		"an account's funds":        {account: func(a *store.Account) { a.Available++ }},
		"an account's unfinished":   {account: func(a *store.Account) { a.Unfinished = []store.Unfinished{{Game: winds}} }},
		"a cursor":                  {block: func(b *store.Block) { b.Sold++ }},
		"a sales tree":              {block: func(b *store.Block) { b.Sales = canon.Edge{} }},
		"a state":                   {block: func(b *store.Block) { b.State = store.SoldOut }},
	} {
		world.Store = sound.h.store
		differences := saletest.Check(t.Context(), saletest.World{Store: world, Games: sound.h.games})
		if len(differences) == 0 {
			t.Errorf("%s: nobody noticed", name)
		}
	}
}

// A seller that acknowledges what it did not record is noticed.
func TestAnAcknowledgementWithoutARecord(t *testing.T) {
	h := build(t).lanes(winds, 0, 1, 1)
	saletest.Players(t, h.store, 1, 10*money.Unit)
	h.start()
	receipt := h.sell(request(0, "k", winds, 0))
	h.check()
	for _, spoil := range []func(*store.Play){
		func(p *store.Play) { p.ID[0]++ },
		func(p *store.Play) { p.After++ },
		func(p *store.Play) { p.Player[3]++ },
		func(p *store.Play) { p.Layout = []byte{9} },
	} {
		told := receipt.Play
		spoil(&told)
		h.acknowledged = []store.Play{told}
		if len(h.differences()) != 1 {
			t.Errorf("an acknowledgement that was not recorded is not noticed: %+v", told)
		}
	}
}

// A seller that tries a bound batch again with other requests is refused by the vault.
func TestASellerThatRetriesWithOthersIsRefused(t *testing.T) {
	h := build(t).lanes(winds, 0, 1, 1)
	saletest.Players(t, h.store, 2, 10*money.Unit)
	p := &plain{h: h}
	h.store.Fail(saletest.Times(1, saletest.RecordSale, saletest.Before))
	lane := store.Lane{Game: winds}
	if _, err := p.sell(0, lane, 0); fault.CodeOf(err) != "storage_io" {
		t.Fatal(err)
	}
	// The broken twin goes on with the next player; the vault has opened the unit for the first.
	_, err := p.sell(1, lane, 1)
	h.wants(err, fault.Corrupt, "range_opened_twice")
	// The sound seller tries the same batch again.
	if play, err := p.sell(0, lane, 0); err != nil || play.Index != 0 {
		t.Errorf("%+v %v", play, err)
	}
	if _, err := p.sell(1, lane, 1); err != nil {
		t.Error(err)
	}
}
