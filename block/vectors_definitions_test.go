package block

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/games"
)

// TestVectorsOfDefinitions keeps the canonical JSON of every definition that vectors are of, as it is
// published, so that a checker needs no YAML. Each gives the hash that a block's header names.
func TestVectorsOfDefinitions(t *testing.T) {
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	check := func(name string, canonical []byte, hash canon.Digest) {
		path := vectorsFolder + "definitions/" + name + ".json"
		if *update {
			if err := os.WriteFile(path, canonical, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(kept), string(canonical)); diff != "" {
			t.Errorf("%s (-kept +made):\n%s", path, diff)
		}
		// Section 5 of docs/spec/definition.md, written out: the tag, then the text under its length.
		const tag = "talon/definition/v1"
		hashed := append([]byte{byte(len(tag))}, tag...)
		hashed = binary.BigEndian.AppendUint32(hashed, uint32(len(kept)))
		if canon.Digest(sha256.Sum256(append(hashed, kept...))) != hash {
			t.Errorf("%s does not give the definition's hash", path)
		}
	}
	for _, d := range set.Games {
		check(d.Name, d.Canonical, d.Hash)
	}
	for _, j := range set.Jackpots {
		check(j.Name, j.Canonical, j.Hash)
	}
	small := lune(t).definition
	check(small.Name, small.Canonical, small.Hash)
}
