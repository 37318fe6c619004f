package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/cloudflare/circl/sign/bls"

	"github.com/talonlottery/talon/verify/internal/beacon"
	"github.com/talonlottery/talon/verify/internal/fixture"
	"github.com/talonlottery/talon/verify/internal/merkle"
	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/publiclog"
)

func TestSecretDerivable(t *testing.T) {
	honest := fixture.New()
	id := honest.Game.ID
	hash := notation.DefinitionHash(honest.Game.Definition)
	entry := fixture.Bytes(honest.Entries[1])
	leaf := merkle.Leaf(entry)
	for name, secret := range map[string]notation.Digest{
		"SHA-256 of the identifier":            sha256.Sum256(id[:]),
		"the definition's hash":                hash,
		"SHA-256 of it":                        sha256.Sum256(hash[:]),
		"SHA-256 of identifier and definition": sha256.Sum256(append(id[:], hash[:]...)),
		"the leaf of an entry":                 leaf,
		"SHA-256 of the leaf":                  sha256.Sum256(leaf[:]),
		"SHA-256 of an entry":                  sha256.Sum256(entry),
	} {
		t.Run(name, func(t *testing.T) {
			w := fixture.New()
			w.Redeal(secret)
			expect(t, w, w.Game, w.Publish(), "secret_derivable")
		})
	}
}

func TestSecretOfAnEarlierOpening(t *testing.T) {
	h := history{seal: nil, id: notation.ID{1}}
	w := fixture.New()
	pot := w.Entries[len(w.Entries)-1]
	e := mustParse(t, fixture.Bytes(pot))
	h.visit(0, fixture.Bytes(pot), e)
	h.seal = mustParse(t, fixture.Bytes(w.Entries[w.Find("seal", w.Game, 0)]))
	if !h.derivable(e.Secret) || !h.derivable(sha256.Sum256(e.Secret[:])) {
		t.Error("the secret of an opening before the seal is not recognised")
	}
	if h.derivable(w.Game.Secret) {
		t.Error("an honest secret is refused")
	}
	for _, x := range [][]byte{h.seal.Commitment[:], h.seal.Root[:]} {
		if !h.derivable(notation.Digest(x)) || !h.derivable(sha256.Sum256(x)) {
			t.Error("commitment or root is not recognised")
		}
	}
}

// redefine changes the definition of the game everywhere but in the units.
func redefine(w *fixture.World, old, changed string) {
	before := notation.DefinitionHash(w.Game.Definition).String()
	data := bytes.Replace(w.Game.Definition, []byte(old), []byte(changed), 1)
	after := notation.DefinitionHash(data).String()
	delete(w.Files, "definitions/"+before+".json")
	w.Put("definitions/"+after+".json", data)
	for _, e := range w.Entries {
		if e["definition"] == before {
			e["definition"] = after
		}
	}
}

func TestDefinitions(t *testing.T) {
	for _, c := range []struct {
		name, old, changed string
		codes              []string
	}{
		{"more prizes than units", `"count":3`, `"count":10`, []string{"prizes_not_table"}},
		{"a prize that no layout makes", `"amounts":[10]`, `"amounts":[11]`, []string{"layout_not_prize"}},
		{"another size", `"size":12`, `"size":13`, []string{"definition_wrong"}},
		{"another name", `"name":"lune","prizes"`, `"name":"luna","prizes"`, []string{"definition_wrong"}},
		{"not a definition", `"kind":"game"`, `"kind":"play"`, []string{"definition_wrong"}},
		{"not canonical", `"size":12`, `"size": 12`, []string{"definition_wrong"}},
		{"one prize more", `"count":3`, `"count":4`, []string{"root_wrong", "leaf_wrong"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := fixture.New()
			redefine(w, c.old, c.changed)
			r, err := check(t, w, w.Game, w.Publish())
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(r.Findings.Codes(), " ")
			// The play of a unit depends on its salt alone, so that no sale is wrong.
			if got != strings.Join(c.codes, " ") {
				t.Errorf("found %s: %+v", got, r.Findings)
			}
		})
	}
}

// ceremony makes a world whose secret was mixed by two parties and a test beacon.
func ceremony(t *testing.T) *fixture.World {
	t.Helper()
	w := fixture.New()
	id := w.Game.ID
	private, err := bls.KeyGen[bls.KeyG2SigG1](bytes.Repeat([]byte{7}, 32), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	key, _ := private.PublicKey().MarshalBinary()
	message := sha256.Sum256([]byte{0, 0, 0, 0, 0, 0, 0, 9})
	signature := bls.Sign(private, message[:])
	random := beacon.Randomness(signature)
	shares := []notation.Share{{Party: "operator", Share: notation.Digest{1}}, {Party: "notary", Share: notation.Digest{2}}}
	w.Redeal(notation.MixSecret(id, shares, random[:]))

	named := fixture.Entry{"key": hex.EncodeToString(key), "round": 9, "scheme": beacon.Scheme}
	seal := w.Find("seal", w.Game, 0)
	var commitments, opened []any
	for _, s := range shares {
		commitments = append(commitments, fixture.Entry{"party": s.Party, "commitment": notation.ShareCommitment(id, s.Party, s.Share).String()})
		opened = append(opened, fixture.Entry{"party": s.Party, "share": s.Share.String()})
	}
	w.Entries[seal]["contributions"], w.Entries[seal]["beacon"] = commitments, named
	opening := w.Entries[w.Find("opening", w.Game, 0)]
	opening["shares"], opening["signature"] = opened, hex.EncodeToString(signature)
	w.Insert(seal-1, fixture.Entry{"kind": "ceremony", "block": id.String(), "emission": 1, "position": 0, "parties": []any{"operator", "notary"}, "beacon": named})
	for i, s := range shares {
		w.Insert(seal+i, fixture.Entry{"kind": "contribution", "block": id.String(), "party": s.Party, "commitment": notation.ShareCommitment(id, s.Party, s.Share).String()})
	}
	return w
}

func TestCeremony(t *testing.T) {
	cases := []struct {
		name   string
		change func(opening fixture.Entry)
		codes  []string
	}{
		{"honest", func(fixture.Entry) {}, nil},
		{"a share missing", func(o fixture.Entry) { o["shares"] = o["shares"].([]any)[:1] }, []string{"share_wrong"}},
		{"no share", func(o fixture.Entry) { delete(o, "shares") }, []string{"share_wrong"}},
		{"another share", func(o fixture.Entry) {
			o["shares"].([]any)[0].(fixture.Entry)["share"] = strings.Repeat("cd", 32)
		}, []string{"share_wrong", "mix_wrong"}},
		{"no signature", func(o fixture.Entry) { delete(o, "signature") }, []string{"beacon_wrong"}},
		{"another signature", func(o fixture.Entry) { o["signature"] = strings.Repeat("cd", 48) }, []string{"beacon_wrong", "mix_wrong"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := ceremony(t)
			c.change(w.Entries[w.Find("opening", w.Game, 0)])
			expect(t, w, w.Game, w.Publish(), c.codes...)
		})
	}
}

func TestMixWrong(t *testing.T) {
	w := ceremony(t)
	opening, seal := w.Find("opening", w.Game, 0), w.Find("seal", w.Game, 0)
	shares, signature := w.Entries[opening]["shares"], w.Entries[opening]["signature"]
	contributions, named := w.Entries[seal]["contributions"], w.Entries[seal]["beacon"]
	before := w.Entries[seal-3 : seal : seal]
	w.Redeal(notation.Digest{5}) // a secret of the operator's own
	opening, seal = w.Find("opening", w.Game, 0), w.Find("seal", w.Game, 0)
	w.Entries[opening]["shares"], w.Entries[opening]["signature"] = shares, signature
	w.Entries[seal]["contributions"], w.Entries[seal]["beacon"] = contributions, named
	for i, e := range before {
		w.Insert(seal-1+i, e)
	}
	expect(t, w, w.Game, w.Publish(), "mix_wrong")
}

func mustParse(t *testing.T, data []byte) *publiclog.Entry {
	t.Helper()
	e, err := publiclog.ParseEntry(data)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
