package floors

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

const root = "../.."

// TestHouse reads every package of the module and compares it with the table.
func TestHouse(t *testing.T) {
	listed := list(t)
	if len(listed) < 20 {
		t.Fatalf("go list named %d packages of ours; the house has more, so it was not read whole", len(listed))
	}
	var packages []Package
	for _, l := range listed {
		packages = append(packages, l.Package)
	}
	for _, f := range CheckGraph(House, packages) {
		t.Error(f)
	}
}

// TestRules reads every source file of a room and looks for clocks and floating-point numbers where they may not be.
func TestRules(t *testing.T) {
	files := 0
	for _, l := range list(t) {
		room, known := House.room(l.Path)
		if !known {
			continue // TestHouse says so
		}
		for _, name := range l.Files {
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files++
			for _, f := range CheckFile(room, set, file) {
				t.Error(f)
			}
		}
	}
	if files < 60 {
		t.Fatalf("%d files were read; the house has more", files)
	}
}

// TestTexts reads every file that is or may be committed.
func TestTexts(t *testing.T) {
	names, err := Texts(root)
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // deleted, not yet committed so; or a link
		}
		read++
		for _, f := range CheckText(name, text) {
			t.Error(f)
		}
	}
	if read < 60 {
		t.Fatalf("%d files were read; the repository has more", read)
	}
}

func list(t *testing.T) []Listed {
	t.Helper()
	listed, err := List(root)
	if err != nil {
		t.Fatal(err)
	}
	return listed
}
