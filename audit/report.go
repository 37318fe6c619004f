package audit

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/money"
)

// Report is what was found of one block.
type Report struct {
	Block        block.ID  `json:"block"`
	Game         string    `json:"game"`
	Stake        uint32    `json:"stake"`
	Size         uint32    `json:"size"`
	Sold         uint32    `json:"sold"`
	PrizesSold   int64     `json:"prizes_sold"`   // ten-thousandths
	PrizesUnsold int64     `json:"prizes_unsold"` // ten-thousandths
	Tiers        []Tier    `json:"tiers"`
	Wins         int       `json:"wins"` // participations that were sold and win
	Findings     []Finding `json:"findings"`

	price money.Amount
}

// Tier is one line of the prize table.
type Tier struct {
	Amount int64  `json:"amount"` // ten-thousandths
	Table  uint32 `json:"table"`  // units that the definition says
	Dealt  uint32 `json:"dealt"`
	Sold   uint32 `json:"sold"`
}

// OK reports whether nothing was found.
func (r *Report) OK() bool { return len(r.Findings) == 0 }

// WriteText prints the report on one page.
func (r *Report) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "Block %s of %s at %s\n", r.Block, r.Game, r.price)
	fmt.Fprintf(w, "%d units, %d sold, %d unsold\n\n", r.Size, r.Sold, r.Size-r.Sold)
	if len(r.Tiers) > 0 {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "prize\ttable\tdealt\tsold\tunsold\t")
		for _, tier := range r.Tiers {
			fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t\n", money.Amount(tier.Amount), tier.Table, tier.Dealt, tier.Sold, tier.Dealt-tier.Sold)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(w, "\nPrizes of sold units %s, of unsold units %s\n", money.Amount(r.PrizesSold), money.Amount(r.PrizesUnsold))
	} else {
		fmt.Fprintf(w, "Participations in a jackpot; %d of those sold win\n", r.Wins)
	}
	return writeFindings(w, r.Findings, "Everything is what was sealed, sold and published.")
}

// WriteText prints what was found in the log.
func (r *LogReport) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "Public log %s\n%d entries, root %s\n%d blocks sealed, %d opened\n", r.Origin, r.Size, r.Root, r.Blocks, r.Opened)
	return writeFindings(w, r.Findings, "The log is whole and follows its rules.")
}

func writeFindings(w io.Writer, findings []Finding, none string) error {
	if len(findings) == 0 {
		_, err := fmt.Fprintf(w, "\n%s\n", none)
		return err
	}
	fmt.Fprintf(w, "\n%d findings:\n", len(findings))
	for _, f := range findings {
		if _, err := fmt.Fprintf(w, "  %s  %s: %s\n", f.Code, f.Where, f.What); err != nil {
			return err
		}
	}
	return nil
}
