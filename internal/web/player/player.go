// Package player serves the pages that players see: lobby, games, rules, history and help.
//
// Its one promise: a page draws what is recorded and nothing else. Pages work without JavaScript up
// to the reveal; the script only animates what the server sent. French is the reference language,
// English is complete.
package player

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/web/assets"
	domain "github.com/talonlottery/talon/player"
)

//go:generate go run ./build

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed static dist
var staticFiles embed.FS

// Seller is what pages need of package sale.
type Seller interface {
	Sell(ctx context.Context, request sale.Request) (sale.Receipt, error)
	Choose(ctx context.Context, who domain.ID, play block.PlayID, cells []int) (store.Play, error)
	Shown(ctx context.Context, who domain.ID, play block.PlayID) error
}

// Supply says what can be bought, and how far a block that is dealt is.
type Supply interface {
	State(ctx context.Context, game string, stake int) (office.State, error)
	Dealing(game string, stake int) (office.Progress, bool)
}

// Visitors knows the players of a demonstration.
type Visitors interface {
	Session(ctx context.Context, token string) (store.Session, error)
	Visit(ctx context.Context) (token string, session store.Session, err error)
	Refill(ctx context.Context, id domain.ID) error
}

// Config is what the pages are made of. All fields are needed, but for PublicKey.
type Config struct {
	Catalogue *catalogue.Catalogue
	Seller    Seller
	Store     store.Reader
	Supply    Supply
	Visitors  Visitors
	Receipts  Receipts
	Clock     func() time.Time
	// Key makes an idempotency key for a form, fresh and unguessable.
	Key func() string
	Log *slog.Logger
	// PublicKey is the text of the operator's public key (docs/spec/log.md, section 3), which the page
	// « Vérifier » offers. Without one visitors give the key themselves.
	PublicKey string
}

// pages serves them.
type pages struct {
	Config
	templates *template.Template
	assets    *assets.Assets
	// oneLoser says, by game, whether all its losing units look the same. The proof that tells it is
	// long, so it is made once, when the game's rules are first read.
	oneLoser map[string]func() (bool, error)
}

// New returns the handler of all pages and their assets. It is safe for concurrent use. It panics
// when a template that comes with it is broken, which its tests rule out.
func New(config Config) http.Handler {
	p := &pages{Config: config, assets: assets.New(staticFiles), oneLoser: make(map[string]func() (bool, error))}
	p.templates = p.parseTemplates()
	for _, g := range config.Catalogue.Games() {
		p.oneLoser[g.Name] = sync.OnceValues(func() (bool, error) {
			proof, err := g.Mechanics[0].Prove()
			return err == nil && proof.Losing.Compositions == 1, err
		})
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+assets.Prefix, p.assets)
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, p.assets.URL("icons/favicon.svg"), http.StatusFound)
	})
	for _, language := range languages {
		p.route(mux, language)
	}
	return secured(http.NewCrossOriginProtection().Handler(mux))
}

// toRead are the pages that are read and not played on.
var toRead = map[string]bool{"GET jeu/{game}/regles": true, "GET aide": true, "GET jackpot/{jackpot}": true, "GET verifier": true}

// route adds the pages of one language: French ones at the root, English ones below /en.
func (p *pages) route(mux *http.ServeMux, l *language) {
	for pattern, serve := range map[string]func(*visit) error{
		"GET {$}":                 p.lobby,
		"GET jeu/{game}":          p.game,
		"POST jeu/{game}/jouer":   p.buy,
		"GET jeu/{game}/regles":   p.rules,
		"GET unite/{play}":        p.unit,
		"POST unite/{play}/choix": p.choose,
		"GET historique":          p.history,
		"GET historique/{play}":   p.replay,

		"GET historique/{play}/recu":     p.receiptFile,
		"GET historique/{play}/code.svg": p.receiptCode,
		"GET aide":                       p.help,
		"GET verifier":                   p.verifier,
		"POST recharge":                  p.refill,
		"GET jackpot/{jackpot}":          p.jackpot,
	} {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+l.prefix+"/"+path, func(w http.ResponseWriter, r *http.Request) {
			p.serve(w, r, l, !toRead[pattern], serve)
		})
	}
	mux.HandleFunc("GET "+l.prefix+"/{rest...}", func(w http.ResponseWriter, r *http.Request) { p.missing(w, r, l) })
}

// policy is the content security policy of every page: nothing but what is served here, no inline
// script or style, and no string ever becomes markup (web standards: CSP level 3, Trusted Types). The one
// policy of Trusted Types names the worker of the page « Vérifier ».
const policy = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types talon-verifier"

func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Permissions-Policy", "interest-cohort=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}
