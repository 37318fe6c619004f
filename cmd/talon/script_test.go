package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"talon": main})
}

// Transcripts of the command line: the program is run as it is installed, in a process of its own.
// Besides what testscript offers they use:
//
//	exits CODE COMMAND...            the command ends with this exit code
//	free NAME                        puts a free address of this machine into the variable
//	served ADDRESS                   waits until something answers there
//	ask STATUS METHOD URL [KEY BODY] makes a request as a visitor with cookies; the body is put out
//	playable ADDRESS GAME            waits until the game is on sale at every stake
//	terminate [NAME]                 sends SIGTERM to the newest command in the background, or to the first
//	answering SOCKET                 waits until something listens on the Unix socket
//	approved NUMBER                  waits until so many blocks of the folder data are approved
//	pick NAME FILE REGEXP            puts the first group of the first match in a file, or in stdout, into the variable
//	gather NAME FOLDER               puts the files of the folder, by name, into the variables NAME_1, NAME_2 and so on
func TestTranscripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			jar, err := cookiejar.New(nil)
			env.Values[visitorKey{}] = &http.Client{Jar: jar}
			env.Setenv("HOME", env.WorkDir+"/home")
			here, folderErr := os.Getwd()
			env.Setenv("VECTORS", filepath.Join(here, "..", "..", "testdata", "vectors"))
			env.Setenv("RECEIPTS", filepath.Join(here, "..", "..", "testdata", "receipts"))
			env.Setenv("STRANGER", "test.invalid/log+16bd1189+AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g")
			err = errors.Join(err, folderErr)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "free": free, "served": served, "ask": ask, "playable": playable, "terminate": terminate,
			"answering": answering, "gather": gather, "pick": pick, "approved": approved,
		},
		RequireUniqueNames: true,
	})
}

type visitorKey struct{}

func exits(ts *testscript.TestScript, negated bool, arguments []string) {
	if negated || len(arguments) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(arguments[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(arguments[1], arguments[2:]...); err != nil {
		ended, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		code = ended.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

func free(ts *testscript.TestScript, _ bool, arguments []string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Setenv(arguments[0], listener.Addr().String())
	ts.Check(listener.Close())
}

// within tries again until it works; the limit is there to end a test that hangs, and says nothing
// about speed.
func within(ts *testscript.TestScript, try func(context.Context) error) {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	for {
		err := try(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			ts.Fatalf("%v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func request(ctx context.Context, ts *testscript.TestScript, method, url string, keyAndBody ...string) (int, string, error) {
	body := ""
	if len(keyAndBody) == 2 {
		body = keyAndBody[1]
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if len(keyAndBody) == 2 {
		r.Header.Set("Idempotency-Key", keyAndBody[0])
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := ts.Value(visitorKey{}).(*http.Client).Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

func served(ts *testscript.TestScript, _ bool, arguments []string) {
	within(ts, func(ctx context.Context) error {
		_, _, err := request(ctx, ts, http.MethodGet, arguments[0]+"/api/v1/games")
		return err
	})
}

func playable(ts *testscript.TestScript, _ bool, arguments []string) {
	within(ts, func(ctx context.Context) error {
		status, body, err := request(ctx, ts, http.MethodGet, arguments[0]+"/api/v1/games/"+arguments[1])
		if err == nil && (status != http.StatusOK || strings.Contains(body, `"onSale":false`)) {
			err = fmt.Errorf("not on sale: %s", body)
		}
		return err
	})
}

func ask(ts *testscript.TestScript, _ bool, arguments []string) {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	status, body, err := request(ctx, ts, arguments[1], arguments[2], arguments[3:]...)
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), body)
	if strconv.Itoa(status) != arguments[0] {
		ts.Fatalf("status %d: %s", status, body)
	}
}

func terminate(ts *testscript.TestScript, _ bool, arguments []string) {
	running := ts.BackgroundCmds()
	last := running[len(running)-1]
	if len(arguments) > 0 {
		last = running[0]
	}
	ts.Check(last.Process.Signal(syscall.SIGTERM))
}

func approved(ts *testscript.TestScript, _ bool, arguments []string) {
	within(ts, func(context.Context) error {
		if err := ts.Exec("talon", "block", "list", "--games", "games", "--data", "data", "--json"); err != nil {
			return err
		}
		list := ts.ReadFile("stdout")
		if found := strings.Count(list, `"approved"`) + strings.Count(list, `"on-sale"`); strconv.Itoa(found) != arguments[0] {
			return fmt.Errorf("%d blocks are approved", found)
		}
		return nil
	})
}

func pick(ts *testscript.TestScript, _ bool, arguments []string) {
	found := regexp.MustCompile(arguments[2]).FindStringSubmatch(ts.ReadFile(arguments[1]))
	if len(found) < 2 {
		ts.Fatalf("%s holds nothing like %s", arguments[1], arguments[2])
	}
	ts.Setenv(arguments[0], found[1])
}

func answering(ts *testscript.TestScript, _ bool, arguments []string) {
	within(ts, func(ctx context.Context) error {
		connection, err := (&net.Dialer{}).DialContext(ctx, "unix", ts.MkAbs(arguments[0]))
		if err == nil {
			err = connection.Close()
		}
		return err
	})
}

func gather(ts *testscript.TestScript, _ bool, arguments []string) {
	entries, err := os.ReadDir(ts.MkAbs(arguments[1]))
	ts.Check(err)
	for at, entry := range entries {
		ts.Setenv(fmt.Sprintf("%s_%d", arguments[0], at+1), filepath.Join(arguments[1], entry.Name()))
	}
}
