package player

import (
	"bytes"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/talonlottery/talon/internal/web/player/bundle"
)

// staleness compares the committed files of dist/ with what their sources give.
func staleness(t *testing.T, committed map[string][]byte) []string {
	t.Helper()
	made, err := bundle.Make(".", os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	var stale []string
	for name, content := range made {
		if !bytes.Equal(content, committed[name]) {
			stale = append(stale, name)
		}
	}
	for name := range committed {
		if _, ok := made[name]; !ok {
			stale = append(stale, name+" (nothing makes it)")
		}
	}
	return stale
}

func committed(t *testing.T) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	err := fs.WalkDir(staticFiles, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[strings.TrimPrefix(name, "dist/")], err = fs.ReadFile(staticFiles, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestTheCommittedBundleIsFresh(t *testing.T) {
	if stale := staleness(t, committed(t)); len(stale) > 0 {
		t.Fatalf("%v: run `go generate ./internal/web/player` and commit dist/", stale)
	}
	twin := committed(t)
	twin["pages.css"] = append(twin["pages.css"], ' ')
	if len(staleness(t, twin)) != 1 {
		t.Error("a byte more in pages.css is not noticed")
	}
	twin = committed(t)
	twin["old.js"] = nil
	if len(staleness(t, twin)) != 1 {
		t.Error("a file that nothing makes is not noticed")
	}
}

// A style sheet names only files that are served, each by the version of its content.
func TestStyleSheetsNameFilesThatExist(t *testing.T) {
	sheet := string(committed(t)["pages.css"])
	references := regexp.MustCompile(`url\(([^)]+)\)`).FindAllStringSubmatch(sheet, -1)
	if len(references) == 0 {
		t.Fatal("the style sheet names no file")
	}
	for _, reference := range references {
		name, version, versioned := strings.Cut(strings.Trim(reference[1], `"'`), "?v=")
		content, err := fs.ReadFile(staticFiles, "static/"+name)
		if err != nil || !versioned || len(content) == 0 {
			t.Errorf("%s: %v, version %q", reference[0], err, version)
		}
	}
}
