package game_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
)

// TestLoadCanonical reads the published form of every definition that comes with Talon, and finds
// what its file says.
func TestLoadCanonical(t *testing.T) {
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range set.Games {
		got, err := game.LoadCanonical(want.Name, want.Canonical)
		if err != nil {
			t.Fatal(err)
		}
		ignoreSections := cmp.FilterValues(func(_, _ game.Section) bool { return true }, cmp.Ignore())
		if diff := cmp.Diff(want, got, ignoreSections); diff != "" {
			t.Errorf("%s (-file +canonical):\n%s", want.Name, diff)
		}
	}
	for _, want := range set.Jackpots {
		got, err := game.LoadCanonicalJackpot(want.Name, want.Canonical)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-file +canonical):\n%s", want.Name, diff)
		}
	}
}

// TestLoadCanonicalVectors reads the forms that are kept as vectors.
func TestLoadCanonicalVectors(t *testing.T) {
	files, err := filepath.Glob("../testdata/vectors/definitions/*.json")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(`"kind":"jackpot"`)) {
			_, err = game.LoadCanonicalJackpot(file, text)
		} else {
			_, err = game.LoadCanonical(file, text)
		}
		if err != nil {
			t.Errorf("%v", err)
		}
	}
}

func TestLoadCanonicalRefuses(t *testing.T) {
	d, err := games.Definition("piece-dor")
	if err != nil {
		t.Fatal(err)
	}
	text := string(d.Canonical)
	for name, bad := range map[string]string{
		"a space":            " " + text,
		"a line end":         text + "\n",
		"more after it":      text + "{}",
		"an amount shorter":  strings.Replace(text, `"7.50"`, `"7.5"`, 1),
		"an amount unquoted": strings.Replace(text, `"7.50"`, `7.5`, 1),
		"cut":                text[:len(text)-1],
		"nothing":            "",
		"a list":             "[]",
	} {
		if _, err := game.LoadCanonical("x", []byte(bad)); err == nil || fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
