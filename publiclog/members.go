package publiclog

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// Limits of an entry (log.md, section 1).
const (
	// EntryBytesMost is the largest entry: what two bytes of length in an entry tile can count.
	EntryBytesMost = 65_535
	// NumberMost is the largest number in an entry: what every JSON reader holds exactly.
	NumberMost = 1<<53 - 1
	// PartiesMost is the largest number of parties of a ceremony.
	PartiesMost = block.PartiesMost
	// NameBytesMost is the longest name of a game, a jackpot, a party or a beacon's scheme.
	NameBytesMost = 40
	// StaffBytesMost is the longest name of a member of the staff.
	StaffBytesMost = 100
	// WhyBytesMost is the longest reason.
	WhyBytesMost = 500
	// beaconBytesMost is the longest public key or signature of a beacon.
	beaconBytesMost = 200
)

// members is the list of an entry's keys, gone through in one of two directions: to write a JSON
// object from fields, or to read fields from one. One list for both cannot disagree with itself.
// What is read is judged when it is written again.
type members struct {
	reading map[string]json.RawMessage // what is left to read; nil when writing
	written []member
	err     error
}

type member struct {
	key  string
	text []byte
}

// form is how a value stands in JSON. write judges; read may be lenient, as all that was read is
// written again and compared.
type form[T any] struct {
	write func(T) ([]byte, error)
	read  func(json.RawMessage) (T, error)
}

// with writes or reads one key.
func with[T any](m *members, key string, field *T, f form[T]) {
	if m.err != nil {
		return
	}
	var err error
	if m.reading == nil {
		var text []byte
		text, err = f.write(*field)
		m.written = append(m.written, member{key, text})
	} else {
		text, ok := m.reading[key]
		if !ok {
			m.err = fmt.Errorf("the key %q is missing", key)
			return
		}
		delete(m.reading, key)
		*field, err = f.read(text)
	}
	if err != nil {
		m.err = fmt.Errorf("the key %q: %w", key, err)
	}
}

// has reports whether an optional key is there: in the object, or in the fields.
func (m *members) has(key string, inFields bool) bool {
	if m.reading == nil {
		return inFields
	}
	_, ok := m.reading[key]
	return ok
}

// object puts the members together as RFC 8785 orders them. All keys are ASCII, so the order of
// their bytes is that of their UTF-16 code units.
func (m *members) object() []byte {
	slices.SortFunc(m.written, func(a, b member) int { return slices.Compare([]byte(a.key), []byte(b.key)) })
	object := []byte{'{'}
	for at, member := range m.written {
		if at > 0 {
			object = append(object, ',')
		}
		object = append(appendText(object, member.key), ':')
		object = append(object, member.text...)
	}
	return append(object, '}')
}

// appendText writes a text as RFC 8785, section 3.2.2.2, says: as short as JSON allows.
func appendText(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for at := range len(text) {
		switch c := text[at]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= 0x20:
			dst = append(dst, c)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		}
	}
	return append(dst, '"')
}

// readObject takes a JSON object apart.
func readObject(text []byte) (*members, error) {
	m := &members{}
	if err := json.Unmarshal(text, &m.reading); err != nil {
		return nil, err
	}
	if m.reading == nil {
		return nil, fmt.Errorf("it is no object")
	}
	return m, nil
}

// end reports what went wrong, and any key that nobody asked for.
func (m *members) end() error {
	if m.err == nil && len(m.reading) > 0 {
		m.err = fmt.Errorf("%d keys are not of this kind", len(m.reading))
	}
	return m.err
}

var (
	namePattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

	name  = textForm(func(s string) bool { return len(s) <= NameBytesMost && namePattern.MatchString(s) })
	staff = textForm(func(s string) bool { return s != "" && len(s) <= StaffBytesMost })
	why   = textForm(func(s string) bool { return s != "" && len(s) <= WhyBytesMost })
	kind  = textForm(func(s string) bool { return s == TypeGame || s == TypeJackpot })

	moment = mapped(numberForm(NumberMost), func(n uint64) time.Time { return time.UnixMilli(int64(n)).UTC() },
		func(t time.Time) (uint64, bool) { n := t.UnixMilli(); return uint64(n), n >= 0 })
	amount = mapped(numberForm(NumberMost), func(n uint64) money.Amount { return money.Amount(n) },
		func(a money.Amount) (uint64, bool) { return uint64(a), a >= 0 })
	number = numberForm(NumberMost)
	count  = mapped(numberForm(1<<32-1), func(n uint64) uint32 { return uint32(n) },
		func(n uint32) (uint64, bool) { return uint64(n), true })

	blockID = fixed[block.ID]()
	digest  = fixed[canon.Digest]()
	secret  = form[block.Secret]{
		write: func(s block.Secret) ([]byte, error) { clear := s.Reveal(); return hexadecimal(clear[:]), nil },
		read: func(text json.RawMessage) (block.Secret, error) {
			clear, err := fixed[[32]byte]().read(text)
			if err != nil {
				return block.Secret{}, err
			}
			return block.SecretFromBytes(clear[:])
		},
	}
	public = form[[]byte]{ // bytes of a beacon
		write: func(b []byte) ([]byte, error) {
			if len(b) == 0 || len(b) > beaconBytesMost {
				return nil, fmt.Errorf("%d bytes", len(b))
			}
			return hexadecimal(b), nil
		},
		read: readHexadecimal,
	}
)

// once is a number that is always the same.
func once(m *members, key string, value uint64) {
	read := value
	with(m, key, &read, number)
	if m.err == nil && read != value {
		m.err = fmt.Errorf("the key %q: only %d is known", key, value)
	}
}

func textForm(valid func(string) bool) form[string] {
	return form[string]{
		write: func(s string) ([]byte, error) {
			if !utf8.ValidString(s) || !valid(s) {
				return nil, fmt.Errorf("a text of %d bytes that may not stand there", len(s))
			}
			return appendText(nil, s), nil
		},
		read: func(text json.RawMessage) (s string, err error) { return s, json.Unmarshal(text, &s) },
	}
}

func numberForm(most uint64) form[uint64] {
	return form[uint64]{
		write: func(n uint64) ([]byte, error) {
			if n > most {
				return nil, fmt.Errorf("a number above %d", most)
			}
			return strconv.AppendUint(nil, n, 10), nil
		},
		read: func(text json.RawMessage) (uint64, error) {
			n, err := strconv.ParseUint(string(text), 10, 64)
			if err != nil || n > most {
				return 0, fmt.Errorf("not a whole number from 0 to %d", most)
			}
			return n, nil
		},
	}
}

// mapped is the form of a type that stands as another does.
func mapped[T, U any](of form[U], from func(U) T, to func(T) (U, bool)) form[T] {
	return form[T]{
		write: func(value T) ([]byte, error) {
			as, ok := to(value)
			if !ok {
				return nil, fmt.Errorf("a value below 0")
			}
			return of.write(as)
		},
		read: func(text json.RawMessage) (value T, err error) {
			as, err := of.read(text)
			if err == nil {
				value = from(as)
			}
			return value, err
		},
	}
}

// fixed is the form of an array of bytes.
func fixed[T ~[16]byte | ~[32]byte]() form[T] {
	return form[T]{
		write: func(value T) ([]byte, error) {
			bytes, err := binary.Append(nil, binary.BigEndian, value)
			return hexadecimal(bytes), err
		},
		read: func(text json.RawMessage) (value T, err error) {
			bytes, err := readHexadecimal(text)
			if err == nil && len(bytes) != binary.Size(value) {
				err = fmt.Errorf("%d bytes instead of %d", len(bytes), binary.Size(value))
			}
			if err == nil {
				_, err = binary.Decode(bytes, binary.BigEndian, &value)
			}
			return value, err
		},
	}
}

func hexadecimal(bytes []byte) []byte {
	return append(hex.AppendEncode([]byte{'"'}, bytes), '"')
}

func readHexadecimal(text json.RawMessage) ([]byte, error) {
	var digits string
	if json.Unmarshal(text, &digits) != nil {
		return nil, fmt.Errorf("not hexadecimal digits")
	}
	bytes, err := hex.DecodeString(digits)
	if err != nil {
		return nil, fmt.Errorf("not hexadecimal digits") // the digits may be a secret's
	}
	return bytes, nil
}

// listOf is the form of a list that is never empty: an empty one is left out.
func listOf[T any](of form[T]) form[[]T] {
	return form[[]T]{
		write: func(values []T) ([]byte, error) {
			if len(values) == 0 || len(values) > PartiesMost {
				return nil, fmt.Errorf("a list of %d", len(values))
			}
			list := []byte{'['}
			for at, value := range values {
				text, err := of.write(value)
				if err != nil {
					return nil, err
				}
				if at > 0 {
					list = append(list, ',')
				}
				list = append(list, text...)
			}
			return append(list, ']'), nil
		},
		read: func(text json.RawMessage) (values []T, err error) {
			var texts []json.RawMessage
			if err := json.Unmarshal(text, &texts); err != nil {
				return nil, err
			}
			for _, text := range texts {
				value, err := of.read(text)
				if err != nil {
					return nil, err
				}
				values = append(values, value)
			}
			return values, nil
		},
	}
}

// objectOf is the form of an object inside an entry.
func objectOf[T any](list func(*T, *members)) form[T] {
	return form[T]{
		write: func(value T) ([]byte, error) {
			var m members
			list(&value, &m)
			return m.object(), m.end()
		},
		read: func(text json.RawMessage) (value T, err error) {
			m, err := readObject(text)
			if err != nil {
				return value, err
			}
			list(&value, m)
			return value, m.end()
		},
	}
}

func malformed(format string, arguments ...any) error {
	return fault.New(fault.Invalid, "entry_malformed", "this is no entry of the public log: "+format, arguments...).
		Next("compare it with docs/spec/log.md, section 1")
}
