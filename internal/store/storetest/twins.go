package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/player"
)

// Twin is an engine that was broken on purpose, in one way, and the test that must see it.
type Twin struct {
	Name   string
	Caught string // by this test
	breaks func(*twin)
}

// RunTwins proves that the suite can fail: each twin fails its test, and the engine itself does not.
func RunTwins(t *testing.T, open func(T) store.Store) {
	for _, broken := range twins {
		t.Run(broken.Name, func(t *testing.T) {
			t.Parallel()
			if complaints := Failures(t, broken.Caught, open(t)); len(complaints) > 0 {
				t.Fatalf("the engine that is not broken fails %s:\n%v", broken.Caught, complaints)
			}
			twin := &twin{Store: open(t)}
			broken.breaks(twin)
			if complaints := Failures(t, broken.Caught, twin); len(complaints) == 0 {
				t.Errorf("%s does not notice", broken.Caught)
			}
		})
	}
}

// twin is a store whose methods can be replaced. Those that are nil are the engine's.
type twin struct {
	store.Store
	update      func(ctx context.Context, do func(context.Context, store.Tx) error) error
	view        func(ctx context.Context, do func(context.Context, store.Reader) error) error
	lane        func(ctx context.Context, lane store.Lane) (store.LaneState, error)
	play        func(ctx context.Context, id player.ID, play block.PlayID) (store.Play, error)
	transaction func(ctx context.Context, visit func(*store.LedgerRecord) error) error
	tx          func(store.Tx) store.Tx
}

func (s *twin) Update(ctx context.Context, do func(context.Context, store.Tx) error) error {
	if s.tx != nil {
		inner := do
		do = func(ctx context.Context, tx store.Tx) error { return inner(ctx, s.tx(tx)) }
	}
	if s.update != nil {
		return s.update(ctx, do)
	}
	return s.Store.Update(ctx, do)
}

func (s *twin) View(ctx context.Context, do func(context.Context, store.Reader) error) error {
	if s.view != nil {
		return s.view(ctx, do)
	}
	return s.Store.View(ctx, do)
}

func (s *twin) Lane(ctx context.Context, lane store.Lane) (store.LaneState, error) {
	if s.lane != nil {
		return s.lane(ctx, lane)
	}
	return s.Store.Lane(ctx, lane)
}

func (s *twin) Play(ctx context.Context, id player.ID, play block.PlayID) (store.Play, error) {
	if s.play != nil {
		return s.play(ctx, id, play)
	}
	return s.Store.Play(ctx, id, play)
}

func (s *twin) EachTransaction(ctx context.Context, visit func(*store.LedgerRecord) error) error {
	if s.transaction != nil {
		return s.transaction(ctx, visit)
	}
	return s.Store.EachTransaction(ctx, visit)
}

// inTx breaks something of each transaction.
func inTx(breaks func(store.Tx) store.Tx) func(*twin) { return func(s *twin) { s.tx = breaks } }

var twins = []Twin{
	{"forgets the cursor check", "refusal/lane_moved_when_the_lane_is_not_at_Before", inTx(func(tx store.Tx) store.Tx { return cursorUnchecked{tx} })},
	{"lets funds go negative", "refusal/funds_negative_when_funds_would_go_below_zero", inTx(func(tx store.Tx) store.Tx { return fundsUnchecked{tx} })},
	{"allows a key twice", "refusal/key_taken_when_a_key_was_bound_before", inTx(func(tx store.Tx) store.Tx { return keysUnchecked{tx} })},
	{"allows a key twice in a batch", "refusal/key_taken_when_a_key_is_in_the_batch_twice", inTx(func(tx store.Tx) store.Tx { return keysUnchecked{tx} })},
	{"locks a lane that moved", "sale/LockLane_refuses_a_lane_that_moved", inTx(func(tx store.Tx) store.Tx { return laneUnlocked{tx} })},
	{"forgets a ledger transaction", "sale/RecordSale_records_every_transaction_of_the_batch", inTx(func(tx store.Tx) store.Tx { return entryForgotten{tx} })},
	{"forgets the meter", "sale/RecordSale_writes_all_of_a_batch", inTx(func(tx store.Tx) store.Tx { return meterForgotten{tx} })},
	{"ignores the cap's period", "sale/LockPlayers_counts_the_stakes_of_the_cap's_period", inTx(func(tx store.Tx) store.Tx { return periodIgnored{tx} })},
	{"gives keys in another order", "sale/PlaysByKey_finds_plays_in_the_order_of_the_keys_and_nil_where_a_key_is_free", inTx(func(tx store.Tx) store.Tx { return keysReversed{tx} })},
	{"leaves the other meters", "jackpot/TakeMeters_empties_all_lanes_but_one_and_what_was_opened,_and_returns_their_sum", inTx(func(tx store.Tx) store.Tx { return metersLeft{tx} })},
	{"lets every block into an emission", "block/AddBlock_refuses_what_is_recorded,_what_is_too_much_and_what_does_not_belong", inTx(func(tx store.Tx) store.Tx { return blocksUnchecked{tx} })},
	{"lets a block go back", "life/there_is_no_way_back,_and_no_state_is_left_out", inTx(func(tx store.Tx) store.Tx { return stateUnchecked{tx} })},
	{"lets the dealer approve", "life/a_block_is_not_approved_before_its_seal_is_published,_nor_by_whoever_dealt_it", inTx(func(tx store.Tx) store.Tx { return twoEyes{tx} })},
	{"goes on selling what was withdrawn", "life/a_withdrawn_block_leaves_its_lane,_which_takes_the_next_one", inTx(func(tx store.Tx) store.Tx { return laneKept{tx} })},
	{"gives a lease to all", "log/one_holder_has_a_lease_until_it_ends", inTx(func(tx store.Tx) store.Tx { return leaseForAll{tx} })},
	{"announces sales twice", "log/sales_are_announced_up_to_what_was_sold,_and_never_back", inTx(func(tx store.Tx) store.Tx { return salesAgain{tx} })},
	{"publishes after another node did", "log/GrowLog_refuses_what_does_not_fit", inTx(func(tx store.Tx) store.Tx { return logUnchecked{tx} })},
	{"credits twice", "player/Credit_adds_to_funds,_with_a_movement_and_the_ledger's_transaction", inTx(func(tx store.Tx) store.Tx { return creditTwice{tx} })},
	{"takes another choice for the same", "show/RecordChoice_accepts_the_same_again_and_refuses_another", inTx(func(tx store.Tx) store.Tx { return choiceAgain{tx} })},
	{"shows nothing", "show/a_sold_play_is_unfinished_until_it_is_shown", inTx(func(tx store.Tx) store.Tx { return neverShown{tx} })},
	{"commits what failed", "update/none_of_it_happened_when_the_function_returns_an_error", func(s *twin) {
		s.update = func(ctx context.Context, do func(context.Context, store.Tx) error) error {
			var failed error
			err := s.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
				failed = do(ctx, tx)
				return nil
			})
			if err == nil {
				err = failed
			}
			return err
		}
	}},
	{"says done and is not", "update/all_of_it_happened_when_it_returns_nil", func(s *twin) {
		s.update = func(ctx context.Context, do func(context.Context, store.Tx) error) error {
			err := s.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
				watched := &saleWatched{Tx: tx}
				if err := do(ctx, watched); err != nil || !watched.sold {
					return err
				}
				return errOnPurpose
			})
			if errors.Is(err, errOnPurpose) {
				return nil
			}
			return err
		}
	}},
	{"reads no snapshot", "view/all_that_it_reads_belongs_together", func(s *twin) {
		s.view = func(ctx context.Context, do func(context.Context, store.Reader) error) error { return do(ctx, s.Store) }
	}},
	{"reads a lane in two steps", "read/Lane_and_Summary_never_mix_two_states_while_sales_go_on", func(s *twin) {
		s.lane = func(ctx context.Context, lane store.Lane) (store.LaneState, error) {
			first, err := s.Store.Lane(ctx, lane)
			if err != nil {
				return first, err
			}
			time.Sleep(time.Millisecond) // long enough for a sale to come between
			second, err := s.Store.Lane(ctx, lane)
			first.Units = second.Units
			return first, err
		}
	}},
	{"tells plays to others", "read/Play_is_found_by_its_player_only", func(s *twin) {
		s.play = func(ctx context.Context, _ player.ID, id block.PlayID) (found store.Play, err error) {
			blocks, err := s.Store.Blocks(ctx)
			if err != nil {
				return found, err
			}
			for _, b := range blocks {
				_ = s.Store.EachPlay(ctx, b.Deal.Header.ID, func(play *store.Play) error {
					if play.ID == id {
						found = copyOf(play)
					}
					return nil
				})
			}
			return found, nil
		}
	}},
	{"forgets a posting", "records/balances_follow_from_movements_and_plays", func(s *twin) {
		s.transaction = func(ctx context.Context, visit func(*store.LedgerRecord) error) error {
			return s.Store.EachTransaction(ctx, func(record *store.LedgerRecord) error {
				if record.Kind == ledger.Sale {
					record.Postings = record.Postings[1:]
				}
				return visit(record)
			})
		}
	}},
}
