package publicationtest

import (
	"slices"
	"testing"

	"github.com/talonlottery/talon/publiclog"
)

// Twin is a publication that is broken on purpose, with the codes that a checker must find.
type Twin struct {
	Name string
	// Role is the block that is checked; "" checks the log alone.
	Role string
	// Codes are what must be found and nothing else, in the order of the alphabet: for a block, those of
	// the log too, which is checked first.
	Codes []string
	// Witness is a key whose cosignature is asked for, or "".
	Witness string
	// Pairing says that only a checker that can verify BLS signatures finds it; others say that they did
	// not look.
	Pairing bool
	// Break breaks the honest publication.
	Break func(p *Publication)

	early bool // the older checkpoint is from before what was changed
}

// earlyEntries are the definitions and emissions, which no twin changes.
const earlyEntries = 8

// Make makes the twin.
func (w *Twin) Make(t testing.TB) *Publication {
	t.Helper()
	p := Honest(t)
	w.Break(p)
	if w.early {
		p.Older = p.Checkpoint(earlyEntries)
	}
	return p
}

// Twins are all broken publications.
func Twins() []Twin {
	twins := slices.Concat(unitTwins, fileTwins, secretTwins, salesTwins, winTwins, logTwins, checkpointTwins)
	for at := range twins {
		slices.Sort(twins[at].Codes)
	}
	return twins
}

// codes is a list of codes.
func codes(list ...string) []string { return list }

// logTwins break a rule of the log, each at its end where that can be, so that one mistake is one
// finding.
var logTwins = []Twin{
	{Name: "an entry that is not canonical", Codes: codes("entry_malformed"), Break: func(p *Publication) {
		p.raw(`{"at":1767226000000, "kind":"approval","version":1}`)
	}},
	{Name: "an entry of a kind that does not exist", Codes: codes("entry_malformed"), Break: func(p *Publication) {
		p.raw(`{"at":1767226000000,"kind":"raffle","version":1}`)
	}},
	{Name: "an entry with a key too many", Codes: codes("entry_malformed"), Break: func(p *Publication) {
		p.raw(`{"at":1767226000000,"blocks":1,"emission":9,"game":"lune","kind":"emission","player":"7","stake":0,"version":1}`)
	}},
	{Name: "a seal by a definition that was never published", Codes: codes("definition_unknown"), Break: func(p *Publication) {
		seal := p.anotherSeal()
		seal.Definition[0] ^= 1
		p.append(seal)
	}},
	{Name: "a seal of an emission that was never announced", Codes: codes("emission_unknown"), Break: func(p *Publication) {
		seal := p.anotherSeal()
		seal.Emission = 99
		p.append(seal)
	}},
	{Name: "a block more than was announced", Codes: codes("emission_unknown"), Break: func(p *Publication) {
		seal := p.anotherSeal()
		seal.Position = 4
		p.append(seal)
	}},
	{Name: "a seal at another stake than its emission", Codes: codes("emission_unknown"), Break: func(p *Publication) {
		seal := p.anotherSeal()
		seal.Stake = 1
		p.append(seal)
	}},
	{Name: "a block sealed again with another root", Codes: codes("block_sealed_twice"), Break: func(p *Publication) {
		seal := p.Log[find(p, func(s publiclog.Seal) bool { return s.Block == idOf(Moons) })].(publiclog.Seal)
		seal.Root[0] ^= 1
		seal.Position = 1
		p.append(seal)
	}},
	{Name: "a block drawn twice until it pleased", Codes: codes("place_taken_twice"), Break: func(p *Publication) {
		seal := p.anotherSeal()
		seal.Position = 0
		p.append(seal)
	}},
	{Name: "a ceremony held again for a place, and nobody said why", Codes: codes("place_taken_twice"), Break: func(p *Publication) {
		p.append(publiclog.Ceremony{Block: idOf("again"), Emission: 1, Position: 1, Parties: []string{"operateur", "notaire"}})
	}},
	{Name: "a contribution without a ceremony", Codes: codes("ceremony_wrong"), Break: func(p *Publication) {
		p.append(publiclog.Contribution{Block: idOf("none"), Party: "notaire"})
	}},
	{Name: "a contribution of somebody who was not asked", Codes: codes("ceremony_wrong"), Break: func(p *Publication) {
		p.append(publiclog.Ceremony{Block: idOf("new"), Emission: 1, Position: 2, Parties: []string{"operateur"}})
		p.append(publiclog.Contribution{Block: idOf("new"), Party: "passant"})
	}},
	{Name: "a party that commits itself twice", Codes: codes("ceremony_wrong"), Break: func(p *Publication) {
		p.append(publiclog.Ceremony{Block: idOf("new"), Emission: 1, Position: 2, Parties: []string{"operateur", "notaire"}})
		p.append(publiclog.Contribution{Block: idOf("new"), Party: "notaire", Commitment: bytesOf("once")})
		p.append(publiclog.Contribution{Block: idOf("new"), Party: "notaire", Commitment: bytesOf("again")})
	}},
	{Name: "a seal that exchanges a commitment", early: true, Codes: codes("ceremony_wrong"), Break: func(p *Publication) {
		p.changeSeal(Mixed, func(seal *publiclog.Seal) {
			seal.Contributions = slices.Clone(seal.Contributions)
			seal.Contributions[0].Commitment[0] ^= 1
		})
	}},
	{Name: "a seal that forgets a party", early: true, Codes: codes("ceremony_wrong"), Break: func(p *Publication) {
		p.changeSeal(Mixed, func(seal *publiclog.Seal) { seal.Contributions = seal.Contributions[:1] })
	}},
	{Name: "a seal with another round of the beacon", early: true, Codes: codes("ceremony_wrong"), Break: func(p *Publication) {
		p.changeSeal(Mixed, func(seal *publiclog.Seal) {
			beacon := *seal.Beacon
			beacon.Round++
			seal.Beacon = &beacon
		})
	}},
	{Name: "an approval of a block that was never sealed", Codes: codes("block_unknown"), Break: func(p *Publication) {
		p.append(publiclog.Approval{Block: idOf("none"), By: allowedBy, Why: "A mistake."})
	}},
	{Name: "a block approved by whoever dealt it", early: true, Codes: codes("approval_wrong"), Break: func(p *Publication) {
		change(p, func(approval *publiclog.Approval) {
			if approval.Block == idOf(Moons) {
				approval.By = dealtBy
			}
		})
	}},
	{Name: "a block approved twice", Codes: codes("approval_wrong"), Break: func(p *Publication) {
		p.append(publiclog.Approval{Block: idOf(Moons), By: "claire", Why: "Once more."})
	}},
	{Name: "sales of a block that nobody approved", early: true, Codes: codes("sale_not_allowed"), Break: func(p *Publication) {
		at := find(p, func(a publiclog.Approval) bool { return a.Block == idOf(Moons) })
		p.Log = slices.Delete(p.Log, at, at+1)
	}},
	{Name: "sales after the withdrawal", Codes: codes("sale_not_allowed"), Break: func(p *Publication) {
		p.append(publiclog.Withdrawal{Block: idOf(Moons), Sold: 40, Root: p.salesRoot(Moons, 40), By: allowedBy, Why: "It ends."})
		p.sell(Moons, 1000)
		p.cover(Moons)
	}},
	{Name: "fewer sales than before", Codes: codes("sales_go_back"), Break: func(p *Publication) {
		p.append(publiclog.Sales{Block: idOf(Moons), Sold: 30, Root: p.salesRoot(Moons, 30)})
	}},
	{Name: "more sales than units", Codes: codes("sales_go_back"), Break: func(p *Publication) {
		p.append(publiclog.Sales{Block: idOf(Moons), Sold: 501, Root: bytesOf("any")})
	}},
	{Name: "one number of sales with two roots", Codes: codes("sales_go_back"), Break: func(p *Publication) {
		p.append(publiclog.Sales{Block: idOf(Moons), Sold: 40, Root: bytesOf("any")})
	}},
	{Name: "a block opened while it sells", Codes: codes("opened_too_early"), Break: func(p *Publication) { p.open(Moons) }},
	{Name: "a block opened twice", Codes: codes("opened_too_early"), Break: func(p *Publication) { p.open(Lune) }},
	{Name: "an entry from before", Codes: codes("time_goes_back"), Break: func(p *Publication) {
		p.now -= 600_000 + 2001
		p.emit(9, "lune", 0, 1)
	}},
}

// raw appends bytes that are no entry.
func (p *Publication) raw(text string) {
	p.Raw[len(p.Log)] = text
	p.Log = append(p.Log, nil)
}

// anotherSeal is an honest seal of a further block of the first emission.
func (p *Publication) anotherSeal() publiclog.Seal {
	seal := p.Log[find(p, func(s publiclog.Seal) bool { return s.Block == idOf(Lune) })].(publiclog.Seal)
	seal.Block, seal.Position = idOf("another"), 2
	seal.Root, seal.Commitment = bytesOf("another root"), bytesOf("another commitment")
	return seal
}
