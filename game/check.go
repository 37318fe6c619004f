package game

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/talonlottery/talon/money"
)

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// gameKind is the value of "kind" in a game's definition.
const gameKind = "game"

// checkGame refuses a definition whose values contradict each other or leave the stated limits.
func (r reader) checkGame(d *Definition) error {
	for _, check := range []func(*Definition) error{r.checkHead, r.checkStakes, r.checkTiers, r.checkTotals, r.checkChoice, r.checkArticles} {
		if err := check(d); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) checkHead(d *Definition) error {
	if err := r.checkName("name", d.Name); err != nil {
		return err
	}
	if err := r.checkTitles(d.Titles); err != nil {
		return err
	}
	if err := r.checkRegulation(d.Regulation, true); err != nil {
		return err
	}
	if d.BlockSize < 1 || d.BlockSize > BlockSizeMost {
		return r.errorf("block.size", "size_beyond_limit", "a block has 1 to %d units", BlockSizeMost)
	}
	if d.Jackpot != "" {
		if err := r.checkName("jackpot", d.Jackpot); err != nil {
			return err
		}
	}
	if d.Jackpot == d.Name {
		return r.errorf("jackpot", "name_malformed", "a jackpot has a name of its own, not that of the game")
	}
	if d.Mechanic.Kind == "" {
		return r.errorf("mechanic", "mechanic_missing", "a mechanic with its kind is expected, for instance `kind: collect`")
	}
	return nil
}

// ValidName reports whether a name is as names in definitions are: 1 to 40 lower-case letters, digits and single hyphens.
func ValidName(name string) bool { return len(name) <= NameBytesMost && namePattern.MatchString(name) }

func (r reader) checkName(path, name string) error {
	if !ValidName(name) {
		return r.errorf(path, "name_malformed", "a name is lower-case letters, digits and single hyphens, %d at most, not %q", NameBytesMost, name)
	}
	return nil
}

func (r reader) checkTitles(titles Text) error {
	for _, title := range []struct{ path, text string }{{"titles.fr", titles.French}, {"titles.en", titles.English}} {
		if strings.TrimSpace(title.text) == "" || len(title.text) > TextBytesMost {
			return r.errorf(title.path, "title_missing", "titles have a French and an English text of 1 to %d bytes", TextBytesMost)
		}
	}
	return nil
}

// checkRegulation checks what is said of the published text. The opening date may be missing where the
// text is not at hand.
func (r reader) checkRegulation(regulation Regulation, openingNeeded bool) error {
	if strings.TrimSpace(regulation.Title) == "" || len(regulation.Title) > TextBytesMost {
		return r.errorf("regulation.title", "title_missing", "the regulation's own title is expected, of 1 to %d bytes", TextBytesMost)
	}
	if regulation.Made != "" {
		if err := r.checkDate("regulation.made", regulation.Made); err != nil {
			return err
		}
	}
	if regulation.Opening == "" && !openingNeeded {
		return nil
	}
	return r.checkDate("regulation.opening", regulation.Opening)
}

func (r reader) checkDate(path, date string) error {
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return r.errorf(path, "date_malformed", "a date is YYYY-MM-DD, not %q", date)
	}
	return nil
}

func (r reader) checkStakes(d *Definition) error {
	if len(d.Stakes) < 1 || len(d.Stakes) > StakesMost {
		return r.errorf("stakes", "size_beyond_limit", "a game has 1 to %d stakes, not %d", StakesMost, len(d.Stakes))
	}
	for at, stake := range d.Stakes {
		path := fmt.Sprintf("stakes[%d]", at)
		switch {
		case stake.Price <= 0 || !stake.Price.WholeCents():
			return r.errorf(path+".price", "price_wrong", "a price is above zero and in whole cents, not %s", stake.Price)
		case at > 0 && stake.Price <= d.Stakes[at-1].Price:
			return r.errorf(path+".price", "stakes_not_ascending", "stakes are listed from the cheapest: %s follows %s", stake.Price, d.Stakes[at-1].Price)
		case stake.Price > math.MaxInt64/BlockSizeMost:
			return r.errorf(path+".price", "size_beyond_limit", "the price of a whole block could not be counted")
		case len(stake.Parts) > PartsMost:
			return r.errorf(path+".parts", "size_beyond_limit", "a price has at most %d parts, not %d", PartsMost, len(stake.Parts))
		}
		if err := r.checkParts(d, path+".parts", stake); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) checkParts(d *Definition, path string, stake Stake) error {
	sum := money.Amount(0)
	seen := map[string]bool{}
	for at, part := range stake.Parts {
		place := fmt.Sprintf("%s[%d]", path, at)
		if part.For != d.Name && (part.For != d.Jackpot || d.Jackpot == "") {
			return r.errorf(place+".for", "part_unknown", "a part of the price is for %q or for its jackpot, not for %q", d.Name, part.For)
		}
		if seen[part.For] || part.Amount <= 0 {
			return r.errorf(place, "part_wrong", "each part is named once and is above zero")
		}
		seen[part.For] = true
		sum += part.Amount // at most four amounts below money.Most
	}
	if sum != stake.Price {
		return r.errorf(path, "parts_not_price", "the parts sum to %s, but the price is %s", sum, stake.Price)
	}
	if !seen[d.Name] || d.Jackpot != "" && !seen[d.Jackpot] {
		return r.errorf(path, "part_missing", "a part for the game and, when it is sold with a jackpot, one for the jackpot are expected")
	}
	return nil
}

func (r reader) checkTiers(d *Definition) error {
	tiers := d.Prizes.Tiers
	if len(tiers) < 1 || len(tiers) > TiersMost {
		return r.errorf("prizes.tiers", "size_beyond_limit", "a prize table has 1 to %d lines, not %d", TiersMost, len(tiers))
	}
	if len(d.Prizes.Articles) != len(d.Stakes) {
		return r.errorf("prizes.articles", "articles_missing", "one article a stake is expected: %d, not %d", len(d.Stakes), len(d.Prizes.Articles))
	}
	for at, tier := range tiers {
		path := fmt.Sprintf("prizes.tiers[%d]", at)
		if tier.Count < 1 || tier.Count > d.BlockSize {
			return r.errorf(path+".count", "count_wrong", "a tier has 1 to %d prizes, the units of a block, not %d", d.BlockSize, tier.Count)
		}
		if len(tier.Amounts) != len(d.Stakes) {
			return r.errorf(path+".amounts", "amounts_missing", "one amount a stake is expected: %d, not %d", len(d.Stakes), len(tier.Amounts))
		}
		for stake, amount := range tier.Amounts {
			place := fmt.Sprintf("%s.amounts[%d]", path, stake)
			if amount <= 0 || !amount.WholeCents() {
				return r.errorf(place, "amount_wrong", "a prize is above zero and in whole cents, not %s", amount)
			}
			if at > 0 && amount >= tiers[at-1].Amounts[stake] {
				return r.errorf(place, "tiers_not_descending", "tiers are listed from the highest: %s follows %s", amount, tiers[at-1].Amounts[stake])
			}
		}
	}
	return nil
}

// checkTotals re-adds the table. Counts are below 10^7 and amounts below 10^13, 64 lines at
// most, but their product may pass 64 bits: Times says so.
func (r reader) checkTotals(d *Definition) error {
	count := uint64(0)
	for _, tier := range d.Prizes.Tiers {
		count += uint64(tier.Count)
	}
	if count > uint64(d.BlockSize) {
		return r.errorf("prizes.tiers", "more_prizes_than_units", "the table has %d prizes, but a block has only %d units", count, d.BlockSize)
	}
	if count != uint64(d.Prizes.Count) {
		return r.errorf("prizes.printed.count", "totals_do_not_add_up", "the lines add up to %d prizes, but %d are printed", count, d.Prizes.Count)
	}
	if len(d.Prizes.Totals) != len(d.Stakes) {
		return r.errorf("prizes.printed.totals", "amounts_missing", "one total a stake is expected: %d, not %d", len(d.Stakes), len(d.Prizes.Totals))
	}
	for stake, printed := range d.Prizes.Totals {
		total := money.Amount(0)
		for at, tier := range d.Prizes.Tiers {
			line, err := tier.Amounts[stake].Times(int64(tier.Count))
			if err == nil {
				total, err = total.Add(line)
			}
			if err != nil {
				return r.errorf(fmt.Sprintf("prizes.tiers[%d]", at), "size_beyond_limit", "the table's total is too large to count: %v", err)
			}
		}
		if total != printed {
			return r.errorf(fmt.Sprintf("prizes.printed.totals[%d]", stake), "totals_do_not_add_up",
				"the lines add up to %s, but %s is printed", total, printed)
		}
	}
	return nil
}

func (r reader) checkChoice(d *Definition) error {
	if d.Choice == nil {
		return nil
	}
	if d.Choice.Of < 1 || d.Choice.Of > ChoiceMost || d.Choice.Pick < 1 || d.Choice.Pick > d.Choice.Of {
		return r.errorf("choice", "choice_wrong", "a choice selects 1 to all of at most %d, not %d of %d", ChoiceMost, d.Choice.Pick, d.Choice.Of)
	}
	return nil
}

// checkArticles refuses figures that do not say where they come from.
func (r reader) checkArticles(d *Definition) error {
	type source struct{ path, article string }
	sources := []source{{"regulation.article", d.Regulation.Article}, {"block.article", d.BlockArticle}}
	for at, stake := range d.Stakes {
		path := fmt.Sprintf("stakes[%d]", at)
		sources = append(sources, source{path + ".article", stake.Article})
		for part := range stake.Parts {
			sources = append(sources, source{fmt.Sprintf("%s.parts[%d].article", path, part), stake.Parts[part].Article})
		}
	}
	for at, article := range d.Prizes.Articles {
		sources = append(sources, source{fmt.Sprintf("prizes.articles[%d]", at), article})
	}
	if d.Choice != nil {
		sources = append(sources, source{"choice.article", d.Choice.Article})
	}
	for _, s := range sources {
		if s.article == "" || len(s.article) > TextBytesMost {
			return r.errorf(s.path, "article_missing", "the article that a figure comes from is expected, in quotes, for instance \"3.1\"")
		}
	}
	return nil
}
