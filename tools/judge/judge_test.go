package judge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"testing"
	"time"

	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/tessera/api"
	"github.com/transparency-dev/tessera/api/layout"
	"github.com/transparency-dev/tessera/fsck"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/publiclog"
)

const origin = "log.example/talon"

func newSigner(t *testing.T, name string, make func(seed []byte) (string, string, error)) *publiclog.Signer {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	private, _, err := make(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	signer, err := publiclog.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// hashes are stored hashes in memory.
type hashes []canon.Digest

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(indexes))
	for at, index := range indexes {
		read[at] = tlog.Hash(h[index])
	}
	return read, nil
}

// published is a log's files by their paths, as Tessera's checker fetches them.
type published map[string][]byte

func (p published) file(path string) ([]byte, error) {
	if file, ok := p[path]; ok {
		return file, nil
	}
	return nil, os.ErrNotExist
}

func (p published) ReadCheckpoint(context.Context) ([]byte, error) { return p.file("checkpoint") }

func (p published) ReadTile(_ context.Context, level, index uint64, width uint8) ([]byte, error) {
	return p.file(layout.TilePath(level, index, width))
}

func (p published) ReadEntryBundle(_ context.Context, index uint64, width uint8) ([]byte, error) {
	return p.file(layout.EntriesPath(index, width))
}

// export publishes a log of real entries.
func export(t *testing.T, signer *publiclog.Signer, size int) published {
	t.Helper()
	var entries [][]byte
	var leaves []canon.Digest
	for i := range size {
		entry, err := publiclog.Encode(publiclog.Sales{At: time.UnixMilli(int64(i)), Sold: uint32(i)})
		if err != nil {
			t.Fatal(err)
		}
		entries, leaves = append(entries, entry), append(leaves, publiclog.Leaf(entry))
	}
	stored, root, err := publiclog.Append(0, leaves, hashes{})
	if err != nil {
		t.Fatal(err)
	}
	files := make(published)
	for _, path := range publiclog.Paths(uint64(size)) {
		files[path], err = publiclog.File(path, uint64(size), hashes(stored), func(from, to uint64) ([][]byte, error) { return entries[from:to], nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	files["checkpoint"], err = signer.Sign(publiclog.Checkpoint{Origin: origin, Size: uint64(size), Root: root})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func judge(t *testing.T, key publiclog.Key, files published) error {
	t.Helper()
	verifier, err := note.NewVerifier(key.String())
	if err != nil {
		t.Fatal(err)
	}
	leaves := func(joined []byte) ([][]byte, error) {
		var bundle api.EntryBundle
		if err := bundle.UnmarshalText(joined); err != nil {
			return nil, err
		}
		var hashes [][]byte
		for _, entry := range bundle.Entries {
			leaf := sha256.Sum256(append([]byte{0}, entry...))
			hashes = append(hashes, leaf[:])
		}
		return hashes, nil
	}
	// With one worker the checker waits for ever once that one has found something.
	return fsck.New(origin, verifier, files, leaves, fsck.Opts{N: 16}).Check(t.Context())
}

// Tessera's checker accepts what we publish, and finds each spoilt file, as ours does.
func TestTesseraAcceptsOurTiles(t *testing.T) {
	signer := newSigner(t, origin, func(seed []byte) (string, string, error) {
		return publiclog.NewKey(bytes.NewReader(seed), origin)
	})
	for _, size := range []int{1, 255, 256, 257, 700, 66_000} {
		files := export(t, signer, size)
		if err := judge(t, signer.Key(), files); err != nil {
			t.Errorf("%d entries: %v", size, err)
		}
		if size != 700 {
			continue
		}
		for path := range files {
			spoilt := maps.Clone(files)
			spoilt[path] = bytes.Clone(files[path])
			spoilt[path][len(spoilt[path])/2] ^= 1
			theirs := judge(t, signer.Key(), spoilt)
			reader, ours := publiclog.OpenReader(spoilt.file, signer.Key(), nil, 0)
			if ours == nil {
				ours = reader.Check(nil)
			}
			if theirs == nil || ours == nil {
				t.Errorf("%s is spoilt: Tessera says %v, we say %v", path, theirs, ours)
			}
		}
	}
}

// A cosignature of ours is one for the transparency.dev witness library.
func TestOthersAcceptOurCosignatures(t *testing.T) {
	signer := newSigner(t, origin, func(seed []byte) (string, string, error) {
		return publiclog.NewKey(bytes.NewReader(seed), origin)
	})
	witness := newSigner(t, "witness.example/w", func(seed []byte) (string, string, error) {
		return publiclog.NewWitnessKey(bytes.NewReader(seed), "witness.example/w")
	})
	signed := export(t, signer, 3)["checkpoint"]
	at := time.Unix(1767225600, 0)
	line, err := witness.Cosign(signed, at)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := fnote.NewVerifierForCosignatureV1(witness.Key().String())
	if err != nil {
		t.Fatal(err)
	}
	opened, err := note.Open(fmt.Appendf(nil, "%s%s", signed, line), note.VerifierList(verifier))
	if err != nil || len(opened.Sigs) != 1 {
		t.Fatalf("%v, %v", opened, err)
	}
	if got, err := fnote.CoSigV1Timestamp(opened.Sigs[0]); err != nil || !got.Equal(at) {
		t.Errorf("%v, %v", got, err)
	}
}
