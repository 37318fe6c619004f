// Package vectors runs the test vectors of block.md, section 13.
package vectors

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/talonlottery/talon/verify/internal/definition"
	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/source"
)

// Result is what came of one file.
type Result struct {
	File     string
	Missing  bool
	Checked  int // values that were compared
	Failures []string
}

const fileBytesMost = 64 << 20

// files are the files of vectors with what runs them.
var files = []struct {
	name string
	run  func(*run, []byte) error
}{
	{"entropy.json", (*run).entropy},
	{"shuffle.json", (*run).shuffle},
	{"units.json", (*run).units},
	{"blocks.json", (*run).units},
	{"leaves.json", (*run).leaves},
	{"trees.json", (*run).trees},
	{"log.json", (*run).log},
	{"receipts.json", (*run).receipts},
	{"roots.json", (*run).roots},
}

// Options choose what is run.
type Options struct {
	RootsMost int          // whole blocks, 0 for all: each takes a second
	Progress  func(string) // told before each file and whole block
}

// Run runs the vectors of a folder. An error says that the folder cannot be used; failures are in the results.
func Run(ctx context.Context, s source.Source, options Options) ([]Result, error) {
	var results []Result
	for _, file := range files {
		options.Progress(file.name)
		data, err := source.ReadAll(ctx, s, file.name, fileBytesMost)
		if errors.Is(err, fs.ErrNotExist) {
			results = append(results, Result{File: file.name, Missing: true})
			continue
		}
		if err != nil {
			return nil, err
		}
		r := &run{ctx: ctx, source: s, options: options}
		if err := file.run(r, data); err != nil {
			return nil, fmt.Errorf("%s: %w", file.name, err)
		}
		results = append(results, Result{File: file.name, Checked: r.checked, Failures: r.failures})
	}
	return results, nil
}

// run is the running of one file.
type run struct {
	ctx      context.Context
	source   source.Source
	options  Options
	checked  int
	failures []string
}

// same compares what was computed with what the file says.
func (r *run) same(where string, got, want any) {
	r.checked++
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		r.failures = append(r.failures, fmt.Sprintf("%s: %s instead of %s", where, g, w))
	}
}

// definition reads the definition of a game from the folder; one that has a number of odds instead is a jackpot that is in no file.
func (r *run) definition(v blockVector) (*definition.Definition, error) {
	if v.Odds != 0 {
		return &definition.Definition{
			Name: v.Game, Size: v.Size, Prices: []definition.Money{0}, Jackpot: &definition.Jackpot{Odds: v.Odds},
		}, nil
	}
	if strings.ContainsAny(v.Game, "/.") {
		return nil, fmt.Errorf("%q is not a name", v.Game)
	}
	data, err := source.ReadAll(r.ctx, r.source, "definitions/"+v.Game+".json", fileBytesMost)
	if err != nil {
		return nil, err
	}
	return definition.Parse(data)
}

// hexBytes, id and digest are values as vectors write them.
type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	b, err := hex.DecodeString(text)
	*h = b
	return err
}

func (h hexBytes) String() string { return hex.EncodeToString(h) }

func (h hexBytes) digest() notation.Digest {
	var d notation.Digest
	copy(d[:], h)
	return d
}

func (h hexBytes) id() notation.ID {
	var id notation.ID
	copy(id[:], h)
	return id
}

func digests(list []hexBytes) []notation.Digest {
	all := make([]notation.Digest, len(list))
	for i, h := range list {
		all[i] = h.digest()
	}
	return all
}
