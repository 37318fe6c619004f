package art

// bags draws the six bags of Pièce d'or, tied and open. Their number is text of the page, over the drawing's seal
// at 50, 66.
func bags() []drawing {
	return []drawing{
		{"sac-ferme", closedBag()},
		{"sac-ouvert", openBag()},
	}
}

func sack(body string) string {
	return shape(body, "url(#p-leather)", inkLeather, 3)
}

func closedBag() string {
	return `<ellipse cx="50" cy="93" rx="38" ry="4.5" fill="#000000" opacity=".35"/>` +
		shape("M31 7Q36 11 41 6.5Q46 11.5 50 6.5Q55 11.5 59 6.5Q64 11 69 7Q74 17 65 29H35Q26 17 31 7Z", "url(#p-leather)", inkLeather, 2.8) +
		line("M40 12L43 26M50 12V26M60 12L57 26", inkLeather, 1.8, .65) +
		sack("M37 32C21 41 8 58 10 76C11.5 90 28 93.5 50 93.5C72 93.5 88.5 90 90 76C92 58 79 41 63 32Z") +
		flat("M63 32C79 41 92 58 90 76C88.5 90 72 93.5 50 93.5C74 84 78 52 58 32Z", "#331a06", .34) +
		line("M42 37Q35 45 32 54M58 37Q66 45 69 53M50 38V45", inkLeather, 1.8, .5) +
		stitches("M17 80Q33 88 50 88Q67 88 83 80") +
		shape("M33 27.5Q50 32 67 27.5Q70.4 31.5 67 35.5Q50 40 33 35.5Q29.6 31.5 33 27.5Z", "url(#p-gold)", inkGold, 2.2) +
		line("M37 29.6L40 36.4M42.4 30.6L45 37.6M48 31.2L50.4 38M54 31L56.4 37.4M60 30L62.4 36.2", inkGold, 1.5, .6) +
		line("M66 32Q80 35 79 47M66 32Q87 30 89 40", inkGold, 4.4, 1) + line("M66 32Q80 35 79 47M66 32Q87 30 89 40", "#f0c05a", 2.1, 1) +
		disc(79, 49, 3.2, "url(#p-gold)", inkGold, 1.5) + disc(89, 42, 3.2, "url(#p-gold)", inkGold, 1.5) +
		waxSeal() +
		line("M17.4 68Q19.4 57 28.6 47.6", "#fff0d8", 3.4, .75)
}

func openBag() string {
	return `<ellipse cx="50" cy="93" rx="40" ry="4.5" fill="#000000" opacity=".35"/>` +
		sack("M18 37C9 48 5 63 8 77C10.5 90 28 93.5 50 93.5C72 93.5 89.5 90 92 77C95 63 91 48 82 37Z") +
		flat("M82 37C91 48 95 63 92 77C89.5 90 72 93.5 50 93.5C76 84 82 58 70 37Z", "#331a06", .34) +
		stitches("M16 80Q33 88 50 88Q67 88 84 80") +
		// The mouth: rolled rim, dark inside, a gleam at the bottom.
		`<ellipse cx="50" cy="36" rx="34.5" ry="12.5" fill="url(#p-leather)" stroke="` + inkLeather + `" stroke-width="3"/>` +
		`<ellipse cx="50" cy="35.4" rx="27.5" ry="8" fill="url(#p-leather-in)" stroke="` + inkLeather + `" stroke-width="2"/>` +
		`<ellipse cx="50" cy="39" rx="18" ry="3.4" fill="url(#p-glow)" opacity=".75"/>` +
		line("M21.8 31.8Q26 28 37 26.8", "#fff0d8", 2.4, .8) +
		line("M20 44Q36 53 50 53Q64 53 80 44", inkGold, 4.6, 1) + line("M20 44Q36 53 50 53Q64 53 80 44", "#f0c05a", 2.2, 1) +
		waxSeal() +
		line("M13.6 70Q13.8 60 18.4 52", "#fff0d8", 3.2, .7)
}

// stitches is a seam in light thread.
func stitches(d string) string {
	return `<path d="` + d + `" fill="none" stroke="#f3cf94" stroke-width="1.6" stroke-dasharray="4 3" stroke-linecap="round" opacity=".75"/>`
}

// waxSeal is the plain red seal that carries the number.
func waxSeal() string {
	return shape(scallops(50, 67, 14.6, 18.4, 11, 8), "url(#p-ruby-deep)", inkRuby, 2.2) +
		disc(50, 67, 12.4, "#8d1230", "#ff9aa5", .9) +
		line("M38.4 62.4A12.6 12.6 0 0 1 45.4 55.6", "#ffb9bf", 2, .8)
}
