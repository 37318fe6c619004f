package vault_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/catalogue/cataloguetest"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/internal/vault"
	"github.com/talonlottery/talon/internal/vault/remote"
	"github.com/talonlottery/talon/internal/vault/serve"
)

// keeper is the contract that both forms of the vault have: in the same process, and on a socket.
type keeper interface {
	Deal(ctx context.Context, game string, stake int, progress func(done, total uint32)) (block.Deal, error)
	DealMixed(ctx context.Context, ceremony custody.Ceremony, progress func(done, total uint32)) (block.Deal, error)
	OpenUnits(ctx context.Context, batch custody.Batch, ranges ...custody.Range) error
	Bound(ctx context.Context, id block.ID) (custody.Bound, error)
	Forget(id block.ID)
	Release(ctx context.Context, header block.Header, evidence custody.Evidence) (custody.Released, error)
	Retire(ctx context.Context, id block.ID) error
}

// form is one way to run a vault.
type form struct {
	start   func(testing.TB, vault.Config) keeper
	restart func(testing.TB, keeper, vault.Config) keeper
}

// bothWays runs a test against the vault in this process and against one on a real Unix socket.
func bothWays(t *testing.T, test func(*testing.T, form)) {
	t.Run("in the same process", func(t *testing.T) {
		test(t, form{
			start: func(t testing.TB, config vault.Config) keeper { return opened(t, config) },
			restart: func(t testing.TB, v keeper, config vault.Config) keeper {
				return reopened(t, v.(*vault.Vault), config)
			},
		})
	})
	t.Run("on a socket", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("a vault is served on Linux only")
		}
		test(t, form{
			start: func(t testing.TB, config vault.Config) keeper { return serving(t, config, os.Getuid()) },
			restart: func(t testing.TB, v keeper, config vault.Config) keeper {
				v.(*served).stop()
				return serving(t, config, os.Getuid())
			},
		})
	})
}

// served is a vault on a socket, asked as another process asks it.
type served struct {
	*remote.Vault
	vault  *vault.Vault
	socket string
	stop   func()
}

func serving(t testing.TB, config vault.Config, allowed ...int) *served {
	t.Helper()
	folder, err := os.MkdirTemp("", "talon") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	v := opened(t, config)
	socket := filepath.Join(folder, "vault.sock")
	log := slog.New(slog.DiscardHandler)
	listener, err := serve.Listen(socket, allowed, log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- serve.Serve(ctx, listener, v, log) }()
	var stopped atomic.Bool
	s := &served{Vault: remote.New(socket), vault: v, socket: socket}
	s.stop = func() {
		if stopped.Swap(true) {
			return
		}
		_ = s.Close()
		stop()
		if err := errors.Join(<-done, v.Close()); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(s.stop)
	return s
}

// The socket is for its owner and group, and only for users that are named.
func TestOtherUsersAreNotAnswered(t *testing.T) {
	config := configured(t, seeded(60))
	s := serving(t, config, os.Getuid()+1)
	info, err := os.Stat(s.socket)
	if err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("the socket has mode %v: %v", info.Mode(), err)
	}
	_, err = s.Recipient(t.Context())
	wants(t, err, fault.Unavailable, "vault_unreachable")
	s.stop()
	s = serving(t, config, os.Getuid()+1, os.Getuid())
	if recipient, err := s.Recipient(t.Context()); err != nil || recipient == "" {
		t.Errorf("%q %v", recipient, err)
	}
}

// A fault keeps its kind, code, message and next step across the socket.
func TestFaultsCrossTheSocket(t *testing.T) {
	config := configured(t, seeded(61))
	s := serving(t, config, os.Getuid())
	deal := dealt(t, s, cataloguetest.Moons, 0)
	one := make([]block.Unit, 1)
	if err := open(t, s, deal.Header, 0, digest(1), one); err != nil {
		t.Fatal(err)
	}
	told := open(t, s, deal.Header, 0, digest(2), one)
	s.stop()
	direct := open(t, opened(t, config), deal.Header, 0, digest(2), one)
	if told.Error() != direct.Error() || fault.KindOf(told) != fault.KindOf(direct) || fault.CodeOf(told) != fault.CodeOf(direct) ||
		fault.NextOf(told) != fault.NextOf(direct) {
		t.Errorf("%v\n%v", told, direct)
	}
}

func TestADealTellsItsProgress(t *testing.T) { bothWays(t, testADealTellsItsProgress) }

func testADealTellsItsProgress(t *testing.T, f form) {
	v := f.start(t, configured(t, seeded(62)))
	var reports []uint32
	deal, err := v.Deal(t.Context(), cataloguetest.Moons, 0, func(done, total uint32) { reports = append(reports, done, total) })
	if err != nil {
		t.Fatal(err)
	}
	if n := len(reports); n < 20 || reports[n-2] != deal.Header.Size || reports[n-1] != deal.Header.Size {
		t.Errorf("%v", reports)
	}
}

// The caller's context ends a deal: what it leaves is for a sweep.
func TestTheCallerEndsADeal(t *testing.T) { bothWays(t, testTheCallerEndsADeal) }

func testTheCallerEndsADeal(t *testing.T, f form) {
	config := configured(t, seeded(63))
	v := f.start(t, config)
	ctx, stop := context.WithCancel(t.Context())
	_, err := v.Deal(ctx, cataloguetest.Moons, 0, func(done, _ uint32) { stop() })
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := v.Deal(ctx, cataloguetest.Moons, 0, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	dealt(t, v, cataloguetest.Moons, 0)
}

// A vault that is gone is told as such, and the same batch may be asked for again once it is back.
func TestAVaultThatIsGone(t *testing.T) {
	config := configured(t, seeded(64))
	s := serving(t, config, os.Getuid())
	deal := dealt(t, s, cataloguetest.Moons, 0)
	units, again := make([]block.Unit, 3), make([]block.Unit, 3)
	if err := open(t, s, deal.Header, 0, digest(1), units); err != nil {
		t.Fatal(err)
	}
	s.stop()
	wants(t, open(t, s, deal.Header, 0, digest(1), again), fault.Unavailable, "vault_unreachable")
	if err := open(t, serving(t, config, os.Getuid()), deal.Header, 0, digest(1), again); err != nil {
		t.Fatal(err)
	}
	if string(units[2].Layout) != string(again[2].Layout) || units[2].Salt != again[2].Salt {
		t.Error("another unit came out")
	}
}
