package beacon_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/cloudflare/circl/sign/bls"

	"github.com/talonlottery/talon/beacon"
	"github.com/talonlottery/talon/fault"
)

func bytesOf(t testing.TB, text string) []byte {
	t.Helper()
	decoded, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// quicknet is a round of drand's network of that name, as its servers publish it.
var quicknet = struct {
	key, signature, randomness string
	round                      uint64
}{
	key: "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb" +
		"5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
	round:      1000,
	signature:  "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
	randomness: "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
}

func TestARecordedRound(t *testing.T) {
	randomness, err := beacon.Verify(bytesOf(t, quicknet.key), quicknet.round, bytesOf(t, quicknet.signature))
	if err != nil || hex.EncodeToString(randomness[:]) != quicknet.randomness {
		t.Fatalf("%x %v", randomness, err)
	}
}

// testBeacon is a beacon of one member, for tests only: its key is drawn from a seed that is written here.
func testBeacon(t testing.TB) (key []byte, sign func(round uint64) []byte) {
	t.Helper()
	private, err := bls.KeyGen[bls.KeyG2SigG1]([]byte("the key of a test's beacon, not of any network"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err = private.PublicKey().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return key, func(round uint64) []byte {
		message := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
		return bls.Sign(private, message[:])
	}
}

func TestATestBeaconsRounds(t *testing.T) {
	key, sign := testBeacon(t)
	for _, round := range []uint64{1, 2, 1 << 40} {
		signature := sign(round)
		randomness, err := beacon.Verify(key, round, signature)
		if err != nil || randomness != sha256.Sum256(signature) {
			t.Errorf("round %d: %v", round, err)
		}
	}
}

func TestWhatIsNotTheRoundIsRefused(t *testing.T) {
	key, signature := bytesOf(t, quicknet.key), bytesOf(t, quicknet.signature)
	other, sign := testBeacon(t)
	changed := func(text []byte, at int) []byte {
		text = bytes.Clone(text)
		text[at] ^= 1
		return text
	}
	infinity := func(size int) []byte { return append([]byte{0xc0}, make([]byte, size-1)...) }
	for name, test := range map[string]struct {
		key       []byte
		round     uint64
		signature []byte
		code      string
	}{
		"another key":                {other, 1000, signature, "beacon_not_verified"},
		"another round":              {key, 1001, signature, "beacon_not_verified"},
		"round 0":                    {key, 0, signature, "beacon_round_malformed"},
		"another beacon's signature": {key, 1000, sign(1000), "beacon_not_verified"},
		"a changed signature":        {key, 1000, changed(signature, 47), "beacon_not_verified"},
		"the point at infinity":      {key, 1000, infinity(48), "beacon_not_verified"},
		"a short signature":          {key, 1000, signature[:47], "beacon_signature_malformed"},
		"a long signature":           {key, 1000, append(bytes.Clone(signature), 0), "beacon_signature_malformed"},
		"no signature":               {key, 1000, nil, "beacon_signature_malformed"},
		"a changed key":              {changed(key, 95), 1000, signature, "beacon_key_malformed"},
		"a key at infinity":          {infinity(96), 1000, infinity(48), "beacon_key_malformed"},
		"a short key":                {key[:95], 1000, signature, "beacon_key_malformed"},
		"a key on the other group":   {signature, 1000, signature, "beacon_key_malformed"},
	} {
		if randomness, err := beacon.Verify(test.key, test.round, test.signature); fault.CodeOf(err) != test.code || randomness != [32]byte{} {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzVerify(f *testing.F) {
	f.Add(bytesOf(f, quicknet.key), quicknet.round, bytesOf(f, quicknet.signature))
	f.Fuzz(func(t *testing.T, key []byte, round uint64, signature []byte) {
		if randomness, err := beacon.Verify(key, round, signature); (err == nil) != (randomness != [32]byte{}) {
			t.Errorf("%x %v", randomness, err)
		}
	})
}
