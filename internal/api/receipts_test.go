package api_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/receipt"
)

// paperReceipts makes receipts without proofs: the API hands out what it is given.
type paperReceipts struct{}

func (paperReceipts) Receipt(_ context.Context, play store.Play) (*receipt.Receipt, error) {
	return &receipt.Receipt{Play: play.ID, At: play.At.UnixMilli(), Checkpoint: "example.org\n1\n\n",
		Unit: receipt.Part{Index: uint64(play.Index), Prize: play.Prize, Layout: play.Layout, Salt: play.Salt}}, nil
}

// A receipt is handed out byte for byte, to the player of the play alone, and not before the choice: it
// tells the outcome.
func TestReceiptsAreHandedOut(t *testing.T) {
	h := open(t, true)
	play := h.buy(0, "first", moons, "0.50", "").Id
	path := "/plays/" + play + "/receipt"
	h.ask(call{method: "GET", path: path}).refused(http.StatusForbidden, "choice_missing")
	if a := h.ask(call{method: "PUT", path: "/plays/" + play + "/choice", body: `{"cells":[0,1,2]}`}); a.status != http.StatusOK {
		t.Fatalf("the choice was refused: %s", a.body)
	}
	answer := h.ask(call{method: "GET", path: path})
	read, err := receipt.Parse(answer.body)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read.Play.String(), play); diff != "" {
		t.Error(diff)
	}
	h.ask(call{method: "GET", path: path, player: 1}).refused(http.StatusNotFound, "play_unknown")
}
