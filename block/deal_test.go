package block

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/money"
)

// TestDealRefusesWrongUnits deals with mechanics and tables that are wrong in one place. Every deal
// is refused, and no error tells an outcome, not even by what caused it.
func TestDealRefusesWrongUnits(t *testing.T) {
	d := invented(300, 1, 9, 77)
	right := spot{d}
	const outcome = "tier 0 at 123 pays 30000"
	for name, twin := range map[string]struct {
		code  string
		wrong wrong
		table func(order []byte)
	}{
		"a layout of another prize": {"layout_not_prize", wrong{layOut: func(dst []byte, tier int, choose mechanic.Chooser) error {
			if tier == 0 {
				tier = 1
			}
			return right.LayOut(dst, tier, choose)
		}}, nil},
		"one symbol changed": {"layout_not_prize", wrong{layOut: func(dst []byte, tier int, choose mechanic.Chooser) error {
			err := right.LayOut(dst, tier, choose)
			if tier == 0 {
				dst[0] ^= 2
			}
			return err
		}}, nil},
		"a losing layout that wins": {"layout_not_prize", wrong{layOut: func(dst []byte, tier int, choose mechanic.Chooser) error {
			return right.LayOut(dst, max(tier, 2), choose)
		}}, nil},
		"no layout": {"layout_not_found", wrong{layOut: func(dst []byte, tier int, choose mechanic.Chooser) error {
			if tier == 0 {
				return errors.New(outcome)
			}
			return right.LayOut(dst, tier, choose)
		}}, nil},
		"no reading": {"layout_not_prize", wrong{prize: func(layout []byte) (money.Amount, error) {
			return 0, errors.New(outcome)
		}}, nil},
		"one prize missing": {"prizes_not_table", wrong{}, func(order []byte) {
			order[slices.Index(order, 0)] = losingMark
		}},
		"one prize too many": {"prizes_not_table", wrong{}, func(order []byte) {
			order[slices.Index(order, losingMark)] = 2
		}},
		"one prize for another": {"prizes_not_table", wrong{}, func(order []byte) {
			order[slices.Index(order, 2)] = 1
		}},
	} {
		twin.wrong.spot = right
		dealer := dealerOf(t, d, twin.wrong)
		if twin.table != nil {
			twin.table(dealer.units.(*prizeUnits).order)
		}
		deal, err := dealer.Deal(t.Context(), io.Discard, nil)
		if !errors.Is(err, fault.Corrupt) || fault.CodeOf(err) != twin.code || fault.NextOf(err) == "" || deal != (Deal{}) {
			t.Errorf("%s: %v, %v", name, deal, err)
		}
		for ; err != nil; err = errors.Unwrap(err) {
			if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.ContainsAny(err.Error(), "0123456789") || strings.Contains(text, outcome) {
				t.Errorf("%s: the error tells an outcome: %s", name, text)
			}
		}
	}
}

// TestTooManyPrizesAreRefused deals a table that has more prizes than the block has units, which the
// loader would have refused.
func TestTooManyPrizesAreRefused(t *testing.T) {
	d := invented(10, 5, 6)
	if _, err := dealerOf(t, d, spot{d}).Deal(t.Context(), io.Discard, nil); fault.CodeOf(err) != "prizes_not_table" {
		t.Errorf("%v", err)
	}
}

func TestDealGivesRootAndProgress(t *testing.T) {
	for _, size := range []uint32{1, 3, 99, 100, 1000, 1234} {
		d := invented(size, 1)
		dealer, h := dealerOf(t, d, spot{d}), headerOf(d)
		var tiles bytes.Buffer
		var reports []uint32
		deal, err := dealer.Deal(t.Context(), &tiles, func(done, total uint32) {
			if total != size {
				t.Errorf("total %d, want %d", total, size)
			}
			reports = append(reports, done)
		})
		if err != nil {
			t.Fatal(err)
		}
		r := newReference(h, secretFrom(1).Reveal(), d, spot{d})
		if deal.Root != [32]byte(r.root(t)) || deal.Commitment != r.commitment() || deal.Header != h || deal.Header != dealer.Header() {
			t.Errorf("%d units: %v", size, deal)
		}
		if int64(tiles.Len()) != TilesBytes(size) {
			t.Errorf("%d units: %d bytes of tiles, want %d", size, tiles.Len(), TilesBytes(size))
		}
		if !slices.IsSorted(reports) || reports[0] != 0 || reports[len(reports)-1] != size || len(reports) > 110 || size >= 100 && len(reports) < 100 {
			t.Errorf("%d units: progress %v", size, reports)
		}
	}
}

func TestDealStopsWhenAsked(t *testing.T) {
	d := invented(1000, 1)
	ctx, cancel := context.WithCancel(t.Context())
	var reached uint32
	deal, err := dealerOf(t, d, spot{d}).Deal(ctx, io.Discard, func(done, _ uint32) {
		if reached = done; done >= 300 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || deal != (Deal{}) || reached > 310 {
		t.Errorf("%v, %v at %d", deal, err, reached)
	}
}

// limited fails once it has taken a number of bytes.
type limited struct{ left int }

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestDealNeedsItsTiles(t *testing.T) {
	d := invented(5000, 1) // more than the writer's buffer
	whole := int(TilesBytes(5000))
	for _, left := range []int{0, 1 << 16, 5000*32 - 1, whole - 1} {
		deal, err := dealerOf(t, d, spot{d}).Deal(t.Context(), &limited{left}, nil)
		if !errors.Is(err, fault.Unavailable) || !errors.Is(err, io.ErrShortWrite) || fault.CodeOf(err) != "tiles_not_written" || deal != (Deal{}) {
			t.Errorf("room for %d bytes: %v, %v", left, deal, err)
		}
	}
	if _, err := dealerOf(t, d, spot{d}).Deal(t.Context(), &limited{whole}, nil); err != nil {
		t.Errorf("room for all: %v", err)
	}
}

// TestParticipationsAreIndependent compares a block of participations with the second implementation.
func TestParticipationsAreIndependent(t *testing.T) {
	for _, odds := range []uint32{1, 2, 40, 1 << 31, 1<<31 + 1} {
		jackpot := &game.Jackpot{Name: "pot", Price: 3 * money.Cent, Odds: odds, BlockSize: 2000, Hash: canon.Digest{7}}
		h := Header{Version: 1, ID: ID{2}, Game: "pot", Definition: jackpot.Hash, Price: jackpot.Price, Size: jackpot.BlockSize}
		dealer, err := NewDrawDealer(h, secretFrom(3), jackpot)
		if err != nil {
			t.Fatal(err)
		}
		r := newDrawReference(h, secretFrom(3).Reveal(), odds)
		wins := 0
		for index := range h.Size {
			u, want := unitOf(t, dealer, index), r.unit(index)
			if fmt.Sprint(u) != fmt.Sprint(want) {
				t.Fatalf("1 in %d: participation %d is %v, want %v", odds, index, u, want)
			}
			if u.Wins() {
				wins++
			}
		}
		if odds == 1 && wins != 2000 || odds == 40 && (wins < 20 || wins > 90) || odds >= 1<<31 && wins > 1 {
			t.Errorf("1 in %d: %d wins of 2000", odds, wins)
		}
		deal, err := dealer.Deal(t.Context(), io.Discard, nil)
		if err != nil || deal.Root != [32]byte(r.root(t)) {
			t.Errorf("1 in %d: %v, %v", odds, deal, err)
		}
	}
}
