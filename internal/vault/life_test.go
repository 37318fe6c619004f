package vault_test

import (
	"errors"
	"testing"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/custody"
)

var errNotEnded = fault.New(fault.Refused, "block_not_ended", "the block is on sale")

// ends is evidence that a test's check believes.
var ends = custody.Evidence{Entry: []byte("ended"), Checkpoint: []byte("signed")}

func believes(header block.Header, evidence custody.Evidence) error {
	if string(evidence.Entry) != "ended" {
		return errNotEnded
	}
	return nil
}

// A secret leaves with evidence only; afterwards nothing of the block is opened, for ever.
func TestReleasedBlocksAreOver(t *testing.T) { bothWays(t, testReleasedBlocksAreOver) }

func testReleasedBlocksAreOver(t *testing.T, f form) {
	config := configured(t, seeded(50))
	config.Ended = believes
	v := f.start(t, config)
	deal := dealt(t, v, cataloguetest.Moons, 0)
	if err := open(t, v, deal.Header, 0, digest(1), make([]block.Unit, 3)); err != nil {
		t.Fatal(err)
	}
	for _, evidence := range []custody.Evidence{{}, {Entry: []byte("ended"), Path: make([]canon.Digest, 65)}, {Entry: []byte("on sale")}} {
		released, err := v.Release(t.Context(), deal.Header, evidence)
		if err == nil || released.Secret.Reveal() != [32]byte{} {
			t.Fatalf("the secret was given out for %q: %v", evidence.Entry, err)
		}
	}
	if err := open(t, v, deal.Header, 3, digest(2), make([]block.Unit, 1)); err != nil {
		t.Fatalf("a refused release ended the sale: %v", err)
	}
	for range 2 {
		released, err := v.Release(t.Context(), deal.Header, ends)
		if err != nil {
			t.Fatal(err)
		}
		if deal.Header.Commitment(released.Secret) != deal.Commitment {
			t.Error("this is not the secret that was committed to")
		}
		for from, batch := range map[uint32]byte{3: 2, 4: 3, 0: 1} { // the newest batch, the next one, an old one
			wants(t, open(t, v, deal.Header, from, digest(batch), make([]block.Unit, 1)), fault.Refused, "block_released")
		}
		if err := v.Retire(t.Context(), deal.Header.ID); err != nil {
			t.Error(err)
		}
		v = f.restart(t, v, config)
	}
	_, err := v.Release(t.Context(), block.Header{ID: block.ID{1}}, ends)
	wants(t, err, fault.NotFound, "secret_unknown")
}

func TestRetiredBlocksAreOver(t *testing.T) { bothWays(t, testRetiredBlocksAreOver) }

func testRetiredBlocksAreOver(t *testing.T, f form) {
	config := configured(t, seeded(51))
	config.Ended, config.JournalMost = believes, 300
	v := f.start(t, config)
	deal, other := dealt(t, v, cataloguetest.Moons, 0), dealt(t, v, cataloguetest.Moons, 0)
	if err := v.Retire(t.Context(), deal.Header.ID); err != nil {
		t.Fatal(err)
	}
	for n := range uint32(20) { // the journal is written anew meanwhile
		if err := open(t, v, other.Header, n, digest(1), make([]block.Unit, 1)); err != nil {
			t.Fatal(err)
		}
	}
	v = f.restart(t, v, config)
	wants(t, open(t, v, deal.Header, 0, digest(1), make([]block.Unit, 1)), fault.Refused, "block_retired")
	if _, err := v.Release(t.Context(), deal.Header, ends); err != nil {
		t.Error(err)
	}
	wants(t, open(t, v, deal.Header, 0, digest(1), make([]block.Unit, 1)), fault.Refused, "block_released")
	wants(t, v.Retire(t.Context(), block.ID{1}), fault.NotFound, "secret_unknown")
}

// Without a check of evidence no secret leaves, whatever is shown.
func TestNothingIsReleasedWithoutACheck(t *testing.T) {
	bothWays(t, testNothingIsReleasedWithoutACheck)
}

func testNothingIsReleasedWithoutACheck(t *testing.T, f form) {
	v := f.start(t, configured(t, seeded(52)))
	deal := dealt(t, v, cataloguetest.Moons, 0)
	_, err := v.Release(t.Context(), deal.Header, ends)
	wants(t, err, fault.Refused, "release_not_possible")
	if errors.Is(open(t, v, deal.Header, 0, digest(1), make([]block.Unit, 1)), fault.Refused) {
		t.Error("a refused release ended the sale")
	}
}
