package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestAuditOverHTTP audits the small publication from a server, as anybody can; what the server does
// not have, or fails to give, is told as such.
func TestAuditOverHTTP(t *testing.T) {
	const vectors = "../../testdata/vectors/"
	fails := ""
	files := http.StripPrefix("/public", http.FileServer(http.Dir(vectors+"publication")))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fails != "" && strings.HasSuffix(r.URL.Path, fails) {
			http.Error(w, "out of order", http.StatusServiceUnavailable)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	audit := func(place string) (int, string) {
		var out, log bytes.Buffer
		code := run(t.Context(), []string{"audit", "block", place, "--key", vectors + "publication.key"}, streams{out: &out, log: &log})
		return code, out.String() + log.String()
	}
	if code, said := audit(server.URL + "/public/"); code != exitDone || strings.Count(said, "Everything is what was sealed") != 4 {
		t.Errorf("exit code %d: %s", code, said)
	}
	if code, said := audit(server.URL + "/elsewhere"); code != exitBadInput || !strings.Contains(said, "no publication here") {
		t.Errorf("no publication: exit code %d: %s", code, said)
	}
	fails = ".tiles"
	if code, said := audit(server.URL + "/public"); code != exitFound || !strings.Contains(said, "503") || !strings.Contains(said, "tiles_missing") {
		t.Errorf("a server that fails: exit code %d: %s", code, said)
	}
}
