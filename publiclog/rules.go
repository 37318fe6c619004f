package publiclog

import (
	"fmt"
	"slices"
	"time"
)

// The codes of findings (publication.md, section 2).
const (
	CodeEntryMalformed    = "entry_malformed"
	CodeDefinitionUnknown = "definition_unknown"
	CodeEmissionUnknown   = "emission_unknown"
	CodeBlockSealedTwice  = "block_sealed_twice"
	CodePlaceTakenTwice   = "place_taken_twice"
	CodeCeremonyWrong     = "ceremony_wrong"
	CodeBlockUnknown      = "block_unknown"
	CodeApprovalWrong     = "approval_wrong"
	CodeSaleNotAllowed    = "sale_not_allowed"
	CodeSalesGoBack       = "sales_go_back"
	CodeOpenedTooEarly    = "opened_too_early"
	CodeTimeGoesBack      = "time_goes_back"
)

const (
	// ClockSlack is how far the time of an entry may be before that of the entry before it.
	ClockSlack = 10 * time.Minute
	// BeaconLead is how long before its round a ceremony must name a beacon.
	BeaconLead = 30 * time.Second
)

// judge holds one entry against what a follower knows.
type judge struct {
	follower *Follower
	where    string
	found    []Finding
}

func (j *judge) report(code, format string, arguments ...any) {
	j.found = append(j.found, Finding{Code: code, Where: j.where, What: fmt.Sprintf(format, arguments...)})
}

func (j *judge) entry(entry Entry) {
	if entry == nil {
		j.report(CodeEntryMalformed, "this is no entry of the public log")
		return
	}
	if last := j.follower.last; !last.IsZero() && entry.When().Before(last.Add(-ClockSlack)) {
		j.report(CodeTimeGoesBack, "its time is more than %s before that of the entry before it", ClockSlack)
	}
	switch e := entry.(type) {
	case Emission:
		if _, again := j.follower.emissions[e.Emission]; again {
			j.report(CodeEmissionUnknown, "an emission %d was announced before, and stays what it was", e.Emission)
		}
	case Ceremony:
		j.ceremony(e)
	case Contribution:
		j.contribution(e)
	case Abandonment:
		j.abandonment(e)
	case Seal:
		j.seal(e)
	case Approval, Sales, JackpotWin, Withdrawal, Opening:
		j.ofSealed(entry)
	}
}

// position finds the emission that an entry names and asks whether it has the place.
func (j *judge) position(at place) (Emission, bool) {
	emission, known := j.follower.emissions[at.emission]
	switch {
	case !known:
		j.report(CodeEmissionUnknown, "no emission %d was announced", at.emission)
	case at.position >= emission.Entry.Blocks:
		j.report(CodeEmissionUnknown, "emission %d has %d blocks, and place %d is none of them", at.emission, emission.Entry.Blocks, at.position)
	default:
		return emission.Entry, true
	}
	return Emission{}, false
}

func (j *judge) ceremony(e Ceremony) {
	at := place{e.Emission, e.Position}
	j.position(at)
	h := j.follower.blocks[e.Block]
	switch {
	case h != nil && h.Seal != nil:
		j.report(CodeCeremonyWrong, "the block was sealed before")
	case h != nil && h.Abandonment != nil:
		j.report(CodeCeremonyWrong, "the ceremony of this block was given up, so it cannot be dealt")
	case h != nil && h.Ceremony != nil:
		j.report(CodeCeremonyWrong, "the block has a ceremony already")
	}
	if holder, held := j.follower.held[at]; held {
		j.report(CodePlaceTakenTwice, "place %d of emission %d is that of block %s", at.position, at.emission, holder)
	}
	if e.Beacon == nil || j.follower.RoundTime == nil {
		return
	}
	if round, known := j.follower.RoundTime(*e.Beacon); known && e.At.Add(BeaconLead).After(round) {
		j.report(CodeCeremonyWrong, "the beacon's round was named less than %s before it, or after it", BeaconLead)
	}
}

func (j *judge) contribution(e Contribution) {
	h := j.follower.blocks[e.Block]
	switch {
	case h == nil || h.Ceremony == nil:
		j.report(CodeCeremonyWrong, "the block has no ceremony")
	case h.Abandonment != nil:
		j.report(CodeCeremonyWrong, "the ceremony was given up")
	case h.Seal != nil:
		j.report(CodeCeremonyWrong, "the block was sealed before")
	case !slices.Contains(h.Ceremony.Entry.Parties, e.Party):
		j.report(CodeCeremonyWrong, "%q is not a party of the ceremony", e.Party)
	case slices.ContainsFunc(h.Contributions, func(c Numbered[Contribution]) bool { return c.Entry.Party == e.Party }):
		j.report(CodeCeremonyWrong, "%q contributed before", e.Party)
	}
}

func (j *judge) abandonment(e Abandonment) {
	h := j.follower.blocks[e.Block]
	switch {
	case h == nil || h.Ceremony == nil:
		j.report(CodeCeremonyWrong, "the block has no ceremony")
	case h.Abandonment != nil:
		j.report(CodeCeremonyWrong, "the ceremony was given up before")
	case h.Seal != nil:
		j.report(CodeCeremonyWrong, "the block was sealed before")
	}
}

func (j *judge) seal(e Seal) {
	at := place{e.Emission, e.Position}
	if _, known := j.follower.definitions[e.Definition]; !known {
		j.report(CodeDefinitionUnknown, "no definition %s was published", e.Definition)
	}
	if emission, ok := j.position(at); ok && (emission.Game != e.Game || emission.Stake != e.Stake) {
		j.report(CodeEmissionUnknown, "emission %d is of another game or stake", e.Emission)
	}
	h := j.follower.blocks[e.Block]
	if h != nil && h.Seal != nil {
		j.report(CodeBlockSealedTwice, "entry %d sealed this block", h.Seal.Index)
		return
	}
	if holder, held := j.follower.held[at]; held && holder != e.Block {
		j.report(CodePlaceTakenTwice, "place %d of emission %d is that of block %s", at.position, at.emission, holder)
	}
	switch {
	case h == nil || h.Ceremony == nil:
		if len(e.Contributions) > 0 || e.Beacon != nil {
			j.report(CodeCeremonyWrong, "the seal tells of a ceremony that the log does not know")
		}
	case h.Abandonment != nil:
		j.report(CodeCeremonyWrong, "the ceremony was given up, so the block cannot be dealt")
	default:
		j.repeats(e, h)
	}
}

// repeats asks that a seal repeats its ceremony.
func (j *judge) repeats(e Seal, h *History) {
	ceremony := h.Ceremony.Entry
	if ceremony.Emission != e.Emission || ceremony.Position != e.Position {
		j.report(CodeCeremonyWrong, "the seal has another place than its ceremony")
	}
	if !ceremony.Beacon.Equal(e.Beacon) {
		j.report(CodeCeremonyWrong, "the seal has another beacon than its ceremony")
	}
	if len(e.Contributions) != len(ceremony.Parties) {
		j.report(CodeCeremonyWrong, "the seal has %d contributions, and the ceremony %d parties", len(e.Contributions), len(ceremony.Parties))
		return
	}
	for at, party := range ceremony.Parties {
		made := slices.IndexFunc(h.Contributions, func(c Numbered[Contribution]) bool { return c.Entry.Party == party })
		if made < 0 {
			j.report(CodeCeremonyWrong, "%q has not contributed", party)
		} else if want := (Pledge{party, h.Contributions[made].Entry.Commitment}); e.Contributions[at] != want {
			j.report(CodeCeremonyWrong, "the contribution of %q is missing, not in its place, or another", party)
		}
	}
}

func (j *judge) ofSealed(entry Entry) {
	h := j.follower.blocks[About(entry)]
	if h == nil || h.Seal == nil {
		j.report(CodeBlockUnknown, "no block %s was sealed", About(entry))
		return
	}
	if h.Opening != nil {
		j.afterOpening(entry)
		return
	}
	switch e := entry.(type) {
	case Approval:
		switch {
		case h.Approval != nil:
			j.report(CodeApprovalWrong, "entry %d approved this block", h.Approval.Index)
		case e.By == h.Seal.Entry.By:
			j.report(CodeApprovalWrong, "whoever sealed the block approved it")
		}
	case Sales:
		switch {
		case h.Approval == nil:
			j.report(CodeSaleNotAllowed, "the block was not approved")
		case h.Withdrawal != nil && e.Sold > h.Withdrawal.Entry.Sold:
			j.report(CodeSaleNotAllowed, "the block was withdrawn")
		}
		j.sold(h, cover{e.Sold, e.Root})
	case Withdrawal:
		switch {
		case h.Withdrawal != nil:
			j.report(CodeSaleNotAllowed, "entry %d withdrew this block", h.Withdrawal.Index)
		case h.Approval == nil && e.Sold > 0:
			j.report(CodeSaleNotAllowed, "the block was not approved")
		}
		j.sold(h, cover{e.Sold, e.Root})
	case Opening:
		if !h.Ended() {
			j.report(CodeOpenedTooEarly, "the block was neither withdrawn nor sold out")
		}
	}
}

func (j *judge) afterOpening(entry Entry) {
	switch entry.(type) {
	case Opening:
		j.report(CodeOpenedTooEarly, "the block was opened before")
	case Approval:
		j.report(CodeApprovalWrong, "the block was opened before")
	default:
		j.report(CodeSaleNotAllowed, "the block was opened before")
	}
}

// sold asks that what is sold grows, within the block, and has one root.
func (j *judge) sold(h *History, now cover) {
	switch was := h.cover; {
	case now.sold > h.Seal.Entry.Size:
		j.report(CodeSalesGoBack, "%d of %d units cannot be sold", now.sold, h.Seal.Entry.Size)
	case was != nil && now.sold < was.sold:
		j.report(CodeSalesGoBack, "%d units were sold before, and now %d", was.sold, now.sold)
	case was != nil && now.sold == was.sold && now.root != was.root:
		j.report(CodeSalesGoBack, "%d sales have two roots", now.sold)
	}
}
