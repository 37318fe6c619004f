// Package bundle makes the files of dist/ from the style sheets and scripts of the player's pages, and
// the command of the checker that the page « Vérifier » shares its code with.
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

// scripts are the entries of the bundles in src/, by the name of what is made of them. The checker has
// files of its own, so that the pages of games do not grow.
var scripts = map[string]string{
	"player.js":          "src/player.ts",
	"verifier.js":        "src/verifier.ts",
	"verifier-worker.js": "src/verifier-worker.ts",
}

// Make gives the files of dist/ by name. The folder is internal/web/player.
func Make(folder string, files fs.FS) (map[string][]byte, error) {
	style, err := styles(files)
	if err != nil {
		return nil, err
	}
	made := map[string][]byte{"pages.css": style}
	for name, entry := range scripts {
		if made[name], err = bundled(folder, entry, forPages); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// Checker is the folder of the browser's checker, seen from internal/web/player, and Command is its command.
const (
	Checker = "../../../verify/browser"
	Command = "cli.mjs"
)

// MakeCommand gives the command of the checker, for Node 20. The folder is verify/browser.
func MakeCommand(folder string) ([]byte, error) { return bundled(folder, "src/cli.ts", forNode) }

// MakeTest gives one test of the checker, to be run by `node --test`. The folder is verify/browser.
func MakeTest(folder, entry string) ([]byte, error) { return bundled(folder, entry, forNode) }

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

// forPages makes scripts small; forNode keeps a command that can be read, for whoever runs it should be able to.
func forPages(options *api.BuildOptions) {
	options.MinifyWhitespace, options.MinifySyntax, options.MinifyIdentifiers = true, true, true
}

func forNode(options *api.BuildOptions) {
	options.Charset = api.CharsetUTF8
	options.Platform, options.Engines = api.PlatformNode, []api.Engine{{Name: api.EngineNode, Version: "20"}}
}

// bundled joins a script with all that it imports.
func bundled(folder, entry string, kind func(*api.BuildOptions)) ([]byte, error) {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	options := api.BuildOptions{
		AbsWorkingDir: absolute, EntryPoints: []string{entry}, Bundle: true, Format: api.FormatESModule,
		Target: api.ES2022, LegalComments: api.LegalCommentsNone, Write: false, Outfile: "bundled.js",
	}
	kind(&options)
	result := api.Build(options)
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
