// Package publiclog reads the public log and checks it against its rules: log.md, and publication.md, section 2.
package publiclog

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/strictjson"
)

// The kinds of entries: log.md, section 1.
const (
	KindDefinition   = "definition"
	KindEmission     = "emission"
	KindCeremony     = "ceremony"
	KindContribution = "contribution"
	KindAbandonment  = "abandonment"
	KindSeal         = "seal"
	KindApproval     = "approval"
	KindSales        = "sales"
	KindJackpotWin   = "jackpot-win"
	KindWithdrawal   = "withdrawal"
	KindOpening      = "opening"
)

const (
	entryBytesMost = 65_535
	whyBytesMost   = 500
	partiesMost    = 1_000
)

// Entry is an entry of any kind. Only the fields of its kind are set.
type Entry struct {
	Kind string
	At   int64 // milliseconds since 1970

	Name, Type    string
	Definition    notation.Digest
	Game          string
	Emission      uint64
	Position      uint64
	Stake, Blocks uint64
	Block         notation.ID
	Parties       []string
	Beacon        *Beacon
	Party         string
	Commitment    notation.Digest
	By, Why       string
	Price, Size   uint64
	Root          notation.Digest
	Contributions []Contribution
	Sold          uint64
	Jackpot       string
	Index         uint64
	Amount, Since uint64
	Secret        notation.Digest
	Shares        []notation.Share
	Signature     []byte // of the beacon's round, or nil

}

// Beacon is a round of a public beacon: block.md, section 12.
type Beacon struct {
	Key    [96]byte
	Round  uint64
	Scheme string
}

// Contribution is a party's commitment as a seal repeats it.
type Contribution struct {
	Party      string
	Commitment notation.Digest
}

// readers take the further keys of each kind.
var readers = map[string]func(*Entry, *strictjson.Fields){
	KindDefinition:   (*Entry).readDefinition,
	KindEmission:     (*Entry).readEmission,
	KindCeremony:     (*Entry).readCeremony,
	KindContribution: (*Entry).readContribution,
	KindAbandonment:  (*Entry).readDecision,
	KindSeal:         (*Entry).readSeal,
	KindApproval:     (*Entry).readDecision,
	KindSales:        (*Entry).readSales,
	KindJackpotWin:   (*Entry).readWin,
	KindWithdrawal:   (*Entry).readWithdrawal,
	KindOpening:      (*Entry).readOpening,
}

// ParseEntry reads an entry as strictly as log.md, section 1, asks.
func ParseEntry(data []byte) (*Entry, error) {
	if len(data) > entryBytesMost {
		return nil, errors.New("the entry is too large")
	}
	value, err := strictjson.ParseCanonical(data)
	if err != nil {
		return nil, err
	}
	f := strictjson.FieldsOf(value)
	e := &Entry{Kind: f.Text("kind"), At: int64(f.Whole("at"))}
	if f.Whole("version") != 1 {
		f.Fail("version", "not 1")
	}
	read, known := readers[e.Kind]
	if !known {
		return nil, fmt.Errorf("an entry of kind %q", e.Kind)
	}
	read(e, f)
	if err := f.End(); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *Entry) readDefinition(f *strictjson.Fields) {
	e.Name, e.Type, e.Definition = name(f, "name"), f.Text("type"), f.Digest("definition")
	if e.Type != "game" && e.Type != "jackpot" {
		f.Fail("type", "neither game nor jackpot")
	}
}

func (e *Entry) readEmission(f *strictjson.Fields) {
	e.Emission, e.Game, e.Stake, e.Blocks = f.Whole("emission"), name(f, "game"), f.Whole("stake"), f.Whole("blocks")
}

func (e *Entry) readCeremony(f *strictjson.Fields) {
	e.Block, e.Emission, e.Position = f.ID("block"), f.Whole("emission"), f.Whole("position")
	e.Parties = f.Texts("parties")
	if len(e.Parties) < 1 || len(e.Parties) > partiesMost {
		f.Fail("parties", "none, or too many")
	}
	for _, party := range e.Parties {
		if !isName(party) {
			f.Fail("parties", "not a name")
		}
	}
	e.readBeacon(f)
}

func (e *Entry) readBeacon(f *strictjson.Fields) {
	if !f.Has("beacon") {
		return
	}
	b := f.Object("beacon")
	e.Beacon = &Beacon{Key: [96]byte(b.Hex("key", 96)), Round: b.Whole("round"), Scheme: b.Text("scheme")}
	_ = b.End() // the error is f's
}

func (e *Entry) readContribution(f *strictjson.Fields) {
	e.Block, e.Party, e.Commitment = f.ID("block"), name(f, "party"), f.Digest("commitment")
}

// readDecision reads an approval or an abandonment.
func (e *Entry) readDecision(f *strictjson.Fields) {
	e.Block, e.By, e.Why = f.ID("block"), f.Text("by"), f.Text("why")
	if len(e.Why) > whyBytesMost {
		f.Fail("why", "longer than 500 bytes")
	}
}

func (e *Entry) readSeal(f *strictjson.Fields) {
	e.Block, e.Game, e.Definition = f.ID("block"), name(f, "game"), f.Digest("definition")
	e.Stake, e.Price, e.Size = f.Whole("stake"), f.Whole("price"), f.Whole("size")
	e.Root, e.Commitment = f.Digest("root"), f.Digest("commitment")
	e.Emission, e.Position, e.By = f.Whole("emission"), f.Whole("position"), f.Text("by")
	if f.Whole("format") != 1 {
		f.Fail("format", "not 1")
	}
	if f.Has("contributions") {
		for _, c := range f.Objects("contributions") {
			e.Contributions = append(e.Contributions, Contribution{name(c, "party"), c.Digest("commitment")})
			_ = c.End()
		}
	}
	e.readBeacon(f)
}

func (e *Entry) readSales(f *strictjson.Fields) {
	e.Block, e.Sold, e.Root = f.ID("block"), f.Whole("sold"), f.Digest("root")
}

func (e *Entry) readWin(f *strictjson.Fields) {
	e.Jackpot, e.Block, e.Index = name(f, "jackpot"), f.ID("block"), f.Whole("index")
	e.Amount, e.Since = f.Whole("amount"), f.Whole("since")
}

func (e *Entry) readWithdrawal(f *strictjson.Fields) {
	e.readSales(f)
	e.readDecision(f)
}

func (e *Entry) readOpening(f *strictjson.Fields) {
	e.Block, e.Secret = f.ID("block"), f.Digest("secret")
	if f.Has("shares") {
		for _, s := range f.Objects("shares") {
			e.Shares = append(e.Shares, notation.Share{Party: name(s, "party"), Share: s.Digest("share")})
			_ = s.End()
		}
	}
	if f.Has("signature") {
		e.Signature = f.Hex("signature", 48)
	}
}

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// isName says whether a text is a name: definition.md, section 1.
func isName(text string) bool { return len(text) <= 40 && namePattern.MatchString(text) }

func name(f *strictjson.Fields, key string) string {
	text := f.Text(key)
	if !isName(text) {
		f.Fail(key, "not a name")
	}
	return text
}
