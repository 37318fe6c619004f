package player_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bothLanguages runs a test in French, at the root, and in English, below /en.
func bothLanguages(t *testing.T, run func(t *testing.T, prefix, code string)) {
	t.Run("French", func(t *testing.T) { run(t, "", "fr") })
	t.Run("English", func(t *testing.T) { run(t, "/en", "en") })
}

// Titles are those that a player reads, not the keys of package words.
var stillPages = []struct{ path, french, english string }{
	{"/", "Les jeux", "Games"},
	{"/jeu/piece-dor", "Pièce d’or", "Pièce d’or"},
	{"/jeu/piece-dor?mise=2", "Pièce d’or", "Pièce d’or"},
	{"/jeu/precius-aurus", "Precius Aurus", "Precius Aurus"},
	{"/jeu/piece-dor/regles", "Règles de Pièce d’or", "Rules of Pièce d’or"},
	{"/jeu/precius-aurus/regles", "Règles de Precius Aurus", "Rules of Precius Aurus"},
	{"/historique", "Historique", "History"},
	{"/aide", "Jouer avec mesure", "Play within limits"},
	{"/jackpot/super-jackpot", "Super Jackpot", "Super Jackpot"},
	{"/verifier", "Vérifier", "Verify"},
}

func TestEveryPageAnswersInBothLanguages(t *testing.T) {
	h := newHouse(t, build{})
	v := h.visitor()
	bothLanguages(t, func(t *testing.T, prefix, code string) {
		for _, still := range stillPages {
			p := v.get(prefix + still.path).is(http.StatusOK)
			title := map[string]string{"fr": still.french, "en": still.english}[code]
			p.wellMade(t, code, title)
			p.says(title)
		}
	})
	if logged := h.logged.String(); logged != "" {
		t.Errorf("pages logged: %s", logged)
	}
}

// wellMade fails unless a page has the right language and title, a link to itself in the other
// language, its help line, and no word without a text.
func (p page) wellMade(t testing.TB, code, title string) {
	t.Helper()
	other := map[string]string{"fr": "en", "en": "fr"}[code]
	for _, part := range []string{`<html lang="` + code + `"`, "<title>" + title + " – Talon</title>", `hreflang="` + other + `"`, `id="main"`, "09&nbsp;74&nbsp;75&nbsp;13&nbsp;13", "18+"} {
		if !strings.Contains(p.text, part) {
			t.Errorf("%s has no %s", p.path, part)
		}
	}
	for _, ill := range []string{"⟨", "%!", "<no value>", "ZgotmplZ", "<nil>"} {
		if strings.Contains(p.text, ill) {
			t.Errorf("%s holds %q", p.path, ill)
		}
	}
	if p.header.Get("Content-Language") != code {
		t.Errorf("%s: content language %q", p.path, p.header.Get("Content-Language"))
	}
}

var alternate = regexp.MustCompile(`<link rel="alternate" hreflang="\w+" href="([^"]+)">`)

func TestEachPageLeadsToItselfInTheOtherLanguage(t *testing.T) {
	v := newHouse(t, build{}).visitor()
	for _, still := range stillPages {
		for from, to := range map[string]string{still.path: "/en" + still.path, "/en" + still.path: still.path} {
			found := alternate.FindStringSubmatch(v.get(from).is(http.StatusOK).text)
			if found == nil || found[1] != to {
				t.Errorf("%s leads to %v instead of %s", from, found, to)
			}
		}
	}
}

// Every answer, errors and assets included, forbids what a page does not need.
func TestEveryAnswerHasTheSecurityHeaders(t *testing.T) {
	v := newHouse(t, build{}).visitor()
	assetPath := regexp.MustCompile(`/assets/player\.js\?v=[\w-]+`).FindString(v.get("/").text)
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types talon-verifier",
		"X-Content-Type-Options":     "nosniff",
		"Referrer-Policy":            "same-origin",
		"Cross-Origin-Opener-Policy": "same-origin",
	}
	for _, path := range []string{"/", "/en/jeu/piece-dor", "/nothing", "/historique/zz", assetPath, "/assets/nothing"} {
		p := v.get(path)
		for name, value := range want {
			if diff := cmp.Diff([]string{value}, p.header.Values(name)); diff != "" {
				t.Errorf("%s: %s: %s", path, name, diff)
			}
		}
		if path != assetPath && !strings.HasPrefix(path, "/assets/") && p.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be kept: %q", path, p.header.Get("Cache-Control"))
		}
	}
}

// No page needs an exception from its policy: nothing inline, nothing from elsewhere.
func TestPagesHoldNothingThatThePolicyForbids(t *testing.T) {
	v := newHouse(t, build{}).visitor()
	forbidden := regexp.MustCompile(`(?i)<script(?: type="module")?>|<style|\sstyle="|\son[a-z]+="|javascript:|(?:src|href)="(?:https?:)?//`)
	for _, still := range stillPages {
		if found := forbidden.FindString(v.get(still.path).text); found != "" {
			t.Errorf("%s holds %s", still.path, found)
		}
	}
}

func TestTheSessionCookieIsKeptFromScriptsAndOtherSites(t *testing.T) {
	p := newHouse(t, build{}).visitor().get("/")
	cookie := p.header.Get("Set-Cookie")
	for _, part := range []string{"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=31536000"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("the cookie has no %s: %s", part, cookie)
		}
	}
}

// What a visitor can ask wrongly is answered in words of its own, never as a fault of ours.
func TestWrongRequestsAreExplained(t *testing.T) {
	h := newHouse(t, build{})
	v := h.visitor()
	v.get("/")
	unknownPlay := "/unite/" + strings.Repeat("0", 32)
	bothLanguages(t, func(t *testing.T, prefix, code string) {
		ours := map[string]string{"fr": "Un défaut de notre côté", "en": "A fault on our side"}[code]
		heading := map[string]string{"fr": "Cela n’a pas marché", "en": "That did not work"}[code]
		wrong := map[string]int{
			"/nothing": 404, "/jeu/nothing": 404, "/jeu/nothing/regles": 404, "/jackpot/nothing": 404, "/jeu/super-jackpot": 404,
			unknownPlay: 404, "/unite/zz": 404, "/historique/zz": 404, "/historique" + strings.TrimPrefix(unknownPlay, "/unite"): 404,
			"/historique?avant=x": 400, "/historique?avant=-1": 400, "/jeu/piece-dor?mise=3": 400, "/jeu/piece-dor?mise=abc": 400,
		}
		for path, status := range wrong {
			p := v.get(prefix + path).is(status)
			p.wellMade(t, code, heading)
			if strings.Contains(p.visible(), ours) {
				t.Errorf("%s is told as a fault of ours", path)
			}
		}
		forms := map[string]struct {
			status int
			fields url.Values
		}{
			"/jeu/nothing/jouer":            {404, url.Values{"mise": {"1"}, "cle": {"a"}}},
			"/jeu/piece-dor/jouer":          {400, url.Values{"mise": {"3"}, "cle": {"a"}}},
			"/jeu/piece-dor/jouer?":         {400, url.Values{"mise": {"1"}}},
			"/jeu/piece-dor/jouer?a":        {400, url.Values{"cle": {"a"}}},
			"/jeu/precius-aurus/jouer":      {400, url.Values{"mise": {"1"}, "cle": {"a"}, "vue": {"zz"}}},
			"/jeu/precius-aurus/jouer?a":    {400, url.Values{"mise": {"1"}, "cle": {"clé"}}},
			unknownPlay + "/choix":          {404, url.Values{"sac": {"1", "2", "3"}}},
			unknownPlay + "/choix?a":        {400, url.Values{"sac": {"one"}}},
			"/recharge":                     {409, nil},
			"/jeu/precius-aurus/jouer?long": {400, url.Values{"mise": {"1"}, "cle": {strings.Repeat("a", 65)}}},
		}
		for path, form := range forms {
			p := v.post(prefix+path, form.fields).is(form.status)
			p.wellMade(t, code, heading)
			if strings.Contains(p.visible(), ours) {
				t.Errorf("%s %v is told as a fault of ours", path, form.fields)
			}
		}
	})
	if plays := h.plays(); len(plays) != 0 {
		t.Errorf("%d plays were sold", len(plays))
	}
	if logged := h.logged.String(); logged != "" {
		t.Errorf("wrong requests are logged as faults of ours: %s", logged)
	}
}

func TestMethodsThatAreNotOfferedAreRefused(t *testing.T) {
	v := newHouse(t, build{}).visitor()
	v.get("/")
	for path, method := range map[string]string{"/": "POST", "/jeu/piece-dor": "POST", "/historique": "DELETE", "/jeu/piece-dor/jouer": "PUT"} {
		if p := v.send(v.request(method, path, nil)); p.status != http.StatusMethodNotAllowed {
			t.Errorf("%s %s: status %d", method, path, p.status)
		}
	}
	// To look at the page of a form's address is to look for a page that does not exist.
	v.get("/jeu/piece-dor/jouer").is(http.StatusNotFound)
}

// A form of another site buys nothing, whatever cookies come with it.
func TestAFormOfAnotherSiteIsRefused(t *testing.T) {
	h := newHouse(t, build{})
	v := h.visitor()
	v.get("/")
	for _, header := range []http.Header{{"Sec-Fetch-Site": {"cross-site"}}, {"Origin": {"https://elsewhere.example"}}} {
		r := v.request("POST", "/jeu/precius-aurus/jouer", strings.NewReader(url.Values{"mise": {"1"}, "cle": {"a"}}.Encode()))
		r.Header = header.Clone()
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		v.send(r).is(http.StatusForbidden)
	}
	if plays := h.plays(); len(plays) != 0 {
		t.Errorf("%d plays were sold", len(plays))
	}
}

func TestAFormWithoutASessionBuysNothing(t *testing.T) {
	h := newHouse(t, build{})
	bothLanguages(t, func(t *testing.T, prefix, code string) {
		p := h.visitor().post(prefix+"/jeu/precius-aurus/jouer", url.Values{"mise": {"1"}, "cle": {"a"}}).is(http.StatusConflict)
		p.wellMade(t, code, map[string]string{"fr": "Cela n’a pas marché", "en": "That did not work"}[code])
		p.says(map[string]string{"fr": "Rien n’a été acheté.", "en": "Nothing was bought."}[code])
		if p.header.Get("Set-Cookie") != "" {
			t.Error("a form made a player")
		}
	})
	if plays := h.plays(); len(plays) != 0 {
		t.Errorf("%d plays were sold", len(plays))
	}
}

// While a block is dealt its game can be looked at, says so, and is not sold.
func TestAGameWithoutABlockIsShownAsBeingPrepared(t *testing.T) {
	h := newHouse(t, build{undealt: true})
	v := h.visitor()
	v.get("/").is(http.StatusOK).says("Bloc en préparation")
	p := v.get("/en/jeu/precius-aurus").is(http.StatusOK).says("A block is being prepared: Precius Aurus")
	if strings.Contains(p.text, `id="play"`) {
		t.Error("the game can be played")
	}
	v.post("/jeu/precius-aurus/jouer", url.Values{"mise": {"1"}, "cle": {"a"}}).is(http.StatusServiceUnavailable).
		says("Le bloc est en préparation. Rien n’a été débité.")
}

// A drawing that a page names is in its sprite.
func TestEachPageHoldsTheDrawingsThatItUses(t *testing.T) {
	h := newHouse(t, build{})
	v := h.visitor()
	pages := []page{v.get("/historique")} // empty
	for _, still := range stillPages {
		pages = append(pages, v.get(still.path))
	}
	h.until(lines, 0, multiplied)
	pages = append(pages, v.play(v.get("/jeu/precius-aurus")), v.play(v.play(v.get("/jeu/piece-dor")), "sac=1", "sac=2", "sac=3"), v.get("/historique"), v.get("/"))
	held, used := regexp.MustCompile(`<symbol id="(s-[^"]+)"`), regexp.MustCompile(`href="#(s-[^"]+)"`)
	for _, p := range pages {
		holds := make(map[string]bool)
		for _, found := range held.FindAllStringSubmatch(p.text, -1) {
			if holds[found[1]] {
				t.Errorf("%s holds %s twice", p.path, found[1])
			}
			holds[found[1]] = true
		}
		for _, found := range used.FindAllStringSubmatch(p.text, -1) {
			if !holds[found[1]] {
				t.Errorf("%s shows %s, which its sprite does not hold", p.path, found[1])
			}
		}
	}
}
