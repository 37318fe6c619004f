package art

// treasures draws the riches of Precius Aurus: diamond, purse and key.
func treasures() []drawing {
	return []drawing{
		{"diamant", diamond()},
		{"bourse", purse()},
		{"cle", key()},
	}
}

// diamond is a brilliant seen from the side: a table, a crown of facets, and the pavilion below.
func diamond() string {
	facets := []struct {
		d, fill string
	}{
		{polygon(5, 38, 25, 15, 31, 38), "#d8f4ff"},
		{polygon(25, 15, 50, 15, 31, 38), "#ffffff"},
		{polygon(50, 15, 69, 38, 31, 38), "#bfe9fb"},
		{polygon(50, 15, 75, 15, 69, 38), "#7fcbf0"},
		{polygon(75, 15, 95, 38, 69, 38), "#3f97d6"},
		{polygon(5, 38, 31, 38, 50, 90), "#8fd6f5"},
		{polygon(31, 38, 69, 38, 50, 90), "#4ba9e2"},
		{polygon(69, 38, 95, 38, 50, 90), "#1d5fa6"},
	}
	out := shape("M25 15H75L95 38L50 90L5 38Z", "#9adcf7", inkIce, 5)
	for _, f := range facets {
		out += shape(f.d, f.fill, "#1f6db0", .9)
	}
	return out + flat(polygon(31, 38, 50, 38, 50, 90), "#ffffff", .3) +
		line("M30.5 19.5H46", "#ffffff", 3.2, 1) + line("M12 40.5H28", "#ffffff", 2.2, .9) +
		sparkle(83, 17, 12)
}

// sparkle is a four-pointed glint.
func sparkle(x, y, r float64) string {
	return shape("M"+point(x, y-r)+"Q"+point(x, y)+" "+point(x+r, y)+"Q"+point(x, y)+" "+point(x, y+r)+
		"Q"+point(x, y)+" "+point(x-r, y)+"Q"+point(x, y)+" "+point(x, y-r)+"Z", "#ffffff", "#3f97d6", 1)
}

func purse() string {
	return shape("M33 8Q41 14 50 9Q59 14 67 8Q73 18 64 31H36Q27 18 33 8Z", "url(#p-plum)", inkPlum, 3.2) +
		line("M43 15L45.5 28M57 15L54.5 28M50 13V28", inkPlum, 1.8, .6) +
		shape("M37 33C20 44 8 60 11 77C13.5 91 32 93.5 50 93.5C68 93.5 86.5 91 89 77C92 60 80 44 63 33Z", "url(#p-plum)", inkPlum, 3.4) +
		flat("M63 33C80 44 92 60 89 77C86.5 91 68 93.5 50 93.5C72 84 76 54 57 33Z", "#2b0519", .35) +
		line("M41 38Q34 48 31 58M59 38Q66 48 69 58", inkPlum, 1.8, .5) +
		shape("M33.5 28.5Q50 33.5 66.5 28.5Q69.5 33 66.5 37Q50 41.5 33.5 37Q30.5 33 33.5 28.5Z", "url(#p-gold)", inkGold, 2.4) +
		line("M39 31.5V37.5M44.5 32.5V38.6M50 33V39M55.5 32.5V38.6M61 31.5V37.5", inkGold, 1.4, .6) +
		line("M66 34Q78 38 76 50M66 34Q84 33 85 44", inkGold, 5, 1) + line("M66 34Q78 38 76 50M66 34Q84 33 85 44", "#f0c05a", 2.4, 1) +
		disc(76, 52, 3.6, "url(#p-gold)", inkGold, 1.6) + disc(85, 46, 3.6, "url(#p-gold)", inkGold, 1.6) +
		disc(49, 67, 15.5, "url(#p-gold-deep)", inkGold, 2.4) + disc(49, 67, 12, "url(#p-gold)", "#8a5410", 1) +
		shape("M49 57.6L52.4 67L49 76.4L45.6 67Z", "url(#p-gold-light)", "#8a5410", 1) + shape("M39.6 67L49 63.6L58.4 67L49 70.4Z", "url(#p-gold-light)", "#8a5410", 1) +
		line("M18.6 68Q20.5 58.5 28 50.5", "#ffd9ee", 3.6, .8)
}

// key lies across the box: bow at the top left, bit at the bottom right.
func key() string {
	bow := disc(50, 21, 11.5, "url(#p-copper)", inkLeather, 3) + disc(36.5, 35, 11.5, "url(#p-copper)", inkLeather, 3) + disc(63.5, 35, 11.5, "url(#p-copper)", inkLeather, 3)
	cover := disc(50, 33, 11, "url(#p-copper)", "", 0)
	holes := disc(50, 21, 5, "#fdf8ec", inkLeather, 2.4) + disc(36.5, 35, 5, "#fdf8ec", inkLeather, 2.4) + disc(63.5, 35, 5, "#fdf8ec", inkLeather, 2.4)
	return `<g transform="rotate(-38 50 50) translate(-1 -6)">` +
		shape("M45.5 44H54.5V102Q50 107 45.5 102Z", "url(#p-copper)", inkLeather, 3) +
		shape("M54.5 78H70V86H64V90H70V98H54.5Z", "url(#p-copper)", inkLeather, 3) +
		flat("M50.4 46H53V100H50.4Z", "#5f250c", .45) +
		bow + cover + holes +
		shape("M42 46.5H58V53H42Z", "url(#p-copper-rim)", inkLeather, 2.4) + shape("M43.5 57H56.5V62H43.5Z", "url(#p-copper-rim)", inkLeather, 2.2) +
		disc(50, 34.6, 5.4, "url(#p-emerald)", inkEmerald, 1.8) + line("M47.6 33.6Q48 32 49.6 31.8", "#ffffff", 1.6, .95) +
		line("M47.6 64V98", "#ffe9d6", 2, .9) + line("M29 31Q30.5 27 34.5 26", "#fff2e6", 2.4, .9) + line("M42.6 17.6Q44.4 13.4 48.6 12.6", "#fff2e6", 2.4, .9) +
		`</g>`
}
