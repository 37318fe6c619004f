package publiclog_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/publiclog"
)

func TestReader(t *testing.T) {
	s, key := signer(t, "log.example/talon", false)
	for _, size := range []int{0, 1, 2, 255, 256, 257, 300, 513, 66_000} {
		b := invented(t, size)
		reader, err := publiclog.OpenReader(b.publish(t, s).read, key, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := reader.Checkpoint(); got.Size != uint64(size) || got.Root != b.roots[size] {
			t.Errorf("%v", got)
		}
		seen := 0
		err = reader.Check(func(e publiclog.NumberedBytes) error {
			if e.Index != uint64(seen) || !bytes.Equal(e.Raw, b.entries[seen]) {
				t.Fatalf("entry %d is %d, %q", seen, e.Index, e.Raw)
			}
			seen++
			return nil
		})
		if err != nil || seen != size {
			t.Errorf("%d entries: %d seen, %v", size, seen, err)
		}
		from := size / 3
		for e, err := range reader.Entries(uint64(from), uint64(size)) {
			if err != nil || e.Index != uint64(from) || !bytes.Equal(e.Raw, b.entries[from]) {
				t.Fatalf("entry %d is %d, %q: %v", from, e.Index, e.Raw, err)
			}
			from++
		}
		if from != size {
			t.Errorf("%d of %d entries", from, size)
		}
		for _, index := range []int{0, size / 2, size - 1} {
			if index < 0 || index >= size {
				continue
			}
			path, err := reader.ProveInclusion(uint64(index))
			if err != nil {
				t.Fatal(err)
			}
			if err := publiclog.VerifyInclusion(b.roots[size], uint64(size), uint64(index), publiclog.Leaf(b.entries[index]), path); err != nil {
				t.Error(err)
			}
			if err := reader.Extends(publiclog.Checkpoint{Origin: key.Name(), Size: uint64(index), Root: b.roots[index]}); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestEveryFileIsChecked spoils each file of a log in turn: the full check finds it.
func TestEveryFileIsChecked(t *testing.T) {
	s, key := signer(t, origin, false)
	b := invented(t, 66_000)
	whole := b.publish(t, s)
	spoil := map[string][]string{
		"a bit": {"log_root_wrong", "log_unreadable"}, "cut": {"log_unreadable"}, "longer": {"log_unreadable"}, "missing": {"log_unreadable"},
	}
	changes := map[string]func([]byte) []byte{
		"a bit":  func(file []byte) []byte { file[len(file)-1] ^= 1; return file },
		"cut":    func(file []byte) []byte { return file[:len(file)-1] },
		"longer": func(file []byte) []byte { return append(file, 0) },
	}
	for _, path := range []string{"tile/entries/000", "tile/entries/257.p/208", "tile/0/000", "tile/0/255", "tile/0/257.p/208", "tile/1/000", "tile/1/001.p/1", "tile/2/000.p/1"} {
		if whole[path] == nil {
			t.Fatalf("%s was not published", path)
		}
		for how, codes := range spoil {
			files := maps.Clone(whole)
			delete(files, path)
			if change := changes[how]; change != nil {
				files = whole.with(path, change)
			}
			reader, err := publiclog.OpenReader(files.read, key, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := reader.Check(nil); !slices.Contains(codes, fault.CodeOf(err)) {
				t.Errorf("%s, %s: %v", path, how, err)
			}
		}
	}
	// Two entries exchanged, and one removed with all that follows renumbered.
	swapped := whole.with("tile/entries/000", func(file []byte) []byte {
		size := 2 + len(inventedEntry(0))
		return slices.Concat(file[size:2*size], file[:size], file[2*size:])
	})
	reader, err := publiclog.OpenReader(swapped.read, key, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, reader.Check(nil), "log_root_wrong")
	for _, err := range reader.Entries(0, 1) {
		wantCode(t, err, "log_root_wrong")
	}
	// A whole other log under this log's checkpoint: its files agree with each other.
	other := new(book)
	for i := range 300 {
		other.add(t, inventedEntry(i+1))
	}
	files := other.publish(t, s)
	files[publiclog.CheckpointPath] = sign(t, s, 300, invented(t, 300).roots[300])
	if reader, err = publiclog.OpenReader(files.read, key, nil, 0); err != nil {
		t.Fatal(err)
	}
	wantCode(t, reader.Check(nil), "log_root_wrong")
	_, err = reader.ProveInclusion(3)
	wantCode(t, err, "log_root_wrong")
	_, err = reader.ProveConsistency(3)
	wantCode(t, err, "log_root_wrong")
	wantCode(t, reader.Extends(publiclog.Checkpoint{Origin: origin, Size: 3}), "log_root_wrong")
}

func TestReaderRefusals(t *testing.T) {
	s, key := signer(t, origin, false)
	b := invented(t, 300)
	files := b.publish(t, s)
	_, err := publiclog.OpenReader(folder{}.read, key, nil, 0)
	wantCode(t, err, "log_unreadable")
	_, err = publiclog.OpenReader(files.with("checkpoint", func([]byte) []byte { return nil }).read, key, nil, 0)
	wantCode(t, err, "checkpoint_signature_wrong")
	_, err = publiclog.OpenReader(files.read, key, nil, 1)
	wantCode(t, err, "cosignature_missing")
	reader, err := publiclog.OpenReader(files.read, key, nil, 0)
	if err != nil || !bytes.Equal(reader.Signed(), files["checkpoint"]) {
		t.Fatal(err)
	}
	_, err = reader.ProveInclusion(300)
	wantCode(t, err, "index_outside_log")
	_, err = reader.ProveConsistency(301)
	wantCode(t, err, "index_outside_log")
	for _, bounds := range [][2]uint64{{0, 301}, {2, 1}} {
		for _, err := range reader.Entries(bounds[0], bounds[1]) {
			wantCode(t, err, "index_outside_log")
		}
	}
	for e := range reader.Entries(10, 300) {
		if e.Index == 20 {
			break // whoever stops early is not called again
		}
	}
	stop := errors.New("enough")
	if err := reader.Check(func(e publiclog.NumberedBytes) error {
		if e.Index == 17 {
			return stop
		}
		return nil
	}); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	delete(files, "tile/0/000")
	if reader, err = publiclog.OpenReader(files.read, key, nil, 0); err != nil {
		t.Fatal(err)
	}
	_, err = reader.ProveInclusion(3)
	wantCode(t, err, "log_unreadable")
	for _, err := range reader.Entries(0, 1) {
		wantCode(t, err, "log_unreadable")
	}
}

// A log that was rolled back, or of which two were signed, is found with the checkpoint seen before.
func TestExtends(t *testing.T) {
	s, key := signer(t, origin, false)
	b := invented(t, 300)
	read := func(b *book) *publiclog.Reader {
		reader, err := publiclog.OpenReader(b.publish(t, s).read, key, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		return reader
	}
	seen := publiclog.Checkpoint{Origin: origin, Size: 290, Root: b.roots[290]}
	if err := read(b).Extends(seen); err != nil {
		t.Error(err)
	}
	forked := invented(t, 280)
	for i := range 20 {
		if i == 9 {
			wantCode(t, read(forked).Extends(seen), "log_rolled_back")
		}
		if i == 10 {
			wantCode(t, read(forked).Extends(seen), "split_view")
		}
		forked.add(t, inventedEntry(1000+i))
	}
	wantCode(t, read(forked).Extends(seen), "log_rolled_back")
}

// When a partial tile has gone because it is full now, a reader of the older checkpoint reads the full
// one.
func TestPartialTilesThatAreFullNow(t *testing.T) {
	s, key := signer(t, origin, false)
	b := invented(t, 600)
	files := b.publish(t, s)
	files["checkpoint"] = sign(t, s, 500, b.roots[500])
	files["tile/1/000.p/1"], _ = b.file("tile/1/000.p/1", 600)
	reader, err := publiclog.OpenReader(files.read, key, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Check(nil); err != nil {
		t.Error(err)
	}
	if _, err := reader.ProveInclusion(499); err != nil {
		t.Error(err)
	}
	for e, err := range reader.Entries(490, 500) {
		if err != nil || !bytes.Equal(e.Raw, b.entries[e.Index]) {
			t.Errorf("%d: %v", e.Index, err)
		}
	}
}

func TestPathsAsSpecified(t *testing.T) {
	// The example of C2SP tlog-tiles: 273 full tiles of level 0, a partial one of 112, and so on.
	paths := publiclog.Paths(70_000)
	levels := make(map[string]int)
	for _, path := range paths {
		levels[strings.Split(path, "/")[1]]++
	}
	if fmt.Sprint(levels) != "map[0:274 1:2 2:1 entries:274]" {
		t.Errorf("%v", levels)
	}
	for _, path := range []string{"tile/entries/272", "tile/entries/273.p/112", "tile/0/000", "tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17", "tile/2/000.p/1"} {
		if !slices.Contains(paths, path) {
			t.Errorf("%s is missing", path)
		}
	}
	if got := publiclog.Paths(256); !slices.Equal(got, []string{"tile/entries/000", "tile/0/000", "tile/1/000.p/1"}) {
		t.Errorf("%v", got)
	}
	if got := publiclog.Paths(0); got != nil {
		t.Errorf("%v", got)
	}
}

// TestFilesAgreeWithAnotherTree compares every tile with those of tlog, and entries with the pairs of
// length and bytes that log.md says.
func TestFilesAgreeWithAnotherTree(t *testing.T) {
	const size = 66_000
	b := invented(t, size)
	var theirs reference
	for i := range size {
		theirs.add(t, i, inventedEntry(i))
	}
	for _, tile := range tlog.NewTiles(8, 0, size) {
		want, err := tlog.ReadTileData(tile, theirs)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		if got, err := b.file(path, size); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	got, err := b.file("tile/entries/257.p/2", size)
	var want []byte
	for i := 257 * 256; i < 257*256+2; i++ {
		want = append(binary.BigEndian.AppendUint16(want, 14), inventedEntry(i)...)
	}
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%x, %v, want %x", got, err, want)
	}
}

var badPaths = []string{"", "checkpoint", "tile", "tile/", "tile/0", "tile/0/", "tile/0/0", "tile/0/00", "tile/0/0000", "tile/0/x000", "tile/0/x000/000", "tile/0/001/001",
	"tile/00/000", "tile/-1/000", "tile/+0/000", "tile/data/000", "tile/8/0/000", "tile/entries", "tile/entries/000/", "/tile/0/000", "tile//000", "tile/0/000.p", "tile/0/000.p/",
	"tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/-1", "tile/0/000.p/1/", "tile/0/000.P/1", "tile/0/000.p/1.p/1", "tile/0/..", "tile/0/../0/000", "tile/0/002",
	"tile/0/001.p/45", "tile/1/000.p/2", "tile/1/000", "tile/2/000.p/1", "tile/63/000.p/1", "tile/64/000.p/1", "tile/64/000", "tile/entries/001", "tile/entries/001.p/45", "tile/0/x999/999",
	"tile/0/x009/x223/x372/x036/x854/x775/807", "tile/0/x999/x999/x999/x999/x999/x999/999", "tile/0/000\x00", "tile/0/٠٠٠", "tile/0/000 ", "tile/0/000?x", strings.Repeat("x000/", 1000)}

func TestFileRefusesOtherPaths(t *testing.T) {
	b := invented(t, 300)
	for _, path := range badPaths {
		if file, err := b.file(path, 300); fault.CodeOf(err) != "tile_unknown" || !errors.Is(err, fault.NotFound) {
			t.Errorf("%q: %d bytes, %v", path, len(file), err)
		}
	}
	if _, err := publiclog.File("tile/0/000", 1<<60, b.stored, b.between); fault.CodeOf(err) != "tile_unknown" {
		t.Errorf("%v", err)
	}
	// An older partial tile is served as long as it is asked for.
	for _, path := range []string{"tile/0/001.p/43", "tile/0/000.p/17", "tile/entries/001.p/1"} {
		if _, err := b.file(path, 300); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	_, err := publiclog.File("tile/0/000", 300, hashes{}, b.between)
	wantCode(t, err, "hashes_unreadable")
	for _, entries := range [][][]byte{nil, make([][]byte, 43), append(make([][]byte, 43), make([]byte, 65536))} {
		_, err := publiclog.File("tile/entries/001.p/44", 300, b.stored, func(from, to uint64) ([][]byte, error) {
			if from != 256 || to != 300 {
				t.Errorf("%d to %d", from, to)
			}
			return entries, nil
		})
		wantCode(t, err, "entries_wrong")
	}
	_, err = publiclog.File("tile/entries/000", 300, b.stored, func(uint64, uint64) ([][]byte, error) { return nil, errors.New("no") })
	wantCode(t, err, "internal")
}

func FuzzFile(f *testing.F) {
	for _, path := range append(publiclog.Paths(300), badPaths...) {
		f.Add(path, uint64(300))
	}
	b := invented(f, 300)
	f.Fuzz(func(t *testing.T, path string, size uint64) {
		size %= 301
		file, err := b.file(path, size)
		if err != nil {
			wantCode(t, err, "tile_unknown")
			return
		}
		// What is rendered is a beginning of what the paths of the tree name.
		full, _, _ := strings.Cut(path, ".p/")
		at := slices.IndexFunc(publiclog.Paths(300), func(p string) bool { p, _, _ = strings.Cut(p, ".p/"); return p == full })
		if at < 0 {
			t.Fatalf("%q is not a path of the tree", path)
		}
		whole, err := b.file(publiclog.Paths(300)[at], 300)
		if err != nil || !bytes.HasPrefix(whole, file) || len(file) == 0 {
			t.Errorf("%q at %d: %v", path, size, err)
		}
	})
}

// FuzzReader puts any bytes in the place of a tile of entries and of one of hashes.
func FuzzReader(f *testing.F) {
	s, key := signer(f, origin, false)
	b := invented(f, 5)
	whole := b.publish(f, s)
	f.Add(whole["tile/entries/000.p/5"], whole["tile/0/000.p/5"])
	f.Fuzz(func(t *testing.T, entries, tile []byte) {
		files := maps.Clone(whole)
		files["tile/entries/000.p/5"], files["tile/0/000.p/5"] = entries, tile
		reader, err := publiclog.OpenReader(files.read, key, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		genuine := bytes.Equal(entries, whole["tile/entries/000.p/5"]) && bytes.Equal(tile, whole["tile/0/000.p/5"])
		if err := reader.Check(nil); (err == nil) != genuine {
			t.Errorf("%v of %x, %x", err, entries, tile)
		}
		for e, err := range reader.Entries(0, 5) {
			if err == nil && !bytes.Equal(e.Raw, b.entries[e.Index]) {
				t.Errorf("%x was taken for entry %d", e.Raw, e.Index)
			}
		}
	})
}
