package sale

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// batch is the requests of one transaction and what became of them. It may be recorded more than
// once, when a transaction is rolled back; once units are opened it keeps its orders.
type batch struct {
	lane    *lane
	waiting []*pending

	outcomes []outcome // one a waiting request; filled anew by each attempt that is not bound
	accepted []*order  // in the order of their index; kept once bound
	at       time.Time // of the sale; kept once bound
	from     uint32    // first index; kept once bound
	drawFrom uint32
	opened   bool
	blocks   []block.ID // that units were opened of
	after    store.LaneState
	plays    []store.Play
}

// order is an accepted request.
type order struct {
	waiting *pending
	account *store.Account
}

// outcome is what a request is answered once the transaction is committed.
type outcome struct {
	refused  error
	repeated *store.Play
	later    bool // the block ends before it: it is sold from the next one
}

// bound reports whether units were opened for the batch.
func (b *batch) bound() bool { return b.opened }

// record does all of a batch in a transaction, in the order of the design: keys, players, funds,
// indexes, and only then the vault.
func (b *batch) record(ctx context.Context, tx store.Tx, laneErr error) error {
	b.rolledBack() // the attempt before this one, if the store calls again by itself
	if b.bound() {
		return b.recordAgain(ctx, tx, laneErr)
	}
	b.at = b.lane.config.Clock().UTC().Truncate(time.Millisecond)
	b.outcomes = make([]outcome, len(b.waiting))
	fresh, err := b.findRepeated(ctx, tx)
	if err != nil {
		return err
	}
	if laneErr != nil { // nothing can be sold now, but what was sold can be told
		for _, at := range fresh {
			b.outcomes[at].refused = laneErr
		}
		return nil
	}
	if err := b.decide(ctx, tx, fresh); err != nil || len(b.accepted) == 0 {
		return err
	}
	state := b.lane.state
	if err := tx.LockLane(ctx, *state); err != nil {
		return err
	}
	b.from = state.Units.Sold
	if state.Draw != nil {
		b.drawFrom = state.Draw.Sold
	}
	return b.sell(ctx, tx)
}

// findRepeated answers the requests whose key is known, and gives the places of the others.
func (b *batch) findRepeated(ctx context.Context, tx store.Tx) (fresh []int, err error) {
	keys := make([]store.KeyDigest, len(b.waiting))
	for at, waiting := range b.waiting {
		keys[at] = waiting.key
	}
	known, err := tx.PlaysByKey(ctx, keys)
	if err != nil {
		return nil, err
	}
	for at, play := range known {
		switch {
		case play == nil:
			fresh = append(fresh, at)
		case play.Request != b.waiting[at].digest:
			b.outcomes[at].refused = fault.New(fault.Conflict, "idempotency_key_reused", "the key was used for another request").
				Next("send a new key for a new decision to play")
		default:
			b.outcomes[at].repeated = play
		}
	}
	return fresh, nil
}

// decide accepts what rules, funds and the block allow, and refuses the rest with the reason.
func (b *batch) decide(ctx context.Context, tx store.Tx, fresh []int) error {
	ids := make([]player.ID, len(fresh))
	for i, at := range fresh {
		ids[i] = b.waiting[at].request.Player
	}
	accounts, err := tx.LockPlayers(ctx, ids, b.at)
	if err != nil {
		return err
	}
	left := b.lane.left()
	for i, at := range fresh {
		if len(b.accepted) == left {
			b.outcomes[at].later = true
			continue
		}
		refusal := b.mayBuy(ctx, tx, b.waiting[at].request, accounts[i])
		switch {
		case refusal == nil:
			b.accepted = append(b.accepted, &order{waiting: b.waiting[at], account: accounts[i]})
		case errors.Is(refusal, fault.Refused), errors.Is(refusal, fault.NotFound), errors.Is(refusal, fault.Unavailable) && fault.CodeOf(refusal) == codeInDoubt:
			b.outcomes[at].refused = refusal
		default:
			return refusal
		}
	}
	return nil
}

// codeInDoubt is the refusal of a player whose other play is being recorded.
const codeInDoubt = "other_play_in_doubt"

// mayBuy is every check on one request. It changes nothing.
func (b *batch) mayBuy(ctx context.Context, tx store.Tx, request Request, account *store.Account) error {
	if account == nil {
		return fault.New(fault.NotFound, "player_unknown", "there is no such player").Next("sign in again")
	}
	price := b.lane.price()
	if err := player.MayStake(account.Standing, price, b.at); err != nil {
		return err
	}
	if unfinished, found := account.UnfinishedOf(request.Game); found {
		if unfinished != request.Seen {
			return unfinishedPlay(unfinished)
		}
		if b.lane.game.Choice != nil {
			seen, err := tx.Play(ctx, request.Player, unfinished)
			if err != nil {
				return err
			}
			if !Disclosed(b.lane.game.Definition, seen) {
				return unfinishedPlay(unfinished)
			}
		}
	}
	undisclosed, err := b.undisclosed(ctx, tx, request, account)
	if err != nil {
		return err
	}
	if account.Available-undisclosed < price {
		return fault.New(fault.Refused, "insufficient_funds", "available funds do not cover the price of %s", price).
			Next("show what waits to be shown, choose a lower stake, or add funds")
	}
	if !b.lane.seller.held.hold(request.Player, b.lane) {
		return fault.New(fault.Unavailable, codeInDoubt, "another play of this player is being recorded").
			Next("ask again in a moment, with the same key")
	}
	return nil
}

// undisclosed is what plays of other games won that still wait for their choice. Nothing is bought with
// it before: that a sale is made or refused would tell the outcome.
func (b *batch) undisclosed(ctx context.Context, tx store.Tx, request Request, account *store.Account) (money.Amount, error) {
	var won money.Amount
	for _, unfinished := range account.Unfinished {
		found, err := b.lane.config.Catalogue.Game(unfinished.Game)
		if err != nil || found.Choice == nil || unfinished.Game == request.Game {
			continue // it is disclosed; of the same game, mayBuy asked
		}
		play, err := tx.Play(ctx, request.Player, unfinished.Play)
		if err != nil {
			return 0, err
		}
		if !Disclosed(found.Definition, play) {
			won += play.Credited()
		}
	}
	return won, nil
}

func unfinishedPlay(play block.PlayID) error {
	return fault.New(fault.Refused, "unfinished_play", "play %s of this game was not shown to the end", play).
		Next("show it first; it is settled already")
}

// sell opens the units for the accepted requests and writes everything.
func (b *batch) sell(ctx context.Context, tx store.Tx) error {
	units, draws, err := b.open(ctx)
	if err != nil {
		return err
	}
	written, err := b.compose(ctx, tx, units, draws)
	if err != nil {
		return err
	}
	if err := tx.RecordSale(ctx, written); err != nil {
		return err
	}
	b.after, b.plays = written.After, written.Plays
	return nil
}

// open asks the vault for the units and the participations, at once. From here on they belong to these requests.
func (b *batch) open(ctx context.Context) (units, draws []block.Unit, err error) {
	state := b.lane.state
	b.opened = true
	b.blocks = append(b.blocks[:0], state.Units.Header.ID)
	units = make([]block.Unit, len(b.accepted))
	ranges := []custody.Range{{Header: state.Units.Header, From: b.from, Into: units}}
	if state.Draw != nil {
		draws = make([]block.Unit, len(b.accepted))
		b.blocks = append(b.blocks, state.Draw.Header.ID)
		ranges = append(ranges, custody.Range{Header: state.Draw.Header, From: b.drawFrom, Into: draws})
	}
	if err := b.lane.config.Vault.OpenUnits(ctx, b.encode(), ranges...); err != nil {
		return nil, nil, err
	}
	return units, draws, nil
}

// recordAgain tries a bound batch once more: either it was recorded after all, or the same units are
// sold to the same requests. Limits are not asked again, for the stakes were accepted before.
func (b *batch) recordAgain(ctx context.Context, tx store.Tx, laneErr error) error {
	keys, ids := make([]store.KeyDigest, len(b.accepted)), make([]player.ID, len(b.accepted))
	for at, o := range b.accepted {
		keys[at], ids[at] = o.waiting.key, o.waiting.request.Player
	}
	known, err := tx.PlaysByKey(ctx, keys)
	if err != nil {
		return err
	}
	if !slices.Contains(known, nil) {
		b.plays = b.plays[:0]
		for _, play := range known {
			b.plays = append(b.plays, *play)
		}
		b.after = store.LaneState{} // read again
		return nil
	}
	if err := b.notWithdrawn(ctx, tx); err != nil {
		return err
	}
	if laneErr != nil {
		return laneErr
	}
	accounts, err := tx.LockPlayers(ctx, ids, b.at)
	if err != nil {
		return err
	}
	price := b.lane.price()
	for at, account := range accounts {
		if account == nil || account.Available < price {
			return fault.New(fault.Corrupt, "bound_funds_gone", "funds of a player changed while a batch was being recorded").
				Next("run `talon reconcile`; nothing of this batch was sold")
		}
		b.accepted[at].account = account
	}
	state := b.lane.state
	if state.Units.Sold != b.from || state.Draw != nil && state.Draw.Sold != b.drawFrom {
		return fault.New(fault.Corrupt, "bound_units_gone", "units that were opened for a batch were sold to another").
			Next("run `talon reconcile`; this must never happen")
	}
	if err := tx.LockLane(ctx, *state); err != nil {
		return err
	}
	return b.sell(ctx, tx)
}

// codeWithdrawn is the refusal of a batch whose block was taken from sale before it was recorded.
const codeWithdrawn = "block_withdrawn"

// notWithdrawn gives the bound batch up when somebody took its block from sale: nothing of it was sold,
// nobody was told anything, and what the vault opened stays unsold.
func (b *batch) notWithdrawn(ctx context.Context, tx store.Tx) error {
	for _, id := range b.blocks {
		found, err := tx.Block(ctx, id)
		if err != nil {
			return err
		}
		if found.State == store.Withdrawn || found.State == store.Opened {
			return fault.New(fault.Unavailable, codeWithdrawn, "the block was taken from sale before the unit was sold; nothing was sold").
				Next("ask again in a moment, with the same key")
		}
	}
	return nil
}

// rolledBack lets other lanes go on after an attempt that was not recorded: they wait for no player of
// it any more. Before units are opened the players are free again, afterwards they are in doubt.
func (b *batch) rolledBack() {
	if b.bound() {
		b.lane.seller.held.doubt(b.lane)
		return
	}
	b.lane.seller.held.release(b.lane, b.accepted)
	b.accepted = b.accepted[:0]
}

// settle answers the requests of a batch that was committed.
func (b *batch) settle() {
	l := b.lane
	if b.bound() && b.after.Version == 0 {
		l.state = nil // it was recorded by an attempt whose answer was lost
	} else if b.bound() {
		l.state = &b.after
	}
	for at, waiting := range b.waiting {
		switch o := b.outcomes[at]; {
		case o.refused != nil:
			waiting.refuse(o.refused)
		case o.repeated != nil:
			waiting.grant(*o.repeated, true)
		case o.later:
			l.next = append(l.next, waiting)
		}
	}
	for at, o := range b.accepted {
		o.waiting.grant(b.plays[at], false)
	}
	l.seller.held.release(l, b.accepted)
}

// fail answers every request of a batch that is given up. Of a bound one nobody knows yet whether it
// was recorded, unless data were found corrupt: then it was not.
func (b *batch) fail(err error) {
	if fault.KindOf(err) == fault.Internal { // what is corrupt is logged where the lane stops
		b.lane.config.Log.Error("a batch was not sold", "game", b.lane.at.Game, "stake", b.lane.at.Stake, "lane", b.lane.at.Number, "error", err)
	}
	if b.bound() && !errors.Is(err, fault.Corrupt) && fault.CodeOf(err) != codeWithdrawn {
		err = outcomeUnknown(err)
	}
	for _, waiting := range b.waiting {
		waiting.refuse(err)
	}
	b.lane.state = nil
	b.lane.seller.held.release(b.lane, b.accepted)
}

// left is how many units the lane can sell before one of its blocks ends.
func (l *lane) left() int {
	left := l.state.Units.Left()
	if l.state.Draw != nil {
		left = min(left, l.state.Draw.Left())
	}
	return int(left)
}

func (l *lane) price() money.Amount { return l.game.Stakes[l.at.Stake].Price }
