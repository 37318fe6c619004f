package witness_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/durable"
	"github.com/talonlottery/talon/internal/witness"
	"github.com/talonlottery/talon/publiclog"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func newSigner(t testing.TB, name string, cosigns bool) *publiclog.Signer {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	make := publiclog.NewKey
	if cosigns {
		make = publiclog.NewWitnessKey
	}
	private, _, err := make(bytes.NewReader(seed[:]), name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := publiclog.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// grown is a log built with the Go project's tlog, not with the code under test.
type grown struct {
	signer *publiclog.Signer
	stored []tlog.Hash
	size   int64
}

func (g *grown) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(indexes))
	for at, index := range indexes {
		read[at] = g.stored[index]
	}
	return read, nil
}

// grow makes a log of so many entries, of which those from a number on are another's.
func grow(t testing.TB, signer *publiclog.Signer, size, other int64) *grown {
	t.Helper()
	g := &grown{signer: signer}
	for ; g.size < size; g.size++ {
		entry := fmt.Appendf(nil, "entry %d", g.size)
		if g.size >= other {
			entry = fmt.Appendf(nil, "another entry %d", g.size)
		}
		added, err := tlog.StoredHashes(g.size, entry, g)
		if err != nil {
			t.Fatal(err)
		}
		g.stored = append(g.stored, added...)
	}
	return g
}

func (g *grown) at(t testing.TB, size int64) []byte {
	t.Helper()
	root, err := tlog.TreeHash(size, g)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := g.signer.Sign(publiclog.Checkpoint{Origin: g.signer.Key().Name(), Size: uint64(size), Root: canon.Digest(root)})
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func (g *grown) prove(older, newer int64) ([]canon.Digest, error) {
	if older == 0 || older == newer {
		return nil, nil
	}
	proof, err := tlog.ProveTree(newer, older, g)
	digests := make([]canon.Digest, len(proof))
	for at, hash := range proof {
		digests[at] = canon.Digest(hash)
	}
	return digests, err
}

const logName = "log.example/talon"

// stage is a witness served over HTTP, and the log that it knows.
type stage struct {
	folder  string
	witness *witness.Witness
	server  *httptest.Server
	key     publiclog.Key
	log     *publiclog.Signer
}

func newStage(t *testing.T) *stage {
	s := &stage{folder: t.TempDir(), log: newSigner(t, logName, false), key: newSigner(t, "witness.example/w", true).Key()}
	s.start(t)
	return s
}

// start opens the witness again, as after a restart.
func (s *stage) start(t *testing.T) {
	t.Helper()
	var err error
	s.witness, err = witness.Open(witness.Config{
		Folder: s.folder, Signer: newSigner(t, "witness.example/w", true), Logs: []publiclog.Key{s.log.Key()},
		Clock: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.server != nil {
		s.server.Close()
	}
	s.server = httptest.NewServer(s.witness)
	t.Cleanup(s.server.Close)
}

// post sends a request as C2SP tlog-witness writes it, put together here by hand.
func (s *stage) post(t *testing.T, older int64, proof []canon.Digest, signed []byte) (status int, mediaType, body string) {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "old %d\n", older)
	for _, hash := range proof {
		fmt.Fprintln(&text, base64.StdEncoding.EncodeToString(hash[:]))
	}
	fmt.Fprintf(&text, "\n%s", signed)
	return s.send(t, text.String())
}

func (s *stage) send(t *testing.T, text string) (status int, mediaType, body string) {
	t.Helper()
	answer, err := http.Post(s.server.URL+"/add-checkpoint", "", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("Content-Type"), string(read)
}

// verifyLine verifies a cosignature as C2SP tlog-cosignature says, without the code under test.
func verifyLine(t *testing.T, line string, key publiclog.Key, signed []byte) {
	t.Helper()
	fields := strings.Fields(line)
	if len(fields) != 3 || fields[0] != "—" || fields[1] != key.Name() || !strings.HasSuffix(line, "\n") {
		t.Fatalf("%q", line)
	}
	raw, err := base64.StdEncoding.DecodeString(fields[2])
	if err != nil || len(raw) != 4+8+64 {
		t.Fatalf("%q: %v", line, err)
	}
	_, encoded, _ := strings.Cut(strings.TrimPrefix(key.String(), key.Name()+"+"), "+")
	public, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(public) != 33 || public[0] != 4 {
		t.Fatalf("%q: %v", key, err)
	}
	id := sha256.Sum256(append([]byte(key.Name()+"\n"), public...))
	if !bytes.Equal(raw[:4], id[:4]) {
		t.Errorf("key hash %x, want %x", raw[:4], id[:4])
	}
	at := binary.BigEndian.Uint64(raw[4:])
	if at != uint64(noon.Unix()) {
		t.Errorf("time %d", at)
	}
	text, _, _ := strings.Cut(string(signed), "\n\n")
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s\n", at, text)
	if !ed25519.Verify(public[1:], []byte(message), raw[12:]) {
		t.Error("the signature is not one")
	}
}

func TestCosigning(t *testing.T) {
	s := newStage(t)
	log := grow(t, s.log, 300, 300)
	recorded := int64(0)
	for _, size := range []int64{0, 1, 1, 2, 255, 256, 257, 299, 300, 300} {
		proof, err := log.prove(recorded, size)
		if err != nil {
			t.Fatal(err)
		}
		signed := log.at(t, size)
		status, _, body := s.post(t, recorded, proof, signed)
		if status != http.StatusOK {
			t.Fatalf("%d to %d: %d %s", recorded, size, status, body)
		}
		verifyLine(t, body, s.key, signed)
		opened, err := publiclog.OpenCheckpoint(append(signed, body...), s.log.Key(), []publiclog.Key{s.key}, 1)
		if err != nil || opened.Size != uint64(size) {
			t.Errorf("%v, %v", opened, err)
		}
		recorded = size
		if size == 256 {
			s.start(t)
		}
	}
	if newest, known := s.witness.Newest(logName); !known || newest.Size != 300 {
		t.Errorf("%v, %v", newest, known)
	}
	if _, known := s.witness.Newest("other.example"); known {
		t.Error("another log is known")
	}
}

// Every status that C2SP tlog-witness demands; none of the refusals changes what is recorded, nor
// does a restart let a refused one through.
func TestRefusals(t *testing.T) {
	s := newStage(t)
	log, forked := grow(t, s.log, 20, 20), grow(t, s.log, 20, 5)
	stranger := grow(t, newSigner(t, "stranger.example", false), 20, 20)
	impostor := grow(t, impostor(t), 20, 20)
	proof := func(g *grown, older, newer int64) []canon.Digest {
		p, err := g.prove(older, newer)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if status, _, body := s.post(t, 0, nil, log.at(t, 10)); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	spoilt := proof(log, 10, 15)
	spoilt[0][0] ^= 1
	for _, restarted := range []bool{false, true} {
		if restarted {
			s.start(t)
		}
		for _, test := range []struct {
			name   string
			older  int64
			proof  []canon.Digest
			signed []byte
			status int
		}{
			{"unknown log", 0, nil, stranger.at(t, 10), http.StatusNotFound},
			{"a name is not a key", 10, proof(log, 10, 15), impostor.at(t, 15), http.StatusForbidden},
			{"changed after signing", 10, proof(log, 10, 15), bytes.Replace(log.at(t, 15), []byte("\n15\n"), []byte("\n16\n"), 1), http.StatusForbidden},
			{"no signature", 10, proof(log, 10, 15), []byte(logName + "\n15\n"), http.StatusForbidden},
			{"older than the checkpoint", 16, nil, log.at(t, 15), http.StatusBadRequest},
			{"the size is not asked for", 0, nil, log.at(t, 15), http.StatusConflict},
			{"another size", 9, proof(log, 9, 15), log.at(t, 15), http.StatusConflict},
			{"rolled back", 5, nil, log.at(t, 5), http.StatusConflict},
			{"rolled back to nothing", 0, nil, log.at(t, 0), http.StatusConflict},
			{"split view", 10, nil, forked.at(t, 10), http.StatusConflict},
			{"split view, unasked", 0, nil, forked.at(t, 10), http.StatusConflict},
			{"fork", 10, proof(forked, 10, 15), forked.at(t, 15), http.StatusUnprocessableEntity},
			{"spoilt proof", 10, spoilt, log.at(t, 15), http.StatusUnprocessableEntity},
			{"no proof", 10, nil, log.at(t, 15), http.StatusUnprocessableEntity},
			{"a proof too long", 10, append(proof(log, 10, 15), canon.Digest{}), log.at(t, 15), http.StatusUnprocessableEntity},
			{"a proof of the same size", 10, []canon.Digest{{}}, log.at(t, 10), http.StatusUnprocessableEntity},
		} {
			status, mediaType, body := s.post(t, test.older, test.proof, test.signed)
			if status != test.status || strings.Contains(body, "—") {
				t.Errorf("%s: %d %s, want %d", test.name, status, body, test.status)
			}
			if status == http.StatusConflict && (mediaType != "text/x.tlog.size" || body != "10\n") {
				t.Errorf("%s: %q %q", test.name, mediaType, body)
			}
			if newest, _ := s.witness.Newest(logName); newest.Size != 10 {
				t.Fatalf("%s: %d entries are recorded", test.name, newest.Size)
			}
		}
	}
	// Both sides of the split view were kept.
	kept, err := filepath.Glob(filepath.Join(s.folder, "*.split"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v", kept, err)
	}
	if evidence, err := os.ReadFile(kept[0]); err != nil || !bytes.Equal(evidence, forked.at(t, 10)) {
		t.Errorf("%q, %v", evidence, err)
	}
	if status, _, body := s.post(t, 10, proof(log, 10, 20), log.at(t, 20)); status != http.StatusOK {
		t.Errorf("the log cannot go on: %d %s", status, body)
	}
}

// impostor signs with the log's name and another key.
func impostor(t *testing.T) *publiclog.Signer {
	private, _, err := publiclog.NewKey(bytes.NewReader(bytes.Repeat([]byte{7}, 32)), logName)
	if err != nil {
		t.Fatal(err)
	}
	s, err := publiclog.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMalformedRequests(t *testing.T) {
	s := newStage(t)
	note := string(grow(t, s.log, 3, 3).at(t, 3))
	hash := base64.StdEncoding.EncodeToString(make([]byte, 32))
	for name, text := range map[string]string{
		"nothing":            "",
		"no empty line":      "old 0\n",
		"no size":            "old\n\n" + note,
		"other word":         "new 0\n\n" + note,
		"leading zero":       "old 00\n\n" + note,
		"sign":               "old +0\n\n" + note,
		"negative":           "old -1\n\n" + note,
		"too large":          "old 18446744073709551616\n\n" + note,
		"two spaces":         "old  0\n\n" + note,
		"carriage return":    "old 0\r\n\n" + note,
		"short hash":         "old 0\n" + hash[:40] + "\n\n" + note,
		"hash with bits":     "old 0\n" + hash[:42] + "B=\n\n" + note,
		"64 hashes":          "old 0\n" + strings.Repeat(hash+"\n", 64) + "\n" + note,
		"beyond every limit": "old 0\n\n" + note + strings.Repeat("x", 1<<20),
	} {
		if status, _, body := s.send(t, text); status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if status, _, body := s.send(t, "old 0\n\n"+note); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	answer, err := http.Get(s.server.URL + "/add-checkpoint")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusMethodNotAllowed || answer.Header.Get("Allow") != http.MethodPost {
		t.Errorf("%s", answer.Status)
	}
}

// A witness that cannot write signs nothing, and goes on when it can.
func TestNothingIsSignedThatIsNotRecorded(t *testing.T) {
	s := newStage(t)
	log := grow(t, s.log, 20, 20)
	if status, _, _ := s.post(t, 0, nil, log.at(t, 10)); status != http.StatusOK {
		t.Fatal(status)
	}
	records, err := filepath.Glob(filepath.Join(s.folder, "*.checkpoint"))
	if err != nil || len(records) != 1 {
		t.Fatalf("%v, %v", records, err)
	}
	block := records[0] + durable.UnfinishedSuffix // a folder with something in it, where the file is to be written
	if err := os.MkdirAll(filepath.Join(block, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	proof, _ := log.prove(10, 20)
	if status, _, body := s.post(t, 10, proof, log.at(t, 20)); status != http.StatusInternalServerError || strings.Contains(body, "—") || strings.Contains(body, s.folder) {
		t.Errorf("%d %s", status, body)
	}
	if newest, _ := s.witness.Newest(logName); newest.Size != 10 {
		t.Errorf("%d entries are recorded", newest.Size)
	}
	if err := os.RemoveAll(block); err != nil {
		t.Fatal(err)
	}
	if status, _, body := s.post(t, 10, proof, log.at(t, 20)); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	if err := os.WriteFile(records[0], []byte("spoilt"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = witness.Open(witness.Config{Folder: s.folder, Logs: []publiclog.Key{s.log.Key()}})
	if fault.CodeOf(err) != "witness_record_spoilt" {
		t.Errorf("%v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	key := newSigner(t, logName, false).Key()
	for code, logs := range map[string][]publiclog.Key{
		"log_named_twice": {key, impostor(t).Key()},
		"key_malformed":   {newSigner(t, "witness.example/w", true).Key()},
	} {
		if _, err := witness.Open(witness.Config{Folder: t.TempDir(), Logs: logs}); fault.CodeOf(err) != code {
			t.Errorf("%v, want %s", err, code)
		}
	}
}

// Many submit at once, from both sides of a fork; whatever is signed is one growing log.
func TestConcurrentSubmissions(t *testing.T) {
	s := newStage(t)
	sides := []*grown{grow(t, s.log, 40, 40), grow(t, s.log, 40, 3)}
	var mu sync.Mutex
	roots := make(map[int64]map[string]bool)
	var group sync.WaitGroup
	for _, side := range sides {
		for start := range int64(4) {
			group.Go(func() {
				for size := start + 4; size <= 40; size += 4 {
					newest, _ := s.witness.Newest(logName)
					older := int64(newest.Size)
					if older > size {
						continue
					}
					proof, err := side.prove(older, size)
					if err != nil {
						t.Error(err)
					}
					signed := side.at(t, size)
					if _, err := s.witness.Add(uint64(older), proof, signed); err == nil {
						mu.Lock()
						if roots[size] == nil {
							roots[size] = make(map[string]bool)
						}
						roots[size][string(signed)] = true
						mu.Unlock()
					}
				}
			})
		}
	}
	group.Wait()
	if len(roots) == 0 {
		t.Fatal("nothing was signed")
	}
	var side *grown
	for size, signed := range roots {
		if len(signed) != 1 {
			t.Fatalf("%d roots of %d entries were signed", len(signed), size)
		}
		for _, candidate := range sides {
			if signed[string(candidate.at(t, size))] && size > 3 {
				if side != nil && side != candidate {
					t.Fatal("both sides of the fork were signed")
				}
				side = candidate
			}
		}
	}
}

// The twin that forgets what it signed signs both sides of a fork: the refusals above are not for
// another reason.
func TestForgetfulTwinIsCaught(t *testing.T) {
	s := newStage(t)
	log, forked := grow(t, s.log, 20, 20), grow(t, s.log, 20, 5)
	if status, _, _ := s.post(t, 0, nil, log.at(t, 10)); status != http.StatusOK {
		t.Fatal(status)
	}
	if status, _, _ := s.post(t, 0, nil, forked.at(t, 10)); status != http.StatusConflict {
		t.Errorf("%d", status)
	}
	s.folder = t.TempDir()
	s.start(t)
	if status, _, _ := s.post(t, 0, nil, forked.at(t, 10)); status != http.StatusOK {
		t.Errorf("%d", status)
	}
}
