package player

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"rsc.io/qr"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/web/assets"
	"github.com/talonlottery/talon/receipt"
)

// Receipts makes the receipt of a play.
type Receipts interface {
	Receipt(ctx context.Context, play store.Play) (*receipt.Receipt, error)
}

// receiptView is what a page offers of a play's receipt.
type receiptView struct {
	Provisional bool
	Link        string // of « Vérifier », with the receipt's short form behind its #
}

// disclosedPlay is the visitor's play that the path names, unless it waits for its choice: a receipt, and its
// link too, would tell the outcome.
func (p *pages) disclosedPlay(v *visit) (store.Play, error) {
	play, err := p.playOf(v)
	if err != nil {
		return play, err
	}
	g, err := p.Catalogue.Game(play.Game)
	if err != nil {
		return play, err
	}
	return play, sale.CheckDisclosed(g.Definition, play)
}

// receiptLink is the path of « Vérifier » with the receipt's short form, which needs no proof.
func receiptLink(v *visit, play store.Play) string {
	short := receipt.Link{Play: play.ID, Block: play.Block, Index: uint64(play.Index), Prize: play.Prize, Layout: play.Layout,
		Salt: play.Salt, At: play.At.UnixMilli()}
	return v.language.prefix + "/verifier#" + short.Encode()
}

func (p *pages) receiptView(v *visit, play store.Play) (*receiptView, error) {
	made, err := p.Receipts.Receipt(v.r.Context(), play)
	if err != nil {
		return nil, err
	}
	part := made.Participation
	return &receiptView{
		Provisional: made.Unit.Sales == nil || part != nil && part.Sales == nil,
		Link:        receiptLink(v, play),
	}, nil
}

// receiptFile gives the receipt as a file to keep.
func (p *pages) receiptFile(v *visit) error {
	play, err := p.disclosedPlay(v)
	if err != nil {
		return err
	}
	made, err := p.Receipts.Receipt(v.r.Context(), play)
	if err != nil {
		return err
	}
	h := v.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", `attachment; filename="`+made.FileName()+`"`)
	assets.Write(v.w, v.r, http.StatusOK, made.Encode())
	return nil
}

// receiptCode draws the receipt's link as a QR code, which another device reads. What follows the # of
// a link is never sent to a server.
func (p *pages) receiptCode(v *visit) error {
	play, err := p.disclosedPlay(v)
	if err != nil {
		return err
	}
	scheme := "http://"
	if v.r.TLS != nil || strings.EqualFold(v.r.Header.Get("X-Forwarded-Proto"), "https") {
		scheme = "https://"
	}
	drawn, err := drawCode(scheme + v.r.Host + receiptLink(v, play))
	if err != nil {
		return err
	}
	v.w.Header().Set("Content-Type", "image/svg+xml")
	assets.Write(v.w, v.r, http.StatusOK, drawn)
	return nil
}

// quietZone is the margin of a QR code, in modules (ISO/IEC 18004).
const quietZone = 4

// drawCode draws a text as a QR code: one path, dark on white whatever the page's colours, for readers
// expect it so.
func drawCode(text string) ([]byte, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil, fault.New(fault.Internal, "code_failed", "the QR code of a receipt could not be drawn: %w", err)
	}
	var drawn strings.Builder
	side := code.Size + 2*quietZone
	fmt.Fprintf(&drawn, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, side, side, side, side)
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&drawn, "M%d %dh%dv1h-%dz", from+quietZone, y+quietZone, x-from, x-from)
			}
		}
	}
	drawn.WriteString(`"/></svg>`)
	return []byte(drawn.String()), nil
}
