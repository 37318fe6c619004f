package office

import (
	"cmp"
	"context"
	"slices"

	"github.com/talonlottery/talon/internal/store"
)

// order is a block to be dealt.
type order struct {
	pool     pool
	emission store.EmissionID
	position int
	nth      int // how many blocks of its pool are ready or on sale before it
}

// missing lists the blocks to be dealt now: for each pool one a lane on sale and some ahead, as far
// as its emissions go. First blocks come first.
func (s *Supply) missing(ctx context.Context) ([]order, error) {
	var orders []order
	err := s.config.Store.View(ctx, func(ctx context.Context, reader store.Reader) error {
		emissions, err := reader.Emissions(ctx)
		if err != nil {
			return err
		}
		blocks, err := reader.Blocks(ctx)
		if err != nil {
			return err
		}
		taken, err := takenPlaces(ctx, reader)
		if err != nil {
			return err
		}
		pools, err := s.pools(ctx, reader)
		if err != nil {
			return err
		}
		for _, p := range pools {
			orders = append(orders, missingOf(p, s.config.Ahead, emissions, blocks, taken)...)
		}
		return nil
	})
	slices.SortStableFunc(orders, func(a, b order) int { return cmp.Compare(a.nth, b.nth) })
	return orders, err
}

func missingOf(p pool, ahead int, emissions []store.Emission, blocks []store.Block, taken map[place]bool) []order {
	usable := 0
	for _, b := range blocks {
		if h := b.Deal.Header; h.Game == p.game && h.Stake == p.stake && !b.State.Ended() && b.Sold < h.Size {
			usable++
		}
	}
	var orders []order
	for _, e := range emissions {
		if e.Game != p.game || e.Stake != p.stake {
			continue
		}
		for position := 0; position < e.Blocks && usable < p.lanes+ahead; position++ {
			if !taken[place{e.ID, position}] {
				orders = append(orders, order{pool: p, emission: e.ID, position: position, nth: usable})
				usable++
			}
		}
	}
	return orders
}

// together takes the most urgent orders that may be dealt at once: one a pool, so that the blocks of an
// emission are recorded in their order, which is the order of their sale.
func together(orders []order, most int) []order {
	var taken []order
	for _, o := range orders {
		same := func(t order) bool { return t.pool == o.pool }
		if len(taken) < most && !slices.ContainsFunc(taken, same) {
			taken = append(taken, o)
		}
	}
	return taken
}

// pools are the games and stakes that have lanes, and the jackpots sold with them.
func (s *Supply) pools(ctx context.Context, reader store.Reader) ([]pool, error) {
	lanes, err := reader.Lanes(ctx)
	if err != nil {
		return nil, err
	}
	var pools []pool
	count := func(game string, stake int) {
		at := slices.IndexFunc(pools, func(p pool) bool { return p.game == game && p.stake == stake })
		if at < 0 {
			pools = append(pools, pool{game: game, stake: stake})
			at = len(pools) - 1
		}
		pools[at].lanes++
	}
	for _, lane := range lanes {
		count(lane.Game, lane.Stake)
		if g, err := s.config.Catalogue.Game(lane.Game); err == nil && g.Jackpot != "" {
			count(g.Jackpot, 0)
		}
	}
	return pools, nil
}
