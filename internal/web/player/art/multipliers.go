package art

import "fmt"

// numerals are single-stroke figures on a box 30 wide and 44 high, drawn with a broad pen.
var numerals = map[string]string{
	"1": "M8 10L16 3V41",
	"2": "M4 12C5 5 10 3 15 3C22 3 26 7.5 26 13C26 22 13 28 4 41H27",
	"3": "M5 6C8 4 11 3 15 3C21 3 25 7 25 12C25 18 20 21 14 21C21 21 26.4 25 26.4 31C26.4 37.4 21 41 14.5 41C10 41 6.4 39.6 3.6 37",
	"4": "M20 41V3L3 30H28",
	"5": "M25 3H8L6.4 20C9 18 12 17 15.4 17C22 17 27 21.6 27 28.6C27 36 21.6 41 14.4 41C10 41 6.4 39.6 3.6 37",
	"0": "M15 3C7 3 3 10 3 22C3 34 7 41 15 41C23 41 27 34 27 22C27 10 23 3 15 3Z",
	"x": "M4 18L22 36M22 18L4 36",
}

// multipliers draws the violet seal of « point d'interrogation » and the coefficients it turns to.
func multipliers() []drawing {
	question := written("M36 36C36.6 26 43 21.5 51 21.5C59.6 21.5 65.6 27 65.6 34.6C65.6 45 51.4 46.4 51 57V59") +
		disc(51, 73.4, 5.4, "url(#p-gold-light)", inkViolet, 2.6)
	all := []drawing{{"point-d-interrogation", seal() + question}}
	for _, c := range []int{2, 3, 4, 5, 10} {
		all = append(all, drawing{fmt.Sprintf("x%d", c), seal() + coefficient(c)})
	}
	return all
}

// seal is a scalloped medallion, as pressed in wax.
func seal() string {
	return shape(scallops(50, 50, 41.5, 49.5, 18, 0), "url(#p-gold-deep)", inkViolet, 3) +
		shape(scallops(50, 50, 38, 43.6, 18, 0), "url(#p-violet-in)", inkViolet, 1.4) +
		`<g fill="none" stroke="#d9c2ff" stroke-width=".7" opacity=".5">` + petals(50, 50, 19, 8, 18, 12, 0) + `</g>` +
		disc(50, 50, 30, "url(#p-violet-in)", "#e3b54a", 1.6) +
		line("M15 39A37 37 0 0 1 37 15.6", "#f4ebff", 3, .7)
}

// written draws a broad gold stroke with a dark edge.
func written(d string) string {
	return line(d, inkViolet, 14.5, 1) + line(d, "#e9bd57", 9.6, 1) + line(d, "#fff3c8", 5, 1)
}

func coefficient(c int) string {
	text := fmt.Sprint(c)
	scale, gap := .92, 5.0
	if len(text) == 2 {
		scale, gap = .74, 3.0
	}
	widths := map[byte]float64{'x': 26, '1': 20, '0': 30, '2': 30, '3': 30, '4': 31, '5': 30}
	word := "x" + text
	total := -gap
	for i := range len(word) {
		total += widths[word[i]] + gap
	}
	out := fmt.Sprintf(`<g transform="translate(%s %s) scale(%s)">`, num(50-total*scale/2), num(50-22*scale), num(scale))
	x := 0.0
	for i := range len(word) {
		pen := 1.0
		if word[i] == 'x' {
			pen = .8
		}
		d := numerals[string(word[i])]
		out += fmt.Sprintf(`<g transform="translate(%s 0)">%s</g>`, num(x), line(d, inkViolet, 14*pen, 1)+line(d, "#e9bd57", 9.4*pen, 1)+line(d, "#fff3c8", 5*pen, 1))
		x += widths[word[i]] + gap
	}
	return out + `</g>`
}
