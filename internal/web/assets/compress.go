package assets

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
)

// worthwhile is the size below which compression saves nothing that a visitor would notice.
const worthwhile = 1 << 10

// compressed is a content with gzip, or nil when that saves nothing.
func compressed(content []byte, level int) []byte {
	if len(content) < worthwhile {
		return nil
	}
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, level)
	if err != nil {
		return nil // no such level: the content is sent as it is
	}
	_, _ = writer.Write(content) // a buffer takes everything
	if err := writer.Close(); err != nil || packed.Len() >= len(content) {
		return nil
	}
	return packed.Bytes()
}

// takesGzip reports whether a request accepts gzip (RFC 9110, section 12.5.3).
func takesGzip(r *http.Request) bool {
	for _, line := range r.Header.Values("Accept-Encoding") {
		for offer := range strings.SplitSeq(line, ",") {
			coding, weight, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(offer, " ", "")), ";q=")
			if coding != "gzip" {
				continue
			}
			quality, err := strconv.ParseFloat(weight, 64)
			return weight == "" || err == nil && quality > 0
		}
	}
	return false
}

// Write answers with a page, compressed where the visitor takes it. Headers other than those of the
// coding and the length are set before.
func Write(w http.ResponseWriter, r *http.Request, status int, content []byte) {
	var packed []byte
	if takesGzip(r) {
		packed = compressed(content, gzip.BestSpeed)
	}
	send(w, r, status, content, packed)
}

// send answers with a content, or with its packed form when the visitor takes that.
func send(w http.ResponseWriter, r *http.Request, status int, content, packed []byte) {
	w.Header().Add("Vary", "Accept-Encoding")
	if packed != nil && takesGzip(r) {
		w.Header().Set("Content-Encoding", "gzip")
		content = packed
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	_, _ = w.Write(content) // the visitor went away: there is nobody to tell
}
