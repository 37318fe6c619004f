package player_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// heaviest is how much a page may weigh on its way, with everything that it loads: fonts, drawings,
// styles and script. A slow phone line brings it in a few seconds.
const heaviest = 90 << 10

// sent is how many bytes an address brings to a visitor who takes gzip, and the text.
func (v *visitor) sent(path string) (bytes int, text string) {
	v.t.Helper()
	text = v.get(path).is(http.StatusOK).text
	r := v.request("GET", path, nil)
	r.Header.Set("Accept-Encoding", "gzip") // said by hand, the client leaves the answer packed
	answer, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	packed, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return len(packed), text
}

var (
	fileOfPage  = regexp.MustCompile(`(?:src|href)="(/assets/[^"]+)"`)
	fileOfSheet = regexp.MustCompile(`url\("?([^")]+)"?\)`)
)

func TestPagesAreLight(t *testing.T) {
	v := newHouse(t, build{}).visitor()
	v.get("/")
	for path, theme := range map[string]string{"/": "paper", "/jeu/precius-aurus": "emerald", "/jeu/piece-dor": "garnet"} {
		total, markup := v.sent(path)
		html, files := total, make(map[string]bool)
		for _, found := range fileOfPage.FindAllStringSubmatch(markup, -1) {
			files[found[1]] = true
		}
		_, sheet := v.sent(regexp.MustCompile(`/assets/pages\.css[^"]*`).FindString(markup))
		for _, found := range fileOfSheet.FindAllStringSubmatch(sheet, -1) {
			ofAnother := regexp.MustCompile(`-(emerald|garnet|paper)\.`).FindStringSubmatch(found[1])
			if ofAnother == nil || ofAnother[1] == theme || ofAnother[1] == "paper" && strings.Contains(found[1], "frame") {
				files["/assets/"+found[1]] = true
			}
		}
		for file := range files {
			bytes, _ := v.sent(file)
			total += bytes
			t.Logf("%s: %d bytes", file, bytes)
		}
		t.Logf("%s weighs %d bytes on its way, %d of them the page, with %d files", path, total, html, len(files))
		if total > heaviest {
			t.Errorf("%s weighs %d bytes, more than %d", path, total, heaviest)
		}
	}
}
