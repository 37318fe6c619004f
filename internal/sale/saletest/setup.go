package saletest

import (
	"context"
	"encoding/binary"
	"path/filepath"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/store/sqlite"
	"github.com/talonlottery/talon/internal/store/storetest"
	"github.com/talonlottery/talon/jackpot"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// Morning is when the clocks of tests begin.
var Morning = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// OpenStore opens the database in a folder, and closes it when the test ends.
func OpenStore(t testing.TB, folder string) *sqlite.Store {
	t.Helper()
	opened, err := sqlite.Open(context.Background(), filepath.Join(folder, "talon.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() }) // a test of restarts has closed it already
	return opened
}

// Update runs a transaction that must succeed.
func Update(t testing.TB, s store.Store, do func(context.Context, store.Tx) error) {
	t.Helper()
	if err := s.Update(context.Background(), do); err != nil {
		t.Fatal(err)
	}
}

// Player is the n-th player of a test. The low bits of its first byte differ from player to player,
// for by it sellers choose among lanes.
func Player(n int) player.ID {
	var id player.ID
	binary.LittleEndian.PutUint32(id[:], uint32(n))
	return id
}

// Players registers players 0 to n-1, each with funds.
func Players(t testing.TB, s store.Store, n int, funds money.Amount) {
	t.Helper()
	Update(t, s, func(ctx context.Context, tx store.Tx) error {
		for at := range n {
			if err := tx.CreatePlayer(ctx, Player(at), Morning); err != nil {
				return err
			}
			if funds == 0 {
				continue
			}
			if err := Credit(ctx, tx, Player(at), funds, Morning); err != nil {
				return err
			}
		}
		return nil
	})
}

// Credit gives a player play money.
func Credit(ctx context.Context, tx store.Tx, id player.ID, amount money.Amount, at time.Time) error {
	entry, err := ledger.New(ledger.PlayMoney, id.String(), at,
		ledger.Posting{Account: ledger.PlayMoneySource, Amount: amount},
		ledger.Posting{Account: ledger.PlayerFunds, Amount: -amount})
	if err != nil {
		return err
	}
	return tx.Credit(ctx, id, amount, entry)
}

// Deal deals a block, as the vault does.
type Deal func(ctx context.Context, game string, stake int, progress func(done, total uint32)) (block.Deal, error)

// OpenJackpots opens all jackpots of a catalogue.
func OpenJackpots(t testing.TB, s store.Store, games *catalogue.Catalogue) {
	t.Helper()
	for _, terms := range games.Jackpots() {
		step, err := jackpot.Open(terms)
		if err != nil {
			t.Fatal(err)
		}
		entry, err := ledger.New(ledger.JackpotOpening, terms.Name, Morning, step.Postings...)
		if err != nil {
			t.Fatal(err)
		}
		Update(t, s, func(ctx context.Context, tx store.Tx) error {
			return tx.OpenJackpot(ctx, terms.Name, step.After, entry)
		})
	}
}

// OpenLanes opens lanes of a game at a stake, numbered from 0.
func OpenLanes(t testing.TB, s store.Store, games *catalogue.Catalogue, name string, stake, lanes int) {
	t.Helper()
	found, err := games.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	Update(t, s, func(ctx context.Context, tx store.Tx) error {
		for number := range lanes {
			if err := tx.OpenLane(ctx, store.Lane{Game: name, Stake: stake, Number: number}, found.Jackpot); err != nil {
				return err
			}
		}
		return nil
	})
}

// OpenEmission opens an emission of blocks and deals the first of them.
func OpenEmission(t testing.TB, s store.Store, deal Deal, name string, stake, blocks, dealt int) {
	t.Helper()
	var emission store.EmissionID
	Update(t, s, func(ctx context.Context, tx store.Tx) (err error) {
		emission, err = tx.OpenEmission(ctx, store.Emission{Game: name, Stake: stake, Blocks: blocks, Opened: Morning})
		return err
	})
	for position := range dealt {
		AddBlock(t, s, deal, name, stake, emission, position)
	}
}

// AddBlock deals the block at a place of an emission, sealed and approved.
func AddBlock(t testing.TB, s store.Store, deal Deal, name string, stake int, emission store.EmissionID, position int) {
	t.Helper()
	made, err := deal(context.Background(), name, stake, nil)
	if err != nil {
		t.Fatal(err)
	}
	Update(t, s, func(ctx context.Context, tx store.Tx) error {
		return storetest.AddApproved(ctx, tx, store.Dealt{Emission: emission, Position: position, Deal: made, At: Morning})
	})
}

// IDs lists players.
func IDs(players ...int) []player.ID {
	ids := make([]player.ID, len(players))
	for at, n := range players {
		ids[at] = Player(n)
	}
	return ids
}
