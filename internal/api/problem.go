package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

// statuses maps the kind of a fault to its HTTP status. It is the only place that does.
var statuses = map[fault.Kind]int{
	fault.Internal:    http.StatusInternalServerError,
	fault.Invalid:     http.StatusBadRequest,
	fault.NotFound:    http.StatusNotFound,
	fault.Conflict:    http.StatusConflict,
	fault.Refused:     http.StatusForbidden,
	fault.Exhausted:   http.StatusConflict,
	fault.Corrupt:     http.StatusInternalServerError,
	fault.Unavailable: http.StatusServiceUnavailable,
}

// codeStatuses are the codes whose status a standard fixes otherwise.
var codeStatuses = map[string]int{
	"idempotency_key_missing": http.StatusBadRequest,          // draft-ietf-httpapi-idempotency-key-header, R-190
	"idempotency_key_reused":  http.StatusUnprocessableEntity, // the same
	"session_required":        http.StatusUnauthorized,
	"method_unknown":          http.StatusMethodNotAllowed,
	"body_too_large":          http.StatusRequestEntityTooLarge,
	"body_not_json":           http.StatusUnsupportedMediaType,
	"unfinished_play":         http.StatusConflict,
}

// retryAfterSeconds is what Retry-After says on 503: long enough for a batch to commit.
const retryAfterSeconds = 1

// problemOf turns an error into a problem document (RFC 9457). Faults of ours show their sentence;
// internal and corrupt ones show a reference only, and their text goes to the log.
func problemOf(ctx context.Context, logger *slog.Logger, err error) Problem {
	if fault.KindOf(err) == fault.Internal && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		err = fault.New(fault.Unavailable, "request_ended", "the request ended before it was answered").
			Next("ask again, with the same key")
	}
	kind, code := fault.KindOf(err), fault.CodeOf(err)
	status, ok := codeStatuses[code]
	if !ok {
		status = statuses[kind]
	}
	problem := Problem{Type: "/problems/" + code, Status: status, Code: code}
	if kind == fault.Internal || kind == fault.Corrupt {
		reference := canon.Hash(canon.TagRequest, []byte(err.Error())).String()[:12]
		logger.ErrorContext(ctx, "a request failed", "reference", reference, "code", code, "error", err)
		problem.Title = "Something went wrong on our side; nothing was half done."
		problem.Reference = &reference
		return problem
	}
	if found, ok := errors.AsType[*fault.Error](err); ok {
		problem.Title = sentence(found.Message())
	}
	if next := fault.NextOf(err); next != "" {
		next = sentence(next)
		problem.Next = &next
	}
	if unfinished, ok := errors.AsType[*unfinishedError](err); ok {
		play := unfinished.play.String()
		problem.Play = &play
	}
	if place := fault.PlaceOf(err); place != "" {
		problem.Detail = &place
	}
	return problem
}

func sentence(text string) string {
	if text == "" {
		return text
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// writeProblem answers a request with the problem of an error.
func writeProblem(w http.ResponseWriter, r *http.Request, logger *slog.Logger, err error) {
	problem := problemOf(r.Context(), logger, err)
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	if problem.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfterSeconds))
	}
	w.WriteHeader(problem.Status)
	_ = json.NewEncoder(w).Encode(problem) // the client went away: there is nobody to tell
}
