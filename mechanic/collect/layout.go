package collect

import "github.com/talonlottery/talon/mechanic"

// LayOut fills dst with a layout of the tier; see the package documentation for the choices it
// makes. It does not allocate.
func (c *Collect) LayOut(dst []byte, tier int, choose mechanic.Chooser) error {
	o, err := c.outcome(tier)
	if err != nil {
		return err
	}
	cells := c.rules.cells
	if len(dst) != cells {
		return mechanic.NotFound(Kind, tier, "the place for the layout has not as many bytes as the unit has cells")
	}
	w := &o.ways[mechanic.Pick(o.weights, choose.Below(o.weights[len(o.weights)-1]))]
	at := mechanic.Pick(w.orders, choose.Below(w.total()))
	copy(dst, w.layouts[at*cells:])
	for i := cells - 1; i > 0; i-- {
		j := choose.Below(uint32(i + 1))
		dst[i], dst[j] = dst[j], dst[i]
	}
	return nil
}

// outcome finds a tier that can be laid out.
func (c *Collect) outcome(tier int) (*outcome, error) {
	switch {
	case tier == mechanic.Losing && len(c.losing.ways) > 0:
		return &c.losing, nil
	case tier == mechanic.Losing:
		return nil, mechanic.NotFound(Kind, tier, "every layout wins")
	case tier < 0 || tier >= len(c.tiers):
		return nil, mechanic.NotFound(Kind, tier, "there is no such tier")
	case len(c.tiers[tier].ways) == 0:
		return nil, mechanic.NotFound(Kind, tier, "no layout reads as its prize")
	default:
		return &c.tiers[tier], nil
	}
}
