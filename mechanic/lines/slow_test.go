package lines

// This file is a second reader of « Precius Aurus », written from articles 5.2 to 5.6 alone. It
// shares nothing with the package: it takes a square of words and follows the articles.

// gains of article 5.3, in euros.
var gains = map[string]int{
	"diamant": 10000, "trèfle": 5000, "bourse": 1000, "pièces d’or": 500, "étoile": 100,
	"clé": 50, "fer à cheval": 10, "chiffre sept": 5, "jambon": 1,
}

// coefficients of article 5.5.
var coefficients = map[string]int{"X2": 2, "X3": 3, "X4": 4, "X5": 5, "X10": 10}

const chance = "chance"

// square is the screen of article 5.2: four lines of four cells.
type square [4][4]string

// slowReader reads a square. Its fields break it on purpose.
type slowReader struct {
	twoChances   bool // two « chance » complete a line too
	servesOnce   bool // a « chance » serves only the first line through it
	firstOnly    bool // only the first winning line is paid
	noDiagonals  bool
	addsUp       bool // the coefficient is added, not multiplied
	chanceOfFour bool // a line of four « chance » or of three and a symbol wins as well
}

// aligned lists what article 5.3 calls aligned: horizontally, vertically, diagonally.
func (s slowReader) aligned() [][4][2]int {
	lines := make([][4][2]int, 0, 10)
	for i := range 4 {
		var across, down [4][2]int
		for j := range 4 {
			across[j], down[j] = [2]int{i, j}, [2]int{j, i}
		}
		lines = append(lines, across, down)
	}
	if s.noDiagonals {
		return lines
	}
	var falling, rising [4][2]int
	for i := range 4 {
		falling[i], rising[i] = [2]int{i, i}, [2]int{3 - i, i}
	}
	return append(lines, falling, rising)
}

// line is the gain of one line, and whether a « chance » completes it.
func (s slowReader) line(screen *square, cells [4][2]int) (gain int, completed bool) {
	symbol, identical, chances := "", 0, 0
	for _, cell := range cells {
		switch word := screen[cell[0]][cell[1]]; {
		case word == chance:
			chances++
		case symbol == "" || word == symbol:
			symbol = word
			identical++
		}
	}
	switch {
	case identical == 4, identical == 3 && chances == 1:
		return gains[symbol], chances == 1
	case s.twoChances && identical == 2 && chances == 2, s.chanceOfFour && identical == 1 && chances == 3:
		return gains[symbol], true
	default:
		return 0, false
	}
}

// read gives the prize in euros. possible is false where article 5.5 says that this cannot be
// discovered.
func (s slowReader) read(screen *square) (prize int, possible bool) {
	sum, served := 0, map[[2]int]bool{}
	for _, cells := range s.aligned() {
		gain, completed := s.line(screen, cells)
		if completed && s.servesOnce {
			for _, cell := range cells {
				if screen[cell[0]][cell[1]] == chance {
					if served[cell] {
						gain = 0
					}
					served[cell] = true
				}
			}
		}
		if s.firstOnly && sum > 0 {
			gain = 0
		}
		sum += gain
	}
	found, coefficient := 0, 1
	for _, row := range screen {
		for _, word := range row {
			if n := coefficients[word]; n > 0 {
				found, coefficient = found+1, n
			}
		}
	}
	if found > 1 || found == 1 && sum == 0 {
		return 0, false
	}
	if s.addsUp && found == 1 {
		return sum + coefficient, true
	}
	return sum * coefficient, true
}
