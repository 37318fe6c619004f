package vault

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/custody"
)

// A disk that fails in the middle binds nothing that is not known later: the same batch is answered once the disk is back, whether
// the write or the flush failed, and no other gets its units after that.
func TestADiskThatFails(t *testing.T) {
	folder := t.TempDir()
	config := Config{
		Secrets: filepath.Join(folder, "vault"), Tiles: filepath.Join(folder, "tiles"), Random: rand.NewChaCha8([32]byte{80}), Catalogue: cataloguetest.New(t),
	}
	v, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = v.Close() }()
	deal, err := v.Deal(t.Context(), cataloguetest.Moons, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	units := make([]block.Unit, 2)
	open := func(from uint32, batch string) error {
		return v.OpenUnits(t.Context(), custody.Batch(batch), custody.Range{Header: deal.Header, From: from, Into: units})
	}
	if err := open(0, "before"); err != nil {
		t.Fatal(err)
	}
	if err := v.journal.file.Close(); err != nil {
		t.Fatal(err)
	}
	units[0].Layout = nil
	if err := open(2, "cut off"); fault.CodeOf(err) != "vault_unreadable" || units[0].Layout != nil {
		t.Fatalf("a unit came out although the journal could not be written: %v", err)
	}
	if err := open(2, "cut off"); err != nil {
		t.Fatalf("the journal was not written anew: %v", err)
	}
	// The record is written, and its flush fails.
	mine, full, err := v.journal.append(custody.Batch("not flushed"), []custody.Range{{Header: deal.Header, From: 4, Into: units}})
	if err != nil || full {
		t.Fatal(err, full)
	}
	if err := v.journal.file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := v.journal.flush(mine); fault.CodeOf(err) != "vault_unreadable" {
		t.Fatal(err)
	}
	if err := open(4, "another"); fault.CodeOf(err) != "range_opened_twice" {
		t.Fatalf("the disk may have the record: %v", err)
	}
	if err := open(4, "not flushed"); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if v, err = Open(config); err != nil {
		t.Fatal(err)
	}
	if bound, err := v.Bound(t.Context(), deal.Header.ID); err != nil || bound.From != 4 || string(bound.Batch) != "not flushed" {
		t.Errorf("%+v %v", bound, err)
	}
}

// The encoding of identities is that of age: what it makes, age reads, and the other way round.
func TestRecoveryIdentitiesAreOfAge(t *testing.T) {
	// The test vectors of BIP 173 for the checksum, without data.
	for readable, want := range map[string]string{
		"a": "a12uel5l", "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio": "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
	} {
		if got := bech32(readable, nil); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	scalar := recoveryGroup.NewScalar().SetUint64(7)
	one, err := recoveryIdentity(scalar)
	if err != nil {
		t.Fatal(err)
	}
	two, err := recoveryIdentity(recoveryGroup.NewScalar().SetUint64(8))
	if err != nil || one.String() == two.String() {
		t.Error("two scalars make one identity", err)
	}
}

// Whatever a journal holds, it is read or refused as damaged; what is newest in it, written anew, says the same.
func FuzzJournal(f *testing.F) {
	ranges := []custody.Range{{Header: block.Header{ID: block.ID{1}}, Into: make([]block.Unit, 3)}, {Header: block.Header{ID: block.ID{2}}, From: 9, Into: make([]block.Unit, 3)}}
	first := sealRecord(bindingRecord(custody.Batch("batch").Digest(), custody.Batch("batch"), ranges))
	f.Add(append(bytes.Clone(first), sealRecord(lifeRecord(block.ID{1}, lifeRetired))...))
	f.Add(append(bytes.Clone(first), make([]byte, 100)...))
	f.Add(append(first[1:], first...))
	f.Add(sealRecord([]byte{recordBinding}))
	replay := func(text []byte) (*journal, int, error) {
		j := &journal{blocks: make(map[block.ID]*standing)}
		sound, err := j.replay(text)
		return j, sound, err
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		j, sound, err := replay(text)
		if err != nil {
			if fault.CodeOf(err) != "journal_damaged" {
				t.Fatal(err)
			}
			return
		}
		again, whole, err := replay(j.newest())
		if err != nil || sound > len(text) || whole != len(j.newest()) {
			t.Fatalf("%d of %d bytes: %v", sound, len(text), err)
		}
		for id, now := range j.blocks {
			then := again.blocks[id]
			if then == nil && now.bound.Count == 0 && now.life == lifeOpen {
				continue
			}
			if then == nil || then.life != now.life || then.bound.From != now.bound.From || then.bound.Count != now.bound.Count ||
				then.bound.Digest != now.bound.Digest || !bytes.Equal(then.bound.Batch, now.bound.Batch) {
				t.Fatalf("block %s: %+v, written anew %+v", id, now, then)
			}
		}
	})
}

// A share that is read is a share as it was written.
func FuzzRecoveryShare(f *testing.F) {
	_, parts, err := SplitRecovery(rand.NewChaCha8([32]byte{81}), 3, 2)
	if err != nil {
		f.Fatal(err)
	}
	for _, part := range parts {
		text, err := part.MarshalText()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var read, again RecoveryShare
		if read.UnmarshalText(text) != nil {
			return
		}
		written, err := read.MarshalText()
		if err != nil || again.UnmarshalText(written) != nil || again.body() != read.body() {
			t.Fatalf("%s", text)
		}
	})
}
