package store_test

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// house is what one owner has.
type house struct {
	notice  frontdesk.Notice
	owner   frontdesk.Owner
	agent   frontdesk.Agent
	call    frontdesk.ID
	capture frontdesk.ID
	lease   time.Time

	connection frontdesk.ID
	event      frontdesk.ID
	delivery   frontdesk.ID // failed

	document frontdesk.ID        // ready, for the agent, one fragment
	reading  store.DocumentClaim // a second document, being read

	conversation store.Conversation // open

	key frontdesk.ID
}

// settle gives an owner one of everything. Both owners have the same slugs and
// idempotency keys; only whose they are tells them apart.
func settle(t *testing.T, s *store.Store, owner frontdesk.Owner, agent frontdesk.Agent) house {
	t.Helper()
	r := recording(day, 60, 1)
	r.Call.AgentID, r.Captures[0].AgentID = agent.ID, agent.ID
	r.Unanswered = []string{"¿Hay terraza?"}
	record(t, s, owner, r)
	lease := day.Add(time.Minute)
	if _, mine, err := s.ClaimAnswer(ctx, owner, "same", []byte("f"), day, lease, day.Add(time.Hour)); err != nil || !mine {
		t.Fatalf("claiming: %v, %v", mine, err)
	}
	h := house{owner: owner, agent: agent, call: r.Call.ID, capture: r.Captures[0].ID, lease: lease}
	c, e := connect(t, s, owner), event(frontdesk.CallCompleted, day)
	emit(t, s, owner, e)
	fail(t, s, store.Lane{Owner: owner, Connection: c.ID}, day)
	h.connection, h.event, h.delivery = c.ID, e.ID, deliveriesOf(t, s, owner, c.ID)[0].ID
	h.document, h.reading = settleDocuments(t, s, owner, agent)
	h.conversation = talk(t, s, owner, agent.ID, day)
	call := h.conversation
	call.ID, call.EndedAt = frontdesk.NewID(day), day
	if opened, err := s.OpenLine(ctx, owner, lineOf(h), call, nil, store.Places{}); err != nil || opened != store.Opened {
		t.Fatal(opened, err)
	}
	h.notice = letter(agent.ID, h.capture, frontdesk.NoticeReminder, day.AddDate(0, 0, 1))
	h.notice.Live = owner.Live
	if err := s.AddNotices(ctx, owner, h.notice); err != nil {
		t.Fatal(err)
	}
	_, key := newKey(owner.TenantID, owner.Live)
	if h.key = key.ID; s.CreateKey(ctx, frontdesk.Actor{}, key) != nil {
		t.Fatal("no key was created")
	}
	return h
}

// settleDocuments gives an owner a document that is ready and one that is being
// read. All owners have the same bytes.
func settleDocuments(t *testing.T, s *store.Store, owner frontdesk.Owner, agent frontdesk.Agent) (frontdesk.ID, store.DocumentClaim) {
	t.Helper()
	d := paper("the card")
	d.AgentID, d.Title = agent.ID, "Card of "+string(owner.TenantID)
	add(t, s, owner, d)
	makeReady(t, s, day, []frontdesk.Fragment{passage(0, "Of "+string(d.ID))})
	rules := paper("the rules")
	rules.ID = frontdesk.NewID(day.Add(time.Second)) // the newer one
	add(t, s, owner, rules)
	return d.ID, claimDocument(t, s, day)
}

func newAgent(t *testing.T, s *store.Store, tenant frontdesk.ID) frontdesk.Agent {
	t.Helper()
	return newAgentCalled(t, s, tenant, "desk")
}

func newAgentCalled(t *testing.T, s *store.Store, tenant frontdesk.ID, slug string) frontdesk.Agent {
	t.Helper()
	a := frontdesk.Agent{
		ID: frontdesk.NewID(day), TenantID: tenant, Slug: slug, Vertical: "general", DisplayName: "Desk of " + string(tenant),
		Status: "active", Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: day, UpdatedAt: day,
	}
	if err := s.CreateAgent(ctx, frontdesk.Actor{}, a); err != nil {
		t.Fatal(err)
	}
	return a
}

// Every method that takes an Owner is tried by each of three owners on what
// belongs to each other: another tenant, and the other mode of the same one.
// A new method fails this test until it has a row here.
func TestNoOwnerReachesAnothersRows(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	a, b := storetest.Tenant(t, s, "a").ID, storetest.Tenant(t, s, "b").ID
	agentA, agentB := newAgent(t, s, a), newAgent(t, s, b)
	houses := map[string]house{
		"A live": settle(t, s, frontdesk.Owner{TenantID: a, Live: true}, agentA),
		"A test": settle(t, s, frontdesk.Owner{TenantID: a, Live: false}, agentA),
		"B live": settle(t, s, frontdesk.Owner{TenantID: b, Live: true}, agentB),
	}
	// One that has nothing: who forgets all of its own forgets none of another's.
	empty := frontdesk.Owner{TenantID: b}
	whole := frontdesk.AnalyticsFilter{}
	from, to := day.AddDate(0, -1, 0), day.AddDate(0, 1, 0)

	// Each says what is wrong when me deals with what is theirs.
	methods := map[string]func(t *testing.T, me, theirs house){
		"Agent": func(t *testing.T, me, theirs house) {
			got, err := s.Agent(ctx, me.owner, theirs.agent.ID)
			if me.owner.TenantID == theirs.owner.TenantID { // agents are the same in both modes
				if err != nil || got.ID != me.agent.ID {
					t.Errorf("got %v, %v", got, err)
				}
				return
			}
			isMissing(t, err)
		},
		"Agents": func(t *testing.T, me, _ house) {
			l, err := s.Agents(ctx, me.owner)
			if err != nil || len(l) != 1 || l[0].ID != me.agent.ID || l[0].TenantID != me.owner.TenantID {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"AgentBySlug": func(t *testing.T, me, _ house) {
			got, err := s.AgentBySlug(ctx, me.owner, "desk")
			if err != nil || got.ID != me.agent.ID {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"ChangeAgent": func(t *testing.T, me, theirs house) {
			got, err := s.ChangeAgent(ctx, me.owner, "desk", changing(day, func(a frontdesk.Agent) (frontdesk.Agent, error) {
				a.DisplayName = "Desk of " + string(me.owner.TenantID)
				a.Config.Policy = string(me.owner.TenantID)
				return a, nil
			}))
			if err != nil || got.ID != me.agent.ID {
				t.Errorf("got %v, %v", got, err)
			}
			other, err := s.AgentBySlug(ctx, theirs.owner, "desk")
			if err != nil || other.DisplayName != "Desk of "+string(theirs.owner.TenantID) {
				t.Errorf("the other one is now %v, %v", other, err)
			}
		},
		"Calls": func(t *testing.T, me, _ house) {
			l, err := s.Calls(ctx, me.owner, frontdesk.CallFilter{}, frontdesk.Page{})
			if err != nil || len(l.Items) != 1 || l.Items[0].ID != me.call {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"Call": func(t *testing.T, me, theirs house) {
			_, err := s.Call(ctx, me.owner, theirs.call)
			isMissing(t, err)
		},
		"MarkCall": func(t *testing.T, me, theirs house) {
			isMissing(t, s.MarkCall(ctx, me.owner, store.CallMark{ID: theirs.call, Done: day}))
			if got, err := s.Call(ctx, theirs.owner, theirs.call); err != nil || !got.DoneAt.IsZero() {
				t.Errorf("their call is now %+v, %v", got, err)
			}
		},
		"CapturesNamed": func(t *testing.T, me, theirs house) {
			l, err := s.CapturesNamed(ctx, me.owner, []frontdesk.ID{theirs.capture, me.capture})
			if err != nil || len(l) != 1 || l[0].ID != me.capture {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"Captures": func(t *testing.T, me, _ house) {
			l, err := s.Captures(ctx, me.owner, frontdesk.CaptureFilter{}, frontdesk.Page{})
			if err != nil || len(l.Items) != 1 || l.Items[0].ID != me.capture {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"Capture": func(t *testing.T, me, theirs house) {
			_, err := s.Capture(ctx, me.owner, theirs.capture)
			isMissing(t, err)
		},
		"ChangeCapture": func(t *testing.T, me, theirs house) {
			_, err := setStatus(s, me.owner, theirs.capture, frontdesk.Cancelled, day)
			isMissing(t, err)
			c, err := s.Capture(ctx, theirs.owner, theirs.capture)
			if err != nil || c.Status != frontdesk.PendingConfirm {
				t.Errorf("it is now %v, %v", c, err)
			}
		},
		"Busy": func(t *testing.T, me, theirs house) {
			var got []frontdesk.Busy
			err := s.Busy(ctx, me.owner, lookOn(theirs.agent.ID), func(b frontdesk.Busy) { got = append(got, b) })
			if sameAgent := me.agent.ID == theirs.agent.ID; err != nil || (len(got) == 1) != sameAgent || sameAgent && got[0].ID != me.capture {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"FindAppointments": func(t *testing.T, me, theirs house) {
			got, err := s.FindAppointments(ctx, me.owner, store.AppointmentFilter{AgentID: theirs.agent.ID, Code: "ACDEFG"})
			if sameAgent := me.agent.ID == theirs.agent.ID; err != nil || (len(got) == 1) != sameAgent || sameAgent && got[0].ID != me.capture {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"FindWaiting": func(t *testing.T, me, theirs house) {
			got, err := s.FindWaiting(ctx, me.owner, store.AppointmentFilter{AgentID: theirs.agent.ID, Code: "ACDEFG"})
			if err != nil || len(got) != 0 { // the capture is an appointment
				t.Errorf("got %v, %v", got, err)
			}
		},
		"HoldPlace": func(t *testing.T, me, theirs house) {
			call, fits := frontdesk.NewID(day), func(*frontdesk.Visit, []frontdesk.Busy) error { return nil }
			h := frontdesk.Hold{CallID: call, AgentID: theirs.agent.ID, ScheduledAt: eight, Until: day.Add(time.Hour)}
			err := s.HoldPlace(ctx, me.owner, h, lookOn(h.AgentID), fits)
			if me.owner.TenantID != theirs.owner.TenantID {
				isMissing(t, err)
			} else if err != nil {
				t.Error(err)
			}
			if got := busyOn(t, s, theirs.owner, lookOn(theirs.agent.ID)); len(got) != 1 {
				t.Errorf("they now have %v", got)
			}
			if err := s.DropHold(ctx, me.owner, call); err != nil {
				t.Error(err)
			}
		},
		"DropHold": func(t *testing.T, me, theirs house) {
			call := frontdesk.NewID(day)
			h := frontdesk.Hold{CallID: call, AgentID: theirs.agent.ID, ScheduledAt: eight, Until: day.Add(time.Hour)}
			if err := s.HoldPlace(ctx, theirs.owner, h, lookOn(h.AgentID), func(*frontdesk.Visit, []frontdesk.Busy) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if err := s.DropHold(ctx, me.owner, call); err != nil {
				t.Error(err)
			}
			if got := busyOn(t, s, theirs.owner, lookOn(theirs.agent.ID)); len(got) != 2 {
				t.Errorf("they now have %v", got)
			}
			if err := s.DropHold(ctx, theirs.owner, call); err != nil {
				t.Error(err)
			}
		},
		"AddCapture": func(t *testing.T, me, theirs house) {
			if me.owner.TenantID != theirs.owner.TenantID {
				_, err := s.AddCapture(ctx, me.owner, newCapture(theirs.agent.ID, "same", nil))
				isMissing(t, err)
			}
			// What was done once by one owner can be done by another, in the
			// other mode too.
			tenant := storetest.Tenant(t, s, "o"+string(me.call[24:])+string(theirs.call[24:])).ID
			agent := newAgent(t, s, tenant)
			for _, live := range []bool{true, false} {
				n := newCapture(agent.ID, "same", nil)
				c := addOne(t, s, frontdesk.Owner{TenantID: tenant, Live: live}, n)
				if c.ID != n.Capture.ID {
					t.Errorf("got another's: %v", c)
				}
			}
			if c, err := s.Capture(ctx, theirs.owner, theirs.capture); err != nil || c.Status != frontdesk.PendingConfirm {
				t.Errorf("it is now %v, %v", c, err)
			}
		},
		"CallsByID": func(t *testing.T, me, theirs house) {
			all, err := s.CallsByID(ctx, me.owner, []frontdesk.ID{theirs.call, me.call})
			if err != nil || len(all) != 1 || all[0].ID != me.call || len(all[0].Transcript) == 0 {
				t.Errorf("got %v, %v", all, err)
			}
		},
		"CapturesByID": func(t *testing.T, me, theirs house) {
			all, err := s.CapturesByID(ctx, me.owner, []frontdesk.ID{theirs.capture, me.capture})
			if err != nil || len(all) != 1 || all[0].ID != me.capture {
				t.Errorf("got %v, %v", all, err)
			}
		},
		"Traces": func(t *testing.T, me, theirs house) {
			for _, kind := range store.TraceKinds {
				err := s.Traces(ctx, me.owner, kind, func(r store.Trace) error {
					for _, id := range []frontdesk.ID{theirs.call, theirs.capture, theirs.event, theirs.conversation.ID} {
						if r.Key == string(id) {
							t.Errorf("%s shows %s", kind, r.Text)
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		},
		"Erase": func(t *testing.T, me, theirs house) {
			err := s.Erase(ctx, me.owner, frontdesk.Actor{}, map[store.TraceKind][]string{
				store.TraceCapture: {string(theirs.capture)}, store.TraceCall: {string(theirs.call)}, store.TraceEvent: {string(theirs.event)},
				store.TraceConversation: {string(theirs.conversation.ID)},
			})
			_, call := s.Call(ctx, theirs.owner, theirs.call)
			_, capture := s.Capture(ctx, theirs.owner, theirs.capture)
			_, event := s.Event(ctx, theirs.owner, theirs.event)
			if err := errors.Join(err, call, capture, event); err != nil {
				t.Error(err)
			}
		},
		"ForgetTranscripts": func(t *testing.T, _, theirs house) {
			n, err := s.ForgetTranscripts(ctx, empty, to, 10)
			if c, wrong := s.Call(ctx, theirs.owner, theirs.call); err != nil || wrong != nil || n != 0 || c.Transcript == nil {
				t.Errorf("got %d, %v, %v", n, err, wrong)
			}
		},
		"ForgetCalls": func(t *testing.T, _, theirs house) {
			n, err := s.ForgetCalls(ctx, empty, to, 10)
			if _, wrong := s.Call(ctx, theirs.owner, theirs.call); err != nil || wrong != nil || n != 0 {
				t.Errorf("got %d, %v, %v", n, err, wrong)
			}
		},
		"ForgetCaptures": func(t *testing.T, _, theirs house) {
			n, err := s.ForgetCaptures(ctx, empty, to, 10)
			if _, wrong := s.Capture(ctx, theirs.owner, theirs.capture); err != nil || wrong != nil || n != 0 {
				t.Errorf("got %d, %v, %v", n, err, wrong)
			}
		},
		"ForgetQuestions": func(t *testing.T, _, theirs house) {
			err := s.ForgetQuestions(ctx, empty, to)
			if k, wrong := s.KnowledgeSummary(ctx, theirs.owner, from, 1); err != nil || wrong != nil || k.Unanswered == 0 {
				t.Errorf("got %d, %v, %v", k.Unanswered, err, wrong)
			}
		},
		"ForgetEvents": func(t *testing.T, _, theirs house) {
			n, err := s.ForgetEvents(ctx, empty, to, 10)
			if _, wrong := s.Event(ctx, theirs.owner, theirs.event); err != nil || wrong != nil || n != 0 {
				t.Errorf("got %d, %v, %v", n, err, wrong)
			}
		},
		"CallTallies": func(t *testing.T, me, theirs house) {
			l, err := s.CallTallies(ctx, me.owner, whole, from, to)
			if err != nil || len(l) != 1 || l[0].Calls != 1 || l[0].AgentID != me.agent.ID {
				t.Errorf("got %v, %v", l, err)
			}
			l, err = s.CallTallies(ctx, me.owner, frontdesk.AnalyticsFilter{AgentID: theirs.agent.ID}, from, to)
			if sameAgent := me.agent.ID == theirs.agent.ID; err != nil || (len(l) == 1) != sameAgent {
				t.Errorf("with their agent: %v, %v", l, err)
			}
		},
		"Analytics": func(t *testing.T, me, theirs house) {
			w := frontdesk.WindowOf(day, 1, time.UTC)
			for agent, want := range map[frontdesk.ID]bool{"": true, me.agent.ID: true, theirs.agent.ID: me.agent.ID == theirs.agent.ID} {
				a, err := s.Analytics(ctx, me.owner, frontdesk.AnalyticsFilter{AgentID: agent}, w, []frontdesk.Agent{me.agent, theirs.agent})
				if err != nil || (a.Totals.Volume == frontdesk.Volume{Calls: 1, Seconds: 60, Captures: 1}) != want || !want && a.Totals.Volume != (frontdesk.Volume{}) {
					t.Errorf("of agent %q: %+v, %v", agent, a.Totals, err)
				}
			}
			if _, err := s.FoldTalliesForWorker(ctx, 1); err != nil { // as entries, then as sheets
				t.Error(err)
			}
		},
		"CaptureTallies": func(t *testing.T, me, _ house) {
			l, err := s.CaptureTallies(ctx, me.owner, whole, from, to)
			if err != nil || len(l) != 1 || l[0].Captures != 1 {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"Usage": func(t *testing.T, me, _ house) {
			l, err := s.Usage(ctx, me.owner, "2000-01")
			if err != nil || len(l) != 1 || l[0].Calls != 1 || l[0].Seconds != 60 {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"RecordCalls": func(t *testing.T, me, theirs house) {
			// That theirs is untouched shows in Calls, Usage and the tallies;
			// here, that the id of one owner is free for another.
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "c"+string(me.call[24:])+string(theirs.call[24:])).ID, Live: me.owner.Live}
			r := recording(day, 60, 0)
			r.Call.ID = theirs.call
			record(t, s, owner, r)
		},
		"Connections": func(t *testing.T, me, _ house) {
			l, err := s.Connections(ctx, me.owner, frontdesk.Page{})
			if err != nil || len(l.Items) != 1 || l.Items[0].ID != me.connection {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"CountConnections": func(t *testing.T, me, _ house) {
			if n, err := s.CountConnections(ctx, me.owner); err != nil || n != 1 {
				t.Errorf("got %d, %v", n, err)
			}
		},
		"Connection": func(t *testing.T, me, theirs house) {
			_, err := s.Connection(ctx, me.owner, theirs.connection)
			isMissing(t, err)
		},
		"CreateConnection": func(t *testing.T, me, theirs house) {
			// The number of one owner's does not keep another from having one,
			// nor does the id.
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "n"+string(me.call[24:])+string(theirs.call[24:])).ID, Live: me.owner.Live}
			c := connection(owner)
			c.ID = theirs.connection
			if err := s.CreateConnection(ctx, owner, frontdesk.Actor{}, c, 1); err != nil {
				t.Error(err)
			}
		},
		"ChangeConnection": func(t *testing.T, me, theirs house) {
			_, err := s.ChangeConnection(ctx, me.owner, frontdesk.Actor{}, theirs.connection, day, func(c frontdesk.Connection) (frontdesk.Connection, error) {
				t.Error("it was shown")
				return c.Disable(frontdesk.ByCustomer, "not mine"), nil
			})
			isMissing(t, err)
		},
		"DeleteConnection": func(t *testing.T, me, theirs house) {
			isMissing(t, s.DeleteConnection(ctx, me.owner, frontdesk.Actor{}, theirs.connection))
			if _, err := s.Connection(ctx, theirs.owner, theirs.connection); err != nil {
				t.Error(err)
			}
			if n := len(deliveriesOf(t, s, theirs.owner, theirs.connection)); n != 1 {
				t.Errorf("%d of their deliveries are left", n)
			}
		},
		"Deliveries": func(t *testing.T, me, theirs house) {
			if n := len(deliveriesOf(t, s, me.owner, theirs.connection)); n != 0 {
				t.Errorf("got %d", n)
			}
		},
		"Delivery": func(t *testing.T, me, theirs house) {
			_, err := s.Delivery(ctx, me.owner, theirs.delivery)
			isMissing(t, err)
		},
		"CountDeliveries": func(t *testing.T, me, theirs house) {
			h, err := s.CountDeliveries(ctx, me.owner, theirs.connection, from)
			if err != nil || h.Pending+h.Delivered+h.Failed+h.Dead != 0 {
				t.Errorf("got %+v, %v", h, err)
			}
		},
		"ClaimDelivery": func(t *testing.T, me, theirs house) {
			_, err := s.ClaimDelivery(ctx, me.owner, frontdesk.Actor{}, theirs.delivery, day.Add(time.Minute))
			isMissing(t, err)
			d, err := s.Delivery(ctx, theirs.owner, theirs.delivery)
			if err != nil || d.Status != frontdesk.DeliveryFailed {
				t.Errorf("it is now %v, %v", d, err)
			}
		},
		"StartDelivery": func(t *testing.T, me, theirs house) {
			e := event(frontdesk.ConnectionTest, day)
			_, err := s.StartDelivery(ctx, me.owner, e, frontdesk.Delivery{
				ID: frontdesk.NewID(day), ConnectionID: theirs.connection, EventID: e.ID, Event: e.Type, Status: frontdesk.DeliveryDelivering, CreatedAt: day,
			})
			isMissing(t, err)
		},
		"Emit": func(t *testing.T, me, theirs house) {
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "e"+string(me.call[24:])+string(theirs.call[24:])).ID, Live: me.owner.Live}
			emit(t, s, owner, event(frontdesk.CallCompleted, day))
			if n := len(deliveriesOf(t, s, theirs.owner, theirs.connection)); n != 1 {
				t.Errorf("they now have %d deliveries", n)
			}
		},
		"CreateFeed": func(t *testing.T, me, theirs house) {
			f := frontdesk.Feed{ID: frontdesk.NewID(day), AgentID: me.agent.ID, Hash: frontdesk.FeedHash(string(me.call + theirs.call)), CreatedAt: day}
			if err := s.CreateFeed(ctx, me.owner, frontdesk.Actor{}, f); err != nil {
				t.Fatal(err)
			}
			got, err := s.FeedByHash(ctx, f.Hash)
			if err != nil || got.TenantID != me.owner.TenantID || got.Live != me.owner.Live {
				t.Errorf("got %v, %v", got, err)
			}
			isMissing(t, s.DeleteFeed(ctx, theirs.owner, frontdesk.Actor{}, f.ID))
			if err := s.DeleteFeed(ctx, me.owner, frontdesk.Actor{}, f.ID); err != nil {
				t.Error(err)
			}
		},
		"Feeds": func(t *testing.T, me, theirs house) {
			f := frontdesk.Feed{ID: frontdesk.NewID(day), AgentID: theirs.agent.ID, Hash: frontdesk.FeedHash("of" + string(me.call+theirs.call)), CreatedAt: day}
			if err := s.CreateFeed(ctx, theirs.owner, frontdesk.Actor{}, f); err != nil {
				t.Fatal(err)
			}
			l, err := s.Feeds(ctx, me.owner)
			if err != nil || slices.ContainsFunc(l, func(o frontdesk.Feed) bool { return o.ID == f.ID }) {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"DeleteFeed": func(t *testing.T, me, theirs house) {
			isMissing(t, s.DeleteFeed(ctx, me.owner, frontdesk.Actor{}, frontdesk.NewID(day)))
		},
		"AddOutsideCalendar": func(t *testing.T, me, theirs house) {
			if me.agent.ID != theirs.agent.ID {
				isMissing(t, s.AddOutsideCalendar(ctx, me.owner, frontdesk.Actor{}, outsideCalendar(theirs.agent.ID), nil, nil, ""))
			}
			c := connectOutside(t, s, me.owner, me.agent.ID)
			if all, err := s.OutsideCalendars(ctx, theirs.owner); err != nil || containsOutside(all, c.ID) {
				t.Errorf("they see %v, %v", all, err)
			}
		},
		"OutsideCalendars": func(t *testing.T, me, theirs house) {
			c := connectOutside(t, s, theirs.owner, theirs.agent.ID)
			if all, err := s.OutsideCalendars(ctx, me.owner); err != nil || containsOutside(all, c.ID) {
				t.Errorf("got %v, %v", all, err)
			}
		},
		"DeleteOutsideCalendar": func(t *testing.T, me, theirs house) {
			c := connectOutside(t, s, theirs.owner, theirs.agent.ID)
			isMissing(t, s.DeleteOutsideCalendar(ctx, me.owner, frontdesk.Actor{}, c.ID))
		},
		"AddNumber": func(t *testing.T, me, theirs house) {
			if me.agent.ID != theirs.agent.ID {
				isMissing(t, s.AddNumber(ctx, me.owner, frontdesk.Actor{}, telephone(newNumber(), theirs.agent.ID), nil))
			}
			// Nor can it be taken from them, or be seen.
			number := addNumber(t, s, theirs.owner, theirs.agent.ID)
			var taken *frontdesk.Error
			err := s.AddNumber(ctx, me.owner, frontdesk.Actor{}, telephone(number, me.agent.ID), nil)
			if !errors.As(err, &taken) || taken.Code != "number_taken" || strings.Contains(taken.Error(), string(theirs.owner.TenantID)) {
				t.Errorf("got %v", err)
			}
			if n, _, err := s.NumberForWorker(ctx, number); err != nil || n.Owner() != theirs.owner {
				t.Errorf("it is now %+v, %v", n, err)
			}
		},
		"Numbers": func(t *testing.T, me, theirs house) {
			number := addNumber(t, s, theirs.owner, theirs.agent.ID)
			all, err := s.Numbers(ctx, me.owner)
			if err != nil || slices.ContainsFunc(all, func(n frontdesk.Number) bool { return n.Number == number || n.Owner() != me.owner }) {
				t.Errorf("got %v, %v", all, err)
			}
		},
		"RemoveNumber": func(t *testing.T, me, theirs house) {
			number := addNumber(t, s, theirs.owner, theirs.agent.ID)
			isMissing(t, s.RemoveNumber(ctx, me.owner, frontdesk.Actor{}, number))
			if n, _, err := s.NumberForWorker(ctx, number); err != nil || n.Owner() != theirs.owner {
				t.Errorf("it is now %+v, %v", n, err)
			}
		},
		"People": func(t *testing.T, me, theirs house) {
			them := addPerson(t, s, theirs.owner, "", frontdesk.RoleStaff)
			all, err := s.People(ctx, me.owner)
			if err != nil || slices.ContainsFunc(all, func(p frontdesk.Person) bool { return p.TenantID != me.owner.TenantID }) {
				t.Errorf("got %v, %v", all, err)
			}
			if same := me.owner.TenantID == theirs.owner.TenantID; containsPerson(all, them.ID) != same { // people are the same in both modes
				t.Errorf("seen: %v, want %v", !same, same)
			}
		},
		"Person": func(t *testing.T, me, theirs house) {
			them := addPerson(t, s, theirs.owner, "", frontdesk.RoleStaff)
			got, err := s.Person(ctx, me.owner, them.ID)
			if me.owner.TenantID != theirs.owner.TenantID {
				isMissing(t, err)
			} else if err != nil || got != them {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"AddPerson": func(t *testing.T, me, theirs house) {
			p := person("", frontdesk.RoleStaff)
			p.TenantID = theirs.owner.TenantID // what it says of itself does not count
			if err := s.AddPerson(ctx, me.owner, frontdesk.Actor{}, p); err != nil {
				t.Fatal(err)
			}
			if all, err := s.People(ctx, theirs.owner); err != nil || containsPerson(all, p.ID) != (me.owner.TenantID == theirs.owner.TenantID) {
				t.Errorf("they have %v, %v", all, err)
			}
		},
		"FirstOwner": func(t *testing.T, me, theirs house) {
			got, err := s.FirstOwner(ctx, me.owner, person("", frontdesk.RoleOwner))
			if err != nil || got.TenantID != me.owner.TenantID {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"ChangePerson": func(t *testing.T, me, theirs house) {
			if me.owner.TenantID == theirs.owner.TenantID {
				return
			}
			them := addPerson(t, s, theirs.owner, "", frontdesk.RoleStaff)
			_, err := s.ChangePerson(ctx, me.owner, crm, them.ID, func(p frontdesk.Person) (frontdesk.Person, error) {
				t.Error("it was shown")
				return p, nil
			})
			isMissing(t, err)
		},
		"RemovePerson": func(t *testing.T, me, theirs house) {
			if me.owner.TenantID == theirs.owner.TenantID {
				return
			}
			them := addPerson(t, s, theirs.owner, "", frontdesk.RoleStaff)
			isMissing(t, s.RemovePerson(ctx, me.owner, crm, them.ID))
			if got, err := s.Person(ctx, theirs.owner, them.ID); err != nil || got != them {
				t.Errorf("they are now %v, %v", got, err)
			}
		},
		"SignOut": func(t *testing.T, me, theirs house) {
			if me.owner.TenantID == theirs.owner.TenantID {
				return
			}
			them := addPerson(t, s, theirs.owner, "", frontdesk.RoleStaff)
			ended, err := s.SignOut(ctx, me.owner, crm, them.ID)
			isMissing(t, err)
			if ended != 0 {
				t.Errorf("it ended %d sessions", ended)
			}
		},
		"UnknownOutside": func(t *testing.T, me, theirs house) {
			agent := newAgentCalled(t, s, theirs.owner.TenantID, "unknown-"+string(frontdesk.NewID(day)))
			connectOutside(t, s, theirs.owner, agent.ID)
			if got, err := s.UnknownOutside(ctx, me.owner, agent.ID, day.Add(time.Hour)); err != nil || len(got) != 0 {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"OutsideBusy": func(t *testing.T, me, theirs house) {
			agent := newAgentCalled(t, s, theirs.owner.TenantID, "busy-"+string(frontdesk.NewID(day)))
			connectOutside(t, s, theirs.owner, agent.ID)
			l := store.Look{AgentID: agent.ID, From: "2026-01-01T00:00:00", To: "2027-01-01T00:00:00"}
			if got, err := s.OutsideBusy(ctx, me.owner, l); err != nil || len(got) != 0 {
				t.Errorf("got %v, %v", got, err)
			}
			if got, err := s.OutsideBusy(ctx, theirs.owner, l); err != nil || len(got) != 1 {
				t.Errorf("they have %v, %v", got, err)
			}
		},
		"OwnCaptures": func(t *testing.T, me, theirs house) {
			got, err := s.OwnCaptures(ctx, me.owner, theirs.agent.ID, []frontdesk.ID{theirs.capture})
			if err != nil || got[theirs.capture] {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"CalendarWrites": func(t *testing.T, me, theirs house) {
			c := connectOutside(t, s, theirs.owner, theirs.agent.ID)
			got, err := s.CalendarWrites(ctx, me.owner)
			if _, seen := got[c.ID]; err != nil || seen {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"CancelledAppointments": func(t *testing.T, me, theirs house) {
			got, err := s.CancelledAppointments(ctx, me.owner, lookOn(theirs.agent.ID), from, 100)
			if err != nil || slices.ContainsFunc(got, func(c frontdesk.Capture) bool { return c.ID == theirs.capture }) {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"Agenda": func(t *testing.T, me, theirs house) {
			var got []frontdesk.Capture
			err := s.Agenda(ctx, me.owner, lookOn(theirs.agent.ID), func(c frontdesk.Capture) { got = append(got, c) })
			if sameAgent := me.agent.ID == theirs.agent.ID; err != nil || (len(got) == 1) != sameAgent || sameAgent && got[0].ID != me.capture {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"Draft": func(t *testing.T, me, theirs house) {
			drafting(t, s, theirs.owner, "theirs")
			if got, err := s.Draft(ctx, me.owner, theirs.agent.ID); me.owner.TenantID != theirs.owner.TenantID {
				isMissing(t, err)
			} else if err != nil || got.After.Config.Specials != "theirs" { // of both modes
				t.Errorf("got %+v, %v", got, err)
			}
		},
		"ChangeDraft": func(t *testing.T, me, theirs house) {
			if me.owner.TenantID == theirs.owner.TenantID {
				return
			}
			drafting(t, s, theirs.owner, "theirs")
			drafting(t, s, me.owner, "mine") // of the agent with the same slug
			if got, err := s.Draft(ctx, theirs.owner, theirs.agent.ID); err != nil || got.After.Config.Specials != "theirs" {
				t.Errorf("theirs is now %+v, %v", got, err)
			}
		},
		"DropDraft": func(t *testing.T, me, theirs house) {
			if me.owner.TenantID == theirs.owner.TenantID {
				return
			}
			d := drafting(t, s, theirs.owner, "theirs")
			if err := s.DropDraft(ctx, me.owner, theirs.agent.ID, d.ChangedAt); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Draft(ctx, theirs.owner, theirs.agent.ID); err != nil {
				t.Errorf("theirs is gone: %v", err)
			}
		},
		"Revisions": func(t *testing.T, me, theirs house) {
			l, err := s.Revisions(ctx, me.owner, theirs.agent.ID, frontdesk.Page{})
			if sameAgent := me.agent.ID == theirs.agent.ID; err != nil || !sameAgent && len(l.Items) != 0 {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"Revision": func(t *testing.T, me, theirs house) {
			_, err := s.ChangeAgent(ctx, theirs.owner, "desk", changing(day, func(a frontdesk.Agent) (frontdesk.Agent, error) {
				a.Config.Specials += "x"
				return a, nil
			}))
			if err != nil {
				t.Fatal(err)
			}
			l, err := s.Revisions(ctx, theirs.owner, theirs.agent.ID, frontdesk.Page{})
			if err != nil || len(l.Items) == 0 {
				t.Fatal(l, err)
			}
			if me.agent.ID != theirs.agent.ID {
				_, err := s.Revision(ctx, me.owner, theirs.agent.ID, l.Items[0].ID)
				isMissing(t, err)
			}
		},
		"Events": func(t *testing.T, me, theirs house) {
			l, err := s.Events(ctx, me.owner, frontdesk.EventFilter{}, frontdesk.Page{})
			if err != nil || len(l.Items) != 1 || l.Items[0].ID != me.event || l.Items[0].ID == theirs.event {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"EventSent": func(t *testing.T, me, theirs house) {
			_, err := s.EventSent(ctx, me.owner, theirs.event)
			isMissing(t, err)
		},
		"OwnKey": func(t *testing.T, me, theirs house) {
			_, err := s.OwnKey(ctx, me.owner, theirs.key)
			isMissing(t, err)
		},
		"MakersOfKeys": func(t *testing.T, me, theirs house) {
			all, err := s.MakersOfKeys(ctx, me.owner)
			if _, found := all[theirs.key]; err != nil || found {
				t.Errorf("got %v, %v", all, err)
			}
		},
		"LeftBy": func(t *testing.T, me, theirs house) {
			p := addPerson(t, s, theirs.owner, "", frontdesk.RoleDeveloper)
			secret := frontdesk.NewKeySecret(true)
			hash, _ := frontdesk.ParseKey(secret.Reveal())
			k := frontdesk.Key{ID: frontdesk.NewID(day), TenantID: theirs.owner.TenantID, Live: true, Name: "left", Prefix: frontdesk.KeyPrefix(secret), Hash: hash, Scopes: []string{"calls:read"}, CreatedAt: day}
			if err := s.CreateKey(ctx, p.Actor(), k); err != nil {
				t.Fatal(err)
			}
			if left, err := s.LeftBy(ctx, theirs.owner, p.ID, day); err != nil || len(left.Keys) != 1 {
				t.Errorf("got %v, %v", left, err)
			}
			left, err := s.LeftBy(ctx, me.owner, p.ID, day)
			if same := me.owner.TenantID == theirs.owner.TenantID; err != nil || !same && len(left.Keys) != 0 {
				t.Errorf("got %v, %v", left, err)
			}
		},
		"OwnKeys": func(t *testing.T, me, _ house) {
			l, err := s.OwnKeys(ctx, me.owner, frontdesk.Page{})
			mine := func(k frontdesk.Key) bool { return k.TenantID == me.owner.TenantID && k.Live == me.owner.Live }
			if err != nil || !slices.ContainsFunc(l.Items, func(k frontdesk.Key) bool { return k.ID == me.key }) ||
				slices.ContainsFunc(l.Items, func(k frontdesk.Key) bool { return !mine(k) }) {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"Event": func(t *testing.T, me, theirs house) {
			_, err := s.Event(ctx, me.owner, theirs.event)
			isMissing(t, err)
		},
		"EventsAfter": func(t *testing.T, me, theirs house) {
			l, err := s.EventsAfter(ctx, me.owner, frontdesk.FirstIDAt(from), 100)
			if err != nil || len(l) != 1 || l[0].ID != me.event || l[0].ID == theirs.event {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"Documents": func(t *testing.T, me, theirs house) {
			l, err := s.Documents(ctx, me.owner, frontdesk.DocumentFilter{}, frontdesk.Page{})
			if err != nil || len(l.Items) != 2 || l.Items[0].ID != me.reading.Document.ID || l.Items[1].ID != me.document {
				t.Errorf("got %v, %v", l, err)
			}
			l, err = s.Documents(ctx, me.owner, frontdesk.DocumentFilter{AgentID: theirs.agent.ID}, frontdesk.Page{})
			if sameAgent := me.agent.ID == theirs.agent.ID; err != nil || (len(l.Items) == 1) != sameAgent || sameAgent && l.Items[0].ID != me.document {
				t.Errorf("with their agent: %v, %v", l, err)
			}
		},
		"Document": func(t *testing.T, me, theirs house) {
			_, err := s.Document(ctx, me.owner, theirs.document)
			isMissing(t, err)
		},
		"AddDocument": func(t *testing.T, me, theirs house) {
			// Neither the bytes nor the id nor the number of one owner's
			// documents keep another from adding its own.
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "d"+string(me.call[24:])+string(theirs.call[24:])).ID, Live: me.owner.Live}
			d := paper("the card")
			d.ID, d.AgentID = theirs.document, theirs.agent.ID
			got, added, err := s.AddDocument(ctx, owner, frontdesk.Actor{}, d, frontdesk.Plan{MaxDocuments: 1, MaxTotalBytes: d.SizeBytes})
			if err != nil || !added || got.Title != d.Title {
				t.Errorf("got %v, %v, %v", got, added, err)
			}
			// Twice the same bytes is one's own document, never another's.
			d.ID, d.AgentID = frontdesk.NewID(day), me.agent.ID
			if got, added, err := s.AddDocument(ctx, me.owner, frontdesk.Actor{}, d, frontdesk.DefaultPlan()); err != nil || added || got.ID != me.document {
				t.Errorf("got %v, %v, %v", got, added, err)
			}
		},
		"ArchiveDocument": func(t *testing.T, me, theirs house) {
			_, err := s.ArchiveDocument(ctx, me.owner, frontdesk.Actor{}, theirs.document, day)
			isMissing(t, err)
			stillKnows(t, s, theirs)
		},
		"RestoreDocument": func(t *testing.T, me, theirs house) {
			_, err := s.RestoreDocument(ctx, me.owner, frontdesk.Actor{}, theirs.document, day)
			isMissing(t, err)
			stillKnows(t, s, theirs)
		},
		"DocumentFragments": func(t *testing.T, me, theirs house) {
			if got, err := s.DocumentFragments(ctx, me.owner, theirs.document, 10); err != nil || len(got) != 0 {
				t.Errorf("got %v, %v", got, err)
			}
			if got, err := s.DocumentFragments(ctx, theirs.owner, theirs.document, 10); err != nil || len(got) == 0 {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"DeleteDocument": func(t *testing.T, me, theirs house) {
			isMissing(t, s.DeleteDocument(ctx, me.owner, frontdesk.Actor{}, theirs.document))
			stillKnows(t, s, theirs)
		},
		"DocumentUse": func(t *testing.T, me, _ house) {
			u, err := s.DocumentUse(ctx, me.owner)
			if err != nil || u.Documents != 2 || u.Bytes != int64(len("the card")+len("the rules")) {
				t.Errorf("got %v, %v", u, err)
			}
		},
		"FailDocument": func(t *testing.T, me, theirs house) {
			if err := s.FailDocument(ctx, me.owner, theirs.reading, "not mine", day); err != nil {
				t.Error(err)
			}
			stillKnows(t, s, theirs)
		},
		"ReleaseDocument": func(t *testing.T, me, theirs house) {
			if err := s.ReleaseDocument(ctx, me.owner, theirs.reading, day, true); err != nil {
				t.Error(err)
			}
			stillKnows(t, s, theirs)
		},
		"SaveFragments": func(t *testing.T, me, theirs house) {
			saved, err := s.SaveFragments(ctx, me.owner, theirs.reading, []frontdesk.Fragment{passage(0, "not mine")}, day, 100)
			if err != nil || saved {
				t.Errorf("got %v, %v", saved, err)
			}
			stillKnows(t, s, theirs)
			stillKnows(t, s, me)
		},
		"Fragments": func(t *testing.T, me, theirs house) {
			for agent, want := range map[frontdesk.ID]bool{me.agent.ID: true, theirs.agent.ID: me.agent.ID == theirs.agent.ID, "": false} {
				got := fragmentsOf(t, s, me.owner, agent)
				if len(got) == 1 != want || want && got[0].DocumentID != me.document {
					t.Errorf("of agent %q: %v", agent, got)
				}
			}
		},
		"Titles": func(t *testing.T, me, _ house) {
			got, err := s.Titles(ctx, me.owner)
			if err != nil || len(got) != 1 || got[me.document].Title != "Card of "+string(me.owner.TenantID) {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"KnowledgeVersion": func(t *testing.T, me, _ house) {
			if v, err := s.KnowledgeVersion(ctx, me.owner); err != nil || v != 1 {
				t.Errorf("got %d, %v", v, err)
			}
			// The sandbox of B has nothing.
			if v, err := s.KnowledgeVersion(ctx, frontdesk.Owner{TenantID: b}); err != nil || v != 0 {
				t.Errorf("got %d, %v", v, err)
			}
		},
		"AgentHasDocuments": func(t *testing.T, me, theirs house) {
			for agent, want := range map[frontdesk.ID]bool{me.agent.ID: true, theirs.agent.ID: me.agent.ID == theirs.agent.ID} {
				if has, err := s.AgentHasDocuments(ctx, me.owner, agent); err != nil || has != want {
					t.Errorf("agent %s: %v, %v", agent, has, err)
				}
			}
		},
		"DocumentsWait": func(t *testing.T, me, _ house) {
			// One is ready, and the other is being read: neither waits.
			if wait, err := s.DocumentsWait(ctx, me.owner); err != nil || wait {
				t.Errorf("got %v, %v", wait, err)
			}
		},
		"KnowledgeSummary": func(t *testing.T, me, _ house) {
			k, err := s.KnowledgeSummary(ctx, me.owner, from, 10)
			if err != nil || k.Documents != 2 || k.ByStatus[frontdesk.DocumentReady] != 1 || k.Fragments != 1 || k.Unanswered != 1 ||
				len(k.TopUnanswered) != 1 || k.TopUnanswered[0].Count != 1 {
				t.Errorf("got %+v, %v", k, err)
			}
		},
		"CallsAfterHours": func(t *testing.T, me, other house) {
			agent := me.agent
			agent.Config.Hours = &frontdesk.Hours{} // never open
			got, err := s.CallsAfterHours(ctx, me.owner, frontdesk.CallFilter{}, frontdesk.Page{}, []frontdesk.Agent{agent})
			if err != nil || len(got.Items) != 1 || got.Items[0].ID != me.call {
				t.Errorf("got %+v, %v", got, err)
			}
		},
		"Unanswered": func(t *testing.T, me, other house) {
			u, err := s.Unanswered(ctx, me.owner, me.agent.ID, from, 10)
			if err != nil || u.Times != 1 || len(u.Top) != 1 || u.Top[0].AgentID != me.agent.ID {
				t.Errorf("got %+v, %v", u, err)
			}
			if me.agent.ID == other.agent.ID {
				return // in both modes
			}
			if u, err := s.Unanswered(ctx, me.owner, other.agent.ID, from, 10); err != nil || u.Times != 0 || len(u.Top) != 0 {
				t.Errorf("of another's agent: %+v, %v", u, err)
			}
		},
		"OpenSeconds": func(t *testing.T, me, _ house) {
			if seconds, err := s.OpenSeconds(ctx, me.owner, day); err != nil || seconds != 7 {
				t.Errorf("got %d, %v", seconds, err)
			}
		},
		"HasPlace": func(t *testing.T, me, _ house) {
			if free, err := s.HasPlace(ctx, me.owner, store.Places{Most: 2, Since: day}); err != nil || !free {
				t.Errorf("got %v, %v", free, err)
			}
			if free, err := s.HasPlace(ctx, me.owner, store.Places{Most: 1, Since: day}); err != nil || free {
				t.Errorf("got %v, %v", free, err)
			}
		},
		"OpenConversation": func(t *testing.T, me, theirs house) {
			// One's own number counts, not another's.
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "v"+string(me.call[24:])+string(theirs.call[24:])).ID, Live: me.owner.Live}
			c := newConversation(owner, someAgent(t, s, owner), day)
			if opening, err := s.OpenConversation(ctx, owner, c, nil, store.Places{Most: 1, Since: day}); err != nil || opening != store.Opened {
				t.Errorf("got %v, %v", opening, err)
			}
		},
		"EndUnspoken": func(t *testing.T, me, theirs house) {
			c := theirs.conversation
			c.AgentID = me.agent.ID
			if ended, err := s.EndUnspoken(ctx, me.owner, c); err != nil || ended {
				t.Errorf("got %v, %v", ended, err)
			}
			stillTalks(t, s, theirs)
		},
		"RecordConversation": func(t *testing.T, me, theirs house) {
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "w"+string(me.call[24:])+string(theirs.call[24:])).ID, Live: me.owner.Live}
			c := newConversation(owner, someAgent(t, s, owner), day)
			c.EndedAt = day
			r := recording(day, 0, 0)
			r.Call.ID = c.ID
			if recorded, err := s.RecordConversation(ctx, owner, c, r); err != nil || !recorded {
				t.Errorf("got %v, %v", recorded, err)
			}
		},
		"EndRehearsal": func(t *testing.T, me, theirs house) {
			c := newConversation(theirs.owner, theirs.agent.ID, day)
			c.EndedAt, c.Draft = time.Time{}, "{}"
			if opening, err := s.OpenConversation(ctx, theirs.owner, c, nil, store.Places{}); err != nil || opening != store.Opened {
				t.Fatal(opening, err)
			}
			c.EndedAt = day
			if ended, err := s.EndRehearsal(ctx, me.owner, c, []byte("not mine")); err != nil || ended {
				t.Errorf("got %v, %v", ended, err)
			}
			if got, err := s.ConversationByID(ctx, c.ID); err != nil || !got.EndedAt.IsZero() || !got.Rehearsal() {
				t.Errorf("their rehearsal is now %+v, %v", got, err)
			}
			if ended, err := s.EndRehearsal(ctx, theirs.owner, c, nil); err != nil || !ended {
				t.Errorf("their own end: %v, %v", ended, err)
			}
		},
		"DropConversation": func(t *testing.T, me, theirs house) {
			if err := s.DropConversation(ctx, me.owner, theirs.conversation.ID); err != nil {
				t.Error(err)
			}
			stillTalks(t, s, theirs)
		},
		"SaveConversation": func(t *testing.T, me, theirs house) {
			saved, err := s.SaveConversation(ctx, me.owner, theirs.conversation, []byte("not mine"))
			if err != nil || saved {
				t.Errorf("got %v, %v", saved, err)
			}
			stillTalks(t, s, theirs)
		},
		"OpenLine": func(t *testing.T, me, theirs house) {
			c := theirs.conversation
			c.ID, c.EndedAt, c.AgentID = frontdesk.NewID(day), day, me.agent.ID
			if opened, err := s.OpenLine(ctx, me.owner, lineOf(theirs), c, nil, store.Places{}); err != nil || opened != store.Opened {
				t.Errorf("got %v, %v", opened, err)
			}
			if got, err := s.LineConversation(ctx, theirs.owner, lineOf(theirs)); err != nil || got.ID == c.ID {
				t.Errorf("their line is now of %s, %v", got.ID, err)
			}
		},
		"RecordLine": func(t *testing.T, me, theirs house) {
			c, r := theirs.conversation, recording(day, 60, 0)
			c.ID = frontdesk.NewID(day)
			if recorded, err := s.RecordLine(ctx, theirs.owner, lineOf(theirs), c, r); err != nil || recorded {
				t.Errorf("got %v, %v", recorded, err)
			}
		},
		"LineConversation": func(t *testing.T, me, theirs house) {
			_, err := s.LineConversation(ctx, me.owner, "their "+lineOf(theirs))
			isMissing(t, err)
			if got, err := s.LineConversation(ctx, me.owner, lineOf(theirs)); err == nil && got.Owner != me.owner {
				t.Errorf("got %+v", got)
			}
		},
		"RenewToken": func(t *testing.T, me, theirs house) {
			renewed, err := s.RenewToken(ctx, me.owner, theirs.conversation.ID, theirs.conversation.Token, []byte("mine"))
			if err != nil || renewed {
				t.Errorf("got %v, %v", renewed, err)
			}
			stillTalks(t, s, theirs)
		},
		"ConversationTurns": func(t *testing.T, me, theirs house) {
			_, err := s.ConversationTurns(ctx, me.owner, theirs.conversation.ID)
			isMissing(t, err)
		},
		"CloseConversation": func(t *testing.T, me, theirs house) {
			r := recording(day, 60, 0)
			r.Call.ID = theirs.conversation.ID
			closed, err := s.CloseConversation(ctx, me.owner, theirs.conversation, r)
			if err != nil || closed {
				t.Errorf("got %v, %v", closed, err)
			}
			_, err = s.Call(ctx, me.owner, theirs.conversation.ID)
			isMissing(t, err)
			stillTalks(t, s, theirs)
		},
		"CapturesOfCall": func(t *testing.T, me, theirs house) {
			l, err := s.CapturesOfCall(ctx, me.owner, theirs.call)
			if err != nil || len(l) != 0 {
				t.Errorf("got %v, %v", l, err)
			}
		},
		"AddNotices": func(t *testing.T, me, theirs house) {
			n := letter(me.agent.ID, theirs.capture, frontdesk.OwnerMessage, day.AddDate(0, 0, 1))
			if err := s.AddNotices(ctx, me.owner, n); err != nil {
				t.Error(err)
			}
			for _, other := range noticesOf(t, s, theirs.owner, frontdesk.NoticeFilter{}) {
				if other.ID == n.ID {
					t.Error("it is theirs")
				}
			}
		},
		"Notices": func(t *testing.T, me, theirs house) {
			if got := noticesOf(t, s, me.owner, frontdesk.NoticeFilter{CaptureID: theirs.capture, Kind: frontdesk.NoticeReminder}); len(got) != 0 {
				t.Errorf("got %v", got)
			}
		},
		"NoticesTo": func(t *testing.T, me, theirs house) {
			sent := letter(theirs.agent.ID, "", frontdesk.OwnerUrgent, day)
			sent.Status, sent.DueAt, sent.SentAt, sent.Address = frontdesk.NoticeSent, time.Time{}, day, string(theirs.owner.TenantID)+"@example.com"
			if err := s.AddNotices(ctx, theirs.owner, sent); err != nil {
				t.Fatal(err)
			}
			if me.owner.TenantID == theirs.owner.TenantID {
				return // each mode of a tenant has such an address
			}
			if n, err := s.NoticesTo(ctx, me.owner, sent.Address, day); err != nil || n != 0 {
				t.Errorf("got %d, %v", n, err)
			}
		},
		"NoticesOf": func(t *testing.T, me, theirs house) {
			if me.owner.TenantID == theirs.owner.TenantID {
				return // the agents are the same in both modes
			}
			if n, err := s.NoticesOf(ctx, me.owner, theirs.agent.ID, frontdesk.ByEmail, day.AddDate(0, 0, -1)); err != nil || n != 0 {
				t.Errorf("got %d, %v", n, err)
			}
		},
		"KeptPlaces": func(t *testing.T, me, theirs house) {
			c := frontdesk.Capture{
				ID: frontdesk.NewID(day), AgentID: theirs.agent.ID, Kind: frontdesk.Waiting, Status: frontdesk.Confirmed, ScheduledAt: eight, CreatedAt: day, UpdatedAt: day,
			}
			if _, err := s.AddCapture(ctx, theirs.owner, store.NewCapture{
				Capture: c, NewCode: frontdesk.NewConfirmationCode, Event: newCapture(theirs.agent.ID, "", nil).Event,
			}); err != nil {
				t.Fatal(err)
			}
			h := frontdesk.Hold{CallID: c.ID, AgentID: theirs.agent.ID, ScheduledAt: eight, Until: day.Add(time.Hour)}
			if err := s.HoldPlace(ctx, theirs.owner, h, lookOn(theirs.agent.ID), func(*frontdesk.Visit, []frontdesk.Busy) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if got, err := s.KeptPlaces(ctx, theirs.owner, theirs.agent.ID, day); err != nil || len(got) != 1 {
				t.Errorf("they see %+v, %v", got, err)
			}
			if got, err := s.KeptPlaces(ctx, me.owner, theirs.agent.ID, day); err != nil || len(got) != 0 {
				t.Errorf("got %+v, %v", got, err)
			}
			if err := s.DropHold(ctx, theirs.owner, c.ID); err != nil {
				t.Error(err)
			}
		},
		"RetryDeadNotices": func(t *testing.T, me, theirs house) {
			n := letter(theirs.agent.ID, "", frontdesk.OwnerMessage, time.Time{})
			n.Status = frontdesk.NoticeDead
			if err := s.AddNotices(ctx, theirs.owner, n); err != nil {
				t.Fatal(err)
			}
			if _, err := s.RetryDeadNotices(ctx, me.owner, frontdesk.Actor{}, store.Unsent{}, day, 100); err != nil {
				t.Error(err)
			}
			if got := noticesOf(t, s, theirs.owner, frontdesk.NoticeFilter{Status: frontdesk.NoticeDead}); !slices.ContainsFunc(got, func(o frontdesk.Notice) bool { return o.ID == n.ID }) {
				t.Errorf("theirs that are dead: %+v", got)
			}
		},
		"RetryNotice": func(t *testing.T, me, theirs house) {
			isMissing(t, s.RetryNotice(ctx, me.owner, frontdesk.Actor{}, theirs.notice.ID, day))
		},
		"SaveNotice": func(t *testing.T, me, theirs house) {
			if err := s.SaveNotice(ctx, me.owner, theirs.notice, theirs.notice.Ended("mine")); err != nil {
				t.Error(err)
			}
			if got := noticesOf(t, s, theirs.owner, frontdesk.NoticeFilter{Kind: frontdesk.NoticeReminder}); len(got) != 1 || got[0] != theirs.notice {
				t.Errorf("theirs is %+v", got)
			}
		},
		"StopReminders": func(t *testing.T, me, theirs house) {
			if err := s.StopReminders(ctx, me.owner, "of "+string(me.call)+string(theirs.call), day); err != nil {
				t.Error(err)
			}
			if stopped, err := s.RemindersStopped(ctx, theirs.owner, "of "+string(me.call)+string(theirs.call)); err != nil || stopped {
				t.Errorf("theirs are stopped too: %v", err)
			}
		},
		"RemindersStopped": func(t *testing.T, me, theirs house) {
			if err := s.StopReminders(ctx, theirs.owner, "of "+string(theirs.call), day); err != nil {
				t.Error(err)
			}
			if stopped, err := s.RemindersStopped(ctx, me.owner, "of "+string(theirs.call)); err != nil || stopped {
				t.Errorf("got %v, %v", stopped, err)
			}
		},
		"StopWaiting": func(t *testing.T, me, theirs house) {
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "wait"+string(me.call[24:])+string(theirs.call[24:])).ID, Live: theirs.owner.Live}
			r := recording(day, 30, 1)
			r.Captures[0].Kind, r.Captures[0].AgentID, r.Captures[0].ScheduledAt = frontdesk.Waiting, newAgent(t, s, owner.TenantID).ID, eight
			record(t, s, owner, r)
			if err := s.StopWaiting(ctx, me.owner, r.Captures[0].ID); err != nil {
				t.Error(err)
			}
			all, err := s.WaitingForWorker(ctx, day, 100)
			if err != nil || !slices.ContainsFunc(all, func(w store.Waits) bool { return w.Capture == r.Captures[0].ID }) {
				t.Errorf("they do not wait any more: %v, %v", all, err)
			}
		},
		"OfferPlace": func(t *testing.T, me, theirs house) {
			h := frontdesk.Hold{CallID: frontdesk.NewID(day), AgentID: theirs.agent.ID, ScheduledAt: eight, Until: day.Add(time.Hour)}
			err := s.OfferPlace(ctx, me.owner, h, lookOn(theirs.agent.ID), func(*frontdesk.Visit, []frontdesk.Busy) error { return errFull }, nil)
			if me.owner.TenantID == theirs.owner.TenantID {
				if err != errFull { // agents are the same in both modes
					t.Errorf("got %v", err)
				}
				return
			}
			isMissing(t, err)
		},
		"HeldPlace": func(t *testing.T, me, theirs house) {
			h := frontdesk.Hold{CallID: frontdesk.NewID(day), AgentID: theirs.agent.ID, ScheduledAt: eight, Until: day.Add(time.Hour)}
			if err := s.HoldPlace(ctx, theirs.owner, h, lookOn(theirs.agent.ID), func(*frontdesk.Visit, []frontdesk.Busy) error { return nil }); err != nil {
				t.Fatal(err)
			}
			_, err := s.HeldPlace(ctx, me.owner, h.CallID, day)
			isMissing(t, err)
			if err := s.DropHold(ctx, theirs.owner, h.CallID); err != nil {
				t.Error(err)
			}
		},
		"Audit": func(t *testing.T, me, theirs house) {
			by := frontdesk.Actor{Kind: frontdesk.ByKey, Name: "of " + string(theirs.call)}
			c := connection(theirs.owner)
			if err := s.CreateConnection(ctx, theirs.owner, by, c, 1000); err != nil {
				t.Fatal(err)
			}
			if err := s.DeleteConnection(ctx, theirs.owner, by, c.ID); err != nil {
				t.Fatal(err)
			}
			_, k := newKey(theirs.owner.TenantID, theirs.owner.Live)
			if err := s.CreateKey(ctx, by, k); err != nil {
				t.Fatal(err)
			}
			if got := auditOf(t, s, me.owner, frontdesk.AuditFilter{Object: string(c.ID)}); len(got) != 0 {
				t.Errorf("got %v", got)
			}
			want := 0
			if me.owner.TenantID == theirs.owner.TenantID { // keys concern both modes
				want = 1
			}
			if got := auditOf(t, s, me.owner, frontdesk.AuditFilter{Object: string(k.ID)}); len(got) != want {
				t.Errorf("got %v", got)
			}
		},
		"Requests": func(t *testing.T, me, theirs house) {
			r := requestOf(theirs.owner, day, "POST", 400, "of-"+string(theirs.call)+string(me.call[24:]))
			keepRequests(t, s, r)
			list, err := s.Requests(ctx, me.owner, frontdesk.RequestFilter{RequestID: r.RequestID}, frontdesk.Page{})
			if err != nil || len(list.Items) != 0 {
				t.Errorf("got %v, %v", list, err)
			}
			all, err := s.Requests(ctx, me.owner, frontdesk.RequestFilter{}, frontdesk.Page{Limit: 100})
			if err != nil || slices.ContainsFunc(all.Items, func(one frontdesk.Request) bool { return one.Owner != me.owner }) {
				t.Errorf("got %v, %v", all, err)
			}
		},
		"Request": func(t *testing.T, me, theirs house) {
			r := requestOf(theirs.owner, day, "POST", 400, "one")
			keepRequests(t, s, r)
			_, err := s.Request(ctx, me.owner, r.ID)
			isMissing(t, err)
		},
		"Tenant": func(t *testing.T, me, _ house) {
			got, err := s.Tenant(ctx, me.owner)
			if err != nil || got.ID != me.owner.TenantID {
				t.Errorf("got %v, %v", got, err)
			}
		},
		"ClaimAnswer": func(t *testing.T, me, _ house) {
			got, mine, err := s.ClaimAnswer(ctx, me.owner, "same", []byte("g"), day, day.Add(time.Second), day.Add(time.Hour))
			if err != nil || mine || string(got.Fingerprint) != "f" {
				t.Errorf("got %v, %v, %v", got, mine, err)
			}
		},
		"KeepAnswer": func(t *testing.T, me, theirs house) {
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "k"+string(me.call[24:])+string(theirs.call[24:])).ID, Live: me.owner.Live}
			if err := s.KeepAnswer(ctx, owner, "same", theirs.lease, 200, []byte("x")); err != nil {
				t.Error(err)
			}
			stillRuns(t, s, theirs)
		},
		"ReleaseAnswer": func(t *testing.T, me, theirs house) {
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "r"+string(me.call[24:])+string(theirs.call[24:])).ID, Live: me.owner.Live}
			if err := s.ReleaseAnswer(ctx, owner, "same", theirs.lease); err != nil {
				t.Error(err)
			}
			stillRuns(t, s, theirs)
		},
		"ResumeDelivery": func(t *testing.T, me, theirs house) {
			_, _, err := s.ResumeDelivery(ctx, me.owner, theirs.delivery, day, day.Add(time.Hour))
			isMissing(t, err)
		},
		"NewUnit": func(t *testing.T, me, theirs house) {
			owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "u"+string(me.call[24:])+string(theirs.call[24:])).ID, Live: me.owner.Live}
			_, unit := s.NewUnit(ctx, owner, "same", theirs.lease)
			if err := unit.Keep(ctx, 200, []byte("x")); err != nil {
				t.Error(err)
			}
			stillRuns(t, s, theirs)
		},
	}

	if missing := unlisted(methods); len(missing) > 0 {
		t.Errorf("methods that take an owner, but have no row here: %v", missing)
	}
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		for mine, me := range houses {
			for whose, theirs := range houses {
				if mine != whose {
					t.Run(name+" by "+mine+" on "+whose, func(t *testing.T) { methods[name](t, me, theirs) })
				}
			}
		}
	}
}

func stillRuns(t *testing.T, s *store.Store, h house) {
	t.Helper()
	got, mine, err := s.ClaimAnswer(ctx, h.owner, "same", []byte("f"), day, day.Add(time.Second), day.Add(time.Hour))
	if err != nil || mine || got.Status != 0 {
		t.Errorf("their claim was touched: %v, %v, %v", got, mine, err)
	}
}

// lineOf is the line of a house's call.
func lineOf(h house) string {
	if h.owner.Live {
		return "live " + string(h.owner.TenantID)
	}
	return "test " + string(h.owner.TenantID)
}

// stillTalks says that nobody has touched a house's conversation.
func stillTalks(t *testing.T, s *store.Store, h house) {
	t.Helper()
	c, err := s.ConversationByID(ctx, h.conversation.ID)
	if err != nil || c.Version != h.conversation.Version || !c.EndedAt.IsZero() {
		t.Errorf("their conversation is now %+v, %v", c, err)
	}
}

// stillKnows says that nobody has touched a house's documents.
func stillKnows(t *testing.T, s *store.Store, h house) {
	t.Helper()
	d, err := s.Document(ctx, h.owner, h.document)
	if err != nil || d.Status != frontdesk.DocumentReady || d.Fragments != 1 {
		t.Errorf("their document is now %+v, %v", d, err)
	}
	d, err = s.Document(ctx, h.owner, h.reading.Document.ID)
	if err != nil || d.Status != frontdesk.DocumentProcessing || d.Fragments != 0 {
		t.Errorf("what they read is now %+v, %v", d, err)
	}
	if got := fragmentsOf(t, s, h.owner, h.agent.ID); len(got) != 1 || got[0].Text != "Of "+string(h.document) {
		t.Errorf("their fragments are now %v", got)
	}
	if v, err := s.KnowledgeVersion(ctx, h.owner); err != nil || v != 1 {
		t.Errorf("their version is now %d, %v", v, err)
	}
}

// unlisted are the methods of the store that take an owner and are not in rows.
func unlisted[T any](rows map[string]T) (names []string) {
	typ, owner := reflect.TypeFor[*store.Store](), reflect.TypeFor[frontdesk.Owner]()
	for i := range typ.NumMethod() {
		m := typ.Method(i)
		for p := range m.Type.NumIn() {
			if _, listed := rows[m.Name]; m.Type.In(p) == owner && !listed {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// An Owner stands right after the context, always.
func TestTheOwnerComesSecond(t *testing.T) {
	t.Parallel()
	typ, owner := reflect.TypeFor[*store.Store](), reflect.TypeFor[frontdesk.Owner]()
	for i := range typ.NumMethod() {
		m := typ.Method(i)
		for p := range m.Type.NumIn() {
			if m.Type.In(p) == owner && p != 2 { // 0 is the store, 1 the context
				t.Errorf("%s takes its owner as parameter %d", m.Name, p)
			}
		}
	}
}
