package all

import (
	"fmt"
	"slices"

	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
)

// Check compiles and proves a definition at every stake. What it refuses is Invalid, with the place
// in the file; its own codes, beside those of the mechanics:
//
//   - tier_unreachable: no layout reads as the tier's prize;
//   - losing_unreachable: the block has losing units, but every layout wins;
//   - cumulative_only_untrue: the tier is said to be reached only by adding gains, and one gain makes
//     it, alone or multiplied;
//   - stakes_disagree: the tier is not won in the same ways at every stake, so that its amounts or
//     its gains do not scale together.
func Check(d *game.Definition) error {
	var first mechanic.Proof
	for stake := range d.Stakes {
		compiled, err := New(d, stake)
		if err != nil {
			return err
		}
		proof, err := compiled.Prove()
		if err != nil {
			return err
		}
		if stake == 0 {
			first = proof
		}
		if err := checkStake(d, stake, proof); err != nil {
			return err
		}
		if err := compare(d, stake, first, proof); err != nil {
			return err
		}
	}
	return nil
}

func checkStake(d *game.Definition, stake int, proof mechanic.Proof) error {
	if len(proof.Losing.Ways) == 0 && d.Prizes.Count < d.BlockSize {
		return d.Mechanic.Errorf("symbols", "losing_unreachable", "%d units of a block lose, but every layout wins something", d.BlockSize-d.Prizes.Count)
	}
	for i, tier := range proof.Tiers {
		path := fmt.Sprintf("prizes.tiers[%d]", i)
		if len(tier.Ways) == 0 {
			return d.File.Errorf(fmt.Sprintf("%s.amounts[%d]", path, stake), "tier_unreachable", "no layout wins exactly %s", tier.Prize)
		}
		if d.Prizes.Tiers[i].CumulativeOnly && !cumulative(tier) {
			return d.File.Errorf(path+".cumulative_only", "cumulative_only_untrue", "one gain makes %s without being added to another", tier.Prize)
		}
	}
	return nil
}

// cumulative reports whether every way of a tier adds gains.
func cumulative(tier mechanic.TierProof) bool {
	return !slices.ContainsFunc(tier.Ways, func(w mechanic.Way) bool { return len(w.Gains) < 2 })
}

// compare refuses a tier whose ways differ between the first stake and another.
func compare(d *game.Definition, stake int, first, proof mechanic.Proof) error {
	for i := range proof.Tiers {
		if !slices.EqualFunc(first.Tiers[i].Ways, proof.Tiers[i].Ways, sameWay) {
			return d.File.Errorf(fmt.Sprintf("prizes.tiers[%d].amounts[%d]", i, stake), "stakes_disagree",
				"%s is not won in the same ways as %s at the first stake: amounts and gains do not scale together", proof.Tiers[i].Prize, first.Tiers[i].Prize)
		}
	}
	return nil
}

func sameWay(a, b mechanic.Way) bool {
	return a.Wild == b.Wild && a.Multiplier == b.Multiplier && slices.Equal(a.Gains, b.Gains)
}
