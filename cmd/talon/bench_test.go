package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBench measures a small invented game for an instant: every figure is there, and everything that
// was sold agrees. What the figures are is nobody's business here.
func TestBench(t *testing.T) {
	definition, err := os.ReadFile("../../testdata/vectors/lune.yaml")
	if err != nil {
		t.Fatal(err)
	}
	folder, games := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(games, "lune"), 0o755); err != nil {
		t.Fatal(err)
	}
	large := strings.Replace(string(definition), "block: {size: 12,", "block: {size: 50000,", 1)
	if err := os.WriteFile(filepath.Join(games, "lune", "game.yaml"), []byte(large), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	arguments := []string{"bench", "--games", games, "--folder", folder, "--time", "200ms", "--buyers", "20", "--players", "50", "--json"}
	if code := run(t.Context(), arguments, streams{out: &out, log: &log}); code != exitDone {
		t.Fatalf("exit code %d: %s", code, log.String())
	}
	var report struct{ Figures []figure }
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range report.Figures {
		names[f.Name] = true
		if f.Value <= 0 || f.Unit == "" {
			t.Errorf("%s: %v %s", f.Name, f.Value, f.Unit)
		}
	}
	for _, name := range []string{"read a layout, lune", "open a unit, lune", "deal, read back and seal 1 000 000 units, lune",
		"gain of selling together", "one player alone, median until the answer", "plays sold, all re-read and agreeing"} {
		if !names[name] {
			t.Errorf("%q was not measured", name)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	for _, wrong := range [][]string{{"--buyers", "0"}, {"--players", "5", "--buyers", "6"}, {"--time", "0s"}, {"--folder", filepath.Join(folder, "missing")}} {
		if code := run(t.Context(), append([]string{"bench"}, wrong...), streams{out: &out, log: &log}); code != exitBadInput {
			t.Errorf("%v: exit code %d", wrong, code)
		}
	}
}

func TestDigits(t *testing.T) {
	for value, want := range map[float64]string{0.1234: "0.123", 1.234: "1.23", 12.34: "12.3", 123.4: "123", 1234: "1 234", 1234567: "1 234 567"} {
		if got := digits(value); got != want {
			t.Errorf("%v: %q, want %q", value, got, want)
		}
	}
}
