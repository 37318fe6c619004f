// Package api is the HTTP face of the play path, as openapi.yaml describes it.
//
// Its one promise: it adds no rule. It decodes strictly, asks the rooms below, and turns what they
// answer into documents; a unit whose choice is not recorded is never disclosed, and errors are
// problem documents with a stable code and a next step.
package api

import (
	"context"
	_ "embed"
	"encoding/json"
	"log/slog"
	"mime"
	"net/http"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/player"
)

//go:generate go run -modfile=../../tools/go.mod github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen -config oapi-codegen.yaml openapi.yaml

//go:embed openapi.yaml
var specification []byte

// bodyBytesMost limits a request's body; the largest valid one is far below.
const bodyBytesMost = 4 << 10

// Seller is what the API needs of package sale.
type Seller interface {
	Sell(ctx context.Context, request sale.Request) (sale.Receipt, error)
	Choose(ctx context.Context, who player.ID, play block.PlayID, cells []int) (store.Play, error)
	Shown(ctx context.Context, who player.ID, play block.PlayID) error
}

// Supply says whether units of a game at a stake can be bought now.
type Supply interface {
	State(ctx context.Context, game string, stake int) (office.State, error)
}

// Config holds what a [Handler] is made of. All fields are needed.
type Config struct {
	Catalogue *catalogue.Catalogue
	Seller    Seller
	Store     store.Reader
	// Visitor finds the session of a request, or returns Refused with code session_required.
	Visitor   func(r *http.Request) (store.Session, error)
	Supply    Supply
	PlayMoney bool
	Log       *slog.Logger
}

// New returns the handler of everything below /api/v1/. It is safe for concurrent use.
func New(config Config) http.Handler {
	s := &server{Config: config}
	options := StrictHTTPServerOptions{
		RequestErrorHandlerFunc: func(w http.ResponseWriter, r *http.Request, err error) {
			writeProblem(w, r, config.Log, fault.New(fault.Invalid, "body_malformed", "the request's body cannot be read: %w", err).
				Next("send JSON as openapi.yaml describes it"))
		},
		ResponseErrorHandlerFunc: func(w http.ResponseWriter, r *http.Request, err error) {
			writeProblem(w, r, config.Log, err)
		},
	}
	mux := http.NewServeMux()
	HandlerWithOptions(NewStrictHandlerWithOptions(s, []StrictMiddlewareFunc{s.withRequest}, options), StdHTTPServerOptions{
		BaseURL:    "/api/v1",
		BaseRouter: mux,
		ErrorHandlerFunc: func(w http.ResponseWriter, r *http.Request, err error) {
			writeProblem(w, r, config.Log, fault.New(fault.Invalid, "parameter_malformed", "%w", err))
		},
	})
	mux.HandleFunc("GET /api/v1/openapi.yaml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = w.Write(specification)
	})
	mux.HandleFunc("/api/v1/", func(w http.ResponseWriter, r *http.Request) {
		writeProblem(w, r, config.Log, fault.New(fault.NotFound, "path_unknown", "there is nothing at %s", r.URL.Path).
			Next("the paths are listed in /api/v1/openapi.yaml"))
	})
	return http.NewCrossOriginProtection().Handler(strictBodies(config.Log, mux))
}

// strictBodies refuses bodies that are too large, not JSON, or hold fields that nobody reads, before
// generated code decodes them: a misspelt field must not be taken for an absent one.
func strictBodies(logger *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if r.Method == http.MethodPost || r.Method == http.MethodPut {
			r.Body = http.MaxBytesReader(w, r.Body, bodyBytesMost)
			if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.ContentLength != 0 && (err != nil || kind != "application/json") {
				writeProblem(w, r, logger, fault.New(fault.Invalid, "body_not_json", "the body must be application/json"))
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// UnmarshalJSON refuses fields that [BuyPlay] does not have.
func (b *BuyPlay) UnmarshalJSON(data []byte) error {
	type plain BuyPlay
	return unmarshalStrictly(data, (*plain)(b))
}

// UnmarshalJSON refuses fields that [Selection] does not have.
func (s *Selection) UnmarshalJSON(data []byte) error {
	type plain Selection
	return unmarshalStrictly(data, (*plain)(s))
}

type requestKey struct{}

// withRequest lets handlers of generated code see the request, for its session.
func (s *server) withRequest(next StrictHandlerFunc, _ string) StrictHandlerFunc {
	return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (any, error) {
		return next(context.WithValue(ctx, requestKey{}, r), w, r, request)
	}
}

func (s *server) session(ctx context.Context) (store.Session, error) {
	return s.Visitor(ctx.Value(requestKey{}).(*http.Request))
}

var _ json.Unmarshaler = (*BuyPlay)(nil)
