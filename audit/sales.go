package audit

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/publiclog"
)

// saleBytes is the length of one sale in the file: play identifier and time.
const saleBytes = 24

// slack is how far clocks may be apart, in milliseconds.
var slack = publiclog.ClockSlack.Milliseconds()

// cover is an entry that says how much was sold.
type cover struct {
	index uint64
	at    int64
	sold  uint32
	root  canon.Digest
}

// salesCheck reads the sales of a block in order and holds them against the log.
type salesCheck struct {
	block   block.ID
	path    string
	file    fs.File
	reader  *bufio.Reader
	missing error
	record  [saleBytes]byte

	covers []cover // in the order of the log
	after  int64   // time of the entry before the first cover: the approval
	sold   uint32  // as far as the log says
	next   uint32  // sales read
	tree   canon.Edge
	roots  map[uint32]canon.Digest // after so many sales, where an entry names it
	last   int64                   // time of the sale before

	covering        int // the first cover that covers the next sale
	late, lateFirst uint32
	other, first    uint32                    // plays that are not of their unit
	plays           map[block.PlayID]struct{} // of a block of participations; nil for units
}

func (c *checker) openSales() *salesCheck {
	s := &salesCheck{block: c.seal.Block, path: "sales/" + c.seal.Block.String() + ".sales", sold: c.report.Sold,
		roots: map[uint32]canon.Digest{}, last: math.MinInt64 / 2, after: math.MinInt64 / 2}
	if definition, ok := c.publication.follower.Definition(c.seal.Definition); ok && definition.Entry.Type == publiclog.TypeJackpot {
		s.plays = map[block.PlayID]struct{}{}
	}
	if c.history.Approval != nil {
		s.after = c.history.Approval.Entry.At.UnixMilli()
	}
	for _, e := range c.history.Sales {
		s.covers = append(s.covers, cover{e.Index, e.Entry.At.UnixMilli(), e.Entry.Sold, e.Entry.Root})
	}
	if w := c.history.Withdrawal; w != nil {
		at := len(s.covers)
		for at > 0 && s.covers[at-1].index > w.Index {
			at--
		}
		s.covers = append(s.covers[:at], append([]cover{{w.Index, w.Entry.At.UnixMilli(), w.Entry.Sold, w.Entry.Root}}, s.covers[at:]...)...)
	}
	for _, named := range s.covers {
		s.roots[named.sold] = canon.Digest{}
	}
	s.keepRoot()
	if s.sold == 0 {
		return s
	}
	if s.file, s.missing = c.publication.files.Open(s.path); s.missing == nil {
		s.reader = bufio.NewReaderSize(s.file, readAhead)
	}
	return s
}

func (s *salesCheck) close() {
	if s.file != nil {
		_ = s.file.Close() // it was only read
	}
}

// take reads the sale of an index, if it was sold: indexes come in order from 0 on.
func (s *salesCheck) take(index uint32) (play block.PlayID, ok bool) {
	if index >= s.sold || s.missing != nil {
		return play, false
	}
	record := s.record[:]
	if _, err := io.ReadFull(s.reader, record); err != nil {
		s.missing = err
		return play, false
	}
	play = block.PlayID(record[:16])
	at := int64(binary.BigEndian.Uint64(record[16:]))
	s.tree.Append(block.SaleLeaf(s.block, index, play, at))
	s.checkTime(index, at)
	s.next++
	s.keepRoot()
	return play, true
}

func (s *salesCheck) keepRoot() {
	if _, named := s.roots[s.next]; named {
		s.roots[s.next] = s.tree.Root()
	}
}

// checkTime takes step 8.
func (s *salesCheck) checkTime(index uint32, at int64) {
	for s.covering < len(s.covers) && s.covers[s.covering].sold <= index {
		s.after = s.covers[s.covering].at
		s.covering++
	}
	late := at < s.last-slack || at < s.after-slack
	if s.covering < len(s.covers) {
		late = late || at > s.covers[s.covering].at
	}
	if late {
		if s.late == 0 {
			s.lateFirst = index
		}
		s.late++
	}
	s.last = at
}

// compare takes the sale of an index, and compares its play with that of its unit. Participations are
// sold by the plays of other units, each once.
func (s *salesCheck) compare(index uint32, ofUnit block.PlayID) {
	play, ok := s.take(index)
	if !ok {
		return
	}
	wrong := play != ofUnit
	if s.plays != nil {
		_, wrong = s.plays[play]
		s.plays[play] = struct{}{}
	}
	if wrong {
		if s.other == 0 {
			s.first = index
		}
		s.other++
	}
}

// finish reads what is left and takes steps 7 and 8.
func (s *salesCheck) finish(c *checker) {
	for s.next < s.sold && s.missing == nil {
		s.take(s.next)
	}
	if s.next < s.sold {
		c.find("sales_missing", s.path, "it holds %d sales, and the log says that %d units were sold: %v", s.next, s.sold, s.missing)
	}
	if s.other > 0 {
		c.find("sale_not_of_unit", fmt.Sprintf("sale %d", s.first), "its play is not that of the unit; so with %d sales", s.other)
	}
	for _, named := range s.covers {
		if named.sold <= s.next && s.roots[named.sold] != named.root {
			c.find("sales_root_wrong", c.entry(named.index), "its root is not that of the first %d sales", named.sold)
		}
	}
	if s.late > 0 {
		c.find("sale_late", fmt.Sprintf("sale %d", s.lateFirst), "its time does not fit between the entries of the log; so with %d sales", s.late)
	}
}

// checkWins takes step 9.
func (c *checker) checkWins(d *dealt) {
	for _, win := range c.history.Wins {
		where := c.entry(win.Index)
		told, wins := d.winners[win.Entry.Index]
		switch {
		case !wins:
			c.find("win_wrong", where, "participation %d does not win, or was not sold", win.Entry.Index)
			continue
		case told:
			c.find("win_wrong", where, "participation %d won before", win.Entry.Index)
		}
		d.winners[win.Entry.Index] = true
		if want, ok := potOf(d, win.Entry.Since); !ok || win.Entry.Amount != want {
			c.find("win_wrong", where, "the amount is %s, and after %d participations the pot is %s", win.Entry.Amount, win.Entry.Since, want)
		}
	}
	for index := range c.report.Sold {
		if told, wins := d.winners[index]; wins && !told {
			c.find("win_missing", fmt.Sprintf("participation %d", index), "it was sold and wins, and the log tells of no win")
		}
	}
}

// potOf is what a pot holds after so many participations, up to a whole cent.
func potOf(d *dealt, since uint64) (money.Amount, bool) {
	if since > math.MaxInt64 {
		return 0, false
	}
	share, err := d.rules.jackpot.ToPot.Times(int64(since))
	if err != nil {
		return 0, false
	}
	pot, err := d.rules.jackpot.Start.Add(share)
	return pot + (money.Cent-pot%money.Cent)%money.Cent, err == nil
}
