package player_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"

	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/receipt"
)

// paperReceipts makes receipts without proofs: pages show and hand out what they are given. That real ones
// verify is for the tests of package publish.
type paperReceipts struct{}

func (paperReceipts) Receipt(_ context.Context, play store.Play) (*receipt.Receipt, error) {
	made := &receipt.Receipt{Play: play.ID, At: play.At.UnixMilli(), Checkpoint: "example.org\n1\n\n"}
	made.Unit = receipt.Part{Index: uint64(play.Index), Prize: play.Prize, Layout: play.Layout, Salt: play.Salt}
	return made, nil
}

// The receipt is offered beside the unit: a file, a link to « Vérifier », and a code that other devices
// read, which holds the same link.
func TestTheReceiptIsOffered(t *testing.T) {
	h := newHouse(t, build{})
	v := h.visitor()
	v.play(v.get("/jeu/precius-aurus"))
	play := h.plays()[0]
	id := play.ID.String()
	bothLanguages(t, func(t *testing.T, prefix, code string) {
		page := v.get(prefix + "/historique/" + id).is(http.StatusOK)
		page.says(map[string]string{"fr": "Ce reçu prouve", "en": "This receipt proves"}[code])
		page.says(map[string]string{"fr": "Il est provisoire", "en": "It is provisional"}[code])
		made, err := paperReceipts{}.Receipt(t.Context(), play)
		if err != nil {
			t.Fatal(err)
		}
		short := made.Link(play.Block)
		link := prefix + "/verifier#" + short.Encode()
		if !strings.Contains(page.text, `href="`+link+`"`) {
			t.Errorf("the page has no link %s", link)
		}
		file := v.get(prefix + "/historique/" + id + "/recu").is(http.StatusOK)
		if diff := cmp.Diff(string(made.Encode()), file.text); diff != "" {
			t.Errorf("the file is another receipt (-want +got):\n%s", diff)
		}
		if got := file.header.Get("Content-Disposition"); got != `attachment; filename="talon-`+id+`.receipt.json"` {
			t.Errorf("the file is offered as %s", got)
		}
		drawn := v.get(prefix + "/historique/" + id + "/code.svg").is(http.StatusOK)
		if read := readCode(t, drawn.text); read != h.server.URL+link {
			t.Errorf("the code reads %q, not %q", read, h.server.URL+link)
		}
	})
	other := h.visitor()
	other.get("/")
	for _, end := range []string{"", "/recu", "/code.svg"} {
		other.get("/historique/" + id + end).is(http.StatusNotFound)
	}
}

var (
	viewBox = regexp.MustCompile(`viewBox="0 0 (\d+) \d+"`)
	module  = regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-\d+z`)
)

// readCode reads a drawn QR code with a reader that others wrote.
func readCode(t *testing.T, drawn string) string {
	t.Helper()
	const pixels = 4 // a module
	var side int
	if _, err := fmt.Sscan(viewBox.FindStringSubmatch(drawn)[1], &side); err != nil {
		t.Fatal(err)
	}
	picture := image.NewGray(image.Rect(0, 0, side*pixels, side*pixels))
	for at := range picture.Pix {
		picture.Pix[at] = 255
	}
	for _, found := range module.FindAllStringSubmatch(drawn, -1) {
		var x, y, width int
		if _, err := fmt.Sscan(found[1]+" "+found[2]+" "+found[3], &x, &y, &width); err != nil {
			t.Fatal(err)
		}
		for dx := range width * pixels {
			for dy := range pixels {
				picture.SetGray(x*pixels+dx, y*pixels+dy, color.Gray{})
			}
		}
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	read, err := qrcode.NewQRCodeReader().Decode(bitmap, nil)
	if err != nil {
		t.Fatal(err)
	}
	return read.GetText()
}
