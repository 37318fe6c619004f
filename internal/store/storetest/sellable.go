package storetest

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/talonlottery/talon/block"
	"github.com/talonlottery/talon/canon"
	"github.com/talonlottery/talon/internal/store"
)

// The people of the suite: one deals, another approves.
const (
	dealer   = "dealer"
	approver = "approver"
)

// Seal is an entry that stands for the seal of a block where no public log is read.
func Seal(id block.ID, at time.Time) store.Announcement {
	return store.Announcement{Kind: store.KindSeal, Block: id, Body: []byte(`{"block":"` + id.String() + `"}`), At: at}
}

// Dealing is the first step of a block's life.
func Dealing(at time.Time) store.Step {
	return store.Step{By: dealer, Why: "the emission needs it", At: at}
}

// Publish publishes all that waits, as a log that has a hash an entry and no signature: the store
// takes both as they are.
func Publish(ctx context.Context, tx store.Tx, at time.Time) error {
	waiting, err := tx.ToPublish(ctx, 1000)
	if err != nil || len(waiting) == 0 {
		return err
	}
	head, err := tx.LogHead(ctx)
	if err != nil {
		return err
	}
	growth := store.Growth{From: head.Size, FirstHash: int64(head.Size), By: "public log",
		Head: store.LogHead{Size: head.Size + uint64(len(waiting)), Note: []byte("not signed\n"), At: at}}
	for _, entry := range waiting {
		growth.Entries = append(growth.Entries, entry.Number)
		growth.Hashes = append(growth.Hashes, canon.Digest(sha256.Sum256(entry.Body)))
	}
	growth.Head.Root = growth.Hashes[len(growth.Hashes)-1]
	return tx.GrowLog(ctx, growth)
}

// Approve approves a sealed block.
func Approve(ctx context.Context, tx store.Tx, id block.ID, at time.Time) error {
	return tx.MoveBlock(ctx, id, store.Approved, store.Step{By: approver, Why: "the seal is as agreed", At: at},
		store.Announcement{Kind: "approval", Block: id, Body: []byte(`{"approved":"` + id.String() + `"}`), At: at})
}

// AddApproved records a block and brings it to where it may be sold.
func AddApproved(ctx context.Context, tx store.Tx, dealt store.Dealt) error {
	id := dealt.Deal.Header.ID
	if err := tx.AddBlock(ctx, dealt, Dealing(dealt.At), Seal(id, dealt.At)); err != nil {
		return err
	}
	if err := Publish(ctx, tx, dealt.At); err != nil {
		return err
	}
	return Approve(ctx, tx, id, dealt.At)
}
