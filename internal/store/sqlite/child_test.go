//go:build unix

package sqlite_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/talonlottery/talon/internal/store/storetest"
)

// child runs a test of this binary in a process of its own, with a folder to work in.
func child(t *testing.T, test, folder string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	command := exec.CommandContext(t.Context(), program, "-test.run=^"+test+"$", "-test.v")
	command.Env = append(os.Environ(), "TALON_CHILD="+folder)
	return command
}

// inChild is the folder of a child process, or "".
func inChild() string { return os.Getenv("TALON_CHILD") }

// TestWriteFails makes every write beyond a size fail, as a broken disk or a quota does.
func TestWriteFails(t *testing.T) {
	skipIfShort(t)
	if inChild() == "" {
		t.Parallel()
		if output, err := child(t, "TestWriteFails", t.TempDir()).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ) // the write returns an error instead
	path := filepath.Join(inChild(), "talon.db")
	s := openAt(t, path)
	var before syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	story := storetest.NewStory(t, s)
	for range 3 {
		story.Survives([]string{"storage_io", "commit_unknown"},
			func() {
				written, err := os.Stat(path + "-wal")
				must(t, err)
				limit := before
				limit.Cur = uint64(written.Size()) + 100_000
				must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
			},
			func() { must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)) })
	}
	must(t, s.Close())
	story.On(openAt(t, path))
	story.Check()
}

// TestKilledWhileSelling kills a process that sells, and finds everything that it had acknowledged,
// and nothing half done.
func TestKilledWhileSelling(t *testing.T) {
	skipIfShort(t)
	if folder := inChild(); folder != "" {
		story := storetest.NewStory(t, openAt(t, filepath.Join(folder, "talon.db")))
		for batch := 1; ; batch++ {
			must(t, story.Sell(batch%20+1))
			fmt.Printf("acknowledged %d\n", story.Sold())
		}
	}
	t.Parallel()
	for round := range 3 {
		folder := t.TempDir()
		acknowledged := sellUntilKilled(t, folder, 20+round*17)
		s := openAt(t, filepath.Join(folder, "talon.db"))
		sold := storetest.CheckWhole(t, s)
		if sold < acknowledged {
			t.Errorf("%d plays were acknowledged, %d are recorded", acknowledged, sold)
		}
	}
}

// sellUntilKilled kills a child after some batches and gives the number of plays that it acknowledged.
func sellUntilKilled(t *testing.T, folder string, batches int) (acknowledged int) {
	t.Helper()
	command := child(t, "TestKilledWhileSelling", folder)
	output, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		number, ok := strings.CutPrefix(lines.Text(), "acknowledged ")
		if !ok {
			continue
		}
		acknowledged, err = strconv.Atoi(number)
		must(t, err)
		if batches--; batches == 0 {
			must(t, command.Process.Kill())
		}
	}
	var exit *exec.ExitError
	if err := command.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the child ended by itself: %v", err)
	}
	return acknowledged
}
