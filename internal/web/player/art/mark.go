package art

import "strings"

// markBody is the brand: a ticket torn from its counterfoil (the talon), and on it a coin rosette. The prefix keeps
// its paints apart from those of a sprite.
func markBody(prefix string) string {
	// The counterfoil stays with the lottery, at the left; the ticket goes, turned a little, with a coin rosette on it.
	body := `<g transform="translate(4 4) scale(.92)"><g transform="rotate(-7 18 52)">` +
		shape("M6 20H27Q27 24 31 24V28L28.4 32L31 36L28.4 40L31 44L28.4 48L31 52L28.4 56L31 60L28.4 64L31 68L28.4 72L31 76V80Q27 80 27 84H6Q2 84 2 80V24Q2 20 6 20Z", "url(#p-ivory)", "#33200a", 3.4) +
		line("M10 35H20M10 46H20M10 57H20M10 68H16", "#8a5a14", 3.6, 1) +
		`</g><g transform="rotate(6 66 50)">` +
		shape("M40 16H89Q95 16 95 22V37Q89.5 41 89.5 50Q89.5 59 95 63V78Q95 84 89 84H40Q40 80 36 80V76L38.6 72L36 68L38.6 64L36 60L38.6 56L36 52L38.6 48L36 44L38.6 40L36 36L38.6 32L36 28V20Q40 20 40 16Z", "url(#p-gold)", "#33200a", 3.6) +
		disc(65, 50, 25.5, "url(#p-gold-deep)", "#4f2e06", 2.4) +
		`<g fill="none" stroke="#fff3c8" stroke-width="2">` + petals(65, 50, 10.8, 7, 10.8, 8, 0) + `</g>` +
		disc(65, 50, 22.8, "none", "#ffe9a8", 2) +
		disc(65, 50, 5.6, "url(#p-gold-light)", "#4f2e06", 1.8) +
		line("M45 22H62", "#fffdf0", 3, .9) +
		`</g></g>`
	return `<defs>` + strings.ReplaceAll(paintsOf(body), `id="p-`, `id="`+prefix) + `</defs>` + strings.ReplaceAll(body, "url(#p-", "url(#"+prefix)
}
