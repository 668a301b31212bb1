package demo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
)

// Seed is the seed that the demo is made from unless somebody wants another.
const Seed uint64 = 20_260_101

// Slug is the slug of the demo's tenant.
const Slug = "demo"

// Days is how far back the demo's calls reach, today included.
const Days = 90

// The streams of random numbers that one seed and day give.
const (
	accountStream = iota
	liveStream
	latestStream
	testStream
	sampleStream
	deliveryStream
	testDeliveryStream
	freshStream
	askedStream
	bookStream
	testBookStream
)

// testShare is how busy the sandbox is, live mode being 1.
const testShare = 0.33

// usualOutcomes are how fifty calls end at a desk that does its work.
var usualOutcomes = cards(map[frontdesk.Outcome]int{
	frontdesk.Booking: 19, frontdesk.Info: 18, frontdesk.Handoff: 5,
	frontdesk.Abandoned: 6, frontdesk.Failed: 1, frontdesk.OverLimit: 1,
}, frontdesk.Outcomes)

// latestOutcomes are how the calls of the last hours end.
var latestOutcomes = []frontdesk.Outcome{frontdesk.Booking, frontdesk.Info}

// Build makes the demo's tenant as it stands at now: four agents, the calls of
// ninety days, a full book and the connections with their deliveries of five
// days, in both modes. It has no keys; the caller adds them. The secrets of the
// connections come from the caller too.
//
// All calls before the UTC day of now depend on nothing but the seed and that
// day, except those that wait for the owner: they are of the last hours, which in
// the morning are those of the evening before.
func Build(seed uint64, now time.Time, secret NewSecret) (store.NewTenant, error) {
	houses, err := loadHouses()
	if err != nil {
		return store.NewTenant{}, err
	}
	rng := stream(seed, now, accountStream)
	n := store.NewTenant{Tenant: newTenant(rng, now)}
	n.Agents = hire(rng, n.Tenant, houses)
	live, err := liveCalls(seed, now, houses)
	if err != nil {
		return store.NewTenant{}, err
	}
	test, err := newGenerator(seed, now, testStream, houses, usualOutcomes).history(Days, testShare)
	if err != nil {
		return store.NewTenant{}, err
	}
	if n.Live, err = prepare(n.Tenant, live, now); err != nil {
		return store.NewTenant{}, err
	}
	if n.Test, err = prepare(n.Tenant, test, now); err != nil {
		return store.NewTenant{}, err
	}
	n.LiveBook = fillBooks(stream(seed, now, bookStream), houses, n.Live, now, liveSpan)
	n.TestBook = fillBooks(stream(seed, now, testBookStream), houses, n.Test, now, testSpan)
	if err := addConnections(&n, true, n.Live, seed, now, secret); err != nil {
		return store.NewTenant{}, err
	}
	return n, addConnections(&n, false, n.Test, seed, now, secret)
}

func liveCalls(seed uint64, now time.Time, houses []*house) ([]frontdesk.FinishedCall, error) {
	past, err := newGenerator(seed, now, liveStream, houses, usualOutcomes).history(Days, 1)
	if err != nil {
		return nil, err
	}
	asked, err := newGenerator(seed, now, askedStream, houses, usualOutcomes).asked()
	if err != nil {
		return nil, err
	}
	latest, err := newGenerator(seed, now, latestStream, houses, latestOutcomes).latest(now)
	if err != nil {
		return nil, err
	}
	fresh, err := newGenerator(seed, now, freshStream, houses, usualOutcomes).fresh(now)
	return slices.Concat(past, asked, latest, fresh), err
}

// newTenant is the demo's account. Its plan leaves room for a busy month.
func newTenant(rng *rand.Rand, now time.Time) frontdesk.Tenant {
	createdAt := today(now).AddDate(0, 0, -Days-7).Add(9 * time.Hour)
	plan := frontdesk.DefaultPlan()
	plan.Name, plan.IncludedSeconds, plan.Overage = "growth", 36_000, frontdesk.OverageAllow
	return frontdesk.Tenant{
		ID:   randomID(rng, createdAt),
		Slug: Slug, Name: "Frontdesk Demo", Timezone: "Europe/Madrid", Plan: plan, CreatedAt: createdAt,
	}
}

// hire makes the houses' agents the tenant's own; the calls are then theirs.
func hire(rng *rand.Rand, tenant frontdesk.Tenant, houses []*house) []frontdesk.Agent {
	agents := make([]frontdesk.Agent, len(houses))
	for i, h := range houses {
		at := tenant.CreatedAt.Add(time.Duration(i+1) * time.Hour)
		h.agent.ID, h.agent.TenantID = randomID(rng, at), tenant.ID
		h.agent.CreatedAt, h.agent.UpdatedAt = at, at
		agents[i] = h.agent
	}
	return agents
}

// prepare makes recordings of the calls that are over at now, oldest first.
func prepare(tenant frontdesk.Tenant, calls []frontdesk.FinishedCall, now time.Time) ([]store.Recording, error) {
	recordings := make([]store.Recording, 0, len(calls))
	for _, c := range calls {
		if c.StartedAt.Add(c.Duration).After(now) {
			continue
		}
		r, err := reception.Prepare(tenant, c)
		if err != nil {
			return nil, fmt.Errorf("preparing an invented call: %w", err)
		}
		recordings = append(recordings, r)
	}
	slices.SortFunc(recordings, func(a, b store.Recording) int {
		return a.Call.StartedAt.Compare(b.Call.StartedAt)
	})
	return recordings, nil
}
