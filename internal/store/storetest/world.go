package storetest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// The invented lottery of the suite: two games, one of which is sold with a jackpot.
const (
	coins    = "coins" // 0,97 € and a participation of 0,03 €
	gems     = "gems"  // 2 €, without a jackpot
	greatPot = "great-pot"

	coinsPart money.Amount = 9700
	drawPart  money.Amount = 300 // of which:
	toPot     money.Amount = 160
	toReserve money.Amount = 50
	toShare   money.Amount = 90
	gemsPart  money.Amount = 20000
	potStart  money.Amount = 10_000 * money.Unit
)

var (
	coinsLane = store.Lane{Game: coins}
	otherLane = store.Lane{Game: coins, Number: 1}
	gemsLane  = store.Lane{Game: gems, Stake: 1}
	opening   = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
)

// world is an invented lottery on the store under test.
type world struct {
	T
	store.Store
	ctx  context.Context
	last uint64 // number of the last key or identifier that was made up
	now  time.Time
}

func newWorld(t T, s store.Store) *world {
	return &world{T: t, Store: s, ctx: t.Context(), now: opening}
}

// must ends the test when something that is only preparation fails.
func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatalf("unexpected: %v", err)
	}
}

// refused checks the kind and the code of an error.
func (w *world) refused(err error, kind fault.Kind, code string) {
	w.Helper()
	if err == nil || fault.KindOf(err) != kind || fault.CodeOf(err) != code {
		w.Errorf("got error %v (%v, %s), want %v, %s", err, fault.KindOf(err), fault.CodeOf(err), kind, code)
	}
}

// same compares what was got with what is right.
func (w *world) same(what string, got, want any) {
	w.Helper()
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(canon.Edge{})); diff != "" {
		w.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// update runs a preparation in a transaction.
func (w *world) update(do func(context.Context, store.Tx) error) {
	w.Helper()
	w.must(w.Update(w.ctx, do))
}

// unchanged checks that something changes nothing at all.
func (w *world) unchanged(do func()) {
	w.Helper()
	before := w.dump()
	do()
	w.same("what must not change", w.dump(), before)
}

// made makes up 16 bytes that nothing else has.
func (w *world) made(what string) (bytes [16]byte) {
	w.last++
	return label(what, w.last)
}

func label(what string, number uint64) [16]byte {
	digest := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(what), number))
	return [16]byte(digest[:16])
}

// header of a made up block.
func (w *world) header(name string, stake int, size uint32) block.Header {
	price := map[string]money.Amount{coins: coinsPart + drawPart, gems: gemsPart, greatPot: drawPart}[name]
	return block.Header{Version: 1, ID: w.made("block"), Game: name, Definition: sha256.Sum256([]byte(name)), Stake: stake, Price: price, Size: size}
}

func (w *world) dealt(emission store.EmissionID, position int, header block.Header) store.Dealt {
	return store.Dealt{Emission: emission, Position: position, At: w.now,
		Deal: block.Deal{Header: header, Root: sha256.Sum256(header.ID[:]), Commitment: sha256.Sum256(header.ID[1:])}}
}

// emission opens an emission and deals its first blocks.
func (w *world) emission(name string, stake, blocks, dealt int, size uint32) (id store.EmissionID, headers []block.Header) {
	w.Helper()
	w.update(func(ctx context.Context, tx store.Tx) (err error) {
		headers = nil
		if id, err = tx.OpenEmission(ctx, store.Emission{Game: name, Stake: stake, Blocks: blocks, Opened: w.now}); err != nil {
			return err
		}
		for position := range dealt {
			header := w.header(name, stake, size)
			if err := AddApproved(ctx, tx, w.dealt(id, position, header)); err != nil {
				return err
			}
			headers = append(headers, header)
		}
		return nil
	})
	return id, headers
}

// openPot opens the jackpot with its first starting amount, which the operator advances.
func (w *world) openPot() {
	w.Helper()
	w.update(func(ctx context.Context, tx store.Tx) error {
		return tx.OpenJackpot(ctx, greatPot, jackpot.Meter{Pot: potStart, Advances: potStart}, w.potOpening())
	})
}

func (w *world) potOpening() ledger.Transaction {
	return w.entry(ledger.JackpotOpening, greatPot, ledger.JackpotAdvances(greatPot), ledger.JackpotPot(greatPot), potStart)
}

// entry moves an amount from the second account to the first.
func (w *world) entry(kind ledger.Kind, reference string, debit, credit ledger.Account, amount money.Amount) ledger.Transaction {
	w.Helper()
	entry, err := ledger.New(kind, reference, w.now, ledger.Posting{Account: debit, Amount: amount}, ledger.Posting{Account: credit, Amount: -amount})
	w.must(err)
	return entry
}

// openLane makes a lane and puts its first blocks on sale.
func (w *world) openLane(lane store.Lane, jackpotName string) store.LaneState {
	w.Helper()
	var state store.LaneState
	w.update(func(ctx context.Context, tx store.Tx) (err error) {
		if err = tx.OpenLane(ctx, lane, jackpotName); err == nil {
			state, err = tx.Advance(ctx, lane, w.now)
		}
		return err
	})
	return state
}

// openCoins opens the game with the jackpot: one lane, blocks of a size, one more dealt ahead.
func (w *world) openCoins(size uint32) store.LaneState {
	w.Helper()
	w.openPot()
	w.emission(coins, 0, 3, 2, size)
	w.emission(greatPot, 0, 3, 3, 2*size)
	return w.openLane(coinsLane, greatPot)
}

// openGems opens the game without a jackpot.
func (w *world) openGems(size uint32) store.LaneState {
	w.Helper()
	w.emission(gems, 1, 3, 2, size)
	return w.openLane(gemsLane, "")
}

// player registers a player with funds.
func (w *world) player(funds money.Amount) player.ID {
	w.Helper()
	id := player.ID(w.made("player"))
	w.update(func(ctx context.Context, tx store.Tx) error {
		if err := tx.CreatePlayer(ctx, id, w.now); err != nil || funds == 0 {
			return err
		}
		return w.credit(ctx, tx, id, funds)
	})
	return id
}

func (w *world) players(n int, funds money.Amount) []player.ID {
	w.Helper()
	ids := make([]player.ID, n)
	for at := range ids {
		ids[at] = w.player(funds)
	}
	return ids
}

func (w *world) credit(ctx context.Context, tx store.Tx, id player.ID, funds money.Amount) error {
	return tx.Credit(ctx, id, funds, w.entry(ledger.PlayMoney, id.String(), ledger.PlayMoneySource, ledger.PlayerFunds, funds))
}

// available is what a player has now.
func (w *world) available(id player.ID) money.Amount {
	w.Helper()
	account, err := w.Account(w.ctx, id)
	w.must(err)
	return account.Available
}

func (w *world) lane(lane store.Lane) store.LaneState {
	w.Helper()
	state, err := w.Lane(w.ctx, lane)
	w.must(err)
	return state
}
