package publiclog_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/publiclog"
)

// story is a log that keeps the rules: block A without a ceremony sold out, block B withdrawn, block C of a
// ceremony with a beacon still on sale, block D given up and its place taken by E, block J of
// participations.
type story struct {
	entries []publiclog.Entry
	clock   time.Time
}

func (s *story) say(entry func(at time.Time) publiclog.Entry) {
	s.clock = s.clock.Add(time.Minute)
	s.entries = append(s.entries, entry(s.clock))
}

func pledge(party string) publiclog.Pledge {
	return publiclog.Pledge{Party: party, Commitment: digest("commitment of " + party)}
}

func seal(at time.Time, name string, position uint32) publiclog.Seal {
	return publiclog.Seal{At: at, Block: identifier(name), Game: "lune", Definition: digest("lune"), Price: money.Unit, Size: 12, Root: digest("root of " + name),
		Commitment: digest("commitment of " + name), Emission: 1, Position: position, By: "anna"}
}

func approval(at time.Time, name string) publiclog.Approval {
	return publiclog.Approval{At: at, Block: identifier(name), By: "bruno", Why: "seen"}
}

func sales(at time.Time, name string, sold uint32) publiclog.Sales {
	return publiclog.Sales{At: at, Block: identifier(name), Sold: sold, Root: digest(fmt.Sprint(name, sold))}
}

func withdrawal(at time.Time, name string, sold uint32) publiclog.Withdrawal {
	return publiclog.Withdrawal{At: at, Block: identifier(name), Sold: sold, Root: digest(fmt.Sprint(name, sold)), By: "anna", Why: "end"}
}

func opening(at time.Time, name string) publiclog.Opening {
	return publiclog.Opening{At: at, Block: identifier(name), Secret: filled(9)}
}

var beaconNamed = &publiclog.Beacon{Scheme: "bls-unchained-g1-rfc9380", Key: []byte{1, 2}, Round: 100}

// roundTime is the clock of the one beacon that is known: a round each minute.
func roundTime(b publiclog.Beacon) (time.Time, bool) {
	return noon.Add(time.Duration(b.Round) * time.Minute), len(b.Key) == 2
}

func tell() []publiclog.Entry {
	s := &story{clock: noon}
	s.say(func(at time.Time) publiclog.Entry {
		return publiclog.Definition{At: at, Name: "lune", Type: publiclog.TypeGame, Definition: digest("lune")}
	})
	s.say(func(at time.Time) publiclog.Entry {
		return publiclog.Definition{At: at, Name: "pot", Type: publiclog.TypeJackpot, Definition: digest("pot")}
	})
	s.say(func(at time.Time) publiclog.Entry {
		return publiclog.Emission{At: at, Emission: 1, Game: "lune", Blocks: 5}
	})
	s.say(func(at time.Time) publiclog.Entry {
		return publiclog.Emission{At: at, Emission: 2, Game: "pot", Blocks: 1}
	})
	s.say(func(at time.Time) publiclog.Entry { return seal(at, "A", 0) })
	s.say(func(at time.Time) publiclog.Entry { return seal(at, "B", 1) })
	s.say(func(at time.Time) publiclog.Entry {
		return publiclog.Ceremony{At: at, Block: identifier("C"), Emission: 1, Position: 2, Parties: []string{"operator", "notary"}, Beacon: beaconNamed}
	})
	s.say(func(at time.Time) publiclog.Entry {
		return publiclog.Ceremony{At: at, Block: identifier("D"), Emission: 1, Position: 3, Parties: []string{"operator"}}
	})
	for _, party := range []string{"notary", "operator"} {
		s.say(func(at time.Time) publiclog.Entry {
			return publiclog.Contribution{At: at, Block: identifier("C"), Party: party, Commitment: pledge(party).Commitment}
		})
	}
	s.say(func(at time.Time) publiclog.Entry {
		return publiclog.Abandonment{At: at, Block: identifier("D"), By: "anna", Why: "the operator was late"}
	})
	s.say(func(at time.Time) publiclog.Entry {
		c := seal(at, "C", 2)
		c.Contributions, c.Beacon = []publiclog.Pledge{pledge("operator"), pledge("notary")}, beaconNamed
		return c
	})
	s.say(func(at time.Time) publiclog.Entry { return seal(at, "E", 3) })
	s.say(func(at time.Time) publiclog.Entry {
		j := seal(at, "J", 0)
		j.Game, j.Definition, j.Emission, j.Price = "pot", digest("pot"), 2, 3*money.Cent
		return j
	})
	for _, name := range []string{"A", "C", "J"} {
		s.say(func(at time.Time) publiclog.Entry { return approval(at, name) })
	}
	s.say(func(at time.Time) publiclog.Entry { return sales(at, "A", 5) })
	s.say(func(at time.Time) publiclog.Entry { return sales(at, "C", 3) })
	s.say(func(at time.Time) publiclog.Entry { return sales(at, "A", 12) })
	s.say(func(at time.Time) publiclog.Entry { return withdrawal(at, "B", 0) })
	s.say(func(at time.Time) publiclog.Entry { return opening(at, "A") })
	s.say(func(at time.Time) publiclog.Entry { return opening(at, "B") })
	s.say(func(at time.Time) publiclog.Entry {
		return publiclog.JackpotWin{At: at, Jackpot: "pot", Block: identifier("J"), Index: 4, Amount: 10_000 * money.Unit, Since: 5}
	})
	s.say(func(at time.Time) publiclog.Entry { return sales(at, "J", 6) })
	s.say(func(at time.Time) publiclog.Entry { return sales(at, "J", 6) }) // nothing was sold since
	return s.entries
}

// follow gives the findings of a log, as "CODE at INDEX".
func follow(entries []publiclog.Entry) (*publiclog.Follower, []string) {
	f := &publiclog.Follower{RoundTime: roundTime}
	var found []string
	for index, entry := range entries {
		for _, finding := range f.Take(uint64(index), entry, nil) {
			if finding.Where != fmt.Sprintf("log entry %d", index) || finding.What == "" {
				found = append(found, finding.String())
			}
			found = append(found, fmt.Sprintf("%s at %d", finding.Code, index))
		}
	}
	return f, found
}

func TestStoryKeepsTheRules(t *testing.T) {
	entries := tell()
	f, found := follow(entries)
	if len(found) > 0 {
		t.Fatal(found)
	}
	if f.Next() != uint64(len(entries)) || len(f.Blocks()) != 6 || len(f.Definitions()) != 2 || len(f.Emissions()) != 2 || len(f.Ceremonies()) != 2 {
		t.Errorf("%d, %v, %v, %v, %v", f.Next(), f.Blocks(), f.Definitions(), f.Emissions(), f.Ceremonies())
	}
	if f.Definitions()[1].Index != 1 || f.Emissions()[1].Entry.Game != "pot" || f.Ceremonies()[1].Entry.Block != identifier("D") {
		t.Error("what was learned is not in the order of the log")
	}
	if d, ok := f.Definition(digest("pot")); !ok || d.Entry.Name != "pot" {
		t.Errorf("%v", d)
	}
	if e, ok := f.Emission(2); !ok || e.Index != 3 {
		t.Errorf("%v", e)
	}
	a := f.Block(identifier("A"))
	if a.Seal.Index != 4 || a.Approval == nil || len(a.Sales) != 2 || a.Withdrawal != nil || a.Opening == nil || !a.Ended() {
		t.Errorf("%+v", a)
	}
	if sold, root, known := a.Sold(); sold != 12 || root != digest("A12") || !known {
		t.Errorf("%d, %s, %v", sold, root, known)
	}
	c := f.Block(identifier("C"))
	if len(c.Contributions) != 2 || c.Ceremony == nil || c.Ended() || c.Seal.Entry.Header().Size != 12 {
		t.Errorf("%+v", c)
	}
	if _, _, known := f.Block(identifier("E")).Sold(); known || f.Block(identifier("X")) != nil {
		t.Error("more is known than was said")
	}
	if j := f.Block(identifier("J")); len(j.Wins) != 1 || len(j.Sales) != 2 {
		t.Errorf("%+v", j)
	}
	if d := f.Block(identifier("D")); d.Abandonment == nil || d.Seal != nil {
		t.Errorf("%+v", d)
	}
}

// broken logs: each differs from the story in one thing, and is caught for it and for nothing else.
func TestBrokenLogs(t *testing.T) {
	whole := tell()
	end := whole[len(whole)-1].When().Add(time.Minute)
	is := func(kind publiclog.Kind, name string) int {
		at := slices.IndexFunc(whole, func(e publiclog.Entry) bool { return e.Kind() == kind && named(e) == name })
		if at < 0 {
			t.Fatalf("no %s of %s", kind, name)
		}
		return at
	}
	add := func(entries ...publiclog.Entry) []publiclog.Entry { return append(slices.Clone(whole), entries...) }
	without := func(at int) []publiclog.Entry { return slices.Delete(slices.Clone(whole), at, at+1) }
	sealC := is(publiclog.KindSeal, "C")
	changeSeal := func(change func(*publiclog.Seal)) []publiclog.Entry {
		changed := slices.Clone(whole)
		s := changed[sealC].(publiclog.Seal)
		s.Contributions = slices.Clone(s.Contributions)
		change(&s)
		changed[sealC] = s
		return changed
	}
	insert := func(at int, entries ...publiclog.Entry) []publiclog.Entry {
		return slices.Insert(slices.Clone(whole), at, entries...)
	}
	n := len(whole)
	ceremony := func(name string, position uint32, change func(*publiclog.Ceremony)) publiclog.Ceremony {
		c := publiclog.Ceremony{At: end, Block: identifier(name), Emission: 1, Position: position, Parties: []string{"operator"}}
		if change != nil {
			change(&c)
		}
		return c
	}
	contribution := func(name, party string) publiclog.Contribution {
		return publiclog.Contribution{At: end, Block: identifier(name), Party: party}
	}
	sealed := func(name string, position uint32, change func(*publiclog.Seal)) publiclog.Seal {
		s := seal(end, name, position)
		if change != nil {
			change(&s)
		}
		return s
	}
	at := func(code string, index int) string { return fmt.Sprintf("%s at %d", code, index) }
	for _, test := range []struct {
		name    string
		entries []publiclog.Entry
		want    []string
	}{
		{"malformed", add(nil), []string{at("entry_malformed", n)}},
		{"definition never published", without(1), []string{at("definition_unknown", is(publiclog.KindSeal, "J")-1)}},
		{"another definition", add(sealed("F", 4, func(s *publiclog.Seal) { s.Definition = digest("another") })), []string{at("definition_unknown", n)}},
		{"emission never announced", add(sealed("F", 4, func(s *publiclog.Seal) { s.Emission = 3 })), []string{at("emission_unknown", n)}},
		{"another game", add(sealed("F", 4, func(s *publiclog.Seal) { s.Game = "pot" })), []string{at("emission_unknown", n)}},
		{"another stake", add(sealed("F", 4, func(s *publiclog.Seal) { s.Stake = 1 })), []string{at("emission_unknown", n)}},
		{"beyond the emission", add(sealed("F", 5, nil)), []string{at("emission_unknown", n)}},
		{"ceremony without emission", add(ceremony("F", 4, func(c *publiclog.Ceremony) { c.Emission = 9 })), []string{at("emission_unknown", n)}},
		{"ceremony beyond the emission", add(ceremony("F", 5, nil)), []string{at("emission_unknown", n)}},
		{"emission announced twice", add(publiclog.Emission{At: end, Emission: 1, Game: "lune", Blocks: 100}, sealed("F", 50, nil)),
			[]string{at("emission_unknown", n), at("emission_unknown", n+1)}},
		{"sealed twice", add(sealed("A", 4, nil)), []string{at("block_sealed_twice", n)}},
		{"drawn until it pleased", add(sealed("F", 0, nil)), []string{at("place_taken_twice", n)}},
		{"ceremony for a sealed place", add(ceremony("F", 0, nil)), []string{at("place_taken_twice", n)}},
		{"two ceremonies for a place", add(ceremony("F", 4, nil), ceremony("G", 4, nil)), []string{at("place_taken_twice", n+1)}},
		{"sealed past the ceremony of a place", add(ceremony("F", 4, nil), sealed("G", 4, nil)), []string{at("place_taken_twice", n+1)}},
		{"the ceremony of a sealed block is not given up", add(publiclog.Abandonment{At: end, Block: identifier("C"), By: "anna", Why: "x"}, sealed("F", 2, nil)),
			[]string{at("ceremony_wrong", n), at("place_taken_twice", n+1)}},
		{"two ceremonies of a block", add(ceremony("F", 4, nil), ceremony("F", 4, nil)), []string{at("ceremony_wrong", n+1), at("place_taken_twice", n+1)}},
		{"ceremony after the seal", add(ceremony("A", 4, nil)), []string{at("ceremony_wrong", n)}},
		{"ceremony taken up again", add(ceremony("D", 4, nil)), []string{at("ceremony_wrong", n)}},
		{"contribution without ceremony", add(contribution("F", "operator")), []string{at("ceremony_wrong", n)}},
		{"contribution after the seal", add(contribution("C", "operator")), []string{at("ceremony_wrong", n)}},
		{"contribution after the end", add(contribution("D", "operator")), []string{at("ceremony_wrong", n)}},
		{"contribution twice", insert(sealC, contribution("C", "operator")), []string{at("ceremony_wrong", sealC), at("time_goes_back", sealC+1)}},
		{"contribution of a stranger", add(ceremony("F", 4, nil), contribution("F", "stranger")), []string{at("ceremony_wrong", n+1)}},
		{"a contribution is missing in the log", without(is(publiclog.KindContribution, "C")), []string{at("ceremony_wrong", sealC-1)}},
		{"a contribution is missing in the seal", changeSeal(func(s *publiclog.Seal) { s.Contributions = s.Contributions[:1] }), []string{at("ceremony_wrong", sealC)}},
		{"contributions out of order", changeSeal(func(s *publiclog.Seal) { slices.Reverse(s.Contributions) }), []string{at("ceremony_wrong", sealC), at("ceremony_wrong", sealC)}},
		{"a contribution changed", changeSeal(func(s *publiclog.Seal) { s.Contributions[1].Commitment[0] ^= 1 }), []string{at("ceremony_wrong", sealC)}},
		{"the beacon is missing", changeSeal(func(s *publiclog.Seal) { s.Beacon = nil }), []string{at("ceremony_wrong", sealC)}},
		{"another round", changeSeal(func(s *publiclog.Seal) {
			s.Beacon = &publiclog.Beacon{Scheme: beaconNamed.Scheme, Key: beaconNamed.Key, Round: 101}
		}), []string{at("ceremony_wrong", sealC)}},
		{"another place than its ceremony", changeSeal(func(s *publiclog.Seal) { s.Position = 4 }), []string{at("ceremony_wrong", sealC)}},
		{"ceremony out of nothing", add(sealed("F", 4, func(s *publiclog.Seal) { s.Contributions = []publiclog.Pledge{pledge("operator")} })), []string{at("ceremony_wrong", n)}},
		{"beacon out of nothing", add(sealed("F", 4, func(s *publiclog.Seal) { s.Beacon = beaconNamed })), []string{at("ceremony_wrong", n)}},
		{"sealed after the end of its ceremony", add(sealed("D", 4, nil)), []string{at("ceremony_wrong", n)}},
		{"given up without ceremony", add(publiclog.Abandonment{At: end, Block: identifier("F"), By: "anna", Why: "x"}), []string{at("ceremony_wrong", n)}},
		{"given up twice", add(publiclog.Abandonment{At: end, Block: identifier("D"), By: "anna", Why: "x"}), []string{at("ceremony_wrong", n)}},
		{"round named too late", add(ceremony("F", 4, func(c *publiclog.Ceremony) {
			c.At, c.Beacon = noon.Add(200*time.Minute-29*time.Second), &publiclog.Beacon{Scheme: "s", Key: []byte{1, 2}, Round: 200}
		})), []string{at("ceremony_wrong", n)}},
		{"round named in time", add(ceremony("F", 4, func(c *publiclog.Ceremony) {
			c.At, c.Beacon = noon.Add(200*time.Minute-30*time.Second), &publiclog.Beacon{Scheme: "s", Key: []byte{1, 2}, Round: 200}
		})), nil},
		{"round of an unknown beacon", add(ceremony("F", 4, func(c *publiclog.Ceremony) { c.Beacon = &publiclog.Beacon{Scheme: "s", Key: []byte{1}, Round: 1} })), nil},
		{"approval of nothing", add(approval(end, "F")), []string{at("block_unknown", n)}},
		{"approval of a ceremony", add(approval(end, "D")), []string{at("block_unknown", n)}},
		{"sales of nothing", add(sales(end, "F", 1)), []string{at("block_unknown", n)}},
		{"win of nothing", add(publiclog.JackpotWin{At: end, Block: identifier("F")}), []string{at("block_unknown", n)}},
		{"withdrawal of nothing", add(withdrawal(end, "F", 0)), []string{at("block_unknown", n)}},
		{"opening of nothing", add(opening(end, "F")), []string{at("block_unknown", n)}},
		{"approved twice", add(approval(end, "C")), []string{at("approval_wrong", n)}},
		{"approved by whoever sealed", add(publiclog.Approval{At: end, Block: identifier("E"), By: "anna", Why: "x"}), []string{at("approval_wrong", n)}},
		{"approved after the opening", add(approval(end, "B")), []string{at("approval_wrong", n)}},
		{"sold without approval", add(sales(end, "E", 1)), []string{at("sale_not_allowed", n)}},
		{"withdrawn after sales without approval", add(withdrawal(end, "E", 1)), []string{at("sale_not_allowed", n)}},
		{"sold after the withdrawal", add(withdrawal(end, "C", 4), sales(end, "C", 4), sales(end, "C", 5)), []string{at("sale_not_allowed", n+2)}},
		{"sold after the opening", add(sales(end, "A", 12)), []string{at("sale_not_allowed", n)}},
		{"won after the opening", add(publiclog.JackpotWin{At: end, Block: identifier("A")}), []string{at("sale_not_allowed", n)}},
		{"withdrawn after the opening", add(withdrawal(end, "A", 12)), []string{at("sale_not_allowed", n)}},
		{"withdrawn twice", add(withdrawal(end, "C", 4), withdrawal(end, "C", 4)), []string{at("sale_not_allowed", n+1)}},
		{"sales go back", add(sales(end, "C", 2)), []string{at("sales_go_back", n)}},
		{"sales go back after the withdrawal", add(withdrawal(end, "C", 4), sales(end, "C", 3)), []string{at("sales_go_back", n+1)}},
		{"withdrawn with fewer sales", add(withdrawal(end, "C", 2)), []string{at("sales_go_back", n)}},
		{"one step back is one finding", add(sales(end, "C", 2), sales(end, "C", 4)), []string{at("sales_go_back", n)}},
		{"more than there are", add(sales(end, "C", 13), sales(end, "C", 4)), []string{at("sales_go_back", n)}},
		{"two roots", add(publiclog.Sales{At: end, Block: identifier("C"), Sold: 3, Root: digest("x")}), []string{at("sales_go_back", n)}},
		{"two roots, the withdrawal's", add(publiclog.Withdrawal{At: end, Block: identifier("C"), Sold: 3, Root: digest("x")}), []string{at("sales_go_back", n)}},
		{"opened too early", add(opening(end, "C")), []string{at("opened_too_early", n)}},
		{"opened before a sale", add(opening(end, "E")), []string{at("opened_too_early", n)}},
		{"opened twice", add(opening(end, "A")), []string{at("opened_too_early", n)}},
		{"time goes back", add(sales(end.Add(-time.Minute-10*time.Minute-time.Millisecond), "C", 3)), []string{at("time_goes_back", n)}},
		{"clocks differ", add(sales(end.Add(-time.Minute-10*time.Minute), "C", 3)), nil},
	} {
		if test.name == "contribution twice" { // one minute after the last entry would be a leap back for the next
			test.want = test.want[:1]
			c := test.entries[sealC].(publiclog.Contribution)
			c.At = test.entries[sealC-1].When()
			test.entries[sealC] = c
		}
		_, found := follow(test.entries)
		if difference := cmp.Diff(test.want, found); difference != "" {
			t.Errorf("%s:\n%s", test.name, difference)
		}
	}
}

func named(e publiclog.Entry) string {
	for _, name := range []string{"A", "B", "C", "D", "E", "J"} {
		id := identifier(name)
		switch e := e.(type) {
		case publiclog.Seal:
			if e.Block == id {
				return name
			}
		case publiclog.Contribution:
			if e.Block == id {
				return name
			}
		}
	}
	return ""
}

// Check changes nothing, and says what Take says.
func TestCheckForesees(t *testing.T) {
	for _, entries := range [][]publiclog.Entry{tell(), append(tell()[4:], tell()...)} {
		var f publiclog.Follower
		for index, entry := range entries {
			foreseen := f.Check(entry)
			if again := f.Check(entry); cmp.Diff(foreseen, again) != "" {
				t.Errorf("%v and %v", foreseen, again)
			}
			if found := f.Take(uint64(index), entry, nil); cmp.Diff(foreseen, found) != "" {
				t.Errorf("%v, but then %v", foreseen, found)
			}
		}
	}
}

// Any order of the story's entries that changes it between the entries of one block is caught, and
// none makes the follower fail.
func TestShuffledStories(t *testing.T) {
	whole := tell()
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.Permutation(whole).Draw(t, "order")
		f, found := follow(order)
		seals, opened := make(map[canon.Digest]int), 0
		for index, entry := range order {
			switch e := entry.(type) {
			case publiclog.Definition:
				seals[e.Definition] = index
			case publiclog.Seal:
				if _, published := seals[e.Definition]; !published && !slices.Contains(found, fmt.Sprintf("definition_unknown at %d", index)) {
					t.Errorf("a seal before its definition at %d was not found: %v", index, found)
				}
			case publiclog.Opening:
				opened++
			}
		}
		if f.Next() != uint64(len(whole)) || opened != 2 {
			t.Errorf("%d", f.Next())
		}
	})
}
