package art

// coins draws what is struck from metal: the gold coin, the holed silver coin, and the stacks.
func coins() []drawing {
	return []drawing{
		{"or", goldCoin()},
		{"piece-trouee", holedCoin()},
		{"pieces-d-or", coinStacks()},
		{"inconnu", token()},
	}
}

func goldCoin() string {
	return disc(50, 50, 45, "url(#p-gold-deep)", inkGold, 3) +
		reeding(50, 50, 42, 64, 4.4, inkGold, .4) +
		disc(50, 50, 39, "url(#p-gold-rim)", inkGold, 1.2) +
		disc(50, 50, 34.5, "url(#p-gold)", "#8a5410", 1.2) +
		beads(50, 50, 31.4, 40, 2.1, "#8a5410", .75) +
		sun(50, 50, 25, 12) +
		disc(50, 50, 8.5, "url(#p-gold-light)", "#8a5410", 1.6) +
		disc(50, 50, 3, "#b3751b", "", 0) +
		line("M21.5 38A31 31 0 0 1 38 21.5", "#fffdf0", 4.4, .85)
}

// sun is a ring of faceted rays: each ray has a lit and a shaded half.
func sun(cx, cy, r float64, n int) string {
	lit, shade := "", ""
	step := 360 / float64(n)
	for i := range n {
		a := float64(i) * step
		tx, ty := at(cx, cy, r, a)
		lx, ly := at(cx, cy, r*.44, a-step/2)
		rx, ry := at(cx, cy, r*.44, a+step/2)
		ix, iy := at(cx, cy, r*.2, a)
		left, right := polygon(tx, ty, lx, ly, ix, iy), polygon(tx, ty, rx, ry, ix, iy)
		if a >= 135 && a < 315 {
			left, right = right, left
		}
		lit += left
		shade += right
	}
	return shape(lit, "#fff0bb", "#8a5410", .8) + shape(shade, "#bd7d1f", "#8a5410", .8)
}

func holedCoin() string {
	ring := func(outer, inner float64) string {
		o, i := num(outer), num(inner)
		return "M50 " + num(50-outer) + "A" + o + " " + o + " 0 1 1 49.99 " + num(50-outer) + "Z" +
			"M50 " + num(50-inner) + "A" + i + " " + i + " 0 1 0 50.01 " + num(50-inner) + "Z"
	}
	leaves := ""
	for i := range 10 {
		leaves += turn(float64(i)*36, shape("M50 21.5Q55.5 27 50 32.5Q44.5 27 50 21.5Z", "url(#p-silver-rim)", "#4a5763", 1))
	}
	return shape(ring(45, 13), "url(#p-silver)", inkSilver, 3) +
		reeding(50, 50, 42.2, 60, 4, inkSilver, .45) +
		shape(ring(38.6, 15.6), "url(#p-silver-rim)", "#4a5763", 1.2) +
		shape(ring(35.6, 18.4), "url(#p-silver)", "#7a8895", 1) +
		leaves +
		disc(50, 50, 13, "none", inkSilver, 3) +
		line("M21.5 38A31 31 0 0 1 38 21.5", "#ffffff", 4.4, .95) +
		line("M62.5 62.5A17 17 0 0 1 50 67", "#ffffff", 2.4, .8)
}

func coinStacks() string {
	return stack(33, 80, 6) + stack(69, 86, 3) + standing(72, 50)
}

// stack draws n coins lying on one another, seen from a little above; y is the middle of the lowest one.
func stack(x, y float64, n int) string {
	out := ""
	for i := range n {
		top := y - float64(i)*8.6
		shift := []float64{0, 1.6, -1, .8, -1.4, .6}[i%6]
		out += coinLying(x+shift, top)
	}
	last := y - float64(n-1)*8.6 - 7
	return out + `<ellipse cx="` + num(x+.3) + `" cy="` + num(last) + `" rx="15.5" ry="5" fill="url(#p-gold-light)" stroke="#8a5410" stroke-width="1"/>`
}

func coinLying(x, y float64) string {
	body := "M" + point(x-23, y-7) + "V" + num(y) + "A23 8 0 0 0 " + point(x+23, y) + "V" + num(y-7) + "A23 8 0 0 1 " + point(x-23, y-7) + "Z"
	ribs := ""
	for _, dx := range []float64{-18, -12, -6, 0, 6, 12, 18} {
		drop := 8 * (1 - dx*dx/23/23)
		ribs += "M" + point(x+dx, y-3.4+drop) + "v3.6"
	}
	return shape(body, "url(#p-gold-deep)", inkGold, 2.2) + line(ribs, inkGold, 1.5, .55) +
		`<ellipse cx="` + num(x) + `" cy="` + num(y-7) + `" rx="23" ry="8" fill="url(#p-gold)" stroke="` + inkGold + `" stroke-width="2.2"/>` +
		line("M"+point(x-18, y+1.6)+"q2 2.4 7 3.6", "#fff6d4", 2, .9)
}

// standing draws the coin that leans against the small stack.
func standing(x, y float64) string {
	return disc(x, y-14, 18, "url(#p-gold)", inkGold, 2.4) +
		reeding(x, y-14, 16, 36, 2.4, inkGold, .4) +
		disc(x, y-14, 13, "url(#p-gold-rim)", "#8a5410", 1.2) +
		shape(star(x, y-14, 9.4, 4.2, 5, 0), "url(#p-gold-light)", "#8a5410", 1.2) +
		line("M"+point(x-11.6, y-19)+"A12.4 12.4 0 0 1 "+point(x-5, y-25.6), "#ffffff", 2.4, .9)
}

// star is the outline of a star with n points.
func star(cx, cy, outer, inner float64, n int, phase float64) string {
	var points []float64
	for i := range 2 * n {
		r := outer
		if i%2 == 1 {
			r = inner
		}
		x, y := at(cx, cy, r, phase+float64(i)*180/float64(n))
		points = append(points, x, y)
	}
	return polygon(points...)
}

// token stands for a symbol that has no drawing yet.
func token() string {
	return disc(50, 50, 44, "url(#p-ivory)", inkSilver, 3) + disc(50, 50, 35, "none", inkSilver, 1.4) +
		beads(50, 50, 39.6, 44, 1.8, inkSilver, .6) +
		shape("M50 26L74 50L50 74L26 50Z", "url(#p-ink)", inkSilver, 2) + line("M34 50L50 34", "#ffffff", 3, .6)
}
