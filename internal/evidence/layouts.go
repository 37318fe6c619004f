package evidence

import "github.com/talonlottery/talon/mechanic"

// What units show, given their prize.

// shares counts things of known odds, tier by tier: ways, or compositions.
type shares struct {
	look    *look
	find    func(o *outcome, layout []byte) int
	tiers   []*shared // by outcome; nil where there is nothing to choose
	degrees int
	strange bool // something was found that the tier has not
}

type shared struct {
	groupOf []int
	odds    []float64
	counts  []float64
}

func (s *subject) newShares(odds func(o *outcome) []float64, find func(o *outcome, layout []byte) int) []planned {
	made := &shares{look: s.look, find: find, tiers: make([]*shared, len(s.look.outcomes))}
	for at := range s.look.outcomes {
		o := &s.look.outcomes[at]
		total := o.count * float64(s.blocks)
		if len(odds(o)) < 2 || total == 0 {
			continue
		}
		groupOf, merged := merge(odds(o), expectedLeast/total)
		if len(merged) < 2 {
			continue
		}
		made.tiers[at] = &shared{groupOf, merged, make([]float64, len(merged))}
		made.degrees += len(merged) - 1
	}
	if made.degrees == 0 {
		return nil
	}
	return []planned{{"all tiers", made.degrees, made}}
}

func wayTests(s *subject) []planned {
	if s.look == nil {
		return nil
	}
	return s.newShares(func(o *outcome) []float64 { return o.wayOdds }, s.look.way)
}

func compositionTests(s *subject) []planned {
	if s.look == nil {
		return nil
	}
	return s.newShares(func(o *outcome) []float64 { return o.odds }, func(o *outcome, layout []byte) int {
		if at, ok := o.compositions[count(layout)]; ok {
			return at
		}
		return -1
	})
}

func (t *shares) add(b *Block, _ []*Block) {
	for i, tier := range b.Tiers {
		at := t.look.outcome(tier)
		if t.tiers[at] == nil {
			continue
		}
		found := t.find(&t.look.outcomes[at], b.layout(i, t.look.cells))
		if found < 0 {
			t.strange = true
			continue
		}
		t.tiers[at].counts[t.tiers[at].groupOf[found]]++
	}
}

func (t *shares) result() figure {
	x := 0.0
	for _, tier := range t.tiers {
		if tier != nil {
			x += against(tier.counts, tier.odds)
		}
	}
	if t.strange {
		return figure{x, 0}
	}
	return figure{x, chiSquareTail(x, t.degrees)}
}

func (b *Block) layout(unit, cells int) []byte { return b.Layouts[unit*cells : (unit+1)*cells] }

// faces counts the symbols of each cell of one tier against their odds.
type faces struct {
	look    *look
	at      int // outcome
	groupOf []int
	odds    []float64
	counts  [][]float64 // by cell, then by code
}

func symbolTests(s *subject) (tests []planned) {
	if s.look == nil {
		return nil
	}
	for at := range s.look.outcomes {
		o := &s.look.outcomes[at]
		total := o.count * float64(s.blocks)
		if o.symbols == nil || total < 100 {
			continue
		}
		// A symbol that the tier never shows has no odds; it is in the group of the rarest.
		groupOf, merged := merge(o.symbols, expectedLeast/total)
		if len(merged) < 2 {
			continue
		}
		f := &faces{look: s.look, at: at, groupOf: groupOf, odds: merged}
		for range s.cells {
			f.counts = append(f.counts, make([]float64, codesMost))
		}
		tests = append(tests, planned{s.tierName(at), len(merged) - 1, f})
	}
	return tests
}

func (s *subject) tierName(at int) string {
	if at == len(s.look.outcomes)-1 {
		return "losing"
	}
	for i := range s.classes {
		if s.classes[i].has[at] && s.classes[i].label != rareLabel {
			return s.classes[i].label
		}
	}
	return "tier " + ordinal(at)
}

func (f *faces) add(b *Block, _ []*Block) {
	for i, tier := range b.Tiers {
		if f.look.outcome(tier) != f.at {
			continue
		}
		for cell, code := range b.layout(i, f.look.cells) {
			f.counts[cell][code]++
		}
	}
}

func (f *faces) result() figure {
	var cells []figure
	for _, counts := range f.counts {
		merged := make([]float64, len(f.odds))
		for code, group := range f.groupOf {
			merged[group] += counts[code]
		}
		x := against(merged, f.odds)
		cells = append(cells, figure{x, chiSquareTail(x, len(f.odds)-1)})
	}
	return smallest(cells)
}

// mirrored counts the symbols of cells that must be alike. Of each unit one cell is looked at, so that all
// counts are independent.
type mirrored struct {
	look    *look
	class   *class
	tables  []*table
	place   []int // row of a cell in the table of its mirror images
	of      []int // table of a cell
	unit    int
	degrees int
}

func mirrorTests(s *subject) []planned {
	if s.look == nil || len(s.look.mirrors) == 0 || s.expected(&s.all) < float64(200*s.cells) {
		return nil
	}
	t := &mirrored{look: s.look, class: &s.all, place: make([]int, s.cells), of: make([]int, s.cells)}
	for at, orbit := range s.look.mirrors {
		for row, cell := range orbit {
			t.place[cell], t.of[cell] = row, at
		}
		t.tables = append(t.tables, newTable(len(orbit), s.look.columns))
		t.degrees += t.tables[at].degrees()
	}
	return []planned{{s.all.label, t.degrees, t}}
}

func (t *mirrored) add(b *Block, _ []*Block) {
	for i, tier := range b.Tiers {
		if !t.class.has[tier] {
			continue
		}
		cell := t.unit % t.look.cells
		t.unit++
		t.tables[t.of[cell]].add(t.place[cell], t.look.shown[b.layout(i, t.look.cells)[cell]])
	}
}

func (t *mirrored) result() figure {
	x := 0.0
	for _, table := range t.tables {
		x += table.independence()
	}
	return figure{x, chiSquareTail(x, t.degrees)}
}

// located counts the cells of the only symbol of a role.
type located struct {
	look    *look
	role    mechanic.Role
	counts  []float64
	degrees int
}

func (s *subject) newLocated(role mechanic.Role) []planned {
	if s.look == nil || len(s.look.mirrors) == 0 || !s.look.has(role) || s.expected(&s.all) < float64(200*s.cells) {
		return nil
	}
	t := &located{look: s.look, role: role, counts: make([]float64, s.cells)}
	for _, orbit := range s.look.mirrors {
		t.degrees += len(orbit) - 1
	}
	return []planned{{"all units", t.degrees, t}}
}

func wildTests(s *subject) []planned       { return s.newLocated(mechanic.Wild) }
func multiplierTests(s *subject) []planned { return s.newLocated(mechanic.Multiplier) }

func (t *located) add(b *Block, _ []*Block) {
	for i := range b.Tiers {
		if cell := t.look.cellOf(b.layout(i, t.look.cells), t.role); cell >= 0 {
			t.counts[cell]++
		}
	}
}

func (t *located) result() figure {
	x := 0.0
	for _, orbit := range t.look.mirrors {
		counts, even := make([]float64, len(orbit)), make([]float64, len(orbit))
		for i, cell := range orbit {
			counts[i], even[i] = t.counts[cell], 1/float64(len(orbit))
		}
		x += against(counts, even)
	}
	return figure{x, chiSquareTail(x, t.degrees)}
}
