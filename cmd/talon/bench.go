package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
)

type benchCommand struct {
	Folder  string        `help:"Folder on the disk to measure; what is written below it is removed at the end. Default: the system's folder for temporary files." type:"path"`
	Games   string        `help:"Folder of games to use instead of those that come with Talon." env:"TALON_GAMES" type:"path"`
	Time    time.Duration `help:"How long each kind of sale is measured." default:"10s"`
	Buyers  int           `help:"Buyers who buy at the same time." default:"1000"`
	Players int           `help:"Players whose accounts the buyers use in turn." default:"40000"`
	JSON    bool          `help:"Print JSON for machines."`
}

// figure is one thing measured.
type figure struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
	Target string  `json:"target,omitempty"`
}

// benchRun is one run of measurements.
type benchRun struct {
	command   benchCommand
	catalogue *catalogue.Catalogue
	folder    string
	log       io.Writer
	figures   []figure
}

// Run measures this machine: it sells blocks that are thrown away, with play money, and at the end
// re-reads everything that was recorded.
func (c benchCommand) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	if c.Buyers < 1 || c.Players < c.Buyers || c.Time <= 0 {
		return fault.New(fault.Invalid, "bench_flags", "there is at least one buyer, one player a buyer and some time to measure")
	}
	loaded, err := dataFlags{Games: c.Games}.catalogue()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(c.Folder, "talon-bench-")
	if err != nil {
		return fault.New(fault.Invalid, "data_folder_unusable", "no folder can be made to measure in: %w", err).
			Next("name one with --folder")
	}
	defer os.RemoveAll(folder)
	b := &benchRun{command: c, catalogue: loaded, folder: folder, log: s.log}
	for _, measure := range []func(context.Context) error{b.units, b.blocks} {
		if err := measure(ctx); err != nil {
			return err
		}
	}
	if err := b.sales(ctx, logger); err != nil {
		return err
	}
	return b.print(s.out)
}

func (b *benchRun) add(name string, value float64, unit, target string) {
	b.figures = append(b.figures, figure{name, value, unit, target})
	fmt.Fprintf(b.log, "%s: %s %s\n", name, digits(value), unit)
}

func (b *benchRun) print(out io.Writer) error {
	machine := fmt.Sprintf("%s/%s, %d processors, %s", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.Version())
	if b.command.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(struct {
			Machine string   `json:"machine"`
			Figures []figure `json:"figures"`
		}{machine, b.figures})
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\nmeasured\t\t\ttarget\n", machine)
	for _, f := range b.figures {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", f.Name, digits(f.Value), f.Unit, f.Target)
	}
	return w.Flush()
}

// digits writes a figure with three digits that matter, and thousands apart.
func digits(value float64) string {
	switch {
	case value < 1:
		return fmt.Sprintf("%.3f", value)
	case value < 10:
		return fmt.Sprintf("%.2f", value)
	case value < 100:
		return fmt.Sprintf("%.1f", value)
	}
	text := fmt.Sprintf("%.0f", value)
	var groups []string
	for ; len(text) > 3; text = text[:len(text)-3] {
		groups = append([]string{text[len(text)-3:]}, groups...)
	}
	return strings.Join(append([]string{text}, groups...), " ")
}

// resident is the memory of the process that is in RAM now, and the most it ever was, in megabytes.
// Where the system does not tell, it is what the runtime took from it.
func resident() (now, most float64) {
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		for line := range strings.Lines(string(status)) {
			var kilobytes float64
			if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &kilobytes); err == nil {
				now = kilobytes / 1024
			}
			if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kilobytes); err == nil {
				most = kilobytes / 1024
			}
		}
		return now, most
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	taken := float64(memory.Sys-memory.HeapReleased) / (1 << 20)
	return taken, taken
}
