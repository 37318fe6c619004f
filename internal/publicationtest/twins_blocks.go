package publicationtest

import (
	"crypto/sha256"
	"slices"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/entropy"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/publiclog"
)

// unitTwins seal units that the secret does not deal.
var unitTwins = []Twin{
	{Name: "two units swapped", Role: Lune, Codes: codes("root_wrong", "leaf_wrong"), Break: func(p *Publication) {
		p.redeal(Lune, func(units []block.Unit) {
			winner, loser := places(units)
			swapOutcomes(&units[winner], &units[loser])
		})
	}},
	{Name: "one prize missing", Role: Lune, Codes: codes("root_wrong", "leaf_wrong"), Break: func(p *Publication) {
		p.redeal(Lune, func(units []block.Unit) {
			winner, loser := places(units)
			units[winner].Tier, units[winner].Prize = mechanic.Losing, 0
			units[winner].Layout = slices.Clone(units[loser].Layout)
		})
	}},
	{Name: "one symbol changed", Role: Lune, Codes: codes("root_wrong", "leaf_wrong"), Break: func(p *Publication) {
		p.redeal(Lune, func(units []block.Unit) { units[7].Layout[0] ^= 1 })
	}},
	{Name: "a biased shuffle", Role: Winds, Codes: codes("root_wrong", "leaf_wrong"), Break: func(p *Publication) {
		p.redeal(Winds, p.Blocks[Winds].shuffleBadly)
	}},
	{Name: "unsalted leaves", Role: Lune, Codes: codes("root_wrong", "leaf_wrong"), Break: func(p *Publication) {
		p.redeal(Lune, func(units []block.Unit) {
			for at := range units {
				units[at].Salt = [16]byte{}
			}
		})
	}},
	{Name: "a participation that loses instead of winning", Role: Pot, Codes: codes("root_wrong", "leaf_wrong"), Break: func(p *Publication) {
		p.redeal(Pot, func(units []block.Unit) {
			at := slices.IndexFunc(units, func(u block.Unit) bool { return u.Wins() })
			units[at].Layout[0] = 0
		})
	}},
}

// places finds a unit that wins and one that does not.
func places(units []block.Unit) (winner, loser int) {
	return slices.IndexFunc(units, func(u block.Unit) bool { return u.Prize > 0 }),
		slices.IndexFunc(units, func(u block.Unit) bool { return u.Prize == 0 })
}

func swapOutcomes(a, b *block.Unit) {
	a.Tier, b.Tier = b.Tier, a.Tier
	a.Prize, b.Prize = b.Prize, a.Prize
	a.Layout, b.Layout = b.Layout, a.Layout
}

// shuffleBadly exchanges every place with any place, so that not all arrangements are as likely.
func (b *Block) shuffleBadly(units []block.Unit) {
	keys, err := entropy.Derive(b.Secret.Reveal(), b.Header.ID[:])
	must(err)
	var order []int
	for tier, of := range b.Game.Prizes.Tiers {
		order = append(order, slices.Repeat([]int{tier}, int(of.Count))...)
	}
	order = append(order, slices.Repeat([]int{mechanic.Losing}, int(b.Header.Size)-len(order))...)
	stream := entropy.NewStream(entropy.NewCipher(keys.Shuffle), 0)
	for i := range order {
		j := stream.Below(uint32(len(order)))
		order[i], order[j] = order[j], order[i]
	}
	layouts := entropy.NewCipher(keys.Layout)
	for at := range units {
		units[at].Tier, units[at].Prize = order[at], 0
		if order[at] != mechanic.Losing {
			units[at].Prize = b.Game.Prizes.Tiers[order[at]].Amounts[b.Header.Stake]
		}
		must(b.Mechanic.LayOut(units[at].Layout, order[at], entropy.NewStream(layouts, uint64(at))))
	}
}

// secretTwins open or make secrets as they must not be.
var secretTwins = []Twin{
	{Name: "a commitment to another secret", Role: Lune, Codes: codes("commitment_wrong"), Break: func(p *Publication) {
		p.changeSeal(Lune, func(seal *publiclog.Seal) { seal.Commitment[0] ^= 1 })
	}},
	{Name: "an opening that does not match its commitment", Role: Lune,
		Codes: codes("commitment_wrong", "root_wrong", "leaf_wrong", "sale_not_of_unit"), Break: func(p *Publication) {
			p.changeOpening(Lune, func(opening *publiclog.Opening) { opening.Secret = secretOf(bytesOf("another")) })
		}},
	{Name: "a share drawn anew once the others were known", Role: Mixed, Codes: codes("share_wrong"), Break: func(p *Publication) {
		b := p.Blocks[Mixed]
		b.Shares = slices.Clone(b.Shares)
		b.Shares[0].Share = secretOf(bytesOf("a share that pleases"))
		p.resecret(Mixed, b.mix(roundSignature(beaconRound)))
	}},
	{Name: "a share that is kept back", Role: Mixed, Codes: codes("share_wrong"), Break: func(p *Publication) {
		p.changeOpening(Mixed, func(opening *publiclog.Opening) { opening.Shares = opening.Shares[:1] })
	}},
	{Name: "a share of somebody who never committed", Role: Mixed, Codes: codes("share_wrong"), Break: func(p *Publication) {
		p.changeOpening(Mixed, func(opening *publiclog.Opening) {
			opening.Shares = append(slices.Clone(opening.Shares), publiclog.Share{Party: "passant", Share: secretOf(bytesOf("passant"))})
		})
	}},
	{Name: "another round of the beacon", Role: Mixed, Pairing: true, Codes: codes("beacon_wrong"), Break: func(p *Publication) {
		signature := roundSignature(beaconRound + 1)
		p.resecret(Mixed, p.Blocks[Mixed].mix(signature))
		p.changeOpening(Mixed, func(opening *publiclog.Opening) { opening.Signature = signature })
	}},
	{Name: "no signature of the beacon", Role: Mixed, Codes: codes("beacon_wrong"), Break: func(p *Publication) {
		p.resecret(Mixed, p.Blocks[Mixed].mix(nil))
		p.changeOpening(Mixed, func(opening *publiclog.Opening) { opening.Signature = nil })
	}},
	{Name: "a block drawn until it pleased, whatever the shares", Role: Mixed, Codes: codes("mix_wrong"), Break: func(p *Publication) {
		p.resecret(Mixed, bytesOf("a secret that pleases"))
	}},
	{Name: "a secret that is the identifier's hash", Role: Lune, Codes: codes("secret_derivable"), Break: func(p *Publication) {
		id := idOf(Lune)
		p.resecret(Lune, sha256.Sum256(id[:]))
	}},
	{Name: "a secret that is the definition's hash", Role: Lune, Codes: codes("secret_derivable"), Break: func(p *Publication) {
		p.resecret(Lune, p.Blocks[Lune].Header.Definition)
	}},
	{Name: "a secret from the identifier and the definition", Role: Lune, Codes: codes("secret_derivable"), Break: func(p *Publication) {
		header := p.Blocks[Lune].Header
		p.resecret(Lune, sha256.Sum256(append(header.ID[:], header.Definition[:]...)))
	}},
	{Name: "a secret that is an entry's hash", Role: Lune, Codes: codes("secret_derivable"), Break: func(p *Publication) {
		p.resecret(Lune, sha256.Sum256(p.Bytes(2)))
	}},
	{Name: "a secret that is an entry's leaf", Role: Lune, Codes: codes("secret_derivable"), Break: func(p *Publication) {
		p.resecret(Lune, publiclog.Leaf(p.Bytes(2)))
	}},
	{Name: "a secret from the secret of the block before", Role: Winds, Codes: codes("secret_derivable"), Break: func(p *Publication) {
		before := p.Blocks[Lune].Secret.Reveal()
		p.resecret(Winds, sha256.Sum256(before[:]))
	}},
	{Name: "a share that anybody could guess", Role: Mixed, Codes: codes("secret_derivable"), Break: func(p *Publication) {
		b := p.Blocks[Mixed]
		b.Shares = slices.Clone(b.Shares)
		b.Shares[1].Share = secretOf(b.Header.Definition)
		pledges := b.pledges()
		change(p, func(c *publiclog.Contribution) {
			if c.Party == b.Shares[1].Party {
				c.Commitment = pledges[1].Commitment
			}
		})
		p.changeSeal(Mixed, func(seal *publiclog.Seal) { seal.Contributions = pledges })
		p.resecret(Mixed, b.mix(roundSignature(beaconRound)))
	}},
}

// salesTwins sell out of order, or say that they sold what they did not.
var salesTwins = []Twin{
	{Name: "an index sold out of order", Role: Lune, Codes: codes("sale_not_of_unit"), Break: func(p *Publication) {
		sales := p.Blocks[Lune].Sales
		sales[3].Play, sales[8].Play = sales[8].Play, sales[3].Play
		p.reroot(Lune)
	}},
	{Name: "an index skipped", Role: Winds, Codes: codes("sale_not_of_unit"), Break: func(p *Publication) {
		b := p.Blocks[Winds]
		for at := 90; at < len(b.Sales); at++ {
			b.Sales[at].Play = b.Header.PlayID(&b.Units[at+1])
		}
		p.reroot(Winds)
	}},
	{Name: "a play entered late", Role: Lune, Codes: codes("sale_late"), Break: func(p *Publication) {
		p.Blocks[Lune].Sales[2].At += 3_600_000
		p.reroot(Lune)
	}},
	{Name: "a play dated back", Role: Lune, Codes: codes("sale_late"), Break: func(p *Publication) {
		p.Blocks[Lune].Sales[0].At -= 3_600_000
		p.reroot(Lune)
	}},
	{Name: "sales that are not shown", Role: Lune, Codes: codes("sales_missing"), Break: func(p *Publication) {
		p.spoil(salesFile(Lune), func(data []byte) []byte { return data[:11*24] })
	}},
	{Name: "no file of sales", Role: Lune, Codes: codes("sales_missing"), Break: func(p *Publication) { p.spoil(salesFile(Lune), removed) }},
	{Name: "sales with another root", Role: Lune, Codes: codes("sales_root_wrong"), Break: func(p *Publication) {
		change(p, func(sales *publiclog.Sales) {
			if sales.Block == idOf(Lune) && sales.Sold == 5 {
				sales.Root[0] ^= 1
			}
		})
	}},
	{Name: "a withdrawal with another root", Role: Winds, Codes: codes("sales_root_wrong"), Break: func(p *Publication) {
		change(p, func(withdrawal *publiclog.Withdrawal) { withdrawal.Root[0] ^= 1 })
		change(p, func(sales *publiclog.Sales) { // the last sales tell the same root, so that the log alone is in order
			if sales.Block == idOf(Winds) && sales.Sold == 200 {
				sales.Root[0] ^= 1
			}
		})
	}},
	{Name: "one play that buys two participations", Role: Pot, Codes: codes("sale_not_of_unit"), Break: func(p *Publication) {
		sales := p.Blocks[Pot].Sales
		sales[60].Play = sales[59].Play
		p.reroot(Pot)
	}},
	{Name: "a sale of participations with another play", Role: Pot, Codes: codes("sales_root_wrong"), Break: func(p *Publication) {
		p.Blocks[Pot].Sales[100].Play[0] ^= 1
	}},
}

// winTwins tell of other wins than there are.
var winTwins = []Twin{
	{Name: "a win that nobody was told of", Role: Pot, Codes: codes("win_missing"), Break: func(p *Publication) {
		at := find(p, func(win publiclog.JackpotWin) bool { return win.Block == idOf(Pot) })
		p.Log = slices.Delete(p.Log, at, at+1)
	}},
	{Name: "a win of a participation that loses", Role: Pot, Codes: codes("win_wrong", "win_missing"), Break: func(p *Publication) {
		p.changeFirstWin(func(win *publiclog.JackpotWin) { win.Index++ })
	}},
	{Name: "a win of too little", Role: Pot, Codes: codes("win_wrong"), Break: func(p *Publication) {
		p.changeFirstWin(func(win *publiclog.JackpotWin) { win.Amount -= 100 })
	}},
	{Name: "a win told twice", Role: Pot, Codes: codes("win_wrong"), Break: func(p *Publication) {
		at := find(p, func(win publiclog.JackpotWin) bool { return win.Block == idOf(Pot) })
		p.Log = slices.Insert(p.Log, at, p.Log[at])
	}},
}

func (p *Publication) changeFirstWin(with func(*publiclog.JackpotWin)) {
	at := find(p, func(win publiclog.JackpotWin) bool { return win.Block == idOf(Pot) })
	win := p.Log[at].(publiclog.JackpotWin)
	with(&win)
	p.Log[at] = win
}
