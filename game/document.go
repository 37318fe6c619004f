package game

import (
	"github.com/goccy/go-yaml/ast"

	"github.com/talonlottery/talon/money"
)

// gameDocument is the shape of games/<name>/game.yaml. docs/spec/definition.md explains each key.
type gameDocument struct {
	Kind       string          `yaml:"kind"`
	Name       string          `yaml:"name"`
	Titles     Text            `yaml:"titles"`
	Regulation regulationShape `yaml:"regulation"`
	Block      blockShape      `yaml:"block"`
	Stakes     []stakeShape    `yaml:"stakes"`
	Jackpot    string          `yaml:"jackpot"`
	Prizes     prizesShape     `yaml:"prizes"`
	Choice     *choiceShape    `yaml:"choice"`
	Mechanic   opaque          `yaml:"mechanic"` // decoded by the package of its kind
}

// opaque is a part of the file that is read elsewhere.
type opaque struct{}

// UnmarshalYAML leaves the part alone.
func (opaque) UnmarshalYAML(ast.Node) error { return nil }

type regulationShape struct {
	Title   string `yaml:"title"`
	Made    string `yaml:"made"`
	Opening string `yaml:"opening"`
	Article string `yaml:"article"`
}

type blockShape struct {
	Size    uint64 `yaml:"size"`
	Article string `yaml:"article"`
}

type stakeShape struct {
	Price   Figure      `yaml:"price"`
	Parts   []partShape `yaml:"parts"`
	Article string      `yaml:"article"`
}

type partShape struct {
	For     string `yaml:"for"`
	Amount  Figure `yaml:"amount"`
	Article string `yaml:"article"`
}

type prizesShape struct {
	Articles []string     `yaml:"articles"`
	Tiers    []tierShape  `yaml:"tiers"`
	Printed  printedShape `yaml:"printed"`
}

type tierShape struct {
	Count          uint64   `yaml:"count"`
	Amounts        []Figure `yaml:"amounts"`
	CumulativeOnly bool     `yaml:"cumulative_only"`
}

type printedShape struct {
	Count  uint64   `yaml:"count"`
	Totals []Figure `yaml:"totals"`
}

type choiceShape struct {
	Of      int    `yaml:"of"`
	Pick    int    `yaml:"pick"`
	Article string `yaml:"article"`
}

// jackpotDocument is the shape of a jackpot's definition.
type jackpotDocument struct {
	Kind       string          `yaml:"kind"`
	Name       string          `yaml:"name"`
	Titles     Text            `yaml:"titles"`
	Regulation regulationShape `yaml:"regulation"`
	Price      Figure          `yaml:"price"`
	Article    string          `yaml:"article"`
	Shares     sharesShape     `yaml:"shares"`
	Start      Figure          `yaml:"start"`
	OneIn      uint64          `yaml:"one_in"`
	Block      blockShape      `yaml:"block"`
}

type sharesShape struct {
	Pot      Figure `yaml:"pot"`
	Reserve  Figure `yaml:"reserve"`
	Operator Figure `yaml:"operator"`
}

func (d *gameDocument) definition() *Definition {
	definition := &Definition{
		Name: d.Name, Titles: d.Titles, Regulation: Regulation(d.Regulation), BlockSize: clamp(d.Block.Size),
		BlockArticle: d.Block.Article, Jackpot: d.Jackpot,
		Prizes: PrizeTable{Count: clamp(d.Prizes.Printed.Count), Totals: amounts(d.Prizes.Printed.Totals), Articles: d.Prizes.Articles},
	}
	for _, shape := range d.Stakes {
		stake := Stake{Price: money.Amount(shape.Price), Article: shape.Article}
		for _, part := range shape.Parts {
			stake.Parts = append(stake.Parts, Part{For: part.For, Amount: money.Amount(part.Amount), Article: part.Article})
		}
		if len(stake.Parts) == 0 {
			stake.Parts = []Part{{For: d.Name, Amount: stake.Price, Article: shape.Article}}
		}
		definition.Stakes = append(definition.Stakes, stake)
	}
	for _, shape := range d.Prizes.Tiers {
		definition.Prizes.Tiers = append(definition.Prizes.Tiers,
			Tier{Count: clamp(shape.Count), Amounts: amounts(shape.Amounts), CumulativeOnly: shape.CumulativeOnly})
	}
	if d.Choice != nil {
		definition.Choice = &Choice{Of: d.Choice.Of, Pick: d.Choice.Pick, Article: d.Choice.Article}
	}
	return definition
}

func (d *jackpotDocument) jackpot() *Jackpot {
	return &Jackpot{
		Name: d.Name, Titles: d.Titles, Price: money.Amount(d.Price),
		ToPot: money.Amount(d.Shares.Pot), ToReserve: money.Amount(d.Shares.Reserve), ToOperator: money.Amount(d.Shares.Operator),
		Start: money.Amount(d.Start), Odds: clamp(d.OneIn), BlockSize: clamp(d.Block.Size),
	}
}

// clamp keeps a count that is beyond every limit beyond them, so that the checks refuse it.
func clamp(n uint64) uint32 { return uint32(min(n, 1<<32-1)) }

func amounts(figures []Figure) []money.Amount {
	list := make([]money.Amount, len(figures))
	for at, figure := range figures {
		list[at] = money.Amount(figure)
	}
	return list
}
