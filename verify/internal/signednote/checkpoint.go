package signednote

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/talonlottery/talon/verify/internal/notation"
)

// Checkpoint is a log's size and root at one time.
type Checkpoint struct {
	Size uint64
	Root notation.Digest
}

// Keys are what a checkpoint must be signed with.
type Keys struct {
	Operator  *Key
	Witnesses []*Key
}

// The ways in which a checkpoint is refused.
var (
	ErrSignature   = errors.New("the checkpoint is not signed by the operator's key, or for another log")
	ErrCosignature = errors.New("the checkpoint lacks the cosignature of a witness")
	ErrCheckpoint  = errors.New("this is no signed checkpoint")
)

// Open verifies a signed checkpoint.
func Open(data []byte, keys Keys) (Checkpoint, error) {
	n, err := parseNote(data)
	if err != nil {
		return Checkpoint{}, ErrCheckpoint
	}
	if !n.signedBy(keys.Operator) {
		return Checkpoint{}, ErrSignature
	}
	lines := strings.Split(n.text, "\n") // the last is empty
	if lines[0] != keys.Operator.Name {
		return Checkpoint{}, ErrSignature
	}
	checkpoint, err := parseCheckpoint(lines)
	if err != nil {
		return Checkpoint{}, err
	}
	for _, w := range keys.Witnesses {
		if !n.signedBy(w) {
			return checkpoint, ErrCosignature
		}
	}
	return checkpoint, nil
}

// parseCheckpoint reads size and root; lines after them are extensions, which are passed over.
func parseCheckpoint(lines []string) (Checkpoint, error) {
	if len(lines) < 4 {
		return Checkpoint{}, ErrCheckpoint
	}
	size, err := strconv.ParseUint(lines[1], 10, 64)
	if err != nil || size >= 1<<53 || strconv.FormatUint(size, 10) != lines[1] {
		return Checkpoint{}, ErrCheckpoint
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != len(notation.Digest{}) {
		return Checkpoint{}, ErrCheckpoint
	}
	return Checkpoint{size, notation.Digest(root)}, nil
}
