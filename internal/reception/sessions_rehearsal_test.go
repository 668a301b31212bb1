package reception_test

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// sandbox is the owner of the business's test data.
func (f *front) sandbox() frontdesk.Owner { return frontdesk.Owner{TenantID: f.tenant.ID, Live: false} }

// rehearse opens a rehearsal with the agent as it is, and what is changed.
func (f *front) rehearse(changes ...func(*frontdesk.Agent)) *caller {
	f.t.Helper()
	draft, err := f.store.Agent(ctx, f.owner, f.agent.ID)
	must(f.t, err)
	for _, change := range changes {
		change(&draft)
	}
	w, err := f.sessions.Rehearse(ctx, f.tenant, draft, "")
	must(f.t, err)
	return &caller{front: f, id: w.ID, token: w.Token.Reveal(), last: w.Reply}
}

// dearer is a draft with another price, another service and other hours.
func dearer(a *frontdesk.Agent) {
	a.Config.Services = json.RawMessage(`[{"id":"checkup","name":"Revisión","duration_minutes":30,"price":47},
		{"id":"laser","name":"Depilación láser","duration_minutes":30,"price":90}]`)
	hours := frontdesk.Hours{}
	for day := range hours {
		hours[day] = frontdesk.Shift{Open: 16, Close: 20}
	}
	a.Config.Hours = &hours
}

// A rehearsal is held with its draft, on any node and after a restart; callers hear
// the agent as it is.
func TestARehearsalIsHeldWithItsDraft(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.rehearse(dearer)
	if c.last.Text == "" || c.last.Language != "es" {
		t.Errorf("greeted with %+v", c.last)
	}
	if r := c.say("¿Cuánto cuesta la revisión?"); !strings.Contains(r.Text, "47") {
		t.Errorf("the draft costs 47; said %q", r.Text)
	}
	live := f.start()
	if r := live.say("¿Cuánto cuesta la revisión?"); !strings.Contains(r.Text, "30") || strings.Contains(r.Text, "47") {
		t.Errorf("the agent costs 30; said %q", r.Text)
	}
	f.change(func(a *frontdesk.Agent) { a.Config.Business.Name = "Otra" })
	c.sessions = f.node()
	if r := c.say("¿Y la depilación láser?"); !strings.Contains(r.Text, "90") {
		t.Errorf("after a restart the draft's laser costs 90; said %q", r.Text)
	}
	if r := c.say("Quiero reservar una revisión el miércoles a las doce del mediodía"); !strings.Contains(r.Text, "16") && !strings.Contains(r.Text, "cuatro") {
		t.Errorf("the draft opens at four; said %q", r.Text)
	}
	if kept, err := f.store.Agent(ctx, f.owner, f.agent.ID); err != nil || strings.Contains(string(kept.Config.Services), "laser") {
		t.Errorf("the agent is %+v, %v", kept.Config, err)
	}
}

// What a rehearsal books is test data; the live book does not know of it, and
// nobody is told, counted or kept out.
func TestARehearsalTellsNobody(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.change(func(a *frontdesk.Agent) {
		a.Settings.Notices = frontdesk.NoticeSettings{
			Customer: []frontdesk.NoticeChannel{frontdesk.ByText}, Owner: frontdesk.OwnerNotices{Emails: []string{"owner@example.com"}},
		}
	})
	connections := map[frontdesk.Owner]frontdesk.ID{f.owner: frontdesk.NewID(monday), f.sandbox(): frontdesk.NewID(monday)}
	for owner, id := range connections {
		must(t, f.store.CreateConnection(ctx, owner, frontdesk.Actor{}, frontdesk.Connection{
			ID: id, Live: owner.Live, Name: "c", URL: "https://example.com", Status: frontdesk.ConnectionActive,
			Events:     []string{frontdesk.CallCompleted, frontdesk.CaptureCreated},
			MoreEvents: []string{frontdesk.CaptureUpdated}, CreatedAt: monday, UpdatedAt: monday,
			Secret: frontdesk.SealedSecret{Sealed: []byte("s"), SetAt: monday},
		}, 1))
	}
	c := f.rehearse()
	booked := c.book()
	c.say("¿Tienen piscina climatizada con olas?")
	e, err := c.sessions.End(ctx, c.id, c.token)
	if err != nil || e.CallID != "" || e.Outcome != frontdesk.Booking {
		t.Errorf("ended as %+v, %v", e, err)
	}
	if again, err := c.sessions.End(ctx, c.id, c.token); err != nil || again != e {
		t.Errorf("ended again as %+v, %v", again, err)
	}
	got, err := f.store.Capture(ctx, f.sandbox(), booked.ID)
	if err != nil || got.Source != frontdesk.FromRehearsal || len(f.captures()) != 0 {
		t.Errorf("wrote %+v, %v; the live book has %+v", got, err, f.captures())
	}
	for owner, id := range connections {
		f.quiet(owner, id)
	}
	// The place that was rehearsed is still there for a caller, and for the next
	// rehearsal.
	if c := f.rehearse().book(); c.ScheduledAt != booked.ScheduledAt {
		t.Errorf("the second rehearsal got %s instead of %s", c.ScheduledAt, booked.ScheduledAt)
	}
	if c := f.start().book(); c.ScheduledAt != booked.ScheduledAt {
		t.Errorf("the caller got %s instead of %s", c.ScheduledAt, booked.ScheduledAt)
	}
	if f.told(frontdesk.CaptureCreated) != 1 {
		t.Error("the connection hears nothing of callers either: this test could not fail")
	}
}

// quiet demands that nothing was counted for an owner, and nobody told.
func (f *front) quiet(owner frontdesk.Owner, connection frontdesk.ID) {
	f.t.Helper()
	notices, err := f.store.Notices(ctx, owner, frontdesk.NoticeFilter{}, frontdesk.Page{})
	if err != nil || len(notices.Items) != 0 {
		f.t.Errorf("live %v: notices %+v, %v", owner.Live, notices.Items, err)
	}
	events, err := f.store.EventsAfter(ctx, owner, frontdesk.FirstIDAt(monday.AddDate(0, 0, -1)), 10)
	if err != nil || len(events) != 0 {
		f.t.Errorf("live %v: events %+v, %v", owner.Live, events, err)
	}
	deliveries, err := f.store.Deliveries(ctx, owner, connection, "", frontdesk.Page{})
	if err != nil || len(deliveries.Items) != 0 {
		f.t.Errorf("live %v: deliveries %+v, %v", owner.Live, deliveries.Items, err)
	}
	used, err := f.store.Usage(ctx, owner, "2000-01")
	if err != nil || len(used) != 0 {
		f.t.Errorf("live %v: used %+v, %v", owner.Live, used, err)
	}
	calls, err := f.store.Calls(ctx, owner, frontdesk.CallFilter{}, frontdesk.Page{})
	if err != nil || len(calls.Items) != 0 {
		f.t.Errorf("live %v: calls %+v, %v", owner.Live, calls.Items, err)
	}
	k, err := f.store.KnowledgeSummary(ctx, owner, monday.AddDate(0, -1, 0), 10)
	if err != nil || len(k.TopUnanswered) != 0 {
		f.t.Errorf("live %v: unanswered %+v, %v", owner.Live, k.TopUnanswered, err)
	}
}

// What becomes later of something that was rehearsed tells nobody either.
func TestWhatWasRehearsedStaysQuiet(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	booked := f.rehearse().book()
	c := f.rehearse()
	c.say("Quiero cancelar mi cita, el código es " + booked.ConfirmationCode)
	for range 4 {
		if got, err := f.store.Capture(ctx, f.sandbox(), booked.ID); err != nil {
			t.Fatal(err)
		} else if got.Status == frontdesk.Cancelled {
			f.quiet(f.sandbox(), "")
			return
		}
		c.say("sí")
	}
	t.Errorf("the other rehearsal did not cancel it; last said %q", c.last.Text)
}

// A rehearsal offers what is free in the live book, and what callers have taken is
// taken. It does not touch what they have.
func TestARehearsalLooksIntoTheLiveBook(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	taken := f.start().book()
	c := f.rehearse()
	c.say("Quiero reservar una revisión el miércoles a las doce del mediodía")
	if c.last.Expect == "confirm" || !strings.Contains(c.tools("openings hold"), "full") {
		t.Errorf("the place is taken; said %q, did %s", c.last.Text, c.tools("openings hold"))
	}
	other := f.rehearse()
	other.say("Quiero cancelar mi cita, el código es " + taken.ConfirmationCode)
	for range 3 {
		other.say("sí")
	}
	if got, err := f.store.Capture(ctx, f.owner, taken.ID); err != nil || got.Status != frontdesk.PendingConfirm {
		t.Errorf("the caller's appointment is %+v, %v", got, err)
	}
}

// tools are the details of what was done in a rehearsal, as its turns have them.
func (c *caller) tools(names string) string {
	c.t.Helper()
	turns, err := c.sessions.Turns(ctx, c.id, c.token)
	must(c.t, err)
	var all []frontdesk.Turn
	for _, turn := range turns {
		if turn.Role == frontdesk.RoleTool && (names == "" || slices.Contains(strings.Fields(names), turn.Name)) {
			all = append(all, turn)
		}
	}
	text, err := json.Marshal(all)
	must(c.t, err)
	return string(text)
}

// It answers from the live documents, and what it looked up can be read, also
// after its end.
func TestARehearsalAnswersFromLiveDocuments(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	shelves := knowledge.NewShelves(f.store, nil, f.clock.Now, slog.New(slog.DiscardHandler), 0)
	f.sessions = reception.NewSessions(reception.SessionOptions{Store: f.store, Shelves: shelves, Now: f.clock.Now})
	f.knows("¿Tienen aparcamiento para bicicletas?", "Sí, hay un aparcamiento para bicicletas en el patio.")
	c := f.rehearse()
	if r := c.say("¿Tienen aparcamiento para bicicletas?"); !strings.Contains(r.Text, "en el patio") {
		t.Errorf("said %q", r.Text)
	}
	if did := c.tools(""); !strings.Contains(did, "aparcamiento") {
		t.Errorf("did %s", did)
	}
	_, err := c.sessions.End(ctx, c.id, c.token)
	must(t, err)
	if did := c.tools(""); !strings.Contains(did, "aparcamiento") {
		t.Errorf("after its end it did %s", did)
	}
	live := f.start()
	live.say("¿Tienen aparcamiento para bicicletas?")
	_, err = f.sessions.Turns(ctx, live.id, live.token)
	isNotFound(t, err)
	_, err = f.sessions.Turns(ctx, c.id, live.token)
	isNotFound(t, err)
}

// Rehearsals take no place of the plan, in either mode, and go on when it has none.
func TestARehearsalTakesNoPlace(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.plan(func(p *frontdesk.Plan) {
		p.MaxConcurrentCalls, p.IncludedSeconds, p.Overage = 1, 60, frontdesk.OverageBlock
	})
	for range 3 {
		if r := f.rehearse().say("¿Cuánto cuesta la revisión?"); r.Ended {
			t.Errorf("a rehearsal was refused: %q", r.Text)
		}
	}
	if r := f.start().say("Hola"); r.Ended {
		t.Errorf("the caller was refused: %q", r.Text)
	}
	w, err := f.sessions.Start(ctx, reception.Beginning{Tenant: "lola", Agent: "desk", Live: false})
	must(t, err)
	test := &caller{front: f, id: w.ID, token: w.Token.Reveal()}
	if r := test.say("Hola"); r.Ended {
		t.Errorf("the caller in test mode was refused: %q", r.Text)
	}
	if r := f.start().say("Hola"); !r.Ended || r.Outcome != frontdesk.OverLimit {
		t.Errorf("there is one place, and a second caller heard %+v", r)
	}
}

// One that is left is swept: what was half done is not kept, and a draft that
// cannot be read is in nobody's way.
func TestRehearsalsAreSwept(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c, unread := f.rehearse(), f.rehearse()
	c.untilAsked("confirm")
	_, err := f.database().Exec(`UPDATE conversations SET draft = '{', state = '{' WHERE id = $1`, string(unread.id))
	must(t, err)
	f.clock.Forward(silent)
	must(t, f.node().Sweep(ctx))
	for _, id := range []frontdesk.ID{c.id, unread.id} {
		if row, err := f.store.ConversationByID(ctx, id); err != nil || row.EndedAt.IsZero() {
			t.Errorf("swept %+v, %v", row, err)
		}
	}
	f.quiet(f.owner, "")
	f.quiet(f.sandbox(), "")
	f.clock.Forward(reception.Memory + time.Hour)
	must(t, f.sessions.Sweep(ctx))
	_, err = f.sessions.Turns(ctx, c.id, c.token)
	isNotFound(t, err)
}

// Nobody rehearses with an agent of somebody else's, and none with settings that
// an agent cannot have.
func TestWhoCannotRehearse(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	_, err := f.sessions.Rehearse(ctx, storetest.Tenant(t, f.store, "other"), f.agent, "")
	isNotFound(t, err)
	draft := f.agent
	draft.Settings.Capacity = -1
	if _, err := f.sessions.Rehearse(ctx, f.tenant, draft, ""); err == nil {
		t.Error("a capacity below zero was taken")
	}
	paused := f.rehearse(func(a *frontdesk.Agent) { a.Status = frontdesk.AgentPaused })
	if r := paused.say("¿Cuánto cuesta la revisión?"); !strings.Contains(r.Text, "30") {
		t.Errorf("one that is paused cannot be rehearsed: %q", r.Text)
	}
}
