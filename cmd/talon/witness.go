package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/durable"
	"github.com/talonlottery/talon/internal/witness"
	"github.com/talonlottery/talon/publiclog"
)

// witnessKeyFile is the file of a witness's key, in its folder.
const witnessKeyFile = "witness.key"

type witnessCommand struct {
	Data   string   `help:"Folder of the witness's key and of what it signed. Keep it: a witness that has lost it must take a new key." required:"" env:"TALON_WITNESS_DATA" type:"path"`
	Listen string   `help:"Address to listen on." default:"localhost:7381" env:"TALON_WITNESS_LISTEN"`
	Name   string   `help:"Name of the key that is made when the folder has none; best the address of the witness without its scheme." default:"localhost/witness" env:"TALON_WITNESS_NAME"`
	Log    []string `help:"Public key of a log to cosign; may be given more than once." placeholder:"KEY" required:"" env:"TALON_WITNESS_LOG"`
}

// Run cosigns checkpoints until it is told to stop.
func (c witnessCommand) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	var keys []publiclog.Key
	for _, text := range c.Log {
		key, err := publiclog.ParseKey(strings.TrimSpace(text))
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	if err := durable.MakeFolder(c.Data, 0o700); err != nil {
		return err
	}
	lock, err := lockFolder(c.Data)
	if err != nil {
		return err
	}
	defer lock.Close()
	signer, err := c.signer()
	if err != nil {
		return err
	}
	opened, err := witness.Open(witness.Config{Folder: filepath.Join(c.Data, "logs"), Signer: signer, Logs: keys, Clock: time.Now, Log: logger})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fault.New(fault.Invalid, "address_unusable", "cannot listen on %s: %w", c.Listen, err).
			Next("stop what listens there, or name another address with --listen or TALON_WITNESS_LISTEN")
	}
	defer listener.Close()
	fmt.Fprintf(s.out, "Talon witness: http://%s\nIts key, for those who ask for its signature: %s\n", listener.Addr(), signer.Key())
	for _, key := range keys {
		newest, _ := opened.Newest(key.Name())
		fmt.Fprintf(s.out, "Cosigns %s, of which it has recorded %d entries.\n", key.Name(), newest.Size)
	}
	return serve(ctx, listener, opened, logger)
}

// signer reads the witness's key, or makes it.
func (c witnessCommand) signer() (*publiclog.Signer, error) {
	path := filepath.Join(c.Data, witnessKeyFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		private, _, err := publiclog.NewWitnessKey(rand.Reader, c.Name)
		if err != nil {
			return nil, err
		}
		if err := durable.Write(path, []byte(private+"\n"), 0o600); err != nil {
			return nil, err
		}
		return publiclog.NewSigner(private)
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "key_unreadable", "the witness's key cannot be read: %w", err).At(path)
	}
	signer, err := publiclog.NewSigner(strings.TrimSpace(string(text)))
	if err == nil && !signer.Key().Cosigns() {
		err = fault.New(fault.Invalid, "signer_wrong", "the key is not that of a witness").At(path)
	}
	return signer, err
}
