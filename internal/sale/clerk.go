package sale

import (
	"context"
	"sync"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
)

// clerk records what players do with their plays after the sale. What arrives while a transaction is
// in flight is recorded together in the next one, as sales are: otherwise each would wait for a flush
// of the disk of its own. Whoever comes first writes for all that wait, so there is no goroutine to
// stop.
type clerk struct {
	store store.Store

	mu      sync.Mutex // guards what follows
	busy    bool       // somebody writes
	waiting []*note
}

// note is one thing to record.
type note struct {
	// record writes it, or gives the reason why it is refused, having written nothing. A failure is
	// the store's: the transaction is given up.
	record func(context.Context, store.Tx) (refusal, failure error)
	err    error
	turn   chan bool // true: write for those who wait; false: it was done
}

// notesMost is the most notes of one transaction.
const notesMost = 512

// do records a note and returns when it is durable, or why it was not recorded. The context does not
// end the wait: a transaction is short, and its answer is wanted.
func (c *clerk) do(ctx context.Context, record func(context.Context, store.Tx) (refusal, failure error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	own := &note{record: record, turn: make(chan bool, 1)}
	c.mu.Lock()
	if c.busy {
		c.waiting = append(c.waiting, own)
		c.mu.Unlock()
		if mine := <-own.turn; !mine {
			return own.err
		}
	} else {
		c.busy = true
		c.mu.Unlock()
	}
	c.serve(context.WithoutCancel(ctx), own)
	return own.err
}

// serve writes its own note and those that wait, then hands the pen to the next who waits, whatever
// happened.
func (c *clerk) serve(ctx context.Context, own *note) {
	c.mu.Lock()
	together := min(len(c.waiting), notesMost-1)
	group := append([]*note{own}, c.waiting[:together]...)
	c.waiting = c.waiting[together:]
	c.mu.Unlock()
	defer func() {
		for _, other := range group[1:] {
			other.turn <- false
		}
		c.handOver()
	}()
	for _, n := range group { // what stands when writing panics
		n.err = fault.New(fault.Internal, "note_not_recorded", "what was done with a play was not recorded")
	}
	c.write(ctx, group)
}

func (c *clerk) handOver() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 {
		c.busy, c.waiting = false, nil
		return
	}
	next := c.waiting[0]
	c.waiting = c.waiting[1:]
	next.turn <- true
}

// write records notes in one transaction; when it fails, each in one of its own, so that a note that
// cannot be recorded does not sink the others.
func (c *clerk) write(ctx context.Context, group []*note) {
	refusals := make([]error, len(group))
	err := c.store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		for at, n := range group {
			var failure error
			if refusals[at], failure = n.record(ctx, tx); failure != nil {
				return failure
			}
		}
		return nil
	})
	if err != nil && len(group) > 1 {
		for _, n := range group {
			c.write(ctx, []*note{n})
		}
		return
	}
	for at, n := range group {
		if n.err = refusals[at]; err != nil {
			n.err = err
		}
	}
}
