package block

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/money"
)

var update = flag.Bool("update", false, "write the test vectors anew, by the second implementation")

const vectorsFolder = "../testdata/vectors/"

// hexBytes are bytes that vectors hold in hexadecimal.
type hexBytes []byte

func (h hexBytes) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h)), nil }

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// file is a file of vectors: a comment and what it holds.
type file[T any] struct {
	Comment string `json:"comment"`
	Vectors T      `json:"vectors"`
}

// read reads a file of vectors. It must be what the second implementation makes; with -update it is
// written first.
func read[T any](t *testing.T, name, comment string, made T) T {
	t.Helper()
	text, err := json.MarshalIndent(file[T]{"Talon block format version 1: " + comment + " See docs/spec/block.md.", made}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile(vectorsFolder+name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(vectorsFolder + name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(kept), string(text)); diff != "" {
		t.Fatalf("%s is not what the second implementation makes; -update writes it anew (-kept +made):\n%s", name, diff)
	}
	return parse[T](t, kept)
}

func parse[T any](t *testing.T, text []byte) T {
	t.Helper()
	var read file[T]
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read.Vectors
}

type blockVector struct {
	Game       string     `json:"game"`
	Stake      int        `json:"stake"`
	Block      hexBytes   `json:"block"`
	Secret     hexBytes   `json:"secret"`
	Size       uint32     `json:"size"`
	Odds       uint32     `json:"odds,omitempty"`
	Commitment hexBytes   `json:"commitment"`
	Units      []unitSeen `json:"units,omitempty"`
	Root       hexBytes   `json:"root,omitempty"`
}

type unitSeen struct {
	Index  uint32       `json:"index"`
	Tier   int          `json:"tier"` // from 0, or -1 for none
	Prize  money.Amount `json:"prize"`
	Layout hexBytes     `json:"layout"`
	Salt   hexBytes     `json:"salt"`
	Leaf   hexBytes     `json:"leaf"`
	Play   hexBytes     `json:"play"`
}

// byReference makes the vectors of a block with some of its units; the root comes apart.
func (s *subject) byReference(units uint32) blockVector {
	r := s.reference()
	commitment := r.commitment()
	v := blockVector{Game: s.header.Game, Stake: s.header.Stake, Block: r.id[:], Secret: r.secret[:], Size: r.size, Odds: r.odds, Commitment: commitment[:]}
	for index := range min(units, r.size) {
		u := r.unit(index)
		leaf := r.leaf(u)
		v.Units = append(v.Units, unitSeen{u.Index, u.Tier, u.Prize, u.Layout, bytes.Clone(u.Salt[:]), leaf[:], r.playID(u)})
	}
	return v
}

// byPackage makes the same by the package.
func (s *subject) byPackage(t *testing.T, units uint32) blockVector {
	dealer := s.dealer(t)
	h := dealer.Header()
	commitment := h.Commitment(secretOf(s.secret))
	v := blockVector{Game: h.Game, Stake: h.Stake, Block: h.ID[:], Secret: s.secret[:], Size: h.Size, Commitment: commitment[:]}
	if s.jackpot != nil {
		v.Odds = s.jackpot.Odds
	}
	for index := range min(units, h.Size) {
		u := unitOf(t, dealer, index)
		leaf, play := h.Leaf(&u), h.PlayID(&u)
		v.Units = append(v.Units, unitSeen{u.Index, u.Tier, u.Prize, u.Layout, bytes.Clone(u.Salt[:]), leaf[:], play[:]})
	}
	return v
}

// TestVectorsOfUnits compares the first units of each game.
func TestVectorsOfUnits(t *testing.T) {
	const units = 20
	var made []blockVector
	for _, s := range published(t) {
		made = append(made, s.byReference(units))
	}
	kept := read(t, "units.json", "the first units of a block of each game. Secrets and identifiers are invented.", made)
	for i, s := range published(t) {
		if diff := cmp.Diff(kept[i], s.byPackage(t, units)); diff != "" {
			t.Errorf("%s, stake %d (-kept +package):\n%s", s.header.Game, s.header.Stake, diff)
		}
	}
}

// TestVectorsOfSmallBlocks compares two invented blocks whole, with their roots.
func TestVectorsOfSmallBlocks(t *testing.T) {
	subjects := []subject{lune(t), smallPot()}
	var made []blockVector
	for _, s := range subjects {
		v := s.byReference(300)
		root := s.reference().root(t)
		v.Root = root[:]
		made = append(made, v)
	}
	kept := read(t, "blocks.json", "two small invented blocks, whole: the game of lune.yaml, and participations of which 1 in odds wins.", made)
	for i, s := range subjects {
		v := s.byPackage(t, 300)
		deal, err := s.dealer(t).Deal(t.Context(), io.Discard, nil)
		if err != nil {
			t.Fatal(err)
		}
		v.Root = deal.Root[:]
		if deal.Commitment != canon.Digest(v.Commitment) {
			t.Errorf("%s: dealt under another commitment", s.header.Game)
		}
		if diff := cmp.Diff(kept[i], v); diff != "" {
			t.Errorf("%s (-kept +package):\n%s", s.header.Game, diff)
		}
	}
}

// TestVectorsOfWholeBlocks compares the roots of whole blocks of each game: the first stake of each,
// and with TALON_LONG=1 all of them, dealt by the second implementation too.
func TestVectorsOfWholeBlocks(t *testing.T) {
	const name = "roots.json"
	long := os.Getenv("TALON_LONG") == "1"
	var made []blockVector
	for _, s := range published(t) {
		v := s.byReference(0)
		if *update || long {
			root := s.reference().root(t)
			v.Root = root[:]
		}
		made = append(made, v)
	}
	var kept []blockVector
	if *update || long {
		kept = read(t, name, "the roots of whole blocks of each game. Secrets and identifiers are those of units.json.", made)
	} else {
		text, err := os.ReadFile(vectorsFolder + name)
		if err != nil {
			t.Fatal(err)
		}
		kept = parse[[]blockVector](t, text)
	}
	for i, s := range published(t) {
		if s.header.Stake > 0 && !long {
			continue
		}
		deal, err := s.dealer(t).Deal(t.Context(), io.Discard, nil)
		if err != nil {
			t.Fatal(err)
		}
		made[i].Root = deal.Root[:]
		if diff := cmp.Diff(kept[i], made[i]); diff != "" {
			t.Errorf("%s, stake %d (-kept +package):\n%s", s.header.Game, s.header.Stake, diff)
		}
	}
}
