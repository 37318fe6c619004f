package publish

import (
	"context"
	"errors"
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
	started := &startedWriter{ResponseWriter: w}
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
	err := p.config.Store.View(r.Context(), func(ctx context.Context, reader store.Reader) error {
		head, err := reader.LogHead(ctx)
		if err != nil {
			return err
		}
		v := &view{publisher: p, reader: reader, head: head}
		return v.write(ctx, path, started)
	})
	if err == nil || started.begun {
		return // a file that broke off is shorter than its checker expects
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

// startedWriter remembers whether anything was written.
type startedWriter struct {
	http.ResponseWriter
	begun bool
}

func (w *startedWriter) Write(bytes []byte) (int, error) {
	w.begun = true
	return w.ResponseWriter.Write(bytes)
}
