package block

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/talonlottery/talon/mechanic"
)

// traced notes the choices that a layout makes.
type traced struct {
	from *choices
	made []string
}

func (c *traced) Below(n uint32) uint32 {
	number := c.from.Below(n)
	c.made = append(c.made, fmt.Sprintf("%d of %d", number, n))
	return number
}

// workedExample is the example of the specification, by the second implementation.
func workedExample(t *testing.T) string {
	s := lune(t)
	r := s.reference()
	var text strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&text, format+"\n", arguments...) }
	commitment := r.commitment()
	line("block id     %x", r.id)
	line("secret       %x", r.secret)
	line("commitment   %x", commitment)
	line("shuffle key  %x", r.key("talon/shuffle/v1"))
	line("layout key   %x", r.key("talon/layout/v1"))
	line("salt key     %x", r.key("talon/salt/v1"))
	line("")
	words := make([]byte, 16)
	r.keystream("talon/shuffle/v1", 0, 0).XORKeyStream(words, words)
	line("shuffle keystream begins  %x", words)
	choose := &traced{from: r.choices("talon/shuffle/v1", 0)}
	for i := s.header.Size; i > 1; i-- {
		choose.Below(i)
	}
	line("choices                   %s", strings.Join(choose.made, ", "))
	line("tiers before              0 1 1 2 2 2 - - - - - -")
	line("tiers after               %s", marks(r.tiers))
	line("")
	var winner uint32
	for index, tier := range r.tiers {
		if tier == 0 {
			winner = uint32(index)
		}
	}
	u := r.unit(winner)
	words = make([]byte, 32)
	r.keystream("talon/layout/v1", uint64(winner), 0).XORKeyStream(words, words)
	line("unit %d, tier 0, prize 10 (100000 ten-thousandths)", winner)
	line("keystream begins  %x", words)
	choose = &traced{from: r.choices("talon/layout/v1", uint64(winner))}
	layout := make([]byte, r.mechanic.Cells())
	if err := r.mechanic.LayOut(layout, 0, choose); err != nil {
		t.Fatal(err)
	}
	line("choices           %s", strings.Join(choose.made, ", "))
	line("layout            %x", u.Layout)
	line("salt              %x", u.Salt)
	line("leaf data         %s", folded(hex.EncodeToString(r.leafData(u)), 18))
	line("leaf              %x", [32]byte(r.leaf(u)))
	line("play id           %x", r.playID(u))
	line("")
	root := r.root(t)
	line("root over 12 leaves                       %x", [32]byte(root))
	sale := referenceSaleLeaf(r.id, winner, [16]byte(r.playID(u)), 1_767_225_600_000)
	line("leaf of its sale at 2026-01-01T00:00:00Z  %x", [32]byte(sale))
	return text.String()
}

func marks(tiers []int) string {
	var marks []string
	for _, tier := range tiers {
		if tier == mechanic.Losing {
			marks = append(marks, "-")
		} else {
			marks = append(marks, fmt.Sprint(tier))
		}
	}
	return strings.Join(marks, " ")
}

// folded breaks a long text into lines of 64, indented.
func folded(text string, indent int) string {
	var lines []string
	for ; len(text) > 64; text = text[64:] {
		lines = append(lines, text[:64])
	}
	return strings.Join(append(lines, text), "\n"+strings.Repeat(" ", indent))
}

// TestSpecificationExample holds the worked example of the specification to the second implementation,
// which TestVectorsOfSmallBlocks compares with the package.
func TestSpecificationExample(t *testing.T) {
	specification, err := os.ReadFile("../docs/spec/block.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := workedExample(t); !strings.Contains(string(specification), "```text\n"+want+"```\n") {
		t.Errorf("docs/spec/block.md does not hold this worked example:\n%s", want)
	}
}
