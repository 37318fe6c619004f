package proof_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/vault/remote"
)

// vaultWorld is a vault in a process of its own, and what it answered.
type vaultWorld struct {
	binary, data, tiles, games, socket string
	process                            *process

	owners map[uint32]canon.Digest // by unit: the batch that was answered
	twice  []string
}

func newVaultWorld(t *testing.T) *vaultWorld {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("a vault is served on Linux only")
	}
	folder, err := os.MkdirTemp("", "talon") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return &vaultWorld{
		binary: build(t), data: filepath.Join(folder, "secret"), tiles: filepath.Join(folder, "data", "blocks"), games: cataloguetest.Folder(t),
		socket: filepath.Join(folder, "vault.sock"), owners: map[uint32]canon.Digest{},
	}
}

func (w *vaultWorld) start(t *testing.T) {
	t.Helper()
	w.process, _ = started(t, w.binary, "vault", "--socket", w.socket, "--data", w.data, "--tiles", w.tiles, "--games", w.games)
}

// answered notes the owner of each unit that came out.
func (w *vaultWorld) answered(batch custody.Batch, units []block.Unit) {
	for _, unit := range units {
		if owner, known := w.owners[unit.Index]; known && owner != batch.Digest() {
			w.twice = append(w.twice, fmt.Sprintf("unit %d was opened for two batches", unit.Index))
		}
		w.owners[unit.Index] = batch.Digest()
	}
}

// sell asks for range after range, until the vault is gone; it gives the request that was not answered.
func (w *vaultWorld) sell(header block.Header, v *remote.Vault, random *rand.Rand) (custody.Range, custody.Batch, error) {
	for from := uint32(len(w.owners)); ; {
		r := custody.Range{Header: header, From: from, Into: make([]block.Unit, min(1+random.IntN(3), int(header.Size-from)))}
		batch := custody.Batch(fmt.Sprintf("batch %d of %d, %s", from, len(r.Into), strings.Repeat("x", random.IntN(20_000))))
		if err := v.OpenUnits(context.Background(), batch, r); err != nil {
			return r, batch, err
		}
		w.answered(batch, r.Into)
		from += uint32(len(r.Into))
	}
}

// another asks for the range that was not answered, for another batch.
func (w *vaultWorld) another(v *remote.Vault, r custody.Range) (custody.Batch, error) {
	batch := custody.Batch(fmt.Sprintf("another batch from %d", r.From))
	err := v.OpenUnits(context.Background(), batch, r)
	if err == nil {
		w.answered(batch, r.Into)
	}
	return batch, err
}

// TestKillVault kills the vault's process at random moments while it opens units, as a power cut would, and starts it again: whoever
// comes first gets the range that was in flight, and nobody else. What was answered before stays with its batch.
func TestKillVault(t *testing.T) {
	w := newVaultWorld(t)
	w.start(t)
	v := remote.New(w.socket)
	deal, err := v.Deal(t.Context(), cataloguetest.Moons, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(2, uint64(time.Now().UnixNano())))
	bound, free := 0, 0
	for round := 0; round < 12 && len(w.owners) < int(deal.Header.Size)-100; round++ {
		time.AfterFunc(time.Duration(random.IntN(12_000))*time.Microsecond, func() { _ = w.process.command.Process.Kill() })
		r, batch, err := w.sell(deal.Header, v, random)
		if len(w.owners) >= int(deal.Header.Size) {
			break
		}
		if fault.CodeOf(err) != "vault_unreachable" {
			t.Fatalf("the vault was expected to be gone: %v", err)
		}
		<-w.process.ended
		w.start(t)
		if random.IntN(2) == 0 { // the same batch is always answered
			if err := v.OpenUnits(t.Context(), batch, r); err != nil {
				t.Fatal(err)
			}
			w.answered(batch, r.Into)
			continue
		}
		second, err := w.another(v, r)
		switch {
		case err == nil:
			free++
			if err := v.OpenUnits(t.Context(), batch, r); fault.CodeOf(err) != "range_opened_twice" {
				t.Fatalf("a range has two owners: %v", err)
			}
		case errors.Is(err, fault.Corrupt) && fault.CodeOf(err) == "range_opened_twice":
			bound++
			if err := v.OpenUnits(t.Context(), batch, r); err != nil {
				t.Fatalf("nobody gets the range: neither %q nor its owner: %v", second, err)
			}
			w.answered(batch, r.Into)
		default:
			t.Fatal(err)
		}
	}
	w.process.stop(t)
	if len(w.twice) > 0 || len(w.owners) < 10 {
		t.Errorf("%d units opened, %v", len(w.owners), w.twice)
	}
	t.Logf("%d units; asked for by another batch after a kill, %d ranges were bound and %d free", len(w.owners), bound, free)
}

// TestKillVaultTwin shows that the oracle sees a unit of two batches: the twin loses its journal when it is killed.
func TestKillVaultTwin(t *testing.T) {
	w := newVaultWorld(t)
	w.start(t)
	v := remote.New(w.socket)
	deal, err := v.Deal(t.Context(), cataloguetest.Moons, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := custody.Range{Header: deal.Header, Into: make([]block.Unit, 3)}
	if err := v.OpenUnits(t.Context(), custody.Batch("first"), r); err != nil {
		t.Fatal(err)
	}
	w.answered(custody.Batch("first"), r.Into)
	w.process.kill(t)
	if err := os.Truncate(filepath.Join(w.data, "vault", "journal"), 0); err != nil {
		t.Fatal(err)
	}
	w.start(t)
	if _, err := w.another(v, r); err != nil {
		t.Fatal(err)
	}
	w.process.stop(t)
	if len(w.twice) != 3 {
		t.Errorf("units of two batches were not seen: %v", w.twice)
	}
}

// TestKillEither kills the seller, or the vault in its own process, or both, under load: what TestKill asks holds.
func TestKillEither(t *testing.T) {
	apart := newVaultWorld(t)
	w := &world{folder: filepath.Join(filepath.Dir(apart.socket), "data"), games: apart.games, binary: apart.binary, socket: apart.socket}
	random := rand.New(rand.NewPCG(3, uint64(time.Now().UnixNano())))
	apart.start(t)
	for round := range 6 {
		server := w.start(t)
		w.settleDoubts(t, server)
		w.checkAcknowledged(t, server)
		load, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		for range 12 {
			running.Go(func() { w.buy(load, server) })
		}
		w.await(t, 1+random.IntN(100))
		if round%3 > 0 {
			apart.process.kill(t)
			apart.start(t)
		}
		if round%3 == 1 { // the seller goes on with the vault that came back
			w.await(t, 20)
		}
		server.kill(t)
		stop()
		running.Wait()
		w.reconcile(t)
	}
	server := w.start(t)
	w.settleDoubts(t, server)
	w.checkAcknowledged(t, server)
	server.stop(t)
	w.reconcile(t)
	apart.process.stop(t)
	if found, _ := filepath.Glob(filepath.Join(w.folder, "*", "*.age")); len(found) > 0 {
		t.Errorf("the seller's folder has secrets: %v", found)
	}
}
