package publiclog_test

import (
	"bytes"
	"testing"

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
