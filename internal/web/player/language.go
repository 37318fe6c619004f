package player

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // times are those of metropolitan France, wherever the server is

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/money"
)

// language is how pages speak: French is the reference, English is complete.
type language struct {
	Code   string // of the lang attribute
	prefix string // of paths
	text   func(game.Text) string
	amount func(money.Amount) string
	point  string // between a number and its decimals
	group  string // between thousands
	months [12]string
	short  [12]string // months where room is small
}

const (
	noBreak       = "\u00a0"
	narrowNoBreak = "\u202f"
)

var french = &language{
	Code: "fr", text: func(t game.Text) string { return t.French }, amount: money.Amount.French,
	point: ",", group: narrowNoBreak,
	months: [12]string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"},
	short:  [12]string{"janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."},
}

var english = &language{
	Code: "en", prefix: "/en", text: func(t game.Text) string { return t.English }, amount: money.Amount.English,
	point: ".", group: ",",
	months: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	short:  [12]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
}

var languages = []*language{french, english}

func otherLanguage(l *language) *language {
	if l == french {
		return english
	}
	return french
}

// paris is where times are told; the account's rules say so.
var paris = func() *time.Location {
	location, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		panic("player: the time zone data that comes with the program cannot be read: " + err.Error())
	}
	return location
}()

// Path is a path of this language.
func (l *language) Path(path string) string { return l.prefix + path }

// Say gives the words of a key, with its arguments put in.
func (l *language) Say(key string, arguments ...any) string {
	found, ok := words[key]
	if !ok {
		return "⟨" + key + "⟩" // a test finds every one
	}
	text := l.text(found)
	if len(arguments) == 0 {
		return text
	}
	return fmt.Sprintf(text, arguments...)
}

// Amount writes money with cents.
func (l *language) Amount(a money.Amount) string { return l.amount(a) }

// Cents writes a meter: parts of a cent are kept in the books and left out on screen, so that no more
// is shown than a win would pay.
func (l *language) Cents(a money.Amount) string { return l.amount(a - a%money.Cent) }

// Round writes money without cents when there are none.
func (l *language) Round(a money.Amount) string {
	if a%money.Unit != 0 {
		return l.amount(a)
	}
	if l == english {
		return strings.TrimSuffix(l.amount(a), ".00")
	}
	return strings.Replace(l.amount(a), ",00", "", 1)
}

// Exact writes money with all its decimals: shares of a price have up to four.
func (l *language) Exact(a money.Amount) string {
	if l == english {
		return "€" + a.String()
	}
	return strings.Replace(a.String(), ".", ",", 1) + noBreak + "€"
}

// Signed writes a result with its sign: +2,00 €, −1,00 €, 0,00 €.
func (l *language) Signed(a money.Amount) string {
	switch {
	case a > 0:
		return "+" + l.amount(a)
	case a < 0:
		return "−" + l.amount(-a)
	default:
		return l.amount(0)
	}
}

// Decimal writes a number that has a point, as this language does, without trailing zeros.
func (l *language) Decimal(number string) string {
	whole, decimals, _ := strings.Cut(number, ".")
	decimals = strings.TrimRight(decimals, "0")
	text := l.grouped(whole)
	if decimals != "" {
		text += l.point + decimals
	}
	return text
}

// Count writes a count with its thousands apart.
func (l *language) Count(n uint64) string { return l.grouped(strconv.FormatUint(n, 10)) }

func (l *language) grouped(digits string) string {
	if len(digits) <= 3 {
		return digits
	}
	return l.grouped(digits[:len(digits)-3]) + l.group + digits[len(digits)-3:]
}

// time writes a moment, in the time of metropolitan France.
func (l *language) time(t time.Time) string {
	local := t.In(paris)
	return l.day(local) + " " + local.Format("15:04:05")
}

// hour and shortDay are the two lines of a moment in a list.
func (l *language) hour(t time.Time) string { return t.In(paris).Format("15:04:05") }

func (l *language) shortDay(t time.Time) string {
	local := t.In(paris)
	return strconv.Itoa(local.Day()) + noBreak + l.short[local.Month()-1] + noBreak + strconv.Itoa(local.Year())
}

func (l *language) day(t time.Time) string {
	day := strconv.Itoa(t.Day())
	if l == french && t.Day() == 1 {
		day = "1er"
	}
	return day + noBreak + l.months[t.Month()-1] + noBreak + strconv.Itoa(t.Year())
}

// date writes a date of a definition, or nothing when there is none.
func (l *language) date(text string) string {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return ""
	}
	return l.day(day)
}

// problem tells a visitor what happened and what to do, by the stable code of an error, or by its kind
// where its code has no words of its own.
func (l *language) problem(err error) (heading, message, next string) {
	code := fault.CodeOf(err)
	if _, ok := words["problem."+code]; !ok {
		code = problemOfKind(err)
	}
	next = ""
	if _, ok := words["problem."+code+".next"]; ok {
		next = l.Say("problem." + code + ".next")
	}
	return l.Say("problem.heading"), l.Say("problem." + code), next
}

func problemOfKind(err error) string {
	switch {
	case errors.Is(err, fault.Invalid):
		return "request_malformed"
	case errors.Is(err, fault.NotFound):
		return "page_unknown"
	case errors.Is(err, fault.Unavailable):
		return "unavailable"
	}
	return "internal"
}
