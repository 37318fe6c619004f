// Package api is the HTTP face of the play path, as openapi.yaml describes it.
//
// Its one promise: it adds no rule. It decodes strictly, asks the rooms below, and turns what they
// answer into documents; a unit whose choice is not recorded is never disclosed, and errors are
// problem documents with a stable code and a next step.
package api

import (
	"context"
	_ "embed"
	"log/slog"
	"net/http"
	"strings"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/player"
	"github.com/talonlottery/talon/receipt"
)

//go:generate go run -modfile=../../tools/go.mod github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen -config oapi-codegen.yaml openapi.yaml

//go:embed openapi.yaml
var specification []byte

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

// Receipts makes the receipt of a play.
type Receipts interface {
	Receipt(ctx context.Context, play store.Play) (*receipt.Receipt, error)
}

// Config holds what a [Handler] is made of. All fields are needed.
type Config struct {
	Catalogue *catalogue.Catalogue
	Seller    Seller
	Store     store.Reader
	// Visitor finds the session of a request, or returns Refused with code session_required.
	Visitor   func(r *http.Request) (store.Session, error)
	Supply    Supply
	Receipts  Receipts
	PlayMoney bool
	Log       *slog.Logger
}

// New returns the handler of everything below /api/v1/. It is safe for concurrent use.
func New(config Config) http.Handler {
	s := &server{Config: config}
	options := StrictHTTPServerOptions{
		RequestErrorHandlerFunc: func(w http.ResponseWriter, r *http.Request, err error) {
			writeProblem(w, r, config.Log, refusedBody(err))
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
			writeProblem(w, r, config.Log, fault.New(fault.Invalid, "parameter_malformed", "%w", err).Next("send what openapi.yaml says"))
		},
	})
	mux.HandleFunc("GET /api/v1/openapi.yaml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = w.Write(specification)
	})
	mux.HandleFunc(everythingElse, func(w http.ResponseWriter, r *http.Request) {
		writeProblem(w, r, config.Log, nothingHere(mux, w, r))
	})
	sameOrigin := http.NewCrossOriginProtection()
	sameOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeProblem(w, r, config.Log, fault.New(fault.Refused, "cross_origin", "the request was made by a page of another site").
			Next("open this site itself"))
	}))
	return sameOrigin.Handler(strictBodies(config.Log, mux))
}

const everythingElse = "/api/v1/"

// nothingHere tells an unknown path from a path that is asked for in an unknown way.
func nothingHere(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); pattern != everythingElse {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		return fault.New(fault.Invalid, "method_unknown", "%s is not served at %s", shortened(r.Method), r.URL.Path).
			Next("use %s", strings.Join(allowed, " or "))
	}
	return fault.New(fault.NotFound, "path_unknown", "there is nothing at %s", r.URL.Path).
		Next("the paths are listed in /api/v1/openapi.yaml")
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
