package sale_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/fault"
	"github.com/talonlottery/talon/internal/sale"
	"github.com/talonlottery/talon/internal/sale/saletest"
	"github.com/talonlottery/talon/internal/store"
	"github.com/talonlottery/talon/money"
	"github.com/talonlottery/talon/player"
)

func (h *house) standing(n int, standing player.Standing) {
	h.t.Helper()
	saletest.Update(h.t, h.store, func(ctx context.Context, tx store.Tx) error {
		return tx.SetStanding(ctx, saletest.Player(n), standing)
	})
}

// Whoever may not buy is told why, takes no unit and binds no key; the others of the batch are served.
func TestRefusedRequestsTakeNothing(t *testing.T) {
	h := build(t).lanes(moons, 1, 1, 1)
	saletest.Players(t, h.store, 5, 10*money.Unit)
	cap1 := money.Unit
	h.standing(1, player.Standing{Status: player.Suspended})
	h.standing(2, player.Standing{Status: player.Active, ExcludedUntil: saletest.Morning.Add(time.Hour)})
	h.standing(3, player.Standing{Status: player.Active, StakeCap: &cap1})
	saletest.Update(t, h.store, func(ctx context.Context, tx store.Tx) error {
		return tx.CreatePlayer(ctx, saletest.Player(5), saletest.Morning) // without funds
	})
	h.start()
	h.refused(request(1, "k", moons, 1), fault.Refused, "player_not_active")
	h.refused(request(2, "k", moons, 1), fault.Refused, "player_excluded")
	h.refused(request(5, "k", moons, 1), fault.Refused, "insufficient_funds")
	h.refused(request(99, "k", moons, 1), fault.NotFound, "player_unknown")
	if sold := h.sold(moons); sold != 0 {
		t.Fatalf("refused requests took %d units", sold)
	}
	// The cap lets one stake through, and counts it.
	h.show(h.sell(request(3, "k", moons, 1)).Play)
	h.refused(request(3, "l", moons, 1), fault.Refused, "stake_cap_reached")
	// Once the reason is gone, the same key buys: it was bound to nothing.
	h.now.Store(int64(2 * time.Hour))
	h.standing(1, player.Standing{Status: player.Active})
	for _, n := range []int{1, 2} {
		if receipt := h.sell(request(n, "k", moons, 1)); receipt.Repeated {
			t.Errorf("the key of player %d was bound by a refusal", n)
		}
	}
	h.now.Store(int64(player.CapPeriod + time.Hour))
	h.sell(request(3, "l", moons, 1)) // the stake has left the period
	if sold := h.sold(moons); sold != 4 {
		t.Errorf("4 units were expected to be sold, not %d", sold)
	}
	h.check()
}

// In one crowd, those who may buy are served and those who may not are refused.
func TestARefusalSinksNobodyElse(t *testing.T) {
	h := build(t).lanes(moons, 0, 1, 1)
	saletest.Players(t, h.store, 100, money.Unit)
	for n := 0; n < 100; n += 3 {
		h.standing(n, player.Standing{Status: player.Suspended})
	}
	h.start()
	var buying sync.WaitGroup
	for n := range 100 {
		buying.Go(func() {
			receipt, err := h.seller.Sell(context.Background(), request(n, "k", moons, 0))
			switch {
			case err == nil:
				h.acknowledge(receipt)
				if n%3 == 0 {
					t.Errorf("suspended player %d was sold a unit", n)
				}
			case n%3 != 0 || fault.CodeOf(err) != "player_not_active":
				t.Errorf("player %d: %v", n, err)
			}
		})
	}
	buying.Wait()
	if sold := h.sold(moons); sold != 66 {
		t.Errorf("66 units were expected to be sold, not %d", sold)
	}
	h.check()
}

// A request is weighed in the order of the rules: the heavier reason is told.
func TestTheOrderOfChecks(t *testing.T) {
	h := build(t).lanes(moons, 0, 1, 1)
	saletest.Players(t, h.store, 1, 50*money.Cent)
	h.start()
	play := h.sell(request(0, "first", moons, 0)).Play
	standing := player.Standing{Status: player.Active}
	stakeCap := money.Amount(0)
	// Whatever else is wrong, a known key gets its answer; then the heaviest reason is told.
	for _, step := range []struct {
		code   string
		change func()
	}{
		{"player_not_active", func() { standing.Status = player.Suspended }},
		{"player_excluded", func() { standing.Status, standing.ExcludedUntil = player.Active, saletest.Morning.Add(time.Hour) }},
		{"stake_cap_reached", func() { standing.ExcludedUntil, standing.StakeCap = time.Time{}, &stakeCap }},
		{"unfinished_play", func() { standing.StakeCap = nil }},
	} {
		step.change()
		h.standing(0, standing)
		h.refused(request(0, "next", moons, 0), fault.Refused, step.code)
		if again := h.sell(request(0, "first", moons, 0)); !again.Repeated || again.Play.ID != play.ID {
			t.Errorf("%s hides the play that the key bound", step.code)
		}
	}
	if h.sold(moons) != 1 {
		t.Error("a refused request took a unit")
	}
	h.check()
}

func TestTheSameKeyTwice(t *testing.T) {
	h := build(t).lanes(moons, 0, 1, 1).lanes(moons, 1, 1, 1)
	saletest.Players(t, h.store, 2, 10*money.Unit)
	h.start()
	// At once, again and again: one play.
	const times = 50
	receipts := make([]sale.Receipt, times)
	var asking sync.WaitGroup
	refusals := 0
	var mu sync.Mutex
	for at := range times {
		asking.Go(func() {
			receipt, err := h.seller.Sell(context.Background(), request(0, "once", moons, 0))
			if err != nil && fault.CodeOf(err) != "too_many_requests_in_flight" {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				refusals++
			}
			receipts[at] = receipt
		})
	}
	asking.Wait()
	first, fresh := h.sell(request(0, "once", moons, 0)), 0
	for _, receipt := range receipts {
		if receipt.Play.ID != (block.PlayID{}) && !receipt.Repeated {
			fresh++
		}
		if receipt.Play.ID != (block.PlayID{}) && receipt.Play.ID != first.Play.ID {
			t.Error("the same key gave two plays")
		}
	}
	if fresh != 1 || h.sold(moons) != 1 {
		t.Errorf("one play was expected, not %d of %d units; %d were told to wait", fresh, h.sold(moons), refusals)
	}
	// Another body, in the same lane or in another.
	h.refused(request(0, "once", moons, 1), fault.Conflict, "idempotency_key_reused")
	// Another player's key is another key.
	if other := h.sell(request(1, "once", moons, 0)); other.Repeated || other.Play.ID == first.Play.ID {
		t.Error("two players share a key")
	}
	// After a restart it is the same play, told in the same words.
	before := first.Play
	h.restart()
	again := h.sell(request(0, "once", moons, 0))
	if !again.Repeated || fmt.Sprint(again.Play) != fmt.Sprint(before) {
		t.Errorf("after a restart the play was told as\n%+v\nnot\n%+v", again.Play, before)
	}
	h.refused(request(0, "once", moons, 1), fault.Conflict, "idempotency_key_reused")
	h.check()
}

// Two requests with money for one: exactly one play, whichever lanes they go through.
func TestTwoRequestsWithMoneyForOne(t *testing.T) {
	h := build(t).lanes(moons, 1, 1, 1).lanes(winds, 0, 2, 2)
	const players = 60
	saletest.Players(t, h.store, players, money.Unit)
	h.start()
	var buying sync.WaitGroup
	codes := make([][]string, players)
	for n := range players {
		answers := make(chan string, 2)
		for _, game := range []string{moons, winds} {
			stake := map[string]int{moons: 1, winds: 0}[game]
			buying.Go(func() {
				receipt, err := h.seller.Sell(context.Background(), request(n, game, game, stake))
				if err == nil {
					h.acknowledge(receipt)
					answers <- "sold " + receipt.Play.After.String()
					return
				}
				answers <- fault.CodeOf(err)
			})
		}
		buying.Go(func() { codes[n] = []string{<-answers, <-answers} })
	}
	buying.Wait()
	for n, told := range codes {
		slices.Sort(told)
		// The first play may have won the price of a second one.
		one := told[0] == "insufficient_funds" && strings.HasPrefix(told[1], "sold ")
		both := strings.HasPrefix(told[0], "sold ") && strings.HasPrefix(told[1], "sold ")
		if !one && !both {
			t.Errorf("player %d: %v", n, told)
		}
	}
	h.check() // no funds below zero, no play without its price
}

// A player is at most once in a batch, and yet each of its requests is served, one after another.
func TestOnePlayerManyGames(t *testing.T) {
	h := build(t).lanes(winds, 0, 1, 1)
	saletest.Players(t, h.store, 1, 10*money.Unit)
	h.config.BatchMost = 4
	h.start()
	last := h.sell(request(0, "0", winds, 0)).Play
	var buying sync.WaitGroup
	for n := range 5 {
		buying.Go(func() {
			r := request(0, key("again", n), winds, 0)
			r.Seen = last.ID
			receipt, err := h.seller.Sell(context.Background(), r)
			if err == nil {
				h.acknowledge(receipt)
			} else if fault.CodeOf(err) != "unfinished_play" {
				t.Error(err)
			}
		})
	}
	buying.Wait()
	if sold := h.sold(winds); sold != 2 { // the others had not seen the second
		t.Errorf("2 units were expected to be sold, not %d", sold)
	}
	h.check()
}

func TestUnfinishedPlays(t *testing.T) {
	h := build(t).lanes(moons, 0, 1, 1).lanes(moons, 1, 1, 1).lanes(winds, 0, 1, 1)
	saletest.Players(t, h.store, 2, 10*money.Unit)
	h.start()
	first := h.sell(request(0, "1", moons, 0)).Play
	h.sell(request(0, "2", winds, 0)) // another game is not held up
	h.refused(request(0, "3", moons, 0), fault.Refused, "unfinished_play")
	h.refused(request(0, "3", moons, 1), fault.Refused, "unfinished_play") // at any stake
	// A choice comes before anything is shown, so Seen alone is not believed.
	withSeen := request(0, "3", moons, 0)
	withSeen.Seen = first.ID
	h.refused(withSeen, fault.Refused, "unfinished_play")
	h.wants(h.seller.Shown(t.Context(), saletest.Player(0), first.ID), fault.Refused, "choice_missing")
	if _, err := h.seller.Choose(t.Context(), saletest.Player(0), first.ID, []int{5, 1, 3}); err != nil {
		t.Fatal(err)
	}
	stranger := withSeen
	stranger.Seen = block.PlayID{1}
	h.refused(stranger, fault.Refused, "unfinished_play")
	second := h.sell(withSeen).Play
	h.show(second)
	h.show(second) // said again, it is nothing
	h.sell(request(0, "4", moons, 1))
	for id, shown := range map[block.PlayID]bool{first.ID: true, second.ID: true} {
		play, err := h.store.Play(t.Context(), saletest.Player(0), id)
		if err != nil || play.Shown != shown {
			t.Errorf("a play was expected to be shown: %+v %v", play, err)
		}
	}
	h.check()
}

func TestChoices(t *testing.T) {
	h := build(t).lanes(moons, 0, 1, 1).lanes(winds, 0, 1, 1)
	saletest.Players(t, h.store, 2, 10*money.Unit)
	h.start()
	found, err := h.games.Game(moons)
	if err != nil {
		t.Fatal(err)
	}
	play := h.sell(request(0, "1", moons, 0)).Play
	if sale.Disclosed(found.Definition, play) {
		t.Error("a play is disclosed before its choice is recorded")
	}
	choose := func(id block.PlayID, cells ...int) error {
		_, err := h.seller.Choose(t.Context(), saletest.Player(0), id, cells)
		return err
	}
	for _, cells := range [][]int{nil, {0, 1}, {0, 1, 2, 3}, {0, 0, 1}, {-1, 0, 1}, {0, 1, 6}} {
		if err := choose(play.ID, cells...); fault.CodeOf(err) != "choice_malformed" || fault.PlaceOf(err) != "cells" {
			t.Errorf("%v: choice_malformed at cells was expected, not %v", cells, err)
		}
	}
	if err := choose(play.ID, 5, 0, 3); err != nil {
		t.Fatal(err)
	}
	chosen, err := h.seller.Choose(t.Context(), saletest.Player(0), play.ID, []int{5, 0, 3})
	if err != nil || !slices.Equal(chosen.Choice, []int{5, 0, 3}) || !sale.Disclosed(found.Definition, chosen) {
		t.Errorf("the same choice again is the same: %+v %v", chosen, err)
	}
	h.wants(choose(play.ID, 0, 3, 5), fault.Conflict, "choice_recorded")
	if err := choose(block.PlayID{1}, 5, 0, 3); fault.CodeOf(err) != "play_unknown" {
		t.Error(err)
	}
	if _, err := h.seller.Choose(t.Context(), saletest.Player(1), play.ID, []int{5, 0, 3}); fault.CodeOf(err) != "play_unknown" {
		t.Errorf("another player's play: %v", err)
	}
	other := h.sell(request(0, "2", winds, 0)).Play
	if err := choose(other.ID, 5, 0, 3); fault.CodeOf(err) != "choice_malformed" {
		t.Errorf("a game without choice: %v", err)
	}
	if again := h.sell(request(0, "1", moons, 0)); !slices.Equal(again.Play.Choice, []int{5, 0, 3}) {
		t.Errorf("the repeated play holds the choice %v", again.Play.Choice)
	}
	h.check()
}

// Until a play is shown its prize is in no figure that a screen shows.
func TestShownFundsTellNoOutcome(t *testing.T) {
	h := build(t).lanes(winds, 0, 1, 1)
	saletest.Players(t, h.store, 1, 100*money.Unit)
	h.start()
	funds, last := 100*money.Unit, block.PlayID{}
	for n := range 100 {
		r := request(0, key(n), winds, 0)
		r.Seen = last
		play := h.sell(r).Play
		shown, err := store.ShownFunds(t.Context(), h.store, saletest.Player(0))
		if err != nil {
			t.Fatal(err)
		}
		if shown != funds-money.Unit {
			t.Fatalf("a play of %s that won %s shows %s", money.Unit, play.Prize+play.Draw.Won, shown)
		}
		funds, last = play.After, play.ID
	}
}

// A prize that waits for its choice buys nothing in another game: a sale made or refused would tell the
// outcome. Once the choice is recorded it does.
func TestUndisclosedPrizesBuyNothing(t *testing.T) {
	const players = 40
	h := build(t).lanes(moons, 1, 1, 1).lanes(winds, 0, 1, 1)
	saletest.Players(t, h.store, players, money.Unit)
	h.start()
	winners := 0
	for n := range players {
		play := h.sell(request(n, "moons", moons, 1)).Play
		h.refused(request(n, "winds", winds, 0), fault.Refused, "insufficient_funds")
		if _, err := h.seller.Choose(t.Context(), play.Player, play.ID, []int{4, 0, 2}); err != nil {
			t.Fatal(err)
		}
		if play.Prize < money.Unit {
			h.refused(request(n, "winds", winds, 0), fault.Refused, "insufficient_funds")
			continue
		}
		winners++
		h.sell(request(n, "winds", winds, 0))
	}
	if winners == 0 {
		t.Error("nobody won")
	}
	h.check()
}

func TestMalformedRequests(t *testing.T) {
	h := build(t).lanes(moons, 0, 1, 1)
	saletest.Players(t, h.store, 1, 10*money.Unit)
	h.start()
	for _, malformed := range []string{"", "a b", "é", "tab\t", "\x7f", strings.Repeat("x", 65)} {
		h.refused(request(0, malformed, moons, 0), fault.Invalid, "key_malformed")
	}
	for _, unknown := range []sale.Request{request(0, "k", "nothing", 0), request(0, "k", moons, 1), request(0, "k", moons, -1)} {
		if _, err := h.seller.Sell(t.Context(), unknown); fault.CodeOf(err) != "game_unknown" {
			t.Errorf("%s at %d: %v", unknown.Game, unknown.Stake, err)
		}
	}
	h.sell(request(0, strings.Repeat("~", 64), moons, 0))
	h.check()
}

// thresholds is how many thresholds are tried.
func thresholds() int {
	if testing.Short() {
		return 2
	}
	return 4
}

// Prizes above the threshold, and only those above it, wait as prizes due; so do pots.
func TestPrizesDue(t *testing.T) {
	for _, threshold := range []money.Amount{4 * money.Unit, 0, 4*money.Unit - 1, 1}[:thresholds()] {
		t.Run(threshold.String(), func(t *testing.T) {
			h := build(t).lanes(winds, 0, 1, 1)
			saletest.Players(t, h.store, 10, 100*money.Unit)
			h.config.PrizeDueAbove = threshold
			h.start()
			h.buyUntil(10, "emission_used_up", func(buyer, nth int) sale.Request { return request(buyer, key(buyer, nth), winds, 0) })
			due, wins := money.Amount(0), 0
			for _, play := range h.acknowledged {
				if play.PrizeDue {
					due += play.Prize
				}
				if play.Draw.Won > 0 {
					wins++
				}
			}
			// The table: 1 of 60, 2 of 20, 20 of 4, 33 of 1.
			expected := map[money.Amount]money.Amount{0: 0, 4*money.Unit - 1: 180 * money.Unit, 4 * money.Unit: 100 * money.Unit, 1: 213 * money.Unit}
			if due != expected[threshold] || wins == 0 {
				t.Errorf("%s of prizes due was expected, not %s; %d pots were won", expected[threshold], due, wins)
			}
			h.check()
		})
	}
}
