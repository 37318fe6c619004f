package block

import (
	"fmt"
	"io"
	"sync"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/entropy"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
)

// Dealer knows every unit of one block. It holds secrets: it lives in the vault, or with whoever
// audits a block that was opened. It is safe for concurrent use and refuses to print itself.
type Dealer struct {
	header     Header
	commitment canon.Digest
	units      units
	salt       *entropy.Cipher
	layout     *entropy.Cipher
	streams    sync.Pool
}

// Format prints "[dealer]" for every verb.
func (*Dealer) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[dealer]") }

// units is what differs between blocks of units and blocks of participations.
type units interface {
	// fill sets tier, prize and layout of the unit u.Index, drawing from a stream of its own.
	fill(u *Unit, stream *entropy.Stream) error
	// tiers is the number of tiers that a deal recounts.
	tiers() int
	// check compares a recount with what was published.
	check(prizes []uint32, losing uint32) error
}

// NewDealer shuffles the prize table of a definition into a block: tier numbers in the order of the
// table, losing units last, then Fisher–Yates from the shuffle key's stream. It returns Invalid with
// code header_mismatch when header and definition are not of one game and stake, and with code
// secret_missing for the zero Secret.
func NewDealer(h Header, secret Secret, d *game.Definition, m mechanic.Mechanic) (*Dealer, error) {
	if h.Version != Version || h.Game != d.Name || h.Definition != d.Hash || h.Size != d.BlockSize ||
		h.Stake < 0 || h.Stake >= len(d.Stakes) || h.Price != d.Stakes[h.Stake].Price || len(d.Prizes.Tiers) >= losingMark {
		return nil, fault.New(fault.Invalid, "header_mismatch", "block %s is not one of %s as it is defined now", h.ID, d.Name).
			Next("deal and open a block with the definition whose hash its header names")
	}
	keys, err := derive(h, secret)
	if err != nil {
		return nil, err
	}
	dealt := &prizeUnits{definition: d, mechanic: m, stake: h.Stake, order: unshuffled(d)}
	entropy.Shuffle(entropy.NewStream(entropy.NewCipher(keys.Shuffle), 0), dealt.order)
	return newDealer(h, secret, keys, dealt), nil
}

// NewDrawDealer makes the dealer of a block of jackpot participations: each wins the pot with
// probability 1 in odds, independently (docs/divergences.md: a meter that resets never tells that the rest of a
// block is worthless).
func NewDrawDealer(h Header, secret Secret, jackpot *game.Jackpot) (*Dealer, error) {
	if h.Version != Version || h.Game != jackpot.Name || h.Definition != jackpot.Hash || h.Size != jackpot.BlockSize ||
		h.Stake != 0 || h.Price != jackpot.Price {
		return nil, fault.New(fault.Invalid, "header_mismatch", "block %s is not one of %s as it is defined now", h.ID, jackpot.Name).
			Next("deal and open a block with the definition whose hash its header names")
	}
	keys, err := derive(h, secret)
	if err != nil {
		return nil, err
	}
	return newDealer(h, secret, keys, participations{odds: jackpot.Odds}), nil
}

func derive(h Header, secret Secret) (entropy.Keys, error) {
	if secret.reveal == nil {
		return entropy.Keys{}, fault.New(fault.Invalid, "secret_missing", "block %s has no secret", h.ID)
	}
	return entropy.Derive(secret.reveal(), h.ID[:])
}

func newDealer(h Header, secret Secret, keys entropy.Keys, u units) *Dealer {
	d := &Dealer{
		header:     h,
		commitment: h.Commitment(secret),
		units:      u,
		salt:       entropy.NewCipher(keys.Salt),
		layout:     entropy.NewCipher(keys.Layout),
	}
	d.streams.New = func() any { return new(entropy.Stream) }
	return d
}

// Header is what is public of the block.
func (d *Dealer) Header() Header { return d.header }

// Unit opens one unit into u, whose layout is used again. The layout is read back: it returns
// Corrupt with code layout_not_prize when it does not show the prize, and Invalid with code
// index_outside_block beyond the block. It does not allocate once warm.
func (d *Dealer) Unit(index uint32, u *Unit) error {
	if index >= d.header.Size {
		return fault.New(fault.Invalid, "index_outside_block", "block %s has %d units, numbered from 0", d.header.ID, d.header.Size)
	}
	u.Index = index
	d.salt.Block(uint64(index), &u.Salt)
	stream := d.streams.Get().(*entropy.Stream)
	stream.Reset(d.layout, uint64(index))
	err := d.units.fill(u, stream)
	d.streams.Put(stream)
	return err
}

// losingMark is the tier number of a losing unit in the shuffled order; tiers are below it.
const losingMark = 255

// prizeUnits are the units of a game: one byte a unit, the number of its tier.
type prizeUnits struct {
	definition *game.Definition
	mechanic   mechanic.Mechanic
	stake      int
	order      []byte
}

func unshuffled(d *game.Definition) []byte {
	order := make([]byte, 0, d.BlockSize)
	for tier := range d.Prizes.Tiers {
		for range d.Prizes.Tiers[tier].Count {
			order = append(order, byte(tier))
		}
	}
	for len(order) < int(d.BlockSize) {
		order = append(order, losingMark)
	}
	return order
}

func (p *prizeUnits) fill(u *Unit, stream *entropy.Stream) error {
	u.Tier, u.Prize = mechanic.Losing, 0
	if tier := p.order[u.Index]; tier != losingMark {
		u.Tier, u.Prize = int(tier), p.definition.Prizes.Tiers[tier].Amounts[p.stake]
	}
	u.Layout = resize(u.Layout, p.mechanic.Cells())
	if err := p.mechanic.LayOut(u.Layout, u.Tier, stream); err != nil {
		return fault.New(fault.Corrupt, "layout_not_found", "a unit of %s could not be laid out", p.definition.Name).
			Next("deal no block of this definition; `talon check` shows what its mechanic finds")
	}
	// Read back: a layout that does not show its prize must never be sold.
	if read, err := p.mechanic.Prize(u.Layout); err != nil || read != u.Prize {
		return fault.New(fault.Corrupt, "layout_not_prize", "a layout of %s does not read as its prize", p.definition.Name).
			Next("deal and sell no block of this definition; report the mechanic")
	}
	return nil
}

func (p *prizeUnits) tiers() int { return len(p.definition.Prizes.Tiers) }

func (p *prizeUnits) check(prizes []uint32, losing uint32) error {
	for tier, count := range prizes {
		if count != p.definition.Prizes.Tiers[tier].Count {
			return notTheTable(p.definition.Name)
		}
		losing += count
	}
	if losing != p.definition.BlockSize {
		return notTheTable(p.definition.Name)
	}
	return nil
}

func notTheTable(name string) error {
	return fault.New(fault.Corrupt, "prizes_not_table", "a block of %s does not hold its prize table", name).
		Next("throw the block away; nothing of it was sold")
}

// participations are the units of a jackpot's block.
type participations struct{ odds uint32 }

func (p participations) fill(u *Unit, stream *entropy.Stream) error {
	u.Tier, u.Prize = mechanic.Losing, 0
	u.Layout = resize(u.Layout, 1)
	u.Layout[0] = 0
	if stream.Below(p.odds) == 0 {
		u.Layout[0] = 1
	}
	return nil
}

func (participations) tiers() int { return 0 }

// check has nothing to compare: the number of winning participations in a block is not fixed.
func (participations) check([]uint32, uint32) error { return nil }

func resize(layout []byte, cells int) []byte {
	if cap(layout) < cells {
		return make([]byte, cells)
	}
	return layout[:cells]
}
