package privacy

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// Keeper forgets, gives out and erases. Any number of nodes may have one.
type Keeper struct {
	store *store.Store
	log   *slog.Logger
	now   func() time.Time
	open  func(owner frontdesk.Owner, key string, sealed []byte) ([]byte, error)
}

// Options are what a Keeper works with.
type Options struct {
	Store *store.Store
	Log   *slog.Logger
	Now   func() time.Time
	// OpenAnswer reads an answer that is kept for an Idempotency-Key.
	OpenAnswer func(owner frontdesk.Owner, key string, sealed []byte) ([]byte, error)
}

// New returns a Keeper.
func New(o Options) *Keeper {
	return &Keeper{store: o.Store, log: o.Log, now: o.Now, open: o.OpenAnswer}
}

// batch is how many rows are deleted in one transaction: few enough that nobody
// waits for it.
const batch = 200

// Sweep forgets what tenants have kept for as many days as their plans say. What
// fails with one tenant keeps none of the others waiting; it is tried again with the
// next sweep.
func (k *Keeper) Sweep(ctx context.Context) error {
	tenants, err := k.store.Tenants(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, t := range tenants {
		for _, live := range []bool{true, false} {
			if err := k.sweep(ctx, frontdesk.Owner{TenantID: t.ID, Live: live}, t); err != nil {
				failed = errors.Join(failed, err)
			}
			if ctx.Err() != nil || frontdesk.IsUnavailable(failed) { // the next would only wait for the same
				return failed
			}
		}
	}
	return failed
}

// sweep forgets what one mode of a tenant has kept for long enough.
func (k *Keeper) sweep(ctx context.Context, owner frontdesk.Owner, t frontdesk.Tenant) error {
	s, p := k.store, t.Plan
	var forgotten []any
	var failed error
	for _, kept := range []struct {
		what   string
		days   int // 0: for good, or somebody else forgets it
		forget func(context.Context, frontdesk.Owner, time.Time, int) (int64, error)
	}{
		{"transcripts", p.TranscriptDays, s.ForgetTranscripts},
		{"calls", p.CallDays, s.ForgetCalls},
		{"captures", p.CaptureDays, s.ForgetCaptures},
		{"questions", p.QuestionDays, func(ctx context.Context, owner frontdesk.Owner, before time.Time, _ int) (int64, error) {
			return 0, s.ForgetQuestions(ctx, owner, before)
		}},
		{"events_and_deliveries", p.EventDays, s.ForgetEvents},
	} {
		if kept.days == 0 {
			continue
		}
		n, err := k.inBatches(ctx, owner, k.now().AddDate(0, 0, -kept.days), kept.forget)
		if err != nil {
			failed = errors.Join(failed, err)
		}
		if n > 0 {
			forgotten = append(forgotten, kept.what, n)
		}
	}
	if forgotten != nil {
		k.log.Info("forgot what was kept for as many days as the plan says", append([]any{"tenant", t.Slug, "live", owner.Live}, forgotten...)...)
	}
	return failed
}

// inBatches forgets until nothing is left to forget, and says how much it was.
func (k *Keeper) inBatches(ctx context.Context, owner frontdesk.Owner, before time.Time,
	forget func(context.Context, frontdesk.Owner, time.Time, int) (int64, error),
) (all int64, err error) {
	for ctx.Err() == nil {
		n, err := forget(ctx, owner, before, batch)
		all += n
		if err != nil || n == 0 {
			return all, err
		}
	}
	return all, ctx.Err()
}
