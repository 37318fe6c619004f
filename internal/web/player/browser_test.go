package player_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The tests named TestBrowser share one browser, and have each a profile of their own in it.

func TestMain(m *testing.M) {
	code := m.Run()
	browserOnce.Do(func() {}) // no browser starts any more
	if stopBrowser != nil {
		stopBrowser()
	}
	os.Exit(code)
}

var (
	browserOnce sync.Once
	browserRoot context.Context
	browserErr  error
	stopBrowser func()
)

// startBrowser starts the browser that is installed, with no traffic of its own.
func startBrowser() {
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, browserErr = exec.LookPath(name); browserErr == nil {
			break
		}
	}
	if browserErr != nil {
		return
	}
	profile, err := os.MkdirTemp("", "talon-browser-")
	if err != nil {
		browserErr = err
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(profile), chromedp.WindowSize(1280, 860))
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	root, stopRoot := chromedp.NewContext(allocator)
	browserRoot, browserErr = root, chromedp.Do(root)
	stopBrowser = func() {
		_ = chromedp.Cancel(root)
		stopRoot()
		stopAllocator()
		_ = os.RemoveAll(profile)
	}
}

// tab is a visitor's browser: a fresh profile with one tab.
type tab struct {
	t    testing.TB
	ctx  context.Context
	base string

	mu         sync.Mutex
	complaints []string // errors of the console, the policy's included
}

// tab opens a browser on a house. When the test ends, it fails on each complaint of the browser.
func (h *house) tab(t testing.TB) *tab {
	t.Helper()
	browserOnce.Do(startBrowser)
	if browserErr != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("a browser is needed: ./test tools installs it: ", browserErr)
		}
		t.Skip("no browser: ./test tools installs one: ", browserErr)
	}
	b := &tab{t: t, base: h.server.URL}
	ctx, cancel := chromedp.NewContext(browserRoot, chromedp.WithNewBrowserContext(), chromedp.WithListener(b.listen))
	t.Cleanup(cancel)
	b.ctx = ctx
	b.do(chromedp.Do(ctx))
	b.size(1280, 860)
	t.Cleanup(func() {
		for _, complaint := range b.said() {
			t.Errorf("the browser complains: %s", complaint)
		}
	})
	return b
}

func (b *tab) listen(event any) {
	complaint := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		complaint = e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			complaint += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			complaint = fmt.Sprint("console: ", e.Type)
			for _, argument := range e.Args {
				complaint += " " + string(argument.Value)
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			complaint = e.Entry.Text + " " + e.Entry.URL
		}
	}
	if complaint != "" {
		b.mu.Lock()
		b.complaints = append(b.complaints, complaint)
		b.mu.Unlock()
	}
}

// said lists the complaints so far and forgets them.
func (b *tab) said() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	said := b.complaints
	b.complaints = nil
	return said
}

func (b *tab) do(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// patience is how long a test waits for a page before it says what it waited for.
const patience = 30 * time.Second

func (b *tab) steps(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	b.do(chromedp.Do(ctx, steps...))
}

func (b *tab) open(path string) {
	b.t.Helper()
	b.steps(chromedp.Navigate(b.base + path))
}

// size resizes the window and waits until the page is drawn in its new size: rules for small windows
// do not all apply in the same frame.
func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.steps(chromedp.EmulateViewport(width, height))
	look[bool](b, `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => drawn(true), 50))))`)
}

// still asks the browser for less motion, as a visitor can.
func (b *tab) still() {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	b.do(err)
}

// ask evaluates an expression in the page; a promise is waited for.
func ask[T any](b *tab, expression string) T {
	b.t.Helper()
	value, err := tryAsk[T](b, expression)
	if err != nil {
		b.t.Fatalf("%s: %v", expression[:min(len(expression), 200)], err)
	}
	return value
}

func tryAsk[T any](b *tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// look is ask for what changes nothing: a page that is being left takes the question with it, so it is
// asked again on the next one.
func look[T any](b *tab, expression string) T {
	b.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		value, err := tryAsk[T](b, expression)
		if err == nil {
			return value
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("%s: %v", expression[:min(len(expression), 200)], err)
		}
	}
}

// until waits until an expression is true. A page that is being left is asked again.
func (b *tab) until(expression string) {
	b.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		met, err := tryAsk[bool](b, "Boolean("+expression+")")
		if err == nil && met {
			return
		}
		if time.Now().After(deadline) {
			page, _ := tryAsk[string](b, "location.href + ': ' + document.querySelector('main')?.innerText")
			b.t.Fatalf("waited in vain for %s (%v) at %s", expression, err, page)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// click clicks where a selector is, as a mouse does.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.steps(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// press presses keys, one after another, on what has the focus.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.steps(chromedp.KeyEvent(keys))
}

// plays are the visitor's plays, newest first, as the API tells them.
func (b *tab) plays() []apiPlay {
	b.t.Helper()
	var history struct{ Plays []apiPlay }
	text := look[string](b, `fetch("/api/v1/plays?limit=100").then((r) => r.text())`)
	if err := json.Unmarshal([]byte(text), &history); err != nil {
		b.t.Fatalf("%v: %s", err, text)
	}
	return history.Plays
}

// words is text with each run of spaces, also of those that do not break, as one.
func words(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(text)), " ")
}
