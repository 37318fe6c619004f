package block

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/mechanic/all"
	"github.com/talonlottery/talon/money"
)

// subject is a block of a test: what is dealt, by the package and by the second implementation.
type subject struct {
	header     Header
	secret     [32]byte
	definition *game.Definition
	mechanic   mechanic.Mechanic
	jackpot    *game.Jackpot
}

// blockOf heads a block of a game with an invented identifier and secret: the first bytes of the
// SHA-256 of the words "block" and "secret" with name and stake.
func blockOf(t testing.TB, d *game.Definition, stake int) subject {
	t.Helper()
	m, err := all.New(d, stake)
	if err != nil {
		t.Fatal(err)
	}
	s := subject{definition: d, mechanic: m}
	s.head(Header{Game: d.Name, Definition: d.Hash, Stake: stake, Price: d.Stakes[stake].Price, Size: d.BlockSize})
	return s
}

func drawsOf(j *game.Jackpot) subject {
	s := subject{jackpot: j}
	s.head(Header{Game: j.Name, Definition: j.Hash, Price: j.Price, Size: j.BlockSize})
	return s
}

func (s *subject) head(h Header) {
	id := sha256.Sum256(fmt.Appendf(nil, "block %s %d", h.Game, h.Stake))
	h.Version, h.ID = Version, ID(id[:16])
	s.header, s.secret = h, sha256.Sum256(fmt.Appendf(nil, "secret %s %d", h.Game, h.Stake))
}

func (s *subject) dealer(t testing.TB) *Dealer {
	t.Helper()
	var dealer *Dealer
	var err error
	if s.jackpot != nil {
		dealer, err = NewDrawDealer(s.header, secretOf(s.secret), s.jackpot)
	} else {
		dealer, err = NewDealer(s.header, secretOf(s.secret), s.definition, s.mechanic)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dealer
}

func (s *subject) reference() *reference {
	if s.jackpot != nil {
		return newDrawReference(s.header, s.secret, s.jackpot.Odds)
	}
	return newReference(s.header, s.secret, s.definition, s.mechanic)
}

// lune is the small invented game of the specification's worked example.
func lune(t testing.TB) subject {
	t.Helper()
	const file = vectorsFolder + "lune.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := game.Load(file, text)
	if err != nil {
		t.Fatal(err)
	}
	if err := all.Check(d); err != nil {
		t.Fatal(err)
	}
	return blockOf(t, d, 0)
}

// smallPot is an invented jackpot with a block of 300 participations of which 1 in 40 wins.
func smallPot() subject {
	return drawsOf(&game.Jackpot{Name: "petit-pot", Price: 3 * money.Cent, Odds: 40, BlockSize: 300})
}

// published is every block that the games that come with Talon have, cheapest stakes first.
func published(t testing.TB) []subject {
	t.Helper()
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	var subjects []subject
	for _, d := range set.Games {
		for stake := range d.Stakes {
			subjects = append(subjects, blockOf(t, d, stake))
		}
	}
	for _, j := range set.Jackpots {
		subjects = append(subjects, drawsOf(j))
	}
	return subjects
}

// BenchmarkDeal deals, reads back and seals whole blocks; ns/op and units/s are for one block.
func BenchmarkDeal(b *testing.B) {
	for _, s := range published(b) {
		b.Run(fmt.Sprintf("%s/%d", s.header.Game, s.header.Stake), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.dealer(b).Deal(b.Context(), io.Discard, nil); err != nil {
					b.Fatal(err)
				}
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.Sys)/(1<<20), "MB-from-system")
			b.ReportMetric(float64(s.header.Size)*float64(b.N)/b.Elapsed().Seconds(), "units/s")
		})
	}
}

// BenchmarkUnit opens units anywhere in a block.
func BenchmarkUnit(b *testing.B) {
	for _, s := range published(b) {
		b.Run(fmt.Sprintf("%s/%d", s.header.Game, s.header.Stake), func(b *testing.B) {
			dealer := s.dealer(b)
			b.ReportAllocs()
			var u Unit
			index := uint32(0)
			for b.Loop() {
				if err := dealer.Unit(index, &u); err != nil {
					b.Fatal(err)
				}
				index = (index + 700_001) % s.header.Size
			}
		})
	}
}
