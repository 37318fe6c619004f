package sale

import (
	"context"
	"errors"
	"slices"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/game"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/player"
)

// Disclosed reports whether the outcome of a play may be shown: a game with a choice shows nothing
// before the choice is recorded (Pièce d'or, art. 4.3).
func Disclosed(d *game.Definition, play store.Play) bool {
	return d.Choice == nil || play.Choice != nil
}

// Choose records the player's choice of a play, once, before anything is shown. It has no effect on
// the prize. It returns Invalid with code choice_malformed when the cells are not a choice of the
// game, choice_recorded (Conflict) when another was recorded, and play_unknown (NotFound).
func (s *Seller) Choose(ctx context.Context, who player.ID, id block.PlayID, cells []int) (store.Play, error) {
	var play store.Play
	err := s.clerk.do(ctx, func(ctx context.Context, tx store.Tx) (refusal, failure error) {
		found, definition, err := s.playOf(ctx, tx, who, id)
		if err != nil {
			return asRefusal(err)
		}
		play = found
		if err := checkChoice(definition, cells); err != nil {
			return err, nil
		}
		if play.Choice != nil && !slices.Equal(play.Choice, cells) {
			return store.ChoiceRecorded(), nil
		}
		if play.Choice == nil {
			if err := tx.RecordChoice(ctx, who, id, cells, s.config.Clock()); err != nil {
				return nil, err
			}
			play.Choice = slices.Clone(cells)
		}
		return nil, nil
	})
	return play, err
}

// playOf is a play and the definition of its game.
func (s *Seller) playOf(ctx context.Context, tx store.Tx, who player.ID, id block.PlayID) (store.Play, *game.Definition, error) {
	play, err := tx.Play(ctx, who, id)
	if err != nil {
		return play, nil, err
	}
	found, err := s.config.Catalogue.Game(play.Game)
	if err != nil {
		return play, nil, err
	}
	return play, found.Definition, nil
}

// asRefusal tells what is not there, which concerns one player, from a store that fails.
func asRefusal(err error) (refusal, failure error) {
	if errors.Is(err, fault.NotFound) {
		return err, nil
	}
	return nil, err
}

func checkChoice(d *game.Definition, cells []int) error {
	if d.Choice == nil {
		return fault.New(fault.Invalid, "choice_malformed", "%s has nothing to choose", d.Name)
	}
	malformed := fault.New(fault.Invalid, "choice_malformed", "the choice is %d different ones of %d, numbered from 0", d.Choice.Pick, d.Choice.Of).At("cells")
	if len(cells) != d.Choice.Pick {
		return malformed
	}
	seen := make([]bool, d.Choice.Of)
	for _, cell := range cells {
		if cell < 0 || cell >= d.Choice.Of || seen[cell] {
			return malformed
		}
		seen[cell] = true
	}
	return nil
}

// CheckDisclosed returns Refused with code choice_missing for a play whose outcome still waits for its
// player's choice: nothing that tells it may be handed out.
func CheckDisclosed(d *game.Definition, play store.Play) error {
	if Disclosed(d, play) {
		return nil
	}
	return fault.New(fault.Refused, "choice_missing", "the play cannot be shown before its choice is recorded").
		Next("record the choice first")
}

// Shown records that a play was shown to the end; the next play of its game may then be sold. Said
// again, it is nothing. It returns Refused with code choice_missing before the choice is recorded,
// and play_unknown (NotFound).
func (s *Seller) Shown(ctx context.Context, who player.ID, id block.PlayID) error {
	return s.clerk.do(ctx, func(ctx context.Context, tx store.Tx) (refusal, failure error) {
		play, definition, err := s.playOf(ctx, tx, who, id)
		if err != nil {
			return asRefusal(err)
		}
		if err := CheckDisclosed(definition, play); err != nil {
			return err, nil
		}
		return nil, tx.MarkShown(ctx, who, id)
	})
}
