package collect

import "github.com/talonlottery/talon/mechanic"

// counts says how often each symbol occurs, by code.
type counts [SymbolsMost]uint8

// ranking numbers compositions from 0 on, in the order of their counts. The number is the sum of one
// table entry a symbol, so that a layout is ranked without a search.
type ranking struct {
	cells   int
	symbols int
	wild    int // code, or none
	size    int // number of compositions
	// before[k][left][n] is the number of compositions that come before n of symbol k, when left
	// cells are left for the symbols from k on.
	before [SymbolsMost][CellsMost + 1][CellsMost + 1]uint32
}

// bitsEach is the width of a count packed into 64 bits: 12 symbols of 5 bits.
const bitsEach = 5

// newRanking prepares the tables. It reports false when there are more than CompositionsMost.
func newRanking(cells, symbols, wild int) (*ranking, bool) {
	r := &ranking{cells: cells, symbols: symbols, wild: wild}
	// fill[k][left]: compositions of left cells with the symbols from k on.
	var fill [SymbolsMost + 1][CellsMost + 1]int
	fill[symbols][0] = 1
	for k := symbols - 1; k >= 0; k-- {
		for left := range cells + 1 {
			for n := 0; n <= r.most(k, left); n++ {
				r.before[k][left][n] = uint32(fill[k][left])
				fill[k][left] += fill[k+1][left-n]
			}
			if fill[k][left] > CompositionsMost {
				return nil, false
			}
		}
	}
	r.size = fill[0][cells]
	return r, true
}

// most is how many cells of left may show symbol k: a unit has one wild at most.
func (r *ranking) most(k, left int) int {
	if k == r.wild {
		return min(left, 1)
	}
	return left
}

// pack counts the symbols of a layout. It reports false when the layout is malformed.
func (r *ranking) pack(layout []byte) (packed uint64, ok bool) {
	if len(layout) != r.cells {
		return 0, false
	}
	for _, code := range layout {
		if int(code) >= r.symbols {
			return 0, false
		}
		packed += 1 << (bitsEach * code)
	}
	if r.wild != none && packed>>(bitsEach*uint(r.wild))&(1<<bitsEach-1) > 1 {
		return 0, false
	}
	return packed, true
}

// of is the rank of a packed composition.
func (r *ranking) of(packed uint64) (rank uint32) {
	left := uint64(r.cells)
	for k := range r.symbols {
		n := packed & (1<<bitsEach - 1)
		rank += r.before[k][left][n]
		left -= n
		packed >>= bitsEach
	}
	return rank
}

// each calls visit with every composition, in the order of their ranks.
func (r *ranking) each(visit func(rank int, composition counts) error) error {
	rank := 0
	var composition counts
	var walk func(k, left int) error
	walk = func(k, left int) error {
		if k == r.symbols {
			if left > 0 {
				return nil
			}
			rank++
			return visit(rank-1, composition)
		}
		for n := 0; n <= r.most(k, left); n++ {
			composition[k] = uint8(n)
			if err := walk(k+1, left-n); err != nil {
				return err
			}
		}
		composition[k] = 0
		return nil
	}
	return walk(0, r.cells)
}

// explain says what is wrong with a layout that pack refused.
func (r *ranking) explain(layout []byte) error {
	if len(layout) != r.cells {
		return mechanic.Malformed("%d cells where %d are expected", len(layout), r.cells)
	}
	for cell, code := range layout {
		if int(code) >= r.symbols {
			return mechanic.Malformed("cell %d has code %d; codes go up to %d", cell, code, r.symbols-1)
		}
	}
	return mechanic.Malformed("more than one wild")
}
