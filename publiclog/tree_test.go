package publiclog_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/publiclog"
)

// reference grows the same tree with the Go project's tlog.
type reference []tlog.Hash

func (r reference) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(indexes))
	for at, index := range indexes {
		read[at] = r[index]
	}
	return read, nil
}

func (r *reference) add(t testing.TB, n int, entry []byte) {
	t.Helper()
	added, err := tlog.StoredHashes(int64(n), entry, *r)
	if err != nil {
		t.Fatal(err)
	}
	*r = append(*r, added...)
}

// TestCertificateTransparencyTree compares with the roots that the authors of RFC 6962 publish for their eight
// test leaves (certificate-transparency, merkletree tests).
func TestCertificateTransparencyTree(t *testing.T) {
	leaves := [][]byte{{}, {0x00}, {0x10}, {0x20, 0x21}, {0x30, 0x31}, {0x40, 0x41, 0x42, 0x43}, {0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57},
		{0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f}}
	roots := []string{"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
		"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		"aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
		"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
		"4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
		"76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
		"ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
		"5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"}
	b := new(book)
	b.add(t, leaves...)
	for size, want := range roots {
		if got := b.roots[size].String(); got != want {
			t.Errorf("%d leaves: %s, want %s", size, got, want)
		}
		if got, err := publiclog.Root(uint64(size), b.stored); err != nil || got.String() != want {
			t.Errorf("%d leaves: %s, %v, want %s", size, got, err, want)
		}
	}
}

// TestAppendAgreesWithAnotherTree appends leaves in any parts.
func TestAppendAgreesWithAnotherTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ours hashes
		var theirs reference
		size := 0
		for _, part := range rapid.SliceOfN(rapid.IntRange(0, 70), 1, 8).Draw(t, "parts") {
			leaves := make([]canon.Digest, part)
			for i := range leaves {
				leaves[i] = publiclog.Leaf(inventedEntry(size + i))
				added, err := tlog.StoredHashes(int64(size+i), inventedEntry(size+i), theirs)
				if err != nil {
					t.Fatal(err)
				}
				theirs = append(theirs, added...)
			}
			added, root, err := publiclog.Append(uint64(size), leaves, ours)
			if err != nil {
				t.Fatal(err)
			}
			ours, size = append(ours, added...), size+part
			want, err := tlog.TreeHash(int64(size), theirs)
			if err != nil || root != canon.Digest(want) {
				t.Errorf("%d leaves: %s, want %s, %v", size, root, canon.Digest(want), err)
			}
			if publiclog.HashCount(uint64(size)) != uint64(tlog.StoredHashCount(int64(size))) {
				t.Errorf("%d leaves: %d hashes", size, publiclog.HashCount(uint64(size)))
			}
		}
		if !slices.EqualFunc(ours, theirs, func(a canon.Digest, b tlog.Hash) bool { return a == canon.Digest(b) }) {
			t.Error("the stored hashes differ")
		}
	})
}

// TestAnyTwoCheckpoints proves consistency between any two states of a log of 300 entries, and shows
// that tlog believes each proof, and that no proof serves for another root.
func TestAnyTwoCheckpoints(t *testing.T) {
	const size = 300
	b := invented(t, size)
	for newer := 1; newer <= size; newer++ {
		for older := range newer + 1 {
			proof, err := publiclog.ProveConsistency(uint64(older), uint64(newer), b.stored)
			if err != nil {
				t.Fatal(err)
			}
			if err := publiclog.VerifyConsistency(uint64(older), b.roots[older], uint64(newer), b.roots[newer], proof); err != nil {
				t.Fatalf("%d to %d: %v", older, newer, err)
			}
			if older > 0 {
				theirs := make(tlog.TreeProof, len(proof))
				for i := range proof {
					theirs[i] = tlog.Hash(proof[i])
				}
				if err := tlog.CheckTree(theirs, int64(newer), tlog.Hash(b.roots[newer]), int64(older), tlog.Hash(b.roots[older])); err != nil {
					t.Fatalf("%d to %d: tlog: %v", older, newer, err)
				}
			}
			if older != newer && older > 0 { // nothing is said of the tree that follows the empty one
				wrong := b.roots[older]
				wrong[31] ^= 1
				if publiclog.VerifyConsistency(uint64(older), wrong, uint64(newer), b.roots[newer], proof) == nil ||
					publiclog.VerifyConsistency(uint64(older), b.roots[older], uint64(newer), wrong, proof) == nil {
					t.Fatalf("%d to %d: another root is proven", older, newer)
				}
			}
		}
	}
}

// TestProofsAgreeWithAnotherVerifier holds our verifiers against tlog's on sound and on spoilt proofs.
func TestProofsAgreeWithAnotherVerifier(t *testing.T) {
	const size = 300
	b := invented(t, size)
	rapid.Check(t, func(t *rapid.T) {
		newer := rapid.IntRange(1, size).Draw(t, "newer")
		index := rapid.IntRange(0, newer-1).Draw(t, "index")
		older := rapid.IntRange(1, newer).Draw(t, "older")
		path, err := publiclog.ProveInclusion(uint64(newer), uint64(index), b.stored)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := publiclog.ProveConsistency(uint64(older), uint64(newer), b.stored)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "spoil") {
			path, proof = spoil(t, path), spoil(t, proof)
			index = rapid.IntRange(0, newer-1).Draw(t, "another index")
			older = rapid.IntRange(1, newer).Draw(t, "another older")
			newer = rapid.IntRange(max(older, index+1), size).Draw(t, "another newer")
		}
		leaf := publiclog.Leaf(b.entries[index])
		ours := publiclog.VerifyInclusion(b.roots[newer], uint64(newer), uint64(index), leaf, path)
		theirs := tlog.CheckRecord(toTheirs(path), int64(newer), tlog.Hash(b.roots[newer]), int64(index), tlog.Hash(leaf))
		if (ours == nil) != (theirs == nil) {
			t.Errorf("inclusion: %v, but %v", ours, theirs)
		}
		ours = publiclog.VerifyConsistency(uint64(older), b.roots[older], uint64(newer), b.roots[newer], proof)
		theirs = tlog.CheckTree(toTheirs(proof), int64(newer), tlog.Hash(b.roots[newer]), int64(older), tlog.Hash(b.roots[older]))
		if (ours == nil) != (theirs == nil) {
			t.Errorf("consistency: %v, but %v", ours, theirs)
		}
	})
}

func toTheirs(path []canon.Digest) []tlog.Hash {
	hashes := make([]tlog.Hash, len(path))
	for at := range path {
		hashes[at] = tlog.Hash(path[at])
	}
	return hashes
}

func spoil(t *rapid.T, path []canon.Digest) []canon.Digest {
	path = slices.Clone(path)
	switch rapid.IntRange(0, 4).Draw(t, "how") {
	case 0:
		path = append(path, canon.Digest{1})
	case 1:
		path = append([]canon.Digest{{1}}, path...)
	case 2:
		path = path[:len(path)/2]
	case 3:
		slices.Reverse(path)
	case 4:
		if len(path) > 0 {
			path[rapid.IntRange(0, len(path)-1).Draw(t, "where")][0] ^= 1
		}
	}
	return path
}

// Sizes beyond 2⁵³, with which nothing may be computed on the way that does not fit.
func TestHugeSizes(t *testing.T) {
	var path [64]canon.Digest
	for _, size := range []uint64{math.MaxUint64, 1 << 63, 1<<63 - 1, 1 << 62, publiclog.SizeMost + 1} {
		for _, index := range []uint64{0, 1, size / 2, size - 1, size, math.MaxUint64} {
			for length := range path {
				if publiclog.VerifyInclusion(canon.Digest{}, size, index, canon.Digest{}, path[:length]) == nil {
					t.Errorf("%d of %d is proven", index, size)
				}
				if publiclog.VerifyConsistency(index, canon.Digest{1}, size, canon.Digest{2}, path[:length]) == nil {
					t.Errorf("%d to %d is proven", index, size)
				}
			}
		}
		_, _, err := publiclog.Append(size, nil, hashes{})
		wantCode(t, err, "tree_too_large")
		_, err = publiclog.Root(size, hashes{})
		wantCode(t, err, "tree_too_large")
		_, err = publiclog.ProveInclusion(size, 0, hashes{})
		wantCode(t, err, "tree_too_large")
		_, err = publiclog.ProveConsistency(1, size, hashes{})
		wantCode(t, err, "tree_too_large")
	}
	_, _, err := publiclog.Append(publiclog.SizeMost, make([]canon.Digest, 1), hashes{})
	wantCode(t, err, "tree_too_large")
}

func TestTreeRefusals(t *testing.T) {
	b := invented(t, 7)
	_, err := publiclog.ProveInclusion(7, 7, b.stored)
	wantCode(t, err, "index_outside_log")
	_, err = publiclog.ProveInclusion(0, 0, b.stored)
	wantCode(t, err, "index_outside_log")
	_, err = publiclog.ProveConsistency(8, 7, b.stored)
	wantCode(t, err, "index_outside_log")
	for _, stored := range []tlog.HashReader{hashes{}, publiclog.HashesFunc(func([]int64) ([]canon.Digest, error) { return nil, nil })} {
		_, _, err = publiclog.Append(7, make([]canon.Digest, 1), stored)
		wantCode(t, err, "hashes_unreadable")
		_, err = publiclog.Root(7, stored)
		wantCode(t, err, "hashes_unreadable")
		_, err = publiclog.ProveInclusion(7, 3, stored)
		wantCode(t, err, "hashes_unreadable")
		_, err = publiclog.ProveConsistency(3, 7, stored)
		wantCode(t, err, "hashes_unreadable")
	}
	wantCode(t, publiclog.VerifyInclusion(b.roots[7], 7, 7, canon.Digest{}, nil), "inclusion_not_proven")
	wantCode(t, publiclog.VerifyConsistency(7, b.roots[7], 6, b.roots[6], nil), "consistency_not_proven")
	wantCode(t, publiclog.VerifyConsistency(0, digest("not empty"), 6, b.roots[6], nil), "consistency_not_proven")
	wantCode(t, publiclog.VerifyConsistency(0, sha256.Sum256(nil), 6, b.roots[6], make([]canon.Digest, 1)), "consistency_not_proven")
}

func TestHashFile(t *testing.T) {
	b := invented(t, 300)
	var file bytes.Buffer
	for _, hash := range b.stored {
		file.Write(hash[:])
	}
	stored := publiclog.HashFile(bytes.NewReader(file.Bytes()))
	for _, size := range []uint64{0, 1, 255, 256, 300} {
		if root, err := publiclog.Root(size, stored); err != nil || root != b.roots[size] {
			t.Errorf("%d: %s, %v", size, root, err)
		}
	}
	_, err := publiclog.Root(301, publiclog.HashFile(bytes.NewReader(file.Bytes())))
	wantCode(t, err, "hashes_unreadable")
	// A file that was cut within a hash.
	if _, err := publiclog.HashFile(bytes.NewReader(file.Bytes()[:33])).ReadHashes([]int64{1}); err == nil {
		t.Error("half a hash was read")
	}
	failing := publiclog.HashesFunc(func([]int64) ([]canon.Digest, error) { return nil, errors.New("no") })
	if _, err := failing.ReadHashes([]int64{0}); err == nil {
		t.Error("an error was swallowed")
	}
}
