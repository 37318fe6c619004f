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
	byBytesMost    = 100
	keyBytesMost   = 200 // of a beacon's key or signature
	listMost       = 100
	countBelow     = 1 << 32
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
	Key    string // its bytes
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
	e.Emission, e.Game, e.Stake, e.Blocks = f.Whole("emission"), name(f, "game"), count(f, "stake"), count(f, "blocks")
}

func (e *Entry) readCeremony(f *strictjson.Fields) {
	e.Block, e.Emission, e.Position = f.ID("block"), f.Whole("emission"), count(f, "position")
	e.Parties = f.Texts("parties")
	checkParties(f, "parties", e.Parties)
	e.readBeacon(f)
}

func (e *Entry) readBeacon(f *strictjson.Fields) {
	if !f.Has("beacon") {
		return
	}
	b := f.Object("beacon")
	e.Beacon = &Beacon{Key: string(keyBytes(b, "key")), Round: b.Whole("round"), Scheme: name(b, "scheme")}
	_ = b.End() // the error is f's
}

func (e *Entry) readContribution(f *strictjson.Fields) {
	e.Block, e.Party, e.Commitment = f.ID("block"), name(f, "party"), f.Digest("commitment")
}

// readDecision reads an approval or an abandonment.
func (e *Entry) readDecision(f *strictjson.Fields) {
	e.Block, e.By, e.Why = f.ID("block"), sized(f, "by", byBytesMost), sized(f, "why", whyBytesMost)
}

func (e *Entry) readSeal(f *strictjson.Fields) {
	e.Block, e.Game, e.Definition = f.ID("block"), name(f, "game"), f.Digest("definition")
	e.Stake, e.Price, e.Size = count(f, "stake"), f.Whole("price"), count(f, "size")
	e.Root, e.Commitment = f.Digest("root"), f.Digest("commitment")
	e.Emission, e.Position, e.By = f.Whole("emission"), count(f, "position"), sized(f, "by", byBytesMost)
	if f.Whole("format") != 1 {
		f.Fail("format", "not 1")
	}
	if f.Has("contributions") {
		var parties []string
		for _, c := range f.Objects("contributions") {
			one := Contribution{name(c, "party"), c.Digest("commitment")}
			e.Contributions, parties = append(e.Contributions, one), append(parties, one.Party)
			_ = c.End() // the error is f's
		}
		checkParties(f, "contributions", parties)
	}
	e.readBeacon(f)
}

func (e *Entry) readSales(f *strictjson.Fields) {
	e.Block, e.Sold, e.Root = f.ID("block"), count(f, "sold"), f.Digest("root")
}

func (e *Entry) readWin(f *strictjson.Fields) {
	e.Jackpot, e.Block, e.Index = name(f, "jackpot"), f.ID("block"), count(f, "index")
	e.Amount, e.Since = f.Whole("amount"), f.Whole("since")
}

func (e *Entry) readWithdrawal(f *strictjson.Fields) {
	e.readSales(f)
	e.readDecision(f)
}

func (e *Entry) readOpening(f *strictjson.Fields) {
	e.Block, e.Secret = f.ID("block"), f.Digest("secret")
	if f.Has("shares") {
		var parties []string
		for _, s := range f.Objects("shares") {
			one := notation.Share{Party: name(s, "party"), Share: s.Digest("share")}
			e.Shares, parties = append(e.Shares, one), append(parties, one.Party)
			_ = s.End() // the error is f's
		}
		checkParties(f, "shares", parties)
	}
	if f.Has("signature") {
		e.Signature = keyBytes(f, "signature")
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

// checkParties checks a list of 1 to 100 names, none of them twice.
func checkParties(f *strictjson.Fields, key string, parties []string) {
	seen := map[string]bool{}
	for _, party := range parties {
		if !isName(party) || seen[party] {
			f.Fail(key, "not a name, or twice")
		}
		seen[party] = true
	}
	if len(parties) < 1 || len(parties) > listMost {
		f.Fail(key, "not 1 to 100")
	}
}

// sized takes a text of 1 to most bytes.
func sized(f *strictjson.Fields, key string, most int) string {
	text := f.Text(key)
	if len(text) < 1 || len(text) > most {
		f.Fail(key, fmt.Sprintf("not 1 to %d bytes", most))
	}
	return text
}

// count takes a whole number below 2³².
func count(f *strictjson.Fields, key string) uint64 {
	n := f.Whole(key)
	if n >= countBelow {
		f.Fail(key, "not below 2³²")
	}
	return n
}

// keyBytes takes a beacon's key or signature.
func keyBytes(f *strictjson.Fields, key string) []byte {
	text := f.Text(key)
	b, err := notation.ParseHex(text, len(text)/2)
	if err != nil || len(b) < 1 || len(b) > keyBytesMost {
		f.Fail(key, "not 1 to 200 bytes in hexadecimal")
	}
	return b
}
