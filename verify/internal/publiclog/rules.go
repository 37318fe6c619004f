package publiclog

import (
	"fmt"

	"github.com/talonlottery/talon/verify/internal/notation"
)

// clockBack is how far a time may go back from one entry to the next: log.md, rule 7.
const clockBack = 10 * 60 * 1000

// place is where a block stands: emission and position.
type place struct{ emission, position uint64 }

// rules follow the log and find what breaks log.md, section 2. An entry that breaks a rule still counts for those after it, so that one
// wrong entry is found once. An entry has at most one finding of rules 1 to 6: the first code of publication.md, section 2, that fits.
type rules struct {
	definitions map[definitionKey]bool
	emissions   map[uint64]*Entry
	places      map[place]*lane
	ceremonies  map[notation.ID]*ceremony
	seals       map[notation.ID]*blockState
	last        *Entry
}

type definitionKey struct {
	name string
	hash notation.Digest
}

// lane is who holds a place.
type lane struct {
	ceremony, sealed *notation.ID
}

type ceremony struct {
	entry       *Entry
	commitments map[string]notation.Digest // by party
	abandoned   bool
}

// blockState is how far a sealed block has come.
type blockState struct {
	seal                        *Entry
	approved, withdrawn, opened bool
	sold                        uint64
	roots                       map[uint64]notation.Digest // by sold
}

func newRules() *rules {
	return &rules{
		definitions: map[definitionKey]bool{}, emissions: map[uint64]*Entry{},
		places: map[place]*lane{}, ceremonies: map[notation.ID]*ceremony{}, seals: map[notation.ID]*blockState{},
	}
}

// broken is a rule that an entry breaks.
type broken struct{ code, what string }

func breaks(code, format string, arguments ...any) *broken {
	return &broken{code, fmt.Sprintf(format, arguments...)}
}

// add follows one entry and returns what it breaks.
func (r *rules) add(e *Entry) []broken {
	var all []broken
	if b := r.follow(e); b != nil {
		all = append(all, *b)
	}
	if r.last != nil && e.At < r.last.At-clockBack {
		all = append(all, broken{"time_goes_back", fmt.Sprintf("%d milliseconds before the entry before it", r.last.At-e.At)})
	}
	r.last = e
	return all
}

func (r *rules) follow(e *Entry) *broken {
	switch e.Kind {
	case KindDefinition:
		r.definitions[definitionKey{e.Name, e.Definition}] = true
		return nil
	case KindEmission:
		if r.emissions[e.Emission] != nil {
			return breaks("emission_unknown", "a second emission of number %d", e.Emission)
		}
		r.emissions[e.Emission] = e
		return nil
	case KindCeremony:
		return r.begin(e)
	case KindContribution, KindAbandonment:
		return r.contribute(e)
	case KindSeal:
		return r.seal(e)
	}
	state := r.seals[e.Block]
	if state == nil {
		return breaks("block_unknown", "block %s has no seal before this", e.Block)
	}
	switch e.Kind {
	case KindApproval:
		return state.approve(e)
	case KindSales, KindWithdrawal:
		return state.sell(e)
	case KindOpening:
		return state.open()
	}
	if state.opened { // a win
		return breaks("sale_not_allowed", "the block is open already")
	}
	return nil
}

// lane finds who holds a place.
func (r *rules) lane(e *Entry) *lane {
	p := place{e.Emission, e.Position}
	if r.places[p] == nil {
		r.places[p] = &lane{}
	}
	return r.places[p]
}

// begin follows a ceremony: rule 2.
func (r *rules) begin(e *Entry) *broken {
	held := r.lane(e)
	taken := held.sealed != nil || held.ceremony != nil
	again := r.ceremonies[e.Block] != nil || r.seals[e.Block] != nil
	if !taken {
		held.ceremony = &e.Block
	}
	if !again {
		r.ceremonies[e.Block] = &ceremony{entry: e, commitments: map[string]notation.Digest{}}
	}
	emission := r.emissions[e.Emission]
	switch {
	case emission == nil || e.Position >= emission.Blocks:
		return breaks("emission_unknown", "emission %d has no place %d", e.Emission, e.Position)
	case taken:
		return breaks("place_taken_twice", "place %d of emission %d has a block or a ceremony", e.Position, e.Emission)
	case again:
		return breaks("ceremony_wrong", "block %s has a ceremony or a seal already", e.Block)
	case e.Beacon != nil && !roundAhead(e.Beacon, e.At):
		return breaks("ceremony_wrong", "round %d of the beacon was known, or nearly so", e.Beacon.Round)
	}
	return nil
}

// contribute follows a contribution or an abandonment: rule 2.
func (r *rules) contribute(e *Entry) *broken {
	c := r.ceremonies[e.Block]
	switch {
	case c == nil:
		return breaks("ceremony_wrong", "block %s has no ceremony", e.Block)
	case c.abandoned:
		return breaks("ceremony_wrong", "the ceremony of block %s was abandoned", e.Block)
	case r.seals[e.Block] != nil:
		return breaks("ceremony_wrong", "block %s is sealed already", e.Block)
	}
	if e.Kind == KindAbandonment {
		c.abandoned = true
		if held := r.lane(c.entry); held.ceremony != nil && *held.ceremony == e.Block {
			held.ceremony = nil
		}
		return nil
	}
	if _, twice := c.commitments[e.Party]; twice {
		return breaks("ceremony_wrong", "party %s contributed twice", e.Party)
	}
	c.commitments[e.Party] = e.Commitment
	for _, party := range c.entry.Parties {
		if party == e.Party {
			return nil
		}
	}
	return breaks("ceremony_wrong", "%s is no party of the ceremony", e.Party)
}

// seal follows a seal: rules 1 and 2.
func (r *rules) seal(e *Entry) *broken {
	twice := r.seals[e.Block] != nil
	held := r.lane(e)
	taken := held.sealed != nil || (held.ceremony != nil && *held.ceremony != e.Block)
	if !twice {
		r.seals[e.Block] = &blockState{seal: e, roots: map[uint64]notation.Digest{}}
	}
	if held.sealed == nil {
		held.sealed = &e.Block
	}
	emission := r.emissions[e.Emission]
	switch {
	case !r.definitions[definitionKey{e.Game, e.Definition}]:
		return breaks("definition_unknown", "definition %s of %s was not published", e.Definition, e.Game)
	case emission == nil || emission.Game != e.Game || emission.Stake != e.Stake || e.Position >= emission.Blocks:
		return breaks("emission_unknown", "emission %d has no place %d for %s at stake %d", e.Emission, e.Position, e.Game, e.Stake)
	case twice:
		return breaks("block_sealed_twice", "block %s", e.Block)
	case taken:
		return breaks("place_taken_twice", "place %d of emission %d has a block or a ceremony", e.Position, e.Emission)
	}
	if what := r.ceremonyOf(e); what != "" {
		return breaks("ceremony_wrong", "%s", what)
	}
	return nil
}

// ceremonyOf compares a seal with its ceremony, and says what differs.
func (r *rules) ceremonyOf(e *Entry) string {
	c := r.ceremonies[e.Block]
	switch {
	case c == nil && (len(e.Contributions) > 0 || e.Beacon != nil):
		return "the seal has contributions or a beacon, but there was no ceremony"
	case c == nil:
		return ""
	case c.abandoned:
		return "the ceremony was abandoned"
	case c.entry.Emission != e.Emission || c.entry.Position != e.Position:
		return "the ceremony was for another place"
	case len(e.Contributions) != len(c.entry.Parties):
		return "the seal does not name each party of the ceremony"
	case (e.Beacon == nil) != (c.entry.Beacon == nil) || (e.Beacon != nil && *e.Beacon != *c.entry.Beacon):
		return "the beacon is not the ceremony's"
	}
	for i, party := range c.entry.Parties {
		commitment, given := c.commitments[party]
		if !given || e.Contributions[i] != (Contribution{party, commitment}) {
			return "the contribution of " + party + " is missing or changed"
		}
	}
	return ""
}

// approve follows an approval: rule 3.
func (s *blockState) approve(e *Entry) *broken {
	twice := s.approved
	s.approved = true
	switch {
	case twice:
		return breaks("approval_wrong", "the block was approved before")
	case e.By == s.seal.By:
		return breaks("approval_wrong", "%s dealt the block", e.By)
	case s.opened:
		return breaks("approval_wrong", "the block is open already")
	}
	return nil
}

// sell follows sales and a withdrawal: rules 4, 5 and 6.
func (s *blockState) sell(e *Entry) *broken {
	before, withdrawn := s.sold, s.withdrawn
	root, had := s.roots[e.Sold]
	s.sold = e.Sold
	if !had {
		s.roots[e.Sold] = e.Root
	}
	if e.Kind == KindWithdrawal {
		s.withdrawn = true
	}
	switch {
	case !s.approved && (e.Kind == KindSales || e.Sold > 0):
		return breaks("sale_not_allowed", "the block was not approved")
	case s.opened:
		return breaks("sale_not_allowed", "the block is open already")
	case withdrawn && e.Kind == KindWithdrawal:
		return breaks("sale_not_allowed", "the block was withdrawn before")
	case withdrawn && e.Sold > before:
		return breaks("sale_not_allowed", "the block was withdrawn after %d sales", before)
	case e.Sold < before:
		return breaks("sales_go_back", "%d sold after %d", e.Sold, before)
	case e.Sold > s.seal.Size:
		return breaks("sales_go_back", "%d sold of %d", e.Sold, s.seal.Size)
	case had && root != e.Root:
		return breaks("sales_go_back", "two roots over %d sales", e.Sold)
	}
	return nil
}

// open follows an opening: rule 6.
func (s *blockState) open() *broken {
	twice := s.opened
	s.opened = true
	switch {
	case twice:
		return breaks("opened_too_early", "the block was opened before")
	case !s.withdrawn && s.sold < s.seal.Size:
		return breaks("opened_too_early", "%d of %d units are sold and the block is not withdrawn", s.sold, s.seal.Size)
	}
	return nil
}
