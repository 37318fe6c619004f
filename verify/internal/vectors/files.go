package vectors

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/talonlottery/talon/verify/internal/deal"
	"github.com/talonlottery/talon/verify/internal/definition"
	"github.com/talonlottery/talon/verify/internal/merkle"
	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/stream"
)

// listed gives the words of a list, then nothing but zeros.
type listed struct {
	words []uint32
	taken int
}

func (l *listed) Word() uint32 {
	l.taken++
	if l.taken > len(l.words) {
		return 0
	}
	return l.words[l.taken-1]
}

func (r *run) entropy(data []byte) error {
	var file struct {
		Keys    []struct{ Secret, Block, Shuffle, Layout, Salt hexBytes }
		Streams []struct {
			Key   hexBytes
			Start uint64 `json:",string"`
			Words []uint32
		}
		Salts []struct {
			Key   hexBytes
			Index uint64
			Salt  hexBytes
		}
		Below []struct {
			Words         []uint32
			Below, Number uint32
			Taken         int
			Modulo        *uint32
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return err
	}
	for i, v := range file.Keys {
		keys := stream.KeysOf(v.Block.id(), v.Secret.digest())
		r.same(fmt.Sprintf("keys[%d]", i), keys, stream.Keys{Shuffle: v.Shuffle.digest(), Layout: v.Layout.digest(), Salt: v.Salt.digest()})
	}
	for i, v := range file.Streams {
		s := stream.New(v.Key.digest())
		s.Restart(v.Start)
		for k, want := range v.Words {
			r.same(fmt.Sprintf("streams[%d], word %d", i, k), s.Word(), want)
		}
	}
	for i, v := range file.Salts {
		salt := stream.NewSalts(v.Key.digest()).Salt(v.Index)
		r.same(fmt.Sprintf("salts[%d]", i), hex.EncodeToString(salt[:]), v.Salt)
	}
	for i, v := range file.Below {
		words := &listed{words: v.Words}
		r.same(fmt.Sprintf("below[%d]", i), stream.Below(words, v.Below), v.Number)
		r.same(fmt.Sprintf("below[%d], words taken", i), words.taken, v.Taken)
		if v.Modulo != nil { // what a plain remainder would give: the vector must tell them apart
			r.same(fmt.Sprintf("below[%d], remainder", i), v.Words[0]%v.Below, *v.Modulo)
		}
	}
	return nil
}

func (r *run) shuffle(data []byte) error {
	var file struct {
		Shuffles []struct {
			Key          hexBytes
			Items        int
			Order, First []uint32
			Digest       hexBytes
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return err
	}
	for i, v := range file.Shuffles {
		items := make([]uint32, v.Items)
		for k := range items {
			items[k] = uint32(k)
		}
		stream.Shuffle(stream.New(v.Key.digest()), items)
		var all []byte
		for _, item := range items {
			all = binary.BigEndian.AppendUint32(all, item)
		}
		where := fmt.Sprintf("shuffles[%d]", i)
		r.same(where, notation.Digest(sha256.Sum256(all)), v.Digest)
		first := slices.Concat(v.Order, v.First)
		r.same(where+", first", items[:len(first)], first)
	}
	return nil
}

// blockVector is a block of units.json, blocks.json or roots.json.
type blockVector struct {
	Game          string
	Stake, Size   int
	Odds          uint32
	Block, Secret hexBytes
	Commitment    hexBytes
	Root          hexBytes
	Units         []struct {
		Index, Tier        int
		Prize              string
		Layout, Salt, Leaf hexBytes
		Play               hexBytes
	}
}

func (r *run) blocks(data []byte) ([]blockVector, error) {
	var file struct{ Vectors []blockVector }
	err := json.Unmarshal(data, &file)
	return file.Vectors, err
}

func (r *run) deal(v blockVector) (*deal.Block, error) {
	d, err := r.definition(v)
	if err != nil {
		return nil, err
	}
	r.same(v.Game+", commitment", notation.SecretCommitment(v.Block.id(), v.Secret.digest()), v.Commitment)
	return deal.New(v.Block.id(), v.Secret.digest(), d, v.Stake, v.Size)
}

func (r *run) units(data []byte) error {
	vectors, err := r.blocks(data)
	if err != nil {
		return err
	}
	for _, v := range vectors {
		b, err := r.deal(v)
		if err != nil {
			return err
		}
		dealer := b.Dealer()
		var tree merkle.Tree
		for _, want := range v.Units {
			u := dealer.Unit(want.Index)
			tree.Append(u.Leaf)
			where := fmt.Sprintf("%s at stake %d, unit %d", v.Game, v.Stake, want.Index)
			r.same(where+", reads as its prize", u.Read, true)
			r.same(where,
				fmt.Sprintf("%d %s %x %x %s %s", u.Tier, definition.Format(u.Prize), u.Layout, u.Salt, u.Leaf, u.Play),
				fmt.Sprintf("%d %s %s %s %s %s", want.Tier, want.Prize, want.Layout, want.Salt, want.Leaf, want.Play))
		}
		if v.Root != nil {
			r.same(v.Game+", root", tree.Root(), v.Root)
		}
	}
	return nil
}

func (r *run) roots(data []byte) error {
	vectors, err := r.blocks(data)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		if r.options.RootsMost > 0 && i >= r.options.RootsMost {
			break
		}
		where := fmt.Sprintf("%s at stake %d", v.Game, v.Stake)
		r.options.Progress("  " + where)
		b, err := r.deal(v)
		if err != nil {
			return err
		}
		dealer := b.Dealer()
		var tree merkle.Tree
		read := 0
		for index := range v.Size {
			u := dealer.Unit(index)
			tree.Append(u.Leaf)
			if u.Read {
				read++
			}
		}
		r.same(where+", units that read as their prizes", read, v.Size)
		r.same(where+", root", tree.Root(), v.Root)
	}
	return nil
}

func (r *run) leaves(data []byte) error {
	var file struct {
		Vectors struct {
			Units []struct {
				Block, Layout, Salt, Data, Leaf, Play hexBytes
				Index                                 uint64
				Prize, Failure                        string
			}
			Sales []struct {
				Block, Play, Leaf hexBytes
				Index             uint64
				At                int64
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return err
	}
	for i, v := range file.Vectors.Units {
		where := fmt.Sprintf("units[%d]", i)
		prize, err := definition.ParseMoney(v.Prize)
		if err != nil {
			return err
		}
		var salt notation.Salt
		copy(salt[:], v.Salt)
		leaves := notation.NewLeaves(v.Block.id())
		differs := leaves.Unit(v.Index, prize, v.Layout, salt) != v.Leaf.digest()
		r.same(where+", leaf differs", differs, v.Failure == "leaf_differs")
		if v.Failure == "" {
			r.same(where+", data", hex.EncodeToString(leaves.UnitData(v.Index, prize, v.Layout, salt)), v.Data)
			r.same(where+", play", leaves.Play(v.Index, salt), v.Play)
		}
	}
	for i, v := range file.Vectors.Sales {
		leaf := notation.NewLeaves(v.Block.id()).Sale(v.Index, v.Play.id(), v.At)
		r.same(fmt.Sprintf("sales[%d]", i), leaf, v.Leaf)
	}
	return nil
}

func (r *run) trees(data []byte) error {
	var file struct {
		Vectors []struct {
			Size   uint64
			Root   hexBytes
			Proofs []struct {
				Comment string
				Index   uint64
				Size    *uint64
				Root    hexBytes
				Leaf    hexBytes
				Path    []hexBytes
				Failure string
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return err
	}
	for _, v := range file.Vectors {
		var tree merkle.Tree
		for i := range v.Size {
			tree.Append(merkle.Leaf(binary.BigEndian.AppendUint64(nil, i)))
		}
		where := fmt.Sprintf("%d leaves", v.Size)
		r.same(where, tree.Root(), v.Root)
		for i, p := range v.Proofs {
			included := merkle.Included(p.Leaf.digest(), p.Index, v.Size, digests(p.Path), v.Root.digest())
			r.same(fmt.Sprintf("%s, proof %d (%s)", where, i, p.Comment), included, p.Failure == "")
		}
	}
	return nil
}
