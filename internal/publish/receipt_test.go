package publish_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/publish"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/receipt"
)

// receipt makes the receipt of a play and reads it as its owner would: from its bytes.
func (h *house) receipt(p *publish.Publisher, play store.Play) *receipt.Receipt {
	h.t.Helper()
	made, err := p.Receipt(h.t.Context(), play)
	if err != nil {
		h.t.Fatal(err)
	}
	read, err := receipt.Parse(made.Encode())
	if err != nil {
		h.t.Fatal(err)
	}
	if diff := cmp.Diff(made, read); diff != "" {
		h.t.Errorf("a receipt is not what it says (-made +read):\n%s", diff)
	}
	return read
}

func (h *house) outcome(p *publish.Publisher, play store.Play) receipt.Outcome {
	h.t.Helper()
	outcome, err := receipt.Verify(h.receipt(p, play), signer(h.t).Key())
	if err != nil {
		h.t.Errorf("play %s: %v", play.ID, err)
	}
	return outcome
}

// Every play has a receipt: provisional until the log tells of its sale, complete from then on and
// for ever, with its participation, and its win when there was one.
func TestReceipts(t *testing.T) {
	h := build(t)
	plays := append(h.buy(moons, 40), h.buy(winds, 200)...)
	wins := 0
	for _, play := range plays {
		won := play.Draw != nil && play.Draw.Won > 0
		if won {
			wins++
		} else if play.Index%20 != 0 {
			continue
		}
		if got := h.outcome(h.publisher, play); got != receipt.Provisional {
			t.Errorf("before it is published the receipt of play %s is %s", play.ID, got)
		}
	}
	if wins == 0 {
		t.Fatal("no play won the pot")
	}
	h.publish(true)
	h.buy(winds, 3)
	h.publish(true)
	for _, play := range plays {
		if got := h.outcome(h.publisher, play); got != receipt.Complete {
			t.Errorf("the receipt of play %s is %s", play.ID, got)
		}
		r := h.receipt(h.publisher, play)
		if r.Play != play.ID || r.Unit.Prize != play.Prize || !bytes.Equal(r.Unit.Layout, play.Layout) || (r.Participation != nil) != (play.Draw != nil) ||
			(r.Win != nil) != (play.Draw != nil && play.Draw.Won > 0) {
			t.Errorf("the receipt of play %s tells of another", play.ID)
		}
	}
}

// Who bought before a block was withdrawn has a complete receipt, though no sale follows.
func TestReceiptsOfAWithdrawnBlock(t *testing.T) {
	h := build(t)
	play := h.buy(winds, 3)[2]
	staff := office.Staff{Store: h.store, Clock: h.clock}
	if err := staff.Withdraw(t.Context(), play.Block, "chief", "a test takes it from sale"); err != nil {
		t.Fatal(err)
	}
	if err := staff.Withdraw(t.Context(), play.Draw.Block, "chief", "a test takes it from sale"); err != nil {
		t.Fatal(err)
	}
	h.publish(true)
	if got := h.outcome(h.publisher, play); got != receipt.Complete {
		t.Errorf("the receipt is %s", got)
	}
	h.read()
}

// A changed record gives a receipt that does not verify: the seal was there before.
func TestReceiptOfAChangedPlay(t *testing.T) {
	h := build(t)
	play := h.buy(winds, 2)[1]
	h.publish(true)
	for name, change := range map[string]func(*store.Play){
		"another prize":  func(p *store.Play) { p.Prize++ },
		"another layout": func(p *store.Play) { p.Layout = append([]byte{p.Layout[0] ^ 1}, p.Layout[1:]...) },
		"another salt":   func(p *store.Play) { p.Salt[0]++ },
		"another index":  func(p *store.Play) { p.Index-- },
		"another time":   func(p *store.Play) { p.At = p.At.Add(1e6) },
		"another play":   func(p *store.Play) { p.ID[0]++ },
		"a pot not won":  func(p *store.Play) { d := *p.Draw; d.Won = 1; p.Draw = &d },
	} {
		changed := play
		change(&changed)
		made, err := h.publisher.Receipt(t.Context(), changed)
		if err != nil {
			t.Fatal(err)
		}
		if outcome, err := receipt.Verify(made, signer(t).Key()); err == nil {
			t.Errorf("%s: the receipt is %s", name, outcome)
		}
	}
}

// The files of sales trees are made again when they are cut, damaged, gone or of another database.
func TestFilesOfSalesTrees(t *testing.T) {
	h := build(t)
	plays := h.buy(winds, 50)
	h.publish(true)
	h.outcome(h.publisher, plays[0])
	folder := filepath.Join(h.folder, "node")
	for name, damage := range map[string]func(path string, content []byte) error{
		"cut":     func(path string, content []byte) error { return os.WriteFile(path, content[:len(content)-33], 0o644) },
		"damaged": func(path string, content []byte) error { content[70]++; return os.WriteFile(path, content, 0o644) },
		"gone":    func(path string, _ []byte) error { return os.Remove(path) },
		"empty":   func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o644) },
	} {
		for _, suffix := range []string{".hashes", ".sales"} {
			path := filepath.Join(folder, plays[0].Block.String()+suffix)
			if err := h.publisher.Close(); err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := damage(path, bytes.Clone(content)); err != nil {
				t.Fatal(err)
			}
			node := h.node("node", nil)
			for _, play := range []store.Play{plays[49], plays[0], plays[2]} {
				if got := h.outcome(node, play); got != receipt.Complete {
					t.Errorf("%s, %s: the receipt is %s", name, suffix, got)
				}
			}
			if err := node.Close(); err != nil {
				t.Fatal(err)
			}
			again, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(again, content) {
				t.Errorf("%s: %s was not made again: %v", name, suffix, err)
			}
		}
	}
}
