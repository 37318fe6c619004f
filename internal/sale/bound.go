package sale

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/player"
)

// A batch as the vault keeps it, so that it can be recorded after a crash: a byte for the version, the time in milliseconds, then for
// each request, in the order of their units, player, digest of the key, digest of the request, and the play seen before.
const (
	batchVersion  = 1
	batchHead     = 1 + 8
	requestLength = 4 * 16
)

// encode writes the batch down. It is the same each time the batch is tried.
func (b *batch) encode() custody.Batch {
	text := make(custody.Batch, 0, batchHead+requestLength*len(b.accepted))
	text = append(text, batchVersion)
	text = binary.BigEndian.AppendUint64(text, uint64(b.at.UnixMilli()))
	for _, o := range b.accepted {
		text = append(text, o.waiting.request.Player[:]...)
		text = append(text, o.waiting.key[:]...)
		text = append(text, o.waiting.digest[:]...)
		text = append(text, o.waiting.request.Seen[:]...)
	}
	return text
}

// decodeBatch makes a batch of what the vault kept. Nobody waits for its answers.
func decodeBatch(l *lane, bound custody.Bound) (*batch, error) {
	text := bound.Batch
	if len(text) < batchHead || text[0] != batchVersion || len(text) != batchHead+requestLength*int(bound.Count) || text.Digest() != bound.Digest {
		return nil, fault.New(fault.Corrupt, "bound_batch_unreadable", "units of %s were opened for a batch that cannot be read", l.at.Game).
			Next("find out who asked the vault for them, and run `talon reconcile`")
	}
	b := &batch{lane: l, opened: true, from: bound.From, at: time.UnixMilli(int64(binary.BigEndian.Uint64(text[1:]))).UTC()}
	for rest := text[batchHead:]; len(rest) > 0; rest = rest[requestLength:] {
		waiting := &pending{
			request: Request{Player: player.ID(rest[:16]), Game: l.at.Game, Stake: l.at.Stake, Seen: block.PlayID(rest[48:64])},
			key:     store.KeyDigest(rest[16:32]), digest: store.RequestDigest(rest[32:48]), answer: make(chan answer, 1),
		}
		b.accepted = append(b.accepted, &order{waiting: waiting})
	}
	return b, nil
}

// recoverBound records, for each lane, the batch that units were opened for and that was not recorded. All lanes do so before any
// sells: the funds of its players are still what they were. A lane whose records disagree is stopped, the others go on.
func (s *Seller) recoverBound(ctx context.Context) error {
	for _, group := range s.lanes {
		for _, l := range group {
			switch err := l.recoverBound(ctx); {
			case errors.Is(err, fault.Corrupt):
				l.stop(err)
			case err != nil:
				return err
			}
		}
	}
	return nil
}

// recoverBound records what is bound and not recorded, if anything is. The lane's state is read again afterwards.
func (l *lane) recoverBound(ctx context.Context) error {
	state, err := l.config.Store.Lane(ctx, l.at)
	if fault.CodeOf(err) == "lane_without_block" {
		return nil
	}
	if err != nil {
		return err
	}
	b, err := l.unrecorded(ctx, state)
	if err != nil || b == nil {
		return err
	}
	l.state = &state
	err = l.config.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error { return b.recordAgain(ctx, tx, nil) })
	l.state = nil
	if err != nil {
		return err
	}
	l.config.Log.InfoContext(ctx, "recorded a batch whose units were opened before a stop", "game", l.at.Game, "stake", l.at.Stake,
		"lane", l.at.Number, "plays", len(b.accepted))
	return nil
}

// unrecorded gives the batch that the next units of a lane were opened for, or nil when they were not opened.
func (l *lane) unrecorded(ctx context.Context, state store.LaneState) (*batch, error) {
	bound, err := l.config.Vault.Bound(ctx, state.Units.Header.ID)
	if fault.CodeOf(err) == "secret_unknown" {
		return nil, nil // said when a unit is asked for
	}
	if err != nil || bound.Count == 0 || bound.From != state.Units.Sold {
		return nil, err
	}
	b, err := decodeBatch(l, bound)
	if err != nil || state.Draw == nil {
		return b, err
	}
	draw, err := l.config.Vault.Bound(ctx, state.Draw.Header.ID)
	if err != nil {
		return nil, err
	}
	if draw.From != state.Draw.Sold || draw.Count != bound.Count || draw.Digest != bound.Digest {
		return nil, fault.New(fault.Corrupt, "bound_units_gone", "units of %s were opened for a batch without its participations", l.at.Game).
			Next("run `talon reconcile`; this must never happen")
	}
	b.drawFrom = draw.From
	return b, nil
}
