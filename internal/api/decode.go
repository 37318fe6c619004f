package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// bodyBytesMost limits a request's body; the largest valid one is far below.
const bodyBytesMost = 4 << 10

// strictBodies refuses bodies that are too large or not one JSON value, before generated code decodes
// them.
func strictBodies(logger *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if r.Method == http.MethodPost || r.Method == http.MethodPut {
			body, err := readBody(w, r)
			if err != nil {
				writeProblem(w, r, logger, err)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		next.ServeHTTP(w, r)
	})
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyBytesMost))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, fault.New(fault.Invalid, "body_too_large", "the body is larger than %d bytes", bodyBytesMost).
			Next("send JSON as openapi.yaml describes it")
	}
	if err != nil {
		return nil, fault.New(fault.Invalid, "body_malformed", "the body could not be read to its end").Next("send it again, with the same key")
	}
	if len(body) == 0 {
		return nil, nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, fault.New(fault.Invalid, "body_not_json", "the body must be application/json").
			Next("send JSON, and say so in Content-Type")
	}
	if !json.Valid(body) {
		return nil, bodyMalformed()
	}
	return body, nil
}

func bodyMalformed() *fault.Error {
	return fault.New(fault.Invalid, "body_malformed", "the body is not one JSON object").Next("send JSON as openapi.yaml describes it")
}

// refusedBody is the problem of a body that generated code could not decode.
func refusedBody(err error) error {
	if _, ours := errors.AsType[*fault.Error](err); ours {
		return err
	}
	if errors.Is(err, io.EOF) {
		return fault.New(fault.Invalid, "body_missing", "the request has no body").Next("send JSON as openapi.yaml describes it")
	}
	return bodyMalformed()
}

// field is one field of a body.
type field struct {
	name   string
	into   any
	needed bool
}

// UnmarshalJSON reads the fields that [BuyPlay] has, and refuses others.
func (b *BuyPlay) UnmarshalJSON(data []byte) error {
	return readFields(data, field{"game", &b.Game, true}, field{"stake", &b.Stake, true}, field{"seen", &b.Seen, false})
}

// UnmarshalJSON reads the fields that [Selection] has, and refuses others.
func (s *Selection) UnmarshalJSON(data []byte) error {
	var cells []*int // null is not a number
	if err := readFields(data, field{"cells", &cells, true}); err != nil {
		return err
	}
	s.Cells = make([]int, len(cells))
	for at, cell := range cells {
		if cell == nil {
			return fieldMalformed("cells")
		}
		s.Cells[at] = *cell
	}
	return nil
}

// readFields reads an object. A misspelt field must not be taken for an absent one, nor the last of
// two for the only one: money moves by what they say.
func readFields(data []byte, fields ...field) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return bodyMalformed()
	}
	seen := make(map[string]bool)
	for decoder.More() {
		token, err := decoder.Token()
		name, _ := token.(string)
		var value json.RawMessage
		if err != nil || decoder.Decode(&value) != nil {
			return bodyMalformed()
		}
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		switch {
		case at < 0:
			return fault.New(fault.Invalid, "field_unknown", "nobody reads the field %q", shortened(name)).Next("send the fields that openapi.yaml lists, spelt as there")
		case seen[name]:
			return fault.New(fault.Invalid, "field_repeated", "the field is there twice").At(name).Next("send it once")
		case string(value) == "null" || json.Unmarshal(value, fields[at].into) != nil:
			return fieldMalformed(name)
		}
		seen[name] = true
	}
	for _, f := range fields {
		if f.needed && !seen[f.name] {
			return fault.New(fault.Invalid, "field_missing", "a field is missing").At(f.name).Next("send all fields that openapi.yaml requires")
		}
	}
	return nil
}

func fieldMalformed(name string) error {
	return fault.New(fault.Invalid, "field_malformed", "the field does not hold what is expected").At(name).Next("send what openapi.yaml says")
}

// amountPattern is the pattern of Amount in openapi.yaml, without a sign. Forms that people write,
// such as 0,50 €, are for definitions.
var amountPattern = regexp.MustCompile(`^[0-9]+\.[0-9]{2,4}$`)

func parseAmount(text, place string) (money.Amount, error) {
	amount, err := money.Parse(text)
	if err != nil || !amountPattern.MatchString(text) {
		return 0, fault.New(fault.Invalid, "amount_malformed", "%q is not an amount", shortened(text)).At(place).
			Next("send a text with two to four decimals after a point, for instance \"0.50\"")
	}
	return amount, nil
}

func parsePlayID(text string) (block.PlayID, error) {
	var id block.PlayID
	if err := id.UnmarshalText([]byte(text)); err != nil || text != strings.ToLower(text) {
		return id, fault.New(fault.Invalid, "play_malformed", "%q is not a play's identifier: 32 hexadecimal digits are expected", shortened(text)).
			Next("take it from the play's id, or from the player's history")
	}
	return id, nil
}

// shortened keeps what a stranger sent from filling an answer.
func shortened(text string) string { return text[:min(len(text), 40)] }
