package block

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

func unitOf(t testing.TB, d *Dealer, index uint32) Unit {
	t.Helper()
	var u Unit
	if err := d.Unit(index, &u); err != nil {
		t.Fatal(err)
	}
	return u
}

// TestBlockHoldsExactlyTheTable deals invented tables and compares every unit with the second
// implementation.
func TestBlockHoldsExactlyTheTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Uint32Range(0, 20), 1, 6).Draw(t, "counts")
		winners := uint32(0)
		for _, count := range counts {
			winners += count
		}
		d := invented(winners+rapid.Uint32Range(0, 40).Draw(t, "losing"), counts...)
		if d.BlockSize == 0 {
			return
		}
		h, secret := headerOf(d), secretFrom(rapid.Byte().Draw(t, "secret"))
		dealer, err := NewDealer(h, secret, d, spot{d})
		if err != nil {
			t.Fatal(err)
		}
		r := newReference(h, secret.Reveal(), d, spot{d})
		found := make([]uint32, len(counts))
		for index := range d.BlockSize {
			var u Unit
			if err := dealer.Unit(index, &u); err != nil {
				t.Fatal(err)
			}
			if want := r.unit(index); fmt.Sprint(u) != fmt.Sprint(want) {
				t.Fatalf("unit %d is %v, want %v", index, u, want)
			}
			if u.Tier != mechanic.Losing {
				found[u.Tier]++
			}
		}
		if !slices.Equal(found, counts) {
			t.Errorf("prizes %v, want %v", found, counts)
		}
	})
}

// TestUnitsDoNotDependOnTheOrderOfAccess opens units in order, in any order with one unit used again
// and again, and from several goroutines at once (run with -race).
func TestUnitsDoNotDependOnTheOrderOfAccess(t *testing.T) {
	d := invented(200, 5, 20, 30)
	dealer := dealerOf(t, d, spot{d})
	inOrder := make([]string, d.BlockSize)
	for index := range d.BlockSize {
		inOrder[index] = fmt.Sprint(unitOf(t, dealer, index))
	}
	rapid.Check(t, func(t *rapid.T) {
		var u Unit
		for _, index := range rapid.SliceOfN(rapid.Uint32Range(0, d.BlockSize-1), 1, 50).Draw(t, "indexes") {
			if err := dealer.Unit(index, &u); err != nil || fmt.Sprint(u) != inOrder[index] {
				t.Fatalf("unit %d is %v, %v; in order it was %s", index, u, err, inOrder[index])
			}
		}
	})
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			var u Unit
			for step := range d.BlockSize {
				index := (step*7 + uint32(worker)*53) % d.BlockSize
				if err := dealer.Unit(index, &u); err != nil || fmt.Sprint(u) != inOrder[index] {
					t.Errorf("unit %d is %v, %v; alone it was %s", index, u, err, inOrder[index])
				}
			}
		})
	}
	all.Wait()
}

func TestUnitDoesNotAllocate(t *testing.T) {
	d := invented(200, 5, 20, 30)
	dealer := dealerOf(t, d, spot{d})
	var u Unit
	index := uint32(0)
	if allocations := testing.AllocsPerRun(500, func() {
		if err := dealer.Unit(index%200, &u); err != nil {
			t.Fatal(err)
		}
		index++
	}); allocations != 0 {
		t.Errorf("opening a unit allocates %v times", allocations)
	}
}

func TestDealerRefusesWhatDoesNotFit(t *testing.T) {
	d := invented(10, 1, 2)
	jackpot := &game.Jackpot{Name: "pot", Price: 3 * money.Cent, Odds: 5, BlockSize: 20, Hash: canon.Digest{7}}
	drawHeader := Header{Version: 1, ID: ID{2}, Game: "pot", Definition: canon.Digest{7}, Price: 3 * money.Cent, Size: 20}
	for name, spoil := range map[string]func(h *Header){
		"version":    func(h *Header) { h.Version = 2 },
		"game":       func(h *Header) { h.Game = "other" },
		"definition": func(h *Header) { h.Definition[0]++ },
		"stake":      func(h *Header) { h.Stake = 1 },
		"negative":   func(h *Header) { h.Stake = -1 },
		"price":      func(h *Header) { h.Price++ },
		"size":       func(h *Header) { h.Size++ },
	} {
		h := headerOf(d)
		spoil(&h)
		if _, err := NewDealer(h, secretFrom(1), d, spot{d}); fault.CodeOf(err) != "header_mismatch" {
			t.Errorf("%s: %v", name, err)
		}
		h = drawHeader
		spoil(&h)
		if _, err := NewDrawDealer(h, secretFrom(1), jackpot); fault.CodeOf(err) != "header_mismatch" {
			t.Errorf("participations, %s: %v", name, err)
		}
	}
	if _, err := NewDealer(headerOf(d), Secret{}, d, spot{d}); fault.CodeOf(err) != "secret_missing" {
		t.Errorf("no secret: %v", err)
	}
	if _, err := NewDrawDealer(drawHeader, Secret{}, jackpot); fault.CodeOf(err) != "secret_missing" {
		t.Errorf("participations, no secret: %v", err)
	}
	if err := dealerOf(t, d, spot{d}).Unit(10, new(Unit)); fault.CodeOf(err) != "index_outside_block" {
		t.Errorf("beyond the block: %v", err)
	}
}
