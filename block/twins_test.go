package block

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/entropy"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/money"
)

// The broken twins of this file are what the design must not be. Each is caught by the check that
// guards the real thing.

// sealed deals an invented block and keeps its tiles.
func sealed(t *testing.T) (*Dealer, Deal, *Tiles) {
	t.Helper()
	d := invented(300, 1, 9, 77)
	dealer := dealerOf(t, d, spot{d})
	var file bytes.Buffer
	deal, err := dealer.Deal(t.Context(), &file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return dealer, deal, NewTiles(bytes.NewReader(file.Bytes()), 300)
}

// TestSealHoldsEveryUnitInItsPlace changes a unit after the block was sealed: another unit in its
// place, another symbol, another prize, another salt. The seal tells each time.
func TestSealHoldsEveryUnitInItsPlace(t *testing.T) {
	dealer, deal, tiles := sealed(t)
	var winner, other uint32
	for index := range deal.Header.Size {
		if u := unitOf(t, dealer, index); u.Tier == 0 {
			winner = index
			other = (index + 150) % deal.Header.Size
		}
	}
	path, err := tiles.Prove(winner)
	if err != nil {
		t.Fatal(err)
	}
	check := func(u Unit) error {
		return VerifyInclusion(deal.Root, deal.Header.Size, winner, deal.Header.Leaf(&u), path)
	}
	if err := check(unitOf(t, dealer, winner)); err != nil {
		t.Fatalf("the unit itself: %v", err)
	}
	for name, twin := range map[string]func(u *Unit){
		"units swapped": func(u *Unit) { *u = unitOf(t, dealer, other) },
		"units swapped, renumbered": func(u *Unit) {
			*u = unitOf(t, dealer, other)
			u.Index = winner
		},
		"outcomes swapped, salt kept": func(u *Unit) {
			swapped := unitOf(t, dealer, other)
			u.Prize, u.Layout = swapped.Prize, swapped.Layout
		},
		"one symbol changed": func(u *Unit) { u.Layout[0] ^= 1 },
		"one prize changed":  func(u *Unit) { u.Prize = 0 },
		"another salt":       func(u *Unit) { u.Salt[15] ^= 1 },
	} {
		u := unitOf(t, dealer, winner)
		twin(&u)
		if err := check(u); fault.CodeOf(err) != "inclusion_not_proven" {
			t.Errorf("%s: %v", name, err)
		}
	}
	swapped := dealerOf(t, invented(300, 1, 9, 77), spot{invented(300, 1, 9, 77)})
	order := swapped.units.(*prizeUnits).order
	order[winner], order[other] = order[other], order[winner]
	if order[winner] == order[other] {
		t.Fatal("the units to swap are alike")
	}
	if again, err := swapped.Deal(t.Context(), new(bytes.Buffer), nil); err != nil || again.Root == deal.Root {
		t.Errorf("a block with two units swapped has the same root: %v", err)
	}
}

// guess looks for a unit's prize from its published leaf alone, without the salt: by every layout
// there is, under a salt that is known. It is what anybody can do with public tiles.
func guess(h Header, index uint32, m spot, published canon.Digest, salt [16]byte) (prize money.Amount, found bool) {
	tiers := len(m.definition.Prizes.Tiers)
	layout := make([]byte, m.Cells())
	for cell := -1; cell < len(layout); cell++ {
		for sign := 1; sign <= tiers; sign++ {
			clear(layout)
			if cell >= 0 {
				layout[cell] = byte(sign)
			}
			amount, err := m.Prize(layout)
			if err != nil {
				continue
			}
			u := Unit{Index: index, Prize: amount, Layout: layout, Salt: salt}
			if h.Leaf(&u) == published {
				return amount, true
			}
		}
	}
	return 0, false
}

// TestUnsaltedLeavesTellTheirPrizes recovers the prize of every unit from leaves without salts, and
// of none from ours.
func TestUnsaltedLeavesTellTheirPrizes(t *testing.T) {
	dealer, deal, tiles := sealed(t)
	m := spot{invented(300, 1, 9, 77)}
	for index := range deal.Header.Size {
		u := unitOf(t, dealer, index)
		unsalted := u
		unsalted.Salt = [16]byte{}
		if prize, found := guess(deal.Header, index, m, deal.Header.Leaf(&unsalted), [16]byte{}); !found || prize != u.Prize {
			t.Fatalf("unit %d: the attack does not find the prize of an unsalted leaf", index)
		}
		published, err := tiles.Leaf(index)
		if err != nil {
			t.Fatal(err)
		}
		// Neither without a salt nor with that of a unit that was sold before.
		known := unitOf(t, dealer, (index+299)%300).Salt
		for _, salt := range [][16]byte{{}, known} {
			if prize, found := guess(deal.Header, index, m, published, salt); found {
				t.Fatalf("unit %d: its leaf tells that it wins %s", index, prize)
			}
		}
		if prize, found := guess(deal.Header, index, m, published, u.Salt); !found || prize != u.Prize {
			t.Fatalf("unit %d: the attack does not even find the prize with the salt", index)
		}
	}
}

// shared counts the layouts that occur more than once when every unit echoes its stream.
func shared(size uint32, layout func(index uint32) []byte) (shared int) {
	seen := map[string]bool{}
	for index := range size {
		if words := string(layout(index)); seen[words] {
			shared++
		} else {
			seen[words] = true
		}
	}
	return shared
}

// TestEveryUnitHasAStreamOfItsOwn compares with a twin whose counter forgets the index.
func TestEveryUnitHasAStreamOfItsOwn(t *testing.T) {
	const size = 20_000
	d := invented(size)
	dealer := dealerOf(t, d, echo{})
	if n := shared(size, func(index uint32) []byte { return unitOf(t, dealer, index).Layout }); n != 0 {
		t.Errorf("%d units share their stream with another", n)
	}
	forgetful := func(index uint32) []byte {
		layout := make([]byte, 8)
		_ = echo{}.LayOut(layout, 0, entropy.NewStream(dealer.layout, uint64(index)*0))
		return layout
	}
	if n := shared(size, forgetful); n != size-1 {
		t.Errorf("a counter that forgets the index: %d units share a stream", n)
	}
	salts := map[[16]byte]bool{}
	for index := range uint32(size) {
		u := unitOf(t, dealer, index)
		salts[u.Salt] = true
	}
	if len(salts) != size {
		t.Errorf("%d different salts of %d", len(salts), size)
	}
}

// TestBlocksShareNothing deals two blocks from one secret: their identifiers keep them apart.
func TestBlocksShareNothing(t *testing.T) {
	d := invented(2000)
	h := headerOf(d)
	one, err := NewDealer(h, secretFrom(1), d, echo{})
	if err != nil {
		t.Fatal(err)
	}
	h.ID[15]++
	two, err := NewDealer(h, secretFrom(1), d, echo{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for index := range d.BlockSize {
		for _, dealer := range []*Dealer{one, two} {
			u := unitOf(t, dealer, index)
			seen[string(u.Layout)] = true
			seen[fmt.Sprint(u.Salt)] = true
		}
	}
	if len(seen) != 4*2000 {
		t.Errorf("two blocks of one secret share streams or salts: %d different of %d", len(seen), 4*2000)
	}
	if one.commitment == two.commitment {
		t.Error("two blocks of one secret have one commitment")
	}
}

// TestEveryPlaceIsAsLikely deals a block of four units, two of them winning, from many secrets: each
// of the six arrangements comes out as often, by chi-square at one in a million. A shuffle that
// exchanges with any place is told apart by the same figure. What is exact is tested in entropy.
func TestEveryPlaceIsAsLikely(t *testing.T) {
	const blocks = 12_000
	d := invented(4, 2)
	real, naive := map[string]int{}, map[string]int{}
	for n := range blocks {
		secret := secretOf([32]byte{byte(n), byte(n >> 8)})
		dealer, err := NewDealer(headerOf(d), secret, d, spot{d})
		if err != nil {
			t.Fatal(err)
		}
		real[string(dealer.units.(*prizeUnits).order)]++
		keys, err := entropy.Derive(secret.Reveal(), []byte("0123456789abcdef"))
		if err != nil {
			t.Fatal(err)
		}
		order, s := unshuffled(d), entropy.NewStream(entropy.NewCipher(keys.Shuffle), 0)
		for i := range order {
			j := s.Below(4)
			order[i], order[j] = order[j], order[i]
		}
		naive[string(order)]++
	}
	// Five degrees of freedom: 36.0 is passed once in a million.
	if x := chiSquare(real, blocks/6); x > 36 || len(real) != 6 {
		t.Errorf("chi-square %.1f: %v", x, real)
	}
	if x := chiSquare(naive, blocks/6); x < 36 {
		t.Errorf("the naive shuffle passes with chi-square %.1f", x)
	}
}

func chiSquare(counts map[string]int, expected float64) (sum float64) {
	for _, count := range counts {
		difference := float64(count) - expected
		sum += difference * difference / expected
	}
	return sum
}
