package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/demo"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/money"
)

type demoCommand struct {
	dataFlags
	Listen string `help:"Address to listen on." default:"localhost:8080" env:"TALON_LISTEN"`
	Blocks int    `help:"Blocks of an emission, for each game and stake, when it is first opened." default:"3" env:"TALON_BLOCKS"`
	Vault  string `help:"Socket of a vault that runs as another user (talon vault). Default: the vault is in this process." env:"TALON_VAULT"`
	publicFlags
	PrizeDueAbove money.Amount `help:"Prizes above this amount are due and paid after approval." default:"1000" env:"TALON_PRIZE_DUE_ABOVE"`
}

// drainTime is how long a stop waits for requests and sales in flight.
const drainTime = 10 * time.Second

// Run serves both games with play money until it is told to stop.
func (c demoCommand) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	folder, loaded, err := c.load()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fault.New(fault.Invalid, "address_unusable", "cannot listen on %s: %w", c.Listen, err).
			Next("stop what listens there, or name another address with --listen or TALON_LISTEN")
	}
	defer listener.Close()
	h, err := openHouse(ctx, houseConfig{
		folder: folder, catalogue: loaded, blocks: c.Blocks, prizeDueAbove: c.PrizeDueAbove, vault: c.Vault, log: logger,
		dealtBy: "demo-dealer", approvedBy: "demo-approver", public: c.publicFlags,
		progress: printProgress(s),
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "Talon demo, play money only: http://%s\nData is kept in %s. Ctrl-C stops it; starting again finds everything.\n",
		listener.Addr(), folder)
	visitors := demo.New(demo.Config{Store: h.store, Clock: time.Now, Random: rand.Reader})
	served := serve(ctx, listener, faces(h, visitors, logger), logger)
	drain, stop := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer stop()
	if err := errors.Join(served, h.close(drain)); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "Stopped; everything is recorded.")
	return nil
}

// serve answers requests until the context ends, then finishes those in flight.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, logger *slog.Logger) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
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
	if served := <-stopped; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// printProgress prints each quarter of each block that is dealt.
func printProgress(s streams) func(office.Progress) {
	type key struct {
		game  string
		stake int
	}
	var mu sync.Mutex
	last := make(map[key]uint64)
	return func(p office.Progress) {
		mu.Lock()
		defer mu.Unlock()
		k, quarter := key{p.Game, p.Stake}, 4*uint64(p.Done)/uint64(max(p.Total, 1))
		if was, ok := last[k]; ok && was == quarter {
			return
		}
		last[k] = quarter
		fmt.Fprintf(s.log, "dealing %s, stake %d: %d %% of %d units\n", p.Game, p.Stake+1, 25*quarter, p.Total)
	}
}
