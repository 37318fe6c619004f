// Command build writes dist/ from the style sheets and scripts of the player's pages. It is run by
// `go generate` in their folder.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/talonlottery/talon/internal/web/player/bundle"
)

func main() {
	files, err := bundle.Make(".", os.DirFS("."))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll("dist", 0o755); err != nil {
		log.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join("dist", name), content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
	command, err := bundle.MakeCommand(bundle.Checker)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bundle.Checker, bundle.Command), command, 0o644); err != nil {
		log.Fatal(err)
	}
}
