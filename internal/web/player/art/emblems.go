package art

// emblems draws the heraldic symbols: cross, star, crown and clover.
func emblems() []drawing {
	return []drawing{
		{"croix", cross()},
		{"etoile", facetedStar()},
		{"couronne", crown()},
		{"trefle", clover()},
	}
}

// cross is a cross botonnée, its arms ending in three lobes: ruby enamel in a gold setting, a stone in the middle. It
// is drawn in three passes over all arms, outline, gold, enamel, so that the arms join without a seam.
func cross() string {
	arm := func(half, lobe float64, fill, stroke string, width float64) string {
		return shape(polygon(50-half, 50, 50-half, 18, 50+half, 18, 50+half, 50), fill, stroke, width) +
			disc(50, 12.5, lobe, fill, stroke, width) + disc(41, 20.5, lobe, fill, stroke, width) + disc(59, 20.5, lobe, fill, stroke, width)
	}
	out := ""
	for i := range 4 {
		out += turn(float64(i)*90, arm(8.6, 8.6, inkGold, inkGold, 4))
	}
	for i := range 4 {
		out += turn(float64(i)*90, arm(8.6, 8.6, "url(#p-gold)", "none", 0))
	}
	for i, tone := range []string{"#d92a4a", "#a5152f", "#a5152f", "#d92a4a"} {
		out += turn(float64(i)*90, arm(5.2, 5.2, tone, "none", 0))
	}
	return out +
		line("M46.6 13Q47 9.6 50.4 9", "#ffd0d4", 2.4, .95) + line("M9 50.4Q9.4 46.8 13 46.6", "#ffd0d4", 2.2, .8) +
		line("M47.4 26V37M26 47.4H37", "#ff9aa8", 1.8, .85) +
		shape(scallops(50, 50, 13.6, 16.4, 12, 0), "url(#p-gold)", inkGold, 2.4) +
		disc(50, 50, 9.6, "url(#p-gold-rim)", inkGold, 1.4) +
		disc(50, 50, 7, "url(#p-ice-mid)", inkIce, 1.6) +
		line("M46.4 48.4A4 4 0 0 1 48.6 46.2", "#ffffff", 2, 1)
}

// facetedStar is a five-pointed star in azure enamel: ten facets, lit by their direction.
func facetedStar() string {
	const cx, cy, outer, inner = 50, 53, 47, 20
	out := shape(star(cx, cy, outer, inner, 5, 0), "url(#p-gold-deep)", inkAzure, 4.5) +
		line(star(cx, cy, outer-2.5, inner-.6, 5, 0), "#ffe39a", 2.2, 1)
	tones := []string{"#2b62c9", "#1b3f96", "#16357f", "#122c6d", "#16357f", "#1d47a5", "#2f6bd3", "#5b9af0", "#4b8ae6", "#7db4fb"}
	for i := range 10 {
		r1, r2 := 39.5, 16.8
		if i%2 == 1 {
			r1, r2 = r2, r1
		}
		x1, y1 := at(cx, cy, r1, float64(i)*36)
		x2, y2 := at(cx, cy, r2, float64(i+1)*36)
		out += shape(polygon(cx, cy, x1, y1, x2, y2), tones[i], inkAzure, .7)
	}
	return out + line("M47.6 24.5L43 38.6L26 41.6", "#ffffff", 2.6, .85)
}

func crown() string {
	// The velvet cap first, then the gold with its five points, then the band and its stones.
	return shape("M19 70Q17 42 50 33Q83 42 81 70Z", "url(#p-violet)", inkViolet, 2.5) +
		line("M50 34V68M34 39Q29 52 30 68M66 39Q71 52 70 68", "#2e1072", 1.6, .6) +
		shape("M15 72L7.5 33L28 51L34 24L50 44L66 24L72 51L92.5 33L85 72Z", "url(#p-gold)", inkGold, 3) +
		flat("M50 44L66 24L72 51L92.5 33L85 72H50Z", "#8a5410", .28) +
		shape("M13.5 70.5Q50 61.5 86.5 70.5L84.5 86Q50 77.5 15.5 86Z", "url(#p-gold-deep)", inkGold, 3) +
		line("M18 72.4Q50 65.4 82 72.4", "#fff0bb", 1.8, .9) +
		disc(7.5, 31, 5, "url(#p-gold-light)", inkGold, 2.2) + disc(92.5, 31, 5, "url(#p-gold-deep)", inkGold, 2.2) +
		disc(34, 21.5, 5.6, "url(#p-ruby)", inkRuby, 2.2) + disc(66, 21.5, 5.6, "url(#p-ruby)", inkRuby, 2.2) +
		shape("M50 10L56 19.5L50 33L44 19.5Z", "url(#p-ice-mid)", inkIce, 2.2) +
		shape("M50 68.8L57 74.6L50 80.6L43 74.6Z", "url(#p-ruby)", inkRuby, 1.8) +
		disc(31, 76.6, 3.8, "url(#p-emerald)", inkEmerald, 1.6) + disc(69, 76.6, 3.8, "url(#p-emerald)", inkEmerald, 1.6) +
		line("M13.6 43L19.4 66", "#fffbe8", 3, .85) + disc(32.6, 20, 1.5, "#ffffff", "", 0)
}

func clover() string {
	out := line("M51 52Q55 74 72 90", inkEmerald, 10, 1) + line("M51 52Q55 74 72 90", "#1c7d4b", 5, 1)
	leaf := "M50 48C38 40 27.5 33 30.5 20.5C32.8 11 44 9.5 50 18.5C56 9.5 67.2 11 69.5 20.5C72.5 33 62 40 50 48Z"
	for i := range 4 {
		out += turn(float64(i)*90, shape(leaf, "#1d8a54", inkEmerald, 3.4))
	}
	fills := []string{"url(#p-emerald)", "#249a5e", "#178050", "url(#p-emerald)"}
	inside := "M50 45C41 38.6 32.4 32 34.2 22.2C36 14.6 45.4 14 50 23C54.6 14 64 14.6 65.8 22.2C67.6 32 59 38.6 50 45Z"
	for i := range 4 {
		out += turn(float64(i)*90, flat(inside, fills[i], 1)+line("M50 44V27", "#0b5333", 1.8, .7)+line("M50 37L43.5 30.5M50 37L56.5 30.5", "#0b5333", 1.2, .45))
	}
	return out + line("M36.5 24.5Q37 19.6 41.4 18.6", "#f0fff4", 3.2, .9) + line("M18.8 42.4Q16 39.4 18.6 36.4", "#f0fff4", 2.8, .8) +
		disc(50, 48.6, 3.6, "url(#p-gold)", inkGold, 1.4)
}
