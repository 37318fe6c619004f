package assets_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/talonlottery/talon/internal/web/assets"
)

var long = []byte(strings.Repeat("a line that comes again and again\n", 200))

// body reads an answer as a client would, and gives the bytes that were sent.
func body(t *testing.T, answer *http.Response) (content []byte, sent int) {
	t.Helper()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Header.Get("Content-Length") != strconv.Itoa(len(raw)) {
		t.Errorf("%d bytes are sent, %s are said", len(raw), answer.Header.Get("Content-Length"))
	}
	if answer.Header.Get("Content-Encoding") != "gzip" {
		return raw, len(raw)
	}
	reader, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	content, err = io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return content, len(raw)
}

func TestContentIsCompressedForWhoTakesIt(t *testing.T) {
	a := assets.New(fstest.MapFS{"static/a.css": {Data: long}, "static/short.css": {Data: []byte("a{}")}})
	write := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { assets.Write(w, r, http.StatusNotFound, long) })
	for offer, packed := range map[string]bool{
		"gzip": true, "gzip, deflate, br": true, "br;q=1.0, gzip;q=0.5": true, "GZIP": true, "deflate,gzip": true,
		"": false, "br": false, "identity": false, "gzip;q=0": false, "gzip; q=0.0": false, "gzip;q=x": false, "x-gzip-not": false,
	} {
		for name, handler := range map[string]http.Handler{"a file": a, "a page": write} {
			r := httptest.NewRequestWithContext(t.Context(), "GET", a.URL("a.css"), nil)
			r.Header.Set("Accept-Encoding", offer)
			recorder := httptest.NewRecorder()
			handler.ServeHTTP(recorder, r)
			answer := recorder.Result()
			content, sent := body(t, answer)
			if !bytes.Equal(content, long) || (sent < len(long)) != packed || answer.Header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s for %q: %d of %d bytes, same content: %t, Vary %q", name, offer, sent, len(long), bytes.Equal(content, long), answer.Header.Get("Vary"))
			}
			if want := map[string]int{"a file": 200, "a page": 404}[name]; answer.StatusCode != want {
				t.Errorf("%s: status %d", name, answer.StatusCode)
			}
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), "GET", a.URL("short.css"), nil)
	r.Header.Set("Accept-Encoding", "gzip")
	recorder := httptest.NewRecorder()
	a.ServeHTTP(recorder, r)
	if content, _ := body(t, recorder.Result()); string(content) != "a{}" || recorder.Header().Get("Content-Encoding") != "" {
		t.Errorf("a short file is packed: %q", content)
	}
}
