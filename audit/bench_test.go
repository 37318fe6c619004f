package audit_test

import (
	"bytes"
	"encoding/binary"
	"testing"
	"testing/fstest"
	"time"

	"github.com/talonlottery/talon/audit"
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/games"
	"github.com/talonlottery/talon/mechanic/all"
	"github.com/talonlottery/talon/publiclog"
)

// zeros is a source of randomness for keys that protect nothing.
type zeros struct{}

func (zeros) Read(into []byte) (int, error) {
	clear(into)
	return len(into), nil
}

// soldOut publishes a whole block of « Pièce d'or », a million units, all sold and opened.
func soldOut(b *testing.B) (fstest.MapFS, publiclog.Key, block.ID) {
	b.Helper()
	check := func(err error) {
		if err != nil {
			b.Helper()
			b.Fatal(err)
		}
	}
	definition, err := games.Definition("piece-dor")
	check(err)
	mechanic, err := all.New(definition, 0)
	check(err)
	secret, err := block.SecretFromBytes(bytes.Repeat([]byte{7}, 32))
	check(err)
	header := block.Header{Version: block.Version, ID: block.ID{1}, Game: definition.Name, Definition: definition.Hash,
		Price: definition.Stakes[0].Price, Size: definition.BlockSize}
	dealer, err := block.NewDealer(header, secret, definition, mechanic)
	check(err)
	var tiles bytes.Buffer
	deal, err := dealer.Deal(b.Context(), &tiles, nil)
	check(err)
	begun := time.UnixMilli(1767225600000).UTC()
	var sales []byte
	var tree canon.Edge
	var unit block.Unit
	for index := range header.Size {
		check(dealer.Unit(index, &unit))
		play := header.PlayID(&unit)
		tree.Append(block.SaleLeaf(header.ID, index, play, begun.UnixMilli()))
		sales = binary.BigEndian.AppendUint64(append(sales, play[:]...), uint64(begun.UnixMilli()))
	}
	log := []publiclog.Entry{
		publiclog.Definition{At: begun, Name: definition.Name, Type: publiclog.TypeGame, Definition: definition.Hash},
		publiclog.Emission{At: begun, Emission: 1, Game: definition.Name, Blocks: 1},
		publiclog.Seal{At: begun, Block: header.ID, Game: header.Game, Definition: header.Definition, Price: header.Price, Size: header.Size,
			Root: deal.Root, Commitment: deal.Commitment, Emission: 1, By: "anne"},
		publiclog.Approval{At: begun, Block: header.ID, By: "bertrand", Why: "It is well."},
		publiclog.Sales{At: begun, Block: header.ID, Sold: header.Size, Root: tree.Root()},
		publiclog.Opening{At: begun, Block: header.ID, Secret: secret},
	}
	files, verifier := publish(b, log)
	files["definitions/"+definition.Hash.String()+".json"] = &fstest.MapFile{Data: definition.Canonical}
	files["blocks/"+header.ID.String()+".tiles"] = &fstest.MapFile{Data: tiles.Bytes()}
	files["sales/"+header.ID.String()+".sales"] = &fstest.MapFile{Data: sales}
	return files, verifier, header.ID
}

// publish writes and signs a log.
func publish(b *testing.B, log []publiclog.Entry) (fstest.MapFS, publiclog.Key) {
	b.Helper()
	var entries [][]byte
	var leaves []canon.Digest
	for _, entry := range log {
		encoded, err := publiclog.Encode(entry)
		if err != nil {
			b.Fatal(err)
		}
		entries, leaves = append(entries, encoded), append(leaves, publiclog.Leaf(encoded))
	}
	hashes, root, err := publiclog.Append(0, leaves, nil)
	if err != nil {
		b.Fatal(err)
	}
	stored := publiclog.HashesFunc(func(indexes []int64) (read []canon.Digest, err error) {
		for _, index := range indexes {
			read = append(read, hashes[index])
		}
		return read, nil
	})
	text, _, err := publiclog.NewKey(zeros{}, "test.invalid/bench")
	if err != nil {
		b.Fatal(err)
	}
	signer, err := publiclog.NewSigner(text)
	if err != nil {
		b.Fatal(err)
	}
	size := uint64(len(log))
	signed, err := signer.Sign(publiclog.Checkpoint{Origin: signer.Key().Name(), Size: size, Root: root})
	if err != nil {
		b.Fatal(err)
	}
	files := fstest.MapFS{"log/checkpoint": &fstest.MapFile{Data: signed}}
	for _, path := range publiclog.Paths(size) {
		data, err := publiclog.File(path, size, stored, func(from, to uint64) ([][]byte, error) { return entries[from:to], nil })
		if err != nil {
			b.Fatal(err)
		}
		files["log/"+path] = &fstest.MapFile{Data: data}
	}
	return files, signer.Key()
}

// BenchmarkBlock audits a whole block of a million units, all sold. The target is 3 s on one core:
// GOMAXPROCS=1 go test -run '^$' -bench Block -benchtime 1x ./audit
func BenchmarkBlock(b *testing.B) {
	files, verifier, id := soldOut(b)
	b.ResetTimer()
	b.ReportAllocs()
	for b.Loop() {
		publication, err := audit.Open(files, audit.Options{Key: verifier})
		if err != nil {
			b.Fatal(err)
		}
		report, err := publication.Block(b.Context(), id)
		if err != nil || !report.OK() || !publication.Log.OK() {
			b.Fatalf("%v, %+v", err, report)
		}
	}
}
