package vault_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/vault"
	"github.com/talonlottery/talon/money"
)

// recorder is a source of randomness that remembers what it gave, for a test to look for.
type recorder struct {
	source io.Reader
	given  [][]byte
}

func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.source.Read(p)
	r.given = append(r.given, bytes.Clone(p[:n]))
	return n, err
}

func seeded(seed byte) *recorder {
	return &recorder{source: rand.NewChaCha8([32]byte{seed})}
}

func configured(t testing.TB, random io.Reader) vault.Config {
	folder := t.TempDir()
	return vault.Config{
		Secrets: filepath.Join(folder, "vault"), Tiles: filepath.Join(folder, "tiles"),
		Random: random, Catalogue: cataloguetest.New(t),
	}
}

func opened(t testing.TB, config vault.Config) *vault.Vault {
	t.Helper()
	v, err := vault.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v
}

// reopened closes a vault and opens its folder again, as after a restart.
func reopened(t testing.TB, v *vault.Vault, config vault.Config) *vault.Vault {
	t.Helper()
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	return opened(t, config)
}

// open opens units of one block from one on.
func open(t testing.TB, v keeper, header block.Header, from uint32, batch custody.Batch, into []block.Unit) error {
	return v.OpenUnits(t.Context(), batch, custody.Range{Header: header, From: from, Into: into})
}

func dealt(t testing.TB, v keeper, game string, stake int) block.Deal {
	t.Helper()
	deal, err := v.Deal(t.Context(), game, stake, nil)
	if err != nil {
		t.Fatal(err)
	}
	return deal
}

func digest(n byte) custody.Batch { return custody.Batch{n} }

// wants fails unless an error is a fault with a code.
func wants(t testing.TB, err error, kind fault.Kind, code string) {
	t.Helper()
	if !errors.Is(err, kind) || fault.CodeOf(err) != code {
		t.Fatalf("%s with code %s was expected, not %v (%s)", kind, code, err, fault.CodeOf(err))
	}
}

// A whole block comes out range by range: the published table, each unit the one that was sealed.
func TestABlockOpensAsItWasSealed(t *testing.T) { bothWays(t, testABlockOpensAsItWasSealed) }

func testABlockOpensAsItWasSealed(t *testing.T, f form) {
	config := configured(t, seeded(1))
	v := f.start(t, config)
	for _, one := range []struct {
		game  string
		stake int
	}{{cataloguetest.Moons, 0}, {cataloguetest.Moons, 1}, {cataloguetest.Winds, 0}, {cataloguetest.SmallPot, 0}} {
		deal := dealt(t, v, one.game, one.stake)
		file, err := os.Open(vault.TilesPath(config.Tiles, deal.Header.ID))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		tiles := block.NewTiles(file, deal.Header.Size)
		prizes := map[money.Amount]uint32{}
		for from, batch := uint32(0), byte(1); from < deal.Header.Size; batch++ {
			units := make([]block.Unit, min(37, deal.Header.Size-from))
			if err := open(t, v, deal.Header, from, digest(batch), units); err != nil {
				t.Fatal(err)
			}
			for at := range units {
				if units[at].Index != from {
					t.Fatalf("unit %d was opened as unit %d", from, units[at].Index)
				}
				prizes[units[at].Prize]++
				leaf, err := tiles.Leaf(from)
				if err != nil {
					t.Fatal(err)
				}
				if leaf != deal.Header.Leaf(&units[at]) {
					t.Fatalf("unit %d of %s is not the one in the tiles", from, one.game)
				}
				path, err := tiles.Prove(from)
				if err != nil {
					t.Fatal(err)
				}
				if err := block.VerifyInclusion(deal.Root, deal.Header.Size, from, leaf, path); err != nil {
					t.Fatal(err)
				}
				from++
			}
		}
		if game, err := config.Catalogue.Game(one.game); err == nil {
			expected := map[money.Amount]uint32{0: deal.Header.Size - game.Prizes.Count}
			for _, tier := range game.Prizes.Tiers {
				expected[tier.Amounts[one.stake]] += tier.Count
			}
			if diff := cmp.Diff(expected, prizes); diff != "" {
				t.Errorf("%s: prizes of a block (-table +opened)\n%s", one.game, diff)
			}
		}
	}
}

func TestRanges(t *testing.T) { bothWays(t, testRanges) }

func testRanges(t *testing.T, f form) {
	v := f.start(t, configured(t, seeded(2)))
	deal := dealt(t, v, cataloguetest.Moons, 0)
	for _, step := range []struct {
		name        string
		from, count uint32
		batch       byte
		code        string
	}{
		{"one that does not begin the block", 1, 3, 1, "range_opened_twice"},
		{"the first range", 0, 3, 1, ""},
		{"the same for the same batch", 0, 3, 1, ""},
		{"the same for another batch", 0, 3, 2, "range_opened_twice"},
		{"a part of it for the same batch", 0, 2, 1, "range_opened_twice"},
		{"one that overlaps it", 2, 3, 2, "range_opened_twice"},
		{"one that skips a unit", 4, 3, 2, "range_opened_twice"},
		{"nothing", 3, 0, 2, "index_outside_block"},
		{"the next range", 3, 1, 2, ""},
		{"one before it", 0, 3, 1, "range_opened_twice"},
		{"up to the end", 4, deal.Header.Size - 4, 3, ""},
		{"beyond the end", deal.Header.Size, 1, 4, "index_outside_block"},
		{"across the end", deal.Header.Size - 1, 2, 4, "index_outside_block"},
		{"wrapping round", 1<<32 - 1, 2, 4, "index_outside_block"},
	} {
		err := open(t, v, deal.Header, step.from, digest(step.batch), make([]block.Unit, step.count))
		if step.code == "" && err != nil || step.code != "" && fault.CodeOf(err) != step.code {
			t.Errorf("%s: code %q was expected, not %v", step.name, step.code, err)
		}
	}
}

// The broken twin is a vault whose journal is put back to what it was before the units were opened: it opens them for two batches.
func TestAVaultThatForgetsIsTold(t *testing.T) {
	config := configured(t, seeded(3))
	v := opened(t, config)
	deal := dealt(t, v, cataloguetest.Moons, 0)
	twice := func(between func()) error {
		for batch := range byte(2) {
			if err := open(t, v, deal.Header, 0, digest(batch+1), make([]block.Unit, 1)); err != nil {
				return err
			}
			between()
		}
		return nil
	}
	forgets := func() {
		if err := os.Truncate(filepath.Join(config.Secrets, "journal"), 0); err != nil {
			t.Fatal(err)
		}
		v = reopened(t, v, config)
	}
	if err := twice(forgets); err != nil {
		t.Errorf("the broken twin was expected to open a unit for two batches: %v", err)
	}
	wants(t, twice(func() {}), fault.Corrupt, "range_opened_twice")
	wants(t, twice(func() { v = reopened(t, v, config) }), fault.Corrupt, "range_opened_twice")
}

func TestTheSameUnitsAfterARestart(t *testing.T) { bothWays(t, testTheSameUnitsAfterARestart) }

func testTheSameUnitsAfterARestart(t *testing.T, f form) {
	config := configured(t, seeded(4))
	first := f.start(t, config)
	deal := dealt(t, first, cataloguetest.Moons, 1)
	before, after := make([]block.Unit, 50), make([]block.Unit, 50)
	if err := open(t, first, deal.Header, 0, digest(1), before); err != nil {
		t.Fatal(err)
	}
	again := f.restart(t, first, config)
	if err := open(t, again, deal.Header, 0, digest(1), after); err != nil {
		t.Fatal(err)
	}
	wants(t, open(t, again, deal.Header, 0, digest(2), after), fault.Corrupt, "range_opened_twice")
	wants(t, open(t, again, deal.Header, 51, digest(2), after), fault.Corrupt, "range_opened_twice")
	if err := open(t, f.restart(t, again, config), deal.Header, 50, digest(2), make([]block.Unit, 2)); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

func TestConcurrentBlocks(t *testing.T) { bothWays(t, testConcurrentBlocks) }

func testConcurrentBlocks(t *testing.T, f form) {
	v := f.start(t, configured(t, seeded(5)))
	done := make(chan error)
	const lanes = 4
	for range lanes {
		deal := dealt(t, v, cataloguetest.Winds, 0)
		go func() {
			var err error
			for from := uint32(0); from < deal.Header.Size && err == nil; from += 10 {
				err = open(t, v, deal.Header, from, digest(byte(from/10)), make([]block.Unit, 10))
			}
			done <- err
		}()
	}
	for range lanes {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// What the vault kept, printed or said holds no secret: neither its bytes nor their hexadecimal.
func TestNoSecretInClear(t *testing.T) {
	random := seeded(6)
	config := configured(t, random)
	v := opened(t, config)
	deal := dealt(t, v, cataloguetest.Moons, 0)
	var said strings.Builder
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		fmt.Fprintf(&said, format, v)
	}
	for _, err := range []error{
		open(t, v, deal.Header, deal.Header.Size, digest(1), make([]block.Unit, 1)),
		open(t, v, block.Header{Game: cataloguetest.Moons}, 0, digest(1), make([]block.Unit, 1)),
	} {
		said.WriteString(err.Error())
	}
	identity, err := os.ReadFile(filepath.Join(config.Secrets, "identity.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(said.String(), strings.TrimSpace(string(identity))) {
		t.Error("the identity is printed")
	}
	looked := 0
	err = filepath.WalkDir(filepath.Dir(config.Secrets), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		said.Write(content)
		looked++
		return err
	})
	if err != nil || looked != 5 {
		t.Fatalf("identity, journal, lock, secret and tiles were expected, not %d files: %v", looked, err)
	}
	secrets := 0
	for _, given := range random.given {
		if len(given) != 32 {
			continue // identifiers are public
		}
		secrets++
		if strings.Contains(said.String(), string(given)) || strings.Contains(said.String(), hex.EncodeToString(given)) {
			t.Error("a secret is in clear")
		}
	}
	if secrets == 0 {
		t.Error("the test did not see the secret that was drawn")
	}
}

func TestFilesAreTheVaultsAlone(t *testing.T) {
	config := configured(t, seeded(7))
	v := opened(t, config)
	deal := dealt(t, v, cataloguetest.Moons, 0)
	for path, mode := range map[string]fs.FileMode{
		config.Secrets: fs.ModeDir | 0o700,
		filepath.Join(config.Secrets, "identity.txt"):                        0o600,
		filepath.Join(config.Secrets, deal.Header.ID.String()+".secret.age"): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != mode {
			t.Errorf("%s has mode %s, not %s", filepath.Base(path), info.Mode(), mode)
		}
	}
}

// Rights that were too wide are taken back.
func TestAFolderThatWasOpenToAll(t *testing.T) {
	config := configured(t, seeded(15))
	if err := os.MkdirAll(config.Secrets, 0o777); err != nil {
		t.Fatal(err)
	}
	opened(t, config)
	if info, err := os.Stat(config.Secrets); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of secrets has mode %v: %v", info.Mode(), err)
	}
}

// A vault whose identity is gone makes no new one over the secrets that it can no longer open.
func TestAnIdentityThatIsGone(t *testing.T) {
	config := configured(t, seeded(16))
	first := opened(t, config)
	dealt(t, first, cataloguetest.Moons, 0)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(config.Secrets, "identity.txt")); err != nil {
		t.Fatal(err)
	}
	_, err := vault.Open(config)
	wants(t, err, fault.Corrupt, "identity_missing")
	if found := names(t, config); len(found) != 4 {
		t.Errorf("something was made: %v", found)
	}
}

// snapshot copies both folders as a kill at this instant would leave them.
func snapshot(t *testing.T, config vault.Config) vault.Config {
	t.Helper()
	copied := config
	folder := t.TempDir()
	copied.Secrets, copied.Tiles = filepath.Join(folder, "vault"), filepath.Join(folder, "tiles")
	for from, to := range map[string]string{config.Secrets: copied.Secrets, config.Tiles: copied.Tiles} {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return copied
}

// names lists the files of both folders.
func names(t *testing.T, config vault.Config) []string {
	t.Helper()
	found := []string{}
	for _, folder := range []string{config.Secrets, config.Tiles} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			found = append(found, entry.Name())
		}
	}
	return found
}

// A kill at any instant of a deal leaves the blocks that were finished, and orphans that a sweep removes.
func TestADealStoppedAtAnyInstant(t *testing.T) {
	config := configured(t, seeded(8))
	v := opened(t, config)
	kept := dealt(t, v, cataloguetest.Moons, 0)
	known := func(id block.ID) bool { return id == kept.Header.ID }
	expected := names(t, config)
	instants := []vault.Config{}
	ctx, stop := context.WithCancel(t.Context())
	_, err := v.Deal(ctx, cataloguetest.Moons, 1, func(done, _ uint32) {
		if done%100 == 0 {
			instants = append(instants, snapshot(t, config))
		}
		if done == 400 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the deal was expected to stop: %v", err)
	}
	instants = append(instants, snapshot(t, config))
	dealt(t, v, cataloguetest.Moons, 1) // finished, but the store never heard of it
	instants = append(instants, snapshot(t, config))
	total := 0
	for at, instant := range instants {
		again := opened(t, instant)
		removed, err := again.Sweep(known)
		if err != nil {
			t.Fatal(err)
		}
		total += removed
		left := slices.DeleteFunc(names(t, instant), func(name string) bool {
			return strings.HasSuffix(name, ".secret.age") && !slices.Contains(expected, name) // a secret is never removed
		})
		if diff := cmp.Diff(expected, left); diff != "" {
			t.Errorf("instant %d (-expected +found)\n%s", at, diff)
		}
		if err := open(t, again, kept.Header, 0, digest(1), make([]block.Unit, 10)); err != nil {
			t.Errorf("instant %d: %v", at, err)
		}
	}
	if total == 0 {
		t.Error("the stopped deals were expected to leave something")
	}
}

// A database that was restored from an older copy does not know the newest blocks: their secrets stay,
// so that the right database finds them again.
func TestASweepKeepsSecretsOfUnknownBlocks(t *testing.T) {
	config := configured(t, seeded(12))
	first := opened(t, config)
	deal := dealt(t, first, cataloguetest.Moons, 0)
	again := reopened(t, first, config)
	if _, err := again.Sweep(func(block.ID) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if err := open(t, again, deal.Header, 0, digest(1), make([]block.Unit, 1)); err != nil {
		t.Errorf("the secret was lost: %v", err)
	}
}

func TestDamagedAndMissingFiles(t *testing.T) {
	config := configured(t, seeded(9))
	v := opened(t, config)
	deal := dealt(t, v, cataloguetest.Moons, 0)
	path := filepath.Join(config.Secrets, deal.Header.ID.String()+".secret.age")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() error {
		v = reopened(t, v, config)
		return open(t, v, deal.Header, 0, digest(1), make([]block.Unit, 1))
	}
	for at := range content {
		damaged := bytes.Clone(content)
		damaged[at] ^= 0x41
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := ask(); !errors.Is(err, fault.Corrupt) {
			t.Fatalf("a secret damaged at byte %d is not found corrupt: %v", at, err)
		}
	}
	if err := os.WriteFile(path, content[:len(content)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	wants(t, ask(), fault.Corrupt, "secret_unreadable")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	wants(t, ask(), fault.NotFound, "secret_unknown")
	if err := os.WriteFile(filepath.Join(config.Secrets, "identity.txt"), []byte("AGE-SECRET-KEY-1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = vault.Open(config)
	wants(t, err, fault.Corrupt, "identity_malformed")
}

// A header that was changed is refused: its block is opened only as it was dealt.
func TestAnotherHeader(t *testing.T) { bothWays(t, testAnotherHeader) }

func testAnotherHeader(t *testing.T, f form) {
	v := f.start(t, configured(t, seeded(10)))
	deal := dealt(t, v, cataloguetest.Moons, 0)
	for name, change := range map[string]func(*block.Header){
		"definition": func(h *block.Header) { h.Definition[0]++ },
		"size":       func(h *block.Header) { h.Size++ },
		"price":      func(h *block.Header) { h.Price += money.Cent },
	} {
		other := deal.Header
		change(&other)
		if err := open(t, v, other, 0, digest(1), make([]block.Unit, 1)); err == nil {
			t.Errorf("a header with another %s opens units", name)
		}
	}
}

func TestNoBlockWithoutRandomness(t *testing.T) {
	for _, bytesLeft := range []int64{0, 15, 16, 47} {
		config := configured(t, io.LimitReader(rand.NewChaCha8([32]byte{11}), bytesLeft))
		v := opened(t, config)
		_, err := v.Deal(t.Context(), cataloguetest.Moons, 0, nil)
		wants(t, err, fault.Unavailable, "entropy_unavailable")
		if found := names(t, config); len(found) != 3 {
			t.Errorf("a block without a secret left %v", found)
		}
	}
}

func TestUnknownGamesAreNotDealt(t *testing.T) { bothWays(t, testUnknownGamesAreNotDealt) }

func testUnknownGamesAreNotDealt(t *testing.T, f form) {
	v := f.start(t, configured(t, seeded(12)))
	_, err := v.Deal(t.Context(), "nothing", 0, nil)
	wants(t, err, fault.NotFound, "game_unknown")
	for _, stake := range []int{-1, 2} {
		_, err = v.Deal(t.Context(), cataloguetest.Moons, stake, nil)
		wants(t, err, fault.Invalid, "stake_unknown")
	}
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	config := configured(t, seeded(13))
	v := opened(t, config)
	if err := os.RemoveAll(config.Tiles); err != nil {
		t.Fatal(err)
	}
	_, err := v.Deal(t.Context(), cataloguetest.Moons, 0, nil)
	wants(t, err, fault.Unavailable, "vault_unreadable")
	if fault.NextOf(err) == "" {
		t.Error("the error does not say what to do")
	}
}
