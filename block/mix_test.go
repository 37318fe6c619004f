package block

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
)

// contributionVector is a ceremony: shares in its order, and the secret that they make. All shares are invented.
type contributionVector struct {
	ID         hexBytes      `json:"id"`
	Shares     []shareVector `json:"shares"`
	Round      uint64        `json:"round,omitempty"`     // of the beacon, with its signature
	Signature  hexBytes      `json:"signature,omitempty"` // real: round 1000 of drand's quicknet
	Randomness hexBytes      `json:"randomness"`          // empty without a beacon
	Secret     hexBytes      `json:"secret"`
}

type shareVector struct {
	Party      string   `json:"party"`
	Share      hexBytes `json:"share"`
	Commitment hexBytes `json:"commitment"`
}

// field writes var(bytes) of the specification, without package canon.
func field(b *bytes.Buffer, bytes []byte) {
	_ = binary.Write(b, binary.BigEndian, uint32(len(bytes)))
	b.Write(bytes)
}

// contributionVectors are made by a second implementation: a buffer and the platform's SHA-256.
func contributionVectors() []contributionVector {
	quicknet := hexBytes{}
	if err := quicknet.UnmarshalText([]byte("b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39")); err != nil {
		panic(err)
	}
	var made []contributionVector
	for n, parties := range [][]string{{"operator"}, {"operator", "auditor"}, {"auditor", "operator"}, {"a", "b-2", strings.Repeat("c", 40)}} {
		for _, signature := range []hexBytes{nil, quicknet} {
			id := sha256.Sum256(fmt.Appendf(nil, "invented block %d", n))
			v := contributionVector{ID: id[:16], Signature: signature, Randomness: hexBytes{}}
			if signature != nil {
				randomness := sha256.Sum256(signature)
				v.Round, v.Randomness = 1000, randomness[:]
			}
			var mix bytes.Buffer
			mix.WriteString("\x13talon/secret-mix/v1")
			field(&mix, v.ID)
			for _, party := range parties {
				share := sha256.Sum256([]byte("invented share of " + party))
				var commitment bytes.Buffer
				commitment.WriteString("\x15talon/contribution/v1")
				field(&commitment, v.ID)
				field(&commitment, []byte(party))
				field(&commitment, share[:])
				committed := sha256.Sum256(commitment.Bytes())
				v.Shares = append(v.Shares, shareVector{Party: party, Share: share[:], Commitment: committed[:]})
				field(&mix, []byte(party))
				field(&mix, share[:])
			}
			field(&mix, v.Randomness)
			secret := sha256.Sum256(mix.Bytes())
			v.Secret = secret[:]
			made = append(made, v)
		}
	}
	return made
}

func TestContributionVectors(t *testing.T) {
	for n, v := range read(t, "contributions.json", "shares, commitments and mixed secrets; all shares are invented.", contributionVectors()) {
		id, shares := ID(v.ID), sharesOf(t, v)
		for at, share := range shares {
			if commitment := share.Commitment(id); commitment != canon.Digest(v.Shares[at].Commitment) {
				t.Errorf("%d: commitment of %s is %s", n, share.Party, commitment)
			}
		}
		secret, err := MixSecret(id, shares, v.Randomness)
		if err != nil || secret.Reveal() != [32]byte(v.Secret) {
			t.Errorf("%d: %v", n, err)
		}
	}
}

func sharesOf(t *testing.T, v contributionVector) (shares []Share) {
	t.Helper()
	for _, one := range v.Shares {
		drawn, err := SecretFromBytes(one.Share)
		if err != nil {
			t.Fatal(err)
		}
		shares = append(shares, Share{Party: one.Party, Bytes: drawn})
	}
	return shares
}

// Whatever of a ceremony is otherwise gives another secret: nothing in it is without effect. The twin that joins the fields without
// their lengths would let two parties move a byte from one share to the other.
func TestEverythingIsMixed(t *testing.T) {
	v := contributionVectors()[3]
	seen := map[[32]byte]string{}
	mix := func(name string, id ID, shares []Share, randomness []byte) {
		t.Helper()
		secret, err := MixSecret(id, shares, randomness)
		if err != nil {
			t.Fatal(err)
		}
		if other, twice := seen[secret.Reveal()]; twice {
			t.Errorf("%s and %s give one secret", name, other)
		}
		seen[secret.Reveal()] = name
	}
	shares := sharesOf(t, v)
	mix("all", ID(v.ID), shares, v.Randomness)
	mix("another block", ID{1}, shares, v.Randomness)
	mix("no beacon", ID(v.ID), shares, nil)
	mix("another round", ID(v.ID), shares, make([]byte, 32))
	mix("another order", ID(v.ID), []Share{shares[1], shares[0]}, v.Randomness)
	mix("one party", ID(v.ID), shares[:1], v.Randomness)
	mix("another share", ID(v.ID), []Share{shares[0], {Party: shares[1].Party, Bytes: secretFrom(9)}}, v.Randomness)
	mix("another name", ID(v.ID), []Share{shares[0], {Party: "other", Bytes: shares[1].Bytes}}, v.Randomness)
}

func TestCeremoniesThatCannotBe(t *testing.T) {
	one := Share{Party: "operator", Bytes: secretFrom(1)}
	for name, test := range map[string]struct {
		shares     []Share
		randomness []byte
		code       string
	}{
		"no share":           {nil, nil, "shares_malformed"},
		"a party twice":      {[]Share{one, one}, nil, "shares_malformed"},
		"a party without":    {[]Share{{Party: "operator"}}, nil, "shares_malformed"},
		"too many":           {make([]Share, PartiesMost+1), nil, "shares_malformed"},
		"no name":            {[]Share{{Bytes: secretFrom(1)}}, nil, "party_malformed"},
		"a name too long":    {[]Share{{Party: strings.Repeat("c", 41), Bytes: secretFrom(1)}}, nil, "party_malformed"},
		"a name with spaces": {[]Share{{Party: "an operator", Bytes: secretFrom(1)}}, nil, "party_malformed"},
		"short randomness":   {[]Share{one}, make([]byte, 31), "randomness_malformed"},
	} {
		if secret, err := MixSecret(ID{1}, test.shares, test.randomness); fault.CodeOf(err) != test.code || secret.Reveal() != [32]byte{} {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A share prints its party and nothing else.
func TestSharesDoNotPrint(t *testing.T) {
	share, err := NewShare("auditor", bytes.NewReader(bytes.Repeat([]byte{0xAB}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		if printed := fmt.Sprintf(verb, share); printed != "auditor [secret]" {
			t.Errorf("%s prints %q", verb, printed)
		}
	}
	if _, err := NewShare("auditor", bytes.NewReader(nil)); fault.CodeOf(err) != "entropy_unavailable" {
		t.Error(err)
	}
	if _, err := NewShare("Auditor", bytes.NewReader(make([]byte, 32))); fault.CodeOf(err) != "party_malformed" {
		t.Error(err)
	}
}
