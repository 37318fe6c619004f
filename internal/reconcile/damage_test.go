package reconcile_test

import (
	"slices"

	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/ledger"
	"github.com/talonlottery/talon/money"
)

// find gives the first play for which a condition holds, from the middle of the journal on.
func (w *world) find(holds func(p *store.Play) bool) *store.Play {
	for at := range w.plays {
		if p := &w.plays[(at+len(w.plays)/2)%len(w.plays)]; holds(p) {
			return p
		}
	}
	panic("no such play in the world")
}

func (w *world) any(kind ledger.Kind) *store.LedgerRecord { return w.anyWith(kind) }

func (w *world) anyWith(kind ledger.Kind, accounts ...ledger.Account) *store.LedgerRecord {
	for at := range w.records {
		r := &w.records[(at+len(w.records)/2)%len(w.records)]
		lacks := func(account ledger.Account) bool { return indexOf(r, account) < 0 }
		if r.Kind == kind && !slices.ContainsFunc(accounts, lacks) {
			return r
		}
	}
	panic("no such transaction in the world")
}

func (w *world) remove(p *store.Play) {
	w.plays = slices.DeleteFunc(w.plays, func(other store.Play) bool { return other.Number == p.Number })
}

func (w *world) account(p *store.Play) *store.Account {
	for at := range w.accounts {
		if w.accounts[at].ID == p.Player {
			return &w.accounts[at]
		}
	}
	panic("no such player in the world")
}

// last is the newest play of a player, after which its funds can be changed without a trace in others.
func (w *world) lastOf(holds func(p *store.Play) bool) *store.Play {
	for at := range w.plays {
		p := &w.plays[len(w.plays)-1-at]
		last := !slices.ContainsFunc(w.plays[len(w.plays)-at:], func(later store.Play) bool { return later.Player == p.Player })
		if last && holds(p) {
			return p
		}
	}
	panic("no such play in the world")
}

func anyPlay(*store.Play) bool   { return true }
func wins(p *store.Play) bool    { return p.Prize > 0 && !p.PrizeDue }
func loses(p *store.Play) bool   { return p.Prize == 0 && p.Draw == nil }
func due(p *store.Play) bool     { return p.PrizeDue }
func chosen(p *store.Play) bool  { return p.Choice != nil }
func draws(p *store.Play) bool   { return p.Draw != nil && p.Draw.Won == 0 }
func winsPot(p *store.Play) bool { return p.Draw != nil && p.Draw.Won > 0 }

func (w *world) drop(r *store.LedgerRecord) {
	number := r.Number
	w.records = slices.DeleteFunc(w.records, func(other store.LedgerRecord) bool { return other.Number == number })
}

func (w *world) again(r *store.LedgerRecord) {
	doubled := *r
	doubled.Number = int64(len(w.records) + 1)
	w.records = append(w.records, doubled)
}

// shift moves money from one posting of a transaction to another, so that it still balances.
func (w *world) shift(kind ledger.Kind, from, to ledger.Account, amount money.Amount) {
	move(w.anyWith(kind, from, to), from, to, amount)
}

func move(r *store.LedgerRecord, from, to ledger.Account, amount money.Amount) {
	r.Postings[indexOf(r, from)].Amount -= amount
	r.Postings[indexOf(r, to)].Amount += amount
}

func indexOf(r *store.LedgerRecord, account ledger.Account) int {
	return slices.IndexFunc(r.Postings, func(p ledger.Posting) bool { return p.Account == account })
}
