package storetest

import (
	"context"
	"strings"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
)

// move lets a block pass to a state by decision.
func (w *world) move(id block.ID, to store.BlockState, by string) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.MoveBlock(ctx, id, to, store.Step{By: by, Why: "a test asks for it", At: w.now},
			store.Announcement{Kind: string(to), Block: id, Body: []byte("{}"), At: w.now})
	})
}

func (w *world) publish() {
	w.Helper()
	w.update(func(ctx context.Context, tx store.Tx) error { return Publish(ctx, tx, w.now) })
}

func (w *world) state(id block.ID) store.BlockState {
	w.Helper()
	b, err := w.Block(w.ctx, id)
	w.must(err)
	return b.State
}

// unsealed records a block and nothing more.
func (w *world) unsealed() block.ID {
	w.Helper()
	emission, _ := w.emission(gems, 1, 1, 0, 0)
	header := w.header(gems, 1, 2)
	w.must(w.add(w.dealt(emission, 0, header)))
	return header.ID
}

// steps are the states of a block's life, with who brought it there.
func (w *world) steps(id block.ID) (steps []string) {
	w.Helper()
	life, err := w.Life(w.ctx, id)
	w.must(err)
	for _, step := range life {
		if step.Why == "" || step.At.IsZero() {
			w.Errorf("a step has no reason or no time: %+v", step)
		}
		steps = append(steps, string(step.State)+" by "+step.By)
	}
	return steps
}

var lifeTests = named("life",
	Test{"every step is recorded with who and why", func(w *world) {
		state := w.openGems(2)
		first := state.Units.Header.ID
		w.sellEach(gemsLane, w.players(2, 100*gemsPart)...)
		_, err := w.advance(gemsLane)
		w.must(err)
		w.must(w.move(first, store.Opened, "opener"))
		w.same("its life", w.steps(first), []string{"dealt by dealer", "sealed by public log", "approved by approver",
			"on-sale by sale", "sold-out by sale", "opened by opener"})
		_, err = w.Life(w.ctx, block.ID{1})
		w.refused(err, fault.NotFound, "block_unknown")
		_, err = w.Block(w.ctx, block.ID{1})
		w.refused(err, fault.NotFound, "block_unknown")
	}},
	Test{"a block is not approved before its seal is published, nor by whoever dealt it", func(w *world) {
		id := w.unsealed()
		w.unchanged(func() { w.refused(w.move(id, store.Approved, approver), fault.Conflict, "block_state") })
		w.publish()
		w.same("state", w.state(id), store.Sealed)
		w.unchanged(func() { w.refused(w.move(id, store.Approved, dealer), fault.Refused, "four_eyes") })
		w.must(w.move(id, store.Approved, approver))
		w.same("state", w.state(id), store.Approved)
	}},
	Test{"a lane takes approved blocks only", func(w *world) {
		id := w.unsealed()
		w.must(w.open(gemsLane, ""))
		w.unchanged(func() {
			_, err := w.advance(gemsLane)
			w.refused(err, fault.Unavailable, "next_block_not_ready")
		})
		w.publish()
		w.unchanged(func() {
			_, err := w.advance(gemsLane)
			w.refused(err, fault.Unavailable, "next_block_not_ready")
		})
		w.must(w.move(id, store.Approved, approver))
		state, err := w.advance(gemsLane)
		w.must(err)
		w.same("block on sale", state.Units.Header.ID, id)
	}},
	Test{"there is no way back, and no state is left out", func(w *world) {
		reach := map[store.BlockState]func(id block.ID){
			store.Unsealed:  func(block.ID) {},
			store.Sealed:    func(block.ID) { w.publish() },
			store.Approved:  func(id block.ID) { w.publish(); w.must(w.move(id, store.Approved, approver)) },
			store.Withdrawn: func(id block.ID) { w.must(w.move(id, store.Withdrawn, approver)) },
			store.Opened: func(id block.ID) {
				w.must(w.move(id, store.Withdrawn, approver))
				w.must(w.move(id, store.Opened, approver))
			},
		}
		allowed := map[store.BlockState]string{store.Unsealed: "withdrawn", store.Sealed: "approved withdrawn",
			store.Approved: "withdrawn", store.Withdrawn: "opened"}
		for from, bring := range reach {
			for _, to := range []store.BlockState{store.Unsealed, store.Sealed, store.Approved, store.OnSale, store.SoldOut, store.Withdrawn, store.Opened} {
				id := w.unsealed()
				bring(id)
				err := w.move(id, to, "chief")
				if strings.Contains(allowed[from], string(to)) {
					w.must(err)
					w.same("state", w.state(id), to)
					continue
				}
				w.refused(err, fault.Conflict, "block_state")
				w.same("state after a refusal", w.state(id), from)
			}
		}
	}},
	Test{"a step says who and why", func(w *world) {
		id := w.unsealed()
		w.unchanged(func() {
			w.refused(w.move(id, store.Withdrawn, ""), fault.Invalid, "step_malformed")
			w.refused(w.move(id, store.Withdrawn, strings.Repeat("x", 41)), fault.Invalid, "step_malformed")
			w.refused(w.move(block.ID{1}, store.Withdrawn, approver), fault.NotFound, "block_unknown")
		})
	}},
	Test{"a withdrawn block leaves its lane, which takes the next one", func(w *world) {
		before := w.openCoins(3)
		w.sellEach(coinsLane, w.players(1, 100*gemsPart)...)
		sold := w.lane(coinsLane)
		w.must(w.move(before.Units.Header.ID, store.Withdrawn, approver))
		_, err := w.Lane(w.ctx, coinsLane)
		w.refused(err, fault.Unavailable, "lane_without_block")
		w.refused(w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return tx.LockLane(ctx, sold) }), fault.Conflict, "lane_moved")
		after, err := w.advance(coinsLane)
		w.must(err)
		if after.Units.Header.ID == before.Units.Header.ID || after.Units.Sold != 0 || after.Draw.Header.ID != before.Draw.Header.ID || after.Draw.Sold != 1 {
			w.Errorf("the next block and the same participations were expected: %+v", after)
		}
		w.same("meter", after.Meter, sold.Meter)
		w.must(w.move(before.Draw.Header.ID, store.Withdrawn, approver))
		after, err = w.advance(coinsLane)
		w.must(err)
		if after.Draw.Header.ID == before.Draw.Header.ID {
			w.Errorf("other participations were expected")
		}
	}},
	Test{"a withdrawn block is not sealed any more, and its place is not filled again", func(w *world) {
		id := w.unsealed()
		w.must(w.open(gemsLane, ""))
		w.must(w.move(id, store.Withdrawn, approver))
		w.publish()
		w.same("state", w.state(id), store.Withdrawn)
		_, err := w.advance(gemsLane)
		w.refused(err, fault.Exhausted, "emission_used_up")
	}},
)
