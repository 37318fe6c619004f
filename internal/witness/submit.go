package witness

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/publiclog"
)

// answerBytesMost is the largest answer that is read.
const answerBytesMost = 16 << 10

// Submission is a checkpoint that a witness is asked to cosign.
type Submission struct {
	URL    string        // the witness's address; /add-checkpoint is added
	Key    publiclog.Key // the witness's key
	Signed []byte        // the signed checkpoint, other cosignatures included or not
	Size   uint64        // its number of entries
	// Older is the size that the witness is believed to have recorded; 0 asks it.
	Older uint64
	// Prove gives the proof that the tree of an older size is the beginning of this one.
	Prove func(older uint64) ([]canon.Digest, error)
}

// Submit asks a witness for its cosignature, and gives it as a line to append to the signed
// checkpoint. When the witness has recorded another size it is asked once more, with the proof from
// that size. It returns Unavailable with code witness_unreachable when it does not answer as one, Conflict with
// code witness_ahead when it has recorded a larger tree, Corrupt with code split_view when it has
// recorded another root of this size, and Refused with code witness_refused otherwise.
func Submit(ctx context.Context, client *http.Client, s Submission) ([]byte, error) {
	older := s.Older
	for try := 0; ; try++ {
		line, recorded, err := s.ask(ctx, client, older)
		if err == nil || fault.CodeOf(err) != "size_stale" {
			return line, err
		}
		switch {
		case recorded > s.Size:
			return nil, fault.New(fault.Conflict, "witness_ahead", "the witness has recorded %d entries, and this log has %d", recorded, s.Size).
				Next("if the log was restored from a backup, restore what was published since; it must not go back")
		case recorded == s.Size && older == recorded:
			return nil, fault.New(fault.Corrupt, "split_view", "the witness has recorded another root of %d entries", s.Size).
				Next("find out who else signs with the log's key")
		case try > 0:
			return nil, refused("it told one size and then another")
		}
		older = recorded
	}
}

// ask makes one request.
func (s Submission) ask(ctx context.Context, client *http.Client, older uint64) (line []byte, recorded uint64, err error) {
	if older > s.Size {
		return nil, older, fault.New(fault.Conflict, "size_stale", "the witness has a larger tree")
	}
	proof, err := s.Prove(older)
	if err != nil {
		return nil, 0, err
	}
	asked, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(s.URL, "/")+AddPath, bytes.NewReader(request(older, proof, s.Signed)))
	if err != nil {
		return nil, 0, fault.New(fault.Invalid, "witness_address_wrong", "the witness has no usable address: %w", err)
	}
	answer, err := client.Do(asked)
	if err != nil {
		return nil, 0, unreachable(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, answerBytesMost))
	if err != nil {
		return nil, 0, unreachable(err)
	}
	switch answer.StatusCode {
	case http.StatusOK:
		line, err := s.accept(body)
		return line, 0, err
	case http.StatusConflict:
		text, ended := strings.CutSuffix(string(body), "\n")
		recorded, ok := parseSize(text, ended)
		if !ok {
			return nil, 0, unreachable(fmt.Errorf("it answered %s without a size", answer.Status))
		}
		return nil, recorded, fault.New(fault.Conflict, "size_stale", "the witness has recorded %d entries", recorded)
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, http.StatusTooManyRequests:
		return nil, 0, unreachable(fmt.Errorf("it answered %s", answer.Status))
	}
	return nil, 0, refused("it answered %s", answer.Status)
}

// accept finds the line of the witness's own key in an answer and verifies it.
func (s Submission) accept(body []byte) ([]byte, error) {
	for line := range bytes.Lines(body) {
		if len(publiclog.Cosignatures(only(s.Signed, line), []publiclog.Key{s.Key})) == 1 {
			return line, nil
		}
	}
	return nil, refused("its answer has no valid line of its key")
}

// only is a note with one signature line in place of its own.
func only(signed, line []byte) []byte {
	end := bytes.LastIndex(signed, []byte("\n\n"))
	return append(bytes.Clone(signed[:end+2]), line...)
}

func unreachable(err error) error {
	return fault.New(fault.Unavailable, "witness_unreachable", "the witness does not answer: %w", err).
		Next("the log goes on without it; it is asked again with the next checkpoint")
}

func refused(format string, arguments ...any) error {
	return fault.New(fault.Refused, "witness_refused", "the witness does not sign: "+format, arguments...).
		Next("ask its operator whether it knows this log's key")
}
