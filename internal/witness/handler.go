package witness

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/publiclog"
)

const (
	// AddPath is the path of the one request that a witness answers, below its address.
	AddPath = "/add-checkpoint"
	// ProofHashesMost is the longest proof of consistency.
	ProofHashesMost = 63
	// requestBytesMost is the largest request: a checkpoint, and what stands before it.
	requestBytesMost = publiclog.CheckpointBytesMost + 4096
	// sizeType is the media type of an answer that tells the recorded size.
	sizeType = "text/x.tlog.size"
)

// ServeHTTP answers POST /add-checkpoint (C2SP tlog-witness).
func (w *Witness) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	if request.URL.Path != AddPath {
		http.Error(answer, "a witness answers "+AddPath+" only", http.StatusNotFound)
		return
	}
	if request.Method != http.MethodPost {
		answer.Header().Set("Allow", http.MethodPost)
		http.Error(answer, "send a checkpoint with POST", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, requestBytesMost))
	if err != nil {
		http.Error(answer, "the request cannot be read or is too large", http.StatusBadRequest)
		return
	}
	older, proof, signed, ok := parseRequest(body)
	if !ok {
		http.Error(answer, "the request is not: old SIZE, the proof's hashes, an empty line, a checkpoint", http.StatusBadRequest)
		return
	}
	line, err := w.Add(older, proof, signed)
	if err != nil {
		w.refuse(answer, signed, err)
		return
	}
	answer.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = answer.Write(line) // who has gone asks again
}

// refuse gives the status that C2SP tlog-witness has for an error.
func (w *Witness) refuse(answer http.ResponseWriter, signed []byte, err error) {
	status := http.StatusInternalServerError
	switch fault.CodeOf(err) {
	case "log_unknown":
		status = http.StatusNotFound
	case "checkpoint_signature_wrong":
		status = http.StatusForbidden
	case "sizes_wrong":
		status = http.StatusBadRequest
	case "consistency_not_proven":
		status = http.StatusUnprocessableEntity
	case "size_stale", "split_view":
		origin, _, _ := bytes.Cut(signed, []byte("\n"))
		newest, _ := w.Newest(string(origin))
		answer.Header().Set("Content-Type", sizeType)
		answer.WriteHeader(http.StatusConflict)
		_, _ = fmt.Fprintf(answer, "%d\n", newest.Size)
		return
	}
	if status == http.StatusInternalServerError {
		w.config.Log.Error("a checkpoint was not recorded", "error", err)
		err = errors.New("the checkpoint cannot be recorded; try again later")
	}
	http.Error(answer, err.Error(), status)
}

// parseRequest takes a request apart.
func parseRequest(body []byte) (older uint64, proof []canon.Digest, signed []byte, ok bool) {
	head, signed, ok := bytes.Cut(body, []byte("\n\n"))
	if !ok {
		return 0, nil, nil, false
	}
	lines := strings.Split(string(head), "\n")
	size, ok := strings.CutPrefix(lines[0], "old ")
	if older, ok = parseSize(size, ok); !ok || len(lines)-1 > ProofHashesMost {
		return 0, nil, nil, false
	}
	for _, line := range lines[1:] {
		hash, err := base64.StdEncoding.DecodeString(line)
		if err != nil || len(hash) != len(canon.Digest{}) || base64.StdEncoding.EncodeToString(hash) != line {
			return 0, nil, nil, false
		}
		proof = append(proof, canon.Digest(hash))
	}
	return older, proof, signed, true
}

// parseSize reads a decimal number without leading zeros.
func parseSize(text string, ok bool) (uint64, bool) {
	size, err := strconv.ParseUint(text, 10, 64)
	return size, ok && err == nil && strconv.FormatUint(size, 10) == text
}

// request puts a request together.
func request(older uint64, proof []canon.Digest, signed []byte) []byte {
	body := fmt.Appendf(nil, "old %d\n", older)
	for _, hash := range proof {
		body = append(base64.StdEncoding.AppendEncode(body, hash[:]), '\n')
	}
	return append(append(body, '\n'), signed...)
}
