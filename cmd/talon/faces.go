package main

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"

	"github.com/talonlottery/talon/internal/api"
	"github.com/talonlottery/talon/internal/demo"
	"github.com/talonlottery/talon/internal/store"
	pages "github.com/talonlottery/talon/internal/web/player"
)

// faces joins the pages and the API of a house into one handler.
func faces(h *house, visitors *demo.Demo, logger *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/api/v1/", api.New(api.Config{
		Catalogue: h.catalogue, Seller: h.seller, Store: h.store, Supply: h.supply, Receipts: h.publisher, PlayMoney: true, Log: logger,
		Visitor: func(r *http.Request) (store.Session, error) {
			return visitors.Session(r.Context(), pages.SessionToken(r))
		},
	}))
	mux.Handle("/public/", http.StripPrefix("/public", h.publisher))
	mux.Handle("/", pages.New(pages.Config{
		Catalogue: h.catalogue, Seller: h.seller, Store: h.store, Supply: h.supply, Visitors: visitors, Receipts: h.publisher, PublicKey: h.publisher.Key().String(), Log: logger,
		Clock: time.Now, Key: rand.Text,
	}))
	return mux
}
