// Package webhook takes events to the customer's own systems.
//
// An event becomes one delivery for each connection that subscribes to it, in
// the transaction that made the event. From there the way is straight:
//
//	store.ClaimForWorker -> Dispatcher.launch -> Sender.Send -> Delivery.After -> store.SaveAttempts
//
// Delivery is at least once: a receiver may see an event twice and tells them
// apart by webhook-id. A slow receiver holds its own slots, never the queue.
package webhook

import (
	"context"
	"fmt"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// Webhooks are the connections of all tenants, and what can be done with one.
type Webhooks struct {
	store  *store.Store
	box    *seal.Box
	guard  *egress.Guard
	sender *Sender
	now    func() time.Time
	tests  *limit.Buckets[frontdesk.ID] // by connection
}

// Tests of one connection: so many at once, and one a second for long. Whoever
// holds a key could otherwise make us throw requests at somebody's server.
const (
	testsBurst = 10
	testsEvery = time.Second
)

// New returns the connections kept in s.
func New(s *store.Store, box *seal.Box, guard *egress.Guard, sender *Sender, now func() time.Time) *Webhooks {
	return &Webhooks{store: s, box: box, guard: guard, sender: sender, now: now, tests: limit.NewBuckets[frontdesk.ID](1, testsEvery, testsBurst)}
}

// Connect makes a connection and returns the secret that signs its deliveries.
func (w *Webhooks) Connect(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, in frontdesk.ConnectionInput, most int) (frontdesk.Connection, frontdesk.Secret, error) {
	var none frontdesk.Connection
	if err := frontdesk.CheckConnectionName(in.Name); err != nil {
		return none, "", err
	}
	if err := w.guard.CheckURL(ctx, in.URL); err != nil {
		return none, "", err
	}
	now := w.now()
	c := frontdesk.Connection{
		ID: frontdesk.NewID(now), Live: owner.Live, Name: in.Name, URL: in.URL, Events: in.Events,
		Status: frontdesk.ConnectionActive, CreatedAt: now, UpdatedAt: now,
	}
	secret, sealed := w.newSecret(c.ID, now)
	c.Secret = sealed
	return c, secret, w.store.CreateConnection(ctx, owner, by, c, most)
}

// Change lays a patch over a connection.
func (w *Webhooks) Change(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, p frontdesk.ConnectionPatch) (frontdesk.Connection, error) {
	if p.Name != nil {
		if err := frontdesk.CheckConnectionName(*p.Name); err != nil {
			return frontdesk.Connection{}, err
		}
	}
	if p.URL != nil {
		if err := w.guard.CheckURL(ctx, *p.URL); err != nil {
			return frontdesk.Connection{}, err
		}
	}
	return w.store.ChangeConnection(ctx, owner, by, id, w.now(), func(c frontdesk.Connection) (frontdesk.Connection, error) {
		return p.Apply(c), nil
	})
}

// SetAdditionalEvents says of which kinds of events, beside those of the
// connection itself, it is told.
func (w *Webhooks) SetAdditionalEvents(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, events []string) (frontdesk.Connection, error) {
	return w.store.ChangeConnection(ctx, owner, by, id, w.now(), func(c frontdesk.Connection) (frontdesk.Connection, error) {
		c.MoreEvents = nil
		for _, e := range frontdesk.AdditionalEvents { // each once, in their order
			if slices.Contains(events, e) {
				c.MoreEvents = append(c.MoreEvents, e)
			}
		}
		return c, nil
	})
}

// Enable lets a connection be sent to again; what waited for it is due.
func (w *Webhooks) Enable(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) (frontdesk.Connection, error) {
	return w.store.ChangeConnection(ctx, owner, by, id, w.now(), func(c frontdesk.Connection) (frontdesk.Connection, error) {
		return c.Enable(), nil
	})
}

// Disable keeps a connection from being sent to. role is who of those that can
// does it: frontdesk.ByCustomer or another.
func (w *Webhooks) Disable(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, role, reason string) (frontdesk.Connection, error) {
	return w.store.ChangeConnection(ctx, owner, by, id, w.now(), func(c frontdesk.Connection) (frontdesk.Connection, error) {
		return c.Disable(role, reason), nil
	})
}

// Rotate gives a connection a new secret; the old one signs too until the grace
// is over.
func (w *Webhooks) Rotate(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, grace time.Duration) (frontdesk.Connection, frontdesk.Secret, error) {
	now := w.now()
	secret, sealed := w.newSecret(id, now)
	c, err := w.store.ChangeConnection(ctx, owner, by, id, now, func(c frontdesk.Connection) (frontdesk.Connection, error) {
		return c.Rotate(sealed, grace, now), nil
	})
	return c, secret, err
}

func (w *Webhooks) newSecret(connection frontdesk.ID, now time.Time) (frontdesk.Secret, frontdesk.SealedSecret) {
	secret, _ := frontdesk.NewSigningSecret()
	return secret, SealSecret(w.box, connection, secret, now)
}

// SealSecret seals the signing secret of a connection, as it is kept.
func SealSecret(box *seal.Box, connection frontdesk.ID, secret frontdesk.Secret, setAt time.Time) frontdesk.SealedSecret {
	text := secret.Reveal()
	return frontdesk.SealedSecret{Prefix: text[:min(len(text), 10)], Sealed: box.Seal(secretPlace(connection), []byte(text)), SetAt: setAt}
}

func secretPlace(connection frontdesk.ID) string { return "connection secret " + string(connection) }

// Test sends a signed test event to a connection, at once and once, and says
// how that went. It is recorded in the history.
func (w *Webhooks) Test(ctx context.Context, tenant frontdesk.Tenant, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Attempt, error) {
	now := w.now()
	if _, err := w.store.Connection(ctx, owner, id); err != nil {
		return frontdesk.Attempt{}, err
	}
	if wait := w.tests.Take(id, now); wait > 0 {
		return frontdesk.Attempt{}, frontdesk.TooOften(wait,
			"This connection was tested often just now. Wait for the time in the Retry-After header, then test it again.")
	}
	object := fmt.Appendf(nil, `{"connection_id":%q}`, id)
	event, err := wire.Event(wire.EventSource{Tenant: tenant, Live: owner.Live}, frontdesk.ConnectionTest, now, object)
	if err != nil {
		return frontdesk.Attempt{}, fmt.Errorf("making a test event: %w", err)
	}
	delivery := frontdesk.Delivery{
		ID: frontdesk.NewID(now), ConnectionID: id, EventID: event.ID, Event: event.Type, Live: owner.Live,
		Status: frontdesk.DeliveryPending, MaxAttempts: 1, CreatedAt: now,
	}
	claimed, err := w.store.StartDelivery(ctx, owner, event, delivery.Begin(requestLease(now)))
	if err != nil {
		return frontdesk.Attempt{}, err
	}
	tried, err := w.attemptNow(ctx, claimed)
	return tried.Attempt, err
}

// Retry makes one attempt at a delivery that has failed and returns it as it
// stands after.
func (w *Webhooks) Retry(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) (frontdesk.Delivery, error) {
	claimed, err := w.store.ClaimDelivery(ctx, owner, by, id, requestLease(w.now()))
	if err != nil {
		return frontdesk.Delivery{}, err
	}
	tried, err := w.attemptNow(ctx, claimed)
	return tried.After, err
}

// Resume goes on with a delivery that a test or a retry had begun before it was
// cut off, and returns it as it stands after. Nobody knows whether the receiver
// has seen it: it is sent again, with the same webhook-id, unless it has come to
// an end meanwhile.
func (w *Webhooks) Resume(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Delivery, error) {
	now := w.now()
	claimed, d, err := w.store.ResumeDelivery(ctx, owner, id, now, requestLease(now))
	if err == nil && len(claimed.Claims) == 0 && d.Status == frontdesk.DeliveryDelivering {
		err = &frontdesk.Error{
			Kind: frontdesk.Conflict, Code: "idempotency_key_in_use",
			Message: "The delivery that this request has begun is being sent again. Wait for it, and try again in a moment.",
		}
	}
	if err != nil || len(claimed.Claims) == 0 {
		return d, err
	}
	tried, err := w.attemptNow(ctx, claimed)
	return tried.After, err
}

// leaseFrom is until when a delivery is a worker's that claims it now, as exactly
// as the database keeps it.
func leaseFrom(now time.Time) time.Time {
	return now.Add(frontdesk.DeliveryLease).Truncate(time.Microsecond)
}

// requestLease is leaseFrom for an attempt that a request makes itself.
func requestLease(now time.Time) time.Time {
	return now.Add(frontdesk.RequestLease).Truncate(time.Microsecond)
}

// attemptNow makes the one attempt of a claim and saves it, also when the
// customer who asked for it does not wait.
func (w *Webhooks) attemptNow(ctx context.Context, claimed store.Claimed) (store.Tried, error) {
	ctx = context.WithoutCancel(ctx)
	tried := w.sender.Try(ctx, claimed.Connection, claimed.Claims[0])
	return tried, w.store.SaveAttempts(ctx, tried)
}
