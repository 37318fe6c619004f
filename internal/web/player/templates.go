package player

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/talonlottery/talon/internal/web/player/art"
)

func (p *pages) parseTemplates() *template.Template {
	return template.Must(template.New("pages").Funcs(template.FuncMap{
		"asset":       p.assets.URL,
		"use":         art.Use,
		"sprite":      sprite,
		"lobbySprite": lobbySprite,
		"list":        func(games ...gameView) []gameView { return games },
		"pair":        func(frame any, play *playView) entryData { return entryData{frame, play} },
		"outcome": func(play *playView) *outcomeView {
			if play == nil {
				return nil
			}
			return play.Outcome
		},
		"hero":   func(at int) string { return map[bool]string{true: "hero"}[at == heroes/2] },
		"titles": clientTitles,
		"orList": orList,
		"mark":   art.Mark,
		"lines":  lines,
		"slots":  func(n int) []int { return make([]int, n) },
		"lit": func(play *playView, combination int) bool {
			return play != nil && play.Outcome != nil && slices.Contains(play.Outcome.Lit, combination)
		},
		"picked": picked,
		"title":  capitalized,
		"words":  clientWords,
	}).ParseFS(templateFiles, "templates/*.html"))
}

// signs are the drawings of the pages themselves.
var signs = []string{"sac-ferme", "signe-info"}

// sprite holds the drawings of the games of a page.
func sprite(games []gameView) template.HTML {
	names := slices.Clone(signs)
	for _, g := range games {
		for _, symbol := range g.Symbols {
			names = append(names, symbol.Name)
		}
		if g.Choice != nil {
			names = append(names, "sac-ouvert")
		}
		if g.Multiplier != nil {
			names = append(names, unknownMultiplier)
		}
	}
	return art.Sprite(names...)
}

// entryData is what an entry of the history is drawn from.
type entryData struct {
	Frame any
	Play  *playView
}

func lobbySprite(games []lobbyGame) template.HTML {
	var views []gameView
	for _, g := range games {
		views = append(views, g.gameView)
	}
	return sprite(views)
}

// orList writes numbers as a choice: 2, 3, 4, 5 or 10.
func orList(l *language, numbers []int) string {
	text := ""
	for at, n := range numbers {
		switch {
		case at > 0 && at == len(numbers)-1:
			text += l.Say("or")
		case at > 0:
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}

// clientTitles are the titles of a game's symbols, for the script.
func clientTitles(g gameView) (string, error) {
	titles := make(map[string]string, len(g.Symbols))
	for _, symbol := range g.Symbols {
		titles[symbol.Name] = symbol.Title
	}
	text, err := json.Marshal(titles)
	return string(text), err
}

// lines is the overlay of a grid, with the lines of a play shown.
func lines(cells int, play *playView) template.HTML {
	side := 1
	for side*side < cells {
		side++
	}
	var on []string
	if play != nil && play.Outcome != nil {
		for _, line := range play.Outcome.Lines {
			on = append(on, cellsBetween(line, side))
		}
	}
	return art.Lines(side, side, on...)
}

// cellsBetween names the cells of a line from its first and last, as the overlay does.
func cellsBetween(line lineView, side int) string {
	step := (line.To - line.From) / (side - 1)
	cells := make([]string, 0, side)
	for cell := line.From; cell <= line.To; cell += step {
		cells = append(cells, fmt.Sprint(cell))
	}
	return strings.Join(cells, " ")
}

// picked is the place of a bag in the order of selection, from 1, or 0.
func picked(play *playView, number int) int {
	if play == nil {
		return 0
	}
	return slices.Index(play.Choice, number) + 1
}

func capitalized(text string) string {
	for at, r := range text {
		return strings.ToUpper(string(r)) + text[at+len(string(r)):]
	}
	return text
}

// clientKeys are the words that the script says.
var clientKeys = []string{"busy", "offline", "choose", "choose.left.one", "choose.left.more", "choose.no.effect", "again", "skip.reveal", "tile.covered"}

// clientWords are those words as JSON, for an attribute of the page.
func clientWords(l *language) (string, error) {
	said := make(map[string]string, len(clientKeys))
	for _, key := range clientKeys {
		said[key] = l.Say(key)
	}
	text, err := json.Marshal(said)
	return string(text), err
}
