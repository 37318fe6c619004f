package art

// controls draws the few small signs of the pages, in the current text colour.
func controls() []drawing {
	stroke := func(d string) string {
		return `<path d="` + d + `" fill="none" stroke="currentColor" stroke-width="8" stroke-linecap="round" stroke-linejoin="round"/>`
	}
	speaker := `<path d="M12 38H30L52 18V82L30 62H12Z" fill="currentColor"/>`
	return []drawing{
		{"signe-son", speaker + stroke("M66 36Q76 50 66 64M78 24Q98 50 78 76")},
		{"signe-muet", speaker + stroke("M66 38L90 62M90 38L66 62")},
		{"signe-fleche", stroke("M18 50H80M56 26L80 50L56 74")},
		{"signe-info", disc(50, 50, 42, "none", "currentColor", 7) + stroke("M50 46V70") + disc(50, 30, 5.5, "currentColor", "", 0)},
		{"signe-coche", stroke("M16 54L40 78L84 26")},
		{"signe-rejouer", stroke("M80 50A30 30 0 1 1 68 26M68 8V28H48")},
		{"signe-bouclier", stroke("M50 10L84 22V48C84 70 70 84 50 92C30 84 16 70 16 48V22Z") + stroke("M35 50L46 62L66 38")},
	}
}
