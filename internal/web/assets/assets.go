// Package assets serves embedded files under names that change with their content.
//
// Its one promise: a file that was served with its version may be kept for ever, for another content
// has another version.
package assets

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// Prefix is the path below which assets are served.
const Prefix = "/assets/"

// Assets are files that pages refer to. They are immutable and safe for concurrent use.
type Assets struct {
	files map[string]file
}

type file struct {
	content     []byte
	packed      []byte // the same with gzip, or nil
	contentType string
	version     string
}

// New reads all files below the folders at the root of a file system; a file is named without the
// folder it is in. It panics when the files cannot be read, for they are part of the program.
func New(source fs.FS) *Assets {
	a := &Assets{files: make(map[string]file)}
	err := fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		_, short, _ := strings.Cut(name, "/") // without static/ or dist/
		a.files[short] = file{
			content: content, packed: compressed(content, gzip.BestCompression),
			contentType: contentType(short), version: Version(content),
		}
		return nil
	})
	if err != nil {
		panic("assets: embedded files cannot be read: " + err.Error())
	}
	return a
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	}
	if found := mime.TypeByExtension(path.Ext(name)); found != "" {
		return found
	}
	return "application/octet-stream"
}

// Version names a content.
func Version(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

// URL is where a file is served, with its version.
func (a *Assets) URL(name string) string { return Prefix + name + "?v=" + a.files[name].version }

// Has reports whether there is a file of this name.
func (a *Assets) Has(name string) bool {
	_, found := a.files[name]
	return found
}

// ServeHTTP serves a file, compressed where that helps; a versioned one may be kept for a year.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	found, ok := a.files[strings.TrimPrefix(r.URL.Path, Prefix)]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", found.contentType)
	w.Header().Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == found.version {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	send(w, r, http.StatusOK, found.content, found.packed)
}
