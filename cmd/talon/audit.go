package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/talonlottery/talon/audit"
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
)

type auditCommand struct {
	Block auditBlockCommand `cmd:"" help:"Deal a block that was opened again, and hold it against everything that was published."`
	Log   auditLogCommand   `cmd:"" help:"Check the public log: whole, signed, in order, and grown from what was seen before."`
}

// publicationFlags name a publication and how to check it.
type publicationFlags struct {
	keyFlags
	Older string `placeholder:"FILE" help:"A checkpoint of the log that you kept: the log must have grown from it."`
	JSON  bool   `help:"Print JSON for machines."`
}

// open reads and checks the log of a publication.
func (f publicationFlags) open(ctx context.Context, s streams, place string) (*audit.Publication, error) {
	var options audit.Options
	var err error
	if options.Key, options.Witnesses, err = f.keys(); err != nil {
		return nil, err
	}
	if f.Older != "" {
		if options.Older, err = os.ReadFile(f.Older); err != nil {
			return nil, fault.New(fault.NotFound, "checkpoint_missing", "the older checkpoint cannot be read: %w", err)
		}
	}
	options.Progress = func(done, total uint32) {
		if tenth := max(total/10, 1); total >= 100_000 && done > 0 && done%tenth < max(total/100, 1) {
			fmt.Fprintf(s.log, "dealt %d of %d units again\n", done, total)
		}
	}
	return audit.Open(published(ctx, place), options)
}

type auditLogCommand struct {
	publicationFlags
	Folder string `arg:"" help:"The publication: a folder, or its address (https://…/public)."`
}

// Run checks the log of a publication.
func (c auditLogCommand) Run(ctx context.Context, s streams) error {
	publication, err := c.open(ctx, s, c.Folder)
	if err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(s.out).Encode(publication.Log)
	} else {
		err = publication.Log.WriteText(s.out)
	}
	if err == nil && !publication.Log.OK() {
		return errFound
	}
	return err
}

type auditBlockCommand struct {
	publicationFlags
	Folder string `arg:"" help:"The publication: a folder, or its address (https://…/public)."`
	Block  string `arg:"" optional:"" help:"The block's identifier; every block that is open when it is left out."`
}

// Run checks the log and one block, or all that are open. What is wrong with the log is told with each
// block for machines, and once for people.
func (c auditBlockCommand) Run(ctx context.Context, s streams) error {
	publication, err := c.open(ctx, s, c.Folder)
	if err != nil {
		return err
	}
	wrong := !publication.Log.OK()
	if wrong && !c.JSON {
		if err := publication.Log.WriteText(s.out); err != nil {
			return err
		}
		fmt.Fprintln(s.out)
	}
	blocks, err := c.blocks(publication)
	if err != nil {
		if wrong {
			fmt.Fprintln(s.log, "talon:", err)
			return errFound
		}
		return err
	}
	for _, id := range blocks {
		found, err := c.one(ctx, s, publication, id)
		if err != nil {
			return err
		}
		wrong = wrong || found
	}
	if wrong {
		return errFound
	}
	return nil
}

func (c auditBlockCommand) blocks(publication *audit.Publication) ([]block.ID, error) {
	if c.Block != "" {
		var id block.ID
		err := id.UnmarshalText([]byte(c.Block))
		return []block.ID{id}, err
	}
	opened := publication.Opened()
	if len(opened) == 0 {
		return nil, fault.New(fault.NotFound, "block_not_open", "no block of this publication is open yet").
			Next("`talon audit log` checks the log meanwhile")
	}
	return opened, nil
}

// one checks one block and prints what was found.
func (c auditBlockCommand) one(ctx context.Context, s streams, publication *audit.Publication, id block.ID) (wrong bool, err error) {
	report, err := publication.Block(ctx, id)
	if err != nil {
		return false, err
	}
	if c.JSON {
		report.Findings = append(append([]audit.Finding{}, publication.Log.Findings...), report.Findings...)
		return !report.OK(), json.NewEncoder(s.out).Encode(report)
	}
	if err := report.WriteText(s.out); err != nil {
		return false, err
	}
	_, err = fmt.Fprintln(s.out)
	return !report.OK(), err
}

// published is a publication in a folder or at an address.
func published(ctx context.Context, place string) fs.FS {
	if strings.HasPrefix(place, "https://") || strings.HasPrefix(place, "http://") {
		client := &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: 30 * time.Second}}
		return httpFiles{ctx: ctx, address: strings.TrimSuffix(place, "/"), client: client}
	}
	return os.DirFS(place)
}

// overHTTP reads the files of a publication over HTTP.
type httpFiles struct {
	ctx     context.Context
	address string
	client  *http.Client
}

// Open asks for a file. What the server does not have is missing; whatever else fails is an error.
func (r httpFiles) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	request, err := http.NewRequestWithContext(r.ctx, http.MethodGet, r.address+"/"+name, nil)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close() // nothing of it is wanted
		err := fmt.Errorf("the server answers %s", response.Status)
		if response.StatusCode == http.StatusNotFound {
			err = fs.ErrNotExist
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return httpFile{ReadCloser: response.Body, name: name, size: response.ContentLength}, nil
}

// httpFile is a file that is being received.
type httpFile struct {
	io.ReadCloser
	name string
	size int64
}

// Stat gives what is known of it.
func (f httpFile) Stat() (fs.FileInfo, error) { return f, nil }

func (f httpFile) Name() string     { return f.name }
func (f httpFile) Size() int64      { return f.size }
func (httpFile) Mode() fs.FileMode  { return 0o444 }
func (httpFile) ModTime() time.Time { return time.Time{} }
func (httpFile) IsDir() bool        { return false }
func (httpFile) Sys() any           { return nil }
