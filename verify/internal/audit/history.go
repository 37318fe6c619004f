// Package audit checks an open block whole, from its publication: publication.md, section 3.
package audit

import (
	"crypto/sha256"

	"github.com/talonlottery/talon/verify/internal/notation"
	"github.com/talonlottery/talon/verify/internal/publiclog"
)

// history is what the public log says of one block, and what of it could have been used to choose a secret.
type history struct {
	id       notation.ID
	seal     *publiclog.Entry
	approval *publiclog.Entry
	sales    []*publiclog.Entry // sales and withdrawals, in order
	wins     []*publiclog.Entry
	opening  *publiclog.Entry

	before []notation.Digest // leaf, and SHA-256 of the bytes, of every entry before the seal; and the secrets of openings before it
}

// visit follows the log; the first seal, approval and opening count.
func (h *history) visit(_ uint64, data []byte, e *publiclog.Entry) {
	ours := e != nil && e.Block == h.id
	if h.seal == nil && (!ours || e.Kind != publiclog.KindSeal) {
		h.remember(data, e)
	}
	if !ours {
		return
	}
	switch e.Kind {
	case publiclog.KindSeal:
		first(&h.seal, e)
	case publiclog.KindApproval:
		first(&h.approval, e)
	case publiclog.KindSales, publiclog.KindWithdrawal:
		h.sales = append(h.sales, e)
	case publiclog.KindJackpotWin:
		h.wins = append(h.wins, e)
	case publiclog.KindOpening:
		first(&h.opening, e)
	}
}

func first(kept **publiclog.Entry, e *publiclog.Entry) {
	if *kept == nil {
		*kept = e
	}
}

// remember keeps what an entry before the seal published: publication.md, section 3, step 4. The bytes of an entry are too long to be a
// secret themselves, so that their hash is enough.
func (h *history) remember(data []byte, e *publiclog.Entry) {
	leaf := notation.Digest(sha256.Sum256(append([]byte{0x00}, data...)))
	h.before = append(h.before, leaf, sha256.Sum256(leaf[:]), sha256.Sum256(data))
	if e != nil && e.Kind == publiclog.KindOpening {
		h.before = append(h.before, e.Secret, sha256.Sum256(e.Secret[:]))
	}
}

// derivable says whether a secret or share follows from what was published before the seal.
func (h *history) derivable(secret notation.Digest) bool {
	for _, x := range h.before {
		if x == secret {
			return true
		}
	}
	s := h.seal
	published := [][]byte{
		h.id[:], s.Definition[:], append(append([]byte{}, h.id[:]...), s.Definition[:]...), s.Commitment[:], s.Root[:],
	}
	for _, x := range published {
		if string(x) == string(secret[:]) || sha256.Sum256(x) == secret {
			return true
		}
	}
	return false
}

// sold is how many units were sold in the end.
func (h *history) sold() int {
	if len(h.sales) == 0 {
		return 0
	}
	return int(min(h.sales[len(h.sales)-1].Sold, h.seal.Size))
}
