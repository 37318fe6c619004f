package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/durable"
	"github.com/talonlottery/talon/internal/publish"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/witness"
	"github.com/talonlottery/talon/publiclog"
)

// publicFlags say how the public log is kept.
type publicFlags struct {
	LogName         string        `help:"Name of the operator's key and of the public log, when the key is made." default:"localhost/talon-demo" env:"TALON_LOG_NAME"`
	CheckpointEvery time.Duration `help:"How often the public log is told of sales." default:"10s" env:"TALON_CHECKPOINT_EVERY"`
	Witness         []string      `help:"Key and address of a witness that is asked to cosign the log; may be given more than once." placeholder:"KEY@https://…" env:"TALON_WITNESS"`
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
	witnesses, err := f.witnesses()
	if err != nil {
		return nil, err
	}
	return publish.New(ctx, publish.Config{
		Witnesses: witnesses,
		Store:     parts.store, Signer: signer, Clock: time.Now, Log: parts.log, Holder: rand.Text(), Every: f.CheckpointEvery,
		Folder: filepath.Join(parts.folder, salesFolder), Tiles: publish.OpenTiles(parts.tiles),
		Definitions: definitionsOf(parts.catalogue), Published: parts.published,
	})
}

// witnessPatience is how long a witness may take to answer.
const witnessPatience = 10 * time.Second

// witnesses are those that are asked to cosign.
func (f publicFlags) witnesses() ([]publish.Witness, error) {
	var list []publish.Witness
	client := &http.Client{Timeout: witnessPatience}
	for _, text := range f.Witness {
		key, address, found := strings.Cut(text, "@http")
		parsed, err := publiclog.ParseKey(key)
		if err != nil || !found || !parsed.Cosigns() {
			return nil, fault.New(fault.Invalid, "witness_malformed", "%q is not the key and the address of a witness", text).
				Next("write KEY@https://ADDRESS; `talon witness` prints its key").At("--witness")
		}
		address = "http" + address
		list = append(list, publish.Witness{Key: parsed, Submit: func(ctx context.Context, older, size uint64, note []byte, prove func(uint64) ([]canon.Digest, error)) (string, error) {
			line, err := witness.Submit(ctx, client, witness.Submission{URL: address, Key: parsed, Signed: note, Size: size, Older: older, Prove: prove})
			return string(line), err
		}})
	}
	return list, nil
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
	err = durable.MakeFolder(folder, 0o755)
	if err == nil {
		err = durable.Write(path, []byte(made), 0o600)
	}
	if err == nil {
		err = durable.Write(filepath.Join(folder, keyFile), []byte(verifier+"\n"), 0o644)
	}
	if err != nil {
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
