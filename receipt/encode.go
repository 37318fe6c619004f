package receipt

import (
	"bytes"
	"encoding/hex"
	"encoding/json"

	"github.com/talonlottery/talon/canon"
)

// The shape of the file, keys in the order of docs/spec/receipt.md.
type document struct {
	Format        string          `json:"format"`
	Play          string          `json:"play"`
	At            int64           `json:"at"`
	Unit          *partDocument   `json:"unit"`
	Participation *partDocument   `json:"participation,omitempty"`
	Win           *loggedDocument `json:"win,omitempty"`
	Checkpoint    string          `json:"checkpoint"`
}

type partDocument struct {
	Index  uint64         `json:"index"`
	Prize  int64          `json:"prize"`
	Layout string         `json:"layout"`
	Salt   string         `json:"salt"`
	Path   []string       `json:"path"`
	Seal   loggedDocument `json:"seal"`
	Sales  *saleDocument  `json:"sales,omitempty"`
}

type loggedDocument struct {
	Entry string   `json:"entry"`
	Index uint64   `json:"index"`
	Path  []string `json:"path"`
}

type saleDocument struct {
	Path  []string `json:"path"`
	Entry string   `json:"entry"`
	Index uint64   `json:"index"`
	Log   []string `json:"log"`
}

// Encode writes the receipt as its file holds it: JSON, indented for people.
func (r *Receipt) Encode() []byte {
	d := document{Format: Format, Play: r.Play.String(), At: r.At, Unit: r.Unit.document(), Checkpoint: r.Checkpoint}
	if r.Participation != nil {
		d.Participation = r.Participation.document()
	}
	if r.Win != nil {
		win := r.Win.document()
		d.Win = &win
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	_ = encoder.Encode(d) // texts and whole numbers: nothing can fail
	return text.Bytes()
}

func (p *Part) document() *partDocument {
	d := &partDocument{Index: p.Index, Prize: int64(p.Prize), Layout: hex.EncodeToString(p.Layout), Salt: hex.EncodeToString(p.Salt[:]),
		Path: texts(p.Path), Seal: p.Seal.document()}
	if p.Sales != nil {
		d.Sales = &saleDocument{Path: texts(p.Sales.Path), Entry: p.Sales.Entry, Index: p.Sales.Index, Log: texts(p.Sales.Logged.Path)}
	}
	return d
}

func (l *Logged) document() loggedDocument {
	return loggedDocument{Entry: l.Entry, Index: l.Index, Path: texts(l.Path)}
}

func texts(path []canon.Digest) []string {
	list := make([]string, len(path))
	for at, digest := range path {
		list[at] = digest.String()
	}
	return list
}
