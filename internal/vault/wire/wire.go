// Package wire is how a vault in another process is spoken to: paths, bodies and faults, over HTTP on a Unix socket.
//
// Its one promise: what one side encodes the other decodes to the same, faults included, and nothing larger than the limits is ever
// read. It holds no state and opens nothing.
package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/money"
)

// Paths of the requests; all are POST.
const (
	PathOpen    = "/v1/open"
	PathBound   = "/v1/bound"
	PathForget  = "/v1/forget"
	PathSweep   = "/v1/sweep"
	PathDeal    = "/v1/deal"
	PathMixed   = "/v1/mixed"
	PathRelease = "/v1/release"
	PathRetire  = "/v1/retire"
	PathAbout   = "/v1/about"
)

// Limits of a message.
const (
	UnitsMost    = 100_000  // units of a request
	RequestMost  = 8 << 20  // bytes of a request
	rangesMost   = 64       // of a request that is read at all; the vault allows fewer
	ResponseMost = 32 << 20 // bytes of an answer, or of a line of one
)

// OpenHead is the first part of a request to open units, as JSON: its length and it, then the batch.
type OpenHead struct {
	Ranges []OpenRange `json:"ranges"`
}

// OpenRange is a range without the units.
type OpenRange struct {
	Header block.Header `json:"header"`
	From   uint32       `json:"from"`
	Count  uint32       `json:"count"`
}

// EncodeOpen encodes a request to open units.
func EncodeOpen(batch custody.Batch, ranges []custody.Range) ([]byte, error) {
	var head OpenHead
	units := 0
	for _, r := range ranges {
		head.Ranges = append(head.Ranges, OpenRange{Header: r.Header, From: r.From, Count: uint32(len(r.Into))})
		units += len(r.Into)
	}
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	body := canon.AppendBytes(make([]byte, 0, 4+len(text)+len(batch)), text)
	if body = append(body, batch...); len(body) > RequestMost || units > UnitsMost {
		return nil, tooLarge()
	}
	return body, nil
}

// DecodeOpen decodes a request to open units, with room for them.
func DecodeOpen(body []byte) (custody.Batch, []custody.Range, error) {
	if len(body) < 4 || uint64(binary.BigEndian.Uint32(body)) > uint64(len(body)-4) {
		return nil, nil, malformed("a request to open units")
	}
	length := binary.BigEndian.Uint32(body)
	var head OpenHead
	if err := json.Unmarshal(body[4:4+length], &head); err != nil || len(head.Ranges) > rangesMost {
		return nil, nil, malformed("a request to open units")
	}
	units := uint64(0)
	for _, r := range head.Ranges {
		if units += uint64(r.Count); units > UnitsMost {
			return nil, nil, tooLarge()
		}
	}
	ranges := make([]custody.Range, 0, len(head.Ranges))
	for _, r := range head.Ranges {
		ranges = append(ranges, custody.Range{Header: r.Header, From: r.From, Into: make([]block.Unit, r.Count)})
	}
	return custody.Batch(body[4+length:]), ranges, nil
}

// EncodeUnits encodes opened units: tier, prize, layout and salt of each. Their order says which they are.
func EncodeUnits(ranges []custody.Range) []byte {
	var body []byte
	for _, r := range ranges {
		for at := range r.Into {
			unit := &r.Into[at]
			body = binary.BigEndian.AppendUint32(body, uint32(int32(unit.Tier)))
			body = canon.AppendUint64(body, uint64(unit.Prize))
			body = append(append(body, byte(len(unit.Layout))), unit.Layout...)
			body = append(body, unit.Salt[:]...)
		}
	}
	return body
}

// DecodeUnits fills the ranges that were asked for.
func DecodeUnits(body []byte, ranges []custody.Range) error {
	for _, r := range ranges {
		for at := range r.Into {
			if len(body) < 13 || len(body) < 13+int(body[12])+16 {
				return malformed("the answer with units")
			}
			unit, end := &r.Into[at], 13+int(body[12])
			unit.Index, unit.Tier = r.From+uint32(at), int(int32(binary.BigEndian.Uint32(body)))
			unit.Prize = money.Amount(binary.BigEndian.Uint64(body[4:]))
			unit.Layout = append(unit.Layout[:0], body[13:end]...)
			copy(unit.Salt[:], body[end:])
			body = body[end+16:]
		}
	}
	if len(body) > 0 {
		return malformed("the answer with units")
	}
	return nil
}

// Block names a block.
type Block struct {
	ID block.ID `json:"id"`
}

// Bound is custody.Bound on the wire.
type Bound struct {
	From   uint32       `json:"from"`
	Count  uint32       `json:"count"`
	Digest canon.Digest `json:"digest"`
	Batch  []byte       `json:"batch"`
}

// Deal asks for a block whose secret the vault draws.
type Deal struct {
	Game  string `json:"game"`
	Stake int    `json:"stake"`
}

// Dealing is a line of the answer to a deal: progress, then the block or the fault.
type Dealing struct {
	Done  uint32      `json:"done,omitempty"`
	Total uint32      `json:"total,omitempty"`
	Deal  *block.Deal `json:"deal,omitempty"`
	Fault *Fault      `json:"fault,omitempty"`
}

// Sweep tells which blocks are known.
type Sweep struct {
	Known []block.ID `json:"known"`
}

// Swept says how many files were removed.
type Swept struct {
	Removed int `json:"removed"`
}

// Release asks for the secret of a block that ended.
type Release struct {
	Header   block.Header     `json:"header"`
	Evidence custody.Evidence `json:"evidence"`
}

// Released is the answer: the block is over, and its secret for everybody.
type Released struct {
	Secret    []byte  `json:"secret"`
	Shares    []Share `json:"shares,omitempty"`
	Signature []byte  `json:"signature,omitempty"`
}

// Share is a party's share of a released secret.
type Share struct {
	Party string `json:"party"`
	Share []byte `json:"share"`
}

// About says which vault answers.
type About struct {
	Recipient string `json:"recipient"`
}

// Fault is an error on the wire.
type Fault struct {
	Kind    string `json:"kind"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next,omitempty"`
	Place   string `json:"place,omitempty"`
}

// EncodeFault takes what may be told of an error. What is no fault of ours is told as internal, without its text: it stays in the log.
func EncodeFault(err error) Fault {
	found, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return Fault{Kind: fault.Internal.Error(), Code: "internal", Message: "the vault failed", Next: "see the vault's log"}
	}
	return Fault{Kind: fault.KindOf(found).Error(), Code: fault.CodeOf(found), Message: found.Message(), Next: fault.NextOf(found), Place: fault.PlaceOf(found)}
}

// Err makes an error of a fault that was told.
func (f Fault) Err() error {
	kind := fault.Internal
	for k := fault.Internal; k <= fault.Unavailable; k++ {
		if k.Error() == f.Kind {
			kind = k
		}
	}
	made := fault.New(kind, f.Code, "%s", f.Message)
	if f.Next != "" {
		made = made.Next("%s", f.Next)
	}
	if f.Place != "" {
		made = made.At(f.Place)
	}
	return made
}

// ReadMost reads a message whole, or refuses it beyond a size.
func ReadMost(r io.Reader, most int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(body)) > most {
		err = tooLarge()
	}
	return body, err
}

// Malformed is a message that cannot be read.
func Malformed() error { return malformed("a message") }

func malformed(what string) error {
	return fault.New(fault.Invalid, "vault_message_malformed", "%s cannot be read", what).
		Next("run the same version of talon on both sides of the vault's socket")
}

func tooLarge() error {
	return fault.New(fault.Invalid, "vault_message_too_large", "a message to the vault is %d bytes and %d units at most", RequestMost, UnitsMost)
}
