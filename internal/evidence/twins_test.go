package evidence

import (
	"context"
	"slices"
	"testing"

	"github.com/talonlottery/talon/entropy"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/mechanic"
)

// keystream is Talon's own stream for the twins that misuse it.
func keystream(key byte, start int) *entropy.Stream {
	return entropy.NewStream(entropy.NewCipher(entropy.KeyFromBytes([32]byte{key, 1, 2, 3})), uint64(start))
}

// narrow takes a remainder of a word of so many bits, and rejects nothing.
type narrow struct {
	stream *entropy.Stream
	bits   int
}

func (n narrow) Below(limit uint32) uint32 { return n.stream.Uint32() >> (32 - n.bits) % limit }

// fisherYates by any choices.
func fisherYates(order []uint8, choose mechanic.Chooser) {
	for i := len(order) - 1; i > 0; i-- {
		j := choose.Below(uint32(i + 1))
		order[i], order[j] = order[j], order[i]
	}
}

// properly shuffles and lays out as the specification says, with a key a block and use.
func properly(t *testing.T, d *game.Definition) *generator {
	g := honest(t, d, 0)
	g.shuffle = func(number int, order []uint8) { fisherYates(order, keystream(byte(2*number), 0)) }
	g.chooser = func(number, index int) mechanic.Chooser { return keystream(byte(2*number+1), index) }
	return g
}

// TestBrokenGenerators breaks one part of a generator at a time. Each must be refused by a test that
// names the defect; the generator that is not broken must pass, by the same harness.
func TestBrokenGenerators(t *testing.T) {
	const size = 20_000
	piece := func(t *testing.T) *game.Definition { return smallPiece(t, size) }
	for _, twin := range []struct {
		name   string
		game   func(t *testing.T) *game.Definition
		blocks int
		spoil  func(g *generator)
		found  []string // tests of the plan, each of which must refuse it
	}{
		{name: "none of it broken", game: piece, blocks: 16},
		{name: "none of it broken, lines", game: func(t *testing.T) *game.Definition { return smallPrecius(t, size) }, blocks: 6},
		{name: "none of it broken, many small blocks", game: func(t *testing.T) *game.Definition { return smallPiece(t, 2000) }, blocks: 100},
		{
			name: "every place is exchanged with any place", game: piece, blocks: 6, found: []string{"positions", "halves"},
			spoil: func(g *generator) {
				g.shuffle = func(number int, order []uint8) {
					choose := keystream(byte(2*number), 0)
					for i := range order {
						j := choose.Below(uint32(len(order)))
						order[i], order[j] = order[j], order[i]
					}
				}
			},
		},
		{
			name: "the remainder of a small word, in the shuffle", game: piece, blocks: 6, found: []string{"positions"},
			spoil: func(g *generator) {
				g.shuffle = func(number int, order []uint8) { fisherYates(order, narrow{keystream(byte(2*number), 0), 16}) }
			},
		},
		{
			name: "the remainder of a small word, in the layouts", game: piece, blocks: 40, found: []string{"symbols a cell"},
			spoil: func(g *generator) {
				g.chooser = func(number, index int) mechanic.Chooser { return small8{keystream(byte(2*number+1), index)} }
			},
		},
		{
			name: "the first step of the shuffle is skipped", game: func(t *testing.T) *game.Definition { return smallPiece(t, 2000) }, blocks: 100,
			found: []string{"edges"},
			spoil: func(g *generator) {
				g.shuffle = func(number int, order []uint8) { fisherYates(order[:len(order)-1], keystream(byte(2*number), 0)) }
			},
		},
		{
			name: "top prizes in the second half", game: piece, blocks: 16, found: []string{"halves"},
			spoil: func(g *generator) {
				shuffle := g.shuffle
				g.shuffle = func(number int, order []uint8) {
					shuffle(number, order)
					for top := range uint8(2) {
						if at := slices.Index(order, top); at < len(order)/2 {
							order[at], order[at+len(order)/2] = order[at+len(order)/2], order[at]
						}
					}
				}
			},
		},
		{
			name: "no two prizes next to each other", game: piece, blocks: 3, found: []string{"runs", "serial", "gaps", "neighbours"},
			spoil: func(g *generator) {
				shuffle := g.shuffle
				g.shuffle = func(number int, order []uint8) {
					shuffle(number, order)
					for i := 1; i+2 < len(order); i++ {
						if order[i-1] != Lost && order[i] != Lost && order[i+1] == Lost {
							order[i], order[i+1] = order[i+1], order[i]
						}
					}
				}
			},
		},
		{
			name: "two units share a layout's stream", game: piece, blocks: 3, found: []string{"equal layouts", "successive layouts"},
			spoil: func(g *generator) {
				g.chooser = func(number, index int) mechanic.Chooser { return keystream(byte(2*number+1), index/2) }
			},
		},
		{
			name: "layouts come again after a thousand", game: piece, blocks: 3, found: []string{"equal layouts"},
			spoil: func(g *generator) {
				g.chooser = func(number, index int) mechanic.Chooser { return keystream(byte(2*number+1), index%1000) }
			},
		},
		{
			name: "layouts go with the index", game: piece, blocks: 3, found: []string{"symbols by position"},
			spoil: func(g *generator) {
				g.chooser = func(number, index int) mechanic.Chooser {
					return leaning{keystream(byte(2*number+1), index), index > size*4/5}
				}
			},
		},
		{
			name: "the same layout key for neighbouring blocks", game: piece, blocks: 6, found: []string{"equal layouts, same index"},
			spoil: func(g *generator) {
				g.chooser = func(number, index int) mechanic.Chooser { return keystream(byte(number/2), index) }
			},
		},
		{
			name: "the same layout key for neighbouring blocks, lines", game: func(t *testing.T) *game.Definition { return smallPrecius(t, size) }, blocks: 4,
			found: []string{"equal layouts, same index"},
			spoil: func(g *generator) {
				g.chooser = func(number, index int) mechanic.Chooser { return keystream(byte(number/2), index) }
			},
		},
		{
			name: "the same shuffle key for neighbouring blocks", game: piece, blocks: 6, found: []string{"same index, prizes", "same index, classes"},
			spoil: func(g *generator) {
				g.shuffle = func(number int, order []uint8) { fisherYates(order, keystream(byte(number/2), 0)) }
			},
		},
		{
			name: "one key for the stakes' blocks a round apart", game: piece, blocks: 6, found: []string{"same index, prizes"},
			spoil: func(g *generator) {
				g.shuffle = func(number int, order []uint8) { fisherYates(order, keystream(byte(number%3), 0)) }
			},
		},
		{
			name: "a choice that is seldom zero", game: piece, blocks: 6, found: []string{"ways", "compositions"},
			spoil: func(g *generator) {
				g.chooser = func(number, index int) mechanic.Chooser { return shy{keystream(byte(2*number+1), index)} }
			},
		},
		{
			name: "a losing layout that tells of the next unit", game: piece, blocks: 6, found: []string{"telling the next"},
			spoil: func(g *generator) {
				var order []uint8
				shuffle := g.shuffle
				g.shuffle = func(number int, o []uint8) { shuffle(number, o); order = o }
				g.chooser = func(number, index int) mechanic.Chooser {
					return leaning{keystream(byte(2*number+1), index), index+1 < size && order[index+1] != Lost}
				}
			},
		},
	} {
		t.Run(twin.name, func(t *testing.T) {
			t.Parallel()
			g := properly(t, twin.game(t))
			if twin.spoil != nil {
				twin.spoil(g)
			}
			part, err := planOf(t, g.definition, twin.blocks).Examine(t.Context(), g.deal, nil)
			if err != nil {
				t.Fatal(err)
			}
			refuses(t, part, twin.found)
		})
	}
}

// small8 takes a remainder of a byte where a byte is enough.
type small8 struct{ stream *entropy.Stream }

func (s small8) Below(n uint32) uint32 {
	if n > 64 {
		return s.stream.Below(n)
	}
	return narrow{s.stream, 8}.Below(n)
}

// leaning prefers zero a little, while it leans.
type leaning struct {
	stream *entropy.Stream
	leans  bool
}

func (l leaning) Below(n uint32) uint32 {
	x := l.stream.Below(n)
	if l.leans && l.stream.Below(8) == 0 {
		return 0
	}
	return x
}

// shy takes a second number in place of most zeros.
type shy struct{ stream *entropy.Stream }

func (s shy) Below(n uint32) uint32 {
	if x := s.stream.Below(n); x > n/8 {
		return x
	}
	return s.stream.Below(n)
}

func refuses(t *testing.T, part Part, found []string) {
	t.Helper()
	report := Judge("", part)
	if len(found) == 0 && report.Refused > 0 {
		t.Errorf("%d tests refused a generator that is not broken", report.Refused)
	}
	for _, result := range part.Results {
		if result.Refused {
			t.Logf("%s, %s: p = %.2g", result.Test, result.Of, result.P)
		}
	}
	for _, name := range found {
		if !slices.ContainsFunc(part.Results, func(r Result) bool { return r.Test == name && r.Refused }) {
			t.Errorf("%q did not refuse it", name)
		}
	}
}

// TestBrokenDraws breaks the draws of participations.
func TestBrokenDraws(t *testing.T) {
	const size, odds, blocks = 100_000, 500, 8
	jackpot, err := games.Jackpot("super-jackpot")
	if err != nil {
		t.Fatal(err)
	}
	few := *jackpot
	few.BlockSize = size
	for _, twin := range []struct {
		name  string
		wins  func(stream *entropy.Stream, index int) bool
		found []string
	}{
		{"none of it broken", func(s *entropy.Stream, _ int) bool { return s.Below(odds) == 0 }, nil},
		{"wins with a period", func(s *entropy.Stream, i int) bool { return (i+77)%odds == 0 }, []string{"gaps"}},
		{"wins with a period, and some that jump", func(s *entropy.Stream, i int) bool {
			return s.Below(2) == 0 && (i+77)%odds == 0 || s.Below(2*odds) == 0
		}, []string{"remainders"}},
		{"a fifth too many", func(s *entropy.Stream, _ int) bool { return s.Below(odds*10) < 12 }, []string{"wins"}},
		{"none after a win for a while", func(s *entropy.Stream, i int) bool { return i%odds > odds/2 && s.Below(odds/2) == 0 }, []string{"gaps"}},
	} {
		t.Run(twin.name, func(t *testing.T) {
			t.Parallel()
			plan, err := ForParticipations(&few, odds, blocks)
			if err != nil {
				t.Fatal(err)
			}
			deal := func(number int, into *Block) {
				stream := keystream(byte(number), 0)
				into.Tiers = into.Tiers[:0]
				for i := range size {
					tier := uint8(Lost)
					if twin.wins(stream, i) {
						tier = 0
					}
					into.Tiers = append(into.Tiers, tier)
				}
			}
			part, err := plan.Examine(t.Context(), func(_ context.Context, number int, into *Block) error {
				deal(number, into)
				return nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			refuses(t, part, twin.found)
		})
	}
}
