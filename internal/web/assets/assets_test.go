package assets_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/talonlottery/talon/internal/web/assets"
)

var source = fstest.MapFS{
	"static/css/a.css":   {Data: []byte("a{}")},
	"static/icons/b.svg": {Data: []byte("<svg/>")},
	"static/c.woff2":     {Data: []byte("font")},
	"static/notes.odd":   {Data: []byte("?")},
	"static/d.txt":       {Data: []byte("licence")},
	"dist/player.js":     {Data: []byte("1")},
}

func get(t *testing.T, a *assets.Assets, url string) *http.Response {
	t.Helper()
	recorder := httptest.NewRecorder()
	a.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), "GET", url, nil))
	return recorder.Result()
}

// Names leave out the folder at the root, so that what is made and what is written are served alike.
func TestFilesAreServedWithTheirType(t *testing.T) {
	a := assets.New(source)
	for name, contentType := range map[string]string{
		"css/a.css": "text/css; charset=utf-8", "icons/b.svg": "image/svg+xml", "c.woff2": "font/woff2",
		"player.js": "text/javascript; charset=utf-8", "notes.odd": "application/octet-stream", "d.txt": "text/plain; charset=utf-8",
	} {
		if !a.Has(name) || !strings.HasPrefix(a.URL(name), assets.Prefix+name+"?v=") {
			t.Errorf("%s is at %s", name, a.URL(name))
		}
		answer := get(t, a, a.URL(name))
		if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != contentType {
			t.Errorf("%s: %d %s", name, answer.StatusCode, answer.Header.Get("Content-Type"))
		}
	}
	for _, name := range []string{"", "css", "css/", "static/css/a.css", "../assets.go", "css/b.css"} {
		if answer := get(t, a, assets.Prefix+name); answer.StatusCode != http.StatusNotFound || a.Has(name) {
			t.Errorf("%q: %d", name, answer.StatusCode)
		}
	}
}

// Only what was asked for by the version of its content may be kept for ever: a page of yesterday
// that asks for the version of yesterday must not be given today's under that name for a year.
func TestOnlyTheRightVersionIsKeptForEver(t *testing.T) {
	a := assets.New(source)
	const keep = "public, max-age=31536000, immutable"
	for url, want := range map[string]string{
		a.URL("player.js"):                                       keep,
		assets.Prefix + "player.js":                              "no-cache",
		assets.Prefix + "player.js?v=":                           "no-cache",
		assets.Prefix + "player.js?v=yesterday":                  "no-cache",
		assets.Prefix + "player.js?v=" + version(a, "css/a.css"): "no-cache",
	} {
		if got := get(t, a, url).Header.Get("Cache-Control"); got != want {
			t.Errorf("%s: %q instead of %q", url, got, want)
		}
	}
}

// version is the version in the address of a file.
func version(a *assets.Assets, name string) string {
	_, version, _ := strings.Cut(a.URL(name), "?v=")
	return version
}

func TestAnotherContentHasAnotherVersion(t *testing.T) {
	versions := make(map[string]string)
	for _, content := range []string{"", "a", "b", "a ", "A"} {
		version := assets.Version([]byte(content))
		if same, ok := versions[version]; ok {
			t.Errorf("%q and %q have one version", content, same)
		}
		versions[version] = content
		if version != assets.Version([]byte(content)) || strings.ContainsAny(version, "+/=&#? ") {
			t.Errorf("the version %q is not fit for an address", version)
		}
	}
}
