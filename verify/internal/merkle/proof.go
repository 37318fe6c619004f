package merkle

import "github.com/talonlottery/talon/verify/internal/notation"

// Included verifies an audit path as RFC 9162, section 2.1.3.2, says: whether the leaf stands at this index of the tree of this size and
// root. Size and root must be those that were published, never those that came with the path.
func Included(leaf notation.Digest, index, size uint64, path []notation.Digest, root notation.Digest) bool {
	if index >= size {
		return false
	}
	fn, sn, r := index, size-1, leaf
	for _, p := range path {
		if sn == 0 {
			return false
		}
		if fn&1 == 1 || fn == sn {
			r = Node(p, r)
			for fn&1 == 0 && fn != 0 {
				fn, sn = fn>>1, sn>>1
			}
		} else {
			r = Node(r, p)
		}
		fn, sn = fn>>1, sn>>1
	}
	return sn == 0 && r == root
}
