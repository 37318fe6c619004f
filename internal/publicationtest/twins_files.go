package publicationtest

import (
	"bytes"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/publiclog"
)

// spoil changes a file after everything was signed.
func (p *Publication) spoil(path string, with func(data []byte) []byte) {
	p.Spoilt = func(files fstest.MapFS) {
		data := with(slices.Clone(files[path].Data))
		if data == nil {
			delete(files, path)
			return
		}
		files[path] = &fstest.MapFile{Data: data, Mode: 0o644}
	}
}

// redefine publishes another definition, and says everywhere that the block's is that one.
func (p *Publication) redefine(role string, replace ...string) {
	was := p.Blocks[role].Header.Definition
	text := strings.NewReplacer(replace...).Replace(string(p.Definitions[was]))
	now := canon.Hash(canon.TagDefinition, []byte(text))
	p.Definitions[now] = []byte(text)
	change(p, func(d *publiclog.Definition) {
		if d.Definition == was {
			d.Definition = now
		}
	})
	change(p, func(seal *publiclog.Seal) {
		if seal.Definition == was {
			seal.Definition = now
		}
	})
}

func removed([]byte) []byte { return nil }

func tilesFile(role string) string { return "blocks/" + idOf(role).String() + ".tiles" }
func salesFile(role string) string { return "sales/" + idOf(role).String() + ".sales" }
func (p *Publication) definitionFile(role string) string {
	return "definitions/" + p.Blocks[role].Header.Definition.String() + ".json"
}

// fileTwins break files of a block that is otherwise honest.
var fileTwins = []Twin{
	{Name: "no definition", Role: Lune, Codes: codes("definition_missing"), Break: func(p *Publication) {
		p.spoil(p.definitionFile(Lune), removed)
	}},
	{Name: "a definition with another word", Role: Lune, Codes: codes("definition_wrong"), Break: func(p *Publication) {
		p.spoil(p.definitionFile(Lune), func(data []byte) []byte { return bytes.Replace(data, []byte("Moon"), []byte("Noon"), 1) })
	}},
	{Name: "a seal at another price", Role: Lune, Codes: codes("definition_wrong"), Break: func(p *Publication) {
		p.changeSeal(Lune, func(seal *publiclog.Seal) { seal.Price += 100 })
	}},
	{Name: "a prize that no layout shows", Role: Lune, Codes: codes("layout_not_prize"), Break: func(p *Publication) {
		p.redefine(Lune, `{"amounts":[2],"count":2}`, `{"amounts":[3],"count":2}`, `"totals":[17]`, `"totals":[19]`)
	}},
	{Name: "a table with more prizes than units", Role: Lune, Codes: codes("prizes_not_table"), Break: func(p *Publication) {
		p.redefine(Lune, `{"amounts":[1],"count":3}`, `{"amounts":[1],"count":10}`, `{"count":6,"totals":[17]}`, `{"count":13,"totals":[24]}`)
	}},
	{Name: "no tiles", Role: Lune, Codes: codes("tiles_missing"), Break: func(p *Publication) { p.spoil(tilesFile(Lune), removed) }},
	{Name: "one published leaf changed", Role: Lune, Codes: codes("leaf_wrong", "tiles_wrong"), Break: func(p *Publication) {
		p.spoil(tilesFile(Lune), func(data []byte) []byte {
			data[5*32] ^= 1
			return data
		})
	}},
	{Name: "a higher level of tiles changed", Role: Winds, Codes: codes("tiles_wrong"), Break: func(p *Publication) {
		p.spoil(tilesFile(Winds), func(data []byte) []byte {
			data[300*32] ^= 1
			return data
		})
	}},
}

// checkpointTwins break the log's files and what is signed.
var checkpointTwins = []Twin{
	{Name: "no checkpoint", Codes: codes("log_unreadable"), Break: func(p *Publication) { p.spoil("log/checkpoint", removed) }},
	{Name: "a checkpoint that is no signed note", Codes: codes("checkpoint_signature_wrong"), Break: func(p *Publication) {
		p.spoil("log/checkpoint", func([]byte) []byte { return []byte("All is well.\n") })
	}},
	{Name: "a tile of entries that ends too early", Codes: codes("log_unreadable"), Break: func(p *Publication) {
		p.spoil(p.entriesFile(), func(data []byte) []byte { return data[:len(data)-1] })
	}},
	{Name: "no tile of entries", Codes: codes("log_unreadable"), Break: func(p *Publication) { p.spoil(p.entriesFile(), removed) }},
	{Name: "a tile of hashes that ends too early", Codes: codes("log_unreadable"), Break: func(p *Publication) {
		p.spoil(p.hashesFile(), func(data []byte) []byte { return data[:len(data)-1] })
	}},
	{Name: "a checkpoint that somebody else signed", Codes: codes("checkpoint_signature_wrong"), Break: func(p *Publication) {
		key := p.Signer
		p.spoil("log/checkpoint", func([]byte) []byte {
			other := *p
			other.Signer = signerOf("usurper", logKey)
			return bytes.ReplaceAll(other.Checkpoint(len(p.Log)), []byte("usurper"), []byte("log"))
		})
		p.Signer = key
	}},
	{Name: "a checkpoint with another signature", Codes: codes("checkpoint_signature_wrong"), Break: func(p *Publication) {
		p.spoil("log/checkpoint", func(data []byte) []byte {
			text, _, _ := bytes.Cut(data, []byte("\n\n"))
			_, older, _ := bytes.Cut(p.Older, []byte("\n\n"))
			return bytes.Join([][]byte{text, older}, []byte("\n\n"))
		})
	}},
	{Name: "a witness that did not cosign", Codes: codes("cosignature_missing"), Witness: Stranger(), Break: func(*Publication) {}},
	{Name: "an entry changed after it was signed", Codes: codes("log_root_wrong"), Break: func(p *Publication) {
		p.spoil(p.entriesFile(), func(data []byte) []byte {
			return bytes.Replace(data, []byte("The emission ends."), []byte("The emission runs."), 1)
		})
	}},
	{Name: "a tile of hashes changed", Codes: codes("log_root_wrong"), Break: func(p *Publication) {
		p.spoil(p.hashesFile(), func(data []byte) []byte {
			data[3*32] ^= 1
			return data
		})
	}},
	{Name: "a log rolled back", Codes: codes("log_rolled_back"), Break: func(p *Publication) {
		p.Older = p.Checkpoint(len(p.Log))
		p.Log = p.Log[:len(p.Log)-1]
	}},
	{Name: "a log whose past was written anew", Codes: codes("log_rolled_back"), Break: func(p *Publication) {
		change(p, func(a *publiclog.Abandonment) { a.Why = "The notary fell out." })
	}},
	{Name: "a split view", Codes: codes("split_view"), Break: func(p *Publication) {
		p.Older = p.Checkpoint(len(p.Log))
		change(p, func(a *publiclog.Abandonment) { a.Why = "The notary fell out." })
	}},
	{Name: "an older checkpoint that somebody else signed", Codes: codes("checkpoint_signature_wrong"), Break: func(p *Publication) {
		other := *p
		other.Signer = signerOf("usurper", logKey)
		p.Older = bytes.ReplaceAll(other.Checkpoint(10), []byte("usurper"), []byte("log"))
	}},
}

func (p *Publication) entriesFile() string { return "log/" + publiclog.Paths(uint64(len(p.Log)))[0] }
func (p *Publication) hashesFile() string  { return "log/" + publiclog.Paths(uint64(len(p.Log)))[1] }
