package reconcile_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"runtime"
	"testing"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/reconcile"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// stream is a lottery whose journal is made while it is read: a whole block of Pièce d'or, sold in
// batches to players in turn.
type stream struct {
	world
	game   *catalogue.Game
	dealer *block.Dealer
	header block.Header
}

const (
	streamPlayers = 20_000
	streamBatch   = 500
	streamFunds   = 1_000 * money.Unit
)

func streamPlayer(n uint32) (id player.ID) {
	binary.BigEndian.PutUint32(id[:], n)
	return id
}

func newStream(b *testing.B) *stream {
	definition, err := games.Definition("piece-dor")
	if err != nil {
		b.Fatal(err)
	}
	s := &stream{}
	if s.games, err = catalogue.New([]*game.Definition{definition}, nil); err != nil {
		b.Fatal(err)
	}
	s.game, _ = s.games.Game("piece-dor")
	secret, err := block.SecretFromBytes(make([]byte, 32))
	if err != nil {
		b.Fatal(err)
	}
	s.header = block.Header{Version: block.Version, ID: block.ID{1}, Game: s.game.Name, Definition: s.game.Hash, Price: s.game.Stakes[0].Price, Size: s.game.BlockSize}
	if s.dealer, err = block.NewDealer(s.header, secret, definition, s.game.Mechanics[0]); err != nil {
		b.Fatal(err)
	}
	var tiles bytes.Buffer
	deal, err := s.dealer.Deal(b.Context(), &tiles, nil)
	if err != nil {
		b.Fatal(err)
	}
	s.tiles = map[block.ID][]byte{s.header.ID: tiles.Bytes()}
	s.emissions = []store.Emission{{ID: 1, Game: s.game.Name, Blocks: 1}}
	recorded := store.Block{Dealt: store.Dealt{Emission: 1, Deal: deal}, State: store.SoldOut, Sold: s.header.Size}
	var batch ledger.SaleTotals
	available := map[player.ID]money.Amount{}
	for n := range uint32(streamPlayers) {
		s.accounts = append(s.accounts, store.Account{ID: streamPlayer(n)})
		s.credit(int(n), streamFunds)
	}
	err = s.EachPlay(b.Context(), s.header.ID, func(p *store.Play) error {
		recorded.Sales.Append(block.SaleLeaf(s.header.ID, p.Index, p.ID, p.At.UnixMilli()))
		batch.Game, batch.GamePart, batch.ToFunds = s.game.Name, batch.GamePart+p.GamePart, batch.ToFunds+p.Prize
		available[p.Player] = p.After
		if p.Index%streamBatch == streamBatch-1 {
			entry, err := ledger.SaleEntry(store.SaleReference(p.Block, p.Index+1-streamBatch, p.Index), p.At, batch)
			if err != nil {
				return err
			}
			s.post(ledger.Sale, entry.Reference(), entry.Postings()...)
			batch = ledger.SaleTotals{}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for at := range s.accounts {
		s.accounts[at].Available = available[s.accounts[at].ID]
	}
	s.blocks = []store.Block{recorded}
	return s
}

// EachPlay makes the plays anew.
func (s *stream) EachPlay(_ context.Context, _ block.ID, visit func(*store.Play) error) error {
	funds := make([]money.Amount, streamPlayers)
	for at := range funds {
		funds[at] = streamFunds
	}
	var unit block.Unit
	for index := range s.header.Size {
		if err := s.dealer.Unit(index, &unit); err != nil {
			return err
		}
		buyer := index % streamPlayers
		p := store.Play{Number: int64(index) + 1, ID: s.header.PlayID(&unit), Player: streamPlayer(buyer), At: s.clock, Block: s.header.ID, Game: s.game.Name, Index: index,
			GamePart: s.header.Price, Prize: unit.Prize, Layout: unit.Layout, Salt: unit.Salt, Choice: []int{0, 1, 2}, Shown: true, Before: funds[buyer]}
		binary.BigEndian.PutUint64(p.Key[:], uint64(index)*0x9e3779b97f4a7c15)
		funds[buyer] += unit.Prize - s.header.Price
		p.After = funds[buyer]
		if err := visit(&p); err != nil {
			return err
		}
	}
	return nil
}

// EachJournalLine makes them again: there is one block only.
func (s *stream) EachJournalLine(ctx context.Context, visit func(*store.Play) error) error {
	return s.EachPlay(ctx, s.header.ID, visit)
}

// BenchmarkCheck reads a whole block of Pièce d'or, 1 000 000 plays of 20 000 players, with its
// tiles. BenchmarkMakingThePlays is the part of it that a store does not pay.
func BenchmarkCheck(b *testing.B) {
	s := newStream(b)
	options := reconcile.Options{Tiles: s.openTiles}
	var most, before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	peak := uint64(0)
	options.Progress = func(done, _ uint64) {
		if done%100_000 == 0 {
			runtime.ReadMemStats(&most)
			peak = max(peak, most.HeapAlloc)
		}
	}
	b.ResetTimer()
	for b.Loop() {
		report, err := reconcile.Check(b.Context(), s, s.games, options)
		if err != nil || !report.OK() {
			b.Fatal(err, report.Differences)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.header.Size), "ns/play")
	b.ReportMetric(float64(peak-min(peak, before.HeapAlloc))/(1<<20), "MB-peak")
}

func BenchmarkMakingThePlays(b *testing.B) {
	s := newStream(b)
	b.ResetTimer()
	for b.Loop() {
		if err := s.EachPlay(b.Context(), s.header.ID, func(*store.Play) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.header.Size), "ns/play")
}
