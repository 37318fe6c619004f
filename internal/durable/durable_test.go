package durable_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/durable"
)

func TestWriteReplacesTheWhole(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	if err := durable.MakeFolder(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "file")
	for _, text := range []string{"a long text of many letters", "short", ""} {
		// What a crash left does not get into the way.
		if err := os.WriteFile(path+durable.UnfinishedSuffix, []byte("left over, and longer than all"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := durable.Write(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
		names, err := os.ReadDir(folder)
		if err != nil || len(names) != 1 || names[0].Name() != "file" {
			t.Errorf("%v, %v", names, err)
		}
	}
}

// A write that fails leaves what was there.
func TestFailedWriteChangesNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	if err := os.MkdirAll(filepath.Join(path, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := durable.Write(path, []byte("x"), 0o600) // a folder that is not empty cannot be replaced
	if !errors.Is(err, fault.Unavailable) || fault.CodeOf(err) != "file_not_written" {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(path, "below")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + durable.UnfinishedSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an unfinished file is left: %v", err)
	}
	for _, err := range []error{durable.Write(filepath.Join(folder, "nowhere", "file"), nil, 0o600),
		durable.MakeFolder(filepath.Join("/dev/null", "x"), 0o700)} {
		if fault.CodeOf(err) != "file_not_written" {
			t.Errorf("%v", err)
		}
	}
}

// One holder at a time has a lock, until it closes the file.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := durable.Lock(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := durable.Lock(path, 0o600); !errors.Is(err, durable.ErrLocked) {
		t.Errorf("the lock was given twice: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := durable.Lock(path, 0o600)
	if err != nil {
		t.Fatalf("the lock was not given again: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := durable.Lock(filepath.Join(t.TempDir(), "no", "folder"), 0o600); err == nil || errors.Is(err, durable.ErrLocked) {
		t.Errorf("a lock without its folder: %v", err)
	}
}
