package reconcile

import (
	"fmt"
	"io"
)

// DifferencesMost is how many differences a report lists; the others are counted.
const DifferencesMost = 1000

// Difference is one thing that does not agree. It names records, and outcomes only where they are sold.
type Difference struct {
	Code  string `json:"code"`  // stable, snake_case
	Where string `json:"where"` // the record
	What  string `json:"what"`  // one English sentence without its full stop
}

// String is the difference in one line.
func (d Difference) String() string { return d.Where + ": " + d.What + " [" + d.Code + "]" }

// Counts is how much was checked.
type Counts struct {
	Blocks         uint64 `json:"blocks"`
	Plays          uint64 `json:"plays"`
	Leaves         uint64 `json:"leaves"` // of sold units and participations, compared with a tiles file
	Participations uint64 `json:"participations"`
	JackpotWins    uint64 `json:"jackpot_wins"`
	Transactions   uint64 `json:"transactions"`
	Movements      uint64 `json:"movements"`
	Players        uint64 `json:"players"`
}

// Report is what a check found.
type Report struct {
	Counts      Counts       `json:"counts"`
	Differences []Difference `json:"differences"`
	More        uint64       `json:"more"` // differences beyond [DifferencesMost]
}

// OK reports whether everything agrees.
func (r *Report) OK() bool { return len(r.Differences) == 0 && r.More == 0 }

// WriteText writes the report for people: each difference on a line, then what was checked. It
// returns the writer's error.
func (r *Report) WriteText(w io.Writer) error {
	for _, difference := range r.Differences {
		if _, err := fmt.Fprintln(w, difference); err != nil {
			return err
		}
	}
	if r.More > 0 {
		if _, err := fmt.Fprintf(w, "… and %d more\n", r.More); err != nil {
			return err
		}
	}
	n := r.Counts
	if _, err := fmt.Fprintf(w, "checked: %d blocks, %d plays, %d participations, %d leaves in tiles, %d pots won, %d ledger transactions, %d credits, %d players\n",
		n.Blocks, n.Plays, n.Participations, n.Leaves, n.JackpotWins, n.Transactions, n.Movements, n.Players); err != nil {
		return err
	}
	verdict := "everything agrees"
	if found := uint64(len(r.Differences)) + r.More; found > 0 {
		verdict = fmt.Sprintf("differences: %d", found)
	}
	_, err := fmt.Fprintln(w, verdict)
	return err
}

func (c *checker) differ(code, where, format string, arguments ...any) {
	if len(c.report.Differences) >= DifferencesMost {
		c.report.More++
		return
	}
	c.report.Differences = append(c.report.Differences, Difference{Code: code, Where: where, What: fmt.Sprintf(format, arguments...)})
}
