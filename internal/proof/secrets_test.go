package proof_test

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/hkdf"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/internal/catalogue"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
)

// Nothing that a running lottery leaves, says or keeps holds a secret of a block that sells, a key that is
// derived from it, or salt or layout of a unit that is not sold, in bytes, hexadecimal or base64 (R-119,
// The layouts are those of a game with so many cells that none occurs by chance: four letters of a
// small alphabet do, and say nothing without their salt. The tests read the secrets themselves, as
// docs/vault.md says.

const grid = "grande-grille"

// gridDefinition is an invented game of 36 cells.
const gridDefinition = `
kind: game
name: grande-grille
titles: {fr: Grande grille, en: Large grid}
regulation: {title: Grande grille, opening: 2026-01-01, article: "1"}
block: {size: 200, article: "2"}
stakes:
  - {price: 1, article: "2"}
prizes:
  articles: ["3"]
  tiers:
    - {count: 2, amounts: [20]}
    - {count: 10, amounts: [5]}
    - {count: 30, amounts: [1]}
  printed: {count: 42, totals: [120]}
mechanic:
  kind: lines
  rows: 6
  columns: 6
  lines: [rows, columns, diagonals]
  article: "4"
  symbols:
    - {name: lune, titles: {fr: lune, en: moon}}
    - {name: etoile, titles: {fr: étoile, en: star}}
    - {name: comete, titles: {fr: comète, en: comet}}
    - {name: nuage, titles: {fr: nuage, en: cloud}, role: neutral}
    - {name: brume, titles: {fr: brume, en: mist}, role: neutral}
  combinations:
    - {symbol: lune, alike: 6, gains: [20], article: "4"}
    - {symbol: etoile, alike: 6, gains: [5], article: "4"}
    - {symbol: comete, alike: 6, gains: [1], article: "4"}
`

// needle is what must not be found.
type needle struct{ what, as string }

// needles finds many byte strings at once, by their first eight bytes.
type needles struct {
	first map[uint64][]pattern
	maybe []uint64 // a bit for each hash of the first eight bytes
}

type pattern struct {
	text []byte
	needle
}

const maybeBits = 1 << 24

func newNeedles() *needles {
	return &needles{first: map[uint64][]pattern{}, maybe: make([]uint64, maybeBits/64)}
}

func mix(n uint64) uint64 { return n * 0x9e3779b97f4a7c15 >> 40 }

func (n *needles) add(what string, secret []byte) {
	for as, text := range encodings(secret) {
		head := binary.LittleEndian.Uint64(text)
		n.first[head] = append(n.first[head], pattern{text, needle{what, as}})
		n.maybe[mix(head)/64] |= 1 << (mix(head) % 64)
	}
}

// encodings are the ways in which a secret could stand somewhere. In base64 a text that stands before
// it decides on its first characters and on the alignment of the rest; those are left out.
func encodings(secret []byte) map[string][]byte {
	ways := map[string][]byte{"bytes": secret, "hexadecimal": []byte(hex.EncodeToString(secret)),
		"HEXADECIMAL": []byte(strings.ToUpper(hex.EncodeToString(secret)))}
	for name, coding := range map[string]*base64.Encoding{"base64": base64.RawStdEncoding, "base64 of URLs": base64.RawURLEncoding} {
		for before, skipped := range []int{0, 2, 3} {
			text := coding.EncodeToString(append(make([]byte, before), secret...))
			whole := (before + len(secret)) * 8 / 6
			ways[fmt.Sprintf("%s, shifted by %d", name, before)] = []byte(text[skipped:whole])
		}
	}
	return ways
}

// in gives what is found in a text, at most ten.
func (n *needles) in(text []byte) (found []needle) {
	if len(text) < 8 {
		return nil
	}
	for at := 0; at+8 <= len(text); at++ {
		head := binary.LittleEndian.Uint64(text[at:])
		if n.maybe[mix(head)/64]&(1<<(mix(head)%64)) == 0 {
			continue
		}
		for _, p := range n.first[head] {
			if bytes.HasPrefix(text[at:], p.text) {
				if found = append(found, p.needle); len(found) == 10 {
					return found
				}
			}
		}
	}
	return found
}

// secretHouse is a house that sells, whose secrets the test knows.
type secretHouse struct {
	*world
	vault   *vaultWorld // nil: in-process
	server  *process
	answers bytes.Buffer // everything that it answered
}

func openSecretHouse(t *testing.T, ownProcess bool) *secretHouse {
	t.Helper()
	h := &secretHouse{}
	if ownProcess {
		h.vault = newVaultWorld(t)
		folder := filepath.Dir(h.vault.tiles)
		h.world = &world{folder: folder, games: h.vault.games, binary: h.vault.binary, socket: h.vault.socket}
		h.addGrid(t)
		h.vault.start(t)
	} else {
		h.world = &world{folder: t.TempDir(), games: cataloguetest.Folder(t), binary: build(t)}
		h.addGrid(t)
	}
	t.Setenv("TALON_LOG_LEVEL", "debug")
	arguments := []string{"demo", "--data", h.folder, "--games", h.games, "--listen", "127.0.0.1:0", "--blocks", "3", "--checkpoint-every", "1s", "--log-level", "debug"}
	if ownProcess {
		arguments = append(arguments, "--vault", h.socket)
	}
	var first string
	h.server, first = started(t, h.binary, arguments...)
	h.server.url = strings.TrimSpace(first[strings.Index(first, "http://"):])
	return h
}

func (h *secretHouse) addGrid(t *testing.T) {
	t.Helper()
	folder := filepath.Join(h.games, grid)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "game.yaml"), []byte(gridDefinition), 0o644); err != nil {
		t.Fatal(err)
	}
}

// layouts adds the layouts of a block of the large grid from one unit on.
func (h *secretHouse) layouts(t *testing.T, all *needles, id block.ID, secret []byte, from uint32) {
	t.Helper()
	set, err := games.In(os.DirFS(h.games))
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := catalogue.New(set.Games, set.Jackpots)
	if err != nil {
		t.Fatal(err)
	}
	found, err := loaded.Game(grid)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := block.SecretFromBytes(secret)
	if err != nil {
		t.Fatal(err)
	}
	header := block.Header{Version: block.Version, ID: id, Game: grid, Definition: found.Hash, Price: found.Stakes[0].Price, Size: found.BlockSize}
	dealer, err := block.NewDealer(header, kept, found.Definition, found.Mechanics[0])
	if err != nil {
		t.Fatal(err)
	}
	for index := from; index < header.Size; index++ {
		var unit block.Unit
		if err := dealer.Unit(index, &unit); err != nil {
			t.Fatal(err)
		}
		all.add(fmt.Sprintf("layout of unit %d of %s", index, id), unit.Layout)
	}
}

// live lets visitors buy, choose, look around, and ask for what there is not.
func (h *secretHouse) live(t *testing.T) {
	t.Helper()
	for range 4 {
		c := newCustomer(h.server)
		if err := c.visit(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 8 {
			c.play(t.Context(), h.world, cataloguetest.Winds, "1.00")
			c.play(t.Context(), h.world, grid, "1.00")
			c.play(t.Context(), h.world, cataloguetest.Moons, "0.50")
			c.play(t.Context(), h.world, cataloguetest.Moons, "1.00")
		}
		for _, path := range []string{"/", "/historique", "/aide", "/verifier", "/jeu/trois-lunes", "/jeu/quatre-vents/regles", "/jackpot/petit-pot", "/nothing",
			"/api/v1/games", "/api/v1/plays", "/api/v1/player", "/api/v1/plays/zz", "/api/v1/nothing", "/public/log/checkpoint", "/public/vault/identity.txt"} {
			h.hear(t, c, path)
		}
		for _, played := range h.acknowledged {
			for _, path := range []string{"/api/v1/plays/" + played.id, "/api/v1/plays/" + played.id + "/receipt", "/historique/" + played.id} {
				h.hear(t, c, path)
			}
		}
	}
	if len(h.acknowledged) < 50 {
		t.Fatalf("only %d units were bought", len(h.acknowledged))
	}
}

func (h *secretHouse) hear(t *testing.T, c *customer, path string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.server.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := c.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := response.Header.Write(&h.answers); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(&h.answers, response.Body); err != nil {
		t.Fatal(err)
	}
}

// secrets reads the vault's folder: every secret, every derived key, every salt that is not sold.
func (h *secretHouse) secrets(t *testing.T) *needles {
	t.Helper()
	folder := filepath.Join(h.folder, "vault")
	if h.vault != nil {
		folder = filepath.Join(h.vault.data, "vault")
	}
	text, err := os.ReadFile(filepath.Join(folder, "identity.txt"))
	if err != nil {
		t.Fatal(err)
	}
	identity, err := age.ParseX25519Identity(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), h.binary, "block", "list", "--json", "--data", h.folder, "--games", h.games).Output()
	if err != nil {
		t.Fatal(err)
	}
	var blocks []struct {
		Block      block.ID
		Game       string
		Size, Sold uint32
	}
	if err := json.Unmarshal(out, &blocks); err != nil || len(blocks) < 6 {
		t.Fatalf("%d blocks: %v", len(blocks), err)
	}
	all, grids := newNeedles(), uint32(0)
	all.add("identity", []byte(strings.TrimSpace(string(text))))
	for _, b := range blocks {
		encrypted, err := os.ReadFile(filepath.Join(folder, b.Block.String()+".secret.age"))
		if err != nil {
			t.Fatal(err)
		}
		decrypted, err := age.Decrypt(bytes.NewReader(encrypted), identity)
		if err != nil {
			t.Fatal(err)
		}
		secret, err := io.ReadAll(decrypted)
		if err != nil {
			t.Fatal(err)
		}
		all.add("secret of "+b.Block.String(), secret)
		// Sections 3 and 6 of docs/spec/block.md, written out.
		keys := map[string][]byte{}
		for _, what := range []string{"shuffle", "layout", "salt"} {
			if keys[what], err = hkdf.Key(sha256.New, secret, b.Block[:], "talon/"+what+"/v1", 32); err != nil {
				t.Fatal(err)
			}
			all.add(what+" key of "+b.Block.String(), keys[what])
		}
		cipher, err := aes.NewCipher(keys["salt"])
		if err != nil {
			t.Fatal(err)
		}
		for index := b.Sold; index < b.Size; index++ {
			var counter, salt [16]byte
			binary.BigEndian.PutUint64(counter[8:], uint64(index))
			cipher.Encrypt(salt[:], counter[:])
			all.add(fmt.Sprintf("salt of unit %d of %s", index, b.Block), salt[:])
		}
		if b.Game == grid {
			grids += b.Sold
			h.layouts(t, all, b.Block, secret, b.Sold)
		}
	}
	if grids == 0 {
		t.Error("no unit of the large grid was sold")
	}
	return all
}

// places collects everything that a house leaves outside its vault.
func (h *secretHouse) places(t *testing.T) map[string][]byte {
	t.Helper()
	places := map[string][]byte{"log of the server": bytes.Clone(h.server.log.Bytes()), "answers": h.answers.Bytes()}
	if h.vault != nil {
		places["log of the vault"] = bytes.Clone(h.vault.process.log.Bytes())
	}
	export := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), h.binary, "export", export, "--data", h.folder, "--games", h.games).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for kind, folder := range map[string]string{"data": h.folder, "export": export} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if entry == nil || entry.IsDir() {
				if entry != nil && entry.Name() == "vault" {
					return fs.SkipDir // the one place where they are
				}
				return nil
			}
			if !entry.Type().IsRegular() {
				return nil
			}
			content, err := os.ReadFile(path)
			places[kind+" "+filepath.Base(path)] = content
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	places["dump of the database"] = dumpDatabase(t, filepath.Join(h.folder, "talon.db"))
	return places
}

// dumpDatabase writes every row of every table as text, bytes in hexadecimal.
func dumpDatabase(t *testing.T, path string) []byte {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var tables []string
	rows, err := db.QueryContext(t.Context(), "SELECT name FROM sqlite_master WHERE type = 'table'")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	var dump bytes.Buffer
	for _, table := range tables {
		dumpTable(t, db, table, &dump)
	}
	return dump.Bytes()
}

func dumpTable(t *testing.T, db *sql.DB, table string, dump *bytes.Buffer) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT * FROM "`+table+`"`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for at := range values {
		targets[at] = &values[at]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		for _, value := range values {
			if bytes, ok := value.([]byte); ok {
				value = hex.EncodeToString(bytes)
			}
			fmt.Fprintf(dump, "%v|", value)
		}
		dump.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// memory visits what a process may write in its memory: what a core file would hold.
func memory(ctx context.Context, pid int, visit func([]byte)) error {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return err
	}
	file, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return err
	}
	defer file.Close()
	for line := range strings.Lines(string(maps)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[1], "rw") || ctx.Err() != nil {
			continue
		}
		from, to, _ := strings.Cut(fields[0], "-")
		low, err1 := strconv.ParseUint(from, 16, 64)
		high, err2 := strconv.ParseUint(to, 16, 64)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		const piece, overlap = 1 << 22, 128
		for at := low; at < high; at += piece {
			bytes := make([]byte, min(piece+overlap, high-at))
			n, _ := file.ReadAt(bytes, int64(at)) // pages that were never touched may refuse
			visit(bytes[:n])
		}
	}
	return ctx.Err()
}

// TestSecretsAreNowhere scans a house with the vault in its own process and one with the vault beside.
func TestSecretsAreNowhere(t *testing.T) {
	for _, ownProcess := range []bool{false, true} {
		t.Run(map[bool]string{false: "in-process", true: "own process"}[ownProcess], func(t *testing.T) {
			h := openSecretHouse(t, ownProcess)
			h.live(t)
			secrets := h.secrets(t)
			places := h.places(t)
			for place, content := range places {
				for _, found := range secrets.in(content) {
					t.Errorf("%s holds the %s as %s", place, found.what, found.as)
				}
			}
			h.scanMemory(t, secrets)
			h.plant(t, secrets, places)
			h.server.stop(t)
			for _, found := range secrets.in(h.server.log.Bytes()) {
				t.Errorf("the log of the stop holds the %s as %s", found.what, found.as)
			}
		})
	}
}

// scanMemory scans the memory of the selling process. With the vault beside it, it holds nothing; with
// the vault in it, it does, by design: which shows that the scan of a memory finds what is there.
func (h *secretHouse) scanMemory(t *testing.T, secrets *needles) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	count, size := 0, 0
	err := memory(t.Context(), h.server.command.Process.Pid, func(content []byte) {
		size += len(content)
		for _, found := range secrets.in(content) {
			count++
			if h.vault != nil {
				t.Errorf("the selling process's memory holds the %s as %s", found.what, found.as)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if size < 1<<20 || h.vault == nil && count == 0 {
		t.Errorf("the scan of %d bytes of memory found %d secrets: it cannot find what is there", size, count)
	}
}

// plant is the twin: one secret of each kind, in each encoding, put into each place, must be found.
func (h *secretHouse) plant(t *testing.T, secrets *needles, places map[string][]byte) {
	t.Helper()
	kinds := map[string][]pattern{}
	for _, patterns := range secrets.first {
		for _, p := range patterns {
			kind, _, _ := strings.Cut(p.what, " of ")
			if key := kind + p.as; len(kinds[key]) == 0 {
				kinds[key] = append(kinds[key], p)
			}
		}
	}
	if len(kinds) != 7*9 {
		t.Errorf("%d kinds and encodings of secrets, want 63", len(kinds))
	}
	for place, content := range places {
		for key, patterns := range kinds {
			tail := content[max(0, len(content)-500):]
			planted := append(append(bytes.Clone(tail), patterns[0].text...), "more"...)
			if len(secrets.in(planted)) == 0 {
				t.Errorf("%s, planted in %s, was not found", key, place)
			}
		}
	}
}
