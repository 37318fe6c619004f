package vault_test

import (
	"bytes"
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/vault"
)

func journalOf(config vault.Config) string { return filepath.Join(config.Secrets, "journal") }

func read(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// records reads the journal without the room that it has.
func records(t testing.TB, config vault.Config) []byte {
	t.Helper()
	return bytes.TrimRight(read(t, journalOf(config)), "\x00")
}

func write(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// bound gives what a vault knows of a block.
func bound(t testing.TB, v keeper, id block.ID) custody.Bound {
	t.Helper()
	known, err := v.Bound(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// Units and participations of one batch are bound together: both or neither.
func TestSeveralRangesAreOneBinding(t *testing.T) { bothWays(t, testSeveralRangesAreOneBinding) }

func testSeveralRangesAreOneBinding(t *testing.T, f form) {
	config := configured(t, seeded(20))
	v := f.start(t, config)
	units, draws := dealt(t, v, cataloguetest.Winds, 0), dealt(t, v, cataloguetest.SmallPot, 0)
	ask := func(batch byte, from, drawFrom uint32) error {
		return v.OpenUnits(t.Context(), custody.Batch{batch}, custody.Range{Header: units.Header, From: from, Into: make([]block.Unit, 3)},
			custody.Range{Header: draws.Header, From: drawFrom, Into: make([]block.Unit, 3)})
	}
	if err := ask(1, 0, 0); err != nil {
		t.Fatal(err)
	}
	wants(t, ask(2, 3, 2), fault.Corrupt, "range_opened_twice")
	if known := bound(t, v, units.Header.ID); known.From != 0 {
		t.Errorf("units were bound although the participations were refused: %+v", known)
	}
	v = f.restart(t, v, config)
	for _, id := range []block.ID{units.Header.ID, draws.Header.ID} {
		want := custody.Bound{Count: 3, Digest: custody.Batch{1}.Digest(), Batch: custody.Batch{1}}
		if diff := cmp.Diff(want, bound(t, v, id)); diff != "" {
			t.Error(diff)
		}
	}
	if err := ask(2, 3, 3); err != nil {
		t.Error(err)
	}
}

// A second secret that vanished refuses the batch before anything is bound: another batch may have the units.
func TestNothingIsBoundWithoutEverySecret(t *testing.T) {
	bothWays(t, testNothingIsBoundWithoutEverySecret)
}

func testNothingIsBoundWithoutEverySecret(t *testing.T, f form) {
	config := configured(t, seeded(21))
	v := f.start(t, config)
	units, draws := dealt(t, v, cataloguetest.Winds, 0), dealt(t, v, cataloguetest.SmallPot, 0)
	if err := os.Remove(filepath.Join(config.Secrets, draws.Header.ID.String()+".secret.age")); err != nil {
		t.Fatal(err)
	}
	err := v.OpenUnits(t.Context(), custody.Batch{1}, custody.Range{Header: units.Header, Into: make([]block.Unit, 3)},
		custody.Range{Header: draws.Header, Into: make([]block.Unit, 3)})
	wants(t, err, fault.NotFound, "secret_unknown")
	if known := bound(t, v, units.Header.ID); known.Count != 0 || len(records(t, config)) != 0 {
		t.Errorf("something was bound: %+v", known)
	}
}

func TestBatchesThatCannotBe(t *testing.T) { bothWays(t, testBatchesThatCannotBe) }

func testBatchesThatCannotBe(t *testing.T, f form) {
	v := f.start(t, configured(t, seeded(22)))
	deal := dealt(t, v, cataloguetest.Moons, 0)
	one := custody.Range{Header: deal.Header, Into: make([]block.Unit, 1)}
	for name, ask := range map[string]func() error{
		"no batch":        func() error { return v.OpenUnits(t.Context(), nil, one) },
		"a batch too big": func() error { return v.OpenUnits(t.Context(), make(custody.Batch, custody.BatchBytesMost+1), one) },
		"no range":        func() error { return v.OpenUnits(t.Context(), custody.Batch{1}) },
		"a block twice":   func() error { return v.OpenUnits(t.Context(), custody.Batch{1}, one, one) },
		"too many ranges": func() error { return v.OpenUnits(t.Context(), custody.Batch{1}, make([]custody.Range, 5)...) },
	} {
		if err := ask(); fault.CodeOf(err) != "batch_malformed" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Wherever a power cut tears the last record, what was answered before is known, and the torn one is cut off. A record that was
// written whole is known, answered or not.
func TestATornRecord(t *testing.T) {
	config := configured(t, seeded(23))
	v := opened(t, config)
	deal := dealt(t, v, cataloguetest.Moons, 0)
	var ends []int
	for n := range byte(3) {
		if err := open(t, v, deal.Header, 2*uint32(n), digest(n+1), make([]block.Unit, 2)); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(records(t, config)))
	}
	whole := records(t, config)
	for cut := ends[1]; cut <= ends[2]; cut++ {
		for name, tail := range map[string][]byte{"cut": nil, "zeros": make([]byte, 40), "half a page": bytes.Repeat([]byte{0xA5}, 512)} {
			if err := v.Close(); err != nil {
				t.Fatal(err)
			}
			write(t, journalOf(config), append(bytes.Clone(whole[:cut]), tail...))
			v = opened(t, config)
			want := uint32(2)
			if cut == ends[2] {
				want = 4
			}
			if known := bound(t, v, deal.Header.ID); known.From != want {
				t.Fatalf("%s at byte %d: the newest range begins at %d, not %d", name, cut, known.From, want)
			}
			if len(records(t, config)) != ends[want/2] {
				t.Fatalf("%s at byte %d: the rest was not cut off", name, cut)
			}
		}
	}
}

// A record that is not the last is damaged by no power cut: the vault does not open.
func TestADamagedJournal(t *testing.T) {
	config := configured(t, seeded(24))
	v := opened(t, config)
	deal := dealt(t, v, cataloguetest.Moons, 0)
	for n := range byte(3) {
		if err := open(t, v, deal.Header, 2*uint32(n), digest(n+1), make([]block.Unit, 2)); err != nil {
			t.Fatal(err)
		}
	}
	whole := records(t, config)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	refuses := func(what string, text []byte, code string) {
		t.Helper()
		write(t, journalOf(config), text)
		if v, err := vault.Open(config); fault.CodeOf(err) != code {
			if err == nil {
				v.Close()
			}
			t.Fatalf("%s: %v", what, err)
		}
	}
	length := len(whole) / 3
	for at := range 2 * length {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0x10
		refuses("a changed byte", damaged, "journal_damaged")
	}
	refuses("a record that was taken out", append(bytes.Clone(whole[:length]), whole[2*length:]...), "journal_damaged")
	if err := os.Remove(journalOf(config)); err != nil {
		t.Fatal(err)
	}
	_, err := vault.Open(config)
	wants(t, err, fault.Corrupt, "journal_missing")
}

// The journal stays bounded, and what it knows stays known, whatever was sold and however often it was written anew.
func TestTheJournalStaysSmall(t *testing.T) {
	config := configured(t, seeded(25))
	config.JournalMost = 2000
	v := opened(t, config)
	moons, winds := dealt(t, v, cataloguetest.Moons, 0), dealt(t, v, cataloguetest.Winds, 0)
	if err := open(t, v, winds.Header, 0, custody.Batch("kept"), make([]block.Unit, 7)); err != nil {
		t.Fatal(err)
	}
	before := 0
	anew := 0
	for n := range uint32(200) {
		if err := open(t, v, moons.Header, n, custody.Batch(bytes.Repeat([]byte{byte(n)}, 100)), make([]block.Unit, 1)); err != nil {
			t.Fatal(err)
		}
		size := len(records(t, config))
		if room := len(read(t, journalOf(config))); room > 2000 {
			t.Fatalf("the journal has %d bytes", room)
		}
		if size < before {
			anew++
		}
		before = size
	}
	if anew < 5 {
		t.Errorf("the journal was written anew %d times", anew)
	}
	v = reopened(t, v, config)
	if known := bound(t, v, winds.Header.ID); known.Count != 7 || string(known.Batch) != "kept" {
		t.Errorf("%+v", known)
	}
	wants(t, open(t, v, moons.Header, 199, digest(1), make([]block.Unit, 1)), fault.Corrupt, "range_opened_twice")
	if err := open(t, v, moons.Header, 200, digest(1), make([]block.Unit, 1)); err != nil {
		t.Error(err)
	}
}

// Whatever batches, repetitions, wrong requests and restarts come in whatever order: the vault allows what a list of all that was
// opened allows, and nothing else.
func TestAnyHistoryIsOneOwnerAUnit(t *testing.T) {
	config := configured(t, seeded(26))
	config.JournalMost = 700
	v := opened(t, config)
	rapid.Check(t, func(r *rapid.T) {
		deal := dealt(t, v, cataloguetest.Moons, 0)
		var owners []byte // by unit
		newest := 0       // where the newest range begins
		for range rapid.IntRange(1, 12).Draw(r, "requests") {
			from := rapid.IntRange(max(0, newest-2), len(owners)+1).Draw(r, "from")
			count := rapid.IntRange(1, 4).Draw(r, "count")
			batch := byte(rapid.IntRange(1, 3).Draw(r, "batch"))
			allowed := from == len(owners)
			if !allowed && from == newest && from+count == len(owners) {
				allowed = owners[from] == batch
			}
			err := open(t, v, deal.Header, uint32(from), digest(batch), make([]block.Unit, count))
			if allowed != (err == nil) || err != nil && fault.CodeOf(err) != "range_opened_twice" {
				r.Fatalf("units %d to %d for batch %d, newest from %d of %v: %v", from, from+count-1, batch, newest, owners, err)
			}
			if from == len(owners) {
				newest = from
				owners = append(owners, bytes.Repeat([]byte{batch}, count)...)
			}
			if rapid.IntRange(0, 3).Draw(r, "restart") == 0 {
				v = reopened(t, v, config)
			}
		}
	})
}

// The alarm is told at error level, with the block, and without an outcome or a secret.
func TestTheAlarmIsTold(t *testing.T) {
	config, said := configured(t, seeded(27)), &strings.Builder{}
	config.Log = slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelError}))
	v := opened(t, config)
	deal := dealt(t, v, cataloguetest.Moons, 0)
	units := make([]block.Unit, 3)
	if err := open(t, v, deal.Header, 0, digest(1), units); err != nil || said.Len() > 0 {
		t.Fatal(err, said)
	}
	wants(t, open(t, v, deal.Header, 0, digest(2), units), fault.Corrupt, "range_opened_twice")
	if !strings.Contains(said.String(), deal.Header.ID.String()) || !strings.Contains(said.String(), "ERROR") {
		t.Errorf("%q", said)
	}
	for _, unit := range units {
		if strings.Contains(said.String(), hex.EncodeToString(unit.Salt[:])) {
			t.Error("the alarm tells a unit")
		}
	}
}

func TestOneVaultAFolder(t *testing.T) {
	config := configured(t, seeded(28))
	v := opened(t, config)
	_, err := vault.Open(config)
	wants(t, err, fault.Conflict, "vault_in_use")
	reopened(t, v, config)
}

// A closed vault opens nothing, and a journal that cannot be written binds nothing.
func TestAClosedVaultOpensNothing(t *testing.T) {
	config := configured(t, seeded(29))
	v := opened(t, config)
	deal := dealt(t, v, cataloguetest.Moons, 0)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	units := make([]block.Unit, 1)
	wants(t, open(t, v, deal.Header, 0, digest(1), units), fault.Unavailable, "vault_unreadable")
	if units[0].Layout != nil {
		t.Error("a unit came out")
	}
}

// A folder that never had a journal is taken over block by block, with the numbers of the database.
func TestAFolderWithoutAJournalIsAdopted(t *testing.T) {
	config := configured(t, seeded(30))
	v := opened(t, config)
	deal, other := dealt(t, v, cataloguetest.Moons, 0), dealt(t, v, cataloguetest.Moons, 0)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(journalOf(config)); err != nil {
		t.Fatal(err)
	}
	if err := vault.Adopt(config, map[block.ID]uint32{deal.Header.ID: 41, other.Header.ID: 0}); err != nil {
		t.Fatal(err)
	}
	wants(t, vault.Adopt(config, map[block.ID]uint32{deal.Header.ID: 0}), fault.Conflict, "block_known")
	v = opened(t, config)
	wants(t, open(t, v, deal.Header, 0, digest(1), make([]block.Unit, 1)), fault.Corrupt, "range_opened_twice")
	for header, from := range map[block.Header]uint32{deal.Header: 41, other.Header: 0} {
		if err := open(t, v, header, from, digest(1), make([]block.Unit, 1)); err != nil {
			t.Error(err)
		}
	}
}
