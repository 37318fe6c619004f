package collect

import "slices"

// This file is a second reader of « Pièce d'or », written from articles 4.4 to 4.7 alone. It shares
// nothing with the package: it takes words, and tries everything.

// ligne is a line of the table: symbols, and the gain in cents for a stake of 0,50 €.
type ligne struct {
	symboles []string
	gain     int
}

// tableau is the table of article 4.4.
var tableau = []ligne{
	{[]string{"or", "or", "or"}, 500000},
	{[]string{"croix", "croix", "or", "or"}, 25000},
	{[]string{"croix", "croix", "croix"}, 2500},
	{[]string{"croix", "croix", "étoile", "étoile"}, 500},
	{[]string{"étoile", "étoile", "étoile"}, 250},
	{[]string{"couronne", "couronne", "couronne"}, 100},
	{[]string{"pièce trouée", "pièce trouée", "pièce trouée"}, 50},
}

const clover = "trèfle"

// slowReader reads a hand of symbols. Its fields break it on purpose.
type slowReader struct {
	table        []ligne
	cloverServes int  // how often: 1 is article 4.5
	takesFirst   bool // the first combination of the table that fits, instead of the best set
	takesLast    bool // the same from the bottom of the table
	reuses       bool // symbols stay in the hand after they were used
}

// article is the reader that the regulation describes.
var article = slowReader{table: tableau, cloverServes: 1}

// formed is one combination formed from a hand.
type formed struct {
	gain    int
	rest    []string
	clovers int
}

// without takes one symbol out of a hand.
func without(hand []string, symbol string) ([]string, bool) {
	at := slices.Index(hand, symbol)
	if at < 0 {
		return hand, false
	}
	return slices.Delete(slices.Clone(hand), at, at+1), true
}

// form takes the symbols of a line of the table out of the hand; the one at place stands (none: -1)
// is the clover's.
func (s slowReader) form(hand, symbols []string, stands int) ([]string, bool) {
	rest, all := hand, true
	for i, symbol := range symbols {
		if i == stands {
			continue
		}
		var ok bool
		rest, ok = without(rest, symbol)
		all = all && ok
	}
	if !all || stands >= 0 && !slices.Contains(hand, clover) {
		return hand, false
	}
	if s.reuses {
		return rest[:max(0, len(rest)-1)], true // loses something, so that it ends
	}
	return rest, true
}

// choices lists every combination that a hand forms now.
func (s slowReader) choices(hand []string, clovers int) []formed {
	var found []formed
	for _, line := range s.table {
		for stands := -1; stands < len(line.symboles); stands++ {
			if stands >= 0 && clovers == s.cloverServes {
				continue
			}
			rest, ok := s.form(hand, line.symboles, stands)
			if !ok {
				continue
			}
			used := clovers
			if stands >= 0 {
				used++
			}
			found = append(found, formed{line.gain, rest, used})
		}
	}
	return found
}

// totals adds to all the total of every reading to which nothing can be added (art. 4.4, 4.6).
func (s slowReader) totals(hand []string, clovers, sum int, all map[int]bool) {
	choices := s.choices(hand, clovers)
	if len(choices) == 0 {
		all[sum] = true
	}
	for i, c := range choices {
		if s.takesFirst && i > 0 || s.takesLast && i < len(choices)-1 {
			continue
		}
		s.totals(c.rest, c.clovers, sum+c.gain, all)
	}
}

// read gives the prize in cents, and every total that a reading comes to.
func (s slowReader) read(hand []string) (prize int, all map[int]bool) {
	all = map[int]bool{}
	s.totals(hand, 0, 0, all)
	for total := range all {
		prize = max(prize, total)
	}
	return prize, all
}
