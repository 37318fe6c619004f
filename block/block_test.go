package block

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

func TestIdentifiersAreText(t *testing.T) {
	id := ID{0xab, 15: 1}
	text, err := json.Marshal(struct {
		Block ID
		Play  PlayID
	}{id, PlayID(id)})
	want := `{"Block":"ab000000000000000000000000000001","Play":"ab000000000000000000000000000001"}`
	if err != nil || string(text) != want {
		t.Fatalf("%s, %v", text, err)
	}
	var back struct {
		Block ID
		Play  PlayID
	}
	if err := json.Unmarshal(text, &back); err != nil || back.Block != id || back.Play != PlayID(id) {
		t.Errorf("read back %v, %v", back, err)
	}
	for _, malformed := range []string{"", "ab", "zb000000000000000000000000000001", "ab0000000000000000000000000000010"} {
		kept := id
		if err := kept.UnmarshalText([]byte(malformed)); fault.CodeOf(err) != "block_id_malformed" || kept != id {
			t.Errorf("%q: %v, %v", malformed, kept, err)
		}
		if err := new(PlayID).UnmarshalText([]byte(malformed)); fault.CodeOf(err) != "play_id_malformed" {
			t.Errorf("%q: %v", malformed, err)
		}
	}
}

func TestSecretComesWholeOrNotAtAll(t *testing.T) {
	material := bytes.Repeat([]byte{0x5a, 0xa5}, 16)
	secret, err := NewSecret(bytes.NewReader(material))
	if revealed := secret.Reveal(); err != nil || !bytes.Equal(revealed[:], material) {
		t.Errorf("%x, %v", secret.Reveal(), err)
	}
	for name, source := range map[string]io.Reader{
		"ends early": bytes.NewReader(material[:31]),
		"fails":      iotest.ErrReader(io.ErrClosedPipe),
		"fails late": io.MultiReader(bytes.NewReader(material[:31]), iotest.ErrReader(io.ErrClosedPipe)),
	} {
		secret, err := NewSecret(source)
		if !errors.Is(err, fault.Unavailable) || fault.CodeOf(err) != "entropy_unavailable" || secret.reveal != nil {
			t.Errorf("%s: %v, secret kept: %v", name, err, secret.reveal != nil)
		}
	}
	for _, length := range []int{0, 31, 33} {
		if _, err := SecretFromBytes(make([]byte, length)); fault.CodeOf(err) != "secret_malformed" {
			t.Errorf("%d bytes: %v", length, err)
		}
	}
	kept := bytes.Clone(material)
	secret, err = SecretFromBytes(kept)
	clear(kept)
	if revealed := secret.Reveal(); err != nil || !bytes.Equal(revealed[:], material) {
		t.Errorf("a secret changes with the bytes it came from")
	}
}

// TestSecretDoesNotPrint tries every way a secret could slip out, from exported and unexported
// fields, of the secret and of what is made from it.
func TestSecretDoesNotPrint(t *testing.T) {
	material := [32]byte{0xab, 0xcd, 0xef, 0x12, 0x34, 0x56, 0x78, 0x9a}
	secret := secretOf(material)
	d := invented(50, 3, 4)
	dealer, err := NewDealer(headerOf(d), secret, d, spot{d})
	if err != nil {
		t.Fatal(err)
	}
	type holder struct {
		secret  Secret
		pointer *Secret
		dealer  *Dealer
		Secret  Secret
		Dealer  *Dealer
	}
	held := holder{secret, &secret, dealer, secret, dealer}
	order := dealer.units.(*prizeUnits).order
	var written strings.Builder
	for _, value := range []any{secret, &secret, held, &held, []Secret{secret}, map[string]Secret{"s": secret}, dealer, []any{secret, dealer}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%X", "%s", "%q", "%d", "%t", "%5.1f"} {
			fmt.Fprintf(&written, verb+"\n", value)
		}
		for _, handler := range []slog.Handler{slog.NewTextHandler(&written, nil), slog.NewJSONHandler(&written, nil)} {
			slog.New(handler).Info("a secret", "value", value)
			slog.New(handler).With("value", value).WithGroup("g").Error("again", slog.Any("value", value))
		}
		if text, err := json.Marshal(value); err == nil {
			written.Write(text)
		}
		fmt.Fprintln(&written, fault.New(fault.Internal, "x", "with %v", value), errors.Join(fmt.Errorf("with %s", value)))
	}
	text := strings.ToLower(written.String())
	for _, forbidden := range []string{
		hex.EncodeToString(material[:4]), "171 205 239", "171,205,239", "0xab, 0xcd", "q83v", // hexadecimal, decimal, Go syntax, base64
		strings.Trim(fmt.Sprint(order[:12]), "[]"), hex.EncodeToString(order[:12]),
	} {
		if strings.Contains(text, forbidden) {
			t.Errorf("a secret or a shuffled table was printed: %q", forbidden)
		}
	}
	marshalled, err := json.Marshal(map[string]any{"secret": secret})
	if got := fmt.Sprintf("%v %x %#v %s %s", secret, secret, secret, dealer, marshalled); err != nil || got != `[secret] [secret] [secret] [dealer] {"secret":"[secret]"}` {
		t.Errorf("printed %s", got)
	}
}

func drawUnit(t *rapid.T) Unit {
	return Unit{
		Index:  rapid.Uint32().Draw(t, "index"),
		Prize:  money.Amount(rapid.Int64Range(0, int64(money.Most)).Draw(t, "prize")),
		Layout: rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "layout"),
		Salt:   [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "salt")),
	}
}

func TestLeavesFollowTheSpecification(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := drawUnit(t)
		id := ID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "block"))
		at := rapid.Int64().Draw(t, "at")
		h, r := Header{ID: id}, reference{id: id, secret: [32]byte{9}}
		if got, want := h.Leaf(&u), r.leaf(u); got != [32]byte(want) {
			t.Errorf("leaf %s, want %x", got, want)
		}
		play := h.PlayID(&u)
		if want := r.playID(u); !bytes.Equal(play[:], want) {
			t.Errorf("play %s, want %x", play, want)
		}
		if got, want := SaleLeaf(id, u.Index, play, at), referenceSaleLeaf(id, u.Index, play, at); got != [32]byte(want) {
			t.Errorf("sale leaf %s, want %x", got, want)
		}
		if got, want := h.Commitment(secretOf(r.secret)), r.commitment(); got != want {
			t.Errorf("commitment %s, want %x", got, want)
		}
	})
}

// TestLeafCommitsToEverything changes one thing at a time: nothing of a unit is left out.
func TestLeafCommitsToEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := drawUnit(t)
		h := Header{ID: ID{1}}
		changed := u
		changed.Layout = bytes.Clone(u.Layout)
		switch rapid.SampledFrom([]string{"block", "index", "prize", "salt", "symbol", "more", "less"}).Draw(t, "change") {
		case "block":
			h.ID[rapid.IntRange(0, 15).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			if h.Leaf(&u) == (Header{ID: ID{1}}).Leaf(&u) {
				t.Error("the leaf does not commit to the block")
			}
			return
		case "index":
			changed.Index ^= 1 << rapid.IntRange(0, 31).Draw(t, "bit")
		case "prize":
			changed.Prize ^= 1 << rapid.IntRange(0, 62).Draw(t, "bit")
		case "salt":
			changed.Salt[rapid.IntRange(0, 15).Draw(t, "at")] ^= 1
		case "symbol":
			if len(u.Layout) == 0 {
				return
			}
			changed.Layout[rapid.IntRange(0, len(u.Layout)-1).Draw(t, "at")] ^= 1
		case "more":
			changed.Layout = append(changed.Layout, 0)
		case "less":
			if len(u.Layout) == 0 {
				return
			}
			changed.Layout = changed.Layout[:len(u.Layout)-1]
		}
		if h.Leaf(&u) == h.Leaf(&changed) {
			t.Errorf("%v and %v have one leaf", u, changed)
		}
	})
}

func TestHashingDoesNotAllocate(t *testing.T) {
	h := Header{ID: ID{1}}
	u := Unit{Index: 7, Layout: make([]byte, 36)}
	for name, run := range map[string]func(){
		"Leaf":     func() { h.Leaf(&u) },
		"PlayID":   func() { h.PlayID(&u) },
		"SaleLeaf": func() { SaleLeaf(h.ID, 7, PlayID{}, 5) },
	} {
		if allocations := testing.AllocsPerRun(100, run); allocations != 0 {
			t.Errorf("%s allocates %v times", name, allocations)
		}
	}
}

func TestWins(t *testing.T) {
	for layout, want := range map[string]bool{"\x01": true, "\x00": false, "": false, "\x01\x01": false, "\x02": false} {
		if got := (&Unit{Layout: []byte(layout)}).Wins(); got != want {
			t.Errorf("%q wins: %v", layout, got)
		}
	}
}
