package publiclog

import (
	"golang.org/x/mod/sumdb/tlog"

	"github.com/talonlottery/talon/canon"
)

// HashesFunc reads stored hashes by a function, for instance out of a database: it gives the hashes at
// places in storage order, as many as were asked for. It is as safe for concurrent use as the function.
func HashesFunc(read func(places []int64) ([]canon.Digest, error)) tlog.HashReader {
	return tlog.HashReaderFunc(func(places []int64) ([]tlog.Hash, error) {
		digests, err := read(places)
		if err != nil {
			return nil, err
		}
		hashes := make([]tlog.Hash, len(digests))
		for at, digest := range digests {
			hashes[at] = tlog.Hash(digest)
		}
		return hashes, nil
	})
}
