package mechanic

import (
	"errors"
	"fmt"

	"github.com/talonlottery/talon/verify/internal/definition"
	"github.com/talonlottery/talon/verify/internal/stream"
	"github.com/talonlottery/talon/verify/internal/strictjson"
)

// lines is the mechanic of block.md, section 7.2.
type lines struct {
	*rules
	cells       int
	lines       [][]byte  // cells of each line
	combination [256]int8 // of a code, or none
	fillers     []byte    // codes of paying and neutral symbols, ascending
	tiers       map[int]*linesTier
}

// linesTier is the choices for the units of a tier.
type linesTier struct {
	pick picker
	ways []linesWay
}

type linesWay struct {
	multiplier int // code, or none
	*placements
}

const (
	linesMost        = 64 // so that the lines that win are a number
	lineCellsMost    = 6  // rows and columns: definition.md, section 4
	gainsMostDefault = 3
	gainsMostMost    = 6
	attemptsMost     = 1000
	free             = 0xff // in a placement: a cell that may show any filler
)

func newLines(d *definition.Definition, stake int) (*lines, error) {
	r, err := readRules(d, stake)
	if err != nil {
		return nil, err
	}
	m := &lines{rules: r, tiers: map[int]*linesTier{}}
	for code, role := range r.roles {
		if role == paying || role == neutral {
			m.fillers = append(m.fillers, byte(code))
		}
	}
	f := d.Mechanic
	gainsMost := gainsMostDefault
	if f.Has("gains_most") {
		gainsMost = int(f.Whole("gains_most"))
	}
	m.readLines(f)
	m.readCombinations()
	if err := f.Err(); err != nil {
		return nil, err
	}
	if gainsMost < 1 || gainsMost > gainsMostMost || len(m.fillers) == 0 || len(m.lines) > linesMost {
		return nil, errors.New("more gains or lines than this checker takes, or nothing to fill cells with")
	}
	return m, m.addWays(tiersByPrize(d, stake), gainsMost)
}

func (m *lines) readLines(f *strictjson.Fields) {
	rows, columns := int(f.Whole("rows")), int(f.Whole("columns"))
	if rows < 1 || rows > lineCellsMost || columns < 1 || columns > lineCellsMost {
		f.Fail("rows", "rows and columns are not 1 to 6")
		return
	}
	m.cells = rows * columns
	for _, value := range f.List("lines") {
		switch v := value.(type) {
		case string:
			m.addNamed(f, v, rows, columns)
		case []any:
			m.addListed(f, v)
		default:
			f.Fail("lines", "neither a text nor a list")
		}
	}
}

func (m *lines) addNamed(f *strictjson.Fields, name string, rows, columns int) {
	// add makes count lines of cells: the line's first cell, then length − 1 steps.
	add := func(count, first, next, length, step int) {
		for n := range count {
			line := make([]byte, length)
			for i := range line {
				line[i] = byte(first + n*next + i*step)
			}
			m.lines = append(m.lines, line)
		}
	}
	switch {
	case name == "rows":
		add(rows, 0, columns, columns, 1)
	case name == "columns":
		add(columns, 0, 1, rows, columns)
	case name == "diagonals" && rows == columns:
		add(1, 0, 0, rows, columns+1)
		add(1, columns-1, 0, rows, columns-1)
	default:
		f.Fail("lines", fmt.Sprintf("%q is not known here", name))
	}
}

func (m *lines) addListed(f *strictjson.Fields, cells []any) {
	listed := strictjson.FieldsOf(map[string]any{"line": cells})
	var line []byte
	for _, cell := range listed.Wholes("line") {
		if cell >= uint64(m.cells) {
			f.Fail("lines", "a cell is outside")
			return
		}
		line = append(line, byte(cell))
	}
	if listed.Err() != nil {
		f.Fail("lines", listed.Err().Error())
	}
	m.lines = append(m.lines, line)
}

func (m *lines) readCombinations() {
	for code := range m.combination {
		m.combination[code] = none
	}
	for i, c := range m.combinations {
		code := m.code(c, "symbol", c.Text("symbol"))
		if m.combination[code] != none {
			c.Fail("symbol", "two combinations of one symbol")
		}
		m.combination[code] = int8(i)
		alike := c.Whole("alike")
		for _, line := range m.lines {
			if uint64(len(line)) != alike {
				c.Fail("alike", "not the length of every line")
			}
		}
	}
}

func (m *lines) Cells() int { return m.cells }

// gainOf is the combination that a line gains, or none. A cell that is free makes no line win.
func (m *lines) gainOf(line []byte, layout []byte) int {
	symbol, wilds := none, 0
	for _, cell := range line {
		switch code := int(layout[cell]); {
		case code == m.wild:
			if wilds++; wilds > 1 {
				return none
			}
		case symbol == none:
			symbol = code
		case symbol != code:
			return none
		}
	}
	if symbol == none {
		return none
	}
	return int(m.combination[symbol])
}

// winning is the set of the lines that win: bit i for line i.
func (m *lines) winning(layout []byte) uint64 {
	var set uint64
	for i, line := range m.lines {
		if m.gainOf(line, layout) != none {
			set |= 1 << i
		}
	}
	return set
}

func (m *lines) Read(layout []byte) (definition.Money, bool) {
	coefficient, wilds, multipliers := int64(1), 0, 0
	for _, code := range layout {
		switch {
		case int(code) >= len(m.roles):
			return 0, false
		case m.roles[code] == wild:
			wilds++
		case m.roles[code] == multiplier:
			multipliers++
			coefficient = m.coefficients[int(code)-m.rules.multiplier]
		}
	}
	var sum definition.Money
	for _, line := range m.lines {
		if gain := m.gainOf(line, layout); gain != none {
			sum += m.gains[gain]
		}
	}
	return sum * coefficient, len(layout) == m.cells && wilds <= 1 && multipliers <= 1
}

// Lay makes the choices of block.md, section 7.2.
func (m *lines) Lay(tier int, s *stream.Stream, layout []byte) error {
	if tier == definition.Losing {
		return m.layLosing(s, layout)
	}
	t := m.tiers[tier]
	if t == nil {
		return ErrNoLayout
	}
	way := &t.ways[t.pick.pick(s)]
	for range attemptsMost {
		p := &way.placed[way.pick.pick(s)]
		copy(layout, p.layout)
		multiplied := none
		if way.multiplier != none {
			multiplied = int(p.free[s.Below(uint32(len(p.free)))])
			layout[multiplied] = byte(way.multiplier)
		}
		for _, cell := range p.free {
			if int(cell) != multiplied {
				layout[cell] = m.filler(s)
			}
		}
		if m.winning(layout) == p.lines {
			return nil
		}
	}
	return ErrNoLayout
}

func (m *lines) layLosing(s *stream.Stream, layout []byte) error {
	for range attemptsMost {
		for cell := range layout {
			layout[cell] = m.filler(s)
		}
		if m.winning(layout) == 0 {
			return nil
		}
	}
	return ErrNoLayout
}

func (m *lines) filler(s *stream.Stream) byte {
	return m.fillers[s.Below(uint32(len(m.fillers)))]
}
