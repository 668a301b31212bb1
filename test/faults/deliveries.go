package faults

import (
	"fmt"
	"testing"
	"time"
)

// completed is the kind of event that most series are made of.
const completed = "call.completed"

// leases is by how much a clock must be ahead for every lease to have run out.
const leases = 2 * time.Minute

// laneSlots is how many deliveries of one connection are under way at once at
// most, the saving of their results included: as many can come again when the
// process is killed.
const laneSlots = 32

// delivery is a delivery as customers read it.
type delivery struct {
	ID, Status, Event string
	Attempts          int
}

// stream is an account with one connection, on its way to an inbox.
type stream struct {
	place      *Place
	tenant     Tenant
	inbox      *Inbox
	connection Connection
}

// newStream makes one. The node that makes the connection is gone when it
// returns.
func newStream(t testing.TB, binary string) *stream {
	t.Helper()
	receivers := NewReceivers(t)
	in := receivers.NewInbox(t)
	p := NewPlace(t, binary, receivers.Openings()...)
	s := &stream{place: p, tenant: p.Tenant("stream"), inbox: in}
	n := p.With("FRONTDESK_DATABASE_TIMEOUT=30s").Serve()
	s.connection = n.Connect(s.tenant.Test, "Inbox", in.URL, completed)
	n.Kill()
	return s
}

// emit makes events a few at a time; the function that it returns waits for
// their ids.
func (s *stream) emit(count, batch int) func() []string {
	return s.place.emitMeanwhile(s.tenant.Slug, completed, count, batch)
}

// history is what the API tells of the deliveries.
func (s *stream) history(n *Node) []delivery {
	n.t.Helper()
	return walk[delivery](n, "/connections/"+s.connection.ID+"/deliveries", s.tenant.Test)
}

// awaitSaved waits until the API tells that everything is delivered, for as long
// as that goes on.
func (s *stream) awaitSaved(n *Node, events int) bool {
	n.t.Helper()
	return reaches(func() int {
		var got struct {
			Connection struct {
				Deliveries struct {
					Last24h struct{ Delivered int } `json:"last_24h"`
				}
			}
		}
		n.do(&got, "GET /v1/connections/"+s.connection.ID, s.tenant.Test, "")
		return got.Connection.Deliveries.Last24h.Delivered
	}, events)
}

// Outcome is what became of the events of a series.
type Outcome struct {
	Events   int // made
	Lost     int // never came
	Requests int // that came
	Again    int // events that came more than once
	Most     int // how often one event came at most
	Repeats  int // requests beyond the first of each event
	Unsaved  int // deliveries that are not delivered, as the API tells
	Counted  int // attempts, as the API tells
	Uncount  int // deliveries with another count of attempts than 1
}

// String puts it on a line.
func (o Outcome) String() string {
	return fmt.Sprintf("%d events, %d lost, %d requests, %d events came again, one of them %d times, %d repeats, %d not saved, %d attempts on record, %d with another count than 1",
		o.Events, o.Lost, o.Requests, o.Again, o.Most, o.Repeats, o.Unsaved, o.Counted, o.Uncount)
}

// outcome compares what was made, what came and what the API tells.
func (s *stream) outcome(n *Node, ids []string) (o Outcome) {
	n.t.Helper()
	for _, id := range ids {
		times := s.inbox.times(id)
		o.Events++
		o.Requests += times
		o.Most = max(o.Most, times)
		switch {
		case times == 0:
			o.Lost++
		case times > 1:
			o.Again++
			o.Repeats += times - 1
		}
	}
	for _, d := range s.history(n) {
		o.Counted += d.Attempts
		if d.Status != "delivered" {
			o.Unsaved++
		}
		if d.Attempts != 1 {
			o.Uncount++
		}
	}
	s.inbox.check(n.t, s.connection.Secret)
	return o
}
