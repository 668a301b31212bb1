package privacy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/privacy"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

// visits are two people's: of each a call with a booking, a question, an event, a
// conversation that just ended, a kept answer and an audit entry.
func visits(t *testing.T, s *store.Store, owner frontdesk.Owner, agent frontdesk.Agent, name, phone, said, email string) {
	t.Helper()
	ctx := t.Context()
	r := called(t, s, owner, 1, 1, func(r *store.Recording) {
		c := &r.Captures[0]
		c.CustomerName, c.CustomerPhone, c.Visit.Email, c.AgentID = name, phone, email, agent.ID
		r.Call.Summary = json.RawMessage(`{"text":"` + name + ` reservó"}`)
	})
	ring := store.Recording{
		Call: frontdesk.Call{
			ID: frontdesk.NewID(now), StartedAt: now, Language: "es", Outcome: "message", Channel: "phone", Caller: phone, AgentID: agent.ID,
			Summary: json.RawMessage(`{"text":"llamó"}`), Transcript: json.RawMessage(`{}`),
		},
		Unanswered: []string{"¿Me llamáis al " + said + "?"},
	}
	web := store.Recording{Call: frontdesk.Call{
		ID: frontdesk.NewID(now), StartedAt: now, Language: "es", Outcome: "info", Channel: "web", Summary: json.RawMessage(`{}`),
		Transcript: json.RawMessage(`{"turns":[{"text":"soy ` + name + `, el ` + said + `"}]}`),
	}}
	must(t, s.RecordCalls(ctx, owner, ring, web))
	change := r.Captures[0]
	_, err := s.ChangeCapture(ctx, owner, store.CaptureChange{
		By: frontdesk.Actor{Kind: frontdesk.ByOperatorActing, Name: "test"}, ID: change.ID, Now: now,
		Change: func(c frontdesk.Capture) (frontdesk.Capture, error) {
			c.Notes, c.UpdatedAt = "con perro", now
			return c, nil
		},
		Event: func(c frontdesk.Capture) (frontdesk.Event, error) {
			return frontdesk.Event{ID: frontdesk.NewID(now), Type: frontdesk.CaptureUpdated, Live: owner.Live, CreatedAt: now, Body: json.RawMessage(fmt.Sprintf(`{"id":%q,"customer_name":%q}`, c.ID, c.CustomerName))}, nil
		},
	})
	must(t, err)
	key := "key of " + name
	if _, mine, err := s.ClaimAnswer(ctx, owner, key, []byte("f"), now, now.Add(time.Minute), now.Add(time.Hour)); err != nil || !mine {
		t.Fatal(mine, err)
	}
	must(t, s.KeepAnswer(ctx, owner, key, now.Add(time.Minute), 201, []byte("sealed "+phone)))
}

// opened reads what visits keeps for "sealed" answers.
func opened(_ frontdesk.Owner, _ string, sealed []byte) ([]byte, error) {
	return []byte(strings.TrimPrefix(string(sealed), "sealed ")), nil
}

func TestACallerIsFoundAndErasedEverywhere(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	k := privacy.New(privacy.Options{Store: s, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }, OpenAnswer: opened})
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
	other := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "theirs").ID, Live: true}
	for _, o := range []frontdesk.Owner{owner, other} {
		agent := frontdesk.Agent{ID: frontdesk.NewID(now), TenantID: o.TenantID, Slug: "desk", Vertical: "general", DisplayName: "Desk", Status: "active", Languages: []string{"es"}, Timezone: "Europe/Madrid", CreatedAt: now, UpdatedAt: now}
		must(t, s.CreateAgent(ctx, frontdesk.Actor{}, agent))
		visits(t, s, o, agent, "Ana Ruiz", "+34611222333", "611 22 23 33", "Ana@example.com")
		visits(t, s, o, agent, "Luis Gil", "+34644555666", "644-555-666", "luis@example.com")
	}
	want := map[store.TraceKind]int{
		store.TraceCapture: 1, store.TraceCall: 3, store.TraceQuestion: 1, store.TraceEvent: 1, store.TraceAnswer: 1, store.TraceAudit: 1,
	}
	found := func(o frontdesk.Owner, phone string) map[store.TraceKind]int {
		t.Helper()
		c, err := k.Find(ctx, o, phone)
		must(t, err)
		return c.Rows()
	}
	before := found(owner, "611 222 333")
	for kind, n := range want {
		if before[kind] < n {
			t.Errorf("%s: %d are found, not %d", kind, before[kind], n)
		}
	}
	erased, err := k.Erase(ctx, owner, frontdesk.Actor{Kind: frontdesk.ByOperatorActing, Name: "test"}, "0034611222333")
	must(t, err)
	if fmt.Sprint(erased.Rows()) != fmt.Sprint(before) {
		t.Errorf("erased are %v, found were %v", erased.Rows(), before)
	}
	if left := found(owner, "+34611222333"); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
	if left := everything(t, s, owner); strings.Contains(left, "Ana Ruiz") || strings.Contains(strings.ToLower(left), "ana@example.com") || !strings.Contains(left, "Luis Gil") {
		t.Errorf("left is %s", left)
	}
	for name, rows := range map[string]map[store.TraceKind]int{"another person": found(owner, "644555666"), "another tenant": found(other, "611222333")} {
		if fmt.Sprint(rows) != fmt.Sprint(before) {
			t.Errorf("%s has %v, not %v", name, rows, before)
		}
	}
	log, err := s.Audit(ctx, owner, frontdesk.AuditFilter{Action: frontdesk.AuditCallerErased}, frontdesk.Page{Limit: 10})
	if err != nil || len(log.Items) != 1 || log.Items[0].By.Name != "test" {
		t.Errorf("the audit log has %v, %v", log.Items, err)
	}
}

// isMissing says whether an error says that something is not there.
func isMissing(err error) bool {
	var e *frontdesk.Error
	return errors.As(err, &e) && e.Kind == frontdesk.NotFound
}

// What a client calls its requests is of its own making: a number may stand in it.
func TestANumberInWhatAClientCallsItsRequests(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
	must(t, s.CreateAgent(ctx, frontdesk.Actor{}, agentIn("Europe/Madrid", owner)))
	var requests []frontdesk.Request
	for _, id := range []string{"crm-611222333", "34611222333.7", "crm-644555666", "req_7F3K"} {
		requests = append(requests, frontdesk.Request{ID: frontdesk.NewID(now), Owner: owner, RequestID: id, Key: frontdesk.NewID(now), Method: "POST", Path: "/v1/captures", Status: 201, At: now})
		if _, mine, err := s.ClaimAnswer(ctx, owner, id, []byte("f"), now, now.Add(time.Minute), now.Add(time.Hour)); err != nil || !mine {
			t.Fatal(mine, err)
		}
		must(t, s.KeepAnswer(ctx, owner, id, now.Add(time.Minute), 201, []byte("sealed {}")))
	}
	must(t, s.RecordRequestsForWorker(ctx, requests))
	c, err := newKeeper(t, s).Erase(ctx, owner, frontdesk.Actor{}, "+34 611 222 333")
	if must(t, err); fmt.Sprint(c.Rows()) != "map[requests:2 stored_answers:2]" {
		t.Errorf("erased are %v", c.Rows())
	}
	list, err := s.Requests(ctx, owner, frontdesk.RequestFilter{}, frontdesk.Page{Limit: 10})
	if must(t, err); len(list.Items) != 4 {
		t.Errorf("kept are %+v", list.Items)
	}
	if left := everything(t, s, owner); strings.Contains(left, "611222333") || strings.Count(left, "crm-644555666") < 2 {
		t.Errorf("left is %s", left)
	}
}

// A copy of the embedded database that is made after an erasure holds nothing of it,
// whatever SQLite has left in the file where it moved rows.
func TestErasedTextIsInNoCopy(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	if store.IsPostgres(url) {
		t.Skip("of the embedded database only")
	}
	s := storetest.Open(t, url)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
	agent := agentIn("Europe/Madrid", owner)
	must(t, s.CreateAgent(t.Context(), frontdesk.Actor{}, agent))
	for i := range 30 {
		visits(t, s, owner, agent, fmt.Sprint("Luis Gil ", i), fmt.Sprint("+3464455566", i%10), "644-555-666", "luis@example.com")
		visits(t, s, owner, agent, fmt.Sprint("Zacarías Quintanilla ", i), "+34611222333", "611 22 23 33", "zquint@example.com")
	}
	k := privacy.New(privacy.Options{Store: s, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }, OpenAnswer: opened})
	_, err := k.Erase(t.Context(), owner, frontdesk.Actor{}, "+34611222333")
	must(t, err)
	log, err := os.ReadFile(url + "-wal")
	must(t, err)
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.Backup(t.Context(), copied))
	text, err := os.ReadFile(copied)
	must(t, err)
	if !bytes.Contains(text, []byte("Luis Gil")) {
		t.Error("nobody is left")
	}
	// In the index of words they stand without capitals.
	text, log = bytes.ToLower(text), bytes.ToLower(log)
	for _, left := range []string{"zacarías", "zacarias", "quintanilla", "zquint", "611222333", "611 22 23 33"} {
		if bytes.Contains(log, []byte(left)) {
			t.Errorf("%q is left in SQLite's log", left)
		}
		if at := bytes.Index(text, []byte(left)); at >= 0 {
			t.Errorf("%q is left: %q", left, text[max(0, at-60):min(len(text), at+60)])
		}
	}
}

// everything is all text that an owner has.
func everything(t *testing.T, s *store.Store, owner frontdesk.Owner) string {
	t.Helper()
	var b strings.Builder
	for _, kind := range store.TraceKinds {
		must(t, s.Traces(t.Context(), owner, kind, func(r store.Trace) error {
			fmt.Fprintln(&b, kind, r.Key, r.Text, string(r.Sealed))
			return nil
		}))
	}
	return b.String()
}

func TestANumberThatIsNone(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
	for _, phone := range []string{"", "Ana", "12345", "%", "20261117", strings.Repeat("6", 1_000_000)} {
		if _, err := newKeeper(t, s).Erase(t.Context(), owner, frontdesk.Actor{}, phone); err == nil {
			t.Errorf("%q is taken for a number", phone)
		}
	}
	c, err := newKeeper(t, s).Erase(t.Context(), owner, frontdesk.Actor{}, "+34 600 000 000")
	if err != nil || len(c.Rows()) != 0 {
		t.Errorf("of nobody %v was erased, %v", c.Rows(), err)
	}
}

// Nobody else is taken for a person: an address may be given by anybody, a number may
// end with another's digits, and a note may name somebody.
func TestOthersAreLeftAlone(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
	customer := func(name, phone, email, notes string) store.Recording {
		r := called(t, s, owner, 1, 1, func(r *store.Recording) {
			c := &r.Captures[0]
			c.CustomerName, c.CustomerPhone, c.Visit.Email = name, phone, email
			r.Call.Summary = json.RawMessage(`{"text":"` + name + ` reservó"}`)
		})
		_, err := s.ChangeCapture(ctx, owner, store.CaptureChange{
			ID: r.Captures[0].ID, Now: now,
			Change: func(c frontdesk.Capture) (frontdesk.Capture, error) {
				c.Notes, c.Service, c.UpdatedAt = notes, notes, now
				return c, nil
			},
			Event: func(c frontdesk.Capture) (frontdesk.Event, error) {
				return frontdesk.Event{ID: frontdesk.NewID(now), Type: frontdesk.CaptureUpdated, Live: true, CreatedAt: now, Body: wire.Capture(c)}, nil
			},
		})
		must(t, err)
		return r
	}
	must(t, s.CreateAgent(ctx, frontdesk.Actor{}, agentIn("America/New_York", owner)))
	ana := customer("Ana", "+12125550123", "ana@example.com", "")
	others := map[string]store.Recording{
		"of another city":        customer("Bea", "+13125550123", "", ""),
		"with a longer number":   customer("Carl", "+121255501234", "", ""),
		"with a longer address":  customer("Susana", "+34600111222", "susana@example.com", "susana@example.com"),
		"whose address she gave": customer("Eva", "+34600111333", "ana@example.com", ""),
		"of another country":     customer("Ken", "+8112125550123", "", ""),
		"who named her":          customer("Luis", "+34600111444", "", "Avisar a Ana, (212) 555-0123\ncon perro"),
	}
	_, err := newKeeper(t, s).Erase(ctx, owner, frontdesk.Actor{}, "001 212 555 0123")
	must(t, err)
	if left := has(t, s, owner, ana); left != "" {
		t.Errorf("of her is left %q", left)
	}
	for name, r := range others {
		if left := has(t, s, owner, r); left != "ctblw" {
			t.Errorf("%s: left is %q", name, left)
		}
	}
	if left := everything(t, s, owner); strings.Contains(left, "555-0123") || strings.Contains(left, "+12125550123 ") || strings.Contains(left, "+12125550123\"") || strings.Count(left, "capture.updated")+strings.Count(left, "\"object\":\"capture\"") < 4 {
		t.Errorf("left is %s", left)
	}
}

func agentIn(zone string, owner frontdesk.Owner) frontdesk.Agent {
	return frontdesk.Agent{
		ID: frontdesk.NewID(now), TenantID: owner.TenantID, Slug: "desk", Vertical: "general", DisplayName: "Desk", Status: "active",
		Languages: []string{"es"}, Timezone: zone, CreatedAt: now, UpdatedAt: now,
	}
}

// Two people's captures come of one call: what came of it for the other stays.
func TestASharedCall(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
	r := called(t, s, owner, 1, 1)
	call := r.Call
	call.ID = frontdesk.NewID(now)
	captures := []frontdesk.Capture{r.Captures[0], r.Captures[0]}
	for i, phone := range []string{"+34611222333", "+34644555666"} {
		captures[i].ID, captures[i].CallID, captures[i].CustomerPhone = frontdesk.NewID(now), call.ID, phone
	}
	call.CaptureIDs = []frontdesk.ID{captures[0].ID, captures[1].ID}
	event := frontdesk.Event{ID: frontdesk.NewID(now), Type: frontdesk.CaptureCreated, Live: true, CreatedAt: now, Body: wire.Capture(captures[1])}
	must(t, s.RecordCalls(ctx, owner, store.Recording{Call: call, Captures: captures, Events: []frontdesk.Event{event}}))
	c, err := newKeeper(t, s).Erase(ctx, owner, frontdesk.Actor{}, "+34611222333")
	must(t, err)
	if got := fmt.Sprint(c.Rows()); got != "map[calls:1 captures:1]" {
		t.Errorf("erased are %s", got)
	}
	if left, err := s.Capture(ctx, owner, captures[1].ID); err != nil || left.CallID != "" {
		t.Errorf("of the other is left %+v, %v", left, err)
	}
	if left := everything(t, s, owner); !strings.Contains(left, "+34644555666") || strings.Contains(left, "+34611222333") {
		t.Errorf("left is %s", left)
	}
}

// A booking that was handed to another person takes the first one's call along to
// nobody.
func TestABookingThatWasHandedOver(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
	r := called(t, s, owner, 1, 1)
	call := r.Call
	call.ID, call.Transcript = frontdesk.NewID(now), json.RawMessage(`{"turns":[{"text":"soy Nora Prima, 611 222 555"}]}`)
	capture := r.Captures[0]
	capture.ID, capture.CallID, capture.CustomerName, capture.CustomerPhone = frontdesk.NewID(now), call.ID, "Otto", "+34600888002"
	capture.CreatedAt, capture.UpdatedAt = now, now.Add(time.Hour)
	call.CaptureIDs = []frontdesk.ID{capture.ID}
	must(t, s.RecordCalls(ctx, owner, store.Recording{Call: call, Captures: []frontdesk.Capture{capture}}))
	for phone, want := range map[string]string{"+34600888002": "map[captures:1]", "+34611222555": "map[calls:1]"} {
		if c, err := newKeeper(t, s).Find(ctx, owner, phone); err != nil || fmt.Sprint(c.Rows()) != want {
			t.Errorf("%s: %v, %v", phone, c.Rows(), err)
		}
	}
}

// What was told of an appointment while it was another's stays theirs, even if the one
// name stands in the other, or both have the same.
func TestNamesOfThoseWhoHadItBefore(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a longer name": `{"id":%q,"customer_name":"Susana"}`,
		"the same name": `{"id":%q,"customer_name":"Ana","customer_phone":"+34611222555"}`,
	} {
		s := storetest.New(t)
		owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
		must(t, s.CreateAgent(t.Context(), frontdesk.Actor{}, agentIn("Europe/Madrid", owner)))
		r := called(t, s, owner, 1, 1)
		capture := r.Captures[0]
		capture.ID, capture.CallID, capture.CustomerName, capture.CustomerPhone = frontdesk.NewID(now), "", "Ana", "+34600888002"
		capture.CreatedAt, capture.UpdatedAt = now, now.Add(time.Hour)
		call := r.Call
		call.ID = frontdesk.NewID(now)
		var events []frontdesk.Event
		for _, text := range []string{body, `{"id":%q,"customer_name":"ANA","customer_phone":"600 888 002"}`} {
			events = append(events, frontdesk.Event{ID: frontdesk.NewID(now), Type: frontdesk.CaptureUpdated, Live: true, CreatedAt: now, Body: json.RawMessage(fmt.Sprintf(text, capture.ID))})
		}
		must(t, s.RecordCalls(t.Context(), owner, store.Recording{Call: call, Captures: []frontdesk.Capture{capture}, Events: events}))
		if c, err := newKeeper(t, s).Find(t.Context(), owner, "+34600888002"); err != nil || fmt.Sprint(c.Rows()) != "map[captures:1 events:1]" {
			t.Errorf("%s: %v, %v", name, c.Rows(), err)
		}
	}
}

// The business's own numbers stand in what many callers were told: nobody is erased by
// one.
func TestTheBusinessIsNoCaller(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
	agent := agentIn("Europe/Madrid", owner)
	agent.Config.Business.Phone, agent.Settings.TransferNumber = "912 345 678", "+34600999888"
	must(t, s.CreateAgent(t.Context(), frontdesk.Actor{}, agent))
	for _, phone := range []string{"+34 912 345 678", "600 999 888"} {
		visits(t, s, owner, agent, "Ana "+phone, "+34611222333", phone, "")
		if c, err := newKeeper(t, s).Erase(t.Context(), owner, frontdesk.Actor{}, phone); err == nil {
			t.Errorf("%s: erased are %v", phone, c.Rows())
		}
	}
}

// In a house of two countries a number without a code is of the country that it was
// given in.
func TestTwoCountries(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
	for zone, phone := range map[string]string{"Europe/Lisbon": "912 345 678", "Europe/Madrid": "+34 912 345 678"} {
		agent := agentIn(zone, owner)
		agent.Slug = strings.ToLower(zone[7:])
		must(t, s.CreateAgent(t.Context(), frontdesk.Actor{}, agent))
		visits(t, s, owner, agent, zone, phone, "nada", "")
	}
	c, err := newKeeper(t, s).Find(t.Context(), owner, "+34912345678")
	if must(t, err); len(c.Captures) != 1 || c.Captures[0].CustomerName != "Europe/Madrid" {
		t.Errorf("found are %+v", c.Captures)
	}
}

// The captures of a person are found however their number was written down.
func TestNumbersOfCaptures(t *testing.T) {
	t.Parallel()
	for zone, tt := range map[string]struct {
		phone string
		same  []string
		other []string
	}{
		"Europe/Madrid":    {"+34 611 222 333", []string{"611222333", "0034 611 22 23 33", "+34\u2013611-222-333", "tel 611 222 333", "611222333 ext 5", "611 222 333 (Ana)", "611·222·333", "611\u202f222\u202f333", "6112\u200b22333", "móvil611222333", "644 555 666 / 611 222 333"}, []string{"+44 611222333", "611 222 334", "11222333", "+1 361 122 2333", "644 555 666 / 611 222 334", "6112223334", "+44 20 / 611 222 333"}},
		"Europe/Paris":     {"+33 6 12 34 56 78", []string{"06 12 34 56 78", "06.12.34.56.78", "0033612345678"}, []string{"+34 612345678", "07 12 34 56 78"}},
		"America/New_York": {"+1 202 612 0821", []string{"(202) 612-0821", "1-202-612-0821"}, []string{"2026-12-08 21:00", "+1 202 612 0822"}},
		"Europe/London":    {"+44 20 7946 0000", []string{"020 7946 0000", "(020) 7946-0000", "+44 (0)20 7946 0000", "llamar al +44 (0)20 7946 0000"}, []string{"020 7946 0001", "+1 207 946 0000"}},
	} {
		s := storetest.New(t)
		owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
		must(t, s.CreateAgent(t.Context(), frontdesk.Actor{}, agentIn(zone, owner)))
		add := func(phone string) frontdesk.ID {
			r := called(t, s, owner, 1, 1)
			_, err := s.ChangeCapture(t.Context(), owner, store.CaptureChange{ID: r.Captures[0].ID, Now: now, Change: func(c frontdesk.Capture) (frontdesk.Capture, error) {
				c.CustomerPhone, c.UpdatedAt = phone, now
				return c, nil
			}, Event: func(c frontdesk.Capture) (frontdesk.Event, error) {
				return frontdesk.Event{ID: frontdesk.NewID(now), Type: frontdesk.CaptureUpdated, Live: true, CreatedAt: now, Body: json.RawMessage(`{}`)}, nil
			}})
			must(t, err)
			return r.Captures[0].ID
		}
		want := map[frontdesk.ID]string{}
		for _, phone := range tt.same {
			want[add(phone)] = phone
		}
		for _, phone := range tt.other {
			add(phone)
		}
		c, err := newKeeper(t, s).Find(t.Context(), owner, tt.phone)
		must(t, err)
		for _, found := range c.Captures {
			if want[found.ID] == "" {
				t.Errorf("%s: %q is taken for it", tt.phone, found.CustomerPhone)
			}
			delete(want, found.ID)
		}
		if len(want) > 0 {
			t.Errorf("%s: %v are not found", tt.phone, want)
		}
	}
}

func TestNumbersInTexts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "mine").ID, Live: true}
	for text, found := range map[string]bool{
		"soy Ana, el 611 22 23 33": true, "611222333": true, "+34611222333.": true, "0034-611-222-333": true, "mesa 5, 611222333": true, "para 5 611222333": true, "tel611222333": true, `a Ana:\n611222333`: true, "611\u00a0222\u00a0333": true,
		"6112223334": false, "+44611222333": false, "61122233": false, "5611222333": false, "seis uno uno": false, "611a222333": false, "+611222333": false, "+44 611 222 333": false, "0044 611 222 333": false, "id 01a065f6-1122-7233-8444-055566677788": false, "x611222333": false, "611,222,333": true, "611_222_333": true, "+34600111222 611222333": true, "el 611–222–333": true,
	} {
		at := frontdesk.NewID(now)
		must(t, s.RecordCalls(t.Context(), owner, store.Recording{Call: frontdesk.Call{
			ID: at, StartedAt: now, Language: "es", Outcome: "info", Channel: "web", Summary: json.RawMessage(`{}`), Transcript: json.RawMessage(`{"turns":[{"text":"` + text + `"}]}`),
		}}))
		c, err := newKeeper(t, s).Find(t.Context(), owner, "+34 611 222 333")
		must(t, err)
		if (len(c.Calls) == 1 && c.Calls[0].ID == at) != found {
			t.Errorf("%q: %v", text, c.Rows())
		}
		_, err = s.ForgetCalls(t.Context(), owner, now.Add(time.Hour), 10)
		must(t, err)
	}
}
