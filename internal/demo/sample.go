package demo

import (
	"hash/fnv"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// SampleDays is how far back a sandbox's sample reaches, today included.
const SampleDays = 30

// sampleOutcomes are few enough that every outcome is met in a short sample.
var sampleOutcomes = cards(map[frontdesk.Outcome]int{
	frontdesk.Booking: 9, frontdesk.Info: 8, frontdesk.Handoff: 2,
	frontdesk.Abandoned: 2, frontdesk.Failed: 1, frontdesk.OverLimit: 1,
}, frontdesk.Outcomes)

// Sample makes the calls that a new tenant finds in its sandbox: some forty
// over the last month, of a small business that has no agent yet.
func Sample(tenant frontdesk.Tenant, now time.Time) ([]store.Recording, error) {
	h, err := loadHouse(sampleFile)
	if err != nil {
		return nil, err
	}
	h.agent.Config.Business.Name = tenant.Name
	if err := h.moveTo(tenant.Timezone); err != nil {
		return nil, err
	}
	calls, err := newGenerator(sampleSeed(tenant), now, sampleStream, []*house{h}, sampleOutcomes).history(SampleDays, 1)
	if err != nil {
		return nil, err
	}
	return prepare(tenant, calls, now)
}

// sampleSeed gives every tenant a sample of its own.
func sampleSeed(tenant frontdesk.Tenant) uint64 {
	h := fnv.New64a()
	h.Write([]byte(tenant.ID))
	return Seed ^ h.Sum64()
}
