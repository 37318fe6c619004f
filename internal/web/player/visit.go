package player

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/internal/web/assets"
	domain "github.com/talonlottery/talon/player"
)

// visit is one request of one player.
type visit struct {
	w        http.ResponseWriter
	r        *http.Request
	language *language
	session  store.Session
}

// sessionCookie holds the session's token. It is sent over plain HTTP only to this machine.
const sessionCookie = "talon_session"

// SessionToken is the session token that a request carries, or "".
func SessionToken(r *http.Request) string {
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// formBytesMost limits a form; the largest of ours is far below. Without it files sent as a form's parts
// would be kept on the disk.
const formBytesMost = 4 << 10

// serve finds the player, or registers a new one, and shows a page or the error instead of it.
func (p *pages) serve(w http.ResponseWriter, r *http.Request, l *language, register bool, show func(*visit) error) {
	w.Header().Set("Cache-Control", "no-store")
	r.Body = http.MaxBytesReader(w, r.Body, formBytesMost)
	v := &visit{w: w, r: r, language: l}
	err := p.identify(v, register)
	if err == nil {
		err = show(v)
	}
	if err != nil {
		p.fail(v, err)
	}
}

// identify finds the player of a request. A page to be played on registers a visitor who has none; a
// page to be read shows itself to nobody in particular, for machines read more than people.
func (p *pages) identify(v *visit, register bool) error {
	session, err := p.Visitors.Session(v.r.Context(), SessionToken(v.r))
	if err == nil {
		v.session = session
		return nil
	}
	if fault.CodeOf(err) != "session_required" {
		return err
	}
	if v.r.Method != http.MethodGet {
		return err // a form of a page whose session is gone buys nothing
	}
	if !register {
		return nil
	}
	token, session, err := p.Visitors.Visit(v.r.Context())
	if err != nil {
		return err
	}
	http.SetCookie(v.w, &http.Cookie{
		Name: sessionCookie, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: v.r.TLS != nil, MaxAge: int((365 * 24 * time.Hour).Seconds()),
	})
	v.session = session
	return nil
}

// to sends the visitor to a path of the same language.
func (v *visit) to(path string) error {
	http.Redirect(v.w, v.r, v.language.prefix+path, http.StatusSeeOther)
	return nil
}

// frame is what every page shows around its content.
type frame struct {
	*language
	Title     string
	Theme     string // emerald, garnet or paper
	Other     string // this page in the other language
	Available string
	Net       string
	NetSign   string // "up", "down" or "even"; shown as a sign too, not by colour alone
	Started   string // of the session, RFC 3339
	Elapsed   string
	CanRefill bool
	Section   string // which entry of the navigation is current
}

// Frame is the frame's language, for parts of a page that are given it.
func (f frame) Frame() *language { return f.language }

func (p *pages) frame(v *visit, title, theme, section string) (frame, error) {
	ctx := v.r.Context()
	f := frame{language: v.language, Title: title, Theme: theme, Section: section, Other: v.inOtherLanguage()}
	if v.session.Player == (domain.ID{}) {
		return f, nil // nobody in particular: no funds are shown
	}
	shown, err := store.ShownFunds(ctx, p.Store, v.session.Player)
	if err != nil {
		return f, err
	}
	summary, err := p.Store.Summary(ctx, v.session.Player, v.session.Started)
	if err != nil {
		return f, err
	}
	net := summary.Won - summary.Staked
	f.Available, f.Net = v.language.Amount(shown), v.language.Signed(net)
	switch {
	case net > 0:
		f.NetSign = "up"
	case net < 0:
		f.NetSign = "down"
	default:
		f.NetSign = "even"
	}
	f.Started = v.session.Started.Format(time.RFC3339)
	f.Elapsed = clock(p.Clock().Sub(v.session.Started))
	f.CanRefill = shown < refillBelow
	return f, nil
}

// clock writes a duration as h:mm:ss, or mm:ss below an hour.
func clock(d time.Duration) string {
	seconds := int(max(d, 0) / time.Second)
	if seconds < 3600 {
		return fmt.Sprintf("%02d:%02d", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}

func (v *visit) inOtherLanguage() string {
	path := strings.TrimPrefix(v.r.URL.Path, v.language.prefix)
	other := *v.r.URL
	// Two strokes at the beginning would name another site.
	other.Path, other.RawPath = otherLanguage(v.language).prefix+"/"+strings.TrimLeft(path, "/"), ""
	if v.r.Method != http.MethodGet {
		other.RawQuery = ""
	}
	return other.RequestURI()
}

// render writes a page whole or not at all.
func (p *pages) render(v *visit, status int, name string, data any) error {
	var page bytes.Buffer
	if err := p.templates.ExecuteTemplate(&page, name, data); err != nil {
		return fault.New(fault.Internal, "page_failed", "the page %s could not be made: %w", name, err)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.Header().Set("Content-Language", v.language.Code)
	assets.Write(v.w, v.r, status, page.Bytes())
	return nil
}

// errorPage is what a visitor sees instead of a page.
type errorPage struct {
	frame
	Heading, Message, Next string
	Back                   string
}

// fail shows an error as a page: what happened, in the visitor's language, and the way on.
func (p *pages) fail(v *visit, err error) {
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, fault.NotFound):
		status = http.StatusNotFound
	case errors.Is(err, fault.Invalid):
		status = http.StatusBadRequest
	case errors.Is(err, fault.Refused), errors.Is(err, fault.Conflict), errors.Is(err, fault.Exhausted):
		status = http.StatusConflict
	case errors.Is(err, fault.Unavailable):
		status = http.StatusServiceUnavailable
		v.w.Header().Set("Retry-After", "1")
	}
	if status == http.StatusInternalServerError {
		p.Log.ErrorContext(v.r.Context(), "a page failed", "path", v.r.URL.Path, "error", err)
	}
	heading, message, next := v.language.problem(err)
	page := errorPage{Heading: heading, Message: message, Next: next, Back: v.language.prefix + "/"}
	var frameErr error
	if page.frame, frameErr = p.frame(v, heading, "paper", ""); frameErr != nil {
		// Without a player the frame shows no funds; the message matters more.
		page.frame = frame{language: v.language, Title: heading, Theme: "paper", Other: v.inOtherLanguage()}
	}
	if err := p.render(v, status, "error.html", page); err != nil {
		http.Error(v.w, message, status)
	}
}
