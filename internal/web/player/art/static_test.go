package art_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var address = regexp.MustCompile(`url\(\s*["']?([^"')]*)["']?\s*\)`)

// foreign returns what a style sheet asks for that is not a file beside it: another host, a data address, a missing file.
func foreign(css, directory string) []string {
	var wrong []string
	if strings.Contains(css, "@import") {
		wrong = append(wrong, "@import")
	}
	for _, match := range address.FindAllStringSubmatch(css, -1) {
		if strings.Contains(match[1], ":") || strings.HasPrefix(match[1], "//") {
			wrong = append(wrong, match[1])
			continue
		}
		if _, err := os.Stat(filepath.Join(directory, filepath.FromSlash(match[1]))); err != nil {
			wrong = append(wrong, fmt.Sprint(err))
		}
	}
	return wrong
}

// TestStyleSheetsStayAtHome: no third party and no missing file (default-src 'none'; every source 'self').
func TestStyleSheetsStayAtHome(t *testing.T) {
	sheets, err := filepath.Glob("../static/css/*.css")
	if err != nil || len(sheets) != 4 {
		t.Fatalf("%d style sheets, want 4: %v", len(sheets), err)
	}
	for _, sheet := range sheets {
		css, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for _, wrong := range foreign(string(css), filepath.Dir(sheet)) {
			t.Errorf("%s: %s", sheet, wrong)
		}
		if strings.Count(string(css), "{") != strings.Count(string(css), "}") {
			t.Errorf("%s: braces do not match", sheet)
		}
	}
	for _, bad := range []string{`a{src:url(https://example.org/a.woff2)}`, `a{src:url("//example.org/a")}`, `a{background:url('data:image/png;base64,AA')}`, `a{background:url(../icons/lost.svg)}`, `@import "x.css";`} {
		if len(foreign(bad, "../static/css")) == 0 {
			t.Errorf("not caught: %s", bad)
		}
	}
}

// TestFontsCarryTheirLicence: each font file has the text of its licence (OFL 1.1) beside it.
func TestFontsCarryTheirLicence(t *testing.T) {
	fonts, err := filepath.Glob("../static/fonts/*.woff2")
	if err != nil || len(fonts) == 0 {
		t.Fatalf("no fonts: %v", err)
	}
	for _, font := range fonts {
		licence, err := os.ReadFile(strings.TrimSuffix(font, ".woff2") + "-OFL.txt")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(licence), "SIL Open Font License, Version 1.1") {
			t.Errorf("%s: its licence is not the OFL 1.1", font)
		}
	}
}
