package vault_test

import (
	"bytes"
	"crypto/rand"
	"encoding"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/vault"
)

func split(t testing.TB, shares, needed int) (string, []vault.RecoveryShare) {
	t.Helper()
	recipient, parts, err := vault.SplitRecovery(rand.Reader, shares, needed)
	if err != nil {
		t.Fatal(err)
	}
	return recipient, parts
}

// Any M of N shares make the identity whose recipient was given out; M−1 do not.
func TestAnyThresholdOfSharesRecovers(t *testing.T) {
	for _, size := range []struct{ shares, needed int }{{2, 2}, {3, 2}, {5, 3}, {6, 6}} {
		recipient, parts := split(t, size.shares, size.needed)
		for chosen := range 1 << size.shares {
			var given []vault.RecoveryShare
			for at := range size.shares {
				if chosen>>at&1 == 1 {
					given = append(given, parts[size.shares-1-at])
				}
			}
			identity, err := vault.JoinRecovery(given)
			if len(given) < size.needed {
				wants(t, err, fault.Invalid, "shares_not_enough")
				continue
			}
			if err != nil {
				t.Fatalf("%d of %d, %d needed: %v", len(given), size.shares, size.needed, err)
			}
			if found := identity.(*age.X25519Identity).Recipient().String(); found != recipient {
				t.Fatalf("%s, not %s", found, recipient)
			}
		}
	}
}

func TestSharesThatDoNotFit(t *testing.T) {
	_, parts := split(t, 5, 3)
	_, others := split(t, 5, 3)
	_, err := vault.JoinRecovery([]vault.RecoveryShare{parts[0], parts[1], others[2]})
	wants(t, err, fault.Invalid, "shares_of_two_sets")
	_, err = vault.JoinRecovery([]vault.RecoveryShare{parts[0], parts[1], parts[0]})
	wants(t, err, fault.Invalid, "share_repeated")
	// A share of another set that says it is of this one, its checksum made anew.
	forged := others[2]
	forged.Recipient = parts[0].Recipient
	_, err = vault.JoinRecovery([]vault.RecoveryShare{parts[0], parts[1], forged})
	wants(t, err, fault.Invalid, "shares_wrong")
	_, err = vault.JoinRecovery([]vault.RecoveryShare{parts[0], parts[1], parts[3], forged})
	wants(t, err, fault.Invalid, "shares_wrong")
	for _, size := range []struct{ shares, needed int }{{1, 1}, {3, 1}, {2, 3}, {51, 2}, {0, 0}, {-1, -1}} {
		_, _, err := vault.SplitRecovery(rand.Reader, size.shares, size.needed)
		wants(t, err, fault.Invalid, "shares_malformed")
	}
}

// A share is a text that comes back as it was; with any byte of it changed it is refused, or it is the same share.
func TestADamagedShareIsNoticed(t *testing.T) {
	_, parts := split(t, 3, 2)
	text, err := parts[1].MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var _ encoding.TextUnmarshaler = &vault.RecoveryShare{}
	var read vault.RecoveryShare
	if err := read.UnmarshalText(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))); err != nil {
		t.Fatal(err)
	}
	if _, err := vault.JoinRecovery([]vault.RecoveryShare{parts[0], read}); err != nil {
		t.Error(err)
	}
	body := bytes.Index(text, []byte("talon vault"))
	for at := body; at < len(text)-1; at++ {
		damaged := bytes.Clone(text)
		damaged[at] ^= 0x01
		err := new(vault.RecoveryShare).UnmarshalText(damaged)
		if fault.CodeOf(err) != "share_damaged" {
			t.Fatalf("byte %d: %v\n%s", at, err, damaged)
		}
	}
	if printed := fmt.Sprintf("%v %+v %#v", read, read, read); strings.Contains(printed, "value") {
		t.Errorf("a share prints itself: %s", printed)
	}
}

// The drill: the vault's folder is lost; the backup has the encrypted files and no identity; M shares make a new vault, which opens the
// same units, and knows what was opened.
func TestRecoveryDrill(t *testing.T) {
	config := configured(t, seeded(40))
	v := opened(t, config)
	old := dealt(t, v, cataloguetest.Moons, 0)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	recipient, parts := split(t, 5, 3)
	if files, err := vault.AddRecipient(config, recipient); err != nil || files != 1 {
		t.Fatalf("%d files: %v", files, err)
	}
	v = opened(t, config)
	later := dealt(t, v, cataloguetest.Moons, 1)
	before := make([]block.Unit, 20)
	for _, deal := range []block.Deal{old, later} {
		if err := open(t, v, deal.Header, 0, custody.Batch("sold"), before); err != nil {
			t.Fatal(err)
		}
	}
	backup := snapshot(t, config)
	if err := os.Remove(filepath.Join(backup.Secrets, "identity.txt")); err != nil {
		t.Fatal(err)
	}
	identity, err := vault.JoinRecovery(parts[2:])
	if err != nil {
		t.Fatal(err)
	}
	recovered := config
	recovered.Secrets = filepath.Join(t.TempDir(), "vault")
	if files, err := vault.Rebuild(recovered, backup.Secrets, identity); err != nil || files != 2 {
		t.Fatalf("%d files: %v", files, err)
	}
	again := opened(t, recovered)
	after := make([]block.Unit, 20)
	for _, deal := range []block.Deal{old, later} {
		wants(t, open(t, again, deal.Header, 0, custody.Batch("another"), after), fault.Corrupt, "range_opened_twice")
		if err := open(t, again, deal.Header, 0, custody.Batch("sold"), after); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	dealt(t, again, cataloguetest.Moons, 0)
	// What the new vault wrote can be recovered too, by the same shares.
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	third := config
	third.Secrets = filepath.Join(t.TempDir(), "vault")
	if files, err := vault.Rebuild(third, recovered.Secrets, identity); err != nil || files != 3 {
		t.Errorf("%d files: %v", files, err)
	}
	_, err = vault.Rebuild(third, recovered.Secrets, identity)
	wants(t, err, fault.Conflict, "vault_present")
}

// The broken twin of the drill: shares of another vault, and a backup without its journal, are told.
func TestRecoveryThatCannotBe(t *testing.T) {
	config := configured(t, seeded(41))
	v := opened(t, config)
	dealt(t, v, cataloguetest.Moons, 0)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	recipient, parts := split(t, 3, 2)
	if _, err := vault.AddRecipient(config, recipient); err != nil {
		t.Fatal(err)
	}
	_, others := split(t, 3, 2)
	wrong, err := vault.JoinRecovery(others)
	if err != nil {
		t.Fatal(err)
	}
	to := config
	to.Secrets = filepath.Join(t.TempDir(), "vault")
	_, err = vault.Rebuild(to, config.Secrets, wrong)
	wants(t, err, fault.Corrupt, "secret_unreadable")
	right, err := vault.JoinRecovery(parts)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(journalOf(config)); err != nil {
		t.Fatal(err)
	}
	to.Secrets = filepath.Join(t.TempDir(), "vault")
	_, err = vault.Rebuild(to, config.Secrets, right)
	wants(t, err, fault.Corrupt, "journal_missing")
	_, err = vault.Open(to)
	wants(t, err, fault.Corrupt, "journal_missing")
	_, err = vault.AddRecipient(to, "age1nobody")
	if fault.CodeOf(err) != "recipient_malformed" {
		t.Error(err)
	}
}
