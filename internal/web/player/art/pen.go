package art

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// num writes a coordinate with at most two decimals and no needless zero.
func num(v float64) string {
	s := strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
	if s == "-0" {
		return "0"
	}
	if strings.HasPrefix(s, "0.") {
		return s[1:]
	}
	if strings.HasPrefix(s, "-0.") {
		return "-" + s[2:]
	}
	return s
}

// at is the point at an angle in degrees, 0 upwards, clockwise.
func at(cx, cy, radius, degrees float64) (x, y float64) {
	a := (degrees - 90) * math.Pi / 180
	return cx + radius*math.Cos(a), cy + radius*math.Sin(a)
}

func point(x, y float64) string { return num(x) + " " + num(y) }

// polygon is a closed path through the points, given as x, y, x, y …
func polygon(points ...float64) string {
	var b strings.Builder
	for i := 0; i+1 < len(points); i += 2 {
		b.WriteString(map[bool]string{true: "M", false: "L"}[i == 0])
		b.WriteString(point(points[i], points[i+1]))
	}
	b.WriteString("Z")
	return b.String()
}

// scallops is a closed curve of n smooth waves between two radii: the edge of a seal, or one thread of a guilloché.
func scallops(cx, cy, inner, outer float64, n int, phase float64) string {
	var b strings.Builder
	step := 180 / float64(n)
	middle := func(i int) (float64, float64) {
		x1, y1 := wavePoint(cx, cy, inner, outer, i, step, phase)
		x2, y2 := wavePoint(cx, cy, inner, outer, i+1, step, phase)
		return (x1 + x2) / 2, (y1 + y2) / 2
	}
	x, y := middle(-1)
	b.WriteString("M" + point(x, y))
	for i := range 2 * n {
		cx1, cy1 := wavePoint(cx, cy, inner, outer, i, step, phase)
		x, y = middle(i)
		b.WriteString("Q" + point(cx1, cy1) + " " + point(x, y))
	}
	b.WriteString("Z")
	return b.String()
}

func wavePoint(cx, cy, inner, outer float64, i int, step, phase float64) (float64, float64) {
	radius := outer
	if i%2 != 0 {
		radius = inner
	}
	return at(cx, cy, radius, float64(i)*step+phase)
}

// shape is a filled and outlined path.
func shape(d, fill, stroke string, width float64) string {
	return fmt.Sprintf(`<path d="%s" fill="%s" stroke="%s" stroke-width="%s" stroke-linejoin="round"/>`, d, fill, stroke, num(width))
}

// flat is a filled path without outline, see-through by the opacity.
func flat(d, fill string, opacity float64) string {
	return fmt.Sprintf(`<path d="%s" fill="%s"%s/>`, d, fill, see(opacity))
}

// line is an open path with round ends.
func line(d, stroke string, width, opacity float64) string {
	return fmt.Sprintf(`<path d="%s" fill="none" stroke="%s" stroke-width="%s" stroke-linecap="round" stroke-linejoin="round"%s/>`, d, stroke, num(width), see(opacity))
}

// disc is a filled circle; stroke may be empty.
func disc(cx, cy, r float64, fill, stroke string, width float64) string {
	if stroke == "" {
		return fmt.Sprintf(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, num(cx), num(cy), num(r), fill)
	}
	return fmt.Sprintf(`<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"/>`, num(cx), num(cy), num(r), fill, stroke, num(width))
}

// beads is a ring of n pellets, as on the border of a coin.
func beads(cx, cy, r float64, n int, width float64, stroke string, opacity float64) string {
	return fmt.Sprintf(`<circle cx="%s" cy="%s" r="%s" fill="none" stroke="%s" stroke-width="%s" stroke-linecap="round" stroke-dasharray="0 %s"%s/>`,
		num(cx), num(cy), num(r), stroke, num(width), strconv.FormatFloat(2*math.Pi*r/float64(n), 'f', 4, 64), see(opacity))
}

// reeding is the milled edge of a coin: n short strokes around it.
func reeding(cx, cy, r float64, n int, width float64, stroke string, opacity float64) string {
	gap := 2 * math.Pi * r / float64(n) / 2
	return fmt.Sprintf(`<circle cx="%s" cy="%s" r="%s" fill="none" stroke="%s" stroke-width="%s" stroke-dasharray="%s"%s/>`,
		num(cx), num(cy), num(r), stroke, num(width), strconv.FormatFloat(gap, 'f', 4, 64), see(opacity))
}

// petals is n ellipses turned about a centre: the simplest engraved rosette.
func petals(cx, cy, offset, rx, ry float64, n int, phase float64) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<ellipse cx="%s" cy="%s" rx="%s" ry="%s" transform="rotate(%s %s %s)"/>`,
			num(cx), num(cy-offset), num(rx), num(ry), num(phase+float64(i)*360/float64(n)), num(cx), num(cy))
	}
	return b.String()
}

func see(opacity float64) string {
	if opacity >= 1 {
		return ""
	}
	return ` opacity="` + num(opacity) + `"`
}

// turn rotates markup about the middle of the box.
func turn(degrees float64, markup string) string {
	return fmt.Sprintf(`<g transform="rotate(%s 50 50)">%s</g>`, num(degrees), markup)
}
