package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/internal/vault"
)

// ceremonyCommand is what the parties of a ceremony do; docs/spec/block.md, section 12, says what it proves.
type ceremonyCommand struct {
	Begin      ceremonyBegin      `cmd:"" help:"Operator: begin a ceremony, and publish its block's identifier and parties."`
	Status     ceremonyStatus     `cmd:"" help:"Show where a ceremony stands, and what comes next."`
	Contribute ceremonyContribute `cmd:"" help:"Operator: record and publish a party's commitment."`
	Deal       ceremonyDeal       `cmd:"" help:"Operator: give the vault all shares; it checks them, mixes the secret and deals the block."`
	Abandon    ceremonyAbandon    `cmd:"" help:"Operator: give a ceremony up, for everybody to see."`
	Transcript ceremonyTranscript `cmd:"" help:"Write a signed transcript of a ceremony."`

	Share ceremonyShare `cmd:"" help:"Party: draw a share of a block's secret, on the party's own machine."`
}

type ceremonyShare struct {
	Party     string   `help:"Name of the party: lower-case letters, digits and hyphens." required:""`
	Block     block.ID `help:"Identifier of the block, as the operator published it." required:""`
	Recipient string   `help:"The vault's recipient, as the operator published it." required:"" placeholder:"age1…"`
	Out       string   `help:"Folder that the share is written to." default:"." type:"path"`
}

// Run draws a share, and writes it encrypted for the vault and in clear for the party.
func (c ceremonyShare) Run(s streams) error {
	share, err := block.NewShare(c.Party, rand.Reader)
	if err != nil {
		return err
	}
	sealed, err := vault.SealShare(share, c.Recipient)
	if err != nil {
		return err
	}
	name := filepath.Join(c.Out, fmt.Sprintf("%s-%s", c.Block, c.Party))
	revealed := share.Bytes.Reveal()
	if err := writeNew(name+".share", []byte(hex.EncodeToString(revealed[:])+"\n")); err != nil {
		return err
	}
	if err := writeNew(name+".share.age", sealed); err != nil {
		return err
	}
	fmt.Fprintf(s.out, `commitment of %s to its share of block %s:
%s
1. Give the operator the commitment, and see that it is in the public log.
2. When the commitments of all parties are there, give the operator %[4]s.share.age. Not before.
3. Keep %[4]s.share to yourself until the block is opened; then compare it with the opening.
`, c.Party, c.Block, share.Commitment(c.Block), name)
	return nil
}
