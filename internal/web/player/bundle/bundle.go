// Package bundle makes the files of dist/ from the style sheets and scripts of the player's pages.
//
// Its one promise: the same sources give the same bytes, so that a test can prove the committed files
// fresh. It is run by `go generate` and by that test, never by the server.
package bundle

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/talonlottery/talon/internal/web/assets"
)

// sheets are the style sheets, in the order in which they are joined.
var sheets = []string{"tokens.css", "base.css", "game.css", "pages.css"}

// Make gives the files of dist/ by name. The folder is internal/web/player.
func Make(folder string, files fs.FS) (map[string][]byte, error) {
	style, err := styles(files)
	if err != nil {
		return nil, err
	}
	script, err := scripts(folder)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"pages.css": style, "player.js": script}, nil
}

// reference is a picture or a font that a style sheet names, from its own folder.
var reference = regexp.MustCompile(`url\("\.\./([a-z0-9/.-]+)"\)`)

// styles joins and minifies the style sheets, and gives each file they name its version.
func styles(files fs.FS) ([]byte, error) {
	var joined strings.Builder
	for _, sheet := range sheets {
		text, err := fs.ReadFile(files, path.Join("static/css", sheet))
		if err != nil {
			return nil, err
		}
		joined.Write(text)
	}
	var missing error
	text := reference.ReplaceAllStringFunc(joined.String(), func(found string) string {
		name := reference.FindStringSubmatch(found)[1]
		content, err := fs.ReadFile(files, path.Join("static", name))
		if err != nil {
			missing = err
		}
		return fmt.Sprintf(`url("%s?v=%s")`, name, assets.Version(content))
	})
	if missing != nil {
		return nil, missing
	}
	result := api.Transform(text, api.TransformOptions{Loader: api.LoaderCSS, MinifyWhitespace: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone})
	return result.Code, problems(result.Errors)
}

// scripts bundles the client.
func scripts(folder string) ([]byte, error) {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: absolute, EntryPoints: []string{"src/player.ts"}, Bundle: true, Format: api.FormatESModule,
		Target: api.ES2022, MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true,
		LegalComments: api.LegalCommentsNone, Write: false, Outfile: "player.js",
	})
	if err := problems(result.Errors); err != nil {
		return nil, err
	}
	return result.OutputFiles[0].Contents, nil
}

func problems(messages []api.Message) error {
	if len(messages) == 0 {
		return nil
	}
	first := messages[0]
	if first.Location != nil {
		return fmt.Errorf("%s:%d:%d: %s", first.Location.File, first.Location.Line, first.Location.Column, first.Text)
	}
	return fmt.Errorf("%s", first.Text)
}
