package strictjson

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talonlottery/talon/verify/internal/notation"
)

// Fields takes the values of an object by key. The first thing that is wrong is kept and told by Err or End; until then a missing value
// reads as zero, so that a caller can take all keys before it looks.
type Fields struct {
	object map[string]any
	where  string
	taken  map[string]bool
	err    *error // shared with the objects inside
}

// FieldsOf begins with a value that must be an object.
func FieldsOf(value any) *Fields {
	return newFields(value, "", new(error))
}

func newFields(value any, where string, err *error) *Fields {
	f := &Fields{where: where, taken: map[string]bool{}, err: err}
	object, ok := value.(map[string]any)
	if !ok {
		f.fail(errors.New(where + " is not an object"))
	}
	f.object = object
	return f
}

func (f *Fields) fail(err error) {
	if *f.err == nil {
		*f.err = err
	}
}

// Fail records that a value is wrong for a reason that the caller knows.
func (f *Fields) Fail(key, why string) {
	f.fail(fmt.Errorf("%s: %s", f.path(key), why))
}

func (f *Fields) path(key string) string {
	if f.where == "" {
		return key
	}
	return f.where + "." + key
}

// Err is the first thing that was wrong.
func (f *Fields) Err() error { return *f.err }

// End is Err, or the complaint that the object has a key that was not taken.
func (f *Fields) End() error {
	for key := range f.object {
		if !f.taken[key] {
			f.fail(fmt.Errorf("unknown key %q", f.path(key)))
		}
	}
	return *f.err
}

// Has says whether the object has the key.
func (f *Fields) Has(key string) bool {
	_, has := f.object[key]
	return has
}

// Any takes a value of any kind.
func (f *Fields) Any(key string) any {
	value, has := f.object[key]
	if !has {
		f.Fail(key, "missing")
	}
	f.taken[key] = true
	return value
}

func take[T any](f *Fields, key, kind string) T {
	value, ok := f.Any(key).(T)
	if !ok {
		f.Fail(key, "not "+kind)
	}
	return value
}

// Text takes a text.
func (f *Fields) Text(key string) string { return take[string](f, key, "a text") }

// Bool takes true or false; a key that is left out is false.
func (f *Fields) Bool(key string) bool {
	if !f.Has(key) {
		return false
	}
	return take[bool](f, key, "true or false")
}

// List takes a list.
func (f *Fields) List(key string) []any { return take[[]any](f, key, "a list") }

// Object takes an object, whose errors are f's.
func (f *Fields) Object(key string) *Fields {
	return newFields(f.Any(key), f.path(key), f.err)
}

// Objects takes a list of objects.
func (f *Fields) Objects(key string) []*Fields {
	var all []*Fields
	for i, value := range f.List(key) {
		all = append(all, newFields(value, fmt.Sprintf("%s[%d]", f.path(key), i), f.err))
	}
	return all
}

// Texts takes a list of texts.
func (f *Fields) Texts(key string) []string {
	var all []string
	for _, value := range f.List(key) {
		text, ok := value.(string)
		if !ok {
			f.Fail(key, "not a list of texts")
		}
		all = append(all, text)
	}
	return all
}

// Whole takes a whole number from 0 to 2⁵³ − 1.
func (f *Fields) Whole(key string) uint64 {
	return f.whole(key, f.Any(key))
}

// Wholes takes a list of whole numbers.
func (f *Fields) Wholes(key string) []uint64 {
	var all []uint64
	for _, value := range f.List(key) {
		all = append(all, f.whole(key, value))
	}
	return all
}

func (f *Fields) whole(key string, value any) uint64 {
	number, ok := value.(json.Number)
	if !ok {
		f.Fail(key, "not a number")
		return 0
	}
	n, err := whole(number)
	if err != nil {
		f.Fail(key, err.Error())
	}
	return n
}

// Hex takes size bytes in hexadecimal.
func (f *Fields) Hex(key string, size int) []byte {
	b, err := notation.ParseHex(f.Text(key), size)
	if err != nil {
		f.Fail(key, err.Error())
		return make([]byte, size)
	}
	return b
}

// ID takes an identifier.
func (f *Fields) ID(key string) notation.ID { return notation.ID(f.Hex(key, 16)) }

// Digest takes 32 bytes.
func (f *Fields) Digest(key string) notation.Digest { return notation.Digest(f.Hex(key, 32)) }

// Digests takes a list of 32 bytes each.
func (f *Fields) Digests(key string) []notation.Digest {
	var all []notation.Digest
	for _, text := range f.Texts(key) {
		d, err := notation.ParseDigest(text)
		if err != nil {
			f.Fail(key, err.Error())
		}
		all = append(all, d)
	}
	return all
}
