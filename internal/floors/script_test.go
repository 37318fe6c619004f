package floors

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestScript hands ./test small houses, sound and broken: a stage must fail when it finds something, and when it finds nothing to do.
func TestScript(t *testing.T) {
	if testing.Short() {
		t.Skip("builds some twenty small programs")
	}
	script, err := os.ReadFile(filepath.Join(root, "test"))
	if err != nil {
		t.Fatal(err)
	}
	sound := map[string]string{
		"go.mod":            "module example.org/house\n\ngo 1.26\n",
		"room/room.go":      "package room\n\nfunc One() int { return 1 }\n",
		"room/room_test.go": "package room\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {}\n",
	}
	const head = "package room\n\nimport \"testing\"\n\n"
	for _, c := range []struct {
		name, stage string
		file, text  string // what is written over the sound house
		fails       bool
		says        string
	}{
		{name: "sound", stage: "unit", says: "ok  \texample.org/house/room"},
		{name: "formatted", stage: "format"},
		{name: "vetted", stage: "vet"},
		{name: "fresh", stage: "generate"},
		{name: "no such stage", stage: "units", fails: true, says: "there is no stage"},
		{name: "a test that fails", stage: "unit", file: "room/bad_test.go", text: head + "func TestBad(t *testing.T) { t.Fatal() }\n",
			fails: true, says: "To repeat what failed:\n  ./test unit"},
		{name: "no test of that name", stage: "unit ./room -run Two", fails: true, says: "no test ran"},
		{name: "what does not compile", stage: "unit", file: "room/bad.go", text: "package room\n\nvar x int = \"\"\n", fails: true},
		{name: "not formatted", stage: "format", file: "room/bad.go", text: "package room\nvar  X int\n", fails: true, says: "room/bad.go"},
		{name: "what vet finds", stage: "vet", file: "room/bad_test.go", text: head + "func TestBad(t *testing.T) { t.Logf(\"%d\", \"\") }\n", fails: true},
		{name: "stale", stage: "generate", file: "room/stale.go", text: "package room\n\n//go:generate sh -c \"echo new >made\"\n",
			fails: true, says: "generated files are stale"},
		{name: "no whole block", stage: "block ./room", fails: true, says: "no test named ^TestWholeBlock ran"},
		{name: "a whole block", stage: "block ./room", file: "room/block_test.go", text: head + "func TestWholeBlock(t *testing.T) {}\n", says: "1 tests"},
		{name: "a block left out", stage: "block ./room", file: "room/block_test.go", text: head + "func TestWholeBlock(t *testing.T) { t.Skip() }\n",
			fails: true, says: "no test named ^TestWholeBlock ran"},
		{name: "nothing killed", stage: "crash ./room", fails: true, says: "no test named ^TestKill ran"},
		{name: "no target", stage: "fuzz", fails: true, says: "no fuzz target was found"},
		{name: "a target that fails", stage: "fuzz", file: "room/fuzz_test.go",
			text: head + "func FuzzBad(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { t.Fatal() }) }\n", fails: true, says: "FuzzBad failed"},
		{name: "no benchmark", stage: "bench", fails: true, says: "no benchmark ran"},
		{name: "no scripts to check", stage: "types", fails: true, says: "tsconfig.json is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			write(t, filepath.Join(folder, "test"), string(script))
			for name, text := range sound {
				write(t, filepath.Join(folder, name), text)
			}
			if c.file != "" {
				write(t, filepath.Join(folder, c.file), c.text)
			}
			if _, err := run(folder, "git", "init", "-q"); err != nil {
				t.Fatal(err)
			}
			command := exec.Command("bash", append([]string{"test"}, strings.Fields(c.stage)...)...)
			command.Dir = folder
			command.Env = append(os.Environ(), "FUZZ_TIME=1s", "CI=false", "GOFLAGS=")
			said, err := command.CombinedOutput()
			if failed := err != nil; failed != c.fails || !strings.Contains(string(said), c.says) {
				t.Errorf("failed: %t (%v), want %t, saying %q:\n%s", failed, err, c.fails, c.says, said)
			}
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
