package publiclog

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

// CheckpointBytesMost is the largest signed checkpoint that is read.
const CheckpointBytesMost = 64 << 10

// Checkpoint says how large a log was and what its root was. It is a log's word only when it comes
// from [OpenCheckpoint].
type Checkpoint struct {
	Origin string // the name of the log's key
	Size   uint64 // entries
	Root   canon.Digest
}

// String gives the text that is signed (C2SP tlog-checkpoint): origin, size and root, a line each.
func (c Checkpoint) String() string {
	return fmt.Sprintf("%s\n%d\n%s\n", c.Origin, c.Size, base64.StdEncoding.EncodeToString(c.Root[:]))
}

// Sign gives a checkpoint as a signed note. It returns Internal with code signer_wrong when the
// signer is a witness's, or the origin is not its name.
func (s *Signer) Sign(c Checkpoint) ([]byte, error) {
	if s.key.algorithm != algorithmNote || c.Origin != s.key.name || c.Size > SizeMost {
		return nil, fault.New(fault.Internal, "signer_wrong", "the key %s does not sign for %q", s.key, c.Origin)
	}
	text := c.String()
	return append([]byte(text+"\n"), s.line(s.sign([]byte(text)))...), nil
}

// Cosign gives the signature line, with its line end, of a witness over the text of a signed note at a
// time in whole seconds (C2SP tlog-cosignature). Whoever calls it has verified the note's signature
// and its consistency, and recorded it. It returns Internal with code signer_wrong when the signer is
// a log's, and Invalid with code checkpoint_malformed when this is no note.
func (s *Signer) Cosign(signed []byte, at time.Time) ([]byte, error) {
	if s.key.algorithm != algorithmCosignature {
		return nil, fault.New(fault.Internal, "signer_wrong", "the key %s is not that of a witness", s.key)
	}
	text, ok := noteText(signed)
	if !ok || at.Unix() < 0 {
		return nil, checkpointMalformed()
	}
	stamp := binary.BigEndian.AppendUint64(nil, uint64(at.Unix()))
	return s.line(append(stamp, s.sign(cosigned(uint64(at.Unix()), text))...)), nil
}

func (s *Signer) line(signature []byte) []byte {
	encoded := binary.BigEndian.AppendUint32(nil, s.key.hash())
	encoded = append(encoded, signature...)
	return fmt.Appendf(nil, "— %s %s\n", s.key.name, base64.StdEncoding.EncodeToString(encoded))
}

// cosigned is what a witness signs.
func cosigned(at uint64, text []byte) []byte {
	return append(fmt.Appendf(nil, "cosignature/v1\ntime %d\n", at), text...)
}

// noteText is the text of a signed note, with its last line end.
func noteText(signed []byte) ([]byte, bool) {
	end := bytes.LastIndex(signed, []byte("\n\n"))
	if end < 0 || len(signed) > CheckpointBytesMost {
		return nil, false
	}
	return signed[:end+1], true
}

// verifier is a key as package note asks for it.
type verifier struct{ key Key }

func (v verifier) Name() string    { return v.key.name }
func (v verifier) KeyHash() uint32 { return v.key.hash() }

func (v verifier) Verify(message, signature []byte) bool {
	switch v.key.algorithm {
	case algorithmNote:
		return len(signature) == ed25519.SignatureSize && ed25519.Verify(v.key.public[:], message, signature)
	case algorithmCosignature:
		if len(signature) != 8+ed25519.SignatureSize {
			return false
		}
		at := binary.BigEndian.Uint64(signature)
		return at < 1<<63 && ed25519.Verify(v.key.public[:], cosigned(at, message), signature[8:])
	}
	return false
}

// OpenCheckpoint reads a signed checkpoint of the log with a key, and asks for cosignatures of a
// number of different witnesses among those that are given. Signatures of others are passed over. It
// returns Corrupt with code checkpoint_signature_wrong when this is no checkpoint that the key signed
// and whose origin is the key's name, and Corrupt with code cosignature_missing when too few of the
// witnesses signed.
func OpenCheckpoint(signed []byte, key Key, witnesses []Key, need int) (Checkpoint, error) {
	if key.algorithm != algorithmNote || len(signed) > CheckpointBytesMost {
		return Checkpoint{}, signatureWrong()
	}
	opened, err := note.Open(signed, note.VerifierList(verifier{key}))
	if err != nil {
		return Checkpoint{}, signatureWrong()
	}
	c, err := parseCheckpoint(opened.Text)
	if err != nil || c.Origin != key.name {
		return Checkpoint{}, signatureWrong()
	}
	signers := make(map[[ed25519.PublicKeySize]byte]bool)
	for _, c := range Cosignatures(signed, witnesses) {
		signers[c.Witness.public] = true // one key under two names is one witness
	}
	if len(signers) < need {
		return Checkpoint{}, fault.New(fault.Corrupt, "cosignature_missing", "%d of the witnesses signed the checkpoint, and %d are asked for", len(signers), need).
			Next("ask the operator for a checkpoint that the witnesses signed, or for an explanation")
	}
	return c, nil
}

// Cosignature is what one witness says of a checkpoint: that at this time it was the largest
// consistent tree that it had seen.
type Cosignature struct {
	Witness Key
	At      time.Time // in whole seconds, UTC
}

// Cosignatures gives the valid cosignatures of a note by witnesses that are known. Those that are not
// valid are passed over, as are keys that are no witness's.
func Cosignatures(signed []byte, witnesses []Key) []Cosignature {
	var found []Cosignature
	for _, witness := range witnesses {
		if witness.algorithm != algorithmCosignature {
			continue
		}
		opened, err := note.Open(signed, note.VerifierList(verifier{witness}))
		if err != nil || len(opened.Sigs) != 1 {
			continue
		}
		signature, err := base64.StdEncoding.DecodeString(opened.Sigs[0].Base64)
		if err == nil { // it was verified, so it has key hash, time and signature
			at := int64(binary.BigEndian.Uint64(signature[4:]))
			found = append(found, Cosignature{witness, time.Unix(at, 0).UTC()})
		}
	}
	return found
}

// parseCheckpoint reads the text of a checkpoint. Further lines are passed over (log.md, section 3).
func parseCheckpoint(text string) (Checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[len(lines)-1] != "" {
		return Checkpoint{}, checkpointMalformed()
	}
	for _, line := range lines[:len(lines)-1] {
		if line == "" {
			return Checkpoint{}, checkpointMalformed()
		}
	}
	size, err := strconv.ParseUint(lines[1], 10, 64)
	if err != nil || size > SizeMost || strconv.FormatUint(size, 10) != lines[1] {
		return Checkpoint{}, checkpointMalformed()
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != len(canon.Digest{}) || base64.StdEncoding.EncodeToString(root) != lines[2] {
		return Checkpoint{}, checkpointMalformed()
	}
	c := Checkpoint{Origin: lines[0], Size: size, Root: canon.Digest(root)}
	if size == 0 && c.Root != canon.Sum(nil) {
		return Checkpoint{}, checkpointMalformed()
	}
	return c, nil
}

// Compare compares two checkpoints of one log, of which the older was seen first; the proof is that of
// [ProveConsistency]. It returns Corrupt with code split_view when the sizes are the same and the
// roots differ, and with code log_rolled_back when the newer tree is smaller or the older is not its
// beginning. Either is proof of fraud if both were signed and the proof came from the whole log.
func Compare(older, newer Checkpoint, proof []canon.Digest) error {
	switch {
	case older.Origin != newer.Origin:
		return fault.New(fault.Invalid, "logs_differ", "the checkpoints are of two logs, %q and %q", older.Origin, newer.Origin)
	case older.Size == newer.Size && older.Root != newer.Root:
		return fault.New(fault.Corrupt, "split_view", "two logs of %d entries were signed", older.Size).
			Next("keep both signed checkpoints and show them: they are proof of fraud")
	case older.Size > newer.Size:
		return rolledBack("the log had %d entries and now has %d", older.Size, newer.Size)
	case VerifyConsistency(older.Size, older.Root, newer.Size, newer.Root, proof) != nil:
		return rolledBack("the log of %d entries is not the beginning of that of %d", older.Size, newer.Size)
	}
	return nil
}

func rolledBack(format string, arguments ...any) error {
	return fault.New(fault.Corrupt, "log_rolled_back", format, arguments...).
		Next("keep both signed checkpoints and show them: they are proof of fraud")
}

func signatureWrong() error {
	return fault.New(fault.Corrupt, "checkpoint_signature_wrong", "this is no checkpoint that the operator's key signed").
		Next("compare the key with the one that the operator published")
}

func checkpointMalformed() error {
	return fault.New(fault.Invalid, "checkpoint_malformed", "this is no checkpoint")
}
