// Package art draws what a player sees: the symbols of the games, the bags, the brand mark, and the engraved
// patterns of the pages. Its one promise: every drawing is made by code, as SVG without styles, scripts or outside
// references, so that it passes the strictest content policy and nothing in it carries somebody else's licence.
//
// A page holds one Sprite, and any number of Use references to it. Drawings share their gradients ("paints"); the
// sprite defines each paint once, so no two drawings of a page can clash. All drawings are decoration for the eye: the
// page says in words what they show.
//
// The package is safe for concurrent use: after start-up it only reads.
package art

import (
	"fmt"
	"html/template"
	"regexp"
	"sort"
	"strings"
)

// A drawing is the inside of one <symbol>, in a box of 100 by 100 units, light from the top left.
type drawing struct {
	name string
	body string
}

// Names lists every drawing that Sprite and Use know, in alphabetical order.
func Names() []string {
	names := make([]string, 0, len(drawings))
	for name := range drawings {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Known reports whether there is a drawing of this name.
func Known(name string) bool {
	_, found := drawings[name]
	return found
}

// Multiplier names the face that a multiplier symbol turns to, such as "x5"; it is "point-d-interrogation" for a
// coefficient that has no face of its own.
func Multiplier(coefficient int) string {
	if name := fmt.Sprintf("x%d", coefficient); Known(name) {
		return name
	}
	return "point-d-interrogation"
}

// Sprite returns the hidden <svg> that holds the named drawings and the paints they need; all of them when no name
// is given. A page has exactly one sprite, before the first Use. Names that are asked for twice are drawn once, and
// unknown names are drawn as the plain token "inconnu", so that a new game is playable before it has art.
func Sprite(names ...string) template.HTML {
	if len(names) == 0 {
		names = Names()
	}
	var symbols, all strings.Builder
	seen := map[string]bool{}
	for _, name := range names {
		name = nearest(name)
		if seen[name] {
			continue
		}
		seen[name] = true
		body := drawings[name]
		all.WriteString(body)
		fmt.Fprintf(&symbols, `<symbol id="s-%s" viewBox="0 0 100 100">%s</symbol>`, name, body)
	}
	return template.HTML(`<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>` +
		paintsOf(all.String()) + `</defs>` + symbols.String() + `</svg>`)
}

// Use returns an <svg> of size by size CSS pixels that shows one drawing of the page's sprite. The class may be empty;
// style sheets may override the size. It is hidden from assistive technology: say the symbol's title beside it.
func Use(name, class string, size int) template.HTML {
	attribute := ""
	if class != "" {
		attribute = ` class="` + template.HTMLEscapeString(class) + `"`
	}
	return template.HTML(fmt.Sprintf(`<svg%s width="%d" height="%d" viewBox="0 0 100 100" aria-hidden="true" focusable="false"><use href="#s-%s"/></svg>`,
		attribute, size, size, nearest(name)))
}

// Mark returns the brand mark, complete in itself: it needs no sprite and may stand beside one, because its paints
// have ids of their own. A page holds one Mark.
func Mark() template.HTML {
	return template.HTML(`<svg class="mark" width="44" height="44" viewBox="0 0 100 100" aria-hidden="true" focusable="false">` + markBody("mark-") + `</svg>`)
}

func nearest(name string) string {
	if Known(name) {
		return name
	}
	return "inconnu"
}

var drawings = collect(coins(), emblems(), treasures(), luck(), multipliers(), bags(), controls())

func collect(groups ...[]drawing) map[string]string {
	all := map[string]string{}
	for _, group := range groups {
		for _, d := range group {
			if _, twice := all[d.name]; twice {
				panic("art: two drawings are called " + d.name)
			}
			all[d.name] = d.body
		}
	}
	return all
}

var reference = regexp.MustCompile(`url\(#p-([a-z-]+)\)`)

// paintsOf returns the definitions of the paints that the markup refers to, each once.
func paintsOf(markup string) string {
	needed := map[string]bool{}
	for _, match := range reference.FindAllStringSubmatch(markup, -1) {
		needed[match[1]] = true
	}
	names := make([]string, 0, len(needed))
	for name := range needed {
		names = append(names, name)
	}
	sort.Strings(names)
	var b strings.Builder
	for _, name := range names {
		b.WriteString(paints[name].markup("p-" + name))
	}
	return b.String()
}
