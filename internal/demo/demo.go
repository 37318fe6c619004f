// Package demo gives visitors of a demonstration a player of their own, with play money.
//
// Its one promise: play money is only ever created here, by a ledger transaction that says so; it is
// never deposited and never withdrawn.
package demo

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"time"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

// Start is the play money of a new visitor, and what a refill brings.
const Start = 100 * money.Unit

// RefillBelow is the balance below which a visitor may have more play money.
const RefillBelow = 20 * money.Unit

// Config is what a [Demo] is made of. All fields are needed.
type Config struct {
	Store  store.Store
	Clock  func() time.Time
	Random io.Reader // fit for secrets: it makes session tokens
}

// Demo registers visitors. It is safe for concurrent use.
type Demo struct{ config Config }

// New makes a demo.
func New(config Config) *Demo { return &Demo{config} }

// Session finds the session of a token. It returns Refused with code session_required for a token
// that belongs to none, an empty one included.
func (d *Demo) Session(ctx context.Context, token string) (store.Session, error) {
	session, err := d.config.Store.Session(ctx, digest(token))
	if errors.Is(err, fault.NotFound) {
		return session, fault.New(fault.Refused, "session_required", "the request belongs to no session").
			Next("open the lobby once: it makes a player with play money")
	}
	return session, err
}

// Visit makes a new player with play money, and a session for it; it returns the session's token,
// which is stored nowhere.
func (d *Demo) Visit(ctx context.Context) (token string, session store.Session, err error) {
	var secret [32]byte
	if _, err := io.ReadFull(d.config.Random, secret[:]); err != nil {
		return "", session, entropyUnavailable(err)
	}
	token = base64.RawURLEncoding.EncodeToString(secret[:])
	session = store.Session{Digest: digest(token), Started: d.config.Clock()}
	if _, err := io.ReadFull(d.config.Random, session.Player[:]); err != nil {
		return "", session, entropyUnavailable(err)
	}
	err = d.config.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		if err := tx.CreatePlayer(ctx, session.Player, session.Started); err != nil {
			return err
		}
		if err := d.give(ctx, tx, session.Player); err != nil {
			return err
		}
		return tx.CreateSession(ctx, session)
	})
	return token, session, err
}

// Refill gives more play money. It returns Refused with code funds_left while the player has
// [RefillBelow] or more, as far as screens show: the answer tells no outcome.
func (d *Demo) Refill(ctx context.Context, id player.ID) error {
	return d.config.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		shown, err := store.ShownFunds(ctx, tx, id)
		if err != nil {
			return err
		}
		if shown >= RefillBelow {
			return fault.New(fault.Refused, "funds_left", "play money is given again below %s", RefillBelow).
				Next("play on with what is left")
		}
		return d.give(ctx, tx, id)
	})
}

func (d *Demo) give(ctx context.Context, tx store.Tx, id player.ID) error {
	entry, err := ledger.New(ledger.PlayMoney, id.String(), d.config.Clock(),
		ledger.Posting{Account: ledger.PlayMoneySource, Amount: Start},
		ledger.Posting{Account: ledger.PlayerFunds, Amount: -Start})
	if err != nil {
		return err
	}
	return tx.Credit(ctx, id, Start, entry)
}

func digest(token string) canon.Digest { return canon.Hash(canon.TagSession, []byte(token)) }

func entropyUnavailable(err error) error {
	return fault.New(fault.Unavailable, "entropy_unavailable", "the source of randomness failed: %w", err)
}
