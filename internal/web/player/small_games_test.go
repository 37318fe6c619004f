package player_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/money"
)

// The names of the games that come with Talon, as their pages do.
const (
	collects = "piece-dor"     // three stakes, a choice of three bags of six
	lines    = "precius-aurus" // one stake, a multiplier, sold with a jackpot
	jackpots = "super-jackpot" // sold with lines
	smaller  = 200             // how many times smaller the blocks of these tests are
)

// blocksOf are how small games differ from the published ones.
type blocksOf struct {
	// jackpotOneIn, when set, makes jackpots frequent.
	jackpotOneIn int
}

var (
	loading sync.Mutex
	loaded  = make(map[blocksOf]*catalogue.Catalogue) // to prove a game takes long, and it is immutable
)

// smallGames are the published games with blocks so small that they are dealt at once: the same
// symbols, combinations, prizes and stakes, fewer units of each.
func smallGames(t testing.TB, want blocksOf) *catalogue.Catalogue {
	t.Helper()
	loading.Lock()
	defer loading.Unlock()
	if games, ok := loaded[want]; ok {
		return games
	}
	var definitions []*game.Definition
	for _, name := range []string{collects, lines} {
		definition, err := game.Load(name+".yaml", []byte(shrunk(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		definitions = append(definitions, definition)
	}
	text := shrunk(t, jackpots)
	if want.jackpotOneIn > 0 {
		text = regexp.MustCompile(`one_in: \d+`).ReplaceAllString(text, fmt.Sprint("one_in: ", want.jackpotOneIn))
	}
	jackpot, err := game.LoadJackpot(jackpots+".yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	games, err := catalogue.New(definitions, []*game.Jackpot{jackpot})
	if err != nil {
		t.Fatal(err)
	}
	loaded[want] = games
	return games
}

var (
	sizes   = regexp.MustCompile(`block: \{size: (\d+)`)
	tiers   = regexp.MustCompile(`- \{count: (\d+), amounts: \[([^\]]+)\]`)
	printed = regexp.MustCompile(`printed: \{.*\}`)
)

// shrunk is a definition's text with smaller blocks; counts are rounded up, so that each prize is
// there, and the printed sums follow.
func shrunk(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "..", "games", name, "game.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	smallerNumber := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return (n + smaller - 1) / smaller
	}
	text := sizes.ReplaceAllStringFunc(string(content), func(found string) string {
		return fmt.Sprint("block: {size: ", smallerNumber(sizes.FindStringSubmatch(found)[1]))
	})
	count, totals := 0, []money.Amount(nil)
	text = tiers.ReplaceAllStringFunc(text, func(found string) string {
		parts := tiers.FindStringSubmatch(found)
		n := smallerNumber(parts[1])
		count += n
		for stake, amount := range strings.Split(parts[2], ", ") {
			parsed, err := money.Parse(amount)
			if err != nil {
				t.Fatal(err)
			}
			if stake == len(totals) {
				totals = append(totals, 0)
			}
			totals[stake] += money.Amount(n) * parsed
		}
		return fmt.Sprintf("- {count: %d, amounts: [%s]", n, parts[2])
	})
	var sums []string
	for _, total := range totals {
		sums = append(sums, total.String())
	}
	return printed.ReplaceAllString(text, fmt.Sprintf("printed: {count: %d, totals: [%s]}", count, strings.Join(sums, ", ")))
}
