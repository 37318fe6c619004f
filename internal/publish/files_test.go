package publish_test

import (
	"bytes"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/talonlottery/talon/internal/store"
)

func (h *house) get(method, path string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	h.publisher.ServeHTTP(answer, httptest.NewRequest(method, "/"+path, nil))
	return answer
}

// The files that are served are those that are exported, byte for byte.
func TestServedFilesAreTheExportedOnes(t *testing.T) {
	h := build(t)
	h.buy(moons, 20)
	h.buy(winds, 20)
	h.publish(true)
	_, _, folder := h.read()
	count := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		count++
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		answer := h.get(http.MethodGet, filepath.ToSlash(relative))
		if answer.Code != http.StatusOK || !bytes.Equal(answer.Body.Bytes(), want) {
			t.Errorf("%s is served otherwise: status %d, %d bytes instead of %d", relative, answer.Code, answer.Body.Len(), len(want))
		}
		return nil
	})
	if err != nil || count < 3+8+8+3 { // definitions, tiles, sales, log
		t.Errorf("%d files: %v", count, err)
	}
}

func TestWhatIsNotServed(t *testing.T) {
	h := build(t)
	h.buy(winds, 1)
	h.publish(true)
	id := h.blockOf(winds, store.OnSale).Deal.Header.ID.String()
	for _, path := range []string{"", "log", "log/", "log/tile/0/000", "log/tile/0/001.p/3", "log/tile/entries/9", "log/../talon.db", "talon.db",
		"definitions/" + strings.Repeat("0", 64) + ".json", "definitions/x.json", "blocks/" + strings.ToUpper(id) + ".tiles", "blocks/" + id,
		"blocks/" + strings.Repeat("0", 32) + ".tiles", "sales/" + id + ".hashes", "sales/../" + id + ".sales", "vault/identity.txt"} {
		if answer := h.get(http.MethodGet, path); answer.Code != http.StatusNotFound {
			t.Errorf("%q: status %d", path, answer.Code)
		}
	}
	if answer := h.get(http.MethodPost, "log/checkpoint"); answer.Code != http.StatusMethodNotAllowed {
		t.Errorf("a POST is answered with %d", answer.Code)
	}
}

// Nothing in a publication tells an outcome, sold or not: no salt and no layout with its salt (R-146,
// The twin of the check is a salt that is put there.
func TestAPublicationTellsNoOutcome(t *testing.T) {
	h := build(t)
	plays := h.buy(winds, 30)
	h.publish(true)
	_, _, folder := h.read()
	found := func() (found []string) {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			for _, play := range plays {
				if bytes.Contains(content, play.Salt[:]) || bytes.Contains(content, []byte(hex.EncodeToString(play.Salt[:]))) {
					found = append(found, path)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if paths := found(); len(paths) > 0 {
		t.Errorf("salts are published in %v", paths)
	}
	if err := os.WriteFile(filepath.Join(folder, "planted"), append([]byte("x"), plays[7].Salt[:]...), 0o644); err != nil {
		t.Fatal(err)
	}
	if paths := found(); len(paths) != 1 {
		t.Errorf("the planted salt was not found: %v", paths)
	}
}

// stuck is a visitor who does not take what is sent.
type stuck struct {
	http.ResponseWriter
	reached chan<- struct{}
	free    <-chan struct{}
}

func (s stuck) Write(content []byte) (int, error) {
	s.reached <- struct{}{}
	<-s.free
	return len(content), nil
}

// However many visitors are slow, nobody else waits for them: neither readers of the database nor receipts.
func TestSlowVisitorsHoldNobodyUp(t *testing.T) {
	h := build(t)
	play := h.buy(winds, 3)[0]
	h.publish(true)
	const visitors = 12 // more than the database has readers
	reached, free := make(chan struct{}, 1000), make(chan struct{})
	var visiting sync.WaitGroup
	for n := range visitors {
		folder := []string{"blocks/" + play.Block.String() + ".tiles", "sales/" + play.Block.String() + ".sales", "log/checkpoint"}[n%3]
		visiting.Go(func() {
			h.publisher.ServeHTTP(stuck{httptest.NewRecorder(), reached, free}, httptest.NewRequest(http.MethodGet, "/"+folder, nil))
		})
	}
	for range visitors {
		<-reached
	}
	h.outcome(h.publisher, play)
	h.buy(winds, 1)
	close(free)
	visiting.Wait()
}
