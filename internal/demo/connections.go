package demo

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// historyDays is how far back the demo's deliveries reach.
const historyDays = 5

// NewSecret makes the secret that signs the deliveries of a connection, sealed.
type NewSecret func(connection frontdesk.ID, at time.Time) frontdesk.SealedSecret

// addConnections gives the tenant the connections of one mode with the
// deliveries of the last days: one that is well, one that the customer has
// disabled, and one that failed until the system disabled it. All that is still
// open belongs to the disabled ones, so the demo never sends anything by itself.
func addConnections(n *store.NewTenant, live bool, recordings []store.Recording, seed uint64, now time.Time, secret NewSecret) error {
	now = now.UTC()
	p := &postman{rng: stream(seed, now, deliveryStream), tenant: n, live: live, now: now, secret: secret}
	where, prefix := "", ""
	if !live {
		p.rng = stream(seed, now, testDeliveryStream)
		where, prefix = " (staging)", "staging-"
	}
	events, err := p.events(recordings)
	if err != nil {
		return err
	}
	p.deliver(p.connection(60, "CRM"+where, "https://"+prefix+"crm.example.com/hooks/frontdesk", frontdesk.EventTypes), events, now, wellAnswers)
	sheet := p.connection(45, "Bookings sheet"+where, "https://"+prefix+"sheets.example.com/frontdesk", []string{frontdesk.CaptureCreated})
	p.deliver(sheet.Disable(frontdesk.ByCustomer, "Paused until the new sheet is ready."), events, now.Add(-26*time.Hour), goodAnswers)
	ware := p.connection(historyDays, "Data warehouse"+where, "https://"+prefix+"warehouse.example.com/ingest/calls", []string{frontdesk.CallCompleted})
	p.deliver(ware.Disable(frontdesk.BySystem, "Nothing could be delivered for 5 days."), events, now.Add(-time.Minute), badAnswers)
	return nil
}

// postman writes the past of one mode's deliveries.
type postman struct {
	rng    *rand.Rand
	tenant *store.NewTenant
	live   bool
	now    time.Time
	secret NewSecret
	refuse map[frontdesk.ID]bool // events that the CRM takes offence at
}

// events are what there was to tell of the calls of the last days, oldest
// first. They become the tenant's.
func (p *postman) events(recordings []store.Recording) ([]frontdesk.Event, error) {
	agents := map[frontdesk.ID]*frontdesk.Agent{}
	for i := range p.tenant.Agents {
		agents[p.tenant.Agents[i].ID] = &p.tenant.Agents[i]
	}
	var events []frontdesk.Event
	for _, r := range recordings {
		if r.Call.StartedAt.Before(p.now.AddDate(0, 0, -historyDays)) {
			continue
		}
		from := wire.EventSource{Tenant: p.tenant.Tenant, Agent: agents[r.Call.AgentID], Live: p.live, NewID: p.newID}
		told, err := reception.Events(from, r)
		if err != nil {
			return nil, fmt.Errorf("inventing an event: %w", err)
		}
		events = append(events, told...)
	}
	slices.SortFunc(events, func(a, b frontdesk.Event) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	p.tenant.Events = append(p.tenant.Events, events...)
	p.refuse = map[frontdesk.ID]bool{}
	for _, e := range events { // two of the oldest: all their attempts have been made by now
		if e.Type == frontdesk.CallCompleted && len(p.refuse) < 2 && p.now.Sub(e.CreatedAt) > 48*time.Hour {
			p.refuse[e.ID] = true
		}
	}
	return events, nil
}

func (p *postman) newID(at time.Time) frontdesk.ID { return randomID(p.rng, at) }

// connection is an active one, made so many days ago.
func (p *postman) connection(daysAgo int, name, url string, events []string) frontdesk.Connection {
	at := today(p.now).AddDate(0, 0, -daysAgo).Add(8 * time.Hour)
	if daysAgo <= historyDays { // as old as the first event it was sent
		at = p.now.AddDate(0, 0, -daysAgo)
	}
	id := p.newID(at)
	return frontdesk.Connection{
		ID: id, Live: p.live, Name: name, URL: url, Events: events, Status: frontdesk.ConnectionActive,
		Secret: p.secret(id, at), CreatedAt: at, UpdatedAt: at,
	}
}

// tried is an attempt of the past.
type tried struct {
	at      time.Time
	attempt frontdesk.Attempt
}

// answers says how a receiver takes the nth attempt at an event.
type answers func(p *postman, e frontdesk.Event, attempt int) frontdesk.Attempt

// deliver plays the deliveries to a connection as they were made until an
// instant, by the rules that real ones follow.
func (p *postman) deliver(c frontdesk.Connection, events []frontdesk.Event, until time.Time, answer answers) {
	wanted := slices.DeleteFunc(slices.Clone(events), func(e frontdesk.Event) bool {
		return !slices.Contains(c.Events, e.Type) || e.CreatedAt.After(until) || e.CreatedAt.Before(c.CreatedAt)
	})
	var all []tried
	for i, e := range wanted {
		d := frontdesk.Delivery{
			ID: p.newID(e.CreatedAt), ConnectionID: c.ID, EventID: e.ID, Event: e.Type, Live: p.live, Status: frontdesk.DeliveryPending,
			MaxAttempts: frontdesk.MaxAttempts, CreatedAt: e.CreatedAt, NextAttemptAt: e.CreatedAt,
		}
		if c.DisabledBy != frontdesk.ByCustomer || i < len(wanted)-2 { // the last two had not been sent yet
			var attempts []tried
			d, attempts = p.play(d, e, until, answer)
			all = append(all, attempts...)
		}
		if d.Status == frontdesk.DeliveryFailed && !d.NextAttemptAt.After(p.now) {
			d.NextAttemptAt = p.now.Add(time.Duration(5+p.rng.IntN(55)) * time.Minute)
		}
		p.tenant.Deliveries = append(p.tenant.Deliveries, d)
	}
	slices.SortStableFunc(all, func(a, b tried) int { return a.at.Compare(b.at) })
	for _, a := range all {
		c = c.After(a.attempt, a.at)
		c.UpdatedAt = a.at
	}
	if c.Status == frontdesk.ConnectionDisabled {
		c.UpdatedAt = until
	}
	p.tenant.Connections = append(p.tenant.Connections, c)
}

// play makes the attempts at one delivery that fell due until an instant.
func (p *postman) play(d frontdesk.Delivery, e frontdesk.Event, until time.Time, answer answers) (frontdesk.Delivery, []tried) {
	var all []tried
	for d.Status != frontdesk.DeliveryDelivered && d.Status != frontdesk.DeliveryDead && !d.NextAttemptAt.After(until) {
		a := answer(p, e, d.Attempts+1)
		at := d.NextAttemptAt.Add(a.Latency).Truncate(time.Millisecond)
		if at.After(p.now) {
			at = p.now
		}
		d = d.Begin(at).After(a, at, p.rng.Float64())
		d.NextAttemptAt = d.NextAttemptAt.Truncate(time.Millisecond)
		all = append(all, tried{at, a})
	}
	return d, all
}

func (p *postman) answered(status int, code, message string) frontdesk.Attempt {
	return frontdesk.Attempt{
		HTTPStatus: status, ErrorCode: code, Message: message,
		Latency: time.Duration(40+p.rng.IntN(300)) * time.Millisecond,
	}
}

func goodAnswers(p *postman, _ frontdesk.Event, _ int) frontdesk.Attempt {
	return p.answered(200, "", "")
}

// wellAnswers are those of a receiver that stumbles now and then and refuses a
// few events for good. What is new it always takes: nothing may be left open.
func wellAnswers(p *postman, e frontdesk.Event, attempt int) frontdesk.Attempt {
	switch {
	case p.refuse[e.ID]:
		return p.answered(422, frontdesk.HTTP4xx, "The receiver answered 422. Answer 2xx once the event is stored.")
	case attempt == 1 && p.now.Sub(e.CreatedAt) > time.Hour && p.rng.IntN(20) == 0:
		return p.answered(503, frontdesk.HTTP5xx, "The receiver answered 503. Answer 2xx once the event is stored.")
	}
	return p.answered(200, "", "")
}

// badAnswers are those of a receiver that has been broken all the time.
func badAnswers(p *postman, _ frontdesk.Event, _ int) frontdesk.Attempt {
	return p.answered(502, frontdesk.HTTP5xx, "The receiver answered 502. Answer 2xx once the event is stored.")
}
