package witness_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/witness"
	"github.com/talonlottery/talon/publiclog"
)

func (s *stage) submit(t *testing.T, log *grown, size, older int64) ([]byte, error) {
	t.Helper()
	return witness.Submit(context.Background(), s.server.Client(), witness.Submission{
		URL: s.server.URL + "/", Key: s.key, Signed: log.at(t, size), Size: uint64(size), Older: uint64(older),
		Prove: func(older uint64) ([]canon.Digest, error) { return log.prove(int64(older), size) },
	})
}

func TestSubmit(t *testing.T) {
	s := newStage(t)
	log, forked := grow(t, s.log, 30, 30), grow(t, s.log, 30, 3)
	for _, step := range []struct{ size, older int64 }{
		{5, 0},   // the first
		{10, 5},  // as is known
		{20, 5},  // the witness knows more
		{25, 0},  // nothing is known
		{25, 25}, // again
		{30, 28}, // the witness knows less
	} {
		line, err := s.submit(t, log, step.size, step.older)
		if err != nil {
			t.Fatalf("%v: %v", step, err)
		}
		verifyLine(t, string(line), s.key, log.at(t, step.size))
	}
	for _, test := range []struct {
		log         *grown
		size, older int64
		code        string
	}{
		{log, 20, 0, "witness_ahead"},
		{log, 20, 30, "witness_ahead"},
		{forked, 30, 0, "split_view"},
		{forked, 30, 30, "split_view"},
		{grow(t, newSigner(t, "stranger.example", false), 3, 3), 3, 0, "witness_refused"},
		{grow(t, impostor(t), 40, 40), 40, 30, "witness_refused"},
		{grow(t, s.log, 40, 3), 40, 30, "witness_refused"},
	} {
		if line, err := s.submit(t, test.log, test.size, test.older); fault.CodeOf(err) != test.code || line != nil {
			t.Errorf("%d from %d: %q, %v, want %s", test.size, test.older, line, err, test.code)
		}
	}
}

// Witnesses that do not keep to the specification, or are not there.
func TestSubmitToBrokenWitnesses(t *testing.T) {
	s := newStage(t)
	log := grow(t, s.log, 30, 30)
	other, err := newSigner(t, "other.example", true).Cosign(log.at(t, 30), noon)
	if err != nil {
		t.Fatal(err)
	}
	older, err := newSigner(t, "witness.example/w", true).Cosign(log.at(t, 29), noon)
	if err != nil {
		t.Fatal(err)
	}
	sizes := 0
	for _, test := range []struct {
		name   string
		status int
		body   func() string
		code   string
	}{
		{"signs with another key", 200, func() string { return string(other) }, "witness_refused"},
		{"signs another tree", 200, func() string { return string(older) }, "witness_refused"},
		{"signs nothing", 200, func() string { return "" }, "witness_refused"},
		{"talks", 200, func() string { return "— hello\n\n\n— \n" }, "witness_refused"},
		{"conflict without a size", 409, func() string { return "many" }, "witness_unreachable"},
		{"a new size each time", 409, func() string { sizes++; return fmt.Sprintf("%d\n", sizes) }, "witness_refused"},
		{"is ill", 503, func() string { return "" }, "witness_unreachable"},
		{"does not want", 403, func() string { return "" }, "witness_refused"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
			answer.WriteHeader(test.status)
			_, _ = answer.Write([]byte(test.body()))
		}))
		s.server, server = server, s.server
		if line, err := s.submit(t, log, 30, 0); fault.CodeOf(err) != test.code || line != nil {
			t.Errorf("%s: %q, %v, want %s", test.name, line, err, test.code)
		}
		s.server, server = server, s.server
		server.Close()
	}
	s.server.Close()
	if _, err := s.submit(t, log, 30, 0); fault.CodeOf(err) != "witness_unreachable" {
		t.Errorf("%v", err)
	}
	_, err = witness.Submit(context.Background(), http.DefaultClient, witness.Submission{
		URL: "\x00", Key: publiclog.Key{}, Prove: func(uint64) ([]canon.Digest, error) { return nil, nil },
	})
	if fault.CodeOf(err) != "witness_address_wrong" {
		t.Errorf("%v", err)
	}
}
