package floors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Listed package is what go list says of one of our packages.
type Listed struct {
	Package
	Files []string // its Go files without tests, whatever system they are built for
}

// List asks go list for every package of this module, seen from the module's root folder. A package that does not build is listed
// with what could be read of it: that it does not build is for the compiler to say.
func List(root string) ([]Listed, error) {
	out, err := run(root, "go", "list", "-e",
		"-json=ImportPath,Dir,GoFiles,CgoFiles,IgnoredGoFiles,Imports,TestImports,XTestImports,Deps", "./...")
	if err != nil {
		return nil, err
	}
	var all []Listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir                          string
			GoFiles, CgoFiles, IgnoredGoFiles        []string
			Imports, TestImports, XTestImports, Deps []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the answer of go list: %w", err)
		}
		l := Listed{Package: Package{
			Path: p.ImportPath, Imports: p.Imports, TestImports: append(p.TestImports, p.XTestImports...), Reaches: p.Deps,
		}}
		for _, name := range append(append(p.GoFiles, p.CgoFiles...), p.IgnoredGoFiles...) {
			if !strings.HasSuffix(name, "_test.go") {
				l.Files = append(l.Files, filepath.Join(p.Dir, name))
			}
		}
		all = append(all, l)
	}
}

// Texts lists the files below root that are or may be committed, as git sees them.
func Texts(root string) ([]string, error) {
	out, err := run(root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

func run(folder, name string, args ...string) ([]byte, error) {
	var said bytes.Buffer
	c := exec.Command(name, args...)
	c.Dir, c.Stderr = folder, &said
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, args[0], err, said.String())
	}
	return out, nil
}
