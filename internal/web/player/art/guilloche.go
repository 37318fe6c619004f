package art

import (
	"fmt"
	"math"
	"strings"
)

// A velvet is the pair of tones that the engraved files of one theme are drawn with.
type velvet struct{ light, line, dark, deep string }

var velvets = map[string]velvet{
	"emerald": {light: "#17785f", line: "#d9b565", dark: "#0b4a3c", deep: "#04261f"},
	"garnet":  {light: "#8a2b47", line: "#dcae66", dark: "#551529", deep: "#26070f"},
}

// background is the guilloché of a page: three fans of ellipses about one centre, as a rose engine cuts them, and
// a braided ring. It is centred behind the board.
func background(line string) string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1600" viewBox="0 0 1600 1600">`)
	fmt.Fprintf(&b, `<g fill="none" stroke="%s" stroke-width="1">`, line)
	fan := func(offset, rx, ry float64, n int, opacity float64) {
		fmt.Fprintf(&b, `<g opacity="%s">%s</g>`, num(opacity), petals(800, 800, offset, rx, ry, n, 0))
	}
	fan(520, 70, 250, 60, .26)
	fan(330, 120, 330, 36, .16)
	fan(180, 180, 180, 48, .2)
	b.WriteString(`<g opacity=".34">`)
	for i := range 6 {
		fmt.Fprintf(&b, `<path d="%s"/>`, scallops(800, 800, 640, 720, 48, float64(i)*1.25))
	}
	b.WriteString(`</g><g opacity=".22">`)
	for i := range 5 {
		fmt.Fprintf(&b, `<path d="%s"/>`, scallops(800, 800, 760, 796, 90, float64(i)*.8))
	}
	b.WriteString(`</g></g></svg>`)
	return b.String()
}

// cover is the engraved back of a cell: a rosette in a hairline frame.
func cover(v velvet) string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120" viewBox="0 0 100 100">`)
	fmt.Fprintf(&b, `<defs><radialGradient id="g" cx=".36" cy=".3" r=".9"><stop offset="0" stop-color="%s"/><stop offset=".55" stop-color="%s"/><stop offset="1" stop-color="%s"/></radialGradient></defs>`, v.light, v.dark, v.deep)
	b.WriteString(`<rect width="100" height="100" fill="url(#g)"/>`)
	fmt.Fprintf(&b, `<g fill="none" stroke="%s">`, v.line)
	// The corners first, so that the rosette lies over them.
	b.WriteString(`<g stroke-width=".45" opacity=".55">`)
	for _, corner := range [][2]float64{{6, 6}, {94, 6}, {6, 94}, {94, 94}} {
		for r := 6.0; r <= 20; r += 2.8 {
			fmt.Fprintf(&b, `<circle cx="%s" cy="%s" r="%s"/>`, num(corner[0]), num(corner[1]), num(r))
		}
	}
	b.WriteString(`</g>`)
	fmt.Fprintf(&b, `<circle cx="50" cy="50" r="40.5" fill="%s" fill-opacity=".55" stroke="none"/>`, v.deep)
	fmt.Fprintf(&b, `<g stroke-width=".5" opacity=".85">%s</g>`, petals(50, 50, 19.5, 8.4, 19.5, 24, 0))
	fmt.Fprintf(&b, `<g stroke-width=".4" opacity=".6">%s</g>`, petals(50, 50, 13, 11, 13, 18, 5))
	b.WriteString(`<g stroke-width=".55" opacity=".9">`)
	for i := range 3 {
		fmt.Fprintf(&b, `<path d="%s"/>`, scallops(50, 50, 37, 42.6, 24, float64(i)*5))
	}
	b.WriteString(`</g></g>`)
	fmt.Fprintf(&b, `<circle cx="50" cy="50" r="5.4" fill="%s" stroke="%s" stroke-width=".9"/>`, v.deep, v.line)
	fmt.Fprintf(&b, `<path d="%s" fill="%s"/>`, star(50, 50, 4, 1.7, 8, 0), "#ffe9a8")
	fmt.Fprintf(&b, `<rect x="3.2" y="3.2" width="93.6" height="93.6" rx="10" fill="none" stroke="%s" stroke-width=".7" opacity=".75"/>`, v.line)
	b.WriteString(`</svg>`)
	return b.String()
}

// A band is an engraved border for CSS border-image: nine slices of 24 units. The edges carry one period of a braid,
// to be repeated; the corners are scooped like those of a certificate and hold a small rosette.
type band struct {
	ground, line, edge         string // ground "none" lets the page's own ground through
	groundOpacity, lineOpacity float64
}

var bands = map[string]band{
	"board": {ground: "#000000", groundOpacity: .42, line: "#e3b54a", edge: "#ffe9a8", lineOpacity: .8},
	"card":  {ground: "none", line: "#e3b54a", edge: "#ffe9a8", lineOpacity: .8},
	"paper": {ground: "#f8efda", groundOpacity: 1, line: "#a67c2d", edge: "#8a5a14", lineOpacity: .7},
}

func frame(p band) string {
	const side, slice = 72.0, 24.0
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="72" height="72" viewBox="0 0 72 72">`)
	// The ground is the whole plate with scooped corners.
	outline := func(inset, scoop float64) string {
		lo, hi := inset, side-inset
		s := num(scoop)
		return "M" + point(lo+scoop, lo) + "H" + num(hi-scoop) + "A" + s + " " + s + " 0 0 0 " + point(hi, lo+scoop) +
			"V" + num(hi-scoop) + "A" + s + " " + s + " 0 0 0 " + point(hi-scoop, hi) + "H" + num(lo+scoop) +
			"A" + s + " " + s + " 0 0 0 " + point(lo, hi-scoop) + "V" + num(lo+scoop) + "A" + s + " " + s + " 0 0 0 " + point(lo+scoop, lo) + "Z"
	}
	if p.ground != "none" {
		fmt.Fprintf(&b, `<path d="%s" fill="%s" fill-opacity="%s"/>`, outline(1, 11), p.ground, num(p.groundOpacity))
	}
	fmt.Fprintf(&b, `<g fill="none" stroke="%s" stroke-width=".7" opacity="%s">`, p.line, num(p.lineOpacity))
	for i := range 4 {
		fmt.Fprintf(&b, `<g transform="rotate(%d 36 36)">`, i*90)
		for phase := range 3 {
			fmt.Fprintf(&b, `<path d="%s"/>`, sine(slice, 2*slice, 9.5, 4.6, slice/2, float64(phase)/3))
		}
		// A rosette where two edges meet.
		b.WriteString(petals(17, 17, 2.9, 1.9, 2.9, 10, 0))
		b.WriteString(`</g>`)
	}
	b.WriteString(`</g>`)
	fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="1.3"/>`, outline(1.6, 11), p.edge)
	fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width=".6"/>`, outline(3.8, 11), p.line)
	fmt.Fprintf(&b, `<path d="M24 16.2H48M24 55.8H48M16.2 24V48M55.8 24V48" fill="none" stroke="%s" stroke-width="1"/>`, p.edge)
	fmt.Fprintf(&b, `<path d="M24 16.2H22.8A6.6 6.6 0 0 1 16.2 22.8V24M48 16.2H49.2A6.6 6.6 0 0 0 55.8 22.8V24M24 55.8H22.8A6.6 6.6 0 0 0 16.2 49.2V48M48 55.8H49.2A6.6 6.6 0 0 1 55.8 49.2V48" fill="none" stroke="%s" stroke-width="1"/>`, p.edge)
	b.WriteString(`</svg>`)
	return b.String()
}

// sine is a wave from x1 to x2 about y, as cubic curves over quarter periods' ends (exact slopes, error below 1 %).
func sine(x1, x2, y, amplitude, period, phase float64) string {
	const parts = 8 // a period
	h := period / parts
	value := func(x float64) float64 { return y + amplitude*math.Sin(2*math.Pi*(x/period+phase)) }
	slope := func(x float64) float64 {
		return amplitude * 2 * math.Pi / period * math.Cos(2*math.Pi*(x/period+phase))
	}
	var b strings.Builder
	b.WriteString("M" + point(x1, value(x1)))
	for x := x1; x < x2-h/2; x += h {
		fmt.Fprintf(&b, "C%s %s %s", point(x+h/3, value(x)+slope(x)*h/3), point(x+2*h/3, value(x+h)-slope(x+h)*h/3), point(x+h, value(x+h)))
	}
	return b.String()
}

// favicon is the brand mark as a file.
func favicon() string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 100 100">` + markBody("m-") + `</svg>`
}
