package proof_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/audit"
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/publicationtest"
	"github.com/talonlottery/talon/publiclog"
	"github.com/talonlottery/talon/receipt"
)

// The checkers are held against each other: the engine's own and three that share nothing with it. Each
// gets the honest publication and every twin that is broken on purpose, and must find exactly the codes
// that the specification gives.

// answer is what a checker says.
type answer struct {
	Outcome string // of a receipt
	Codes   []string
}

// question is what a checker is asked.
type question struct {
	command string // receipt, log or block
	path    string // a file, or the publication's folder
	block   string
	key     string
	witness string
	older   string
}

func (q question) arguments() []string {
	arguments := []string{q.command, q.path}
	if q.block != "" {
		arguments = append(arguments, q.block)
	}
	arguments = append(arguments, "--key", q.key, "--json")
	if q.witness != "" {
		arguments = append(arguments, "--witness", q.witness)
	}
	if q.older != "" {
		arguments = append(arguments, "--older", q.older)
	}
	return arguments
}

// checker is one of the four.
type checker struct {
	name    string
	pairing bool // it verifies BLS signatures, which neither Python's library nor a browser's can
	ask     func(t *testing.T, q question) answer
}

// report is what every checker prints of any command with --json (docs/spec/publication.md, section 5).
type report struct {
	Outcome  string `json:"outcome"`
	Findings []struct {
		Code string `json:"code"`
	} `json:"findings"`
}

// checkers are the engine's own and the independent ones. A missing one is a failure: a promise that
// nothing checks is none.
func checkers(t *testing.T) []checker {
	t.Helper()
	own := checker{name: "packages audit and receipt", pairing: true, ask: askOurselves}
	return []checker{own, inGo(t),
		command(t, "verify/verify.py", "python3", root("verify/verify.py")),
		command(t, "verify/browser/cli.mjs", "node", root("verify/browser/cli.mjs"))}
}

// root is a path from the top of the repository.
func root(path string) string { return filepath.Join("..", "..", filepath.FromSlash(path)) }

func inGo(t *testing.T) checker {
	t.Helper()
	const name = "verify, in Go"
	if _, err := os.Stat(root("verify/go.mod")); err != nil {
		t.Errorf("%s: there is no verify/go.mod: the independent checker in Go is missing", name)
		return checker{name: name}
	}
	program := filepath.Join(t.TempDir(), "talon-verify")
	build := exec.Command("go", "build", "-o", program, "./cmd/talon-verify")
	build.Dir = root("verify")
	if output, err := build.CombinedOutput(); err != nil {
		t.Errorf("%s cannot be built: %v\n%s", name, err, output)
		return checker{name: name}
	}
	return checker{name, true, func(t *testing.T, q question) answer { return run(t, program, q.arguments()...) }}
}

func command(t *testing.T, name, tool, script string) checker {
	t.Helper()
	if _, err := os.Stat(script); err != nil {
		t.Errorf("%s is missing: %v", name, err)
		return checker{name: name}
	}
	if _, err := exec.LookPath(tool); err != nil {
		t.Errorf("%s cannot be run: %v; ./test tools installs it", name, err)
		return checker{name: name}
	}
	return checker{name, false, func(t *testing.T, q question) answer {
		return run(t, tool, append([]string{script}, q.arguments()...)...)
	}}
}

// run runs a checker, and asks that its exit code says what its report does.
func run(t *testing.T, program string, arguments ...string) answer {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, arguments...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatalf("%s: %v", program, err)
	}
	var said report
	if err := json.Unmarshal(output, &said); err != nil {
		t.Fatalf("%s %q ended with %d and did not print JSON: %v\n%s%s", program, arguments, command.ProcessState.ExitCode(), err, output, stderr.Bytes())
	}
	codes := []string{}
	for _, finding := range said.Findings {
		codes = append(codes, finding.Code)
	}
	want := 0
	if len(codes) > 0 {
		want = 1
	}
	if code := command.ProcessState.ExitCode(); code != want {
		t.Errorf("%s: exit code %d with findings %v", program, code, codes)
	}
	return answer{said.Outcome, once(codes)}
}

// once sorts codes and names each once: how often a code is told is each checker's own.
func once(codes []string) []string {
	slices.Sort(codes)
	return slices.Compact(codes)
}

func askOurselves(t *testing.T, q question) answer {
	t.Helper()
	key, err := publiclog.ParseKey(q.key)
	if err != nil {
		t.Fatal(err)
	}
	options := audit.Options{Key: key}
	if q.witness != "" {
		witness, err := publiclog.ParseKey(q.witness)
		if err != nil {
			t.Fatal(err)
		}
		options.Witnesses = append(options.Witnesses, witness)
	}
	if q.command == "receipt" {
		return ourReceipt(t, q.path, options)
	}
	if q.older != "" {
		if options.Older, err = os.ReadFile(q.older); err != nil {
			t.Fatal(err)
		}
	}
	publication, err := audit.Open(os.DirFS(q.path), options)
	if err != nil {
		t.Fatal(err)
	}
	findings := publication.Log.Findings
	if q.command == "block" {
		var id block.ID
		if err := id.UnmarshalText([]byte(q.block)); err != nil {
			t.Fatal(err)
		}
		found, err := publication.Block(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		findings = append(findings, found.Findings...)
	}
	codes := []string{}
	for _, finding := range findings {
		codes = append(codes, finding.Code)
	}
	return answer{Codes: once(codes)}
}

func ourReceipt(t *testing.T, path string, options audit.Options) answer {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := receipt.VerifyText(text, options.Key, options.Witnesses...)
	codes := []string{}
	if err != nil {
		codes = append(codes, fault.CodeOf(err))
	}
	return answer{string(outcome), codes}
}

// compare asks every checker and compares.
func compare(t *testing.T, all []checker, q question, want answer) {
	t.Helper()
	for _, checker := range all {
		if checker.ask == nil {
			continue // said once already
		}
		if diff := cmp.Diff(want, checker.ask(t, q)); diff != "" {
			t.Errorf("%s, %s (-specification +found):\n%s", checker.name, q.command, diff)
		}
	}
}

// written writes a publication to a folder, with the checkpoint that somebody kept beside it.
func written(t *testing.T, p *publicationtest.Publication) (folder, older string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "publication")
	if err := os.CopyFS(folder, p.Files()); err != nil {
		t.Fatal(err)
	}
	older = filepath.Join(filepath.Dir(folder), "older")
	if err := os.WriteFile(older, p.Older, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, older
}

// TestCheckersAgreeOnHonesty finds nothing in the honest publication, four times.
func TestCheckersAgreeOnHonesty(t *testing.T) {
	all := checkers(t)
	p := publicationtest.Honest(t)
	folder, older := written(t, p)
	nothing := answer{Codes: []string{}}
	compare(t, all, question{command: "log", path: folder, key: p.Key(), older: older, witness: p.Witness.Key().String()}, nothing)
	for _, role := range []string{publicationtest.Lune, publicationtest.Mixed, publicationtest.Winds, publicationtest.Pot} {
		compare(t, all, question{command: "block", path: folder, block: p.Blocks[role].Header.ID.String(), key: p.Key()}, nothing)
	}
}

// TestCheckersCatchEveryTwin breaks the publication in every way that is known.
func TestCheckersCatchEveryTwin(t *testing.T) {
	all := checkers(t)
	for _, twin := range publicationtest.Twins() {
		t.Run(twin.Name, func(t *testing.T) {
			t.Parallel()
			p := twin.Make(t)
			folder, older := written(t, p)
			q := question{command: "log", path: folder, key: p.Key(), witness: twin.Witness, older: older}
			if twin.Role != "" {
				q = question{command: "block", path: folder, block: p.Blocks[twin.Role].Header.ID.String(), key: p.Key()}
			}
			if !twin.Pairing {
				compare(t, all, q, answer{Codes: twin.Codes})
				return
			}
			blind := func(c checker) bool { return !c.pairing }
			compare(t, slices.DeleteFunc(slices.Clone(all), blind), q, answer{Codes: twin.Codes})
			compare(t, slices.DeleteFunc(slices.Clone(all), func(c checker) bool { return c.pairing }), q, answer{Codes: []string{}})
		})
	}
}

// TestCheckersJudgeEveryReceipt judges receipts and their twins.
func TestCheckersJudgeEveryReceipt(t *testing.T) {
	all := checkers(t)
	p := publicationtest.Honest(t)
	for _, c := range publicationtest.Receipts(p) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "receipt.json")
			if err := os.WriteFile(path, c.Text, 0o600); err != nil {
				t.Fatal(err)
			}
			want := answer{Outcome: c.Outcome, Codes: []string{}}
			if c.Code != "" {
				want.Codes = append(want.Codes, c.Code)
			}
			compare(t, all, question{command: "receipt", path: path, key: p.Key(), witness: c.Witness}, want)
		})
	}
}
