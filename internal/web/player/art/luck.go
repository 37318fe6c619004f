package art

import "fmt"

// luck draws what is said to bring some: horseshoe, seven, ham, and the golden piglet of « chance ».
func luck() []drawing {
	return []drawing{
		{"fer-a-cheval", horseshoe()},
		{"chiffre-sept", seven()},
		{"jambon", ham()},
		{"chance", piglet()},
	}
}

func horseshoe() string {
	const body = "M24 10L38 13Q35 24 33 36C30.5 52 36 66 50 66C64 66 69.5 52 67 36Q65 24 62 13L76 10Q84 25 86 42C88 70 72 92 50 92C28 92 12 70 14 42Q16 25 24 10Z"
	nails := ""
	for _, p := range [][2]float64{{25.6, 29}, {22.6, 46}, {27, 63}, {39, 77}, {61, 77}, {73, 63}, {77.4, 46}, {74.4, 29}} {
		nails += disc(p[0], p[1], 3.1, "#fff0bb", inkSilver, 1.6)
	}
	return shape(body, "url(#p-steel)", inkSilver, 3.6) +
		line("M29.5 20Q24.5 33 23.6 43C22 66 33 81.4 50 81.4C67 81.4 78 66 76.4 43Q75.5 33 70.5 20", "#2b3f50", 7.4, .45) +
		nails +
		line("M22 17.6Q17.6 29 17 42C16.4 55 20 66 26.6 74", "#f6fbff", 2.8, .9) +
		line("M66.6 19Q70.4 32 70.6 42", "#f6fbff", 1.6, .45)
}

func seven() string {
	const body = "M14 10H87V25C67 44 57 64 54.5 92H32C34.5 66 45 47 60 31H30V39H14Z"
	return shape(body, "url(#p-gold-deep)", inkGold, 4.6) +
		shape("M19.5 15.5H81.5V23.5C62.6 42 52.6 62 49.8 86.5H38C41 64 51.5 45.6 69.6 27.2L67.6 25.5H25V33.5H19.5Z", "url(#p-ruby)", "#6c0a22", 1.6) +
		line("M23.6 19.4H76", "#ffd0d0", 3, .9) + line("M42.6 82Q46 62 58 46", "#ff9fa4", 2.4, .6) +
		line("M16.6 12.6H84", "#fff3c4", 1.8, .95)
}

// ham is a whole ham with its bone, cut side to the front.
func ham() string {
	return line("M31 69L17 83", inkHam, 15, 1) +
		disc(13.5, 79.5, 7.6, "url(#p-bone)", inkHam, 3) + disc(20.5, 87, 7.6, "url(#p-bone)", inkHam, 3) +
		line("M33 67L17.6 82.4", "#f3e8d0", 9, 1) +
		shape("M27 76C19 68 24 53 31 40C39 25 55 9 73 13C92 17.5 97 39 89 55C80 72 58 77 45 80C37 81.6 31 80 27 76Z", "url(#p-ham-skin)", inkHam, 3.6) +
		`<ellipse cx="64" cy="42" rx="27" ry="23.5" transform="rotate(-42 64 42)" fill="url(#p-bone)" stroke="` + inkHam + `" stroke-width="1.8"/>` +
		`<ellipse cx="64.4" cy="42" rx="22.6" ry="19" transform="rotate(-42 64 42)" fill="url(#p-ham)"/>` +
		line("M51 50Q54 37 65 30M58 57Q72 54 79 40", "#ffe3db", 2.2, .75) + line("M66 58Q78 52 81 44", "#8c2636", 1.6, .4) +
		disc(65, 43, 7, "url(#p-bone)", inkHam, 2) + disc(65.6, 43.6, 3, "#c98f6a", "", 0) +
		line("M30.6 58Q33.4 48 39.6 38", "#ffe2bf", 3.4, .85)
}

// piglet is the mascot: a golden piglet on an emerald medallion, a clover leaf at its ear. The ham suggests it.
func piglet() string {
	rays := ""
	for i := range 24 {
		a := float64(i) * 15
		x1, y1 := at(50, 50, 48.5, a)
		x2, y2 := at(50, 50, 40, a-4.6)
		x3, y3 := at(50, 50, 40, a+4.6)
		rays += polygon(x1, y1, x2, y2, x3, y3)
	}
	leaf := func(d float64) string {
		return fmt.Sprintf(`<g transform="translate(66.5 24) rotate(%s) scale(.3) translate(-50 -50)">%s</g>`, num(d),
			shape("M50 50C38 42 27.5 35 30.5 20.5C32.8 11 44 9.5 50 18.5C56 9.5 67.2 11 69.5 20.5C72.5 35 62 42 50 50Z", "#3ec27c", inkEmerald, 5))
	}
	return shape(rays, "url(#p-gold)", inkGold, 1.6) +
		disc(50, 50, 41, "url(#p-gold-rim)", inkGold, 2.4) +
		disc(50, 50, 36.4, "url(#p-emerald-in)", inkEmerald, 1.6) +
		beads(50, 50, 38.8, 48, 1.7, inkGold, .6) +
		// Ears behind the head, then the head, then the face.
		shape("M28 39Q20 24 25 19Q38 20 43 31Z", "url(#p-gold)", inkGold, 2.2) + flat("M30.4 36Q26 27 27.6 23.4Q35.6 25 38.6 31.6Z", "#d9765f", .75) +
		shape("M72 39Q80 24 75 19Q62 20 57 31Z", "url(#p-gold-deep)", inkGold, 2.2) + flat("M69.6 36Q74 27 72.4 23.4Q64.4 25 61.4 31.6Z", "#b9553f", .75) +
		shape("M50 27C66 27 76.5 38 76.5 52C76.5 67 65 77 50 77C35 77 23.5 67 23.5 52C23.5 38 34 27 50 27Z", "url(#p-gold)", inkGold, 2.6) +
		flat("M62 76Q79 68 76.4 49Q75 39 68 33Q76 56 50 77Q57 77 62 76Z", "#8a5410", .32) +
		line("M33.6 47.6Q37.4 42 41.4 47.4M58.6 47.4Q62.6 42 66.4 47.6", inkGold, 3, 1) +
		disc(32.6, 57, 4.2, "#e8805f", "", 0) + disc(67.4, 57, 4.2, "#d06c4c", "", 0) +
		`<ellipse cx="50" cy="58.4" rx="12.6" ry="9.4" fill="url(#p-gold-light)" stroke="` + inkGold + `" stroke-width="2.4"/>` +
		`<ellipse cx="45.4" cy="58.4" rx="2.3" ry="3.5" fill="` + inkGold + `"/><ellipse cx="54.6" cy="58.4" rx="2.3" ry="3.5" fill="` + inkGold + `"/>` +
		line("M44 71Q50 74.6 56 71", inkGold, 2.2, 1) +
		line("M31 41Q35.4 33.4 43.6 31.4", "#ffffff", 3.2, .9) +
		leaf(-20) + leaf(70) + leaf(160) + leaf(250)
}
