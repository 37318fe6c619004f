package reconcile_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/reconcile"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/ledger"
)

func TestCleanWorld(t *testing.T) {
	for _, withTiles := range []bool{false, true} {
		report := clean(t).check(t, withTiles)
		for _, difference := range report.Differences {
			t.Error(difference)
		}
		if !report.OK() {
			t.Error("not OK")
		}
	}
}

// What was counted is what there is, and the world holds each thing that the checks are about.
func TestCleanWorldReachesEverything(t *testing.T) {
	w := clean(t)
	got := w.check(t, true).Counts
	want := reconcile.Counts{
		Blocks: uint64(len(w.blocks)), Plays: uint64(len(w.plays)), Transactions: uint64(len(w.records)),
		Movements: uint64(len(w.movements)), Players: uint64(len(w.accounts)),
	}
	reached := map[string]int{}
	for _, p := range w.plays {
		if p.PrizeDue {
			reached["prize due"]++
		} else if p.Prize > 0 {
			reached["prize to funds"]++
		}
		if p.Draw == nil {
			continue
		}
		want.Participations++
		if p.Draw.WonDue {
			reached["pot due"]++
		} else if p.Draw.Won > 0 {
			reached["pot to funds"]++
		}
		if p.Draw.Won > 0 {
			want.JackpotWins++
		}
	}
	want.Leaves = want.Plays + want.Participations
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, b := range w.blocks {
		reached[string(b.State)]++
		if b.State == store.SoldOut {
			reached[b.Deal.Header.Game+" sold out"]++
		}
	}
	for at := 1; at < len(w.records); at++ {
		if w.records[at].Kind == ledger.JackpotWin && w.records[at-1].Kind == ledger.JackpotWin {
			reached["two pots in one batch"]++
		}
	}
	for _, what := range []string{"prize due", "prize to funds", "pot due", "pot to funds", "approved", "on-sale", "sold-out",
		cataloguetest.Moons + " sold out", cataloguetest.Winds + " sold out", cataloguetest.SmallPot + " sold out", "two pots in one batch"} {
		if reached[what] == 0 {
			t.Errorf("the world has no %s", what)
		}
	}
	t.Log(reached)
}

func TestEmptyWorld(t *testing.T) {
	w := &world{games: cataloguetest.New(t)}
	if report := w.check(t, true); !report.OK() {
		t.Error(report.Differences)
	}
}

// Keys are found however few of them are kept at once.
func TestKeysInParts(t *testing.T) {
	w := clean(t)
	w.plays[700].Key = w.plays[30].Key
	for _, atOnce := range []int{0, 1, 7, 500} {
		report, err := reconcile.Check(context.Background(), w, w.games, reconcile.Options{KeysAtOnce: atOnce})
		if err != nil {
			t.Fatal(err)
		}
		if got := codes(report); !slices.Equal(got, []string{"key_twice"}) || len(report.Differences) != 1 {
			t.Errorf("%d at once: got %v", atOnce, report.Differences)
		}
	}
	w.plays[700].Key[15]++ // half of a key alike is another key
	if report := w.check(t, false); !report.OK() {
		t.Error(report.Differences)
	}
}

func TestProgressAndCancel(t *testing.T) {
	w := clean(t)
	last, total := uint64(0), uint64(0)
	_, err := reconcile.Check(context.Background(), w, w.games, reconcile.Options{Progress: func(done, of uint64) {
		if done < last {
			t.Errorf("%d after %d", done, last)
		}
		last, total = done, of
	}})
	if err != nil || last != total || total != 2*w.check(t, false).Counts.Plays+w.check(t, false).Counts.Participations {
		t.Errorf("ended at %d of %d, %v", last, total, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := reconcile.Check(ctx, w, w.games, reconcile.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A report lists so many differences and counts the rest.
func TestReport(t *testing.T) {
	w := clean(t)
	for at := range w.plays {
		w.plays[at].At = w.plays[at].At.Add(1)
		w.plays[at].Salt[0]++
	}
	report := w.check(t, false)
	if report.OK() || len(report.Differences) != reconcile.DifferencesMost || report.More == 0 {
		t.Errorf("%d differences and %d more", len(report.Differences), report.More)
	}
	var text strings.Builder
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	if len(lines) != reconcile.DifferencesMost+3 || !strings.HasPrefix(lines[len(lines)-1], "differences: ") {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
	text.Reset()
	if report = clean(t).check(t, false); report.WriteText(&text) != nil || !strings.HasSuffix(text.String(), "everything agrees\n") {
		t.Error(text.String())
	}
}

// The same records give the same report, line by line.
func TestReportsAreTheSame(t *testing.T) {
	w := clean(t)
	w.accounts, w.movements, w.records = w.accounts[5:], w.movements[5:], w.records[:200]
	first := w.check(t, true)
	for range 5 {
		if diff := cmp.Diff(first, w.check(t, true)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func codes(report reconcile.Report) []string {
	var found []string
	for _, difference := range report.Differences {
		found = append(found, difference.Code)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
