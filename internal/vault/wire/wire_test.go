package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/custody"
	"github.com/talonlottery/talon/money"
)

// Requests and units come out as they went in, and a cut anywhere is noticed.
func TestMessagesComeBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var sent, room []custody.Range
		for n := range rapid.IntRange(0, 3).Draw(r, "ranges") {
			header := block.Header{Version: 1, ID: block.ID{byte(n)}, Game: "moons", Stake: 1, Price: money.Unit / 2, Size: 1 << 31}
			units := make([]block.Unit, rapid.IntRange(0, 5).Draw(r, "units"))
			from := rapid.Uint32Max(1<<31).Draw(r, "from")
			for at := range units {
				units[at] = block.Unit{
					Index: from + uint32(at), Tier: rapid.IntRange(-1, 254).Draw(r, "tier"), Prize: money.Amount(rapid.Int64Min(0).Draw(r, "prize")),
					Layout: rapid.SliceOfN(rapid.Byte(), 1, 30).Draw(r, "layout"), Salt: [16]byte{byte(at), 7},
				}
			}
			sent = append(sent, custody.Range{Header: header, From: from, Into: units})
		}
		batch := custody.Batch(rapid.SliceOf(rapid.Byte()).Draw(r, "batch"))
		body, err := EncodeOpen(batch, sent)
		if err != nil {
			r.Fatal(err)
		}
		read, room, err := DecodeOpen(body)
		if err != nil || string(read) != string(batch) || len(room) != len(sent) {
			r.Fatalf("%q %v", read, err)
		}
		text := EncodeUnits(sent)
		if err := DecodeUnits(text, room); err != nil {
			r.Fatal(err)
		}
		if len(sent) > 0 {
			if diff := cmp.Diff(sent, room); diff != "" {
				r.Fatal(diff)
			}
		}
		if len(text) > 0 {
			cut := rapid.IntRange(0, len(text)-1).Draw(r, "cut")
			if DecodeUnits(text[:cut], room) == nil || DecodeUnits(append(text, 0), room) == nil {
				r.Fatal("an answer that was cut, or that says more, was taken")
			}
		}
	})
}

func TestFaultsComeBack(t *testing.T) {
	for kind := fault.Internal; kind <= fault.Unavailable; kind++ {
		sent := fault.New(kind, "some_code", "100%% of it").Next("do %s", "that").At("here")
		got := EncodeFault(sent).Err()
		if got.Error() != sent.Error() || fault.KindOf(got) != kind || fault.CodeOf(got) != "some_code" {
			t.Errorf("%v, not %v", got, sent)
		}
	}
}

func TestTooMuchIsRefused(t *testing.T) {
	_, err := EncodeOpen(make(custody.Batch, RequestMost), nil)
	if fault.CodeOf(err) != "vault_message_too_large" {
		t.Error(err)
	}
	body, err := EncodeOpen(custody.Batch{1}, []custody.Range{{Into: make([]block.Unit, UnitsMost)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := DecodeOpen(body); err != nil {
		t.Error(err)
	}
	if _, err := EncodeOpen(custody.Batch{1}, []custody.Range{{Into: make([]block.Unit, UnitsMost+1)}}); fault.CodeOf(err) != "vault_message_too_large" {
		t.Error(err)
	}
}

func FuzzDecodeOpen(f *testing.F) {
	body, err := EncodeOpen(custody.Batch{1}, []custody.Range{{Into: make([]block.Unit, 2)}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Add([]byte{0, 0, 0, 2, '{', '}'})
	f.Add([]byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, body []byte) {
		batch, ranges, err := DecodeOpen(body)
		if err != nil {
			return
		}
		if again, err := EncodeOpen(batch, ranges); err != nil {
			t.Fatal(err)
		} else if _, _, err := DecodeOpen(again); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzDecodeUnits(f *testing.F) {
	f.Add(EncodeUnits([]custody.Range{{Into: []block.Unit{{Layout: []byte{1, 2}}}}}))
	f.Fuzz(func(t *testing.T, body []byte) {
		ranges := []custody.Range{{Into: make([]block.Unit, 1)}}
		if DecodeUnits(body, ranges) == nil {
			if diff := cmp.Diff(string(body), string(EncodeUnits(ranges))); diff != "" {
				t.Error(diff)
			}
		}
	})
}
