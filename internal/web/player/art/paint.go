package art

import (
	"fmt"
	"strings"
)

// A paint is a gradient of two or three stops: light from the top left, or from within for the radial ones.
type paint struct {
	radial bool
	turned bool // lit from the bottom right: the inside of a rim
	stops  []string
}

// paints are the materials. Their names are the ids in a sprite, after "p-".
var paints = map[string]paint{
	"gold":       {stops: []string{"#fff2c2", "#efbd4c", "#a5650f"}},
	"gold-deep":  {stops: []string{"#f3c65f", "#c58422", "#7d480a"}},
	"gold-rim":   {turned: true, stops: []string{"#fff0ba", "#d79b33", "#7d480a"}},
	"gold-light": {stops: []string{"#fffbe8", "#ffe08a"}},
	"silver":     {stops: []string{"#ffffff", "#bcc7d1", "#64727f"}},
	"silver-rim": {turned: true, stops: []string{"#ffffff", "#9aa8b5", "#4a5763"}},
	"steel":      {stops: []string{"#dbe8f2", "#7e98ad", "#34495c"}},
	"copper":     {stops: []string{"#ffd9b8", "#d17a45", "#7a3415"}},
	"copper-rim": {turned: true, stops: []string{"#ffc79c", "#a95528", "#5f250c"}},
	"ruby":       {stops: []string{"#ff8d8b", "#cb2140", "#6c0a22"}},
	"ruby-deep":  {stops: []string{"#d83a52", "#8d1230", "#4b0516"}},
	"emerald":    {stops: []string{"#9af0b4", "#27a162", "#0b5333"}},
	"emerald-in": {radial: true, stops: []string{"#1f8a63", "#0d5a43", "#05291f"}},
	"azure":      {stops: []string{"#8fc3ff", "#2f6fd6", "#122f7c"}},
	"azure-deep": {stops: []string{"#4f8ce8", "#1f4fb0", "#0d2260"}},
	"ice":        {stops: []string{"#ffffff", "#b5e6fa", "#4fa6dd"}},
	"ice-mid":    {stops: []string{"#c9efff", "#6cbfec", "#2b78bd"}},
	"ice-deep":   {stops: []string{"#7cc9f2", "#2f83c8", "#154b8c"}},
	"plum":       {stops: []string{"#d984b4", "#932a66", "#4a0d33"}},
	"plum-deep":  {stops: []string{"#93336a", "#4a0d33", "#2b0519"}},
	"leather":    {stops: []string{"#e0a868", "#a5642c", "#5b3212"}},
	"leather-in": {radial: true, stops: []string{"#7a4317", "#3a1c07", "#1d0d03"}},
	"ham":        {stops: []string{"#ffc9bd", "#ea7a78", "#a3323f"}},
	"ham-skin":   {stops: []string{"#e29a62", "#a85a2c", "#66300f"}},
	"bone":       {stops: []string{"#fffdf4", "#ecdfc2", "#b49d70"}},
	"violet":     {stops: []string{"#b78dfa", "#6531c4", "#2e1072"}},
	"violet-in":  {radial: true, stops: []string{"#8f5ff0", "#5424b0", "#2a0e6b"}},
	"ivory":      {stops: []string{"#fffefa", "#f6ecd6", "#dcc9a0"}},
	"ink":        {stops: []string{"#52645c", "#22302a"}},
	"glow":       {radial: true, stops: []string{"#fff3c0", "#f0b93e", "#7a4317"}},
}

func (p paint) markup(id string) string {
	var b strings.Builder
	element := "linearGradient"
	switch {
	case p.radial:
		element = "radialGradient"
		fmt.Fprintf(&b, `<radialGradient id="%s" cx=".38" cy=".32" r=".75">`, id)
	case p.turned:
		fmt.Fprintf(&b, `<linearGradient id="%s" x1=".85" y1="1" x2=".15" y2="0">`, id)
	default:
		fmt.Fprintf(&b, `<linearGradient id="%s" x1=".15" y1="0" x2=".85" y2="1">`, id)
	}
	for i, colour := range p.stops {
		offset := 0.0
		if len(p.stops) > 1 {
			offset = float64(i) / float64(len(p.stops)-1)
		}
		fmt.Fprintf(&b, `<stop offset="%s" stop-color="%s"/>`, num(offset), colour)
	}
	fmt.Fprintf(&b, `</%s>`, element)
	return b.String()
}

// Outlines: one dark tone a material, so that a drawing reads on ivory and on velvet.
const (
	inkGold    = "#4f2e06"
	inkSilver  = "#2b3641"
	inkRuby    = "#41040f"
	inkEmerald = "#04301d"
	inkAzure   = "#0a1c4d"
	inkIce     = "#123f70"
	inkPlum    = "#2b0519"
	inkLeather = "#331a06"
	inkHam     = "#561420"
	inkViolet  = "#1c0748"
)
