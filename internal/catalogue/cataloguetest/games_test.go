package cataloguetest_test

import (
	"testing"

	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
)

func TestTheInventedGamesAreAccepted(t *testing.T) {
	games := cataloguetest.New(t)
	if len(games.Games()) != 2 || len(games.Jackpots()) != 1 {
		t.Fatalf("%d games and %d jackpots", len(games.Games()), len(games.Jackpots()))
	}
}
