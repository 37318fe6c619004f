package player

import (
	"encoding/json"
	"net/http"
)

// verifierPage is the page « Vérifier ». What is checked is checked in the browser, by the code of
// verify/browser, which shares nothing with the rest of Talon.
type verifierPage struct {
	frame
	Key    string
	Words  string // of the script, as JSON
	Titles string // of games and jackpots by their names, as JSON
}

// verifierCodes are the codes that the script tells in a sentence each: of receipts, the log and blocks.
var verifierCodes = []string{
	"receipt_malformed", "checkpoint_signature_wrong", "cosignature_missing", "seal_not_in_log", "inclusion_not_proven", "play_wrong",
	"sale_not_in_log", "sale_not_proven", "win_wrong", "price_wrong",

	"log_unreadable", "log_root_wrong", "log_rolled_back", "split_view", "entry_malformed", "definition_unknown", "emission_unknown",
	"block_sealed_twice", "place_taken_twice", "ceremony_wrong", "block_unknown", "approval_wrong", "sale_not_allowed", "sales_go_back",
	"opened_too_early", "time_goes_back",

	"definition_missing", "definition_wrong", "commitment_wrong", "share_wrong", "beacon_wrong", "mix_wrong", "secret_derivable",
	"layout_not_prize", "prizes_not_table", "root_wrong", "leaf_wrong", "tiles_wrong", "tiles_missing", "sales_missing",
	"sale_not_of_unit", "sales_root_wrong", "sale_late", "win_missing",
}

// verifierInputs are the reasons why something cannot be checked, which say nothing of the operator.
var verifierInputs = []string{"key_malformed", "ed25519_missing", "block_not_open", "link_malformed", "play_not_published", "too_large", "file_unreadable", "internal"}

// verifierParts are the parts of a receipt that a refusal names.
var verifierParts = []string{"receipt", "checkpoint", "unit", "participation"}

// verifierKeys are the other words that the script says.
var verifierKeys = []string{
	"verifier.empty", "verifier.working", "verifier.complete", "verifier.complete.text", "verifier.provisional", "verifier.provisional.text",
	"verifier.refused", "verifier.unable", "verifier.not.proven", "verifier.fact.game", "verifier.fact.prize", "verifier.fact.jackpot",
	"verifier.fact.at", "verifier.fact.place", "verifier.fact.block", "verifier.fact.layout", "verifier.fact.play", "verifier.fact.code",
	"verifier.fact.part", "verifier.block.stopped", "verifier.block.empty", "verifier.folder.empty", "verifier.stage.log",
	"verifier.stage.units", "verifier.stage.tree", "verifier.stage.sales", "verifier.block.good", "verifier.block.bad",
	"verifier.block.good.text", "verifier.block.bad.text", "verifier.beacon.unchecked", "verifier.plays.unchecked", "verifier.units.unchecked",
	"verifier.table", "verifier.table.prize", "verifier.table.count", "verifier.table.dealt", "verifier.table.sold", "verifier.table.unsold",
	"verifier.units", "verifier.sold", "verifier.prizes.sold", "verifier.prizes.unsold", "verifier.wins",
}

// allVerifierKeys are all keys whose words the script is given.
func allVerifierKeys() []string {
	keys := append([]string(nil), verifierKeys...)
	for beginning, ends := range map[string][]string{"verifier.code.": verifierCodes, "verifier.input.": verifierInputs, "verifier.part.": verifierParts} {
		for _, end := range ends {
			keys = append(keys, beginning+end)
		}
	}
	return keys
}

func (p *pages) verifier(v *visit) error {
	page := verifierPage{Key: p.PublicKey}
	var err error
	if page.frame, err = p.frame(v, v.language.Say("verifier.title"), "paper", "verify"); err != nil {
		return err
	}
	said := make(map[string]string)
	for _, key := range allVerifierKeys() {
		said[key] = v.language.Say(key)
	}
	titles := make(map[string]string)
	for _, g := range p.Catalogue.Games() {
		titles[g.Name] = v.language.text(g.Titles)
	}
	for _, j := range p.Catalogue.Jackpots() {
		titles[j.Name] = v.language.text(j.Titles)
	}
	if page.Words, err = asJSON(said); err == nil {
		page.Titles, err = asJSON(titles)
	}
	if err != nil {
		return err
	}
	return p.render(v, http.StatusOK, "verifier.html", page)
}

// asJSON writes texts by key for an attribute of a page.
func asJSON(texts map[string]string) (string, error) {
	text, err := json.Marshal(texts)
	return string(text), err
}
