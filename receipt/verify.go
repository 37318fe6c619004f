package receipt

import (
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/publiclog"
)

// Outcome is what a receipt was found to be.
type Outcome string

// The outcomes.
const (
	Complete    Outcome = "complete"    // everything holds
	Provisional Outcome = "provisional" // everything that is there holds, and the log does not tell of the sale or the win yet
	Refused     Outcome = "refused"     // the error says why
)

// Verify checks a receipt with the operator's public key, and asks for a cosignature of each of the
// witnesses. A receipt that fails is Refused, and the error is Corrupt with the code of the first step
// of docs/spec/receipt.md that fails: checkpoint_signature_wrong, cosignature_missing,
// seal_not_in_log, inclusion_not_proven, play_wrong, sale_not_in_log, sale_not_proven, win_wrong,
// price_wrong.
func Verify(r *Receipt, key publiclog.Key, witnesses ...publiclog.Key) (Outcome, error) {
	checkpoint, err := publiclog.OpenCheckpoint([]byte(r.Checkpoint), key, witnesses, len(witnesses))
	if err != nil {
		return Refused, err
	}
	v := verifier{receipt: r, log: checkpoint}
	seal, err := v.part(&r.Unit, nil)
	if err != nil {
		return Refused, err
	}
	provisional := r.Unit.Sales == nil
	if r.Participation != nil {
		participation, err := v.part(r.Participation, &seal)
		if err == nil {
			err = v.win(&participation)
		}
		if err == nil {
			err = v.kinship(&seal, &participation)
		}
		if err != nil {
			return Refused, err
		}
		provisional = provisional || r.Participation.Sales == nil || r.Participation.wins() && r.Win == nil
	} else if r.Win != nil {
		return Refused, failed("win_wrong", "there is a win without a participation")
	}
	if provisional {
		return Provisional, nil
	}
	return Complete, nil
}

// VerifyText is [Parse] and [Verify].
func VerifyText(text []byte, key publiclog.Key, witnesses ...publiclog.Key) (Outcome, error) {
	r, err := Parse(text)
	if err != nil {
		return Refused, err
	}
	return Verify(r, key, witnesses...)
}

func failed(code, format string, arguments ...any) error {
	return fault.New(fault.Corrupt, code, format, arguments...).
		Next("keep the file as it is; it is evidence against whoever made it")
}

type verifier struct {
	receipt *Receipt
	log     publiclog.Checkpoint
}

// inLog reports whether the log's root commits to an entry, and reads it.
func inLog[E publiclog.Entry](v *verifier, l *Logged) (entry E, ok bool) {
	parsed, err := publiclog.Parse([]byte(l.Entry))
	if err != nil {
		return entry, false
	}
	entry, ok = parsed.(E)
	leaf := publiclog.Leaf([]byte(l.Entry))
	return entry, ok && publiclog.VerifyInclusion(v.log.Root, v.log.Size, l.Index, leaf, l.Path) == nil
}

// part takes steps 3 to 7. The unit's seal is nil for the unit itself.
func (v *verifier) part(p *Part, unit *publiclog.Seal) (publiclog.Seal, error) {
	name := "the unit"
	if unit != nil {
		name = "the participation"
	}
	seal, ok := inLog[publiclog.Seal](v, &p.Seal)
	if !ok {
		return seal, failed("seal_not_in_log", "the seal of %s's block is not proven to be in the public log", name)
	}
	if p.Index >= uint64(seal.Size) {
		return seal, failed("inclusion_not_proven", "%s is outside its block of %d", name, seal.Size)
	}
	u := p.unit()
	header := seal.Header()
	if block.VerifyInclusion(seal.Root, seal.Size, u.Index, header.Leaf(&u), p.Path) != nil {
		return seal, failed("inclusion_not_proven", "%s is not what was sealed at its place in its block", name)
	}
	if unit == nil && v.receipt.Play != header.PlayID(&u) {
		return seal, failed("play_wrong", "the play is not that of the unit")
	}
	if p.Sales == nil {
		return seal, nil
	}
	return seal, v.sale(p, &seal, name)
}

func (v *verifier) sale(p *Part, seal *publiclog.Seal, name string) error {
	sales, ok := inLog[publiclog.Sales](v, &p.Sales.Logged)
	if !ok || sales.Block != seal.Block {
		return failed("sale_not_in_log", "an entry that tells of the sale of %s is not proven to be in the public log", name)
	}
	leaf := block.SaleLeaf(seal.Block, uint32(p.Index), v.receipt.Play, v.receipt.At)
	if publiclog.VerifyInclusion(sales.Root, uint64(sales.Sold), p.Index, leaf, p.Sales.Path) != nil {
		return failed("sale_not_proven", "%s was not sold at its place, to this play, at this time", name)
	}
	return nil
}

// win takes step 8.
func (v *verifier) win(seal *publiclog.Seal) error {
	r := v.receipt
	switch {
	case r.Win == nil:
		return nil
	case !r.Participation.wins():
		return failed("win_wrong", "there is a win of a participation that does not win")
	}
	win, ok := inLog[publiclog.JackpotWin](v, r.Win)
	if !ok || win.Block != seal.Block || uint64(win.Index) != r.Participation.Index {
		return failed("win_wrong", "the win of the participation is not proven to be in the public log")
	}
	return nil
}

// kinship takes step 9: two parts of one block are one part told twice.
func (v *verifier) kinship(unit, participation *publiclog.Seal) error {
	if unit.Block == participation.Block || unit.Game == participation.Game || unit.Definition == participation.Definition {
		return failed("price_wrong", "unit and participation are of one block or one game")
	}
	return nil
}
