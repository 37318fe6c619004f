package api

import (
	"context"
	"net/http"

	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/receipt"
)

// receiptDocument is a receipt as it is downloaded: its own bytes, for they are kept and verified as
// they are (docs/spec/receipt.md).
type receiptDocument struct{ *receipt.Receipt }

// VisitGetReceiptResponse implements [GetReceiptResponseObject].
func (d receiptDocument) VisitGetReceiptResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="`+d.FileName()+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write(d.Encode())
	return err
}

// GetReceipt implements GET /plays/{play}/receipt. Before the choice is recorded a receipt would
// tell the outcome: there is none.
func (s *server) GetReceipt(ctx context.Context, request GetReceiptRequestObject) (GetReceiptResponseObject, error) {
	session, id, err := s.sessionAndPlay(ctx, request.Play)
	if err != nil {
		return nil, err
	}
	play, err := s.Store.Play(ctx, session.Player, id)
	if err != nil {
		return nil, err
	}
	found, err := s.Catalogue.Game(play.Game)
	if err != nil {
		return nil, err
	}
	if err := sale.CheckDisclosed(found.Definition, play); err != nil {
		return nil, err
	}
	made, err := s.Receipts.Receipt(ctx, play)
	if err != nil {
		return nil, err
	}
	return receiptDocument{made}, nil
}
