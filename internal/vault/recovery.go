package vault

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"filippo.io/age"
	"github.com/cloudflare/circl/group"
	"github.com/cloudflare/circl/secretsharing"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

// Limits of a set of recovery shares.
const (
	RecoverySharesMost     = 50
	recoveryThresholdLeast = 2 // with one, every share would be a key by itself
	recoveryTextMost       = 4 << 10
)

// recoveryGroup is where a recovery identity is shared: its scalars are 32 bytes.
var recoveryGroup = group.Ristretto255

// RecoveryShare is one part of a recovery identity. As many as are needed rebuild it; fewer say nothing of it.
type RecoveryShare struct {
	Recipient string // the identity's recipient, which tells sets apart
	Number    int    // from 1
	Shares    int    // in the set
	Needed    int
	value     []byte
}

// Format prints which share it is, never its value.
func (s RecoveryShare) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "[recovery share %d of %d]", s.Number, s.Shares)
}

// SplitRecovery makes a recovery identity and gives its shares and its recipient; the identity itself is kept nowhere. It returns
// Invalid with code shares_malformed.
func SplitRecovery(random io.Reader, shares, needed int) (recipient string, parts []RecoveryShare, err error) {
	if shares < needed || shares > RecoverySharesMost || needed < recoveryThresholdLeast {
		return "", nil, fault.New(fault.Invalid, "shares_malformed", "of %d to %d shares, %d at least are needed, and no more than there are", recoveryThresholdLeast, RecoverySharesMost, recoveryThresholdLeast).
			Next("for instance --shares 5 --threshold 3")
	}
	scalar, err := randomScalar(random)
	if err != nil {
		return "", nil, err
	}
	identity, err := recoveryIdentity(scalar)
	if err != nil {
		return "", nil, err
	}
	recipient = identity.Recipient().String()
	for at, part := range secretsharing.New(random, uint(needed-1), scalar).Share(uint(shares)) {
		value, err := part.Value.MarshalBinary()
		if err != nil {
			return "", nil, err
		}
		parts = append(parts, RecoveryShare{Recipient: recipient, Number: at + 1, Shares: shares, Needed: needed, value: value})
	}
	return recipient, parts, nil
}

func randomScalar(random io.Reader) (group.Scalar, error) {
	var seed [64]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, fault.New(fault.Unavailable, "entropy_unavailable", "the source of randomness failed: %w", err)
	}
	return recoveryGroup.HashToScalar(seed[:], []byte(canon.TagRecovery)), nil
}

// recoveryIdentity derives an age identity from the scalar that was shared: HKDF-SHA-256 under a tag of its own.
func recoveryIdentity(scalar group.Scalar) (*age.X25519Identity, error) {
	text, err := scalar.MarshalBinary()
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, text, nil, string(canon.TagRecovery), 32)
	if err != nil {
		return nil, err
	}
	return age.ParseX25519Identity(strings.ToUpper(bech32("age-secret-key-", key)))
}

// JoinRecovery rebuilds the recovery identity of a set. Shares beyond those needed are compared too. It returns Invalid with code
// shares_not_enough, shares_of_two_sets, share_repeated, or shares_wrong when they make another identity than their own.
func JoinRecovery(parts []RecoveryShare) (age.Identity, error) {
	if len(parts) == 0 {
		return nil, notEnough(0, recoveryThresholdLeast)
	}
	first := parts[0]
	seen := map[int]bool{}
	shares := make([]secretsharing.Share, 0, len(parts))
	for _, part := range parts {
		if part.Recipient != first.Recipient || part.Needed != first.Needed || part.Shares != first.Shares {
			return nil, fault.New(fault.Invalid, "shares_of_two_sets", "share %d of %s and share %d of %s are not of one set", first.Number, first.Recipient, part.Number, part.Recipient).
				Next("give shares with one recipient only")
		}
		if seen[part.Number] {
			return nil, fault.New(fault.Invalid, "share_repeated", "share %d was given twice", part.Number).Next("give %d different shares", first.Needed)
		}
		seen[part.Number] = true
		value := recoveryGroup.NewScalar()
		if err := value.UnmarshalBinary(part.value); err != nil {
			return nil, wrongShares()
		}
		shares = append(shares, secretsharing.Share{ID: recoveryGroup.NewScalar().SetUint64(uint64(part.Number)), Value: value})
	}
	if len(shares) < first.Needed {
		return nil, notEnough(len(shares), first.Needed)
	}
	return joined(shares, first)
}

// joined interpolates from every run of as many shares as are needed, so that a wrong one among many is noticed.
func joined(shares []secretsharing.Share, first RecoveryShare) (identity *age.X25519Identity, err error) {
	for from := 0; from+first.Needed <= len(shares); from++ {
		scalar, err := secretsharing.Recover(uint(first.Needed-1), shares[from:from+first.Needed])
		if err != nil {
			return nil, wrongShares()
		}
		if identity, err = recoveryIdentity(scalar); err != nil || identity.Recipient().String() != first.Recipient {
			return nil, wrongShares()
		}
	}
	return identity, nil
}

func notEnough(have, needed int) error {
	return fault.New(fault.Invalid, "shares_not_enough", "%d shares were given and %d are needed", have, needed).
		Next("ask more of those who keep a share of this set")
}

func wrongShares() error {
	return fault.New(fault.Invalid, "shares_wrong", "the shares do not make the identity that they name").
		Next("one of them was changed together with its checksum: try others of the set")
}

// The lines of a share's file, in their order.
var shareLines = []string{"recipient", "needed", "shares", "number", "value", "checksum"}

const shareTitle = "talon vault recovery share, version 1"

// MarshalText writes the share as the file that its keeper keeps. Lines that begin with # are for the keeper.
func (s RecoveryShare) MarshalText() ([]byte, error) {
	body := s.body()
	digest := sha256.Sum256([]byte(body))
	notes := fmt.Sprintf("# Keep this file secret and apart from the others. %d of the %d shares together open every block of this vault;\n"+
		"# fewer open nothing. If it is lost or seen by anybody else, tell the operator, who makes a new set.\n", s.Needed, s.Shares)
	return []byte(notes + body + "checksum: " + hex.EncodeToString(digest[:16]) + "\n"), nil
}

func (s RecoveryShare) body() string {
	return fmt.Sprintf("%s\nrecipient: %s\nneeded: %d\nshares: %d\nnumber: %d\nvalue: %s\n", shareTitle, s.Recipient, s.Needed, s.Shares, s.Number,
		hex.EncodeToString(s.value))
}

// UnmarshalText reads a share's file. It returns Invalid with code share_damaged for anything but a file as it was written.
func (s *RecoveryShare) UnmarshalText(text []byte) error {
	damaged := fault.New(fault.Invalid, "share_damaged", "this is not a share of a recovery identity as it was written").
		Next("copy it again from where it was kept, or use another share of the set")
	if len(text) > recoveryTextMost {
		return damaged
	}
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")), "\n"), func(line string) bool { return strings.HasPrefix(line, "#") })
	if len(lines) != 1+len(shareLines) || lines[0] != shareTitle {
		return damaged
	}
	fields := map[string]string{}
	for at, name := range shareLines {
		value, ok := strings.CutPrefix(lines[1+at], name+": ")
		if !ok {
			return damaged
		}
		fields[name] = value
	}
	var read RecoveryShare
	var errs [4]error
	read.Recipient = fields["recipient"]
	read.Needed, errs[0] = strconv.Atoi(fields["needed"])
	read.Shares, errs[1] = strconv.Atoi(fields["shares"])
	read.Number, errs[2] = strconv.Atoi(fields["number"])
	read.value, errs[3] = hex.DecodeString(fields["value"])
	digest := sha256.Sum256([]byte(read.body()))
	if errs != [4]error{} || fields["checksum"] != hex.EncodeToString(digest[:16]) || read.Number < 1 || read.Number > read.Shares ||
		read.Needed < recoveryThresholdLeast || read.Needed > read.Shares || read.Shares > RecoverySharesMost {
		return damaged
	}
	*s = read
	return nil
}

// bech32 encodes bytes with a readable part and a checksum (BIP 173, without its limit of length, as age does).
func bech32(readable string, data []byte) string {
	const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	var values []byte
	bits, held := 0, uint32(0)
	for _, b := range data {
		held, bits = held<<8|uint32(b), bits+8
		for ; bits >= 5; bits -= 5 {
			values = append(values, byte(held>>(bits-5))&31)
		}
	}
	if bits > 0 {
		values = append(values, byte(held<<(5-bits))&31)
	}
	var expanded []byte
	for _, c := range []byte(readable) {
		expanded = append(expanded, c>>5)
	}
	expanded = append(expanded, 0)
	for _, c := range []byte(readable) {
		expanded = append(expanded, c&31)
	}
	sum := bech32Checksum(append(append(expanded, values...), 0, 0, 0, 0, 0, 0)) ^ 1
	for at := range 6 {
		values = append(values, byte(sum>>(5*(5-at)))&31)
	}
	text := []byte(readable + "1")
	for _, value := range values {
		text = append(text, alphabet[value])
	}
	return string(text)
}

func bech32Checksum(values []byte) uint32 {
	generator := [5]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3}
	sum := uint32(1)
	for _, value := range values {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(value)
		for at, g := range generator {
			if top>>at&1 == 1 {
				sum ^= g
			}
		}
	}
	return sum
}
