package publiclog

import "github.com/talonlottery/talon/block"

// About is the block that an entry is about, or zero for one that is about none.
func About(entry Entry) block.ID {
	switch e := entry.(type) {
	case Ceremony:
		return e.Block
	case Contribution:
		return e.Block
	case Abandonment:
		return e.Block
	case Seal:
		return e.Block
	case Approval:
		return e.Block
	case Sales:
		return e.Block
	case JackpotWin:
		return e.Block
	case Withdrawal:
		return e.Block
	case Opening:
		return e.Block
	}
	return block.ID{}
}
