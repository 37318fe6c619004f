package parsheet

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Write prints the sheet for people.
func (s *Sheet) Write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s\n", s.Game, s.Title)
	fmt.Fprintf(w, "definition\t%s\n", s.Definition)
	fmt.Fprintf(w, "mechanic\t%s\n", s.Mechanic)
	fmt.Fprintf(w, "block\t%d units, %d prizes, 1 in %s\n", s.BlockSize, s.Prizes, s.WinOneIn)
	if s.OffTable >= 0 {
		fmt.Fprintf(w, "off the table\t%d totals could be shown and are never dealt\n", s.OffTable)
	}
	for _, note := range s.Notes {
		fmt.Fprintf(w, "note\t%s\n", note)
	}
	for at := range s.Stakes {
		s.Stakes[at].write(w)
	}
	return w.Flush()
}

func (s *Stake) write(w io.Writer) {
	parts := make([]string, len(s.Parts))
	for at, part := range s.Parts {
		parts[at] = part.For + " " + part.Amount.String()
	}
	fmt.Fprintf(w, "\nstake %s\t= %s\n", s.Price, strings.Join(parts, " + "))
	fmt.Fprintf(w, "prizes\t%s of %s\n", s.PrizeTotal, s.BlockPrice)
	fmt.Fprintf(w, "payout\t%s %% of the game's part, %s %% of the price\n", s.PayoutOfGamePart, s.PayoutOfPrice)
	fmt.Fprintf(w, "stake back\t%s %% of the prizes are no larger than the price\n", s.StakeBackOfPrizes)
	if len(s.ReachableByAddingOnly) > 0 {
		fmt.Fprintf(w, "only by adding\t%s (adding or multiplying: no single gain pays them)\n", strings.Join(s.ReachableByAddingOnly, ", "))
	}
	fmt.Fprintf(w, "\ncount\tprize\ttotal\t1 in\tways\tcompositions\tsingle reading\tlayouts\n")
	for at := range s.Tiers {
		s.Tiers[at].write(w)
	}
	fmt.Fprintf(w, "%d\tlosing\t\t\t%d\t%s\t%s\t%s\n", s.Losing.Count, len(s.Losing.Ways),
		counted(s.Losing.Compositions), counted(s.Losing.SingleReading), counted(s.Losing.Layouts))
	for _, words := range s.Losing.CompositionsInWords {
		fmt.Fprintf(w, "\tlosing: %s\n", words)
	}
}

func (t *Tier) write(w io.Writer) {
	fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", t.Count, t.Prize, t.Total, t.OneIn, len(t.Ways),
		counted(t.Compositions), counted(t.SingleReading), counted(t.Layouts))
}

// WriteWays prints every way of every tier of a stake.
func (s *Stake) WriteWays(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nways at stake %s\nprize\tgains\twild\tmultiplier\tweight\tcompositions\tlayouts\n", s.Price)
	for _, tier := range append([]Tier{s.Losing}, s.Tiers...) {
		for _, way := range tier.Ways {
			wild, multiplier := "", ""
			if way.Wild {
				wild = "wild"
			}
			if way.Multiplier > 1 {
				multiplier = "×" + strconv.Itoa(way.Multiplier)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", tier.Prize, strings.Join(way.Gains, " · "), wild, multiplier,
				way.Weight, counted(way.Count), counted(way.Layouts))
		}
	}
	return w.Flush()
}

// counted writes a count, or a dash where the mechanic does not make it.
func counted(n int64) string {
	if n < 0 {
		return "–"
	}
	return strconv.FormatInt(n, 10)
}
