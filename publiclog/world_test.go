package publiclog_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/publiclog"
)

// noon is the invented beginning of all logs here.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// chosen is a source of invented bytes that are always the same.
func chosen(seed string) *bytes.Reader {
	var stream []byte
	for n := range 8 {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", seed, n))
		stream = append(stream, sum[:]...)
	}
	return bytes.NewReader(stream)
}

func digest(seed string) canon.Digest { return sha256.Sum256([]byte(seed)) }

func identifier(seed string) block.ID {
	sum := sha256.Sum256([]byte(seed))
	return block.ID(sum[:16])
}

// signer makes the key of an invented log, or of a witness.
func signer(t testing.TB, name string, witness bool) (*publiclog.Signer, publiclog.Key) {
	t.Helper()
	make := publiclog.NewKey
	if witness {
		make = publiclog.NewWitnessKey
	}
	private, public, err := make(chosen(name), name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := publiclog.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := publiclog.ParseKey(public)
	if err != nil || key != s.Key() {
		t.Fatalf("%v is not %v: %v", key, s.Key(), err)
	}
	return s, key
}

// hashes are stored hashes in memory.
type hashes []canon.Digest

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(indexes))
	for at, index := range indexes {
		if index < 0 || index >= int64(len(h)) {
			return nil, errors.New("no such hash")
		}
		read[at] = tlog.Hash(h[index])
	}
	return read, nil
}

// book is a log in memory, as a publisher keeps it.
type book struct {
	entries [][]byte
	stored  hashes
	roots   []canon.Digest // by size
}

func (b *book) add(t testing.TB, entries ...[]byte) {
	t.Helper()
	if b.roots == nil {
		b.roots = []canon.Digest{sha256.Sum256(nil)}
	}
	for _, entry := range entries {
		added, root, err := publiclog.Append(uint64(len(b.entries)), []canon.Digest{publiclog.Leaf(entry)}, b.stored)
		if err != nil {
			t.Fatal(err)
		}
		b.entries, b.stored, b.roots = append(b.entries, entry), append(b.stored, added...), append(b.roots, root)
	}
}

func (b *book) between(from, to uint64) ([][]byte, error) { return b.entries[from:to], nil }

func (b *book) file(path string, size uint64) ([]byte, error) {
	return publiclog.File(path, size, b.stored, b.between)
}

// invented is a log of so many entries that mean nothing.
func invented(t testing.TB, size int) *book {
	t.Helper()
	b := new(book)
	b.add(t)
	for i := range size {
		b.add(t, inventedEntry(i))
	}
	return b
}

func inventedEntry(i int) []byte {
	return append([]byte("entry "), binary.BigEndian.AppendUint64(nil, uint64(i))...)
}

// folder is a published log: its files by their paths.
type folder map[string][]byte

func (f folder) read(path string) ([]byte, error) {
	if file, ok := f[path]; ok {
		return file, nil
	}
	return nil, fs.ErrNotExist
}

func (f folder) with(path string, change func([]byte) []byte) folder {
	changed := maps.Clone(f)
	changed[path] = change(bytes.Clone(f[path]))
	return changed
}

// publish exports a log and signs it.
func (b *book) publish(t testing.TB, s *publiclog.Signer) folder {
	t.Helper()
	size := uint64(len(b.entries))
	files := make(folder)
	for _, path := range publiclog.Paths(size) {
		file, err := b.file(path, size)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		files[path] = file
	}
	files[publiclog.CheckpointPath] = sign(t, s, size, b.roots[size])
	return files
}

func sign(t testing.TB, s *publiclog.Signer, size uint64, root canon.Digest) []byte {
	t.Helper()
	signed, err := s.Sign(publiclog.Checkpoint{Origin: s.Key().Name(), Size: size, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	if err == nil || fault.CodeOf(err) != code {
		t.Errorf("%v (%s), want %s", err, fault.CodeOf(err), code)
	}
}
