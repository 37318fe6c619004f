package evidence

import "strconv"

// Whether what losing units show depends on where they are, on other units, or tells of other units.
// Losing units are the many, and all their layouts are as likely.

const rareLabel = "rare prizes"

func ordinal(at int) string { return strconv.Itoa(at + 1) }

// driftSlices is into how many slices a block is cut for the symbols of its losing units.
const driftSlices = 10

// byCell keeps a table for each cell of losing units, and reports the least likely.
type byCell struct {
	look    *look
	column  []int // of each code, -1 for codes that losing units do not show
	tables  []*table
	collect func(t *byCell, b *Block)
}

// newByCell makes tables of the symbols that losing units show; rows says what they are held against, with
// the least share that a row is expected to have.
func (s *subject) newByCell(label string, rows, columns int, least float64, collect func(*byCell, *Block)) []planned {
	losing := &s.look.outcomes[len(s.look.outcomes)-1]
	shown := 0
	t := &byCell{look: s.look, collect: collect}
	rarest := 1.0
	for _, odds := range losing.symbols {
		if odds == 0 {
			t.column = append(t.column, -1)
			continue
		}
		t.column = append(t.column, shown)
		shown++
		rarest = min(rarest, odds)
	}
	if rows == 0 {
		rows, least = shown, least*rarest
	}
	if columns == 0 {
		columns, least = shown, least*rarest
	}
	if shown < 2 || losing.count*float64(s.blocks)*least < expectedLeast {
		return nil
	}
	for range s.cells {
		t.tables = append(t.tables, newTable(rows, columns))
	}
	return []planned{{label, t.tables[0].degrees(), t}}
}

func (t *byCell) add(b *Block, _ []*Block) { t.collect(t, b) }

func (t *byCell) result() figure {
	var cells []figure
	for _, table := range t.tables {
		cells = append(cells, table.figure())
	}
	return smallest(cells)
}

// knowsLosing reports whether the odds of the symbols of losing units are known.
func (s *subject) knowsLosing() bool {
	return s.look != nil && s.look.outcomes[len(s.look.outcomes)-1].symbols != nil
}

func driftTests(s *subject) []planned {
	if !s.knowsLosing() || s.size < driftSlices {
		return nil
	}
	return s.newByCell("losing", driftSlices, 0, 1.0/driftSlices, func(t *byCell, b *Block) {
		for i, tier := range b.Tiers {
			if tier != Lost {
				continue
			}
			slice := i * driftSlices / len(b.Tiers)
			for cell, code := range b.layout(i, t.look.cells) {
				if column := t.column[code]; column >= 0 {
					t.tables[cell].add(slice, column)
				}
			}
		}
	})
}

func chainTests(s *subject) []planned {
	if !s.knowsLosing() {
		return nil
	}
	return s.newByCell("losing", 0, 0, 0.5, func(t *byCell, b *Block) {
		before := -1
		for i, tier := range b.Tiers {
			if tier != Lost {
				continue
			}
			if before < 0 {
				before = i
				continue
			}
			first, second := b.layout(before, t.look.cells), b.layout(i, t.look.cells)
			for cell := range first {
				if row, column := t.column[first[cell]], t.column[second[cell]]; row >= 0 && column >= 0 {
					t.tables[cell].add(row, column)
				}
			}
			before = -1
		}
	})
}

func tellTests(s *subject) []planned {
	if !s.knowsLosing() {
		return nil
	}
	share := s.all.count / float64(s.size)
	return s.newByCell("losing", 2, 0, min(share, 1-share), func(t *byCell, b *Block) {
		for i := 0; i+1 < len(b.Tiers); i++ {
			if b.Tiers[i] != Lost {
				continue
			}
			wins := 0
			if b.Tiers[i+1] != Lost {
				wins = 1
			}
			for cell, code := range b.layout(i, t.look.cells) {
				if column := t.column[code]; column >= 0 {
					t.tables[cell].add(wins, column)
				}
			}
		}
	})
}

// repeats counts losing units that look the same as another. Layouts of losing units are all as likely, so
// each pair is alike with one chance in their number, whatever the others are: for two units of one chain of
// distances, too, as the layout in the middle does not tell whether it is met.
type repeats struct {
	look        *look
	lag, apart  int
	alike, seen int
}

func repeatTests(s *subject) (tests []planned) {
	if s.look == nil || s.look.losing == 0 {
		return nil
	}
	for _, lag := range lags {
		if 4*lag < s.size {
			tests = append(tests, planned{"distance " + strconv.Itoa(lag), 0, &repeats{look: s.look, lag: lag}})
		}
	}
	return tests
}

func twinTests(s *subject) (tests []planned) {
	if s.look == nil || s.look.losing == 0 {
		return nil
	}
	for apart := 1; apart <= s.apart; apart++ {
		tests = append(tests, planned{s.distance(apart), 0, &repeats{look: s.look, apart: apart}})
	}
	return tests
}

func (r *repeats) add(b *Block, earlier []*Block) {
	other := b
	if r.apart > 0 {
		if len(earlier) < r.apart {
			return
		}
		other = earlier[r.apart-1]
	}
	cells := r.look.cells
	for i := r.lag; i < len(b.Tiers); i++ {
		if b.Tiers[i] != Lost || other.Tiers[i-r.lag] != Lost {
			continue
		}
		r.seen++
		if string(b.layout(i, cells)) == string(other.layout(i-r.lag, cells)) {
			r.alike++
		}
	}
}

func (r *repeats) result() figure {
	return figure{float64(r.alike), binomialTails(r.alike, r.seen, 1/r.look.losing)}
}
