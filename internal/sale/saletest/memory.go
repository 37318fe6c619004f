package saletest

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"sync"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/custody"
)

// MemoryVault deals blocks and opens units, and keeps everything in memory: for the tests of rooms
// that may not see package vault. Its secrets come from a seed, so that a test meets the same units
// each time. It is safe for concurrent use.
type MemoryVault struct {
	games *catalogue.Catalogue

	mu      sync.Mutex // guards what follows
	random  io.Reader
	dealers map[block.ID]*block.Dealer
	tiles   map[block.ID][]byte
	bound   map[block.ID]custody.Bound
}

// NewVault makes a vault whose secrets follow from a seed.
func NewVault(games *catalogue.Catalogue, seed uint64) *MemoryVault {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	return &MemoryVault{games: games, random: rand.NewChaCha8(key), dealers: make(map[block.ID]*block.Dealer),
		tiles: make(map[block.ID][]byte), bound: make(map[block.ID]custody.Bound)}
}

// Deal deals a block of a game at a stake, or of a jackpot's participations.
func (v *MemoryVault) Deal(ctx context.Context, game string, stake int, progress func(done, total uint32)) (block.Deal, error) {
	dealer, err := v.newDealer(game, stake)
	if err != nil {
		return block.Deal{}, err
	}
	var tiles bytes.Buffer
	deal, err := dealer.Deal(ctx, &tiles, progress)
	if err != nil {
		return block.Deal{}, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dealers[deal.Header.ID], v.tiles[deal.Header.ID] = dealer, tiles.Bytes()
	return deal, nil
}

// Tiles gives the content of the tiles file of a block.
func (v *MemoryVault) Tiles(id block.ID) []byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.tiles[id]
}

func (v *MemoryVault) newDealer(game string, stake int) (*block.Dealer, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	header := block.Header{Version: block.Version, Game: game, Stake: stake}
	if _, err := io.ReadFull(v.random, header.ID[:]); err != nil {
		return nil, err
	}
	secret, err := block.NewSecret(v.random)
	if err != nil {
		return nil, err
	}
	if pot, err := v.games.Jackpot(game); err == nil {
		header.Definition, header.Price, header.Size = pot.Hash, pot.Price, pot.BlockSize
		return block.NewDrawDealer(header, secret, pot)
	}
	found, err := v.games.Game(game)
	if err != nil {
		return nil, err
	}
	header.Definition, header.Price, header.Size = found.Hash, found.Stakes[stake].Price, found.BlockSize
	return block.NewDealer(header, secret, found.Definition, found.Mechanics[stake])
}

// OpenUnits opens units of blocks that this vault dealt. It refuses nothing.
func (v *MemoryVault) OpenUnits(ctx context.Context, batch custody.Batch, ranges ...custody.Range) error {
	for _, r := range ranges {
		v.mu.Lock()
		dealer, found := v.dealers[r.Header.ID]
		v.mu.Unlock()
		if !found {
			return fault.New(fault.NotFound, "secret_unknown", "this vault did not deal block %s", r.Header.ID)
		}
		for at := range r.Into {
			if err := dealer.Unit(r.From+uint32(at), &r.Into[at]); err != nil {
				return err
			}
		}
		v.mu.Lock()
		v.bound[r.Header.ID] = custody.Bound{From: r.From, Count: uint32(len(r.Into)), Digest: batch.Digest(), Batch: bytes.Clone(batch)}
		v.mu.Unlock()
	}
	return ctx.Err()
}

// Bound gives the newest range of a block.
func (v *MemoryVault) Bound(_ context.Context, id block.ID) (custody.Bound, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.bound[id], nil
}
