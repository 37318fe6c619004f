package receipt

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

const (
	depthMost  = 4         // objects and lists in one another
	numberMost = 1<<53 - 1 // what every reader of JSON holds exactly
	malformed  = "receipt_malformed"
)

// Parse reads a receipt. It returns Invalid with code receipt_malformed for whatever has not exactly
// the form of docs/spec/receipt.md: another key, a key twice or none, a number that is not whole,
// digits in upper case, text after the end.
func Parse(text []byte) (*Receipt, error) {
	if len(text) > BytesMost {
		return nil, wrong("", "a receipt has at most %d bytes, not %d", BytesMost, len(text))
	}
	if !utf8.Valid(text) {
		return nil, wrong("", "a receipt is UTF-8 text")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	value, err := readValue(decoder, 0)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, wrong("", "nothing follows a receipt")
	}
	f := fields{problem: new(error)}
	f.object(value, "")
	if format := f.text("format"); format != Format {
		f.fail("format", "it is %q, and %q is read here", format, Format)
	}
	r := &Receipt{At: int64(f.number("at")), Checkpoint: f.text("checkpoint")}
	f.bytes("play", r.Play[:])
	if unit := f.part("unit", true); unit != nil {
		r.Unit = *unit
	}
	if r.Participation = f.part("participation", false); r.Participation != nil && r.Participation.Prize != 0 {
		f.fail("participation.prize", "a participation has no prize of its own")
	}
	if f.has("win") {
		win := f.inner("win")
		logged := win.logged("path")
		win.end()
		r.Win = &logged
	}
	f.end()
	if *f.problem != nil {
		return nil, *f.problem
	}
	return r, nil
}

func wrong(place, format string, arguments ...any) error {
	e := fault.New(fault.Invalid, malformed, format, arguments...).Next("take the file as it was downloaded")
	if place == "" {
		return e
	}
	return e.At(place)
}

// readValue reads one value and refuses what encoding/json lets pass: a key given twice.
func readValue(decoder *json.Decoder, depth int) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, wrong("", "it is not JSON: %w", err)
	}
	opened, ok := token.(json.Delim)
	if !ok {
		return token, nil
	}
	if depth == depthMost {
		return nil, wrong("", "it is nested deeper than a receipt is")
	}
	if opened == '[' {
		list := []any{}
		for decoder.More() {
			value, err := readValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, closed(decoder)
	}
	object := map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, wrong("", "it is not JSON: %w", err)
		}
		key, _ := token.(string)
		if _, twice := object[key]; twice {
			return nil, wrong(key, "the key is given twice")
		}
		if object[key], err = readValue(decoder, depth+1); err != nil {
			return nil, err
		}
	}
	return object, closed(decoder)
}

func closed(decoder *json.Decoder) error {
	if _, err := decoder.Token(); err != nil {
		return wrong("", "it is not JSON: %w", err)
	}
	return nil
}

// fields takes the keys of an object one by one. The first problem is kept; what is asked for after it
// is empty.
type fields struct {
	place   string
	values  map[string]any
	problem *error
}

func (f *fields) object(value any, place string) {
	f.place = place
	object, ok := value.(map[string]any)
	if !ok {
		f.fail("", "an object is expected")
	}
	f.values = object
}

func (f *fields) inner(key string) *fields {
	inner := &fields{problem: f.problem}
	inner.object(f.take(key), f.at(key))
	return inner
}

func (f *fields) at(key string) string {
	if f.place == "" || key == "" {
		return f.place + key
	}
	return f.place + "." + key
}

func (f *fields) fail(key, format string, arguments ...any) {
	if *f.problem == nil {
		*f.problem = wrong(f.at(key), format, arguments...)
	}
}

func (f *fields) has(key string) bool {
	_, ok := f.values[key]
	return ok
}

func (f *fields) take(key string) any {
	value, ok := f.values[key]
	if !ok {
		f.fail(key, "the key is missing")
	}
	delete(f.values, key)
	return value
}

// end refuses the keys that nobody took.
func (f *fields) end() {
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		f.fail(key, "a receipt has no such key")
	}
}

func (f *fields) text(key string) string {
	text, ok := f.take(key).(string)
	if !ok {
		f.fail(key, "a text is expected")
	}
	return text
}

func (f *fields) number(key string) uint64 {
	number, _ := f.take(key).(json.Number)
	n, err := strconv.ParseUint(string(number), 10, 64)
	if err != nil || n > numberMost {
		f.fail(key, "a whole number from 0 to 2^53 - 1 is expected")
		return 0
	}
	return n
}

// bytes reads exactly as many bytes as there is room for.
func (f *fields) bytes(key string, into []byte) {
	f.hexadecimal(key, f.text(key), into)
}

func (f *fields) hexadecimal(key, text string, into []byte) {
	decoded, ok := lowerHex(text)
	if !ok || len(decoded) != len(into) {
		f.fail(key, "%d bytes in lower-case hexadecimal are expected", len(into))
		return
	}
	copy(into, decoded)
}

func lowerHex(text string) ([]byte, bool) {
	decoded, err := hex.DecodeString(text)
	return decoded, err == nil && hex.EncodeToString(decoded) == text
}

func (f *fields) layout(key string) []byte {
	layout, ok := lowerHex(f.text(key))
	if !ok {
		f.fail(key, "bytes in lower-case hexadecimal are expected")
	}
	return layout
}

func (f *fields) path(key string) []canon.Digest {
	list, ok := f.take(key).([]any)
	if !ok {
		f.fail(key, "a list of digests is expected")
	}
	path := make([]canon.Digest, len(list))
	for at, value := range list {
		text, _ := value.(string)
		f.hexadecimal(key, text, path[at][:])
	}
	return path
}

func (f *fields) logged(path string) Logged {
	return Logged{Entry: f.text("entry"), Index: f.number("index"), Path: f.path(path)}
}

func (f *fields) part(key string, must bool) *Part {
	if !must && !f.has(key) {
		return nil
	}
	in := f.inner(key)
	p := &Part{Index: in.number("index"), Prize: money.Amount(in.number("prize")), Layout: in.layout("layout"), Path: in.path("path")}
	in.bytes("salt", p.Salt[:])
	seal := in.inner("seal")
	p.Seal = seal.logged("path")
	seal.end()
	if in.has("sales") {
		sales := in.inner("sales")
		p.Sales = &Sale{Path: sales.path("path"), Logged: sales.logged("log")}
		sales.end()
	}
	in.end()
	return p
}
