package money

import (
	"strings"

	"github.com/talonlottery/talon/fault"
)

// Spaces that regulations and French typography use between thousands and before the currency:
// the plain space, the no-break space (U+00A0) and the narrow no-break space (U+202F).
const (
	noBreakSpace       = '\u00a0'
	narrowNoBreakSpace = '\u202f'
)

// Parse reads an amount as regulations and definitions write it: `0.50`, `7,5`, `7,5 €`, `10 000 €`,
// `1000 €`, `5 000 euros`. Decimals follow a comma or a point and are four at most; thousands may be
// set apart by spaces, in groups of three; the currency may follow as €, EUR or euro(s). It returns
// Invalid with code amount_malformed, naming the text, for anything else, and for amounts beyond
// [Most] either way.
func Parse(text string) (Amount, error) {
	digits, negative := strings.CutPrefix(trimCurrency(trimSpaces(text)), "-")
	whole, decimals, hasDecimals := cutDecimals(digits)
	units, ok := parseWhole(whole)
	if !ok {
		return 0, malformed(text, "a number such as 7,5 or 10 000 is expected")
	}
	fraction, ok := parseDecimals(decimals)
	if !ok || hasDecimals && decimals == "" {
		return 0, malformed(text, "one to four decimals are expected after the comma or point")
	}
	amount := Amount(units)*Unit + fraction
	if amount > Most {
		return 0, malformed(text, "amounts go up to 1 000 000 000")
	}
	if negative {
		amount = -amount
	}
	return amount, nil
}

// String gives the amount as machines read it: a point, two decimals at least, four at most, no
// thousands separator and no currency. Parse(a.String()) is a for every amount up to [Most].
func (a Amount) String() string { return format(a, '.', 0, 2) }

// French gives the amount as French readers expect it on screen, always with cents: `7,50 €`,
// `10 000,00 €`. Spaces are no-break spaces, so that an amount never breaks over two lines.
func (a Amount) French() string {
	return format(a, ',', narrowNoBreakSpace, 2) + string(noBreakSpace) + "€"
}

// Regulation gives the amount as regulations print it, without needless decimals: `7,5 €`,
// `0,97 €`, `10 000 €`, with no-break spaces.
func (a Amount) Regulation() string {
	return format(a, ',', noBreakSpace, 0) + string(noBreakSpace) + "€"
}

// English gives the amount as English readers expect it: `€7.50`, `€10,000.00`, `-€2.00`.
func (a Amount) English() string {
	if a < 0 {
		return "-€" + format(a, '.', ',', 2)[1:]
	}
	return "€" + format(a, '.', ',', 2)
}

// MarshalText writes the form of [Amount.String], so that amounts in JSON are exact strings.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what [Parse] reads.
func (a *Amount) UnmarshalText(text []byte) error {
	amount, err := Parse(string(text))
	if err != nil {
		return err
	}
	*a = amount
	return nil
}

func format(a Amount, point byte, thousands rune, decimalsLeast int) string {
	size := magnitude(int64(a))
	whole, fraction := size/uint64(Unit), size%uint64(Unit)
	var text []byte
	if a < 0 {
		text = append(text, '-')
	}
	text = appendGrouped(text, whole, thousands)
	decimals := []byte{byte('0' + fraction/1000), byte('0' + fraction/100%10), byte('0' + fraction/10%10), byte('0' + fraction%10)}
	kept := len(decimals)
	for kept > decimalsLeast && decimals[kept-1] == '0' {
		kept--
	}
	if kept == 0 {
		return string(text)
	}
	return string(append(append(text, point), decimals[:kept]...))
}

func appendGrouped(text []byte, whole uint64, thousands rune) []byte {
	if whole < 1000 {
		return appendNumber(text, whole, 1)
	}
	text = appendGrouped(text, whole/1000, thousands)
	if thousands != 0 {
		text = append(text, string(thousands)...)
	}
	return appendNumber(text, whole%1000, 3)
}

func appendNumber(text []byte, n uint64, width int) []byte {
	if n >= 10 || width > 1 {
		text = appendNumber(text, n/10, width-1)
	}
	return append(text, byte('0'+n%10))
}

func trimSpaces(text string) string { return strings.TrimFunc(text, isSpace) }

func isSpace(r rune) bool { return r == ' ' || r == noBreakSpace || r == narrowNoBreakSpace }

func trimCurrency(text string) string {
	for _, currency := range []string{"€", "EUR", "euros", "Euros", "euro", "Euro"} {
		if rest, found := strings.CutSuffix(text, currency); found {
			return trimSpaces(rest)
		}
	}
	return text
}

func cutDecimals(text string) (whole, decimals string, found bool) {
	if at := strings.IndexAny(text, ".,"); at >= 0 {
		return text[:at], text[at+1:], true
	}
	return text, "", false
}

// parseWhole reads digits that stand together, or in groups of three set apart by single spaces.
func parseWhole(text string) (units int64, ok bool) {
	digits, sinceSpace, spaced := 0, 0, false
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			units = units*10 + int64(r-'0')
			digits++
			sinceSpace++
		case isSpace(r) && sinceSpace >= 1 && sinceSpace <= 3 && (!spaced || sinceSpace == 3):
			spaced, sinceSpace = true, 0
		default:
			return 0, false
		}
		if digits > 12 {
			return 0, false
		}
	}
	return units, digits > 0 && (!spaced || sinceSpace == 3)
}

func parseDecimals(text string) (fraction Amount, ok bool) {
	if len(text) > 4 {
		return 0, false
	}
	weight := Unit
	for _, r := range text {
		if r < '0' || r > '9' {
			return 0, false
		}
		weight /= 10
		fraction += Amount(r-'0') * weight
	}
	return fraction, true
}

func malformed(text, expected string) error {
	return fault.New(fault.Invalid, "amount_malformed", "%q is not an amount of money: %s", shorten(text), expected)
}

// shorten keeps error messages readable when the text is not an amount at all.
func shorten(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
