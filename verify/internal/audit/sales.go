package audit

import (
	"fmt"

	"github.com/talonlottery/talon/verify/internal/finding"
	"github.com/talonlottery/talon/verify/internal/merkle"
	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/publiclog"
)

// saleClock is how far the clock of a sale may be before another's: publication.md, section 3, step 8.
const saleClock = 10 * 60 * 1000

// saleCheck follows the sales in order of index: the roots of step 7, and step 8.
type saleCheck struct {
	entries  []*publiclog.Entry // sales and withdrawals, in order
	earliest int64              // when the first sale may be: the approval
	bySold   map[uint64][]int   // entries by how many sales they cover
	tree     merkle.Tree
	covering int // the entry that covers the next sale
	last     int64
	late     some
	wrong    []int // entries whose root is wrong
}

func newSaleCheck(h *history) *saleCheck {
	s := &saleCheck{entries: h.sales, bySold: map[uint64][]int{}, earliest: h.seal.At}
	if h.approval != nil {
		s.earliest = h.approval.At
	}
	for i, e := range h.sales {
		s.bySold[e.Sold] = append(s.bySold[e.Sold], i)
	}
	s.compareRoots() // of no sale
	return s
}

// add follows the next sale.
func (s *saleCheck) add(at int64, leaf notation.Digest) {
	index := s.tree.Size()
	for s.covering < len(s.entries) && s.entries[s.covering].Sold <= index {
		s.earliest = s.entries[s.covering].At
		s.covering++
	}
	late := at < s.earliest-saleClock || (index > 0 && at < s.last-saleClock)
	if s.covering < len(s.entries) && at > s.entries[s.covering].At {
		late = true
	}
	if late {
		s.late.add(int(index))
	}
	s.last = at
	s.tree.Append(leaf)
	s.compareRoots()
}

// compareRoots compares the tree with the entries that cover just its sales.
func (s *saleCheck) compareRoots() {
	covering := s.bySold[s.tree.Size()]
	if len(covering) == 0 {
		return
	}
	root := s.tree.Root()
	for _, i := range covering {
		if s.entries[i].Root != root {
			s.wrong = append(s.wrong, i)
		}
	}
}

func (s *saleCheck) conclude(findings *finding.List) {
	if len(s.wrong) > 0 {
		e := s.entries[s.wrong[0]]
		findings.Add("sales_root_wrong", fmt.Sprintf("%s of %d", e.Kind, e.Sold),
			fmt.Sprintf("the sales do not give its root; %d such entries", len(s.wrong)))
	}
	if s.late.count > 0 {
		findings.Add("sale_late", fmt.Sprintf("sale %d", s.late.first),
			fmt.Sprintf("its time does not fit the log or the sale before it; %d such sales", s.late.count))
	}
}
