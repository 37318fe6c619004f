package api_test

import (
	"testing"

	"github.com/talonlottery/talon/internal/api"
	"github.com/talonlottery/talon/money"
)

// While a play waits for its choice, a later play of another game does not tell by its funds what the
// first one gave; once the first is shown, it tells its own funds exactly.
func TestTheFundsOfALaterPlayTellNoOutcome(t *testing.T) {
	h := open(t, true)
	first := h.buy(0, "first", moons, "1.00", "")
	second := h.buy(0, "second", winds, "1.00", "")
	for step, play := range map[string]api.Play{
		"bought": second, "read again": get[api.Play](h, 0, "/plays/"+second.Id), "in the history": get[api.History](h, 0, "/plays?limit=1").Plays[0],
	} {
		if play.Outcome == nil || play.Outcome.Before != nil || play.Outcome.After != nil {
			t.Errorf("%s, a later play tells funds that hold the first one's prize: %+v", step, play.Outcome)
		}
	}
	shown := h.show(0, first)
	if shown.Outcome.Before == nil || h.parse(*shown.Outcome.Before) != funds {
		t.Errorf("the first play tells %+v", shown.Outcome)
	}
	second = get[api.Play](h, 0, "/plays/"+second.Id)
	if second.Outcome.Before == nil || h.parse(*second.Outcome.Before) != funds-money.Unit+h.parse(shown.Outcome.Prize) {
		t.Errorf("the second play tells %+v", second.Outcome)
	}
}
