package publiclog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/publiclog"
)

// Secrets are compared by what they are, as they do not show it.
var bySecret = cmp.Comparer(func(a, b block.Secret) bool { return a.Reveal() == b.Reveal() })

const (
	id     = "000102030405060708090a0b0c0d0e0f"
	hashA  = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	hashB  = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	common = `"version":1`
)

func parsed[T any, P interface {
	*T
	UnmarshalText([]byte) error
}](text string) T {
	var value T
	if err := P(&value).UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return value
}

func filled(b byte) block.Secret {
	s, err := block.SecretFromBytes(bytes.Repeat([]byte{b}, 32))
	if err != nil {
		panic(err)
	}
	return s
}

// written pairs entries with their texts, which were written from log.md by hand.
func written() map[string]publiclog.Entry {
	at := time.UnixMilli(1767225600123).UTC()
	block, a, b := parsed[block.ID](id), parsed[canon.Digest](hashA), parsed[canon.Digest](hashB)
	beacon := &publiclog.Beacon{Scheme: "bls-unchained-g1-rfc9380", Key: []byte{0, 255}, Round: 9007199254740991}
	return map[string]publiclog.Entry{
		`{"at":1767225600123,"definition":"` + hashA + `","kind":"definition","name":"piece-dor","type":"game",` + common + `}`:                                                                                                              publiclog.Definition{At: at, Name: "piece-dor", Type: "game", Definition: a},
		`{"at":0,"blocks":3,"emission":0,"game":"piece-dor","kind":"emission","stake":2,` + common + `}`:                                                                                                                                     publiclog.Emission{At: time.UnixMilli(0).UTC(), Game: "piece-dor", Stake: 2, Blocks: 3},
		`{"at":1767225600123,"beacon":{"key":"00ff","round":9007199254740991,"scheme":"bls-unchained-g1-rfc9380"},"block":"` + id + `","emission":7,"kind":"ceremony","parties":["operator","notary"],"position":4294967295,` + common + `}`: publiclog.Ceremony{At: at, Block: block, Emission: 7, Position: 4294967295, Parties: []string{"operator", "notary"}, Beacon: beacon},
		`{"at":1767225600123,"block":"` + id + `","emission":7,"kind":"ceremony","parties":["operator"],"position":0,` + common + `}`:                                                                                                        publiclog.Ceremony{At: at, Block: block, Emission: 7, Parties: []string{"operator"}},
		`{"at":1767225600123,"block":"` + id + `","commitment":"` + hashB + `","kind":"contribution","party":"notary",` + common + `}`:                                                                                                       publiclog.Contribution{At: at, Block: block, Party: "notary", Commitment: b},
		`{"at":1767225600123,"block":"` + id + `","by":"Zoé \"Z\" \\ <&>","kind":"abandonment",` + common + `,"why":"a` + "\u2028" + `\n\t\u001f\u0000` + "\u007f" + `😀"}`:                                                                   publiclog.Abandonment{At: at, Block: block, By: `Zoé "Z" \ <&>`, Why: "a\u2028\n\t\x1f\x00\x7f😀"},
		`{"at":1767225600123,"block":"` + id + `","by":"anna","commitment":"` + hashB + `","definition":"` + hashA + `","emission":7,"format":1,"game":"piece-dor","kind":"seal","position":1,"price":9007199254740991,"root":"` + hashB + `","size":1000000,"stake":0,` + common + `}`: publiclog.Seal{At: at, Block: block, Game: "piece-dor", Definition: a,
			Price: 9007199254740991, Size: 1000000, Root: b, Commitment: b, Emission: 7, Position: 1, By: "anna"},
		`{"at":1767225600123,"beacon":{"key":"00ff","round":9007199254740991,"scheme":"bls-unchained-g1-rfc9380"},"block":"` + id + `","by":"anna","commitment":"` + hashB + `","contributions":[{"commitment":"` + hashB + `","party":"operator"},{"commitment":"` + hashA + `","party":"notary"}],"definition":"` + hashA + `","emission":7,"format":1,"game":"super-jackpot","kind":"seal","position":1,"price":300,"root":"` + hashB + `","size":1,"stake":0,` + common + `}`: publiclog.Seal{At: at, Block: block, Game: "super-jackpot",
			Definition: a, Price: 300, Size: 1, Root: b, Commitment: b, Emission: 7, Position: 1, By: "anna", Contributions: []publiclog.Pledge{{Party: "operator", Commitment: b}, {Party: "notary", Commitment: a}}, Beacon: beacon},
		`{"at":1767225600123,"block":"` + id + `","by":"bruno","kind":"approval",` + common + `,"why":"seen"}`:                                                                          publiclog.Approval{At: at, Block: block, By: "bruno", Why: "seen"},
		`{"at":1767225600123,"block":"` + id + `","kind":"sales","root":"` + hashA + `","sold":12,` + common + `}`:                                                                      publiclog.Sales{At: at, Block: block, Sold: 12, Root: a},
		`{"amount":100000000,"at":1767225600123,"block":"` + id + `","index":3,"jackpot":"super-jackpot","kind":"jackpot-win","since":4,` + common + `}`:                                publiclog.JackpotWin{At: at, Jackpot: "super-jackpot", Block: block, Index: 3, Amount: 10000 * money.Unit, Since: 4},
		`{"at":1767225600123,"block":"` + id + `","by":"anna","kind":"withdrawal","root":"` + hashA + `","sold":12,` + common + `,"why":"end of the emission"}`:                         publiclog.Withdrawal{At: at, Block: block, Sold: 12, Root: a, By: "anna", Why: "end of the emission"},
		`{"at":1767225600123,"block":"` + id + `","kind":"opening","secret":"` + hashA + `",` + common + `}`:                                                                            publiclog.Opening{At: at, Block: block, Secret: filled(0xaa)},
		`{"at":1767225600123,"block":"` + id + `","kind":"opening","secret":"` + hashA + `","shares":[{"party":"operator","share":"` + hashB + `"}],"signature":"ff00",` + common + `}`: publiclog.Opening{At: at, Block: block, Secret: filled(0xaa), Shares: []publiclog.Share{{Party: "operator", Share: filled(0xbb)}}, Signature: []byte{255, 0}},
	}
}

func TestEntriesAsWritten(t *testing.T) {
	kinds := make(map[publiclog.Kind]bool)
	for text, entry := range written() {
		kinds[entry.Kind()] = true
		encoded, err := publiclog.Encode(entry)
		if err != nil || string(encoded) != text {
			t.Errorf("%s, %v\nwant %s", encoded, err, text)
		}
		read, err := publiclog.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if difference := cmp.Diff(entry, read, bySecret); difference != "" {
			t.Error(difference)
		}
		if !read.When().Equal(entry.When()) || read.When().Location() != time.UTC {
			t.Errorf("%v", read.When())
		}
		// RFC 8785 as others have written it.
		canonical, err := jcs.Transform([]byte(text))
		if err != nil || string(canonical) != text {
			t.Errorf("%s, %v\nwant %s", canonical, err, text)
		}
	}
	if len(kinds) != 11 {
		t.Errorf("%d kinds are written", len(kinds))
	}
}

// Every key of every kind: missing, of another type, too large, twice. And every text with a space, a
// key more, or its keys in another order.
func TestParseIsStrict(t *testing.T) {
	for text := range written() {
		var keys map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &keys); err != nil {
			t.Fatal(err)
		}
		refuse := func(what, spoilt string) {
			t.Helper()
			if spoilt == text {
				t.Fatalf("%s is no change of %s", what, text)
			}
			if entry, err := publiclog.Parse([]byte(spoilt)); err == nil {
				t.Errorf("%s: %s is taken for %v", what, spoilt, entry)
			} else {
				wantCode(t, err, "entry_malformed")
			}
		}
		optional := map[string]bool{"beacon": true, "contributions": true, "shares": true, "signature": true}
		for key, value := range keys {
			whole := fmt.Sprintf("%q:%s", key, value)
			without := strings.Replace(strings.Replace(strings.Replace(text, whole+",", "", 1), ","+whole, "", 1), "{,", "{", 1)
			if !optional[key] {
				refuse("without "+key, without)
			}
			for _, other := range []string{"null", "true", `""`, "[]", "{}", "-1", "1.0", "1e3", "01", "9007199254740992", "18446744073709551616", `"x y"`, `["a","a"]`, `["A"]`, `[{}]`, `"AA"`, `"` + strings.Repeat("a", 501) + `"`} {
				if free := key == "why" || key == "by"; free && (other == `"x y"` || other == `"AA"`) || other == string(value) {
					continue
				}
				refuse(key+" as "+other, strings.Replace(text, whole, fmt.Sprintf("%q:%s", key, other), 1))
			}
			refuse(key+" twice", strings.Replace(text, whole, whole+","+whole, 1))
			refuse(key+" in capitals", strings.Replace(text, fmt.Sprintf("%q:", key), fmt.Sprintf("%q:", strings.ToUpper(key)), 1))
			refuse("space after "+key, strings.Replace(text, whole, whole+" ", 1))
		}
		refuse("a key more", strings.Replace(text, "{", `{"aa":1,`, 1))
		refuse("an empty list", strings.Replace(text, `"kind"`, `"contributions":[],"kind"`, 1))
		refuse("line end", text+"\n")
		refuse("two", text+text)
		refuse("cut", text[:len(text)-1])
		refuse("escape", strings.Replace(text, `"kind"`, `"\u006bind"`, 1))
		refuse("version", strings.Replace(text, common, `"version":2`, 1))
		refuse("not UTF-8", strings.Replace(text, `"kind":"`, `"kind":"`+"\xff", 1))
	}
	for _, text := range []string{"", "null", "[]", "1", `"kind"`, "{}", `{"kind":"tombola"}`, `{"kind":1}`, strings.Repeat("[", 70_000), strings.Repeat("[", 60_000)} {
		_, err := publiclog.Parse([]byte(text))
		wantCode(t, err, "entry_malformed")
	}
	for _, refused := range []string{"\xff", "a\xffb", "\xed\xa0\x80"} {
		_, err := publiclog.Encode(publiclog.Approval{By: "a", Why: refused})
		wantCode(t, err, "entry_malformed")
	}
	for _, entry := range []publiclog.Entry{nil, &publiclog.Sales{}, publiclog.JackpotWin{Jackpot: "j", Amount: -1}, publiclog.Sales{At: time.UnixMilli(-1)},
		publiclog.Sales{}, publiclog.Definition{Name: "a", Type: "lottery"}, publiclog.Ceremony{}, publiclog.Ceremony{Parties: make([]string, 101)}} {
		if _, err := publiclog.Encode(entry); err == nil {
			t.Errorf("%v is an entry", entry)
		}
	}
}

// entries are any entries that there can be.
func entries() *rapid.Generator[publiclog.Entry] {
	id := rapid.Custom(func(t *rapid.T) block.ID {
		return block.ID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
	})
	hash := rapid.Custom(func(t *rapid.T) canon.Digest {
		return canon.Digest(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "hash"))
	})
	secrets := rapid.Custom(func(t *rapid.T) block.Secret {
		s, _ := block.SecretFromBytes(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret"))
		return s
	})
	names := rapid.StringMatching(`[a-z][a-z0-9]{0,9}(-[a-z0-9]{1,9}){0,3}`)
	texts := rapid.StringN(1, -1, 100)
	number := rapid.Uint64Range(0, publiclog.NumberMost)
	beacons := rapid.Custom(func(t *rapid.T) *publiclog.Beacon {
		if rapid.Bool().Draw(t, "no beacon") {
			return nil
		}
		return &publiclog.Beacon{Scheme: names.Draw(t, "scheme"), Key: rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(t, "key"), Round: number.Draw(t, "round")}
	})
	parties := rapid.SliceOfNDistinct(names, 1, 5, rapid.ID[string])
	return rapid.Custom(func(t *rapid.T) publiclog.Entry {
		at := time.UnixMilli(int64(number.Draw(t, "at"))).UTC()
		b, h, n := id.Draw(t, "block"), hash.Draw(t, "hash"), rapid.Uint32().Draw(t, "n")
		switch rapid.IntRange(0, 10).Draw(t, "kind") {
		case 0:
			return publiclog.Definition{At: at, Name: names.Draw(t, "name"), Type: rapid.SampledFrom([]string{"game", "jackpot"}).Draw(t, "type"), Definition: h}
		case 1:
			return publiclog.Emission{At: at, Emission: number.Draw(t, "emission"), Game: names.Draw(t, "game"), Stake: n, Blocks: n}
		case 2:
			return publiclog.Ceremony{At: at, Block: b, Emission: number.Draw(t, "emission"), Position: n, Parties: parties.Draw(t, "parties"), Beacon: beacons.Draw(t, "beacon")}
		case 3:
			return publiclog.Contribution{At: at, Block: b, Party: names.Draw(t, "party"), Commitment: h}
		case 4:
			return publiclog.Abandonment{At: at, Block: b, By: texts.Draw(t, "by"), Why: texts.Draw(t, "why")}
		case 5:
			seal := publiclog.Seal{At: at, Block: b, Game: names.Draw(t, "game"), Definition: h, Stake: n, Price: money.Amount(number.Draw(t, "price")), Size: n, Root: h,
				Commitment: hash.Draw(t, "commitment"), Emission: number.Draw(t, "emission"), Position: n, By: texts.Draw(t, "by"), Beacon: beacons.Draw(t, "beacon")}
			for _, party := range parties.Draw(t, "parties")[1:] {
				seal.Contributions = append(seal.Contributions, publiclog.Pledge{Party: party, Commitment: h})
			}
			return seal
		case 6:
			return publiclog.Approval{At: at, Block: b, By: texts.Draw(t, "by"), Why: texts.Draw(t, "why")}
		case 7:
			return publiclog.Sales{At: at, Block: b, Sold: n, Root: h}
		case 8:
			return publiclog.JackpotWin{At: at, Jackpot: names.Draw(t, "jackpot"), Block: b, Index: n, Amount: money.Amount(number.Draw(t, "amount")), Since: number.Draw(t, "since")}
		case 9:
			return publiclog.Withdrawal{At: at, Block: b, Sold: n, Root: h, By: texts.Draw(t, "by"), Why: texts.Draw(t, "why")}
		}
		opening := publiclog.Opening{At: at, Block: b, Secret: secrets.Draw(t, "secret")}
		for _, party := range parties.Draw(t, "parties")[1:] {
			opening.Shares = append(opening.Shares, publiclog.Share{Party: party, Share: secrets.Draw(t, "share")})
		}
		if rapid.Bool().Draw(t, "signed") {
			opening.Signature = rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(t, "signature")
		}
		return opening
	})
}

// What is encoded is read as what it was, and is what others call canonical.
func TestEncodeThenParseIsIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entry := entries().Draw(t, "entry")
		encoded, err := publiclog.Encode(entry)
		if err != nil {
			t.Fatal(err)
		}
		read, err := publiclog.Parse(encoded)
		if err != nil {
			t.Fatalf("%s: %v", encoded, err)
		}
		if difference := cmp.Diff(entry, read, bySecret); difference != "" {
			t.Error(difference)
		}
		if canonical, err := jcs.Transform(encoded); err != nil || !bytes.Equal(canonical, encoded) {
			t.Errorf("%s, want %s, %v", encoded, canonical, err)
		}
	})
}

// The largest ceremony that the limits allow fits into an entry, and so does its opening.
func TestLimitsFitTogether(t *testing.T) {
	seal := publiclog.Seal{Game: strings.Repeat("g", 40), By: strings.Repeat("\x01", 100)}
	opening := publiclog.Opening{Secret: filled(1)}
	for n := range publiclog.PartiesMost {
		party := fmt.Sprintf("%s-%03d", strings.Repeat("p", 36), n)
		seal.Contributions = append(seal.Contributions, publiclog.Pledge{Party: party})
		opening.Shares = append(opening.Shares, publiclog.Share{Party: party, Share: filled(2)})
	}
	seal.At, opening.At = noon, noon
	for _, entry := range []publiclog.Entry{seal, opening} {
		if encoded, err := publiclog.Encode(entry); err != nil || len(encoded) > publiclog.EntryBytesMost {
			t.Errorf("%d bytes, %v", len(encoded), err)
		}
	}
}

// An opening shows its secret in no way but its encoding.
func TestOpeningDoesNotPrint(t *testing.T) {
	opening := publiclog.Opening{Secret: filled(0xaa), Shares: []publiclog.Share{{Party: "a", Share: filled(0xbb)}}}
	asJSON, err := json.Marshal(opening)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %x %s", opening, opening, opening, opening, opening), string(asJSON), fmt.Sprint(reflect.ValueOf(opening))} {
		for _, shown := range []string{"aaaa", "bbbb", "AAAA", "BBBB", "170", "187", "qqqq", "u7u7"} {
			if strings.Contains(text, shown) {
				t.Errorf("%s", text)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for text := range written() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, encoded []byte) {
		entry, err := publiclog.Parse(encoded)
		if err != nil {
			wantCode(t, err, "entry_malformed")
			return
		}
		again, err := publiclog.Encode(entry)
		if err != nil || !bytes.Equal(again, encoded) {
			t.Errorf("%s, %v", again, err)
		}
		if canonical, err := jcs.Transform(encoded); err != nil || !bytes.Equal(canonical, encoded) {
			t.Errorf("%s, want %s, %v", encoded, canonical, err)
		}
	})
}
