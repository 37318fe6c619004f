package vault_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"filippo.io/age"
	"github.com/cloudflare/circl/sign/bls"
	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/custody"
)

// ownRecipient reads the recipient of a vault's identity from its folder.
func ownRecipient(t *testing.T, folder string) age.Recipient {
	t.Helper()
	identity, err := age.ParseX25519Identity(string(bytes.TrimSpace(read(t, filepath.Join(folder, "identity.txt")))))
	if err != nil {
		t.Fatal(err)
	}
	return identity.Recipient()
}

func contribution(t *testing.T, id block.ID, party string, first byte, to age.Recipient) (custody.Contribution, block.Share) {
	t.Helper()
	drawn, err := block.SecretFromBytes(bytes.Repeat([]byte{first}, 32))
	if err != nil {
		t.Fatal(err)
	}
	share := block.Share{Party: party, Bytes: drawn}
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, to)
	if err != nil {
		t.Fatal(err)
	}
	clear := drawn.Reveal()
	if _, err := w.Write(clear[:]); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return custody.Contribution{Party: party, Commitment: share.Commitment(id), Sealed: sealed.Bytes()}, share
}

// round is a round of a beacon of one member, for tests only.
func round(t *testing.T, number uint64) *custody.Beacon {
	t.Helper()
	private, err := bls.KeyGen[bls.KeyG2SigG1]([]byte("the key of a test's beacon, not of any network"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := private.PublicKey().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	message := sha256.Sum256(binary.BigEndian.AppendUint64(nil, number))
	return &custody.Beacon{Key: key, Round: number, Signature: bls.Sign(private, message[:])}
}

// A mixed block is dealt from the shares and the beacon, and gives them out when it ends.
func TestABlockThatNobodyChose(t *testing.T) { bothWays(t, testABlockThatNobodyChose) }

func testABlockThatNobodyChose(t *testing.T, f form) {
	config := configured(t, seeded(70))
	config.Ended = believes
	v := f.start(t, config)
	to, id := ownRecipient(t, config.Secrets), block.ID{7, 7}
	operator, operatorShare := contribution(t, id, "operator", 1, to)
	auditor, auditorShare := contribution(t, id, "auditor", 2, to)
	ceremony := custody.Ceremony{Game: cataloguetest.Moons, ID: id, Contributions: []custody.Contribution{operator, auditor}, Beacon: round(t, 12)}
	deal, err := v.DealMixed(t.Context(), ceremony, nil)
	if err != nil {
		t.Fatal(err)
	}
	randomness := sha256.Sum256(ceremony.Beacon.Signature)
	secret, err := block.MixSecret(id, []block.Share{operatorShare, auditorShare}, randomness[:])
	if err != nil {
		t.Fatal(err)
	}
	if deal.Header.ID != id || deal.Commitment != deal.Header.Commitment(secret) {
		t.Error("the block was not dealt from the shares and the beacon")
	}
	again, err := v.DealMixed(t.Context(), ceremony, nil)
	if diff := cmp.Diff(deal, again); err != nil || diff != "" {
		t.Errorf("a deal that is asked for again is another: %v %s", err, diff)
	}
	v = f.restart(t, v, config)
	released, err := v.Release(t.Context(), deal.Header, ends)
	if err != nil {
		t.Fatal(err)
	}
	if released.Secret.Reveal() != secret.Reveal() || !bytes.Equal(released.Signature, ceremony.Beacon.Signature) || len(released.Shares) != 2 {
		t.Fatal("secret, shares and signature were expected")
	}
	for at, want := range []block.Share{operatorShare, auditorShare} {
		if got := released.Shares[at]; got.Party != want.Party || got.Bytes.Reveal() != want.Bytes.Reveal() {
			t.Errorf("share %d is of %s", at, got.Party)
		}
	}
	_, err = v.DealMixed(t.Context(), ceremony, nil)
	wants(t, err, fault.Conflict, "block_known")
}

// What is not as it was published is not dealt, and leaves no secret.
func TestCeremoniesThatAreNotAsPublished(t *testing.T) {
	bothWays(t, testCeremoniesThatAreNotAsPublished)
}

func testCeremoniesThatAreNotAsPublished(t *testing.T, f form) {
	config := configured(t, seeded(71))
	v := f.start(t, config)
	to, id := ownRecipient(t, config.Secrets), block.ID{8}
	sound := func() custody.Ceremony {
		operator, _ := contribution(t, id, "operator", 1, to)
		auditor, _ := contribution(t, id, "auditor", 2, to)
		return custody.Ceremony{Game: cataloguetest.Moons, ID: id, Contributions: []custody.Contribution{operator, auditor}, Beacon: round(t, 12)}
	}
	stranger, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		spoil func(*custody.Ceremony)
		code  string
	}{
		"another share": {func(c *custody.Ceremony) {
			other, _ := contribution(t, id, "auditor", 3, to)
			c.Contributions[1].Sealed = other.Sealed
		}, "contribution_mismatch"},
		"a share of another block": {func(c *custody.Ceremony) { c.Contributions[0], _ = contribution(t, block.ID{9}, "operator", 1, to) }, "contribution_mismatch"},
		"under another name":       {func(c *custody.Ceremony) { c.Contributions[1].Party = "stranger" }, "contribution_mismatch"},
		"a share for another vault": {func(c *custody.Ceremony) {
			c.Contributions[1], _ = contribution(t, id, "auditor", 2, stranger.Recipient())
		}, "contribution_unreadable"},
		"a share that is no file":     {func(c *custody.Ceremony) { c.Contributions[1].Sealed = []byte("share") }, "contribution_unreadable"},
		"a share that is too large":   {func(c *custody.Ceremony) { c.Contributions[1].Sealed = make([]byte, custody.SealedMost+1) }, "contribution_unreadable"},
		"a party twice":               {func(c *custody.Ceremony) { c.Contributions[1] = c.Contributions[0] }, "shares_malformed"},
		"nobody":                      {func(c *custody.Ceremony) { c.Contributions = nil }, "ceremony_malformed"},
		"no identifier":               {func(c *custody.Ceremony) { c.ID = block.ID{} }, "ceremony_malformed"},
		"another round's signature":   {func(c *custody.Ceremony) { c.Beacon.Signature = round(t, 13).Signature }, "beacon_not_verified"},
		"a signature that is missing": {func(c *custody.Ceremony) { c.Beacon.Signature = nil }, "beacon_signature_malformed"},
		"another game":                {func(c *custody.Ceremony) { c.Game = "nothing" }, "game_unknown"},
	} {
		ceremony := sound()
		test.spoil(&ceremony)
		if _, err := v.DealMixed(t.Context(), ceremony, nil); fault.CodeOf(err) != test.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	if kept, _ := filepath.Glob(filepath.Join(config.Secrets, "*.age")); len(kept) > 0 {
		t.Errorf("a refused ceremony left %v", kept)
	}
	deal, err := v.DealMixed(t.Context(), sound(), nil)
	if err != nil {
		t.Fatal(err)
	}
	other := sound()
	other.Beacon = nil
	_, err = v.DealMixed(t.Context(), other, nil)
	wants(t, err, fault.Conflict, "block_known")
	if err := open(t, v, deal.Header, 0, digest(1), make([]block.Unit, 1)); err != nil {
		t.Fatal(err)
	}
	_, err = v.DealMixed(t.Context(), sound(), nil)
	wants(t, err, fault.Conflict, "block_known")
	text, err := os.ReadFile(filepath.Join(config.Secrets, id.String()+".shares.age"))
	if err != nil || bytes.Contains(text, bytes.Repeat([]byte{1}, 32)) {
		t.Errorf("shares are kept in clear: %v", err)
	}
}
