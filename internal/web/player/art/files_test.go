package art_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/talonlottery/talon/internal/web/player/art"
)

var update = flag.Bool("update", false, "rewrite the committed files under static/")

// TestFilesAreCurrent keeps the committed SVG files equal to the code that draws them.
func TestFilesAreCurrent(t *testing.T) {
	for path, want := range art.Files() {
		file := filepath.Join("..", "static", filepath.FromSlash(path))
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s differs from the code that draws it; run the test with -update", path)
		}
	}
}
