package bundle_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talonlottery/talon/internal/web/player/bundle"
)

// checker is the folder of the browser's checker, seen from here.
const checker = "../" + bundle.Checker

// node is where Node is; without it a test fails where everything must run, and is left out elsewhere.
func node(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("Node is needed: ./test tools installs it: ", err)
		}
		t.Skip("no Node: ./test tools installs it: ", err)
	}
	return path
}

// The checker's own tests are in TypeScript. Each file of them is bundled and run by Node, and must run tests.
func TestTheCheckerInNode(t *testing.T) {
	path := node(t)
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := filepath.Glob(filepath.Join(checker, "test", "*.test.ts"))
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	for _, name := range tests {
		name := filepath.Base(name)
		t.Run(strings.TrimSuffix(name, ".test.ts"), func(t *testing.T) {
			script, err := bundle.MakeTest(checker, "test/"+name)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "bundled.test.mjs")
			if err := os.WriteFile(file, script, 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.CommandContext(t.Context(), path, "--no-warnings", "--test", "--test-reporter=tap", file)
			run.Env = append(os.Environ(), "TALON_ROOT="+root)
			said, err := run.CombinedOutput()
			if err != nil || bytes.Contains(said, []byte("\n# tests 0\n")) {
				t.Fatalf("%v\n%s", err, said)
			}
			t.Log(lastLines(string(said), "# tests", "# pass"))
		})
	}
}

func lastLines(said string, beginnings ...string) string {
	var kept []string
	for line := range strings.Lines(said) {
		for _, beginning := range beginnings {
			if strings.HasPrefix(line, beginning) {
				kept = append(kept, strings.TrimSpace(line))
			}
		}
	}
	return strings.Join(kept, ", ")
}

func TestTheCommittedCommandIsFresh(t *testing.T) {
	made, err := bundle.MakeCommand(checker)
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile(filepath.Join(checker, bundle.Command))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, committed) {
		t.Fatal("verify/browser/cli.mjs is stale: run `go generate ./internal/web/player` and commit it")
	}
}
