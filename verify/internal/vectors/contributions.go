package vectors

import (
	"encoding/json"
	"fmt"

	"github.com/talonlottery/talon/verify/internal/beacon"
	"github.com/talonlottery/talon/verify/internal/notation"
)

// contributions mixes secrets from shares, without and with a beacon's round: block.md, section 12.
func (r *run) contributions(data []byte) error {
	var file struct {
		Vectors []struct {
			ID     hexBytes
			Shares []struct {
				Party             string
				Share, Commitment hexBytes
			}
			Signature, Randomness, Secret hexBytes
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return err
	}
	for i, v := range file.Vectors {
		var shares []notation.Share
		for _, s := range v.Shares {
			share := notation.Share{Party: s.Party, Share: s.Share.digest()}
			r.same(fmt.Sprintf("[%d] commitment of %s", i, s.Party), notation.ShareCommitment(v.ID.id(), s.Party, share.Share), s.Commitment)
			shares = append(shares, share)
		}
		var randomness []byte
		if len(v.Signature) > 0 {
			of := beacon.Randomness(v.Signature)
			randomness = of[:]
			r.same(fmt.Sprintf("[%d].randomness", i), of, v.Randomness)
		}
		r.same(fmt.Sprintf("[%d].secret", i), notation.MixSecret(v.ID.id(), shares, randomness), v.Secret)
	}
	return nil
}
