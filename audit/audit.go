// Package audit is the engine's own auditor of what is published.
//
// Its one promise: from the files of a publication and the operator's public key alone it finds every
// way in which a block that was opened, or the public log, is not what it claims to be, and names it
// by the codes of docs/spec/publication.md. It asks nobody and keeps nothing. The independent checkers
// below verify/ do the same and share nothing with it; internal/proof holds them against each other.
package audit

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/publiclog"
)

// Finding is one way in which a publication is not what it should be. Codes are those of
// docs/spec/publication.md; words are for people.
type Finding struct {
	Code  string `json:"code"`
	Where string `json:"where"`
	What  string `json:"what"`
}

// Options say what to check with. Only the key must be given.
type Options struct {
	Key       publiclog.Key
	Witnesses []publiclog.Key // a cosignature of each is asked for
	Older     []byte          // a signed checkpoint of the log that was kept, or nil
	// Progress is told about a hundred times a block how many units were dealt again. It may be nil.
	Progress func(done, total uint32)
}

// LogReport is what was found in the log.
type LogReport struct {
	Origin   string    `json:"origin"`
	Size     uint64    `json:"size"` // entries that the checkpoint counts
	Root     string    `json:"root"`
	Blocks   int       `json:"blocks"` // that were sealed
	Opened   int       `json:"opened"`
	Findings []Finding `json:"findings"`
}

// OK reports whether nothing was found.
func (r *LogReport) OK() bool { return len(r.Findings) == 0 }

// Publication is a publication whose log was read and judged.
type Publication struct {
	Log LogReport

	files    fs.FS
	log      string // where the log's files are
	options  Options
	follower publiclog.Follower
	derived  []derived
}

// derived is what anybody could have made of an entry.
type derived struct {
	entry, leaf, leafHash, secret, secretHash canon.Digest
	opens                                     bool // the entry gives a secret
}

// limits of what is read whole.
const logFileBytesMost = 17 << 20

// Open reads the whole log of a publication, or a log alone, and judges it; what it finds is in Log. The error is
// Invalid with code publication_missing when there is no publication to read; then nothing was found.
func Open(files fs.FS, options Options) (*Publication, error) {
	p := &Publication{files: files, options: options, log: "log/"}
	if _, err := fs.Stat(files, "log/checkpoint"); err != nil {
		if _, alone := fs.Stat(files, "checkpoint"); alone == nil {
			p.log = "" // the folder of a log without blocks
		} else if _, err := fs.Stat(files, "log"); err != nil {
			return nil, fault.New(fault.Invalid, "publication_missing", "there is no publication here: %w", err).
				Next("name the folder, or the address, that holds log/, definitions/, blocks/ and sales/")
		}
	}
	p.Log.Findings = []Finding{}
	p.readLog()
	return p, nil
}

func (p *Publication) readLog() {
	reader, err := publiclog.OpenReader(p.readLogFile, p.options.Key, p.options.Witnesses, len(p.options.Witnesses))
	if err != nil {
		p.blame("log", err)
		return
	}
	checkpoint := reader.Checkpoint()
	p.Log.Origin, p.Log.Size, p.Log.Root = checkpoint.Origin, checkpoint.Size, checkpoint.Root.String()
	if err := reader.Check(p.take); err != nil {
		p.blame("log", err)
	}
	if p.options.Older != nil {
		older, err := publiclog.OpenCheckpoint(p.options.Older, p.options.Key, nil, 0)
		if err != nil {
			p.blame("the older checkpoint", err)
		} else if err := reader.Extends(older); err != nil {
			p.blame("log", err)
		}
	}
	for _, id := range p.follower.Blocks() {
		history := p.follower.Block(id)
		if history.Seal != nil {
			p.Log.Blocks++
		}
		if history.Opening != nil {
			p.Log.Opened++
		}
	}
}

func (p *Publication) readLogFile(path string) ([]byte, error) {
	return readAll(p.files, p.log+path, logFileBytesMost)
}

// readAll reads a file of limited size.
func readAll(files fs.FS, path string, most int64) ([]byte, error) {
	file, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", path, most)
	}
	return data, err
}

// take judges the next entry and keeps what it gives away.
func (p *Publication) take(entry publiclog.NumberedBytes) error {
	parsed, _ := publiclog.Parse(entry.Raw) // one that cannot be read is a finding of the follower's
	for _, found := range p.follower.Take(entry.Index, parsed, entry.Raw) {
		p.Log.Findings = append(p.Log.Findings, Finding(found))
	}
	d := derived{entry: sha256.Sum256(entry.Raw), leaf: publiclog.Leaf(entry.Raw)}
	d.leafHash = sha256.Sum256(d.leaf[:])
	if opening, ok := parsed.(publiclog.Opening); ok {
		d.opens, d.secret = true, opening.Secret.Reveal()
		d.secretHash = sha256.Sum256(d.secret[:])
	}
	p.derived = append(p.derived, d)
	return nil
}

// blame makes a finding of a fault.
func (p *Publication) blame(where string, err error) {
	what := err.Error()
	if found, ok := errors.AsType[*fault.Error](err); ok {
		what = found.Message()
	}
	p.Log.Findings = append(p.Log.Findings, Finding{Code: fault.CodeOf(err), Where: where, What: what})
}

// Opened lists the blocks that can be checked, in the order of the log.
func (p *Publication) Opened() []block.ID {
	var opened []block.ID
	for _, id := range p.follower.Blocks() {
		if p.follower.Block(id).Opening != nil {
			opened = append(opened, id)
		}
	}
	return opened
}

// Block checks a block that was opened. It returns NotFound with code block_unknown when the log seals
// no such block, Invalid with code block_not_open while it is not opened, and the context's error.
// Findings of the log are not repeated in the report.
func (p *Publication) Block(ctx context.Context, id block.ID) (*Report, error) {
	history := p.follower.Block(id)
	if history == nil || history.Seal == nil {
		return nil, fault.New(fault.NotFound, "block_unknown", "the public log seals no block %s", id).
			Next("take the identifier from a receipt, or from the list that `talon audit log` prints")
	}
	if history.Opening == nil {
		return nil, fault.New(fault.Invalid, "block_not_open", "block %s is not opened yet", id).
			Next("while it sells, receipts and the log can be checked; the block itself once it is opened")
	}
	c := newChecker(p, history)
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return &c.report, nil
}
