package receipt

import (
	"errors"
	"fmt"

	"github.com/talonlottery/talon/verify/internal/finding"
	"github.com/talonlottery/talon/verify/internal/merkle"
	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/publiclog"
	"github.com/talonlottery/talon/verify/internal/signednote"
)

// Result is what came of a receipt.
type Result struct {
	Outcome  string       `json:"outcome"` // complete, provisional or refused
	Findings finding.List `json:"findings"`

	// What the receipt says, when it is not refused.
	Receipt *Receipt         `json:"-"`
	Seal    *publiclog.Entry `json:"-"` // of the unit
}

// Verify verifies a receipt in the order of receipt.md and stops at the first failure.
func Verify(data []byte, keys signednote.Keys) Result {
	v := &verifier{}
	if err := v.verify(data, keys); err != nil {
		var failed *failure
		if !errors.As(err, &failed) {
			panic(err) // verify returns nothing else
		}
		return Result{Outcome: statusFailed, Findings: finding.List{finding.Finding(*failed)}}
	}
	result := Result{Outcome: statusWhole, Findings: finding.List{}, Receipt: v.receipt, Seal: v.unitSeal}
	if v.provisional {
		result.Outcome = statusPartly
	}
	return result
}

// failure is the finding that ends a verification.
type failure finding.Finding

func (f *failure) Error() string { return f.Code }

func fails(code, where, what string, arguments ...any) error {
	return &failure{code, where, fmt.Sprintf(what, arguments...)}
}

type verifier struct {
	receipt     *Receipt
	log         signednote.Checkpoint
	unitSeal    *publiclog.Entry
	provisional bool
}

func (v *verifier) verify(data []byte, keys signednote.Keys) error {
	r, err := Parse(data)
	if err != nil {
		return fails("receipt_malformed", "receipt", "%v", err)
	}
	v.receipt = r
	v.log, err = signednote.Open([]byte(r.Checkpoint), keys)
	if errors.Is(err, signednote.ErrCosignature) {
		return fails("cosignature_missing", "checkpoint", "%v", err)
	}
	if err != nil {
		return fails("checkpoint_signature_wrong", "checkpoint", "%v", err)
	}
	if v.unitSeal, err = v.part(kindUnit, &r.Unit); err != nil {
		return err
	}
	var participationSeal *publiclog.Entry
	if r.Participation != nil {
		if participationSeal, err = v.part(kindJackpot, r.Participation); err != nil {
			return err
		}
	}
	if err := v.win(participationSeal); err != nil {
		return err
	}
	if p := participationSeal; p != nil {
		if u := v.unitSeal; p.Block == u.Block || p.Game == u.Game || p.Definition == u.Definition {
			return fails("price_wrong", kindJackpot, "unit and participation are of one block, game or definition")
		}
	}
	return nil
}

// part makes steps 3 to 7 for a unit or a participation.
func (v *verifier) part(where string, p *Part) (*publiclog.Entry, error) {
	seal, err := publiclog.ParseEntry([]byte(p.Seal.Entry))
	if err != nil || seal.Kind != publiclog.KindSeal || !v.inLog(p.Seal) {
		return nil, fails("seal_not_in_log", where+".seal", "the entry is not a seal that the checkpoint's log holds at %d", p.Seal.Index)
	}
	leaves := notation.NewLeaves(seal.Block)
	leaf := leaves.Unit(p.Index, p.Prize, p.Layout, p.Salt)
	if !merkle.Included(leaf, p.Index, seal.Size, p.Path, seal.Root) {
		return nil, fails("inclusion_not_proven", where+".path", "unit %d, as it is told here, is not in block %s", p.Index, seal.Block)
	}
	// A participation is sold by the play of its unit.
	if where == kindUnit && v.receipt.Play != leaves.Play(p.Index, p.Salt) {
		return nil, fails("play_wrong", "play", "not the play of unit %d of block %s", p.Index, seal.Block)
	}
	if p.Sales == nil {
		v.provisional = true
		return seal, nil
	}
	sales, err := publiclog.ParseEntry([]byte(p.Sales.Entry))
	if err != nil || sales.Kind != publiclog.KindSales || sales.Block != seal.Block || !v.inLog(p.Sales.Proof) {
		return nil, fails("sale_not_in_log", where+".sales", "the entry is not one of the block's sales that the checkpoint's log holds at %d", p.Sales.Index)
	}
	sale := leaves.Sale(p.Index, v.receipt.Play, v.receipt.At)
	if !merkle.Included(sale, p.Index, sales.Sold, p.Sales.Path, sales.Root) {
		return nil, fails("sale_not_proven", where+".sales", "the sale of unit %d at this time is not among the first %d of block %s", p.Index, sales.Sold, seal.Block)
	}
	return seal, nil
}

// win makes step 8. The seal is the participation's, or nil.
func (v *verifier) win(seal *publiclog.Entry) error {
	r := v.receipt
	won := r.Participation != nil && len(r.Participation.Layout) == 1 && r.Participation.Layout[0] == winningByte
	if !won {
		if r.Win != nil {
			return fails("win_wrong", "win", "no participation of this receipt won")
		}
		return nil
	}
	if r.Win == nil {
		v.provisional = true
		return nil
	}
	e, err := publiclog.ParseEntry([]byte(r.Win.Entry))
	if err != nil || e.Kind != publiclog.KindJackpotWin || e.Block != seal.Block || e.Index != r.Participation.Index || !v.inLog(*r.Win) {
		return fails("win_wrong", "win", "the entry is not the win of this participation that the checkpoint's log holds at %d", r.Win.Index)
	}
	return nil
}

// inLog says whether the log of the checkpoint holds an entry where the proof says.
func (v *verifier) inLog(p Proof) bool {
	return merkle.Included(merkle.Leaf([]byte(p.Entry)), p.Index, v.log.Size, p.Path, v.log.Root)
}
