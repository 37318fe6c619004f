package demo_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/demo"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/store/sqlite"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

func newDemo(t *testing.T, folder string, random io.Reader) (*demo.Demo, *sqlite.Store) {
	s := saletest.OpenStore(t, folder)
	return demo.New(demo.Config{Store: s, Clock: func() time.Time { return saletest.Morning }, Random: random}), s
}

func source(seed byte) io.Reader { return rand.NewChaCha8([32]byte{seed}) }

func available(t *testing.T, s store.Store, id player.ID) money.Amount {
	t.Helper()
	account, err := s.Account(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return account.Available
}

// check asks the oracle whether the books agree.
func check(t *testing.T, s store.Store) {
	t.Helper()
	games := cataloguetest.New(t)
	saletest.OpenJackpots(t, s, games)
	for _, difference := range saletest.Check(t.Context(), saletest.World{Store: s, Games: games}) {
		t.Error(difference)
	}
}

func TestAVisitor(t *testing.T) {
	folder := t.TempDir()
	d, s := newDemo(t, folder, source(1))
	token, session, err := d.Visit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(token) != 43 { // 32 bytes in base64 without padding
		t.Errorf("a token of 256 bits was expected, not %q", token)
	}
	if funds := available(t, s, session.Player); funds != demo.Start {
		t.Errorf("a visitor has %s", funds)
	}
	other, otherSession, err := d.Visit(t.Context())
	if err != nil || other == token || otherSession.Player == session.Player {
		t.Errorf("two visitors are one: %v", err)
	}
	// After a restart the token still opens the same session; nothing else does.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	d, s = newDemo(t, folder, source(2))
	found, err := d.Session(t.Context(), token)
	if err != nil || found.Player != session.Player || !found.Started.Equal(saletest.Morning) {
		t.Errorf("the session was expected again: %+v %v", found, err)
	}
	for _, wrong := range []string{"", token[1:], token + "A", strings.ToLower(token), session.Player.String()} {
		if _, err := d.Session(t.Context(), wrong); !errors.Is(err, fault.Refused) || fault.CodeOf(err) != "session_required" || fault.NextOf(err) == "" {
			t.Errorf("%q opens a session: %v", wrong, err)
		}
	}
	check(t, s)
}

// A token is stored nowhere: who reads the database cannot play as somebody else.
func TestTokensAreNotStored(t *testing.T) {
	folder := t.TempDir()
	d, s := newDemo(t, folder, source(3))
	token, _, err := d.Visit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(folder, "talon.db"))
	if err != nil {
		t.Fatal(err)
	}
	secret := make([]byte, 32)
	if _, err := io.ReadFull(source(3), secret); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(content, []byte(token)) || bytes.Contains(content, secret) {
		t.Error("the token is in the database")
	}
}

func TestRefills(t *testing.T) {
	d, s := newDemo(t, t.TempDir(), source(4))
	for n, one := range []struct {
		funds  money.Amount
		refill bool
	}{{0, true}, {demo.RefillBelow - 1, true}, {demo.RefillBelow, false}, {demo.Start, false}} {
		id := saletest.Player(n)
		saletest.Update(t, s, func(ctx context.Context, tx store.Tx) error {
			if err := tx.CreatePlayer(ctx, id, saletest.Morning); err != nil || one.funds == 0 {
				return err
			}
			return saletest.Credit(ctx, tx, id, one.funds, saletest.Morning)
		})
		err := d.Refill(t.Context(), id)
		if one.refill && err != nil || !one.refill && (!errors.Is(err, fault.Refused) || fault.CodeOf(err) != "funds_left") {
			t.Errorf("a refill at %s: %v", one.funds, err)
		}
		expected := one.funds
		if one.refill {
			expected += demo.Start
		}
		if funds := available(t, s, id); funds != expected {
			t.Errorf("%s became %s", one.funds, funds)
		}
	}
	if err := d.Refill(t.Context(), player.ID{9}); !errors.Is(err, fault.NotFound) {
		t.Errorf("nobody gets more: %v", err)
	}
	check(t, s)
}

// pretending is a store in which a player has an unfinished play.
type pretending struct {
	store.Store
	account store.Account
	play    store.Play
}

func (p pretending) Update(ctx context.Context, do func(context.Context, store.Tx) error) error {
	return p.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error { return do(ctx, pretendingTx{tx, p}) })
}

type pretendingTx struct {
	store.Tx
	pretended pretending
}

func (tx pretendingTx) Account(context.Context, player.ID) (store.Account, error) {
	return tx.pretended.account, nil
}

func (tx pretendingTx) Play(context.Context, player.ID, block.PlayID) (store.Play, error) {
	return tx.pretended.play, nil
}

func (tx pretendingTx) Credit(context.Context, player.ID, money.Amount, ledger.Transaction) error {
	return nil
}

// What a refill answers does not tell whether a play that is not shown yet won.
func TestARefillTellsNoOutcome(t *testing.T) {
	for _, play := range []store.Play{
		{}, {Prize: 50 * money.Unit}, {Prize: 50 * money.Unit, PrizeDue: true},
		{Draw: &store.Draw{Won: 500 * money.Unit}}, {Draw: &store.Draw{Won: 500 * money.Unit, WonDue: true}},
	} {
		account := store.Account{Available: demo.RefillBelow - 1, Unfinished: []store.Unfinished{{}}}
		if !play.PrizeDue {
			account.Available += play.Prize
		}
		if play.Draw != nil && !play.Draw.WonDue {
			account.Available += play.Draw.Won
		}
		s := pretending{Store: saletest.OpenStore(t, t.TempDir()), account: account, play: play}
		d := demo.New(demo.Config{Store: s, Clock: func() time.Time { return saletest.Morning }, Random: source(5)})
		if err := d.Refill(t.Context(), player.ID{}); err != nil {
			t.Errorf("with a prize of %s not shown yet: %v", play.Prize, err)
		}
	}
}

func TestNoVisitorWithoutRandomness(t *testing.T) {
	for _, most := range []int64{0, 31, 47} {
		d, s := newDemo(t, t.TempDir(), io.LimitReader(source(6), most))
		if _, _, err := d.Visit(t.Context()); !errors.Is(err, fault.Unavailable) || fault.CodeOf(err) != "entropy_unavailable" {
			t.Errorf("a visitor without randomness: %v", err)
		}
		err := s.EachAccount(t.Context(), func(*store.Account) error { t.Error("a player was made"); return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
}
