package all

import (
	"testing"

	"github.com/talonlottery/talon/games"
)

func TestGamesThatComeWithTalon(t *testing.T) {
	set, err := games.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range set.Games {
		if err := Check(d); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}
