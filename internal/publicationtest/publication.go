// Package publicationtest makes publications for tests: an honest one of small invented games, and
// twins of it that are broken on purpose.
//
// Its one promise: the honest publication is made by the real dealer, the real public log and real
// trees, with keys, secrets and times that are fixed, so that it is always the same bytes; and each
// twin names the codes that a checker must find, taken from docs/spec/publication.md and
// docs/spec/receipt.md. All keys and secrets here are invented and worth nothing.
package publicationtest

import (
	"encoding/binary"
	"testing/fstest"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/mechanic"
	"github.com/talonlottery/talon/publiclog"
)

// Sale is one sale of a block, as the file of sales holds it.
type Sale struct {
	Play block.PlayID
	At   int64 // milliseconds since 1970, UTC
}

// Block is one block of the publication: all that its operator knows.
type Block struct {
	Header   block.Header
	Secret   block.Secret
	Units    []block.Unit
	Tiles    []byte
	Sales    []Sale
	Game     *game.Definition // nil for participations
	Mechanic mechanic.Mechanic
	Jackpot  *game.Jackpot // nil for units
	Shares   []publiclog.Share
	Beacon   *publiclog.Beacon
}

// Publication is a publication before it is written to files. Twins change it.
type Publication struct {
	Log         []publiclog.Entry
	Raw         map[int]string // bytes in the place of an entry's
	Definitions map[canon.Digest][]byte
	Blocks      map[string]*Block
	Signer      *publiclog.Signer
	Witness     *publiclog.Signer
	Older       []byte // a signed checkpoint that somebody kept
	// Spoilt changes files after they were written and signed.
	Spoilt func(files fstest.MapFS)

	now int64
}

// Files writes the publication: a log that is signed as it stands, and the files of its blocks.
func (p *Publication) Files() fstest.MapFS {
	files := fstest.MapFS{}
	put := func(path string, data []byte) { files[path] = &fstest.MapFile{Data: data, Mode: 0o644} }
	entries, stored, _ := p.tree(len(p.Log))
	size := uint64(len(entries))
	put("log/checkpoint", p.Checkpoint(len(p.Log)))
	for _, path := range publiclog.Paths(size) {
		data, err := publiclog.File(path, size, stored, func(from, to uint64) ([][]byte, error) { return entries[from:to], nil })
		must(err)
		put("log/"+path, data)
	}
	for hash, text := range p.Definitions {
		put("definitions/"+hash.String()+".json", text)
	}
	for _, b := range p.Blocks {
		put("blocks/"+b.Header.ID.String()+".tiles", b.Tiles)
		if len(b.Sales) > 0 {
			put("sales/"+b.Header.ID.String()+".sales", b.salesFile())
		}
	}
	if p.Spoilt != nil {
		p.Spoilt(files)
	}
	return files
}

func (b *Block) salesFile() []byte {
	var file []byte
	for _, sale := range b.Sales {
		file = append(file, sale.Play[:]...)
		file = binary.BigEndian.AppendUint64(file, uint64(sale.At))
	}
	return file
}

// Bytes gives the bytes of an entry.
func (p *Publication) Bytes(index int) []byte {
	if raw, ok := p.Raw[index]; ok {
		return []byte(raw)
	}
	encoded, err := publiclog.Encode(p.Log[index])
	must(err)
	return encoded
}

// tree is the log's tree over its first entries.
func (p *Publication) tree(size int) (entries [][]byte, stored tlog.HashReader, root canon.Digest) {
	var leaves []canon.Digest
	for index := range size {
		entries = append(entries, p.Bytes(index))
		leaves = append(leaves, publiclog.Leaf(entries[index]))
	}
	stored, root = grown(leaves)
	return entries, stored, root
}

// grown is a tree over leaves.
func grown(leaves []canon.Digest) (tlog.HashReader, canon.Digest) {
	hashes, root, err := publiclog.Append(0, leaves, nil)
	must(err)
	return publiclog.HashesFunc(func(indexes []int64) ([]canon.Digest, error) {
		read := make([]canon.Digest, len(indexes))
		for at, index := range indexes {
			read[at] = hashes[index]
		}
		return read, nil
	}), root
}

// Checkpoint signs the log's first entries, with the witness's cosignature.
func (p *Publication) Checkpoint(size int) []byte {
	_, _, root := p.tree(size)
	return p.sign(uint64(size), root)
}

func (p *Publication) sign(size uint64, root canon.Digest) []byte {
	signed, err := p.Signer.Sign(publiclog.Checkpoint{Origin: p.Signer.Key().Name(), Size: size, Root: root})
	must(err)
	line, err := p.Witness.Cosign(signed, time.UnixMilli(p.now).UTC())
	must(err)
	return append(signed, line...)
}

// Key is the text of the operator's public key.
func (p *Publication) Key() string { return p.Signer.Key().String() }

// find gives the place in the log of the first entry that fits.
func find[E publiclog.Entry](p *Publication, fits func(E) bool) int {
	for at, entry := range p.Log {
		if e, ok := entry.(E); ok && fits(e) {
			return at
		}
	}
	panic("publicationtest: the log has no such entry")
}

// change changes all entries of a kind.
func change[E publiclog.Entry](p *Publication, with func(*E)) {
	for at, entry := range p.Log {
		if e, ok := entry.(E); ok {
			with(&e)
			p.Log[at] = e
		}
	}
}

// must ends a test whose own material is broken: nothing here depends on what is tested.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
