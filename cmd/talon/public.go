package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/publish"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// publicFlags say how the public log is kept.
type publicFlags struct {
	LogName         string        `help:"Name of the operator's key and of the public log, when the key is made." default:"localhost/talon-demo" env:"TALON_LOG_NAME"`
	CheckpointEvery time.Duration `help:"How often the public log is told of sales." default:"10s" env:"TALON_CHECKPOINT_EVERY"`
}

// The files of the public log, below the data folder.
const (
	logFolder   = "log"
	signerFile  = "signer.key" // signs checkpoints; whoever has it can sign another log
	keyFile     = "public.key" // the operator's public key
	salesFolder = "sales"
)

// publicParts are what a publisher stands on.
type publicParts struct {
	folder    string
	store     store.Store
	tiles     func(block.ID) string
	catalogue *catalogue.Catalogue
	log       *slog.Logger
	published func()
}

// publisher opens the public log of a data folder, and makes its key when there is none.
func (f publicFlags) publisher(ctx context.Context, parts publicParts) (*publish.Publisher, error) {
	signer, err := f.signer(ctx, filepath.Join(parts.folder, logFolder), parts.store)
	if err != nil {
		return nil, err
	}
	return publish.New(ctx, publish.Config{
		Store: parts.store, Signer: signer, Clock: time.Now, Log: parts.log, Holder: rand.Text(), Every: f.CheckpointEvery,
		Folder: filepath.Join(parts.folder, salesFolder), Tiles: publish.OpenTiles(parts.tiles),
		Definitions: definitionsOf(parts.catalogue), Published: parts.published,
	})
}

// signer reads the operator's key, or makes it for a log that has no entry yet: a log whose key is lost
// cannot go on under another.
func (f publicFlags) signer(ctx context.Context, folder string, records store.Store) (*publiclog.Signer, error) {
	path := filepath.Join(folder, signerFile)
	text, err := os.ReadFile(path)
	if err == nil {
		return publiclog.NewSigner(string(text))
	}
	unusable := func(err error) error {
		return fault.New(fault.Unavailable, "log_key_unusable", "the key of the public log cannot be used: %w", err).
			Next("check %s and its rights", path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, unusable(err)
	}
	head, err := records.LogHead(ctx)
	if err != nil {
		return nil, err
	}
	if head.Size > 0 {
		return nil, fault.New(fault.Corrupt, "log_key_missing", "the public log has %d entries, and the key that signs it is gone", head.Size).
			Next("restore %s from its backup; another key could not continue this log", path)
	}
	made, verifier, err := publiclog.NewKey(rand.Reader, f.LogName)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, unusable(err)
	}
	if err := writeKey(path, made, 0o600); err != nil {
		return nil, unusable(err)
	}
	if err := writeKey(filepath.Join(folder, keyFile), verifier+"\n", 0o644); err != nil {
		return nil, unusable(err)
	}
	return publiclog.NewSigner(made)
}

// readPublicKey reads the operator's public key from a data folder.
func readPublicKey(folder string) (publiclog.Key, error) {
	path := filepath.Join(folder, logFolder, keyFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return publiclog.Key{}, fault.New(fault.NotFound, "log_key_missing", "the public log's key cannot be read: %w", err).
			Next("restore %s; `talon demo` makes it with the folder", path)
	}
	return publiclog.ParseKey(strings.TrimSpace(string(text)))
}

// writeKey writes a new file so that after a power cut it is whole or absent.
func writeKey(path, text string, mode os.FileMode) error {
	unfinished := path + ".unfinished"
	file, err := os.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(unfinished, path)
	}
	if err != nil {
		return err
	}
	opened, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

// definitionsOf gives the canonical JSON of the catalogue's definitions by their hash.
func definitionsOf(c *catalogue.Catalogue) func(canon.Digest) ([]byte, error) {
	known := make(map[canon.Digest][]byte)
	for _, g := range c.Games() {
		known[g.Hash] = g.Canonical
	}
	for _, j := range c.Jackpots() {
		known[j.Hash] = j.Canonical
	}
	return func(hash canon.Digest) ([]byte, error) {
		if found, ok := known[hash]; ok {
			return found, nil
		}
		return nil, fault.New(fault.NotFound, "definition_unknown", "there is no definition with the hash %s here", hash).
			Next("start with the definition that was published")
	}
}
