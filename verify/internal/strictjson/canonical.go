package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf16"
)

// wholeMost is the largest whole number that every JSON reader understands: 2⁵³ − 1.
const wholeMost = 1<<53 - 1

// ParseCanonical reads a value and refuses it unless its bytes are those of RFC 8785. Numbers must be whole, from 0 to 2⁵³ − 1, so
// that no rule of RFC 8785 for other numbers is needed.
func ParseCanonical(data []byte) (any, error) {
	value, err := Parse(data)
	if err != nil {
		return nil, err
	}
	canonical, err := Canonical(value)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(canonical, data) {
		return nil, errors.New("not canonical JSON (RFC 8785)")
	}
	return value, nil
}

// Canonical writes a value of Parse as RFC 8785 says.
func Canonical(value any) ([]byte, error) {
	return appendValue(nil, value)
}

func appendValue(b []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case string:
		return appendText(b, v), nil
	case json.Number:
		n, err := whole(v)
		return strconv.AppendUint(b, n, 10), err
	case []any:
		return appendList(b, v)
	case map[string]any:
		return appendObject(b, v)
	}
	return nil, fmt.Errorf("%T is not JSON", value)
}

func appendList(b []byte, list []any) ([]byte, error) {
	b = append(b, '[')
	for i, value := range list {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendValue(b, value); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendObject(b []byte, object map[string]any) ([]byte, error) {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	// RFC 8785, section 3.2.3: keys are sorted by their UTF-16 code units.
	slices.SortFunc(keys, func(x, y string) int {
		return slices.Compare(utf16.Encode([]rune(x)), utf16.Encode([]rune(y)))
	})
	b = append(b, '{')
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, key), ':')
		var err error
		if b, err = appendValue(b, object[key]); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendText escapes as little as RFC 8785, section 3.2.2.2, allows.
func appendText(b []byte, text string) []byte {
	b = append(b, '"')
	for _, c := range []byte(text) {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c < 0x20:
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// whole reads a number that is written with digits only, without a leading zero, and at most 2⁵³ − 1.
func whole(number json.Number) (uint64, error) {
	text := number.String()
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > wholeMost || strconv.FormatUint(n, 10) != text {
		return 0, fmt.Errorf("%s is not a whole number from 0 to 2⁵³ − 1", text)
	}
	return n, nil
}
