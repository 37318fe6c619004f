package vault

import (
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/custody"
)

// OpenUnbound opens units without the journal: what the cost of the journal is measured against.
func (v *Vault) OpenUnbound(ranges ...custody.Range) error {
	dealers := make([]*block.Dealer, len(ranges))
	for at := range ranges {
		var err error
		if dealers[at], err = v.dealerOf(ranges[at].Header); err != nil {
			return err
		}
	}
	return openRanges(dealers, ranges)
}
