package definition

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Money is an amount in ten-thousandths of the currency unit: block.md, section 1.
type Money = int64

const (
	unit       Money = 10_000 // one unit of currency
	cent       Money = 100
	wholesMost       = 1_000_000_000 // currency units: definition.md, section 1
)

// parseMoney reads an amount of a definition's canonical JSON: a whole number of currency units, or a text with two to four decimals.
func parseMoney(value any) (Money, error) {
	switch v := value.(type) {
	case json.Number:
		return wholes(v.String())
	case string:
		return ParseMoney(v)
	}
	return 0, fmt.Errorf("%v is not an amount", value)
}

// ParseMoney reads a text with two to four decimals, such as "7.50".
func ParseMoney(text string) (Money, error) {
	left, right, found := strings.Cut(text, ".")
	if !found || len(right) < 2 || len(right) > 4 {
		return 0, fmt.Errorf("%q is not an amount with two to four decimals", text)
	}
	amount, err := wholes(left)
	if err != nil {
		return 0, err
	}
	decimals, err := strconv.ParseUint((right + "00")[:4], 10, 16)
	if err != nil {
		return 0, fmt.Errorf("%q is not an amount", text)
	}
	return amount + Money(decimals), nil
}

func wholes(digits string) (Money, error) {
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > wholesMost || strconv.FormatUint(n, 10) != digits {
		return 0, fmt.Errorf("%q is not an amount", digits)
	}
	return Money(n) * unit, nil
}

// UpToCent rounds an amount up to a whole cent.
func UpToCent(amount Money) Money {
	return (amount + cent - 1) / cent * cent
}

// Format writes an amount in currency units: "0.50", "10000.00", "0.016".
func Format(amount Money) string {
	text := fmt.Sprintf("%d.%04d", amount/unit, amount%unit)
	return strings.TrimSuffix(strings.TrimSuffix(text, "0"), "0")
}
