package app

import (
	"context"
	"log/slog"
	"time"

	"frontdesk.dev/frontdesk/internal/store"
)

// tallyEvery is how far apart tallies are folded: until then, what was recorded
// is read entry by entry.
const tallyEvery = time.Second

const (
	foldAtOnce     = 128   // entries in a transaction
	backfillAtOnce = 2_000 // rows in a transaction
)

// tallies keeps the tallies of analytics.
type tallies struct {
	store   *store.Store
	log     *slog.Logger
	failing bool
}

// keep does what there is to do. It runs every second: an outage is logged when
// it begins and when it is over.
func (k *tallies) keep(ctx context.Context) {
	err := k.keepOnce(ctx)
	switch {
	case ctx.Err() != nil:
		return // we are stopping: what was begun is undone, and done by the next start
	case err != nil && !k.failing:
		k.log.Error("folding tallies failed, trying again every second; until then analytics are right, but slower", "error", err)
	case err == nil && k.failing:
		k.log.Info("tallies are folded again")
	}
	k.failing = err != nil
}

// keepOnce folds what was recorded since the last time, and tallies calls and
// captures that are older than the tallies until there are none left.
func (k *tallies) keepOnce(ctx context.Context) error {
	for older := true; older; {
		if err := k.fold(ctx); err != nil {
			return err
		}
		var err error
		if older, err = k.store.BackfillTalliesForWorker(ctx, backfillAtOnce); err != nil {
			return err
		}
	}
	return nil
}

func (k *tallies) fold(ctx context.Context) error {
	for {
		folded, err := k.store.FoldTalliesForWorker(ctx, foldAtOnce)
		if err != nil || folded < foldAtOnce {
			return err
		}
	}
}

// How far apart it is looked for calls from before the index of words, and how
// many of them are put into it in a transaction.
const (
	wordsEvery  = 10 * time.Second
	wordsAtOnce = 100
)

// indexOlderCalls puts the words of calls from before the index into it until there
// are none left. Until then calls are looked through.
func (p housekeeping) indexOlderCalls(ctx context.Context) error {
	for more := true; more && ctx.Err() == nil; {
		var err error
		if more, err = p.store.BackfillWordsForWorker(ctx, wordsAtOnce); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}
