package vault

import (
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"slices"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/internal/custody"
)

// The kinds of records of the journal. Numbers are big-endian; docs/vault.md has the format.
const (
	recordBinding byte = 1 // digest, ranges, batch
	recordLife    byte = 2 // block, life
)

const rangeBytes = 16 + 4 + 4

func bindingRecord(digest canon.Digest, batch custody.Batch, ranges []custody.Range) []byte {
	body := append(make([]byte, 0, 64+len(batch)), recordBinding)
	body = append(append(body, digest[:]...), byte(len(ranges)))
	for _, r := range ranges {
		body = appendRange(body, r.Header.ID, r.From, uint32(len(r.Into)))
	}
	return append(body, batch...)
}

func appendRange(body []byte, id block.ID, from, count uint32) []byte {
	body = append(body, id[:]...)
	body = binary.BigEndian.AppendUint32(body, from)
	return binary.BigEndian.AppendUint32(body, count)
}

func lifeRecord(id block.ID, life byte) []byte {
	return append(append([]byte{recordLife}, id[:]...), life)
}

// take takes what a record says. A record that does not follow from those before it is damage.
func (j *journal) take(body []byte) error {
	j.written++
	switch {
	case body[0] == recordBinding && len(body) >= 34 && len(body) >= 34+int(body[33])*rangeBytes:
		digest, rest := canon.Digest(body[1:33]), body[34:]
		batch := custody.Batch(bytes.Clone(rest[int(body[33])*rangeBytes:]))
		for range body[33] {
			bound := custody.Bound{
				From: binary.BigEndian.Uint32(rest[16:]), Count: binary.BigEndian.Uint32(rest[20:]), Digest: digest, Batch: batch,
			}
			if !j.follow(block.ID(rest[:16]), bound) {
				return journalDamaged()
			}
			rest = rest[rangeBytes:]
		}
		return nil
	case body[0] == recordLife && len(body) == 18 && body[17] <= lifeReleased:
		now := j.of(block.ID(body[1:17]))
		now.life, now.since = max(now.life, body[17]), j.written
		return nil
	}
	return journalDamaged()
}

// follow takes a range if it follows the newest one or repeats it. The first of a block is taken as it comes: a journal that was
// written anew begins anywhere.
func (j *journal) follow(id block.ID, bound custody.Bound) bool {
	now := j.of(id)
	before := now.bound
	next := before.Count == 0 || bound.From == before.From+before.Count
	if again := bound.From == before.From && bound.Count == before.Count && bound.Digest == before.Digest; !next && !again {
		return false
	}
	now.bound, now.since = bound, j.written
	return true
}

func (j *journal) of(id block.ID) *standing {
	found, ok := j.blocks[id]
	if !ok {
		found = &standing{}
		j.blocks[id] = found
	}
	return found
}

// newest is a journal with what is newest of each block, by identifier. The caller holds mu. Blocks that were opened together keep
// a copy of the batch each.
func (j *journal) newest() []byte {
	var text bytes.Buffer
	for _, id := range slices.SortedFunc(maps.Keys(j.blocks), func(a, b block.ID) int { return bytes.Compare(a[:], b[:]) }) {
		now := j.blocks[id]
		if now.bound.Count > 0 {
			body := append(append([]byte{recordBinding}, now.bound.Digest[:]...), 1)
			body = appendRange(body, id, now.bound.From, now.bound.Count)
			text.Write(sealRecord(append(body, now.bound.Batch...)))
		}
		if now.life != lifeOpen {
			text.Write(sealRecord(lifeRecord(id, now.life)))
		}
	}
	return text.Bytes()
}

func writeBytes(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}
