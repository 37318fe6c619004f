package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/talonlottery/talon/verify/internal/beacon"
	"github.com/talonlottery/talon/verify/internal/deal"
	"github.com/talonlottery/talon/verify/internal/definition"
	"github.com/talonlottery/talon/verify/internal/finding"
	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/publiclog"
	"github.com/talonlottery/talon/verify/internal/signednote"
	"github.com/talonlottery/talon/verify/internal/source"
)

// Options are what a block is checked with.
type Options struct {
	Block notation.ID
	Keys  signednote.Keys

	// Progress is told what is being done, and how much of it. It may be nil.
	Progress func(what string, done, all uint64)
}

// Report is what was found, as publication.md, section 3, prints it. Money is in ten-thousandths of the currency unit.
type Report struct {
	Block        string       `json:"block"`
	Game         string       `json:"game"`
	Stake        uint64       `json:"stake"`
	Size         uint64       `json:"size"`
	Sold         int          `json:"sold"`
	PrizesSold   int64        `json:"prizes_sold"`
	PrizesUnsold int64        `json:"prizes_unsold"`
	Tiers        []Tier       `json:"tiers"`
	Findings     finding.List `json:"findings"`

	Wins int `json:"-"` // participations that were sold and win
}

// Tier is a line of the prize table with what was found of it.
type Tier struct {
	Amount int64 `json:"amount"`
	Table  int   `json:"table"`
	Dealt  int   `json:"dealt"`
	Sold   int   `json:"sold"`
}

// ErrNotOpen says that there is nothing to check: the log has no seal or no opening of the block.
var ErrNotOpen = errors.New("the block is not open in this log")

const definitionBytesMost = 1 << 20

// auditor is the audit of one block.
type auditor struct {
	ctx     context.Context
	source  source.Source
	options Options
	history history
	report  Report
}

// Block checks the log and then the block. An error says that the publication cannot be used.
func Block(ctx context.Context, s source.Source, options Options) (*Report, error) {
	if options.Progress == nil {
		options.Progress = func(string, uint64, uint64) {}
	}
	a := &auditor{ctx: ctx, source: s, options: options, history: history{id: options.Block}}
	a.report = Report{Block: options.Block.String(), Tiers: []Tier{}, Findings: finding.List{}}
	log, err := publiclog.Check(ctx, source.Below(s, "log"), publiclog.Options{
		Keys: options.Keys, Visit: a.history.visit,
		Progress: func(done, all uint64) { options.Progress("entries", done, all) },
	})
	if err != nil {
		return nil, err
	}
	a.report.Findings = append(a.report.Findings, log.Findings...)
	if a.history.seal == nil || a.history.opening == nil {
		if len(a.report.Findings) == 0 {
			return nil, ErrNotOpen
		}
		return &a.report, nil // the log's findings say why there is no more
	}
	return &a.report, a.check()
}

func (a *auditor) add(code, where, what string, arguments ...any) {
	a.report.Findings.Add(code, where, fmt.Sprintf(what, arguments...))
}

// check makes the steps in order. It goes on after a finding with what it has.
func (a *auditor) check() error {
	seal := a.history.seal
	a.report.Game, a.report.Stake, a.report.Size, a.report.Sold = seal.Game, seal.Stake, seal.Size, a.history.sold()
	d, err := a.definition()
	if err != nil {
		return err
	}
	a.secret()
	a.shares()
	a.derivable()
	var block *deal.Block
	if d != nil {
		block = a.shuffle(d)
	}
	p, err := a.pass(block)
	if err != nil {
		return err
	}
	if block != nil {
		a.tiers(block, p)
		a.wins(block, p)
	}
	return nil
}

// definition makes step 1. It is nil when there is none that can be read.
func (a *auditor) definition() (*definition.Definition, error) {
	seal := a.history.seal
	path := "definitions/" + seal.Definition.String() + ".json"
	data, err := source.ReadAll(a.ctx, a.source, path, definitionBytesMost)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		a.add("definition_missing", path, "the file is not there")
		return nil, nil
	case errors.Is(err, source.ErrTooLarge):
		a.add("definition_wrong", path, "%v", err)
		return nil, nil
	case err != nil:
		return nil, err
	}
	d, err := definition.Parse(data)
	switch {
	case notation.DefinitionHash(data) != seal.Definition:
		a.add("definition_wrong", path, "the file's hash is not the seal's")
	case err != nil:
		a.add("definition_wrong", path, "%v", err)
	case uint64(d.Size) != seal.Size:
		a.add("definition_wrong", path, "a block has %d units, the seal %d", d.Size, seal.Size)
	case d.Name != seal.Game:
		a.add("definition_wrong", path, "the name is %s, the seal's %s", d.Name, seal.Game)
	case seal.Stake >= uint64(len(d.Prices)) || uint64(d.Prices[seal.Stake]) != seal.Price:
		a.add("definition_wrong", path, "the price is not the seal's, or there is no stake %d", seal.Stake)
	}
	if err != nil {
		return nil, nil
	}
	return d, nil
}

// secret makes step 2.
func (a *auditor) secret() {
	if notation.SecretCommitment(a.history.id, a.history.opening.Secret) != a.history.seal.Commitment {
		a.add("commitment_wrong", "opening", "the secret is not the one that the seal commits to")
	}
}

// shares makes step 3.
func (a *auditor) shares() {
	seal, opening := a.history.seal, a.history.opening
	if len(seal.Contributions) == 0 && seal.Beacon == nil {
		return
	}
	wrong := ""
	if len(opening.Shares) != len(seal.Contributions) {
		wrong = "the opening has not one share of each party"
	}
	for i, c := range seal.Contributions {
		if wrong != "" {
			break
		}
		if s := opening.Shares[i]; s.Party != c.Party || notation.ShareCommitment(a.history.id, c.Party, s.Share) != c.Commitment {
			wrong = "the share of " + c.Party + " is not the one that was committed to"
		}
	}
	if wrong != "" {
		a.add("share_wrong", "opening", "%s", wrong)
	}
	var randomness []byte
	if b := seal.Beacon; b != nil {
		if b.Scheme != beacon.Scheme || !beacon.Verify([]byte(b.Key), b.Round, opening.Signature) {
			a.add("beacon_wrong", "opening", "the signature is missing or not that of round %d", b.Round)
		}
		r := beacon.Randomness(opening.Signature)
		randomness = r[:]
	}
	// With a share or the signature missing there is nothing to mix.
	missing := len(opening.Shares) != len(seal.Contributions) || (seal.Beacon != nil && len(opening.Signature) == 0)
	if !missing && notation.MixSecret(a.history.id, opening.Shares, randomness) != opening.Secret {
		a.add("mix_wrong", "opening", "the secret is not the mix of the shares")
	}
}

// derivable makes step 4.
func (a *auditor) derivable() {
	if a.history.derivable(a.history.opening.Secret) {
		a.add("secret_derivable", "opening", "the secret follows from what was published before the seal")
	}
	for _, s := range a.history.opening.Shares {
		if a.history.derivable(s.Share) {
			a.add("secret_derivable", "opening", "the share of %s follows from what was published before the seal", s.Party)
		}
	}
}

// shuffle begins step 5. It is nil when the block cannot be dealt.
func (a *auditor) shuffle(d *definition.Definition) *deal.Block {
	seal := a.history.seal
	if seal.Size != uint64(d.Size) || seal.Stake >= uint64(len(d.Prices)) {
		return nil // definition_wrong was found: these units are not the definition's
	}
	block, err := deal.New(a.history.id, a.history.opening.Secret, d, int(seal.Stake), d.Size)
	if errors.Is(err, deal.ErrTable) {
		a.add("prizes_not_table", "definition", "%v", err)
		return nil
	}
	if err != nil {
		a.add("definition_wrong", "definition", "no block can be dealt from it: %v", err)
		return nil
	}
	return block
}

// tiers ends step 5 and fills the report.
func (a *auditor) tiers(block *deal.Block, p *pass) {
	for i, t := range block.Definition.Tiers {
		amount, dealt, sold := block.Definition.Prize(i, block.Stake), p.dealt[i+1], p.sold[i+1]
		a.report.Tiers = append(a.report.Tiers, Tier{amount, t.Count, dealt, sold})
		a.report.PrizesSold += amount * int64(sold)
		a.report.PrizesUnsold += amount * int64(dealt-sold)
		if dealt != t.Count {
			a.add("prizes_not_table", fmt.Sprintf("tier %d", i), "%d dealt, %d in the table", dealt, t.Count)
		}
	}
}

// wins makes step 9.
func (a *auditor) wins(block *deal.Block, p *pass) {
	won := map[uint64]bool{}
	for _, index := range p.winners {
		if index < a.report.Sold {
			won[uint64(index)] = true
		}
	}
	a.report.Wins = len(won)
	told := map[uint64]bool{}
	for _, e := range a.history.wins {
		where := fmt.Sprintf("participation %d", e.Index)
		switch {
		case !won[e.Index]:
			a.add("win_wrong", where, "it does not win, or was not sold")
		case told[e.Index]:
			a.add("win_wrong", where, "a second entry")
		case e.Jackpot != block.Definition.Name:
			a.add("win_wrong", where, "it is one of %s", block.Definition.Name)
		default:
			if pot, ok := block.Definition.Jackpot.Pot(e.Since); !ok || uint64(pot) != e.Amount {
				a.add("win_wrong", where, "%d is not the pot after %d participations", e.Amount, e.Since)
			}
		}
		told[e.Index] = true
	}
	for _, index := range p.winners {
		if index < a.report.Sold && !told[uint64(index)] {
			a.add("win_missing", fmt.Sprintf("participation %d", index), "it was sold and wins")
		}
	}
}
