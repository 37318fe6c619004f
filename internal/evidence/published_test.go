package evidence

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/games"
)

// TestPublishedSecrets: printf '%s' 'talon evidence piece-dor secret 0' | sha256sum
func TestPublishedSecrets(t *testing.T) {
	id, secret, err := Published(Seed, "piece-dor", 0)
	if err != nil {
		t.Fatal(err)
	}
	revealed := secret.Reveal()
	if got := hex.EncodeToString(revealed[:]); got != "7a8f958da3da305e08bf7ad7493240721fb61ca5c95c986fe5c305028a9f7938" {
		t.Errorf("secret %s", got)
	}
	if id.String() != "5674a8b13ded3192125a0b02fc54370b" {
		t.Errorf("block %s", id)
	}
}

// TestTalonsOwn takes the dealer that deals what is sold through the whole plan, on published secrets and
// blocks of the size that is sold. With TALON_LONG=1 it deals as many blocks as the report.
func TestTalonsOwn(t *testing.T) {
	blocks := 3
	if os.Getenv("TALON_LONG") == "1" {
		blocks = 64
	} else if testing.Short() {
		blocks = 1
	}
	var parts []Part
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range set.Games {
		deal, err := GameDeal(d, Seed)
		if err != nil {
			t.Fatal(err)
		}
		part, err := planOf(t, d, blocks).Examine(t.Context(), deal, nil)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	for _, jackpot := range set.Jackpots {
		for _, odds := range []uint32{jackpot.Odds, 1000} {
			plan, err := ForParticipations(jackpot, odds, blocks)
			if err != nil {
				t.Fatal(err)
			}
			part, err := plan.Examine(t.Context(), DrawDeal(jackpot, odds, Seed), nil)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part)
		}
	}
	report := Judge(Seed, parts...)
	var text, machine bytes.Buffer
	if err := report.Write(&text); err != nil {
		t.Fatal(err)
	}
	if report.Refused > 0 || report.Tests < 100 {
		t.Errorf("%d of %d refused:\n%s", report.Refused, report.Tests, text.String())
	}
	for _, k := range plan {
		if !strings.Contains(text.String(), k.name) {
			t.Errorf("the test %q was asked of no game", k.name)
		}
	}
	if err := report.WriteJSON(&machine); err != nil || !json.Valid(machine.Bytes()) {
		t.Errorf("no JSON: %v", err)
	}
}

// TestPlanIsFixed: what is asked, and with how many degrees of freedom, does not depend on outcomes.
func TestPlanIsFixed(t *testing.T) {
	d := smallPiece(t, 8000)
	plan := planOf(t, d, 3)
	before := plan.Tests()
	part, err := plan.Examine(t.Context(), honest(t, d, 9).deal, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(before) != len(part.Results) {
		t.Fatalf("%d tests were planned, %d reported", len(before), len(part.Results))
	}
	for i, result := range part.Results {
		result.Statistic, result.P = 0, 0
		if result != before[i] {
			t.Errorf("%+v was planned, %+v reported", before[i], result)
		}
	}
}

func TestRefusedBlocks(t *testing.T) {
	d := smallPiece(t, 8000)
	if _, err := ForGame(d, 0); fault.CodeOf(err) != "blocks_beyond_limit" {
		t.Errorf("no block: %v", err)
	}
	jackpot, err := games.Jackpot("super-jackpot")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ForParticipations(jackpot, 10, BlocksMost+1); fault.CodeOf(err) != "blocks_beyond_limit" {
		t.Errorf("too many blocks: %v", err)
	}
	other := honest(t, smallPiece(t, 10_000), 1)
	if _, err := planOf(t, d, 1).Examine(t.Context(), other.deal, nil); fault.CodeOf(err) != "outcomes_malformed" {
		t.Errorf("a block of another size: %v", err)
	}
}

// arrangements is log2(N! / Π count!): the bits that a uniform choice among all orders of a prize table takes.
func arrangements(size uint32, counts []uint32) float64 {
	nats := func(n uint32) float64 {
		v, _ := math.Lgamma(float64(n) + 1)
		return v
	}
	bits, left := nats(size), size
	for _, count := range counts {
		bits -= nats(count)
		left -= count
	}
	return (bits - nats(left)) / math.Ln2
}

// TestEntropyPage holds the figures of docs/entropy.md to the tables.
func TestEntropyPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/entropy.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		bits, top  float64
		topCount   uint32
		written    string
		topWritten string
	}{
		"piece-dor":     {1_069_498, 560, 34, "1 069 498", "560"},
		"precius-aurus": {953_255, 706, 42, "953 255", "706"},
	} {
		d, err := games.Definition(name)
		if err != nil {
			t.Fatal(err)
		}
		var counts, top []uint32
		sum := uint32(0)
		for _, tier := range d.Prizes.Tiers {
			counts = append(counts, tier.Count)
			if sum+tier.Count <= want.topCount {
				top = append(top, tier.Count)
				sum += tier.Count
			}
		}
		if got := math.Round(arrangements(d.BlockSize, counts)); got != want.bits {
			t.Errorf("%s: %.0f bits, not %.0f", name, got, want.bits)
		}
		if got := math.Round(arrangements(d.BlockSize, top)); got != want.top || sum != want.topCount {
			t.Errorf("%s: %.0f bits for %d top prizes, not %.0f for %d", name, got, sum, want.top, want.topCount)
		}
		for _, figure := range []string{want.written, want.topWritten} {
			if !strings.Contains(string(page), figure) {
				t.Errorf("docs/entropy.md does not say %s", figure)
			}
		}
	}
}
