package audit

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/talonlottery/talon/verify/internal/definition"
)

// Print writes the report on one page.
func (r *Report) Print(w io.Writer) {
	fmt.Fprintf(w, "block %s of %s at stake %d\n", r.Block, r.Game, r.Stake)
	fmt.Fprintf(w, "units %d, sold %d, unsold %d\n", r.Size, r.Sold, r.Size-uint64(r.Sold))
	if len(r.Tiers) > 0 {
		fmt.Fprintln(w)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "prize\ttable\tdealt\tsold\tunsold\t")
		for _, t := range r.Tiers {
			fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t\n", definition.Format(t.Amount), t.Table, t.Dealt, t.Sold, t.Dealt-t.Sold)
		}
		table.Flush()
	}
	fmt.Fprintf(w, "\nprizes of sold units %s, of unsold units %s\n", definition.Format(r.PrizesSold), definition.Format(r.PrizesUnsold))
	fmt.Fprintf(w, "jackpot wins %d\n\n", r.Wins)
	r.Findings.Print(w)
}
