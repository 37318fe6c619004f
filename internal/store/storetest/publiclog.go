package storetest

import (
	"bytes"
	"context"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
)

// announce records an entry about no block.
func (w *world) announce(text string) {
	w.Helper()
	w.update(func(ctx context.Context, tx store.Tx) error {
		return tx.Announce(ctx, store.Announcement{Kind: "definition", Body: []byte(text), At: w.now})
	})
}

func (w *world) grow(growth store.Growth) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error { return tx.GrowLog(ctx, growth) })
}

// growth publishes the entries that wait, with two hashes each.
func (w *world) growth(from uint64, firstHash int64) store.Growth {
	w.Helper()
	waiting, err := w.ToPublish(w.ctx, 100)
	w.must(err)
	growth := store.Growth{From: from, FirstHash: firstHash, By: "public log",
		Head: store.LogHead{Size: from + uint64(len(waiting)), Root: canon.Digest{byte(from), 1}, Note: []byte("note\n"), At: w.now}}
	for _, entry := range waiting {
		growth.Entries = append(growth.Entries, entry.Number)
		growth.Hashes = append(growth.Hashes, canon.Digest{byte(entry.Number)}, canon.Digest{byte(entry.Number), 1})
	}
	return growth
}

func (w *world) published() (bodies []string) {
	w.Helper()
	w.must(w.EachPublished(w.ctx, 0, 1000, func(entry *store.LogEntry) error {
		if entry.Position != int64(len(bodies)) {
			w.Errorf("entry %d has position %d", len(bodies), entry.Position)
		}
		bodies = append(bodies, string(entry.Body))
		return nil
	}))
	return bodies
}

func (w *world) lease(holder string, now time.Time, lasts time.Duration) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.TakeLease(ctx, store.Lease{Name: "public log", Holder: holder, Until: now.Add(lasts)}, now)
	})
}

func (w *world) announceSales(id block.ID, sold uint32) error {
	return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.AnnounceSales(ctx, sold, store.Announcement{Kind: store.KindSales, Block: id, Body: []byte{'s', byte(sold)}, At: w.now})
	})
}

var logTests = named("log",
	Test{"entries are published in the order of recording, after which they wait no more", func(w *world) {
		for _, text := range []string{"{1}", "{2}", "{3}"} {
			w.announce(text)
		}
		w.must(w.grow(w.growth(0, 0)))
		w.announce("{4}")
		waiting, err := w.ToPublish(w.ctx, 100)
		w.must(err)
		if len(waiting) != 1 || waiting[0].Position != store.Unpublished || !bytes.Equal(waiting[0].Body, []byte("{4}")) {
			w.Errorf("only the last entry waits: %+v", waiting)
		}
		w.must(w.grow(w.growth(3, 6)))
		w.same("published", w.published(), []string{"{1}", "{2}", "{3}", "{4}"})
		head, err := w.LogHead(w.ctx)
		w.must(err)
		w.same("head", head, store.LogHead{Size: 4, Root: canon.Digest{3, 1}, Note: []byte("note\n"), At: w.now})
		older, err := w.LogHeadAt(w.ctx, 3)
		w.must(err)
		w.same("older head", older, store.LogHead{Size: 3, Root: canon.Digest{0, 1}, Note: []byte("note\n"), At: w.now})
		_, err = w.LogHeadAt(w.ctx, 2)
		w.refused(err, fault.NotFound, "checkpoint_unknown")
		hashes, err := w.LogHashes(w.ctx, []int64{7, 0, 5})
		w.must(err)
		w.same("hashes", hashes, []canon.Digest{{4, 1}, {1}, {3, 1}})
		_, err = w.LogHashes(w.ctx, []int64{8})
		w.refused(err, fault.NotFound, "hash_unknown")
	}},
	Test{"before its first entry the log is empty", func(w *world) {
		head, err := w.LogHead(w.ctx)
		w.must(err)
		w.same("head", head, store.LogHead{})
		w.same("published", w.published(), []string(nil))
	}},
	Test{"GrowLog refuses what does not fit", func(w *world) {
		w.announce("{1}")
		w.announce("{2}")
		good := w.growth(0, 0)
		w.unchanged(func() {
			for _, spoil := range []func(*store.Growth){
				func(g *store.Growth) { g.Entries, g.Head.Size = nil, 0 },
				func(g *store.Growth) { g.Head.Size++ },
				func(g *store.Growth) { g.Hashes = g.Hashes[:1] },
				func(g *store.Growth) { g.Head.Note = nil },
			} {
				bad := good
				spoil(&bad)
				w.refused(w.grow(bad), fault.Invalid, "growth_malformed")
			}
			unknown := good
			unknown.Entries = []int64{good.Entries[0], 1 << 40}
			w.refused(w.grow(unknown), fault.NotFound, "entry_unknown")
			w.refused(w.grow(w.growth(1, 0)), fault.Conflict, "log_moved")
			w.refused(w.grow(w.growth(0, 1)), fault.Conflict, "log_moved")
		})
		w.must(w.grow(good))
		again := good
		again.From, again.FirstHash, again.Head.Size = 2, 4, 4
		w.unchanged(func() {
			w.refused(w.grow(good), fault.Conflict, "log_moved")
			w.refused(w.grow(again), fault.Conflict, "entry_published")
		})
	}},
	Test{"an entry is recorded with the transaction that it tells of, or not at all", func(w *world) {
		w.unchanged(func() {
			w.refused(w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
				if err := tx.Announce(ctx, store.Announcement{Kind: "definition", Body: []byte("{}"), At: w.now}); err != nil {
					return err
				}
				return fault.New(fault.Refused, "changed_my_mind", "it is not done")
			}), fault.Refused, "changed_my_mind")
			w.refused(w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
				return tx.Announce(ctx, store.Announcement{Kind: "definition", Body: make([]byte, 65_536), At: w.now})
			}), fault.Invalid, "announcement_malformed")
		})
	}},
	Test{"LogOf lists what is about a block, and what is about none", func(w *world) {
		w.announce("{1}")
		id := w.unsealed()
		other := w.unsealed()
		seals, err := w.LogOf(w.ctx, id, store.KindSeal)
		w.must(err)
		if len(seals) != 1 || seals[0].Block != id || seals[0].Position != store.Unpublished {
			w.Errorf("one seal that waits was expected: %+v", seals)
		}
		w.publish()
		seals, err = w.LogOf(w.ctx, other, store.KindSeal)
		w.must(err)
		if len(seals) != 1 || seals[0].Block != other || seals[0].Position != 2 {
			w.Errorf("the seal is the third entry: %+v", seals)
		}
		about, err := w.LogOf(w.ctx, block.ID{}, "definition")
		w.must(err)
		if len(about) != 1 || string(about[0].Body) != "{1}" {
			w.Errorf("one entry is about no block: %+v", about)
		}
	}},
	Test{"sales are announced up to what was sold, and never back", func(w *world) {
		id := w.openGems(5).Units.Header.ID
		w.sellEach(gemsLane, w.players(3, 100*gemsPart)...)
		w.unchanged(func() {
			w.refused(w.announceSales(id, 4), fault.Conflict, "sales_announced")
			w.refused(w.announceSales(block.ID{1}, 1), fault.NotFound, "block_unknown")
		})
		untold := func(want ...block.ID) {
			w.Helper()
			blocks, err := w.Unannounced(w.ctx)
			w.must(err)
			var got []block.ID
			for _, b := range blocks {
				got = append(got, b.Deal.Header.ID)
			}
			w.same("blocks of which more was sold than told", got, want)
		}
		untold(id)
		w.must(w.announceSales(id, 2))
		untold(id)
		w.unchanged(func() { w.refused(w.announceSales(id, 2), fault.Conflict, "sales_announced") })
		_, err := w.SalesEntry(w.ctx, id, 0)
		w.refused(err, fault.NotFound, "sales_not_announced")
		w.publish()
		w.must(w.announceSales(id, 3))
		untold()
		w.publish()
		for index, body := range [][]byte{{'s', 2}, {'s', 2}, {'s', 3}} {
			entry, err := w.SalesEntry(w.ctx, id, uint32(index))
			w.must(err)
			w.same("the first entry that tells of it", entry.Body, body)
		}
		_, err = w.SalesEntry(w.ctx, id, 3)
		w.refused(err, fault.NotFound, "sales_not_announced")
		last, err := w.LastSales(w.ctx, id)
		w.must(err)
		w.same("the last entry that tells of sales", last.Body, []byte{'s', 3})
		_, err = w.LastSales(w.ctx, block.ID{1})
		w.refused(err, fault.NotFound, "sales_not_announced")
		b, err := w.Block(w.ctx, id)
		w.must(err)
		w.same("announced", b.Announced, uint32(3))
	}},
	Test{"EachSale visits sales by index from one on", func(w *world) {
		state := w.openCoins(5)
		plays := w.sellEach(coinsLane, w.players(4, 100*gemsPart)...)
		for _, id := range []block.ID{state.Units.Header.ID, state.Draw.Header.ID} {
			next := uint32(2)
			w.must(w.EachSale(w.ctx, id, 2, func(index uint32, play block.PlayID, at time.Time) error {
				if index != next || play != plays[index].ID || !at.Equal(plays[index].At) {
					w.Errorf("sale %d is %d, %v at %v", next, index, play, at)
				}
				next++
				return nil
			}))
			w.same("sales", next, uint32(4))
		}
		w.refused(w.EachSale(w.ctx, block.ID{1}, 0, nil), fault.NotFound, "block_unknown")
	}},
	Test{"one holder has a lease until it ends", func(w *world) {
		w.must(w.lease("one", w.now, time.Minute))
		w.must(w.lease("one", w.now.Add(time.Second), time.Minute))
		w.refused(w.lease("two", w.now.Add(time.Minute), time.Minute), fault.Conflict, "lease_held")
		w.must(w.lease("two", w.now.Add(61*time.Second), time.Minute))
		w.refused(w.lease("one", w.now.Add(62*time.Second), time.Minute), fault.Conflict, "lease_held")
	}},
	Test{"witnesses cosign checkpoints that there are", func(w *world) {
		w.announce("{1}")
		w.publish()
		cosign := func(size uint64, witness, line string) error {
			return w.Update(w.ctx, func(ctx context.Context, tx store.Tx) error {
				return tx.Cosign(ctx, store.Cosignature{Size: size, Witness: witness, Line: line})
			})
		}
		w.must(cosign(1, "b", "line b"))
		w.must(cosign(1, "a", "line a"))
		w.must(cosign(1, "a", "line a again"))
		w.refused(cosign(2, "a", "line"), fault.NotFound, "checkpoint_unknown")
		list, err := w.Cosignatures(w.ctx, 1)
		w.must(err)
		w.same("cosignatures", list, []store.Cosignature{{Size: 1, Witness: "a", Line: "line a"}, {Size: 1, Witness: "b", Line: "line b"}})
	}},
)
