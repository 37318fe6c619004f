package publicationtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"reflect"
	"testing"
	"time"

	"github.com/cloudflare/circl/sign/bls"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/mechanic/all"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/publiclog"
)

// The blocks of the honest publication, by what they are there for.
const (
	Lune      = "lune"     // twelve units, sold out and opened
	Mixed     = "mixed"    // the same game, its secret mixed by two parties and a beacon; sold out and opened
	Winds     = "winds"    // sold with participations, withdrawn and opened
	Pot       = "pot"      // participations, sold out and opened
	NextPot   = "next-pot" // participations, on sale
	Moons     = "moons"    // on sale
	dealtBy   = "anne"     // who deals
	allowedBy = "bertrand" // who approves
)

// begun is when the story begins: 2026-01-01T00:00:00Z.
const begun = 1767225600000

// fixed is a source of randomness that is none: keys of tests are the same for ever.
type fixed string

func (f fixed) Read(into []byte) (int, error) {
	sum := sha256.Sum256([]byte("publicationtest " + string(f)))
	for at := range into {
		into[at] = sum[at%len(sum)]
	}
	return len(into), nil
}

func bytesOf(name string) [32]byte { return sha256.Sum256([]byte("publicationtest secret " + name)) }

func secretOf(b [32]byte) block.Secret {
	secret, err := block.SecretFromBytes(b[:])
	must(err)
	return secret
}

func idOf(name string) block.ID {
	sum := sha256.Sum256([]byte("publicationtest block " + name))
	return block.ID(sum[:16])
}

func signerOf(name string, make func(fixed, string) (string, error)) *publiclog.Signer {
	text, err := make(fixed(name), "test.invalid/"+name)
	must(err)
	signer, err := publiclog.NewSigner(text)
	must(err)
	return signer
}

func logKey(random fixed, name string) (string, error) {
	signer, _, err := publiclog.NewKey(random, name)
	return signer, err
}

func witnessKey(random fixed, name string) (string, error) {
	signer, _, err := publiclog.NewWitnessKey(random, name)
	return signer, err
}

// Stranger is a witness that has not cosigned.
func Stranger() string { return signerOf("stranger", witnessKey).Key().String() }

// testBeacon is a beacon of this package's own: its key is a test key, and nobody's clock is behind it.
func testBeacon() *bls.PrivateKey[bls.KeyG2SigG1] {
	seed := bytesOf("test beacon key")
	key, err := bls.KeyGen[bls.KeyG2SigG1](seed[:], nil, []byte("test key, worth nothing"))
	must(err)
	return key
}

// roundSignature signs a round of the test beacon.
func roundSignature(round uint64) []byte {
	message := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
	return bls.Sign(testBeacon(), message[:])
}

// beaconRound is the round that the ceremony names.
const beaconRound = 4242

// Honest makes the publication in which everything is as it should be.
func Honest(t testing.TB) *Publication {
	t.Helper()
	p := &Publication{
		Raw: map[int]string{}, Definitions: map[canon.Digest][]byte{}, Blocks: map[string]*Block{}, now: begun,
		Signer: signerOf("log", logKey), Witness: signerOf("witness", witnessKey),
	}
	games := cataloguetest.New(t)
	lune, err := game.LoadCanonical("lune", []byte(luneDefinition))
	must(err)
	moons, err := games.Game(cataloguetest.Moons)
	must(err)
	winds, err := games.Game(cataloguetest.Winds)
	must(err)
	pot, err := games.Jackpot(cataloguetest.SmallPot)
	must(err)
	p.define(lune.Name, publiclog.TypeGame, lune.Canonical, lune.Hash)
	p.define(moons.Name, publiclog.TypeGame, moons.Canonical, moons.Hash)
	p.define(winds.Name, publiclog.TypeGame, winds.Canonical, winds.Hash)
	p.define(pot.Name, publiclog.TypeJackpot, pot.Canonical, pot.Hash)
	p.emit(1, lune.Name, 0, 4)
	p.emit(2, moons.Name, 1, 2)
	p.emit(3, winds.Name, 0, 1)
	p.emit(4, pot.Name, 0, 3)

	p.deal(t, Lune, gameBlock(lune, 0), 1, 0)
	p.sellOut(Lune)
	p.open(Lune)
	p.ceremony(t, lune)
	p.sellOut(Mixed)
	p.open(Mixed)
	p.deal(t, Moons, gameBlock(moons.Definition, 1), 2, 0)
	p.Older = p.Checkpoint(len(p.Log))
	p.deal(t, Winds, gameBlock(winds.Definition, 0), 3, 0)
	p.deal(t, Pot, Block{Jackpot: pot}, 4, 0)
	p.deal(t, NextPot, Block{Jackpot: pot}, 4, 1)
	p.sellWithParticipations(pot)
	p.open(Pot)
	p.append(publiclog.Withdrawal{Block: idOf(Winds), Sold: 200, Root: p.salesRoot(Winds, 200), By: allowedBy, Why: "The emission ends."})
	p.open(Winds)
	for range 40 {
		p.sell(Moons, 2000)
	}
	p.cover(Moons)
	return p
}

func gameBlock(d *game.Definition, stake int) Block {
	m, err := all.New(d, stake)
	must(err)
	return Block{Game: d, Mechanic: m, Header: block.Header{Stake: stake}}
}

// at gives the time of the next entry, a second after what was before it.
func (p *Publication) at() time.Time {
	p.now += 1000
	return time.UnixMilli(p.now).UTC()
}

// append records an entry at the next moment.
func (p *Publication) append(entry publiclog.Entry) { p.Log = append(p.Log, dated(entry, p.at())) }

// dated gives an entry its time.
func dated(entry publiclog.Entry, at time.Time) publiclog.Entry {
	value := reflect.New(reflect.TypeOf(entry)).Elem()
	value.Set(reflect.ValueOf(entry))
	value.FieldByName("At").Set(reflect.ValueOf(at))
	return value.Interface().(publiclog.Entry)
}

func (p *Publication) define(name, kind string, text []byte, hash canon.Digest) {
	p.Definitions[hash] = text
	p.append(publiclog.Definition{Name: name, Type: kind, Definition: hash})
}

func (p *Publication) emit(number uint64, name string, stake, blocks uint32) {
	p.append(publiclog.Emission{Emission: number, Game: name, Stake: stake, Blocks: blocks})
}

// deal deals a block with the secret of its name, seals and approves it.
func (p *Publication) deal(t testing.TB, role string, b Block, emission uint64, position uint32) {
	t.Helper()
	b.Secret = secretOf(bytesOf(role))
	b.Header.ID = idOf(role)
	p.fill(&b)
	p.Blocks[role] = &b
	p.append(p.sealOf(&b, emission, position))
	p.append(publiclog.Approval{Block: b.Header.ID, By: allowedBy, Why: "The seal was compared with the sheet."})
}

// dealer is the real dealer of a block.
func (b *Block) dealer() *block.Dealer {
	var dealer *block.Dealer
	var err error
	if b.Jackpot != nil {
		dealer, err = block.NewDrawDealer(b.Header, b.Secret, b.Jackpot)
	} else {
		dealer, err = block.NewDealer(b.Header, b.Secret, b.Game, b.Mechanic)
	}
	must(err)
	return dealer
}

// fill completes the header and deals the units and tiles.
func (p *Publication) fill(b *Block) {
	b.Header.Version = block.Version
	if b.Jackpot != nil {
		b.Header.Game, b.Header.Definition = b.Jackpot.Name, b.Jackpot.Hash
		b.Header.Price, b.Header.Size = b.Jackpot.Price, b.Jackpot.BlockSize
	} else {
		b.Header.Game, b.Header.Definition = b.Game.Name, b.Game.Hash
		b.Header.Price, b.Header.Size = b.Game.Stakes[b.Header.Stake].Price, b.Game.BlockSize
	}
	dealer := b.dealer()
	b.Units = make([]block.Unit, b.Header.Size)
	for index := range b.Units {
		must(dealer.Unit(uint32(index), &b.Units[index]))
	}
	var tiles bytes.Buffer
	_, err := dealer.Deal(context.Background(), &tiles, nil)
	must(err)
	b.Tiles = tiles.Bytes()
}

func (p *Publication) sealOf(b *Block, emission uint64, position uint32) publiclog.Seal {
	return publiclog.Seal{
		Block: b.Header.ID, Game: b.Header.Game, Definition: b.Header.Definition, Stake: uint32(b.Header.Stake), Price: b.Header.Price,
		Size: b.Header.Size, Root: b.root(), Commitment: b.Header.Commitment(b.Secret), Emission: emission, Position: position, By: dealtBy,
	}
}

// ceremony deals a block whose secret nobody chose, after a ceremony that was given up.
func (p *Publication) ceremony(t testing.TB, lune *game.Definition) {
	t.Helper()
	key, err := testBeacon().PublicKey().MarshalBinary()
	must(err)
	beacon := &publiclog.Beacon{Scheme: "bls-unchained-g1-rfc9380", Key: key, Round: beaconRound}
	parties := []string{"operateur", "notaire"}
	p.append(publiclog.Ceremony{Block: idOf("given up"), Emission: 1, Position: 1, Parties: parties})
	p.append(publiclog.Abandonment{Block: idOf("given up"), By: dealtBy, Why: "The notary fell ill."})
	p.append(publiclog.Ceremony{Block: idOf(Mixed), Emission: 1, Position: 1, Parties: parties, Beacon: beacon})
	b := gameBlock(lune, 0)
	b.Header.ID, b.Beacon = idOf(Mixed), beacon
	for _, party := range parties {
		b.Shares = append(b.Shares, publiclog.Share{Party: party, Share: secretOf(bytesOf("share of " + party))})
	}
	pledges := b.pledges()
	for _, pledge := range pledges {
		p.append(publiclog.Contribution{Block: b.Header.ID, Party: pledge.Party, Commitment: pledge.Commitment})
	}
	b.Secret = secretOf(b.mix(roundSignature(beaconRound)))
	p.fill(&b)
	p.Blocks[Mixed] = &b
	seal := p.sealOf(&b, 1, 1)
	seal.Contributions, seal.Beacon = pledges, beacon
	p.append(seal)
	p.append(publiclog.Approval{Block: b.Header.ID, By: allowedBy, Why: "The transcript was compared."})
}

// pledges commit to the shares (block.md, section 12).
func (b *Block) pledges() []publiclog.Pledge {
	var pledges []publiclog.Pledge
	for _, share := range b.Shares {
		revealed := share.Share.Reveal()
		pledges = append(pledges, publiclog.Pledge{Party: share.Party,
			Commitment: canon.Hash("talon/contribution/v1", b.Header.ID[:], []byte(share.Party), revealed[:])})
	}
	return pledges
}

// mix is the secret that shares and a signature make (block.md, section 12).
func (b *Block) mix(signature []byte) [32]byte {
	fields := [][]byte{b.Header.ID[:]}
	for _, share := range b.Shares {
		revealed := share.Share.Reveal()
		fields = append(fields, []byte(share.Party), revealed[:])
	}
	randomness := sha256.Sum256(signature)
	if signature == nil {
		return canon.Hash("talon/secret-mix/v1", append(fields, nil)...)
	}
	return canon.Hash("talon/secret-mix/v1", append(fields, randomness[:])...)
}

// sell sells the next unit of a block after a number of milliseconds.
func (p *Publication) sell(role string, after int64) {
	p.now += after
	b := p.Blocks[role]
	unit := &b.Units[len(b.Sales)]
	b.Sales = append(b.Sales, Sale{Play: b.Header.PlayID(unit), At: p.now})
}

// cover publishes how much of a block was sold.
func (p *Publication) cover(role string) {
	sold := len(p.Blocks[role].Sales)
	p.append(publiclog.Sales{Block: p.Blocks[role].Header.ID, Sold: uint32(sold), Root: p.salesRoot(role, sold)})
}

func (p *Publication) sellOut(role string) {
	for sold := range p.Blocks[role].Header.Size {
		p.sell(role, 1500)
		if sold == 4 {
			p.cover(role)
		}
	}
	p.cover(role)
}

func (p *Publication) open(role string) {
	b := p.Blocks[role]
	opening := publiclog.Opening{Block: b.Header.ID, Secret: b.Secret, Shares: b.Shares}
	if b.Beacon != nil {
		opening.Signature = roundSignature(b.Beacon.Round)
	}
	p.append(opening)
}

// sellWithParticipations sells 200 units of the winds, each with a participation in the pot.
func (p *Publication) sellWithParticipations(pot *game.Jackpot) {
	since := uint64(0)
	role := Pot
	for sold := range 200 {
		p.sell(Winds, 1200)
		sale := p.Blocks[Winds].Sales[sold]
		if len(p.Blocks[Pot].Sales) == int(pot.BlockSize) && role == Pot {
			p.cover(Pot)
			role = NextPot
		}
		b := p.Blocks[role]
		index := uint32(len(b.Sales))
		b.Sales = append(b.Sales, sale)
		since++
		if b.Units[index].Wins() {
			p.append(publiclog.JackpotWin{Jackpot: pot.Name, Block: b.Header.ID, Index: index, Since: since, Amount: potOf(pot, since)})
			since = 0
		}
		if sold%50 == 49 {
			p.cover(Winds)
			p.cover(role)
		}
	}
}

// potOf is what a pot holds, up to a whole cent.
func potOf(pot *game.Jackpot, since uint64) money.Amount {
	amount := pot.Start + pot.ToPot*money.Amount(since)
	return (amount + money.Cent - 1) / money.Cent * money.Cent
}

// luneDefinition is testdata/vectors/definitions/lune.json.
const luneDefinition = `{"block":{"article":"2","size":12},"kind":"game","mechanic":{"article":"4","cells":4,"combinations":[{"article":"4","gains":[10],"symbols":["lune","lune","lune"]},{"article":"4","gains":[2],"symbols":["etoile","etoile","etoile"]},{"article":"4","gains":[1],"symbols":["soleil","soleil","soleil"]}],"kind":"collect","symbols":[{"name":"lune","titles":{"en":"moon","fr":"lune"}},{"name":"etoile","titles":{"en":"star","fr":"étoile"}},{"name":"soleil","titles":{"en":"sun","fr":"soleil"}}]},"name":"lune","prizes":{"articles":["3"],"printed":{"count":6,"totals":[17]},"tiers":[{"amounts":[10],"count":1},{"amounts":[2],"count":2},{"amounts":[1],"count":3}]},"regulation":{"article":"1","opening":"2026-01-01","title":"Lune"},"stakes":[{"article":"2","price":1}],"titles":{"en":"Moon","fr":"Lune"}}`
