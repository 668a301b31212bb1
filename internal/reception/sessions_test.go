package reception_test

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

// front is a business that takes calls, on one node.
type front struct {
	t        testing.TB
	url      string
	store    *store.Store
	clock    *servicetest.Clock
	box      *seal.Box
	limits   reception.Limits
	sessions *reception.Sessions
	tenant   frontdesk.Tenant
	agent    frontdesk.Agent
	owner    frontdesk.Owner
}

// silent is how long after the last thing said a conversation is swept.
const silent = reception.Silence + reception.TurnTime + time.Second

// monday is a morning on which the business is open.
var monday = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

func newFront(t testing.TB) *front {
	t.Helper()
	f := &front{t: t, url: storetest.URL(t), clock: servicetest.NewClock(monday)}
	f.store = storetest.Open(t, f.url)
	f.box, _ = seal.New(frontdesk.Secret(base64.StdEncoding.EncodeToString(make([]byte, 32))))
	f.tenant = storetest.Tenant(t, f.store, "lola")
	f.owner = frontdesk.Owner{TenantID: f.tenant.ID, Live: true}
	f.agent = frontdesk.Agent{
		ID: frontdesk.NewID(monday), TenantID: f.tenant.ID, Slug: "desk", Vertical: "clinic", DisplayName: "Clínica Lola",
		Status: frontdesk.AgentActive, Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: monday, UpdatedAt: monday,
		Config: frontdesk.AgentConfig{
			Business: frontdesk.Business{Name: "Clínica Lola", Phone: "+34 912 345 678"},
			Services: json.RawMessage(`[{"id":"checkup","name":"Revisión","name_en":"Check-up","duration_minutes":30,"price":30}]`),
		},
	}
	must(t, f.store.CreateAgent(ctx, frontdesk.Actor{}, f.agent))
	f.sessions = f.node()
	return f
}

// node is another process on the same database.
func (f *front) node() *reception.Sessions {
	return reception.NewSessions(reception.SessionOptions{Store: storetest.Open(f.t, f.url), Box: f.box, Limits: f.limits, Now: f.clock.Now})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (f *front) plan(change func(*frontdesk.Plan)) {
	f.t.Helper()
	change(&f.tenant.Plan)
	must(f.t, f.store.SetPlan(ctx, frontdesk.Actor{}, f.tenant.ID, f.tenant.Plan))
}

// change changes the agent.
func (f *front) change(change func(*frontdesk.Agent)) {
	f.t.Helper()
	_, err := f.store.ChangeAgent(ctx, f.owner, "desk", store.AgentChange{
		Now: f.clock.Now(), Fields: wire.AgentFields,
		Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
			change(&a)
			return a, nil
		},
	})
	must(f.t, err)
}

// caller is a visitor in a conversation.
type caller struct {
	*front
	id      frontdesk.ID
	token   string
	last    reception.Reply
	capture *frontdesk.Capture
}

func (f *front) start() *caller {
	f.t.Helper()
	w, err := f.sessions.Start(ctx, reception.Beginning{Tenant: "lola", Agent: "desk", Live: true})
	must(f.t, err)
	return &caller{front: f, id: w.ID, token: w.Token.Reveal(), last: w.Reply}
}

func (c *caller) say(text string) reception.Reply {
	c.t.Helper()
	r, err := c.sessions.Hear(ctx, c.id, c.token, conversation.Input{Kind: conversation.Text, Text: text})
	must(c.t, err)
	c.last = r
	if r.Capture != nil {
		c.capture = r.Capture
	}
	return r
}

// untilAsked answers whatever is asked for until something is.
func (c *caller) untilAsked(slot conversation.Slot) {
	c.t.Helper()
	c.saying("Quiero reservar una revisión el miércoles a las doce del mediodía", slot)
}

// saying is untilAsked with another beginning.
func (c *caller) saying(first string, slot conversation.Slot) {
	c.t.Helper()
	answers := map[conversation.Slot]string{
		conversation.SlotService: "una revisión", conversation.SlotDate: "el miércoles", conversation.SlotTime: "a las doce del mediodía",
		conversation.SlotPartySize: "dos personas", conversation.SlotName: "Ana García", conversation.SlotPhone: "612 345 678",
		conversation.SlotEmail: "no tengo", conversation.SlotConfirm: "sí", conversation.SlotChoice: "la primera",
	}
	c.say(first)
	for range 10 {
		if c.last.Expect == slot {
			return
		}
		answer, known := answers[c.last.Expect]
		if !known {
			break
		}
		c.say(answer)
	}
	c.t.Fatalf("never asked for %q; last: %+v", slot, c.last)
}

// book books an appointment, as whoever answers what is asked does.
func (c *caller) book() frontdesk.Capture {
	c.t.Helper()
	c.untilAsked(conversation.SlotConfirm)
	c.say("sí")
	if c.capture == nil {
		c.t.Fatalf("nothing was booked; last: %+v", c.last)
	}
	return *c.capture
}

func (c *caller) end() frontdesk.Call {
	c.t.Helper()
	e, err := c.sessions.End(ctx, c.id, c.token)
	must(c.t, err)
	call := c.call()
	if e.CallID != c.id || e.Outcome != call.Outcome {
		c.t.Errorf("ended as %+v; the call is %s, %s", e, call.ID, call.Outcome)
	}
	return call
}

// endUnspoken ends a conversation in which nothing was said: there is no call.
func (c *caller) endUnspoken() {
	c.t.Helper()
	e, err := c.sessions.End(ctx, c.id, c.token)
	if err != nil || e != (reception.Ended{Outcome: frontdesk.Abandoned}) {
		c.t.Errorf("ended as %+v, %v", e, err)
	}
}

// call is what was recorded of the conversation.
func (c *caller) call() frontdesk.Call {
	c.t.Helper()
	call, err := c.store.Call(ctx, c.owner, c.id)
	must(c.t, err)
	return call
}

type transcript struct {
	Language string
	Turns    []struct {
		Role, Text, Name, Language string
		Interrupted                bool
		Start                      int64 `json:"start_ms"`
		End                        int64 `json:"end_ms"`
	}
}

func transcriptOf(t testing.TB, call frontdesk.Call) (got transcript) {
	t.Helper()
	must(t, json.Unmarshal(call.Transcript, &got))
	return got
}

func (f *front) captures() []frontdesk.Capture {
	f.t.Helper()
	l, err := f.store.Captures(ctx, f.owner, frontdesk.CaptureFilter{}, frontdesk.Page{Limit: 100})
	must(f.t, err)
	return l.Items
}

func (f *front) calls() []frontdesk.Call {
	f.t.Helper()
	l, err := f.store.Calls(ctx, f.owner, frontdesk.CallFilter{}, frontdesk.Page{Limit: 100})
	must(f.t, err)
	return l.Items
}

// told counts the events of a kind.
func (f *front) told(kind string) (n int) {
	f.t.Helper()
	all, err := f.store.EventsAfter(ctx, f.owner, frontdesk.FirstIDAt(monday.AddDate(0, 0, -1)), 1000)
	must(f.t, err)
	for _, e := range all {
		if e.Type == kind {
			n++
		}
	}
	return n
}

func (f *front) used() frontdesk.UsagePeriod {
	f.t.Helper()
	all, err := f.store.Usage(ctx, f.owner, "2000-01")
	must(f.t, err)
	if len(all) == 0 {
		return frontdesk.UsagePeriod{}
	}
	return all[0]
}

// database is the database itself, for what no method does.
func (f *front) database() *sql.DB {
	f.t.Helper()
	driver := "sqlite"
	if storetest.IsPostgres() {
		driver = "pgx"
	}
	db, err := sql.Open(driver, f.url)
	must(f.t, err)
	f.t.Cleanup(func() { db.Close() })
	return db
}

// losing takes back what was saved of a conversation while do ran: the node
// died before it could save. What it wrote elsewhere stays.
func (c *caller) losing(do func()) {
	c.t.Helper()
	db := c.database()
	var state, turns string
	var version, touched int64
	must(c.t, db.QueryRow(`SELECT state, turns, version, touched_at FROM conversations WHERE id = $1`, string(c.id)).Scan(&state, &turns, &version, &touched))
	do()
	_, err := db.Exec(`UPDATE conversations SET state = $2, turns = $3, version = $4, touched_at = $5 WHERE id = $1`, string(c.id), state, turns, version, touched)
	must(c.t, err)
	c.sessions = c.node()
}

func isNotFound(t *testing.T, err error) {
	t.Helper()
	var e *frontdesk.Error
	if !errors.As(err, &e) || e.Kind != frontdesk.NotFound {
		t.Errorf("got %v", err)
	}
}

func TestACallFromGreetingToBooks(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	connection := frontdesk.Connection{
		ID: frontdesk.NewID(monday), Live: true, Name: "c", URL: "https://example.com", Status: frontdesk.ConnectionActive,
		Events: []string{frontdesk.CallCompleted, frontdesk.CaptureCreated}, CreatedAt: monday, UpdatedAt: monday,
		Secret: frontdesk.SealedSecret{Sealed: []byte("s"), SetAt: monday},
	}
	must(t, f.store.CreateConnection(ctx, f.owner, frontdesk.Actor{}, connection, 1))
	c := f.start()
	if c.last.Text == "" || c.last.Language != "es" || c.last.Ended {
		t.Errorf("greeted with %+v", c.last)
	}
	f.clock.Forward(20 * time.Second)
	booked := c.book()
	f.clock.Forward(40*time.Second + 900*time.Millisecond)
	call := c.end()
	if call.Outcome != frontdesk.Booking || call.Duration < 20 || call.Duration > 60 || call.Language != "es" || call.Channel != frontdesk.Web || call.AgentID != f.agent.ID {
		t.Errorf("recorded %+v", call)
	}
	if !strings.Contains(string(call.Summary), `"capture_ids":["`+string(booked.ID)+`"]`) {
		t.Errorf("the summary is %s", call.Summary)
	}
	if all := f.captures(); len(all) != 1 || all[0].CallID != c.id || all[0].ConfirmationCode != booked.ConfirmationCode {
		t.Errorf("captured %+v", all)
	}
	if u := f.used(); u.Calls != 1 || u.Seconds != call.Duration {
		t.Errorf("used %+v", u)
	}
	if calls, captures := f.told(frontdesk.CallCompleted), f.told(frontdesk.CaptureCreated); calls != 1 || captures != 1 {
		t.Errorf("told of %d calls, %d captures", calls, captures)
	}
	deliveries, err := f.store.Deliveries(ctx, f.owner, connection.ID, "", frontdesk.Page{})
	if err != nil || len(deliveries.Items) != 2 {
		t.Errorf("delivers %v, %v", deliveries.Items, err)
	}
	got := transcriptOf(t, call)
	var end int64
	roles := map[string]int{}
	for i, turn := range got.Turns {
		if turn.Start < end || turn.End < turn.Start || turn.Language == "" {
			t.Errorf("turn %d is %+v after %d", i, turn, end)
		}
		end = turn.End
		roles[turn.Role]++
	}
	if got.Turns[0].Role != "agent" || roles["caller"] < 2 || roles["agent"] != roles["caller"]+1 || roles["tool"] == 0 {
		t.Errorf("the transcript is %+v", got)
	}
	if again := c.end(); again.ID != call.ID || len(f.calls()) != 1 {
		t.Errorf("it was recorded again")
	}
	if r := c.say("¿Hola?"); !r.Ended || r.Outcome != frontdesk.Booking || r.Text == "" || r.Language != "es" {
		t.Errorf("after the end: %+v", r)
	}
}

func TestGoodbyeEnds(t *testing.T) {
	t.Parallel()
	c := newFront(t).start()
	if r := c.say("No, nada más. Gracias, adiós."); !r.Ended || r.Outcome == "" {
		t.Fatalf("got %+v", r)
	}
	turns := transcriptOf(t, c.call()).Turns
	if last := turns[len(turns)-1]; last.Role != "agent" || last.Text != c.last.Text {
		t.Errorf("the last turn is %+v", last)
	}
}

func TestTheLanguageIsTheCallers(t *testing.T) {
	t.Parallel()
	c := newFront(t).start()
	c.say("Hello, good morning, do you speak English? I would like to know your opening hours, please")
	if call := c.end(); call.Language != "en" {
		t.Errorf("it is %s", call.Language)
	}
}

// Whoever is not the visitor learns nothing, not even that there is a
// conversation.
func TestStrangers(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.start()
	_, wrong := f.sessions.Hear(ctx, c.id, c.token[1:]+"A", conversation.Input{Kind: conversation.Text, Text: "hola"})
	isNotFound(t, wrong)
	_, unknown := f.sessions.Hear(ctx, frontdesk.NewID(monday), c.token, conversation.Input{Kind: conversation.Text, Text: "hola"})
	isNotFound(t, unknown)
	if wrong.Error() != unknown.Error() {
		t.Errorf("%q is not %q", wrong, unknown)
	}
	_, err := f.sessions.End(ctx, c.id, "")
	isNotFound(t, err)
	var kept []byte
	c.say("hola")
	must(t, f.database().QueryRow(`SELECT token FROM conversations WHERE id = $1`, string(c.id)).Scan(&kept))
	if strings.Contains(string(kept), c.token) {
		t.Error("the token itself is kept")
	}
}

func TestWhomOneCanCall(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		status string
		begin  reception.Beginning
		taken  bool
	}{
		"an active agent":            {frontdesk.AgentActive, reception.Beginning{Tenant: "lola", Agent: "desk", Live: true}, true},
		"an active agent, in test":   {frontdesk.AgentActive, reception.Beginning{Tenant: "lola", Agent: "desk"}, true},
		"a draft":                    {frontdesk.AgentDraft, reception.Beginning{Tenant: "lola", Agent: "desk", Live: true}, false},
		"a draft, in test":           {frontdesk.AgentDraft, reception.Beginning{Tenant: "lola", Agent: "desk"}, true},
		"a paused agent":             {frontdesk.AgentPaused, reception.Beginning{Tenant: "lola", Agent: "desk", Live: true}, false},
		"a paused agent, in test":    {frontdesk.AgentPaused, reception.Beginning{Tenant: "lola", Agent: "desk"}, false},
		"an agent that is not there": {frontdesk.AgentActive, reception.Beginning{Tenant: "lola", Agent: "bar", Live: true}, false},
		"a tenant that is not there": {frontdesk.AgentActive, reception.Beginning{Tenant: "pepe", Agent: "desk", Live: true}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t)
			f.change(func(a *frontdesk.Agent) { a.Status = tt.status })
			w, err := f.sessions.Start(ctx, tt.begin)
			if !tt.taken {
				isNotFound(t, err)
				return
			}
			if err != nil || w.Live != tt.begin.Live || w.Agent.ID != f.agent.ID || w.Tenant.ID != f.tenant.ID {
				t.Errorf("got %+v, %v", w, err)
			}
		})
	}
}

// A change to the agent reaches conversations that go on.
func TestAgentsChange(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.start()
	c.say("hola")
	f.clock.Forward(time.Second)
	f.change(func(a *frontdesk.Agent) { a.Config.Business.Address = "Calle del Pez 7" })
	f.clock.Forward(2 * time.Second)
	if r := c.say("¿Cuál es la dirección?"); !strings.Contains(r.Text, "Pez") {
		t.Errorf("got %q", r.Text)
	}
}

// A node dies after it has booked and before it could say so.
func TestADeathBetweenBookingAndSaving(t *testing.T) {
	t.Parallel()
	t.Run("the visitor says yes again", func(t *testing.T) {
		t.Parallel()
		c := newFront(t).start()
		c.untilAsked(conversation.SlotConfirm)
		c.losing(func() { c.say("sí") })
		first := *c.capture
		c.capture = nil
		c.say("sí")
		if c.capture == nil || c.capture.ID != first.ID || c.capture.ConfirmationCode != first.ConfirmationCode {
			t.Errorf("first %+v, then %+v", first, c.capture)
		}
		if n := len(c.captures()); n != 1 || c.told(frontdesk.CaptureCreated) != 1 {
			t.Errorf("%d captures, told of %d", n, c.told(frontdesk.CaptureCreated))
		}
		if call := c.end(); call.Outcome != frontdesk.Booking {
			t.Errorf("it is %s", call.Outcome)
		}
	})
	t.Run("the visitor wants another time now", func(t *testing.T) {
		t.Parallel()
		c := newFront(t).start()
		c.untilAsked(conversation.SlotConfirm)
		c.losing(func() { c.say("sí") })
		first := *c.capture
		c.capture = nil
		c.say("no, mejor a las cinco de la tarde")
		c.say("sí")
		if c.capture == nil || c.capture.ID != first.ID || !strings.HasSuffix(string(c.capture.ScheduledAt), "17:00:00") {
			t.Fatalf("first %+v, then %+v; last: %+v", first, c.capture, c.last)
		}
		standing := slices.DeleteFunc(c.captures(), func(k frontdesk.Capture) bool { return k.Status == frontdesk.Cancelled })
		if len(standing) != 1 || standing[0].ID != c.capture.ID {
			t.Errorf("standing are %+v", standing)
		}
		call := c.end()
		if call.Outcome != frontdesk.Booking || !strings.Contains(string(call.Summary), string(first.ID)) {
			t.Errorf("%s: %s", call.Outcome, call.Summary)
		}
	})
	t.Run("the visitor comes with more people now", func(t *testing.T) {
		t.Parallel()
		f := newFront(t)
		f.change(func(a *frontdesk.Agent) { a.Vertical, a.Config.Services = "restaurant", nil })
		c := f.start()
		c.saying("Una mesa para dos personas el miércoles a las nueve de la noche", conversation.SlotConfirm)
		c.losing(func() { c.say("sí") })
		first := *c.capture
		c.capture = nil
		c.saying("no, para cinco personas", conversation.SlotConfirm)
		c.say("sí")
		if c.capture == nil || c.capture.ID != first.ID || c.capture.Visit.Party != 5 || c.capture.ScheduledAt != first.ScheduledAt {
			t.Fatalf("first %+v, then %+v; last: %+v", first, c.capture, c.last)
		}
		standing := slices.DeleteFunc(c.captures(), func(k frontdesk.Capture) bool { return k.Status == frontdesk.Cancelled })
		if len(standing) != 1 || standing[0].ID != c.capture.ID {
			t.Errorf("standing are %+v", standing)
		}
	})
	t.Run("the visitor never comes back", func(t *testing.T) {
		t.Parallel()
		c := newFront(t).start()
		c.untilAsked(conversation.SlotConfirm)
		c.losing(func() { c.say("sí") })
		c.clock.Forward(silent)
		must(t, c.sessions.Sweep(ctx))
		call := c.call()
		if call.Outcome != frontdesk.Booking || !strings.Contains(string(call.Summary), string(c.capture.ID)) || !strings.Contains(string(call.Summary), c.capture.ConfirmationCode) {
			t.Errorf("%s: %s", call.Outcome, call.Summary)
		}
	})
}

// After a restart the conversation goes on where it was.
func TestARestart(t *testing.T) {
	t.Parallel()
	c := newFront(t).start()
	c.untilAsked(conversation.SlotConfirm)
	c.sessions = c.node()
	if c.say("sí"); c.capture == nil {
		t.Errorf("got %+v", c.last)
	}
}

// Messages at once, on two nodes, are heard one after the other.
func TestMessagesAtOnce(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.start()
	nodes := []*reception.Sessions{f.sessions, f.node()}
	const each = 5
	var all sync.WaitGroup
	for i := range each * len(nodes) {
		all.Go(func() {
			in := conversation.Input{Kind: conversation.Text, Text: fmt.Sprintf("¿Cuál es su teléfono? %c", 'a'+i)}
			for {
				_, err := nodes[i%len(nodes)].Hear(ctx, c.id, c.token, in)
				var e *frontdesk.Error
				if errors.As(err, &e) && e.Kind == frontdesk.Unavailable {
					continue // too much of a crowd: the visitor tries again
				}
				if err != nil {
					t.Error(err)
				}
				return
			}
		})
	}
	all.Wait()
	heard := map[string]int{}
	for _, turn := range transcriptOf(t, c.end()).Turns {
		if turn.Role == "caller" {
			heard[turn.Text]++
		}
	}
	if len(heard) != each*len(nodes) {
		t.Errorf("heard %v", heard)
	}
	for text, n := range heard {
		if n != 1 {
			t.Errorf("%q was heard %d times", text, n)
		}
	}
}

// Two that say yes at once book once.
func TestTwoYesesAtOnce(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c := f.start()
	c.untilAsked(conversation.SlotConfirm)
	var all sync.WaitGroup
	for _, node := range []*reception.Sessions{f.sessions, f.node(), f.sessions, f.node()} {
		all.Go(func() {
			if _, err := node.Hear(ctx, c.id, c.token, conversation.Input{Kind: conversation.Text, Text: "sí"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(f.captures()); n != 1 || f.told(frontdesk.CaptureCreated) != 1 {
		t.Errorf("%d captures, told of %d", n, f.told(frontdesk.CaptureCreated))
	}
}

// Whoever sweeps, a silent conversation becomes one call.
func TestManySweepOnce(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.plan(func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 100 })
	const left = 20
	for range left {
		f.start().say("hola")
	}
	f.start() // is looked at, and no call
	f.clock.Forward(reception.Silence + reception.TurnTime)
	must(t, f.sessions.Sweep(ctx))
	if n := len(f.calls()); n != 0 {
		t.Fatalf("%d ended before their time", n)
	}
	talking := f.start()
	talking.say("hola")
	f.clock.Forward(time.Second)
	var all sync.WaitGroup
	for range 3 {
		node := f.node()
		all.Go(func() {
			if err := node.Sweep(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	calls := f.calls()
	if u := f.used(); len(calls) != left || u.Calls != left || f.told(frontdesk.CallCompleted) != left {
		t.Errorf("%d calls, used %+v, told of %d", len(calls), u, f.told(frontdesk.CallCompleted))
	}
	for _, call := range calls {
		// The answer takes some seconds to read; the silence after it is nobody's.
		if call.Outcome != frontdesk.Abandoned || call.Duration > 15 {
			t.Errorf("recorded %+v", call)
		}
	}
	if r := talking.say("hola"); r.Ended {
		t.Error("the one who talks was cut off")
	}
}

// slow is a model that takes its time, in which others sweep.
type slow struct{ *front }

func (s slow) Fill(context.Context, string, []string, json.RawMessage) (json.RawMessage, error) {
	s.clock.Forward(reception.TurnTime - 2*time.Second)
	return nil, errors.Join(errors.New("too late"), s.node().Sweep(ctx))
}

// A turn that began in time is not swept away under the caller.
func TestSweepingLeavesATurnItsTime(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.sessions = reception.NewSessions(reception.SessionOptions{Store: f.store, Model: slow{f}, Now: f.clock.Now})
	c := f.start()
	c.say("hola")
	f.clock.Forward(reception.Silence - time.Second)
	r := c.say("Verá usted, resulta que ayer mi primo me contó una cosa rarísima sobre el asunto aquel")
	if f.clock.Now().Sub(monday) <= reception.Silence {
		t.Fatal("the model was not asked")
	}
	if r.Ended || len(f.calls()) != 0 {
		t.Errorf("got %+v", r)
	}
	if turns := transcriptOf(t, c.end()).Turns; len(turns) < 3 {
		t.Errorf("the transcript is %+v", turns)
	}
}

// What cannot be ended keeps nobody else, however much of it there is.
func TestSweepingGoesOn(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.plan(func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 1000 })
	old := f.start()
	old.say("hola")
	old.end()
	f.clock.Forward(reception.Memory)
	for range 101 {
		f.start().say("hola")
	}
	other := storetest.Tenant(t, f.store, "pepe")
	agent := f.agent
	agent.ID, agent.TenantID = frontdesk.NewID(monday), other.ID
	must(t, f.store.CreateAgent(ctx, frontdesk.Actor{}, agent))
	f.clock.Forward(time.Second)
	w, err := f.sessions.Start(ctx, reception.Beginning{Tenant: "pepe", Agent: "desk", Live: true})
	must(t, err)
	_, err = f.sessions.Hear(ctx, w.ID, w.Token.Reveal(), conversation.Input{Kind: conversation.Text, Text: "hola"})
	must(t, err)
	_, err = f.database().Exec(`UPDATE tenants SET timezone = 'Mars/Olympus' WHERE slug = 'lola'`)
	must(t, err)
	f.clock.Forward(silent)
	if err := f.node().Sweep(ctx); err == nil || strings.Count(err.Error(), "Mars/Olympus") < 101 {
		t.Errorf("got %v", err)
	}
	if _, err := f.store.Call(ctx, frontdesk.Owner{TenantID: other.ID, Live: true}, w.ID); err != nil {
		t.Errorf("the last one was not ended: %v", err)
	}
	_, err = f.store.ConversationByID(ctx, old.id)
	isNotFound(t, err)
}

// A message that is sent again, because its answer was lost, is heard once.
func TestAMessageSentAgain(t *testing.T) {
	t.Parallel()
	c := newFront(t).start()
	c.untilAsked(conversation.SlotConfirm)
	yes := conversation.Input{Kind: conversation.Text, Text: "sí"}
	first, err := c.sessions.HearOnce(ctx, c.id, c.token, reception.Message{Input: yes, Key: "k1"})
	must(t, err)
	again, err := c.node().HearOnce(ctx, c.id, c.token, reception.Message{Input: yes, Key: "k1"})
	must(t, err)
	if first.Capture == nil || again.Capture == nil || again.Capture.ConfirmationCode != first.Capture.ConfirmationCode || again.Text != first.Text || again.Expect != first.Expect {
		t.Errorf("first %+v, then %+v", first, again)
	}
	var e *frontdesk.Error
	if _, err := c.sessions.HearOnce(ctx, c.id, c.token, reception.Message{Input: conversation.Input{Kind: conversation.Text, Text: "no"}, Key: "k1"}); !errors.As(err, &e) || e.Code != "idempotency_key_reused" {
		t.Errorf("another message with the same key: %v", err)
	}
	other, err := c.sessions.HearOnce(ctx, c.id, c.token, reception.Message{Input: yes, Key: "k2"})
	if err != nil || other.Capture != nil {
		t.Errorf("another key: %+v, %v", other, err)
	}
	var heard int
	for _, turn := range transcriptOf(t, c.end()).Turns {
		if turn.Role == "caller" && turn.Text == "sí" {
			heard++
		}
	}
	if heard != 2 {
		t.Errorf("heard %d times", heard)
	}
}

// The answer to a message that ends the conversation can be had again too.
func TestTheLastMessageComesAgain(t *testing.T) {
	t.Parallel()
	c := newFront(t).start()
	c.say("¿Cuál es su teléfono?")
	bye := reception.Message{Input: conversation.Input{Kind: conversation.Text, Text: "nada más, gracias, adiós"}, Key: "k1"}
	first, err := c.sessions.HearOnce(ctx, c.id, c.token, bye)
	must(t, err)
	again, err := c.node().HearOnce(ctx, c.id, c.token, bye)
	must(t, err)
	if !first.Ended || first.Outcome == "" || again.Text != first.Text || !again.Ended || again.Outcome != first.Outcome {
		t.Errorf("first %+v, then %+v", first, again)
	}
	bye.Key = "k2"
	other, err := c.sessions.HearOnce(ctx, c.id, c.token, bye)
	if err != nil || !other.Ended || other.Text == first.Text {
		t.Errorf("another key: %+v, %v", other, err)
	}
}

// What the receptionist was saying when it was cut off is marked, and nothing
// else is.
func TestAnInterruption(t *testing.T) {
	t.Parallel()
	c := newFront(t).start()
	c.clock.Forward(500 * time.Millisecond)
	if _, err := c.sessions.Hear(ctx, c.id, c.token, conversation.Input{Kind: conversation.Interrupt}); err != nil {
		t.Fatal(err)
	}
	c.clock.Forward(time.Second)
	c.say("¿Cuál es su teléfono?")
	c.clock.Forward(time.Minute)
	turns := transcriptOf(t, c.end()).Turns
	for i, turn := range turns {
		if turn.Interrupted != (i == 0) || turn.Role == "cut" {
			t.Errorf("turn %d is %+v", i, turn)
		}
	}
	if len(turns) < 3 || turns[0].End != 500 {
		t.Errorf("the turns are %+v", turns)
	}
}

// A message that comes too late, but before anybody has swept.
func TestAMessageAfterTheSilence(t *testing.T) {
	t.Parallel()
	c := newFront(t).start()
	c.say("hola")
	c.clock.Forward(reception.Silence + time.Second)
	if r := c.say("¿Sigue ahí?"); !r.Ended || r.Outcome != frontdesk.Abandoned {
		t.Errorf("got %+v", r)
	}
	if turns := transcriptOf(t, c.call()).Turns; len(turns) != 3 {
		t.Errorf("the transcript is %+v", turns)
	}
}

func TestEndedOnesAreForgotten(t *testing.T) {
	t.Parallel()
	c := newFront(t).start()
	c.say("hola")
	c.end()
	c.clock.Forward(reception.Memory)
	must(t, c.sessions.Sweep(ctx))
	if r := c.say("hola"); !r.Ended {
		t.Errorf("got %+v", r)
	}
	c.clock.Forward(time.Second)
	must(t, c.sessions.Sweep(ctx))
	_, err := c.sessions.End(ctx, c.id, c.token)
	isNotFound(t, err)
	c.call() // is there for ever
}

// What cannot be read any more must come to an end too.
func TestABrokenStateEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*caller){
		"when it is silent": func(c *caller) {
			c.clock.Forward(silent)
			must(c.t, c.sessions.Sweep(ctx))
		},
		"at the next message": func(c *caller) {
			if r := c.say("hola"); !r.Ended || r.Outcome != frontdesk.Failed || r.Text == "" {
				c.t.Errorf("got %+v", r)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newFront(t).start()
			c.say("hola")
			_, err := c.database().Exec(`UPDATE conversations SET state = 'rubbish' WHERE id = $1`, string(c.id))
			must(t, err)
			end(c)
			if call := c.call(); call.Outcome != frontdesk.Failed {
				t.Errorf("it is %s", call.Outcome)
			}
		})
	}
}

func TestOverThePlan(t *testing.T) {
	t.Parallel()
	t.Run("no seconds are left", func(t *testing.T) {
		t.Parallel()
		f := newFront(t)
		f.plan(func(p *frontdesk.Plan) { p.IncludedSeconds, p.Overage = 10, frontdesk.OverageBlock })
		c := f.start()
		c.say("hola")
		f.clock.Forward(time.Minute)
		if r := c.say("hola"); !r.Ended || r.Outcome != frontdesk.OverLimit || r.Text == "" {
			t.Errorf("in the middle: %+v", r)
		}
		refused := f.start()
		if refused.last.Ended || len(f.calls()) != 1 {
			t.Errorf("at the start: %+v", refused.last)
		}
		f.clock.Forward(time.Second)
		if r := refused.say("hola"); !r.Ended || r.Outcome != frontdesk.OverLimit || !strings.Contains(r.Text, f.agent.Config.Business.Phone) {
			t.Errorf("at the first message: %+v", r)
		}
		if call := refused.call(); call.Outcome != frontdesk.OverLimit || call.Duration != 0 || len(transcriptOf(t, call).Turns) != 3 {
			t.Errorf("recorded %+v", call)
		}
		if r := refused.say("¿Por qué?"); !r.Ended || r.Outcome != frontdesk.OverLimit {
			t.Errorf("after it: %+v", r)
		}
	})
	t.Run("which limit it was is said", func(t *testing.T) {
		t.Parallel()
		f := newFront(t)
		f.plan(func(p *frontdesk.Plan) {
			p.MaxConcurrentCalls, p.IncludedSeconds, p.Overage = 1, 10, frontdesk.OverageBlock
		})
		talking := f.start()
		talking.say("hola")
		crowded := f.start()
		crowded.say("hola")
		f.clock.Forward(time.Minute)
		talking.say("hola")
		late := f.start()
		late.say("hola")
		for c, want := range map[*caller]string{crowded: "a la vez", talking: "no tiene más minutos", late: "no tiene más minutos"} {
			if call := c.call(); call.Outcome != frontdesk.OverLimit || !strings.Contains(string(call.Summary), want) {
				t.Errorf("want %q, recorded %s %s", want, call.Outcome, call.Summary)
			}
		}
	})
	t.Run("more is allowed", func(t *testing.T) {
		t.Parallel()
		f := newFront(t)
		f.plan(func(p *frontdesk.Plan) { p.IncludedSeconds = 1 })
		c := f.start()
		f.clock.Forward(time.Minute)
		if r := c.say("hola"); r.Ended {
			t.Errorf("got %+v", r)
		}
	})
	t.Run("a caller is warned once", func(t *testing.T) {
		t.Parallel()
		f := newFront(t)
		f.plan(func(p *frontdesk.Plan) { p.IncludedSeconds, p.Overage = 120, frontdesk.OverageBlock })
		c := f.start()
		warned := func() bool { return strings.Contains(c.last.Text, "menos de un minuto") }
		if c.say("hola"); warned() {
			t.Error("warned too early")
		}
		f.clock.Forward(50 * time.Second)
		if c.say("hola"); warned() {
			t.Error("warned too early")
		}
		f.clock.Forward(time.Hour / 4) // of which a minute counts
		if c.say("hola"); !warned() || c.last.Ended {
			t.Errorf("not warned: %+v", c.last)
		}
		f.clock.Forward(time.Second)
		if c.say("hola"); warned() {
			t.Error("warned again")
		}
		booked := c.book()
		f.clock.Forward(time.Minute)
		if r := c.say("hola"); !r.Ended || r.Outcome != frontdesk.Booking { // the stronger outcome
			t.Errorf("booked %v, then %+v", booked.ID, r)
		}
	})
	t.Run("a yes is honoured", func(t *testing.T) {
		t.Parallel()
		f := newFront(t)
		f.plan(func(p *frontdesk.Plan) { p.IncludedSeconds, p.Overage = 120, frontdesk.OverageBlock })
		c := f.start()
		c.say("hola")
		f.clock.Forward(time.Hour / 4)
		c.untilAsked(conversation.SlotConfirm)
		f.clock.Forward(time.Hour / 4)
		if r := c.say("sí"); !r.Ended || r.Outcome != frontdesk.Booking || r.Capture == nil || !strings.Contains(r.Text, r.Capture.ConfirmationCode) {
			t.Errorf("got %+v", r)
		}
	})
	t.Run("calls at once", func(t *testing.T) {
		t.Parallel()
		f := newFront(t)
		f.plan(func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 3 })
		var taken, refused int
		var mu sync.Mutex
		var all sync.WaitGroup
		for _, node := range []*reception.Sessions{f.sessions, f.node(), f.node(), f.node()} {
			for range 3 {
				all.Go(func() {
					w, err := node.Start(ctx, reception.Beginning{Tenant: "lola", Agent: "desk", Live: true})
					if err != nil {
						t.Error(err)
						return
					}
					r, err := node.Hear(ctx, w.ID, w.Token.Reveal(), conversation.Input{Kind: conversation.Text, Text: "hola"})
					mu.Lock()
					defer mu.Unlock()
					switch {
					case err != nil:
						t.Error(err)
					case r.Ended:
						refused++
					default:
						taken++
					}
				})
			}
		}
		all.Wait()
		if taken != 3 || refused != 9 || len(f.calls()) != 9 {
			t.Errorf("%d taken, %d refused, %d recorded", taken, refused, len(f.calls()))
		}
		w, err := f.sessions.Start(ctx, reception.Beginning{Tenant: "lola", Agent: "desk"})
		must(t, err)
		if r, err := f.sessions.Hear(ctx, w.ID, w.Token.Reveal(), conversation.Input{Kind: conversation.Text, Text: "hola"}); err != nil || r.Ended {
			t.Errorf("the other mode has room: %+v, %v", r, err)
		}
		f.clock.Forward(reception.Talking + time.Second)
		if r := f.start().say("hola"); r.Ended {
			t.Error("silent ones keep others out")
		}
	})
}

// What must not be kept is nowhere: not in the conversation, not in the call,
// not in what it has brought in.
func TestNumbersAreNotKept(t *testing.T) {
	t.Parallel()
	c := newFront(t).start()
	for _, said := range []string{
		"Mi tarjeta es la 4111 1111 1111 1111", "Mi DNI es 12345678Z y mi cuenta ES91 2100 0418 4502 0005 1332", "a\x00b\xff",
	} {
		c.say(said)
	}
	var state, turns string
	must(t, c.database().QueryRow(`SELECT state, turns FROM conversations WHERE id = $1`, string(c.id)).Scan(&state, &turns))
	call := c.end()
	var left string
	must(t, c.database().QueryRow(`SELECT state || turns FROM conversations WHERE id = $1`, string(c.id)).Scan(&left))
	if left != "" {
		t.Errorf("after the end there is left: %s", left)
	}
	all := state + turns + string(call.Summary) + string(call.Transcript)
	for _, number := range []string{"1111", "12345678", "2100"} {
		if strings.Contains(all, number) {
			t.Errorf("%s is kept: %s", number, all)
		}
	}
	for _, instead := range []string{"[card number]", "[identity number]", "[IBAN]"} {
		if !strings.Contains(string(call.Transcript), instead) {
			t.Errorf("%s is not in %s", instead, call.Transcript)
		}
	}
}

// A conversation that does not come to an end is brought to one, and what it
// leaves is within bounds.
func TestEndlessConversations(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"many short ones": "¿Y eso?",
		"long ones":       strings.Repeat("¿<🐦&>? ", 200),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newFront(t).start()
			for range 201 {
				if c.last.Ended {
					break
				}
				c.clock.Forward(time.Second)
				c.say(said)
			}
			if !c.last.Ended {
				t.Fatal("it goes on")
			}
			call := c.call()
			if n := len(transcriptOf(t, call).Turns); n > 200 || len(call.Transcript) > 64<<10 {
				t.Errorf("%d turns, %d bytes", n, len(call.Transcript))
			}
		})
	}
}

// panicking is a model that is broken beyond all.
type panicking struct{}

func (panicking) Fill(context.Context, string, []string, json.RawMessage) (json.RawMessage, error) {
	panic("the model is broken")
}

func TestAPanicCostsOneCall(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.sessions = reception.NewSessions(reception.SessionOptions{Store: f.store, Model: panicking{}, Now: f.clock.Now})
	c := f.start()
	r := c.say("Verá usted, resulta que ayer mi primo me contó una cosa rarísima sobre el asunto aquel")
	if !r.Ended || r.Outcome != frontdesk.Failed || r.Text == "" {
		t.Errorf("got %+v", r)
	}
	if call := c.call(); call.Outcome != frontdesk.Failed {
		t.Errorf("recorded %+v", call)
	}
}

// Questions go to the documents of the agent, and those that find no answer are
// counted when the call is recorded.
func TestQuestions(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	shelves := knowledge.NewShelves(f.store, nil, f.clock.Now, slog.New(slog.DiscardHandler), 0)
	f.sessions = reception.NewSessions(reception.SessionOptions{Store: f.store, Shelves: shelves, Now: f.clock.Now})
	f.knows("¿Tienen aparcamiento para bicicletas?", "Sí, hay un aparcamiento para bicicletas en el patio.")
	c := f.start()
	if r := c.say("¿Tienen aparcamiento para bicicletas?"); !strings.Contains(r.Text, "en el patio") {
		t.Errorf("got %q", r.Text)
	}
	c.say("¿Tienen piscina climatizada con olas?")
	call := c.end()
	if call.Outcome != frontdesk.Info || !strings.Contains(string(call.Summary), "piscina climatizada") {
		t.Errorf("%s: %s", call.Outcome, call.Summary)
	}
	if !strings.Contains(string(call.Transcript), `"title":"Preguntas"`) {
		t.Errorf("the document is not named: %s", call.Transcript)
	}
	k, err := f.store.KnowledgeSummary(ctx, f.owner, monday.AddDate(0, -1, 0), 10)
	if err != nil || len(k.TopUnanswered) != 1 || !strings.Contains(k.TopUnanswered[0].Question, "piscina") {
		t.Errorf("unanswered are %+v, %v", k.TopUnanswered, err)
	}
}

// knows gives the agent a document with one question and its answer.
func (f *front) knows(question, answer string) {
	f.t.Helper()
	d := frontdesk.Document{
		ID: frontdesk.NewID(monday), Live: true, AgentID: f.agent.ID, Title: "Preguntas", Filename: "preguntas.md", Kind: "markdown",
		SizeBytes: 1, SHA256: []byte("sum"), Status: frontdesk.DocumentPending, CreatedAt: monday, UpdatedAt: monday,
	}
	_, _, err := f.store.AddDocument(ctx, f.owner, frontdesk.Actor{}, d, frontdesk.DefaultPlan())
	must(f.t, err)
	claim, _, err := f.store.ClaimDocumentForWorker(ctx, monday.Add(time.Hour), monday.Add(2*time.Hour), 0)
	must(f.t, err)
	_, err = f.store.SaveFragments(ctx, f.owner, claim, []frontdesk.Fragment{
		{ID: frontdesk.NewID(monday), DocumentID: d.ID, Language: "es", Question: question, Text: answer},
	}, monday, 100)
	must(f.t, err)
}
