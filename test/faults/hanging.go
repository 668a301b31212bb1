package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// platform is the place of a healthy account beside many whose receivers, all on
// one host, take requests and never answer.
type platform struct {
	place   *Place
	node    *Node
	inbox   *Inbox
	hanging *Hanging
	healthy Tenant
	others  []Tenant
}

// accounts is among how many accounts the connections that hang are divided:
// each has several, as platforms' customers do.
const accounts = 5

// newPlatform makes one with so many connections that will hang.
func newPlatform(t testing.TB, binary string, connections int) *platform {
	t.Helper()
	r := NewReceivers(t)
	pl := &platform{inbox: r.NewInbox(t), hanging: r.NewHanging(t)}
	pl.place = NewPlace(t, binary, append(r.Openings(), "FRONTDESK_DATABASE_TIMEOUT=30s")...)
	pl.healthy = pl.place.Tenant("healthy")
	pl.place.Agent(pl.healthy.Slug, "desk")
	for i := range accounts {
		pl.others = append(pl.others, pl.place.Tenant(fmt.Sprintf("other-%d", i)))
	}
	pl.node = pl.place.Serve()
	pl.node.Connect(pl.healthy.Test, "Inbox", pl.inbox.URL, completed)
	for i := range connections {
		pl.node.Connect(pl.others[i%accounts].Test, fmt.Sprint("Dead ", i), fmt.Sprintf("%s/hook/%d", pl.hanging.URL, i), completed)
	}
	return pl
}

// emit makes so many events for every connection that hangs.
func (pl *platform) emit(t testing.TB, each int) {
	t.Helper()
	for _, other := range pl.others {
		pl.place.mustEmit(other.Slug, completed, each)
	}
}

// awaitHanging waits until as many requests hang as the program lets.
func (pl *platform) awaitHanging(t testing.TB) {
	t.Helper()
	taken := func() int { return int(pl.hanging.Taken.Load()) }
	mustReach(t, "requests that hang", taken, 1)
	settles(taken)
}

// HangingReceivers lets many receivers hang and makes events for one that is
// well: all of them come before the first of those that hang is given up.
func HangingReceivers(t testing.TB, binary string, connections, events int) {
	t.Helper()
	pl := newPlatform(t, binary, connections)
	// Their events are made while nothing is delivered, so that all hang from the
	// same moment on: each for 15 seconds.
	pl.node.Kill()
	pl.emit(t, 10)
	pl.node = pl.place.Serve()
	pl.awaitHanging(t)
	pl.place.mustEmit(pl.healthy.Slug, completed, events)
	mustReach(t, "events of the healthy account", pl.inbox.events, events)
	hung, gone := pl.hanging.Taken.Load(), pl.hanging.GivenUp.Load()
	t.Logf("%d events came while %d requests hung; %d had been given up", events, hung, gone)
	if gone > 0 {
		t.Errorf("the events of the healthy account waited for %d requests that hung", gone)
	}
}

// Waits are how long events took from the answer to what made them until they
// arrived.
type Waits []time.Duration

// Percentile is the wait that so many of a hundred do not exceed.
func (w Waits) Percentile(p int) time.Duration {
	sorted := slices.Sorted(slices.Values(w))
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}

// Neighbours measures how long the events of a healthy account take to arrive:
// alone, and while many receivers of others hang.
func Neighbours(t testing.TB, binary string, connections, events, pace int) (alone, beside Waits) {
	t.Helper()
	pl := newPlatform(t, binary, connections)
	pl.paced(t, pace, pace) // pages are in memory, and code is warm
	alone = pl.paced(t, events, pace)
	pl.emit(t, 20)
	pl.awaitHanging(t)
	beside = pl.paced(t, events, pace)
	return alone, beside
}

// paced holds short conversations at a steady pace, each of which makes an event
// when it ends, and returns how long the events took.
func (pl *platform) paced(t testing.TB, events, pace int) Waits {
	t.Helper()
	already := pl.inbox.Requests()
	made := map[string]time.Time{}
	var mu sync.Mutex
	var talking sync.WaitGroup
	var trouble error
	tick := time.NewTicker(time.Second / time.Duration(pace))
	defer tick.Stop()
	for range events {
		<-tick.C
		talking.Go(func() {
			id, at, err := pl.node.converse(pl.healthy.Slug + "/desk")
			mu.Lock()
			defer mu.Unlock()
			made[id], trouble = at, errors.Join(trouble, err)
		})
	}
	talking.Wait()
	if trouble != nil {
		t.Fatal(trouble)
	}
	mustReach(t, "events of the healthy account", pl.inbox.Requests, already+events)
	var waits Waits
	for _, a := range pl.inbox.arrivals()[already:] {
		var e struct {
			Data struct{ Object struct{ ID string } }
		}
		if err := json.Unmarshal([]byte(a.Body), &e); err != nil {
			t.Fatal(err)
		}
		if at, known := made[e.Data.Object.ID]; known {
			waits = append(waits, max(0, a.At.Sub(at)))
		}
	}
	return waits
}

// converse begins a conversation of the sandbox, says a word and ends it. It
// returns the call's id, and when it was known to be recorded.
func (n *Node) converse(agent string) (id string, at time.Time, err error) {
	var begun struct {
		Conversation struct{ ID, Token string }
	}
	got, err := n.try(n.client, "POST /web/"+agent+"/conversations", "", `{"mode":"test","language":"en"}`)
	if err == nil && got.status == http.StatusCreated {
		err = json.Unmarshal(got.body, &begun)
	} else if err == nil {
		err = fmt.Errorf("beginning a conversation: %s", got)
	}
	if err != nil {
		return "", at, err
	}
	c := begun.Conversation
	for _, step := range []struct{ path, body string }{{"/messages", `{"text":"Hello, when do you open?"}`}, {"/end", ""}} {
		if got, err = n.try(n.client, "POST /web/conversations/"+c.ID+step.path, c.Token, step.body); err == nil && got.status != http.StatusOK {
			err = fmt.Errorf("%s: %s", step.path, got)
		}
		if err != nil {
			return "", at, err
		}
	}
	return c.ID, time.Now(), nil
}
