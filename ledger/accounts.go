package ledger

import (
	"regexp"
	"strings"

	"github.com/talonlottery/talon/fault"
)

// Account is an account of the general ledger: a name of the chart, and for accounts kept a game or
// a jackpot a colon and its name, for instance "stakes:piece-dor".
type Account string

// Class says on which side of the books an account stands.
type Class string

// The classes.
const (
	Asset     Class = "asset"
	Liability Class = "liability"
	Income    Class = "income"
	Expense   Class = "expense"
)

// The accounts that are kept once.
const (
	PlayerFunds     Account = "player-funds" // what players may stake or withdraw
	PrizesDue       Account = "prizes-due"   // prizes above the threshold, until they are approved
	PlayMoneySource Account = "play-money"   // where the play money of a demonstration comes from
)

// Stakes is the income of a game's own part of its price.
func Stakes(game string) Account { return Account("stakes:" + game) }

// Prizes is what a game's units paid.
func Prizes(game string) Account { return Account("prizes:" + game) }

// JackpotPot is the pot of a jackpot: owed to whoever wins it.
func JackpotPot(jackpot string) Account { return Account("jackpot-pot:" + jackpot) }

// JackpotReserve is set aside for a jackpot's next starting amounts.
func JackpotReserve(jackpot string) Account { return Account("jackpot-reserve:" + jackpot) }

// JackpotShare is the operator's part of participations.
func JackpotShare(jackpot string) Account { return Account("jackpot-share:" + jackpot) }

// JackpotAdvances is what the operator advanced to starting amounts, to be repaid by the reserve.
func JackpotAdvances(jackpot string) Account { return Account("jackpot-advances:" + jackpot) }

// JackpotRounding is what the operator adds to a won pot so that it is paid in whole cents.
func JackpotRounding(jackpot string) Account { return Account("jackpot-rounding:" + jackpot) }

// entry is a line of the chart of accounts.
type entry struct {
	class Class
	named bool // kept a game or a jackpot
}

var chart = map[string]entry{
	"player-funds":     {Liability, false},
	"prizes-due":       {Liability, false},
	"play-money":       {Asset, false},
	"stakes":           {Income, true},
	"prizes":           {Expense, true},
	"jackpot-pot":      {Liability, true},
	"jackpot-reserve":  {Liability, true},
	"jackpot-share":    {Income, true},
	"jackpot-advances": {Asset, true},
	"jackpot-rounding": {Expense, true},
}

var accountName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Class says on which side of the books the account stands. It returns Invalid with code
// account_unknown for an account that is not in the chart.
func (a Account) Class() (Class, error) {
	head, name, named := strings.Cut(string(a), ":")
	found, ok := chart[head]
	if !ok || found.named != named || named && !accountName.MatchString(name) {
		return "", fault.New(fault.Invalid, "account_unknown", "%q is not in the chart of accounts", string(a)).
			Next("docs/accounts.md lists the chart")
	}
	return found.class, nil
}
