package game_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
)

var placePattern = regexp.MustCompile(`^some\.yaml:[1-9][0-9]*:[1-9][0-9]*$`)

// Whatever the file, loading ends with a definition or with an Invalid error that has a place, never
// otherwise; and what was loaded has sums that are right, counted here by a second hand.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{small, smallAgain, smallPot, "", "a: [", "- ? {", "a: &b *b", "a: |\n b", "%YAML", "---\n...\n---", "a: 'b\n\n c'", "? a\n: b"} {
		f.Add([]byte(text))
	}
	for _, test := range refusals {
		f.Add([]byte(strings.Replace(small, test.old, test.new, 1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if d, err := game.Load("some.yaml", data); err != nil {
			checkFault(t, data, err)
		} else {
			recount(t, d)
		}
		if j, err := game.LoadJackpot("some.yaml", data); err != nil {
			checkFault(t, data, err)
		} else if j.ToPot+j.ToReserve+j.ToOperator != j.Price || j.ToPot <= 0 || j.Odds < 2 {
			t.Errorf("loaded %+v", j)
		}
	})
}

func checkFault(t *testing.T, data []byte, err error) {
	t.Helper()
	if !errors.Is(err, fault.Invalid) || fault.CodeOf(err) == "internal" || !placePattern.MatchString(fault.PlaceOf(err)) {
		t.Errorf("%q: %v, code %s, at %q", data, err, fault.CodeOf(err), fault.PlaceOf(err))
	}
}

func recount(t *testing.T, d *game.Definition) {
	t.Helper()
	for stake := range d.Stakes {
		count, total := uint32(0), d.Prizes.Totals[stake]
		for _, tier := range d.Prizes.Tiers {
			count += tier.Count
			for range tier.Count { // one by one, so as not to share a multiplication
				total -= tier.Amounts[stake]
			}
		}
		if total != 0 || count != d.Prizes.Count || count > d.BlockSize {
			t.Errorf("%d prizes of %d units, %s unaccounted for", count, d.BlockSize, total)
		}
	}
}
