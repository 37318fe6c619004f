package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/talonlottery/talon/beacon"
	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/durable"
	"github.com/talonlottery/talon/internal/office"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/publiclog"
)

type ceremonyBegin struct {
	deskFlags
	Game        string   `arg:"" help:"The game, or the jackpot, of the block."`
	Stake       int      `help:"Which of the game's stakes, from 0." default:"0"`
	Party       []string `help:"Name of a party; at least one, repeat it for each, in order." required:""`
	BeaconKey   string   `help:"Public key of a beacon whose round is mixed in, in hexadecimal." placeholder:"HEX"`
	BeaconRound uint64   `help:"Its round: one that does not exist yet when the last party commits."`
}

// Run begins a ceremony.
func (c ceremonyBegin) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	named, err := c.beacon()
	if err != nil {
		return err
	}
	return c.at(ctx, logger, func(d *desk) error {
		id, err := d.staff.BeginCeremony(ctx, rand.Reader, c.Game, c.Stake, c.Party, named)
		if err != nil {
			return err
		}
		if err := d.publish(ctx); err != nil {
			return err
		}
		fmt.Fprintf(s.out, `block %s
Each party, on its own machine:   talon ceremony share --block %[1]s --party NAME --recipient AGE1…
(the recipient is printed by talon vault recipient), and sends you the commitment. For each:
                                  talon ceremony contribute %[1]s --party NAME --commitment HEX
Then see where it stands:         talon ceremony status %[1]s
`, id)
		return nil
	})
}

func (c ceremonyBegin) beacon() (*publiclog.Beacon, error) {
	if c.BeaconKey == "" && c.BeaconRound == 0 {
		return nil, nil
	}
	key, err := hex.DecodeString(c.BeaconKey)
	if err != nil || c.BeaconRound == 0 {
		return nil, fault.New(fault.Invalid, "beacon_malformed", "a beacon has a key in hexadecimal and a round").
			Next("give both --beacon-key and --beacon-round")
	}
	return &publiclog.Beacon{Scheme: beacon.Scheme, Key: key, Round: c.BeaconRound}, nil
}

type ceremonyStatus struct {
	deskFlags
	Block block.ID `arg:"" help:"The block's identifier."`
}

// Run says where a ceremony stands.
func (c ceremonyStatus) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	return c.at(ctx, logger, func(d *desk) error {
		found, err := office.ReadCeremony(ctx, d.store, c.Block)
		if err != nil {
			return err
		}
		for _, party := range found.Entry().Parties {
			if commitment, committed := found.Commitment(party); committed {
				fmt.Fprintf(s.out, "%s committed to %s\n", party, commitment)
			} else {
				fmt.Fprintf(s.out, "%s did not commit yet\n", party)
			}
		}
		if named := found.Entry().Beacon; named != nil {
			fmt.Fprintf(s.out, "round %d of the beacon %x… is mixed in\n", named.Round, named.Key[:8])
		}
		if err := found.Ready(); err != nil {
			fmt.Fprintln(s.out, err)
			return nil
		}
		fmt.Fprintf(s.out, "All commitments are in the public log. Ask the parties for their encrypted shares, then:\n"+
			"talon ceremony deal %s --share NAME=FILE… --by NAME --why …\n", c.Block)
		return nil
	})
}

type ceremonyContribute struct {
	deskFlags
	Block      block.ID     `arg:"" help:"The block's identifier."`
	Party      string       `help:"Name of the party." required:""`
	Commitment canon.Digest `help:"The party's commitment." required:"" placeholder:"HEX"`
}

// Run records a commitment.
func (c ceremonyContribute) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	return c.at(ctx, logger, func(d *desk) error {
		if err := d.staff.Contribute(ctx, c.Block, c.Party, c.Commitment); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%s committed to %s\n", c.Party, c.Commitment)
		return d.publish(ctx)
	})
}

type ceremonyDeal struct {
	deskFlags
	Vault           string            `help:"Socket of a vault in another process. Default: the vault in the data folder, which no other process may hold." env:"TALON_VAULT"`
	Block           block.ID          `arg:"" help:"The block's identifier."`
	Share           map[string]string `help:"File of a party's encrypted share; one for each party." required:"" placeholder:"NAME=FILE"`
	BeaconSignature string            `help:"Signature of the beacon's round, in hexadecimal." placeholder:"HEX"`
	By              string            `help:"Who deals." required:"" env:"TALON_STAFF"`
	Why             string            `help:"Why: a sentence for the records." default:"a ceremony made its secret"`
}

// Run lets the vault deal the block.
func (c ceremonyDeal) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	signature, err := hex.DecodeString(c.BeaconSignature)
	if err != nil {
		return fault.New(fault.Invalid, "beacon_malformed", "a signature is hexadecimal").At("--beacon-signature")
	}
	shares := make(map[string][]byte, len(c.Share))
	for party, name := range c.Share {
		if shares[party], err = os.ReadFile(name); err != nil {
			return fault.New(fault.Invalid, "share_unreadable", "the share of %s cannot be read: %w", party, err)
		}
	}
	return c.at(ctx, logger, func(d *desk) error {
		keeper, err := d.secrets(c.Vault, logger)
		if err != nil {
			return err
		}
		defer keeper.Close()
		deal, err := d.staff.DealCeremony(ctx, keeper, c.Block, shares, signature, c.By, c.Why, func(done, total uint32) {
			if done == total || done%(max(total/4, 1)) == 0 {
				fmt.Fprintf(s.log, "dealing: %d of %d units\n", done, total)
			}
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out, "block %s is dealt and sealed\nroot %s\nAnother person than %s approves it: talon block approve %[1]s --by NAME --why … --commit\n",
			c.Block, deal.Root, c.By)
		return d.publish(ctx)
	})
}

type ceremonyAbandon struct {
	deskFlags
	decisionFlags
	Block block.ID `arg:"" help:"The block's identifier."`
}

// Run gives a ceremony up.
func (c ceremonyAbandon) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	return c.at(ctx, logger, func(d *desk) error {
		if _, err := office.ReadCeremony(ctx, d.store, c.Block); err != nil {
			return err
		}
		if !c.Commit {
			fmt.Fprintf(s.out, "No block %s will ever be dealt, and everybody will see why.\nNothing was done. To do it, run it again with --commit.\n", c.Block)
			return nil
		}
		if err := d.staff.Abandon(ctx, c.Block, c.By, c.Why); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "the ceremony of block %s is given up\n", c.Block)
		return d.publish(ctx)
	})
}

type ceremonyTranscript struct {
	deskFlags
	Block block.ID `arg:"" help:"The block's identifier."`
	Out   string   `help:"File that the transcript is written to. Default: BLOCK.transcript in this folder." type:"path"`
}

// Run writes what the public log says of a ceremony, with the places in the log, signed by the operator's
// key: each party keeps a copy of what it took part in.
func (c ceremonyTranscript) Run(ctx context.Context, s streams, logger *slog.Logger) error {
	return c.at(ctx, logger, func(d *desk) error {
		var text strings.Builder
		for _, kind := range []publiclog.Kind{publiclog.KindCeremony, publiclog.KindContribution, publiclog.KindAbandonment, publiclog.KindSeal, publiclog.KindApproval, publiclog.KindOpening} {
			entries, err := d.store.LogOf(ctx, c.Block, string(kind))
			if err != nil {
				return err
			}
			for _, entry := range entries {
				if entry.Position != store.Unpublished {
					fmt.Fprintf(&text, "%d %s\n", entry.Position, entry.Body)
				}
			}
		}
		if text.Len() == 0 {
			return fault.New(fault.NotFound, "ceremony_unknown", "the public log says nothing of block %s", c.Block).
				Next("`talon ceremony begin` begins a ceremony and gives its block")
		}
		signed, err := d.publisher.Sign("ceremony of block "+c.Block.String(), text.String())
		if err != nil {
			return err
		}
		name := c.Out
		if name == "" {
			name = c.Block.String() + ".transcript"
		}
		if err := durable.Write(name, signed, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%s\nEach line is an entry of the public log with its place, signed by %s.\n", name, d.publisher.Key())
		return nil
	})
}
