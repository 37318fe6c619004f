package publish

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// ServeHTTP serves the publication's files below the handler's path. Files of the log that are whole
// never change and say so; the others are asked for again each time.
func (p *Publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/")
	header := w.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Access-Control-Allow-Origin", "*") // it is public: a checker on any page may read it
	header.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(path, logFolder+"tile/") || strings.HasPrefix(path, definitionsFolder) || strings.HasPrefix(path, blocksFolder) {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if path == logFolder+publiclog.CheckpointPath || strings.HasPrefix(path, definitionsFolder) {
		header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	var content io.ReadCloser
	err := p.config.Store.View(r.Context(), func(ctx context.Context, reader store.Reader) error {
		head, err := reader.LogHead(ctx)
		if err != nil {
			return err
		}
		v := &view{publisher: p, reader: reader, head: head}
		content, err = v.open(ctx, path)
		return err
	})
	if err == nil {
		defer content.Close()
		_, _ = io.Copy(w, content) // a file that broke off is shorter than its checker expects
		return
	}
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "text/plain; charset=utf-8")
	status := http.StatusServiceUnavailable
	if errors.Is(err, fault.NotFound) {
		status = http.StatusNotFound
	} else if r.Context().Err() == nil {
		p.config.Log.ErrorContext(r.Context(), "a published file was not served", "path", strconv.Quote(path), "error", err)
	}
	http.Error(w, http.StatusText(status), status)
}
