// Package custody is the words between those who sell or run a lottery and whoever keeps the secrets of its blocks.
//
// Its one promise: both sides mean the same by a batch, a range and an end, whether the vault is in the same process or in
// another. It holds no secret and does nothing; the contract of each request is on the methods of vault.Vault.
package custody

import (
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

// Limits of one request.
const (
	BatchBytesMost = 1 << 20 // bytes of a batch
	RangesMost     = 4       // ranges of a batch: units, and the participations sold with them
	SealedMost     = 4 << 10 // bytes of an encrypted share
	EvidenceMost   = 64 << 10
)

// Batch is the requests that units are opened for, in their order, as the seller writes them down. The vault keeps the newest batch of each
// block and gives it back, so that a seller that stopped before it recorded the batch sells the same units to the same requests.
// To the vault it is bytes; it never holds a secret or an outcome.
type Batch []byte

// Digest stands for the batch.
func (b Batch) Digest() canon.Digest { return canon.Hash(canon.TagBatch, b) }

// Range asks for units of a block from one on, as many as Into holds.
type Range struct {
	Header block.Header
	From   uint32
	Into   []block.Unit
}

// Bound is the newest range of a block that was opened. Count is zero when none was.
type Bound struct {
	From, Count uint32
	Digest      canon.Digest // of the batch
	Batch       Batch        // empty once the block was forgotten
}

// Evidence shows that a block ended: the log's entry of its end, with its place, its audit path and a signed checkpoint.
type Evidence struct {
	Entry      []byte         `json:"entry"`
	Index      uint64         `json:"index"`
	Path       []canon.Digest `json:"path"`
	Checkpoint []byte         `json:"checkpoint"`
}

// Check refuses evidence beyond the limits with Invalid, code evidence_malformed. What it proves is for others to say.
func (e Evidence) Check() error {
	if len(e.Entry) == 0 || len(e.Entry)+len(e.Checkpoint) > EvidenceMost || len(e.Path) > 64 {
		return fault.New(fault.Invalid, "evidence_malformed", "evidence is an entry of the public log, its path of at most 64 hashes and a checkpoint, %d bytes at most", EvidenceMost)
	}
	return nil
}

// Ceremony deals a block whose secret nobody chose: identifier and commitments were published before (block.md, section 12).
type Ceremony struct {
	Game          string         `json:"game"`
	Stake         int            `json:"stake"`
	ID            block.ID       `json:"id"`
	Contributions []Contribution `json:"contributions"` // in the order of the ceremony
	Beacon        *Beacon        `json:"beacon,omitempty"`
}

// Contribution is a party's share, encrypted to the vault's recipient, with the commitment that was published.
type Contribution struct {
	Party      string       `json:"party"`
	Commitment canon.Digest `json:"commitment"`
	Sealed     []byte       `json:"sealed"`
}

// Beacon is a round of a public beacon that was named, with its key, before it existed.
type Beacon struct {
	Key       []byte `json:"key"`
	Round     uint64 `json:"round"`
	Signature []byte `json:"signature"`
}

// Released is what the vault gives out of a block that ended.
type Released struct {
	Secret    block.Secret
	Shares    []block.Share // of a ceremony, in its order
	Signature []byte        // of the beacon's round, if one was mixed in
}
