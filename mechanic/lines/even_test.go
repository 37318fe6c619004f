package lines

import (
	"fmt"
	"slices"
	"testing"

	"github.com/talonlottery/talon/mechanic"
)

// small is a 3 × 3 grid with three paying symbols, a neutral one, a wild and a multiplier. All its
// grids can be read one by one.
func small(gainsMost int) rules {
	r := rules{
		rows: 3, columns: 3, cells: 9, lines: straightLines(3, 3, "rows", "columns", "diagonals"),
		gainsMost: gainsMost, fail: fail,
	}
	r.pay("a", 3, amount("4"))
	r.pay("b", 3, amount("1"))
	r.add(mechanic.Symbol{Name: "n", Role: mechanic.Neutral}, 2)
	r.serve("w")
	r.multiply(2)
	for _, text := range []string{"9", "8", "5", "4", "2", "1"} {
		r.tiers = append(r.tiers, amount(text))
	}
	return r
}

// strip is a row of five cells whose neighbours are the lines: its placements leave different room.
func strip() rules {
	r := rules{
		rows: 1, columns: 5, cells: 5, lines: [][]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}},
		gainsMost: 2, fail: fail,
	}
	r.pay("a", 2, amount("3"))
	r.pay("b", 2, amount("1"))
	r.add(mechanic.Symbol{Name: "n", Role: mechanic.Neutral}, 2)
	r.serve("w")
	r.multiply(2)
	for _, text := range []string{"8", "6", "4", "3", "2", "1"} {
		r.tiers = append(r.tiers, amount(text))
	}
	return r
}

// ofWay is the way of a grid as LayOut may deal it, from its reading and its cells. It is not ok for
// grids that are never dealt.
func ofWay(t *testing.T, l *Lines, layout []byte) (name string, ok bool) {
	t.Helper()
	if prize, err := l.Prize(layout); err != nil {
		return "", false
	} else if prize == 0 && !slices.ContainsFunc(layout, func(code byte) bool { return int(code) == l.rules.wild }) {
		return losingName, true
	}
	r, err := l.Read(layout)
	if err != nil {
		t.Fatal(err)
	}
	w := way{multiplier: r.Multiplier}
	for _, g := range r.Gains {
		w.gains = append(w.gains, g.Combination)
		w.wild = w.wild || g.WildCell >= 0
	}
	slices.Sort(w.gains)
	wilds := 0
	for _, code := range layout {
		if l.Symbols()[code].Role == mechanic.Wild {
			wilds++
		}
	}
	if wilds > 1 || wilds == 1 && !w.wild {
		return "", false
	}
	return wayName(r.Prize, &w), true
}

// everyGridOf sorts every grid there is by way.
func everyGridOf(t *testing.T, l *Lines) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	layout := make([]byte, l.Cells())
	var walk func(cell int)
	walk = func(cell int) {
		if cell < len(layout) {
			for code := range l.Symbols() {
				layout[cell] = byte(code)
				walk(cell + 1)
			}
			return
		}
		if name, ok := ofWay(t, l, layout); ok {
			found[name] = append(found[name], string(layout))
		}
	}
	walk(0)
	return found
}

var losingName = wayName(0, &way{multiplier: 1})

// TestCountsEveryLayout compares the numbers of layouts that Prove computes with all grids of small
// games, read one by one: inclusion and exclusion, placements and ways are right.
func TestCountsEveryLayout(t *testing.T) {
	for name, r := range map[string]rules{"2 × 2": tiny(2), "strip": strip(), "3 × 3": small(3)} {
		l := compiled(t, r)
		grids := everyGridOf(t, l)
		proof, err := l.Prove()
		if err != nil {
			t.Fatal(err)
		}
		if want := int64(len(grids[losingName])); proof.Losing.Layouts != want {
			t.Errorf("%s: %d losing layouts, not %d", name, proof.Losing.Layouts, want)
		}
		for i, o := range l.tiers {
			ways := 0
			for k := range o.ways {
				way := wayName(o.prize, &o.ways[k])
				if got, want := proof.Tiers[i].Ways[k].Layouts, int64(len(grids[way])); got != want || want == 0 {
					t.Errorf("%s: %s has %d layouts, not %d", name, way, got, want)
				}
				ways++
			}
			for way := range grids {
				if r := firstReading(t, l, grids[way][0]); r.Prize == o.prize && len(r.Gains) <= l.rules.gainsMost {
					ways--
				}
			}
			if ways != 0 {
				t.Errorf("%s: %s is made in %d ways less than were found", name, o.prize, ways)
			}
		}
	}
}

func firstReading(t *testing.T, l *Lines, layout string) mechanic.Reading {
	t.Helper()
	r, err := l.Read([]byte(layout))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// exhaustive answers every choice in every possible manner, one run after another.
type exhaustive struct {
	answers, limits []uint32
	at              int
}

func (e *exhaustive) Below(n uint32) uint32 {
	if e.at == len(e.answers) {
		e.answers, e.limits = append(e.answers, 0), append(e.limits, n)
	}
	e.at++
	return e.answers[e.at-1]
}

// next prepares the next run. It reports false after the last.
func (e *exhaustive) next() bool {
	e.at = 0
	for last := len(e.answers) - 1; last >= 0; last-- {
		if e.answers[last]+1 < e.limits[last] {
			e.answers[last]++
			e.answers, e.limits = e.answers[:last+1], e.limits[:last+1]
			return true
		}
	}
	return false
}

// attempt is one attempt at a layout of a way: try, or a twin of it that is broken on purpose.
type attempt func(l *Lines, dst []byte, w *way, choose mechanic.Chooser) bool

// checkEven makes every choice of an attempt at a way. Attempts that fail start from the beginning,
// so that layouts are even when the chances of the attempts that show them are.
func checkEven(l *Lines, w *way, try attempt, want []string) error {
	// Chances are counted in parts of a whole that every product of the choices' numbers divides.
	whole := uint64(w.totals[len(w.totals)-1]) * uint64(len(w.totals)) * 2520
	for range l.Cells() {
		whole *= 12
	}
	chances := map[string]uint64{}
	layout := make([]byte, l.Cells())
	for e := new(exhaustive); ; {
		if try(l, layout, w, e) {
			part := whole
			for _, n := range e.limits {
				if part%uint64(n) != 0 {
					return fmt.Errorf("a choice among %d cannot be counted", n)
				}
				part /= uint64(n)
			}
			chances[string(layout)] += part
		}
		if !e.next() {
			break
		}
	}
	if len(chances) != len(want) {
		return fmt.Errorf("%d layouts are dealt, not %d", len(chances), len(want))
	}
	for _, grid := range want {
		if chances[grid] != chances[want[0]] {
			return fmt.Errorf("%v has %d chances, %v has %d", []byte(grid), chances[grid], []byte(want[0]), chances[want[0]])
		}
	}
	return nil
}

// TestLayoutsAreEven proves on small games, by making every choice there is, that all layouts of a
// way are dealt, each exactly as likely as another.
func TestLayoutsAreEven(t *testing.T) {
	for name, r := range map[string]rules{"2 × 2": tiny(2), "strip": strip(), "3 × 3": small(1)} {
		l := compiled(t, r)
		grids := everyGridOf(t, l)
		ways := 0
		for _, o := range l.tiers {
			for k := range o.ways {
				w := &o.ways[k]
				if err := checkEven(l, w, (*Lines).try, grids[wayName(o.prize, w)]); err != nil {
					t.Errorf("%s: %s: %v", name, wayName(o.prize, w), err)
				}
				ways++
			}
		}
		t.Logf("%s: %d ways", name, ways)
	}
}

// TestUnevenTwinsAreCaught shows that the proof notices the usual mistakes.
func TestUnevenTwinsAreCaught(t *testing.T) {
	l := compiled(t, strip())
	grids := everyGridOf(t, l)
	for name, broken := range map[string]attempt{
		"each placement is as likely":          evenPlacements,
		"free cells favour the first filler":   favoured,
		"neutral symbols are left out":         withoutNeutral,
		"the multiplier takes the first cells": firstMultiplier,
		"further winning lines are let pass":   careless,
	} {
		caught := ""
		for _, o := range l.tiers {
			for k := range o.ways {
				w := &o.ways[k]
				if err := checkEven(l, w, broken, grids[wayName(o.prize, w)]); err != nil && caught == "" {
					caught = fmt.Sprint(wayName(o.prize, w), ": ", err)
				}
			}
		}
		t.Logf("%s: %s", name, caught)
		if caught == "" {
			t.Errorf("%s: not caught", name)
		}
	}
}

// answer changes some answers of a chooser: the broken twins are LayOut with such a chooser.
type answer func(asked int, n uint32, below func(uint32) uint32) uint32

type twisted struct {
	choose mechanic.Chooser
	asked  int
	answer answer
}

func (c *twisted) Below(n uint32) uint32 {
	c.asked++
	return c.answer(c.asked-1, n, c.choose.Below)
}

func twist(l *Lines, dst []byte, w *way, choose mechanic.Chooser, change answer) bool {
	return l.try(dst, w, &twisted{choose: choose, answer: change})
}

func evenPlacements(l *Lines, dst []byte, w *way, choose mechanic.Chooser) bool {
	return twist(l, dst, w, choose, func(asked int, n uint32, below func(uint32) uint32) uint32 {
		if asked > 0 {
			return below(n)
		}
		if at := below(uint32(len(w.totals))); at > 0 {
			return w.totals[at-1]
		}
		return 0
	})
}

func favoured(l *Lines, dst []byte, w *way, choose mechanic.Chooser) bool {
	return twist(l, dst, w, choose, func(asked int, n uint32, below func(uint32) uint32) uint32 {
		if asked > 0 && n == uint32(len(l.fillers)) {
			return max(below(n+1), 1) - 1
		}
		return below(n)
	})
}

func withoutNeutral(l *Lines, dst []byte, w *way, choose mechanic.Chooser) bool {
	return twist(l, dst, w, choose, func(asked int, n uint32, below func(uint32) uint32) uint32 {
		if asked > 0 && n == uint32(len(l.fillers)) {
			return below(n - 1)
		}
		return below(n)
	})
}

func firstMultiplier(l *Lines, dst []byte, w *way, choose mechanic.Chooser) bool {
	return twist(l, dst, w, choose, func(asked int, n uint32, below func(uint32) uint32) uint32 {
		if asked == 1 && w.multiplier > 1 && n > 1 {
			return below(n - 1)
		}
		return below(n)
	})
}

func careless(l *Lines, dst []byte, w *way, choose mechanic.Chooser) bool {
	l.try(dst, w, choose)
	return true
}

// TestDealtCountsAreEven deals many layouts of the smallest game and counts them, with a fixed
// stream: it sees what the exact proof does not, that a failed attempt starts from the placement. The
// twin that only fills again is caught.
func TestDealtCountsAreEven(t *testing.T) {
	const each = 2000
	l := compiled(t, strip())
	grids := everyGridOf(t, l)
	caught := false
	for _, o := range l.tiers {
		for k := range o.ways {
			w := &o.ways[k]
			want := grids[wayName(o.prize, w)]
			if err := countDealt(l, w, want, each, false); err != nil {
				t.Errorf("%s: %v", wayName(o.prize, w), err)
			}
			caught = caught || countDealt(l, w, want, each, true) != nil
		}
	}
	if !caught {
		t.Error("filling again without choosing the placement again: not caught")
	}
}

func countDealt(l *Lines, w *way, want []string, each int, keepPlacement bool) error {
	only := &Lines{}
	*only = *l
	only.tiers = []outcome{{ways: []way{*w}, weights: []uint32{1}}}
	choose := newDice(5)
	layout := make([]byte, l.Cells())
	dealt := map[string]int{}
	for range each * len(want) {
		if keepPlacement {
			at := choose.Below(w.totals[len(w.totals)-1])
			for !twist(l, layout, w, choose, func(asked int, n uint32, below func(uint32) uint32) uint32 {
				if asked == 0 {
					return at
				}
				return below(n)
			}) {
			}
		} else if err := only.LayOut(layout, 0, choose); err != nil {
			return err
		}
		dealt[string(layout)]++
	}
	for _, grid := range want {
		// 2000 expected: a fair deal strays by 45 once in three, by 250 never.
		if n := dealt[grid]; n < each-250 || n > each+250 {
			return fmt.Errorf("%v was dealt %d times of %d", []byte(grid), n, each)
		}
	}
	return nil
}

// TestLosingGridsAreEven makes every choice of a losing unit.
func TestLosingGridsAreEven(t *testing.T) {
	l := compiled(t, tiny(2))
	want := everyGridOf(t, l)[losingName]
	seen := map[string]bool{}
	for _, grid := range want {
		// The choices that show this grid: its fillers, cell by cell, and nothing else.
		var script scripted
		for _, code := range []byte(grid) {
			script.answers = append(script.answers, uint32(slices.Index(l.fillers, code)))
		}
		layout := make([]byte, l.Cells())
		if err := l.LayOut(layout, mechanic.Losing, &script); err != nil || string(layout) != grid || script.asked != len(layout) {
			t.Fatalf("%v: %v, %v after %d choices", []byte(grid), layout, err, script.asked)
		}
		seen[string(layout)] = true
	}
	if len(seen) != len(want) || len(want) == 0 {
		t.Errorf("%d of %d losing grids", len(seen), len(want))
	}
}

type scripted struct {
	answers []uint32
	asked   int
}

func (s *scripted) Below(uint32) uint32 {
	s.asked++
	return s.answers[s.asked-1]
}
