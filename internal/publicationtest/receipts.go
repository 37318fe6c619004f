package publicationtest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/publiclog"
	"github.com/talonlottery/talon/receipt"
)

// ReceiptCase is a receipt of the honest publication, or one that is broken on purpose.
type ReceiptCase struct {
	Name    string
	Outcome string // complete, provisional or refused
	Code    string // of the step that fails, or ""
	Witness string // a key whose cosignature is asked for, or ""
	Text    []byte
}

// Receipts are receipts of the honest publication and their twins.
func Receipts(p *Publication) []ReceiptCase {
	plain := func() *receipt.Receipt { return p.Receipt(Lune, 7) }
	with := func() *receipt.Receipt { return p.Receipt(Winds, p.losing()) }
	won := func() *receipt.Receipt { return p.Receipt(Winds, p.winning()) }
	cases := []ReceiptCase{
		good("complete", plain()),
		good("complete, cosigned", plain()),
		good("complete, with a participation", with()),
		good("complete, with a participation that won", won()),
		later("provisional: no entry covers the sale", plain(), func(r *receipt.Receipt) { r.Unit.Sales = nil }),
		later("provisional: no entry covers the participation's sale", with(), func(r *receipt.Receipt) { r.Participation.Sales = nil }),
		later("provisional: no entry tells of the win", won(), func(r *receipt.Receipt) { r.Win = nil }),
		bad("an older format", "receipt_malformed", plain(), nil, "talon-receipt/1", "talon-receipt/0"),
		bad("another key", "receipt_malformed", plain(), nil, `"at":`, `"player": 7, "at":`),
		bad("a key missing", "receipt_malformed", plain(), nil, `"salt":`, `"salz":`),
		bad("a key twice", "receipt_malformed", plain(), nil, `"at":`, `"at": 1, "at":`),
		bad("digits in upper case", "receipt_malformed", plain(), nil, `"layout": "`, `"layout": "AA`),
		bad("a number below zero", "receipt_malformed", plain(), nil, `"index": 7`, `"index": -7`),
		bad("a number with a fraction", "receipt_malformed", plain(), nil, `"index": 7`, `"index": 7.5`),
		bad("text after the end", "receipt_malformed", plain(), nil, "\n}\n", "\n}\n{}"),
		bad("a participation with a prize", "receipt_malformed", with(), func(r *receipt.Receipt) { r.Participation.Prize = 10_000 }),
		bad("a checkpoint of somebody else", "checkpoint_signature_wrong", plain(), p.usurped),
		bad("a checkpoint without a signature", "checkpoint_signature_wrong", plain(), func(r *receipt.Receipt) {
			r.Checkpoint, _, _ = strings.Cut(r.Checkpoint, "—")
		}),
		bad("a seal that the log does not have", "seal_not_in_log", plain(), func(r *receipt.Receipt) {
			r.Unit.Seal.Entry = strings.Replace(r.Unit.Seal.Entry, `"position":0`, `"position":1`, 1)
		}),
		bad("a seal at another place of the log", "seal_not_in_log", plain(), func(r *receipt.Receipt) { r.Unit.Seal.Index++ }),
		bad("a seal with another path", "seal_not_in_log", plain(), func(r *receipt.Receipt) { r.Unit.Seal.Path[0][0] ^= 1 }),
		bad("an approval instead of a seal", "seal_not_in_log", plain(), func(r *receipt.Receipt) {
			r.Unit.Seal = p.logged(find(p, func(a publiclog.Approval) bool { return a.Block == idOf(Lune) }))
		}),
		bad("another prize", "inclusion_not_proven", plain(), func(r *receipt.Receipt) { r.Unit.Prize += 10_000 }),
		bad("another symbol", "inclusion_not_proven", plain(), func(r *receipt.Receipt) { r.Unit.Layout[0] ^= 1 }),
		bad("another salt", "inclusion_not_proven", plain(), func(r *receipt.Receipt) { r.Unit.Salt[0] ^= 1 }),
		bad("another index", "inclusion_not_proven", plain(), func(r *receipt.Receipt) { r.Unit.Index++ }),
		bad("an index outside the block", "inclusion_not_proven", plain(), func(r *receipt.Receipt) { r.Unit.Index = 12 }),
		bad("an index beyond any block", "inclusion_not_proven", plain(), func(r *receipt.Receipt) { r.Unit.Index = 1<<32 + 7 }),
		bad("a path too short", "inclusion_not_proven", plain(), func(r *receipt.Receipt) { r.Unit.Path = r.Unit.Path[1:] }),
		bad("a path too long", "inclusion_not_proven", plain(), func(r *receipt.Receipt) { r.Unit.Path = append(r.Unit.Path, canon.Digest{}) }),
		bad("a receipt of another block", "inclusion_not_proven", plain(), func(r *receipt.Receipt) {
			r.Unit.Seal = p.logged(find(p, func(s publiclog.Seal) bool { return s.Block == idOf(Mixed) }))
		}),
		bad("the play of another unit", "play_wrong", plain(), func(r *receipt.Receipt) { r.Play = p.Blocks[Lune].Sales[8].Play }),
		bad("sales that the log does not have", "sale_not_in_log", plain(), func(r *receipt.Receipt) {
			r.Unit.Sales.Entry = strings.Replace(r.Unit.Sales.Entry, `"sold":12`, `"sold":11`, 1)
		}),
		bad("the sales of another block", "sale_not_in_log", plain(), func(r *receipt.Receipt) { r.Unit.Sales = p.part(Mixed, 7).Sales }),
		bad("sold at another time", "sale_not_proven", plain(), func(r *receipt.Receipt) { r.At++ }),
		bad("another path of the sale", "sale_not_proven", plain(), func(r *receipt.Receipt) { r.Unit.Sales.Path[0][0] ^= 1 }),
		bad("sales that do not reach the unit", "sale_not_proven", plain(), func(r *receipt.Receipt) { r.Unit.Sales = p.part(Lune, 3).Sales }),
		bad("a participation that loses told as one that wins", "inclusion_not_proven", with(), func(r *receipt.Receipt) { r.Participation.Layout[0] = 1 }),
		bad("a participation of another play", "sale_not_proven", with(), func(r *receipt.Receipt) {
			other := p.part(Pot, uint32(r.Participation.Index+1))
			r.Participation = &other
		}),
		bad("a win of another participation", "win_wrong", won(), func(r *receipt.Receipt) {
			win := p.logged(find(p, func(w publiclog.JackpotWin) bool { return uint64(w.Index) != r.Participation.Index }))
			r.Win = &win
		}),
		bad("a win that the log does not have", "win_wrong", won(), func(r *receipt.Receipt) {
			r.Win.Entry = strings.Replace(r.Win.Entry, `"since":`, `"since":1`, 1)
		}),
		bad("a win of a participation that loses", "win_wrong", with(), func(r *receipt.Receipt) { r.Win = won().Win }),
		bad("a win without a participation", "win_wrong", plain(), func(r *receipt.Receipt) { r.Win = won().Win }),
		bad("a unit told again as its participation", "price_wrong", p.Receipt(Lune, p.losingLune()), func(r *receipt.Receipt) {
			part := r.Unit
			r.Participation = &part
		}),
	}
	cases[1].Witness = p.Witness.Key().String()
	stranger := bad("a witness that did not cosign", "cosignature_missing", plain(), nil)
	stranger.Witness = Stranger()
	return append(cases, stranger)
}

func good(name string, r *receipt.Receipt) ReceiptCase {
	return ReceiptCase{Name: name, Outcome: string(receipt.Complete), Text: r.Encode()}
}

func later(name string, r *receipt.Receipt, with func(*receipt.Receipt)) ReceiptCase {
	with(r)
	return ReceiptCase{Name: name, Outcome: string(receipt.Provisional), Text: r.Encode()}
}

// bad breaks a receipt, and then its text.
func bad(name, code string, r *receipt.Receipt, with func(*receipt.Receipt), replace ...string) ReceiptCase {
	if with != nil {
		with(r)
	}
	text := r.Encode()
	if len(replace) == 2 {
		if !bytes.Contains(text, []byte(replace[0])) {
			panic("publicationtest: the receipt has no " + replace[0])
		}
		text = bytes.Replace(text, []byte(replace[0]), []byte(replace[1]), 1)
	}
	return ReceiptCase{Name: name, Outcome: string(receipt.Refused), Code: code, Text: text}
}

// usurped signs the checkpoint with another key of the same name.
func (p *Publication) usurped(r *receipt.Receipt) {
	other := *p
	other.Signer = signerOf("usurper", logKey)
	r.Checkpoint = string(bytes.ReplaceAll(other.Checkpoint(len(p.Log)), []byte("usurper"), []byte("log")))
}

// winning is a unit of the winds whose participation won the pot; losing is one whose did not.
func (p *Publication) winning() uint32 { return p.participated(true) }
func (p *Publication) losing() uint32  { return p.participated(false) }

func (p *Publication) participated(wins bool) uint32 {
	units := p.Blocks[Pot].Units
	for at := range p.Blocks[Pot].Sales {
		if units[at].Wins() == wins {
			return uint32(at) // both are sold in order from their first on
		}
	}
	panic("publicationtest: there is no such participation")
}

func (p *Publication) losingLune() uint32 {
	b := p.Blocks[Lune]
	return uint32(slices.IndexFunc(b.Sales, func(s Sale) bool {
		for at := range b.Units {
			if b.Header.PlayID(&b.Units[at]) == s.Play {
				return b.Units[at].Prize == 0
			}
		}
		return false
	}))
}
