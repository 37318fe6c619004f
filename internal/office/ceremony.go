package office

import (
	"context"
	"io"
	"slices"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

// A ceremony makes a block's secret that nobody chose (R-148, docs/spec/block.md, section 12): its
// parties commit to their shares in the public log before any share leaves its party. All that is
// known of a ceremony is what its entries say.

// Ceremony is a ceremony as it stands.
type Ceremony struct {
	entry       publiclog.Ceremony
	commitments map[string]canon.Digest
	published   bool // all entries so far
	abandoned   bool
	sealed      bool
}

// Missing lists the parties that have not committed.
func (c *Ceremony) Missing() []string {
	return slices.DeleteFunc(slices.Clone(c.entry.Parties), func(party string) bool {
		_, committed := c.commitments[party]
		return committed
	})
}

// Entry is the entry that began it.
func (c *Ceremony) Entry() publiclog.Ceremony { return c.entry }

// Commitment is what a party committed to.
func (c *Ceremony) Commitment(party string) (commitment canon.Digest, committed bool) {
	commitment, committed = c.commitments[party]
	return commitment, committed
}

// Ready returns why shares may not be shown yet, or nil: every commitment is in the public log, and
// the block is neither given up nor dealt. Conflict with code ceremony_ended or ceremony_incomplete,
// Unavailable with code ceremony_not_published.
func (c *Ceremony) Ready() error {
	switch missing := c.Missing(); {
	case c.abandoned || c.sealed:
		return fault.New(fault.Conflict, "ceremony_ended", "the ceremony of block %s has ended", c.entry.Block)
	case len(missing) > 0:
		return fault.New(fault.Conflict, "ceremony_incomplete", "%v did not commit to a share", missing).
			Next("each party makes a share with `talon ceremony share` and sends its commitment")
	case !c.published:
		return fault.New(fault.Unavailable, "ceremony_not_published", "not all commitments are in the public log yet").
			Next("a node that runs publishes them within seconds; ask again then")
	}
	return nil
}

func (c *Ceremony) pledges() []publiclog.Pledge {
	pledges := make([]publiclog.Pledge, len(c.entry.Parties))
	for at, party := range c.entry.Parties {
		pledges[at] = publiclog.Pledge{Party: party, Commitment: c.commitments[party]}
	}
	return pledges
}

// ReadCeremony reads the ceremony of a block. NotFound with code ceremony_unknown.
func ReadCeremony(ctx context.Context, reader store.Reader, id block.ID) (*Ceremony, error) {
	found, err := readCeremony(ctx, reader, id)
	if err == nil && found == nil {
		err = fault.New(fault.NotFound, "ceremony_unknown", "there is no ceremony of block %s", id).
			Next("`talon ceremony begin` makes one and gives its block")
	}
	return found, err
}

// readCeremony is ReadCeremony with nil for a block that has none.
func readCeremony(ctx context.Context, reader store.Reader, id block.ID) (*Ceremony, error) {
	c := &Ceremony{commitments: make(map[string]canon.Digest), published: true}
	found := false
	for _, kind := range []publiclog.Kind{publiclog.KindCeremony, publiclog.KindContribution, publiclog.KindAbandonment, publiclog.KindSeal} {
		entries, err := reader.LogOf(ctx, id, string(kind))
		if err != nil {
			return nil, err
		}
		for _, recorded := range entries {
			c.published = c.published && recorded.Position != store.Unpublished
			entry, err := publiclog.Parse(recorded.Body)
			if err != nil {
				return nil, err
			}
			switch e := entry.(type) {
			case publiclog.Ceremony:
				c.entry, found = e, true
			case publiclog.Contribution:
				c.commitments[e.Party] = e.Commitment
			case publiclog.Abandonment:
				c.abandoned = true
			case publiclog.Seal:
				c.sealed = true
			}
		}
		if !found {
			return nil, nil
		}
	}
	return c, nil
}

// BeginCeremony reserves the next free place of a game at a stake for a block whose secret will be
// mixed from shares of the parties, with a beacon's round unless nil, and publishes that. It returns
// Exhausted with code emission_full when no place is free, and Invalid for names or a beacon that
// the public log does not take.
func (s Staff) BeginCeremony(ctx context.Context, random io.Reader, game string, stake int, parties []string, beacon *publiclog.Beacon) (block.ID, error) {
	var id block.ID
	if _, err := io.ReadFull(random, id[:]); err != nil {
		return id, fault.New(fault.Unavailable, "entropy_unavailable", "the source of randomness failed: %w", err)
	}
	err := s.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		emissions, err := tx.Emissions(ctx)
		if err != nil {
			return err
		}
		taken, err := takenPlaces(ctx, tx)
		if err != nil {
			return err
		}
		for _, e := range emissions {
			if e.Game != game || e.Stake != stake {
				continue
			}
			for position := range e.Blocks {
				if !taken[place{e.ID, position}] {
					return announce(ctx, tx, publiclog.Ceremony{At: s.now(), Block: id, Emission: uint64(e.ID), Position: uint32(position), Parties: parties, Beacon: beacon})
				}
			}
		}
		return fault.New(fault.Exhausted, "emission_full", "every block of %s at its stake %d is dealt or being dealt", game, stake).
			Next("open another emission")
	})
	return id, s.announced(err)
}

// Contribute records that a party committed to its share of a block's secret. Conflict with code
// commitment_recorded for a second commitment, and ceremony_ended; NotFound with code party_unknown.
func (s Staff) Contribute(ctx context.Context, id block.ID, party string, commitment canon.Digest) error {
	return s.announced(s.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		c, err := ReadCeremony(ctx, tx, id)
		if err != nil {
			return err
		}
		_, committed := c.commitments[party]
		switch {
		case c.abandoned || c.sealed:
			return fault.New(fault.Conflict, "ceremony_ended", "the ceremony of block %s has ended", id)
		case !slices.Contains(c.entry.Parties, party):
			return fault.New(fault.NotFound, "party_unknown", "%q is not a party of this ceremony: %v", party, c.entry.Parties)
		case committed:
			return fault.New(fault.Conflict, "commitment_recorded", "%s committed to a share before", party).
				Next("use that share; a commitment is never changed")
		}
		return announce(ctx, tx, publiclog.Contribution{At: s.now(), Block: id, Party: party, Commitment: commitment})
	}))
}

// Abandon gives a ceremony up, for instance when a party lost its share: no block of this identifier
// will be dealt, everybody sees it, and its place is free again.
func (s Staff) Abandon(ctx context.Context, id block.ID, by, why string) error {
	step := store.Step{By: by, Why: why}
	return s.announced(s.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		c, err := ReadCeremony(ctx, tx, id)
		if err != nil {
			return err
		}
		if c.abandoned || c.sealed {
			return fault.New(fault.Conflict, "ceremony_ended", "the ceremony of block %s has ended", id)
		}
		if err := step.Check(); err != nil {
			return err
		}
		return announce(ctx, tx, publiclog.Abandonment{At: s.now(), Block: id, By: by, Why: why})
	}))
}

// CeremonyVault deals a block from a ceremony's shares; see the contract of vault.DealMixed.
type CeremonyVault interface {
	DealMixed(ctx context.Context, ceremony custody.Ceremony, progress func(done, total uint32)) (block.Deal, error)
}

// DealCeremony lets the vault deal the block of a ceremony from its parties' encrypted shares, and
// records it, sealed from then on. The vault checks shares, commitments and the beacon's signature.
// Errors as [Ceremony.Ready] and the vault's.
func (s Staff) DealCeremony(ctx context.Context, vault CeremonyVault, id block.ID, shares map[string][]byte, signature []byte, by, why string, progress func(done, total uint32)) (block.Deal, error) {
	var emission store.Emission
	var c *Ceremony
	err := s.Store.View(ctx, func(ctx context.Context, reader store.Reader) (err error) {
		if c, err = ReadCeremony(ctx, reader, id); err != nil {
			return err
		}
		if err := c.Ready(); err != nil {
			return err
		}
		emissions, err := reader.Emissions(ctx)
		at := slices.IndexFunc(emissions, func(e store.Emission) bool { return uint64(e.ID) == c.entry.Emission })
		if err == nil && at >= 0 {
			emission = emissions[at]
		}
		return err
	})
	if err != nil {
		return block.Deal{}, err
	}
	asked := custody.Ceremony{Game: emission.Game, Stake: emission.Stake, ID: id}
	for _, pledge := range c.pledges() {
		asked.Contributions = append(asked.Contributions, custody.Contribution{Party: pledge.Party, Commitment: pledge.Commitment, Sealed: shares[pledge.Party]})
	}
	if b := c.entry.Beacon; b != nil {
		asked.Beacon = &custody.Beacon{Key: b.Key, Round: b.Round, Signature: signature}
	}
	deal, err := vault.DealMixed(ctx, asked, progress)
	if err != nil {
		return deal, err
	}
	step := store.Step{By: by, Why: why, At: s.now()}
	return deal, s.announced(s.Store.Update(ctx, func(ctx context.Context, tx store.Tx) error {
		return addBlock(ctx, tx, store.Dealt{Emission: emission.ID, Position: int(c.entry.Position), Deal: deal, At: step.At}, step)
	}))
}

// announced tells that there is something to publish, unless there was an error.
func (s Staff) announced(err error) error {
	if err == nil && s.Announced != nil {
		s.Announced()
	}
	return err
}

// place is a block's place in an emission.
type place struct {
	emission store.EmissionID
	position int
}

// takenPlaces are the places of blocks that were dealt, and of ceremonies that were not given up.
func takenPlaces(ctx context.Context, reader store.Reader) (map[place]bool, error) {
	taken := make(map[place]bool)
	blocks, err := reader.Blocks(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		taken[place{b.Emission, b.Position}] = true
	}
	open, err := reader.Ceremonies(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range open {
		c, err := readCeremony(ctx, reader, id)
		if err != nil {
			return nil, err
		}
		if c != nil && !c.abandoned {
			taken[place{store.EmissionID(c.entry.Emission), int(c.entry.Position)}] = true
		}
	}
	return taken, nil
}
