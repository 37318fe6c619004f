package sale_test

import (
	"context"
	"testing"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
)

func (h *house) withdraw(id block.ID) {
	h.t.Helper()
	saletest.Update(h.t, h.store.Store, func(ctx context.Context, tx store.Tx) error {
		return tx.MoveBlock(ctx, id, store.Withdrawn, store.Step{By: "chief", Why: "a test takes it from sale", At: h.clock()},
			store.Announcement{Kind: "withdrawal", Block: id, Body: []byte("{}"), At: h.clock()})
	})
}

// A block that is withdrawn while it sells is followed by the next one, with no play lost.
func TestTheNextBlockAfterAWithdrawal(t *testing.T) {
	h := build(t).lanes(moons, 0, 1, 2).start()
	saletest.Players(t, h.store, 3, 10*money.Unit)
	first := h.sell(request(0, "first", moons, 0))
	h.withdraw(first.Play.Block)
	second := h.sell(request(1, "second", moons, 0))
	if second.Play.Block == first.Play.Block || second.Play.Index != 0 {
		t.Errorf("unit 0 of the next block was expected, not %d of %s", second.Play.Index, second.Play.Block)
	}
	h.withdraw(second.Play.Block)
	h.refused(request(2, "third", moons, 0), fault.Exhausted, "emission_used_up")
	if again := h.sell(request(0, "first", moons, 0)); !again.Repeated || again.Play.ID != first.Play.ID {
		t.Error("what was sold of a withdrawn block is there for ever")
	}
	h.check()
}

// A batch whose units were opened, and whose block is withdrawn before it is recorded, sells nothing; the
// same requests are then served from the next block. So for units and for participations.
func TestABoundBatchOfAWithdrawnBlock(t *testing.T) {
	for name, which := range map[string]func(store.LaneState) block.ID{
		"units":          func(s store.LaneState) block.ID { return s.Units.Header.ID },
		"participations": func(s store.LaneState) block.ID { return s.Draw.Header.ID },
	} {
		t.Run(name, func(t *testing.T) {
			h := build(t).lanes(winds, 0, 1, 2).start()
			saletest.Players(t, h.store, 3, 10*money.Unit)
			h.sell(request(0, "before", winds, 0))
			state, err := h.store.Lane(t.Context(), store.Lane{Game: winds})
			if err != nil {
				t.Fatal(err)
			}
			h.store.Fail(func(c saletest.Call, m saletest.Moment) bool { return c == saletest.RecordSale && m == saletest.Before })
			told := h.ask(t.Context(), request(1, "bound", winds, 0))
			for h.store.Struck() < 2 {
				select {
				case answer := <-told:
					t.Fatal(answer.err)
				default:
				}
			}
			h.withdraw(which(state))
			h.store.Fail(nil)
			answer := <-told
			h.wants(answer.err, fault.Unavailable, "block_withdrawn")
			if h.sold(winds) != 1 || h.available(1) != 10*money.Unit {
				t.Error("something of the batch was sold")
			}
			play := h.sell(request(1, "bound", winds, 0)).Play
			if name == "units" && (play.Block == state.Units.Header.ID || play.Index != 0) || name == "participations" && play.Draw.Block == state.Draw.Header.ID {
				t.Errorf("the unit was sold from a withdrawn block: %s, participation of %s", play.Block, play.Draw.Block)
			}
			h.check()
		})
	}
}
