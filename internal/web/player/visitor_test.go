package player_test

import (
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// visitor is somebody with a browser that has no scripts: it keeps its cookie, follows redirects, and
// sends forms as they are on the page.
type visitor struct {
	t      testing.TB
	base   string
	client *http.Client
}

func (h *house) visitor() *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return &visitor{t: h.t, base: h.server.URL, client: &http.Client{Jar: jar}}
}

// page is an answer.
type page struct {
	t      testing.TB
	status int
	path   string // after redirects
	header http.Header
	text   string
}

func (v *visitor) send(r *http.Request) page {
	v.t.Helper()
	answer, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return page{v.t, answer.StatusCode, answer.Request.URL.RequestURI(), answer.Header, string(body)}
}

func (v *visitor) request(method, path string, body io.Reader) *http.Request {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, body)
	if err != nil {
		v.t.Fatal(err)
	}
	return r
}

func (v *visitor) get(path string) page {
	v.t.Helper()
	return v.send(v.request("GET", path, nil))
}

func (v *visitor) post(path string, fields url.Values) page {
	v.t.Helper()
	r := v.request("POST", path, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return v.send(r)
}

// ask asks the API, and decodes what it answers.
func (v *visitor) ask(method, path, key, body string, into any) page {
	v.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := v.request(method, "/api/v1"+path, reader)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	p := v.send(r)
	if into != nil {
		if err := json.Unmarshal([]byte(p.text), into); err != nil {
			v.t.Fatalf("%s %s: %v: %s", method, path, err, p.text)
		}
	}
	return p
}

// is fails unless an answer has a status.
func (p page) is(status int) page {
	p.t.Helper()
	if p.status != status {
		p.t.Fatalf("%s: status %d instead of %d: %s", p.path, p.status, status, p.visible())
	}
	return p
}

// says fails unless the visible text of a page holds all of these.
func (p page) says(texts ...string) page {
	p.t.Helper()
	for _, text := range texts {
		if !strings.Contains(p.visible(), text) {
			p.t.Errorf("%s does not say %q: %s", p.path, text, p.visible())
		}
	}
	return p
}

var (
	formTag  = regexp.MustCompile(`(?s)<form class="actions" id="play" method="post" action="([^"]+)">(.*?)</form>`)
	inputTag = regexp.MustCompile(`<input ([^>]+)>`)
	attr     = regexp.MustCompile(`([a-z-]+)(?:="([^"]*)")?`)
	tag      = regexp.MustCompile(`(?s)<svg.*?</svg>|<script.*?</script>|<title>.*?</title>|<[^>]+>`)
	spaces   = regexp.MustCompile(`\s+`)
)

// visible is what a page says, without its markup.
func (p page) visible() string { return visibleText(p.text) }

func visibleText(markup string) string {
	return strings.TrimSpace(spaces.ReplaceAllString(html.UnescapeString(tag.ReplaceAllString(markup, " ")), " "))
}

// form is the form of a game's page and what a browser would send with it, without boxes that are
// not checked.
func (p page) form() (action string, fields url.Values) {
	p.t.Helper()
	found := formTag.FindStringSubmatch(p.text)
	if found == nil {
		p.t.Fatalf("%s has no form to play: %s", p.path, p.visible())
	}
	fields = make(url.Values)
	for _, input := range inputTag.FindAllStringSubmatch(p.text, -1) {
		has := make(map[string]string)
		for _, one := range attr.FindAllStringSubmatch(input[1], -1) {
			has[one[1]] = html.UnescapeString(one[2])
		}
		_, checked := has["checked"]
		inside := has["form"] == "play" || strings.Contains(found[2], input[0])
		if inside && (checked || has["type"] == "hidden") {
			fields.Add(has["name"], has["value"])
		}
	}
	return html.UnescapeString(found[1]), fields
}

// play sends the form of a game's page, with more fields.
func (v *visitor) play(p page, more ...string) page {
	v.t.Helper()
	action, fields := p.form()
	for _, field := range more {
		name, value, _ := strings.Cut(field, "=")
		fields.Add(name, value)
	}
	return v.post(action, fields)
}

// part is the text of the element with an id.
func (p page) part(id string) string {
	p.t.Helper()
	found := regexp.MustCompile(`(?s)<(\w+)[^>]* id="` + id + `"[^>]*>(.*?)</`).FindStringSubmatch(p.text)
	if found == nil {
		p.t.Fatalf("%s has no #%s", p.path, id)
	}
	return visibleText(found[2])
}

// apiPlay is a play as the API tells it.
type apiPlay struct {
	ID        string
	Number    int64
	Game      string
	Stake     string
	Available string
	Disclosed bool
	Shown     bool
	Choice    []int
	Outcome   *struct {
		Prize      string
		Kind       string
		Layout     []string
		Multiplier int
		Gains      []struct{ Combination int }
		Statement  struct{ Fr, En string }
	}
}

// newest is the newest play, as the API tells it.
func (v *visitor) newest() apiPlay {
	v.t.Helper()
	var history struct{ Plays []apiPlay }
	v.ask("GET", "/plays?limit=1", "", "", &history).is(http.StatusOK)
	if len(history.Plays) == 0 {
		v.t.Fatal("nothing was played")
	}
	return history.Plays[0]
}

// count is how many plays the visitor has.
func (v *visitor) count() int {
	v.t.Helper()
	var history struct{ Plays []apiPlay }
	v.ask("GET", "/plays?limit=100", "", "", &history).is(http.StatusOK)
	return len(history.Plays)
}
