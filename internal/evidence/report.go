package evidence

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Result is one test of the plan. Before blocks are dealt Statistic and P are zero.
type Result struct {
	Test       string  `json:"test"`
	Of         string  `json:"of"`
	Statistics string  `json:"statisticInWords"`
	Null       string  `json:"null"`
	Degrees    int     `json:"degrees,omitempty"` // of freedom; 0 where the null has none
	Statistic  float64 `json:"statistic"`
	P          float64 `json:"p"`
	// Level is what P is compared with after Holm's correction, and Refused whether it is below.
	Level   float64 `json:"level"`
	Refused bool    `json:"refused"`
}

// Part is what was found for one game, or for participations.
type Part struct {
	Of      string   `json:"of"`
	Blocks  int      `json:"blocks"`
	Units   int      `json:"unitsInABlock"`
	Results []Result `json:"results"`
}

// Report is everything that was found, judged together.
type Report struct {
	Seed    string  `json:"seed"`
	Level   float64 `json:"familyLevel"`
	Tests   int     `json:"tests"`
	Refused int     `json:"refused"`
	Least   float64 `json:"leastP"`
	Parts   []Part  `json:"parts"`
}

// Judge takes all tests of all parts together: Holm's procedure refuses the smallest p-values, from the
// least on, as long as each is at most Level divided by the number of those that are left. Whatever
// depends on what, outcomes that are as they should be are refused with probability Level at most.
func Judge(seed string, parts ...Part) *Report {
	r := &Report{Seed: seed, Level: Level, Parts: parts, Least: 1}
	var all []*Result
	for i := range parts {
		for k := range parts[i].Results {
			all = append(all, &parts[i].Results[k])
		}
	}
	slices.SortStableFunc(all, func(a, b *Result) int { return cmp.Compare(a.P, b.P) })
	r.Tests = len(all)
	going := true
	for i, result := range all {
		result.Level = Level / float64(len(all)-i)
		// Written so that a p-value that is no number is refused.
		going = going && !(result.P > result.Level)
		if result.Refused = going; going {
			r.Refused++
		}
	}
	if len(all) > 0 {
		r.Least = all[0].P
	}
	return r
}

// Write prints plan and results for people.
func (r *Report) Write(out io.Writer) error {
	fmt.Fprintf(out, "seed   %q: the secret of block n is SHA-256 of \"SEED GAME secret n\"\n", r.Seed)
	fmt.Fprintf(out, "level  %g for all %d tests together (Holm)\n\nplan\n", r.Level, r.Tests)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, k := range plan {
		if r.asked(k.name) {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", k.name, k.statistic, k.null)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for at := range r.Parts {
		if err := r.Parts[at].write(out); err != nil {
			return err
		}
	}
	if r.Refused == 0 {
		_, err := fmt.Fprintf(out, "\nNothing was found: %d tests, the least p-value is %s, it would have to be below %s.\n",
			r.Tests, probability(r.Least), probability(r.Level/float64(max(1, r.Tests))))
		return err
	}
	_, err := fmt.Fprintf(out, "\n%d of %d tests REFUSED these outcomes.\n", r.Refused, r.Tests)
	return err
}

func (r *Report) asked(name string) bool {
	return slices.ContainsFunc(r.Parts, func(p Part) bool {
		return slices.ContainsFunc(p.Results, func(result Result) bool { return result.Test == name })
	})
}

func (p *Part) write(out io.Writer) error {
	fmt.Fprintf(out, "\n%s: %d blocks of %d units\n", p.Of, p.Blocks, p.Units)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  test\tof\tstatistic\tdegrees\tp\t\n")
	for _, result := range p.Results {
		degrees, verdict := "", ""
		if result.Degrees > 0 {
			degrees = fmt.Sprint(result.Degrees)
		}
		if result.Refused {
			verdict = "REFUSED"
		}
		fmt.Fprintf(w, "  %s\t%s\t%.2f\t%s\t%s\t%s\n", result.Test, result.Of, result.Statistic, degrees, probability(result.P), verdict)
	}
	return w.Flush()
}

func probability(p float64) string {
	if p != 0 && p < 0.0001 {
		return fmt.Sprintf("%.1e", p)
	}
	return fmt.Sprintf("%.4f", p)
}

// WriteJSON prints plan and results for machines.
func (r *Report) WriteJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}
