// Package source reads the files of a publication from a folder or over HTTP.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"
)

// Source has files by their path below it, with slashes.
type Source interface {
	// Open opens a file. A file that is not there is fs.ErrNotExist; any other error says that the source cannot be used.
	Open(ctx context.Context, path string) (io.ReadCloser, error)
}

// New makes a source of a folder, or of an address that begins with http:// or https://.
func New(where string) (Source, error) {
	if strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://") {
		return web{strings.TrimSuffix(where, "/"), &http.Client{Timeout: fileTime}}, nil
	}
	info, err := os.Stat(where)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", where)
	}
	return Files(os.DirFS(where)), nil
}

// Files makes a source of a file system.
func Files(files fs.FS) Source { return folder{files} }

// fileTime is how long one file over HTTP may take.
const fileTime = 10 * time.Minute

type folder struct{ files fs.FS }

func (f folder) Open(_ context.Context, path string) (io.ReadCloser, error) {
	return f.files.Open(path)
}

type web struct {
	address string
	client  *http.Client
}

func (w web) Open(ctx context.Context, path string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.address+"/"+path, nil)
	if err != nil {
		return nil, err
	}
	response, err := w.client.Do(request)
	if err != nil {
		return nil, err
	}
	switch response.StatusCode {
	case http.StatusOK:
		return response.Body, nil
	case http.StatusNotFound, http.StatusGone:
		err = fs.ErrNotExist
	default:
		err = errors.New(response.Status)
	}
	response.Body.Close()
	return nil, fmt.Errorf("%s: %w", path, err)
}

// Below is the part of a source below a folder.
func Below(s Source, folder string) Source { return below{s, folder + "/"} }

type below struct {
	source Source
	prefix string
}

func (b below) Open(ctx context.Context, path string) (io.ReadCloser, error) {
	return b.source.Open(ctx, b.prefix+path)
}

// ErrTooLarge says that a file has more bytes than one of its kind may have.
var ErrTooLarge = errors.New("the file is too large")

// ReadAll reads a whole file of at most limit bytes.
func ReadAll(ctx context.Context, s Source, path string, limit int64) ([]byte, error) {
	file, err := s.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: %w", path, ErrTooLarge)
	}
	return data, nil
}
