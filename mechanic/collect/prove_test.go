package collect

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPieceDorEnumeration compares with the counts of two independent programs that are stated in
// the requirements, not with what this package once printed.
func TestPieceDorEnumeration(t *testing.T) {
	for _, factor := range []int64{1, 2, 4} {
		c, err := compile(pieceDor(factor))
		if err != nil {
			t.Fatal(err)
		}
		proof, err := c.Prove()
		if err != nil {
			t.Fatal(err)
		}
		var compositions, single []int64
		for _, tier := range proof.Tiers {
			compositions = append(compositions, tier.Compositions)
			single = append(single, tier.SingleReading)
			if want := tier.Prize == amount("7.5", factor); tier.CumulativeOnly != want {
				t.Errorf("%s: cumulative only %v", tier.Prize, tier.CumulativeOnly)
			}
			for _, w := range tier.Ways {
				t.Log(tier.Prize, w)
			}
		}
		if diff := cmp.Diff([]int64{42, 28, 22, 20, 55, 29, 79, 35}, compositions); diff != "" {
			t.Errorf("compositions (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]int64{26, 1, 13, 7, 34, 27, 79, 35}, single); diff != "" {
			t.Errorf("single readings (-want +got):\n%s", diff)
		}
		if proof.OffTable != 46 {
			t.Errorf("%d totals outside the table, want 46", proof.OffTable)
		}
		losing := proof.Losing
		if losing.Compositions != 1 || losing.Layouts != 22680 || losing.Examples[0] != "2 or, 1 croix, 2 etoile, 2 couronne, 2 piece-trouee" {
			t.Errorf("losing: %+v", losing)
		}
		if len(losing.Ways) != 1 || losing.Ways[0].Wild {
			t.Errorf("a losing layout holds a clover: %+v", losing.Ways)
		}
	}
}
