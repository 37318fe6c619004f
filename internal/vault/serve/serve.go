// Package serve answers for a vault on a Unix socket, so that it can run as another user than those who sell.
//
// Its one promise: it answers nobody but the users that it was told of, by the user id that the kernel gives of the peer, and passes on
// the vault's contract unchanged. It decides nothing about units or secrets, and logs none.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/vault/wire"
)

// Vault is what is served; see the contracts in package vault.
type Vault interface {
	Deal(ctx context.Context, game string, stake int, progress func(done, total uint32)) (block.Deal, error)
	DealMixed(ctx context.Context, ceremony custody.Ceremony, progress func(done, total uint32)) (block.Deal, error)
	OpenUnits(ctx context.Context, batch custody.Batch, ranges ...custody.Range) error
	Bound(ctx context.Context, id block.ID) (custody.Bound, error)
	Forget(id block.ID)
	Sweep(known func(block.ID) bool) (int, error)
	Release(ctx context.Context, header block.Header, evidence custody.Evidence) (custody.Released, error)
	Retire(ctx context.Context, id block.ID) error
	Recipient() string
}

// Limits of the server.
const (
	ConnectionsMost = 256 // at once
	requestTime     = 30 * time.Second
	drainTime       = 10 * time.Second
)

// Listen listens on a Unix socket that its owner and its group may connect to (mode 0660), for peers with one of these user ids only. A
// socket that a killed vault left is taken over: the caller holds the lock of the vault's folder. It returns Invalid with code
// socket_unusable.
func Listen(path string, allowed []int, log *slog.Logger) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSocket {
		_ = os.Remove(path) // what prevents it is told by the listen that follows
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, unusable(path, err)
	}
	if err := os.Chmod(path, 0o660); err != nil {
		return nil, errors.Join(unusable(path, err), listener.Close())
	}
	return &peers{Listener: listener, allowed: allowed, log: log, slots: make(chan struct{}, ConnectionsMost)}, nil
}

func unusable(path string, err error) error {
	return fault.New(fault.Invalid, "socket_unusable", "cannot listen on the socket %s: %w", path, err).
		Next("name a path in a folder that this user may write, of at most 100 bytes, with --socket")
}

// peers lets in the users that are allowed, so many connections at once.
type peers struct {
	net.Listener
	allowed []int
	log     *slog.Logger
	slots   chan struct{}
}

// Accept gives the next connection of a peer that is allowed. Others are closed unread.
func (p *peers) Accept() (net.Conn, error) {
	for {
		p.slots <- struct{}{}
		connection, err := p.Listener.Accept()
		if err != nil {
			<-p.slots
			return nil, err
		}
		counted := &counted{Conn: connection, free: sync.OnceFunc(func() { <-p.slots })}
		uid, err := peerUser(connection)
		if err != nil || !slices.Contains(p.allowed, uid) {
			p.log.Warn("a user that is not allowed asked the vault", "uid", uid)
			_ = counted.Close()
			continue
		}
		return counted, nil
	}
}

type counted struct {
	net.Conn
	free func()
}

// Close closes the connection and frees its place.
func (c *counted) Close() error {
	defer c.free()
	return c.Conn.Close()
}

// Serve answers until the context ends, then finishes what is in flight.
func Serve(ctx context.Context, listener net.Listener, vault Vault, log *slog.Logger) error {
	server := &http.Server{
		Handler: handler(vault, log), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: requestTime, IdleTimeout: 10 * time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(listener) }()
	select {
	case err := <-stopped:
		return err
	case <-ctx.Done():
	}
	drain, stop := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer stop()
	err := server.Shutdown(drain)
	if err != nil {
		err = errors.Join(err, server.Close()) // a deal in flight is stopped: it leaves files that a sweep removes
	}
	if served := <-stopped; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// answering is one vault's answers.
type answering struct {
	vault Vault
	log   *slog.Logger
}

func handler(vault Vault, log *slog.Logger) http.Handler {
	a := answering{vault: vault, log: log}
	routes := http.NewServeMux()
	routes.HandleFunc("POST "+wire.PathOpen, a.open)
	routes.HandleFunc("POST "+wire.PathBound, answer(a, a.bound))
	routes.HandleFunc("POST "+wire.PathForget, answer(a, a.forget))
	routes.HandleFunc("POST "+wire.PathSweep, answer(a, a.sweep))
	routes.HandleFunc("POST "+wire.PathRetire, answer(a, a.retire))
	routes.HandleFunc("POST "+wire.PathRelease, answer(a, a.release))
	routes.HandleFunc("POST "+wire.PathAbout, answer(a, a.about))
	routes.HandleFunc("POST "+wire.PathDeal, deal(a, func(ctx context.Context, d wire.Deal, progress func(done, total uint32)) (block.Deal, error) {
		return vault.Deal(ctx, d.Game, d.Stake, progress)
	}))
	routes.HandleFunc("POST "+wire.PathMixed, deal(a, vault.DealMixed))
	return routes
}

// refuse tells a fault. The status only says that there is one; what is no fault of ours is logged, not told.
func (a answering) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if fault.KindOf(err) == fault.Internal && r.Context().Err() == nil {
		a.log.Error("the vault failed", "path", r.URL.Path, "error", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusUnprocessableEntity)
	_ = json.NewEncoder(w).Encode(wire.EncodeFault(err)) // a peer that is gone is told nothing
}

func (a answering) open(w http.ResponseWriter, r *http.Request) {
	body, err := wire.ReadMost(r.Body, wire.RequestMost)
	if err != nil {
		a.refuse(w, r, err)
		return
	}
	batch, ranges, err := wire.DecodeOpen(body)
	if err == nil {
		err = a.vault.OpenUnits(r.Context(), batch, ranges...)
	}
	if err != nil {
		a.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = w.Write(wire.EncodeUnits(ranges)) // a lost answer may be asked for again
}

// answer reads a question as JSON and writes the answer as JSON.
func answer[Q, A any](a answering, ask func(context.Context, Q) (A, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		question, err := readQuestion[Q](r)
		if err != nil {
			a.refuse(w, r, err)
			return
		}
		told, err := ask(r.Context(), question)
		if err != nil {
			a.refuse(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(told)
	}
}

func readQuestion[Q any](r *http.Request) (question Q, err error) {
	body, err := wire.ReadMost(r.Body, wire.RequestMost)
	if err == nil && json.Unmarshal(body, &question) != nil {
		err = wire.Malformed()
	}
	return question, err
}

// deal streams progress, then the block or the fault, a line each.
func deal[Q any](a answering, ask func(context.Context, Q, func(done, total uint32)) (block.Deal, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		question, err := readQuestion[Q](r)
		if err != nil {
			a.refuse(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/x-ndjson")
		lines, flush := json.NewEncoder(w), http.NewResponseController(w)
		_ = flush.SetReadDeadline(time.Time{}) // the question is read; a deal takes as long as it takes
		say := func(line wire.Dealing) {
			if lines.Encode(line) == nil {
				_ = flush.Flush() // the context ends when the peer is gone
			}
		}
		dealt, err := ask(r.Context(), question, func(done, total uint32) { say(wire.Dealing{Done: done, Total: total}) })
		if err != nil {
			if fault.KindOf(err) == fault.Internal && r.Context().Err() == nil {
				a.log.Error("a deal failed", "error", err)
			}
			told := wire.EncodeFault(err)
			say(wire.Dealing{Fault: &told})
			return
		}
		say(wire.Dealing{Deal: &dealt})
	}
}

func (a answering) bound(ctx context.Context, asked wire.Block) (wire.Bound, error) {
	bound, err := a.vault.Bound(ctx, asked.ID)
	return wire.Bound{From: bound.From, Count: bound.Count, Digest: bound.Digest, Batch: bound.Batch}, err
}

func (a answering) forget(_ context.Context, asked wire.Block) (struct{}, error) {
	a.vault.Forget(asked.ID)
	return struct{}{}, nil
}

func (a answering) sweep(_ context.Context, asked wire.Sweep) (wire.Swept, error) {
	known := make(map[block.ID]bool, len(asked.Known))
	for _, id := range asked.Known {
		known[id] = true
	}
	removed, err := a.vault.Sweep(func(id block.ID) bool { return known[id] })
	return wire.Swept{Removed: removed}, err
}

func (a answering) retire(ctx context.Context, asked wire.Block) (struct{}, error) {
	return struct{}{}, a.vault.Retire(ctx, asked.ID)
}

func (a answering) release(ctx context.Context, asked wire.Release) (wire.Released, error) {
	released, err := a.vault.Release(ctx, asked.Header, asked.Evidence)
	if err != nil {
		return wire.Released{}, err
	}
	secret := released.Secret.Reveal()
	told := wire.Released{Secret: secret[:], Signature: released.Signature}
	for _, share := range released.Shares {
		revealed := share.Bytes.Reveal()
		told.Shares = append(told.Shares, wire.Share{Party: share.Party, Share: revealed[:]})
	}
	return told, nil
}

func (a answering) about(context.Context, struct{}) (wire.About, error) {
	return wire.About{Recipient: a.vault.Recipient()}, nil
}
