package console

import (
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// changeAgent changes one of the tenant's agents in the name of the person who
// asks, and keeps the version that came of it.
func (c *Console) changeAgent(v *visit, slug string, change func(frontdesk.Agent) (frontdesk.Agent, error)) (frontdesk.Agent, error) {
	return c.store.ChangeAgent(v.Context(), v.owner(), slug, store.AgentChange{
		By: v.person.Actor(), Now: c.now(), Fields: wire.AgentFields, Change: change,
	})
}

// openNow says whether an agent's house is open and, if not, when it opens next.
// Of one without hours nothing is known.
func openNow(a frontdesk.Agent, now time.Time) (open bool, next time.Time) {
	hours, err := opening.Of(a)
	if err != nil || !hours.Known() {
		return false, time.Time{}
	}
	next, _ = hours.Next(now)
	return hours.OpenAt(now), next
}
