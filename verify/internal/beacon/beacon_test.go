package beacon

import (
	"encoding/hex"
	"testing"

	"github.com/cloudflare/circl/sign/bls"
)

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A recorded round of the public beacon "quicknet", as its documentation prints it.
const (
	quicknetKey = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
	round1000   = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
	random1000  = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
)

func TestRecordedRound(t *testing.T) {
	key, signature := unhex(t, quicknetKey), unhex(t, round1000)
	if !Verify(key, 1000, signature) {
		t.Error("the recorded round is refused")
	}
	if got := Randomness(signature).String(); got != random1000 {
		t.Errorf("randomness %s", got)
	}
	if Verify(key, 1001, signature) {
		t.Error("the signature of another round is accepted")
	}
	signature[47] ^= 1
	if Verify(key, 1000, signature) {
		t.Error("a changed signature is accepted")
	}
	if Verify(make([]byte, 96), 1000, signature) {
		t.Error("a key of zeros is accepted")
	}
}

func TestOwnKey(t *testing.T) {
	private, err := bls.KeyGen[bls.KeyG2SigG1](make([]byte, 32), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := private.PublicKey().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !Verify(key, 7, bls.Sign(private, message(7))) {
		t.Error("refused")
	}
}
