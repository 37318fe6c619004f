package publish

import (
	"context"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// Witness cosigns checkpoints of this log (C2SP tlog-witness). Key is its public key. Submit hands it
// a checkpoint: it is given the size that the witness is believed to have seen last, and proves the
// consistency from any size that the witness answers with; it gives the signature line.
type Witness struct {
	Key    publiclog.Key
	Submit func(ctx context.Context, older, size uint64, note []byte, prove func(older uint64) ([]canon.Digest, error)) (line string, err error)
}

// witness asks witnesses whenever the log has grown, until the context ends. Publishing does not wait
// for them.
func (p *Publisher) witness(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.grown:
			p.AskWitnesses(ctx)
		}
	}
}

// AskWitnesses asks every witness that has not cosigned the newest head. One that cannot be asked is
// logged, and asked again when the log has grown or some time has passed.
func (p *Publisher) AskWitnesses(ctx context.Context) {
	if len(p.config.Witnesses) == 0 {
		return
	}
	head, err := p.config.Store.LogHead(ctx)
	if err != nil || head.Size == 0 {
		return
	}
	have, err := p.config.Store.Cosignatures(ctx, head.Size)
	if err != nil {
		return
	}
	cosigned := make(map[string]bool, len(have))
	for _, cosignature := range have {
		cosigned[cosignature.Witness] = true
	}
	for _, witness := range p.config.Witnesses {
		if cosigned[witness.Key.String()] {
			continue
		}
		if err := p.ask(ctx, head, witness); err != nil {
			p.config.Log.WarnContext(ctx, "a witness did not cosign", "witness", witness.Key.Name(), "size", head.Size, "error", err)
		}
	}
}

func (p *Publisher) ask(ctx context.Context, head store.LogHead, witness Witness) error {
	p.mu.Lock()
	older := p.seen[witness.Key.String()]
	p.mu.Unlock()
	line, err := witness.Submit(ctx, older, head.Size, head.Note, func(older uint64) ([]canon.Digest, error) {
		return publiclog.ProveConsistency(older, head.Size, logHashes(ctx, p.config.Store))
	})
	if err != nil {
		return err
	}
	signed := append(append([]byte(nil), head.Note...), line...)
	if len(publiclog.Cosignatures(signed, []publiclog.Key{witness.Key})) != 1 {
		return errNoCosignature()
	}
	p.mu.Lock()
	p.seen[witness.Key.String()] = head.Size
	p.mu.Unlock()
	return p.config.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.Cosign(ctx, store.Cosignature{Size: head.Size, Witness: witness.Key.String(), Line: line})
	})
}
