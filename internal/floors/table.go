package floors

// House is the plan of Talon: design in one table. A new package gets a row, with the reason why it stands where it does.
var House = Plan{
	Rooms: []Room{
		// Floor 0: what everything else speaks in.
		{Path: "fault", Floor: 0, Rule: true, Exact: true, Why: "kinds of error with a code and a next step; every other room returns them"},
		{Path: "money", Floor: 0, Rule: true, Exact: true, Why: "integer amounts, the only way to hold money"},
		{Path: "canon", Floor: 0, Rule: true, Exact: true, Why: "canonical bytes and tagged hashes: the only place that says what is hashed"},
		{Path: "internal/floors", Floor: 0, Why: "reads the house from outside; nothing of ours is in it"},

		// Floor 1: words of the trade, no behaviour of a running lottery.
		{Path: "entropy", Floor: 1, Rule: true, Exact: true, Why: "keyed streams and unbiased numbers, from a published specification"},
		{Path: "game", Floor: 1, Rule: true, Exact: true, Why: "a definition: loading, validation, exact odds"},
		{Path: "games", Floor: 1, Rule: true, Exact: true, Why: "the definitions that come with Talon, as data"},
		{Path: "internal/durable", Floor: 1, Why: "files that survive a power cut, and one process a folder; every room that keeps files stands on it"},
		{Path: "ledger", Floor: 1, Rule: true, Exact: true, Why: "accounts, postings, transactions: balanced or refused"},

		{Path: "beacon", Floor: 1, Rule: true, Exact: true, Why: "rounds of a public beacon, verified against a pinned key"},

		// Floor 2: rules.
		{Path: "mechanic", Floor: 2, Rule: true, Exact: true, Why: "what a mechanic is: a layout is read, a prize is laid out"},
		{Path: "mechanic/collect", Floor: 2, Rule: true, Exact: true, Why: "symbols that are collected (« Pièce d'or »)"},
		{Path: "mechanic/lines", Floor: 2, Rule: true, Exact: true, Why: "symbols that align (« Precius Aurus »)"},
		{Path: "mechanic/all", Floor: 2, Rule: true, Exact: true, Why: "the explicit list of mechanics; nothing registers itself"},
		{Path: "jackpot", Floor: 2, Rule: true, Exact: true, Why: "contribution, meter, reserve"},
		{Path: "player", Floor: 2, Rule: true, Exact: true, Why: "who may stake: pure decisions with a reason"},

		// Floor 3: a block, and the catalogue that it is dealt from.
		{Path: "publiclog", Floor: 3, Rule: true, Exact: true, Why: "entries, trees, signed notes and rules of the public log; a stranger follows it with this alone"},
		{Path: "block", Floor: 3, Rule: true, Exact: true, Why: "deal, seal, open: all that a stranger needs to check a block"},
		{Path: "internal/catalogue", Floor: 3, Rule: true, Exact: true, Why: "definitions joined with their mechanics, as one process offers them"},
		{Path: "internal/catalogue/cataloguetest", Floor: 3, Tests: true, Why: "small invented games for tests"},
		{Path: "internal/statement", Floor: 3, Rule: true, Exact: true, Why: "a play in words; knows plays by their parts, not where they are kept"},
		{Path: "internal/parsheet", Floor: 3, Rule: true, Why: "figures of a definition for a person's eyes (talon check); percentages are rounded for printing only"},

		{Path: "internal/custody", Floor: 3, Rule: true, Exact: true, Why: "the words between sellers and vaults, which do not know each other"},

		// Floor 4: what is kept. Records on one side, secrets on the other, and neither knows the other.
		{Path: "receipt", Floor: 4, Rule: true, Exact: true, Why: "one play proven offline, with the operator's public key alone"},
		{Path: "audit", Floor: 4, Rule: true, Exact: true, Why: "the engine's own auditor of what is published; a stranger runs it too"},
		{Path: "internal/store", Floor: 4, Exact: true, Why: "what must be atomic, in domain words"},
		{Path: "internal/store/sqlite", Floor: 4, Exact: true, Why: "one engine of the store: a file, one process"},
		{Path: "internal/store/storetest", Floor: 4, Tests: true, Why: "the conformance suite that every engine passes"},
		{Path: "internal/vault", Floor: 4, Exact: true, Why: "keeps the secrets of blocks, deals, opens the units that are being sold"},

		{Path: "internal/vault/wire", Floor: 4, Exact: true, Why: "how a vault in another process is spoken to; opens nothing"},
		{Path: "internal/vault/serve", Floor: 5, Exact: true, Why: "answers for a vault on a socket; knows it by its contract only"},
		{Path: "internal/vault/remote", Floor: 5, Exact: true, Why: "asks a vault in another process; holds nothing of it"},
		{Path: "internal/evidence", Floor: 4, Rule: true, Why: "statistics of final outcomes (talon check --evidence): p-values are real numbers; outcomes come in as they were dealt"},

		// Floor 5: services. They do not call each other; what two need goes down.
		{Path: "internal/sale", Floor: 5, Exact: true, Why: "sell, choose, show: the one transaction"},
		{Path: "internal/publicationtest", Floor: 5, Tests: true, Why: "an honest publication and every broken twin of it"},
		{Path: "internal/sale/saletest", Floor: 5, Tests: true, Why: "an oracle, a failing store and small games for the tests of a sale"},
		{Path: "internal/office", Floor: 5, Exact: true, Why: "emissions, and the next block always ready"},
		{Path: "internal/demo", Floor: 5, Exact: true, Why: "play-money players and their sessions"},
		{Path: "internal/publish", Floor: 5, Exact: true, Why: "numbers, signs and serves the public log; receipts and sales trees rest on it"},
		{Path: "internal/witness", Floor: 5, Exact: true, Why: "cosigns the logs of others, asks others to cosign ours; rules of the log itself are publiclog's"},
		{Path: "internal/reconcile", Floor: 5, Exact: true, Why: "ledger, journal, balances and blocks agree, or the line that does not"},

		// Floor 6: faces.
		{Path: "internal/api", Floor: 6, Why: "HTTP from openapi.yaml; the only place where a fault becomes a status"},
		{Path: "internal/web/assets", Floor: 6, Why: "files under names that change with their content, for all pages"},
		{Path: "internal/web/player", Floor: 6, Why: "the player's pages"},
		{Path: "internal/web/player/bundle", Floor: 6, Tests: true, Why: "styles and scripts, joined when they are generated and compared by a test"},
		{Path: "internal/web/player/art", Floor: 6, Why: "symbols drawn by code; coordinates are floating-point, money never comes here"},

		// Floor 7: wiring.
		{Path: "internal/web/player/build", Floor: 7, Tests: true, Why: "what go generate runs to write the bundle"},
		{Path: "cmd/talon", Floor: 7, Why: "commands and wiring only"},
		{Path: "internal/proof", Floor: 7, Tests: true, Why: "whole blocks sold, the real binary killed: tests of the assembled house"},
	},

	Exceptions: []Exception{
		{"money", "fault", "errors are the ground that floor 0 itself stands on"},
		{"canon", "fault", "errors are the ground that floor 0 itself stands on"},
		{"games", "game", "the data are loaded by the loader beside them"},
		{"mechanic/collect", "mechanic", "a mechanic satisfies what a mechanic is"},
		{"mechanic/lines", "mechanic", "a mechanic satisfies what a mechanic is"},
		{"mechanic/all", "mechanic", "the list is made of mechanics"},
		{"mechanic/all", "mechanic/collect", "the explicit list"},
		{"mechanic/all", "mechanic/lines", "the explicit list"},
		{"internal/custody", "block", "a range is of a block's units"},
		{"internal/catalogue/cataloguetest", "internal/catalogue", "support for the tests of those above it"},
		{"publiclog", "block", "entries name blocks; the log is the story of their lives"},
		{"internal/store/sqlite", "internal/store", "an engine satisfies the store"},
		{"internal/store/storetest", "internal/store", "the suite speaks to any engine through the store"},
		{"internal/sale/saletest", "internal/sale", "support for the tests of a sale"},
		{"internal/sale/saletest", "internal/reconcile", "the oracle of the tests is the product's own"},
		{"internal/web/player", "internal/web/player/art", "pages show the drawings"},
		{"internal/web/player", "internal/web/assets", "pages name their files"},
		{"internal/web/player/bundle", "internal/web/assets", "a style sheet names files as the pages do"},
	},

	Walls: []Wall{{
		Around: "internal/vault",
		Doors:  []string{"cmd/talon", "internal/proof"},
		// The tests of the sale sell from the real vault, restarts and repeated ranges included. Its code cannot name it.
		TestDoors: []string{"internal/sale"},
		Why:       "clear secrets of unopened blocks exist behind this wall only: a room that talks to players or staff cannot tell what it cannot know",
	}},

	Restricted: []Restricted{
		{"math/rand", nil, "nothing here may be drawn from an unpublished generator; outcomes come from entropy"},
		{"math/rand/v2", nil, "nothing here may be drawn from an unpublished generator; outcomes come from entropy"},
		{"crypto/rand", []string{"internal/vault", "internal/api", "internal/demo", "internal/web/player", "cmd/talon"},
			"the machine's randomness makes secrets and tokens at the edge; the play path draws no random number"},
		{"unsafe", nil, "no speed here is worth a rule that the compiler no longer checks"},
		{"log", nil, "logs are structured (log/slog), so that what may not be in them can be checked"},
	},

	Unreachable: []Restricted{
		{"net", nil, "a check that a stranger runs asks nobody else"},
		{"os/exec", nil, "a check that a stranger runs starts nothing"},
		{"database/sql", nil, "rules do not know that there is a database"},
	},

	Outside: []Restricted{
		{"filippo.io/age", []string{"internal/vault"}, "encrypts secrets at rest"},
		{"github.com/cloudflare/circl", []string{"beacon", "internal/vault"}, "BLS signatures of a beacon's rounds; shares of a recovery identity"},
		{"github.com/alecthomas/kong", []string{"cmd/talon"}, "one structure: flags, environment, help"},
		{"github.com/evanw/esbuild", []string{"internal/web/player/bundle"}, "bundles the player's scripts when they are generated"},
		{"github.com/goccy/go-yaml", []string{"game", "mechanic", "mechanic/collect", "mechanic/lines"}, "definitions, with line and column of each error"},
		{"github.com/gowebpki/jcs", []string{"game", "canon"}, "canonical JSON (RFC 8785): what a definition's hash is of"},
		{"github.com/oapi-codegen/runtime", []string{"internal/api"}, "the generated API stands on it"},
		{"github.com/pressly/goose/v3", []string{"internal/store/sqlite"}, "migrations"},
		{"github.com/santhosh-tekuri/jsonschema/v6", []string{"game"}, "the shape of a definition"},
		{"golang.org/x/mod", nil, "trees and signed notes as the Go project's checksum database has them (sumdb/tlog, sumdb/note)"},
		{"golang.org/x/sync", nil, "groups of goroutines that fail together"},
		{"golang.org/x/sys", []string{"internal/vault", "internal/store/sqlite", "cmd/talon"}, "files that survive a power cut; what a process uses"},
		{"rsc.io/qr", []string{"internal/web/player"}, "the QR code of a receipt"},
		{"modernc.org/sqlite", []string{"internal/store/sqlite"}, "the database, without cgo"},
	},
}
