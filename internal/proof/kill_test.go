package proof_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
)

// TestKill kills the real binary at random moments under load, as a power cut would, and starts it
// again: no unit, cent, play or contribution is lost or doubled, every acknowledged play is there,
// and asking again with the same key gives one play.
func TestKill(t *testing.T) {
	rounds := 8
	if text := os.Getenv("TALON_KILL_ROUNDS"); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	binary := build(t)
	w := &world{folder: t.TempDir(), games: cataloguetest.Folder(t), binary: binary}
	random := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	for round := range rounds {
		server := w.start(t)
		w.settleDoubts(t, server)
		w.checkAcknowledged(t, server)
		w.checkLog(t, server)
		load, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		for range 24 {
			running.Go(func() { w.buy(load, server) })
		}
		w.await(t, 1+random.IntN(200))
		server.kill(t)
		stop()
		running.Wait()
		w.reconcile(t)
		t.Logf("round %d: %d plays acknowledged so far, %d in doubt", round+1, len(w.acknowledged), len(w.doubts))
	}
	server := w.start(t)
	w.settleDoubts(t, server)
	w.checkAcknowledged(t, server)
	w.checkLog(t, server)
	w.checkReceipts(t)
	server.stop(t)
	w.reconcile(t)
	if w.doubtsSeen == 0 {
		t.Error("no request was cut off: the kills missed the load")
	}
}

// checkLog holds the public log, as it is served after a kill, against the checkpoint that was seen before
// it: it only grew, and keeps its rules.
func (w *world) checkLog(t *testing.T, server *process) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(w.folder, "log", "public.key"))
	if err != nil {
		t.Fatal(err)
	}
	arguments := []string{"audit", "log", server.url + "/public", "--key", strings.TrimSpace(string(key))}
	older := filepath.Join(t.TempDir(), "checkpoint")
	if w.checkpoint != nil {
		if err := os.WriteFile(older, w.checkpoint, 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, "--older", older)
	}
	if out, err := exec.Command(w.binary, arguments...).CombinedOutput(); err != nil {
		t.Errorf("the log after a kill: %v\n%s", err, out)
	}
	response, err := http.Get(server.url + "/public/log/checkpoint")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if w.checkpoint, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
}

// checkReceipts verifies receipts of plays that were acknowledged before kills and after.
func (w *world) checkReceipts(t *testing.T) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(w.folder, "log", "public.key"))
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(w.acknowledged); at += max(len(w.acknowledged)/20, 1) {
		told := w.acknowledged[at]
		var receipt json.RawMessage
		status, err := told.customer.do(t.Context(), http.MethodGet, "/api/v1/plays/"+told.id+"/receipt", nil, "", &receipt)
		if status == http.StatusForbidden {
			continue // its choice was cut off by a kill
		}
		if err != nil || status != http.StatusOK {
			t.Errorf("play %s has no receipt: %d, %v", told.id, status, err)
			continue
		}
		file := filepath.Join(t.TempDir(), "receipt.json")
		if err := os.WriteFile(file, receipt, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(w.binary, "verify", "receipt", file, "--key", strings.TrimSpace(string(key))).CombinedOutput(); err != nil {
			t.Errorf("the receipt of play %s: %v\n%s", told.id, err, out)
		}
	}
}

// await returns when so many more plays are acknowledged.
func (w *world) await(t *testing.T, more int) {
	t.Helper()
	count := func() int {
		w.mu.Lock()
		defer w.mu.Unlock()
		return len(w.acknowledged)
	}
	for target := count() + more; count() < target; {
		if t.Context().Err() != nil {
			t.Fatal("the test ended while it waited for plays")
		}
		time.Sleep(time.Millisecond)
	}
}

// TestKillTwin shows that the oracle sees an acknowledged play that is not there, and a record that
// was edited.
func TestKillTwin(t *testing.T) {
	w := &world{folder: t.TempDir(), games: cataloguetest.Folder(t), binary: build(t)}
	server := w.start(t)
	c := newCustomer(server)
	if err := c.visit(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.play(t.Context(), w, cataloguetest.Winds, "1.00")
	if len(w.acknowledged) != 1 {
		t.Fatalf("%d plays acknowledged", len(w.acknowledged))
	}
	w.acknowledged[0].id = strings.Repeat("0", 32)
	if missing := w.missing(server); len(missing) != 1 {
		t.Errorf("an acknowledged play that is not recorded was not seen: %v", missing)
	}
	server.stop(t)
	w.reconcile(t)
	w.edit(t, `UPDATE player SET available = available + 100`)
	out, err := exec.Command(w.binary, "reconcile", "--data", w.folder, "--games", w.games).CombinedOutput()
	if code, ok := errors.AsType[*exec.ExitError](err); !ok || code.ExitCode() != 1 || !bytes.Contains(out, []byte("differences")) {
		t.Errorf("a cent that was given to every player was not seen: %v\n%s", err, out)
	}
}

// edit changes a record behind the back of the house.
func (w *world) edit(t *testing.T, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(w.folder, "talon.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// build compiles the binary once a test.
func build(t *testing.T) string {
	binary := filepath.Join(t.TempDir(), "talon")
	command := exec.Command("go", "build", "-o", binary, "../../cmd/talon")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// world is what survives a kill: the data folder, and what customers were told.
type world struct {
	binary, folder, games string
	checkpoint            []byte // of the public log, seen before the last kill
	socket                string // of a vault in a process of its own; empty without

	mu           sync.Mutex
	acknowledged []acknowledged
	doubts       []doubt
	doubtsSeen   int
}

// acknowledged is a play that a customer was told of.
type acknowledged struct {
	customer *customer
	id       string
	index    int64
	block    string
	key      string
}

// doubt is a request whose answer never came.
type doubt struct {
	customer    *customer
	key         string
	game, stake string
}

// process is a running server.
type process struct {
	command *exec.Cmd
	url     string
	log     *bytes.Buffer
	ended   chan error
}

func (w *world) start(t *testing.T) *process {
	t.Helper()
	arguments := []string{"demo", "--data", w.folder, "--games", w.games, "--listen", "127.0.0.1:0", "--blocks", "400",
		"--prize-due-above", "15", "--log-level", "warn"}
	if w.socket != "" {
		arguments = append(arguments, "--vault", w.socket)
	}
	p, first := started(t, w.binary, arguments...)
	at := strings.Index(first, "http://")
	p.url = strings.TrimSpace(first[at:])
	return p
}

// started starts the binary and gives the first line that it puts out.
func started(t *testing.T, binary string, arguments ...string) (*process, string) {
	t.Helper()
	p := &process{log: new(bytes.Buffer), ended: make(chan error, 1)}
	p.command = exec.Command(binary, arguments...)
	p.command.Stderr = p.log
	out, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.command.Process.Kill() })
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not start: %v\n%s", err, p.log)
	}
	go func() {
		_, _ = io.Copy(io.Discard, out)
		p.ended <- p.command.Wait()
	}()
	return p, first
}

func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-p.ended
}

func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := <-p.ended; err != nil {
		t.Fatalf("the server did not stop cleanly: %v\n%s", err, p.log)
	}
}

// reconcile runs the checker on what the dead server left.
func (w *world) reconcile(t *testing.T) {
	t.Helper()
	out, err := exec.Command(w.binary, "reconcile", "--data", w.folder, "--games", w.games).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("everything agrees")) {
		t.Fatalf("reconcile: %v\n%s", err, out)
	}
}

// settleDoubts asks again for what was never answered: whatever happened, it is one play.
func (w *world) settleDoubts(t *testing.T, server *process) {
	t.Helper()
	doubts := w.doubts
	w.doubts = nil
	for _, d := range doubts {
		d.customer.server = server
		first, err := d.customer.ask(t.Context(), d.game, d.stake, d.key)
		if err != nil {
			t.Fatalf("a request in doubt was not settled: %v", err)
		}
		second, err := d.customer.ask(t.Context(), d.game, d.stake, d.key)
		if err != nil || second.ID != first.ID || second.Index != first.Index {
			t.Fatalf("the same key gave %+v and %+v: %v", first, second, err)
		}
		if first.ID == "" {
			continue // refused both times: nothing was sold
		}
		w.acknowledge(d.customer, first, d.key)
	}
}

func (w *world) acknowledge(c *customer, told play, key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.acknowledged = append(w.acknowledged, acknowledged{customer: c, id: told.ID, index: told.Index, block: told.Block, key: key})
}

// checkAcknowledged finds every play that a customer was told of, as it was told, and no two of one unit.
func (w *world) checkAcknowledged(t *testing.T, server *process) {
	t.Helper()
	for _, line := range w.missing(server) {
		t.Error(line)
	}
	units, keys := map[string]string{}, map[string]string{}
	for _, a := range w.acknowledged {
		unit := a.block + " " + strconv.FormatInt(a.index, 10)
		if other, twice := units[unit]; twice && other != a.id {
			t.Errorf("unit %s was sold as %s and as %s", unit, other, a.id)
		}
		if other, twice := keys[a.key]; twice && other != a.id {
			t.Errorf("key %s is bound to %s and to %s", a.key, other, a.id)
		}
		units[unit], keys[a.key] = a.id, a.id
	}
}

func (w *world) missing(server *process) []string {
	var lines []string
	for _, a := range w.acknowledged {
		a.customer.server = server
		var found play
		status, err := a.customer.do(context.Background(), http.MethodGet, "/api/v1/plays/"+a.id, nil, "", &found)
		if err != nil || status != http.StatusOK || found.Index != a.index || found.Block != a.block {
			lines = append(lines, fmt.Sprintf("an acknowledged play is not as it was told: %s, unit %d of %s: status %d, %v", a.id, a.index, a.block, status, err))
		}
	}
	return lines
}

// buy plays as fast as it can until the server is gone; a customer out of money makes room for
// another.
func (w *world) buy(ctx context.Context, server *process) {
	for ctx.Err() == nil {
		c := newCustomer(server)
		if err := c.visit(ctx); err != nil {
			return
		}
		for n := 0; n < 60 && ctx.Err() == nil; n++ {
			game, stake := cataloguetest.Winds, "1.00"
			if n%3 == 2 {
				game, stake = cataloguetest.Moons, "0.50"
			}
			if !c.play(ctx, w, game, stake) {
				return
			}
		}
	}
}

// customer is a visitor with a session of its own.
type customer struct {
	server *process
	client *http.Client
	cookie string
	keys   int
	name   string
}

func newCustomer(server *process) *customer {
	return &customer{server: server, client: &http.Client{Timeout: 20 * time.Second}, name: strconv.FormatUint(rand.Uint64(), 36)}
}

// visit opens the history, which makes the session.
func (c *customer) visit(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.server.url+"/historique", nil)
	if err != nil {
		return err
	}
	response, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	at := slices.IndexFunc(response.Cookies(), func(cookie *http.Cookie) bool { return cookie.Name == "talon_session" })
	if at < 0 {
		return fmt.Errorf("no session: status %d", response.StatusCode)
	}
	c.cookie = response.Cookies()[at].Value
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// play is what the API tells of one.
type play struct {
	ID        string `json:"id"`
	Block     string `json:"block"`
	Index     int64  `json:"index"`
	Disclosed bool   `json:"disclosed"`
	Code      string `json:"code"`
	Play      string `json:"play"`
}

// play buys a unit, chooses where there is a choice, and says that it was shown. It reports whether
// the server still answers.
func (c *customer) play(ctx context.Context, w *world, game, stake string) bool {
	c.keys++
	key := c.name + "-" + strconv.Itoa(c.keys)
	bought, err := c.ask(ctx, game, stake, key)
	if err != nil {
		w.mu.Lock()
		w.doubts = append(w.doubts, doubt{customer: c, key: key, game: game, stake: stake})
		w.doubtsSeen++
		w.mu.Unlock()
		return false
	}
	if bought.ID == "" {
		return true // refused: not ready, or out of money
	}
	w.acknowledge(c, bought, key)
	return c.finish(ctx, bought) == nil
}

// ask buys a unit. A play that was not shown to the end is shown first. A refusal gives a play
// without identifier.
func (c *customer) ask(ctx context.Context, game, stake, key string) (play, error) {
	for {
		var told play
		body := map[string]string{"game": game, "stake": stake}
		status, err := c.do(ctx, http.MethodPost, "/api/v1/plays", body, key, &told)
		switch {
		case err != nil:
			return play{}, err
		case status == http.StatusOK || status == http.StatusCreated:
			return told, nil
		case told.Code == "unfinished_play":
			if err := c.finish(ctx, play{ID: told.Play}); err != nil {
				return play{}, err
			}
		case told.Code == "next_block_not_ready":
			time.Sleep(5 * time.Millisecond)
		default:
			return play{}, nil
		}
	}
}

func (c *customer) finish(ctx context.Context, bought play) error {
	if !bought.Disclosed {
		if _, err := c.do(ctx, http.MethodPut, "/api/v1/plays/"+bought.ID+"/choice", map[string][]int{"cells": {5, 0, 3}}, "", nil); err != nil {
			return err
		}
	}
	_, err := c.do(ctx, http.MethodPut, "/api/v1/plays/"+bought.ID+"/shown", nil, "", nil)
	return err
}

func (c *customer) do(ctx context.Context, method, path string, body any, key string, into any) (int, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.server.url+path, content)
	if err != nil {
		return 0, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	request.AddCookie(&http.Cookie{Name: "talon_session", Value: c.cookie})
	response, err := c.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if into == nil {
		_, err = io.Copy(io.Discard, response.Body)
		return response.StatusCode, err
	}
	return response.StatusCode, json.NewDecoder(response.Body).Decode(into)
}
