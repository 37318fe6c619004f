package art

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// Lines returns the overlay of a board of rows by columns cells: one capsule for every row, column and, on a square
// board, diagonal. Each capsule carries data-cells, its cells in order, from 0 at the top left, joined by spaces
// ("8 9 10 11"). A capsule is hidden until it has the class "on"; those whose cells are named here have it at once,
// which is how a finished play is shown without script.
func Lines(rows, columns int, on ...string) template.HTML {
	shown := map[string]bool{}
	for _, cells := range on {
		shown[cells] = true
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="lines" width="%d" height="%d" viewBox="0 0 %d %d" aria-hidden="true" focusable="false">`, columns*100, rows*100, columns*100, rows*100)
	add := func(from, step, count int) {
		cells := make([]string, count)
		for i := range cells {
			cells[i] = fmt.Sprint(from + i*step)
		}
		last := from + (count-1)*step
		capsule(&b, strings.Join(cells, " "), shown, columns, from, last)
	}
	for row := range rows {
		add(row*columns, 1, columns)
	}
	for column := range columns {
		add(column, columns, rows)
	}
	if rows == columns {
		add(0, columns+1, rows)
		add(columns-1, columns-1, rows)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

func capsule(b *strings.Builder, cells string, shown map[string]bool, columns, first, last int) {
	x1, y1 := float64(first%columns)*100+50, float64(first/columns)*100+50
	x2, y2 := float64(last%columns)*100+50, float64(last/columns)*100+50
	angle := math.Atan2(y2-y1, x2-x1) * 180 / math.Pi
	length := math.Hypot(x2-x1, y2-y1)
	half, radius := 50.0, 22.0
	if x1 != x2 && y1 != y2 {
		radius = 50
	}
	class := "line"
	if shown[cells] {
		class = "line on"
	}
	box := fmt.Sprintf(`x="%s" y="%s" width="%s" height="%s" rx="%s"`, num(x1-half), num(y1-half), num(length+2*half), num(2*half), num(radius))
	fmt.Fprintf(b, `<g class="%s" data-cells="%s" transform="rotate(%s %s %s)"><rect class="halo" %s/><rect class="capsule" %s/><rect class="gleam" %s/></g>`,
		class, cells, num(angle), num(x1), num(y1), box, box, box)
}
