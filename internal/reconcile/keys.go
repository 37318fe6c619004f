package reconcile

import (
	"encoding/binary"
	"slices"

	"github.com/talonlottery/talon/internal/store"
)

const keysAtOnce = 8 << 20

// keys finds idempotency keys that bind two plays. Half of each key is kept and sorted; where two
// halves are alike the keys are read again whole. When there are more than fit, they are taken a
// part at a time, chosen by the other half.
type keys struct {
	parts  uint64
	part   uint64
	halves []uint64
}

func (k *keys) begin(atOnce int, plays uint64) {
	if atOnce <= 0 {
		atOnce = keysAtOnce
	}
	k.parts = plays/uint64(atOnce) + 1
}

func (k *keys) take(key store.KeyDigest) {
	if k.parts == 1 || binary.BigEndian.Uint64(key[8:])%k.parts == k.part {
		k.halves = append(k.halves, binary.BigEndian.Uint64(key[:8]))
	}
}

// twice gives the halves that occur more than once, and forgets all.
func (k *keys) twice() map[uint64]bool {
	slices.Sort(k.halves)
	var found map[uint64]bool
	for at := 1; at < len(k.halves); at++ {
		if k.halves[at] == k.halves[at-1] {
			if found == nil {
				found = map[uint64]bool{}
			}
			found[k.halves[at]] = true
		}
	}
	k.halves = k.halves[:0]
	return found
}

// checkKeys looks through the part that was gathered while the journal was read, and reads the others.
func (c *checker) checkKeys() error {
	for {
		if suspects := c.keys.twice(); suspects != nil {
			if err := c.nameKeys(suspects); err != nil {
				return err
			}
		}
		if c.keys.part++; c.keys.part >= c.keys.parts {
			return nil
		}
		if err := c.readKeys(func(p *store.Play) { c.keys.take(p.Key) }); err != nil {
			return err
		}
	}
}

// nameKeys tells which plays share a key, if they share all of it.
func (c *checker) nameKeys(suspects map[uint64]bool) error {
	first := map[store.KeyDigest]place{}
	return c.readKeys(func(p *store.Play) {
		if !suspects[binary.BigEndian.Uint64(p.Key[:8])] {
			return
		}
		if before, found := first[p.Key]; found {
			c.differAt("key_twice", placeOf(p), "its key is also that of %s", before)
			return
		}
		first[p.Key] = placeOf(p)
	})
}

func (c *checker) readKeys(visit func(*store.Play)) error {
	read := 0
	return c.records.EachJournalLine(c.ctx, func(p *store.Play) error {
		visit(p)
		if read++; read%(1<<14) == 0 {
			return c.ctx.Err()
		}
		return nil
	})
}
