package publish_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/publish"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/publiclog"
)

// The log tells of every block what happened to it, and of nothing else: each entry is held against the
// records of the house, and each record against the entries.
func TestTheLogTellsWhatHappened(t *testing.T) {
	h := build(t)
	h.buy(moons, 520) // a block ends
	h.buy(winds, 310)
	h.publish(true)
	staff := office.Staff{Store: h.store, Clock: h.clock}
	withdrawn := h.blockOf(winds, store.OnSale)
	if err := staff.Withdraw(t.Context(), withdrawn.Deal.Header.ID, "chief", "a test takes it from sale"); err != nil {
		t.Fatal(err)
	}
	h.buy(moons, 5)
	h.publish(true)
	_, log, _ := h.read()

	if got, want := len(log.Definitions()), 3; got != want {
		t.Errorf("%d definitions, want %d", got, want)
	}
	emissions, err := h.store.Emissions(t.Context())
	if err != nil || len(log.Emissions()) != len(emissions) {
		t.Errorf("%d emissions in the log, %d opened: %v", len(log.Emissions()), len(emissions), err)
	}
	blocks, err := h.store.Blocks(t.Context())
	if err != nil || len(log.Blocks()) != len(blocks) {
		t.Fatalf("%d blocks in the log, %d dealt: %v", len(log.Blocks()), len(blocks), err)
	}
	states := map[store.BlockState]int{}
	for _, b := range blocks {
		states[b.State]++
		h.compare(log.Block(b.Deal.Header.ID), b)
	}
	for _, state := range []store.BlockState{store.Approved, store.OnSale, store.SoldOut, store.Withdrawn} {
		if states[state] == 0 {
			t.Errorf("no block is %s", state)
		}
	}
	h.compareWins(log, blocks)
}

func (h *house) blockOf(game string, state store.BlockState) store.Block {
	h.t.Helper()
	blocks, err := h.store.Blocks(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	for _, b := range blocks {
		if b.Deal.Header.Game == game && b.State == state {
			return b
		}
	}
	h.t.Fatalf("no block of %s is %s", game, state)
	return store.Block{}
}

// compare holds a block's history in the log against its record.
func (h *house) compare(said *publiclog.History, b store.Block) {
	h.t.Helper()
	id := b.Deal.Header.ID
	seal := said.Seal.Entry
	if seal.Header() != b.Deal.Header || seal.Root != b.Deal.Root || seal.Commitment != b.Deal.Commitment ||
		seal.Emission != uint64(b.Emission) || int(seal.Position) != b.Position || seal.By != "dealer" {
		h.t.Errorf("block %s: the seal is %+v", id, seal)
	}
	if said.Approval == nil || said.Approval.Entry.By != "approver" {
		h.t.Errorf("block %s: the approval is %+v", id, said.Approval)
	}
	sold, root, _ := said.Sold()
	if sold != b.Sold || b.Sold > 0 && root != b.Sales.Root() {
		h.t.Errorf("block %s: the log tells of %d sales, %d were made, or their roots differ", id, sold, b.Sold)
	}
	if (said.Withdrawal != nil) != (b.State == store.Withdrawn) {
		h.t.Errorf("block %s is %s, and the log says %+v", id, b.State, said.Withdrawal)
	}
}

// compareWins holds the jackpot's wins in the log against the journal, amounts worked out anew.
func (h *house) compareWins(log *publiclog.Follower, blocks []store.Block) {
	h.t.Helper()
	type winner struct {
		block block.ID
		index uint32
	}
	won := map[winner]store.Draw{}
	err := h.store.EachJournalLine(h.t.Context(), func(play *store.Play) error {
		if play.Draw != nil && play.Draw.Won > 0 {
			won[winner{play.Draw.Block, play.Draw.Index}] = *play.Draw
		}
		return nil
	})
	if err != nil || len(won) < 3 {
		h.t.Fatalf("%d wins, too few for this test: %v", len(won), err)
	}
	terms, err := h.games.Jackpot(pot)
	if err != nil {
		h.t.Fatal(err)
	}
	told := 0
	for _, b := range blocks {
		for _, win := range log.Block(b.Deal.Header.ID).Wins {
			told++
			exact := terms.Start + terms.ToPot*money.Amount(win.Entry.Since)
			if cents := (exact + 99) / 100 * 100; win.Entry.Amount != cents || won[winner{win.Entry.Block, win.Entry.Index}].Won != cents {
				h.t.Errorf("win %+v: the pot was %s", win.Entry, exact)
			}
		}
	}
	if told != len(won) {
		h.t.Errorf("the log tells of %d wins, there were %d", told, len(won))
	}
}

// No entry holds anything by which plays of one player could be found.
func TestNoEntryLinksToAPlayer(t *testing.T) {
	h := build(t)
	plays := append(h.buy(moons, 60), h.buy(winds, 60)...)
	h.publish(true)
	reader, _, _ := h.read()
	var text strings.Builder
	if err := reader.Check(func(entry publiclog.NumberedBytes) error { text.Write(entry.Raw); return nil }); err != nil {
		t.Fatal(err)
	}
	for _, play := range plays {
		for what, bytes := range map[string][]byte{"player": play.Player[:], "play": play.ID[:], "key": play.Key[:], "request": play.Request[:], "salt": play.Salt[:]} {
			if strings.Contains(text.String(), hex.EncodeToString(bytes)) {
				t.Errorf("an entry holds the %s of play %s", what, play.ID)
			}
		}
	}
}

// Between any two checkpoints the log only grew, and what was published stays byte for byte.
func TestCheckpointsAreConsistent(t *testing.T) {
	h := build(t)
	var heads []store.LogHead
	for range 5 {
		head, err := h.store.LogHead(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		heads = append(heads, head)
		h.buy(winds, 3)
		h.publish(true)
	}
	reader, _, _ := h.read()
	for at, older := range heads {
		checkpoint, err := publiclog.OpenCheckpoint(older.Note, signer(t).Key(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := reader.Extends(checkpoint); err != nil {
			t.Errorf("checkpoint %d: %v", at, err)
		}
		checkpoint.Root[0]++
		if reader.Extends(checkpoint) == nil {
			t.Errorf("checkpoint %d with another root is taken for one of this log", at)
		}
	}
}

// Wherever a publication fails, before or after its commit, the next one goes on: nothing is missing,
// nothing is twice.
func TestPublicationsThatFail(t *testing.T) {
	for _, failing := range []saletest.Call{saletest.Begin, saletest.CommitLost, saletest.CommitDone} {
		t.Run(string(failing), func(t *testing.T) {
			h := build(t)
			for range 4 {
				h.buy(winds, 3)
				h.store.Fail(saletest.Times(1, failing, saletest.Before))
				if _, err := h.publisher.Publish(t.Context(), true); err == nil {
					t.Fatal("the publication was expected to fail")
				}
				h.store.Fail(nil)
				h.publish(true)
			}
			_, log, _ := h.read()
			b := h.blockOf(winds, store.OnSale)
			if sold, _, _ := log.Block(b.Deal.Header.ID).Sold(); sold != 12 {
				t.Errorf("the log tells of %d sales, there were 12", sold)
			}
		})
	}
}

// One node publishes at a time. When it dies, another takes over once its lease has ended.
func TestAnotherNodeTakesOver(t *testing.T) {
	h := build(t)
	second := h.node("second", nil)
	h.buy(winds, 1)
	if n, err := second.Publish(t.Context(), true); n != 0 || err != nil {
		t.Errorf("the second node published %d entries while the first holds the lease: %v", n, err)
	}
	h.pass(time.Minute)
	if n, err := second.Publish(t.Context(), true); n == 0 || err != nil {
		t.Errorf("the second node was expected to take over: %d, %v", n, err)
	}
	h.buy(winds, 1)
	if n, err := h.publisher.Publish(t.Context(), true); n != 0 || err != nil {
		t.Errorf("the first node published %d entries though it lost the lease: %v", n, err)
	}
	h.pass(time.Minute)
	h.read()
}

// Nodes that publish at once number every entry once.
func TestNodesTogether(t *testing.T) {
	h := build(t)
	nodes := []*publish.Publisher{h.publisher}
	for n := range 3 {
		nodes = append(nodes, h.node(fmt.Sprint("node", n), nil))
	}
	var publishing sync.WaitGroup
	for _, node := range nodes {
		publishing.Go(func() {
			for range 20 {
				h.pass(20 * time.Second) // leases end all the time
				if _, err := node.Publish(context.Background(), true); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 20 {
		h.buy(moons, 1)
	}
	publishing.Wait()
	h.pass(time.Hour)
	h.publish(true)
	_, log, _ := h.read()
	if sold, _, _ := log.Block(h.blockOf(moons, store.OnSale).Deal.Header.ID).Sold(); sold != 20 {
		t.Errorf("the log tells of %d sales, there were 20", sold)
	}
}

// A log that another key signed is not continued.
func TestAnotherKey(t *testing.T) {
	h := build(t)
	text, _, err := publiclog.NewKey(strings.NewReader(strings.Repeat("another key ", 10)), "example.org/tests")
	if err != nil {
		t.Fatal(err)
	}
	other, err := publiclog.NewSigner(text)
	if err != nil {
		t.Fatal(err)
	}
	_, err = publish.New(t.Context(), publish.Config{Store: h.store, Signer: other, Clock: h.clock, Holder: "other", Folder: t.TempDir()})
	if fault.CodeOf(err) != "log_key_other" || fault.NextOf(err) == "" {
		t.Errorf("a log of another key was continued: %v", err)
	}
}

// Witnesses cosign what is published; a wrong answer is not recorded, and one that fails does not
// keep the log from growing.
func TestWitnesses(t *testing.T) {
	h := build(t)
	text, verifier, err := publiclog.NewWitnessKey(strings.NewReader(strings.Repeat("a witness ", 10)), "example.org/witness")
	if err != nil {
		t.Fatal(err)
	}
	key, err := publiclog.ParseKey(verifier)
	if err != nil {
		t.Fatal(err)
	}
	witness, err := publiclog.NewSigner(text)
	if err != nil {
		t.Fatal(err)
	}
	answer := func([]byte) (string, error) { return "", errors.New("it does not answer") }
	var olders []uint64
	node := h.node("witnessed", func(c *publish.Config) {
		c.Witnesses = []publish.Witness{{Key: key, Submit: func(_ context.Context, older, _ uint64, note []byte, prove func(uint64) ([]canon.Digest, error)) (string, error) {
			olders = append(olders, older)
			if _, err := prove(older); err != nil {
				return "", err
			}
			return answer(note)
		}}}
	})
	publishOnce := func() store.LogHead {
		h.pass(time.Minute)
		h.buy(winds, 1)
		if n, err := node.Publish(t.Context(), true); n == 0 || err != nil {
			t.Fatalf("%d published: %v", n, err)
		}
		node.AskWitnesses(t.Context())
		head, err := h.store.LogHead(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return head
	}
	cosigned := func(head store.LogHead) int {
		list, err := h.store.Cosignatures(t.Context(), head.Size)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if cosigned(publishOnce()) != 0 {
		t.Error("a witness that did not answer has cosigned")
	}
	answer = func([]byte) (string, error) { return "— example.org/witness AAAA\n", nil }
	if cosigned(publishOnce()) != 0 {
		t.Error("a wrong cosignature is recorded")
	}
	answer = func(note []byte) (string, error) {
		line, err := witness.Cosign(note, h.clock())
		return string(line), err
	}
	head := publishOnce()
	if cosigned(head) != 1 {
		t.Error("the cosignature is not recorded")
	}
	publishOnce()
	if olders[0] != 0 || olders[3] != head.Size {
		t.Errorf("proofs were asked from sizes %v, the last from %d", olders, head.Size)
	}
}
