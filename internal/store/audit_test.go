package store_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

var crm = frontdesk.Actor{Kind: frontdesk.ByKey, Name: "crm", ID: frontdesk.NewID(day)}

func auditOf(t testing.TB, s *store.Store, owner frontdesk.Owner, f frontdesk.AuditFilter) []frontdesk.AuditEntry {
	t.Helper()
	list, err := s.Audit(ctx, owner, f, frontdesk.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}

// audited is a business whose changes are looked at in the audit log.
type audited struct {
	*store.Store
	t     *testing.T
	owner frontdesk.Owner
	agent frontdesk.Agent
	seen  int
}

func newAudited(t *testing.T) *audited {
	s, owner := owned(t)
	return &audited{Store: s, t: t, owner: owner, agent: newAgent(t, s, owner.TenantID)}
}

// left says that what was done just now left one entry, with the given fields as
// "field: from > to".
func (a *audited) left(action, objectID, object string, fields ...string) {
	a.t.Helper()
	all := auditOf(a.t, a.Store, a.owner, frontdesk.AuditFilter{})
	if len(all) != a.seen+1 {
		a.t.Fatalf("%s left %d entries: %+v", action, len(all)-a.seen, all)
	}
	a.seen++
	e := all[0]
	var got []string
	for _, c := range e.Changes {
		got = append(got, c.Field+": "+c.From+" > "+c.To)
	}
	if e.Action != action || e.ObjectID != objectID || e.Object != object || e.By != crm || e.At.IsZero() || !reflect.DeepEqual(got, fields) {
		a.t.Errorf("%s left %+v\nwith %q\nwant %q", action, e, got, fields)
	}
}

// leftNothing says that what was done just now left no entry.
func (a *audited) leftNothing() {
	a.t.Helper()
	if all := auditOf(a.t, a.Store, a.owner, frontdesk.AuditFilter{}); len(all) != a.seen {
		a.t.Fatalf("it left %+v", all[0])
	}
}

func (a *audited) must(err error) {
	a.t.Helper()
	if err != nil {
		a.t.Fatal(err)
	}
}

func (a *audited) changeAgent(action string, change func(*frontdesk.Agent)) (frontdesk.Agent, error) {
	ch := changing(day, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		change(&a)
		if a.DisplayName == "" {
			return a, errFull
		}
		return a, nil
	})
	ch.By, ch.Action = crm, action
	return a.ChangeAgent(ctx, a.owner, "desk", ch)
}

func TestChangesOfAgentsAreAudited(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	bar := a.agent
	bar.ID, bar.Slug, bar.DisplayName, bar.Settings.TransferNumber = frontdesk.NewID(day), "bar", "Bar", "+34600000009"
	a.must(a.CreateAgent(ctx, crm, bar))
	a.left(frontdesk.AuditAgentCreated, string(bar.ID), "Bar", "slug:  > bar", "display_name:  > Bar", "vertical:  > general",
		"status:  > active", "languages:  > es, en", "timezone:  > Europe/Madrid", "transfer_number:  > +34600000009")
	isKind(t, a.CreateAgent(ctx, crm, bar), frontdesk.Conflict, "slug_taken")
	a.leftNothing()

	id, name := string(a.agent.ID), a.agent.DisplayName
	long := strings.Repeat("ñ", 3000)
	changed, err := a.changeAgent("", func(a *frontdesk.Agent) { a.Config.Business.Phone, a.Config.Policy = "+34910000000", long })
	a.must(err)
	first, err := a.Revisions(ctx, a.owner, a.agent.ID, frontdesk.Page{})
	a.must(err)
	a.left(frontdesk.AuditAgentChanged, id, name, "config.business.phone:  > +34910000000", "config.policy:  > "+strings.Repeat("ñ", 1000)+"…",
		"revision:  > "+string(first.Items[0].ID))
	before := changed.Revision
	changed, err = a.changeAgent("", func(a *frontdesk.Agent) { a.Status = frontdesk.AgentPaused })
	a.must(err)
	a.left(frontdesk.AuditAgentPaused, id, name, "status: active > paused", "revision: "+string(before)+" > "+string(changed.Revision))
	before = changed.Revision
	changed, err = a.changeAgent("", func(a *frontdesk.Agent) { a.Status = frontdesk.AgentActive })
	a.must(err)
	a.left(frontdesk.AuditAgentResumed, id, name, "status: paused > active", "revision: "+string(before)+" > "+string(changed.Revision))
	// What has no history leaves an entry all the same.
	_, err = a.changeAgent("", func(a *frontdesk.Agent) { a.Settings.ThresholdPct = 75 })
	a.must(err)
	a.left(frontdesk.AuditAgentChanged, id, name, "threshold:  > 75")
	before = changed.Revision
	changed, err = a.changeAgent(frontdesk.AuditAgentRestored, func(a *frontdesk.Agent) { a.Config.Policy = "" })
	a.must(err)
	a.left(frontdesk.AuditAgentRestored, id, name, "config.policy: "+strings.Repeat("ñ", 1000)+"… > ", "revision: "+string(before)+" > "+string(changed.Revision))

	_, err = a.changeAgent("", func(*frontdesk.Agent) {})
	a.must(err)
	a.leftNothing()
	if _, err = a.changeAgent("", func(a *frontdesk.Agent) { a.DisplayName, a.Settings.ThresholdPct = "", 20 }); err == nil {
		t.Error("it was changed")
	}
	a.leftNothing()
}

func TestChangesOfCapturesAreAudited(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	n := newCapture(a.agent.ID, "once", nil)
	n.By, n.Capture.Notes = crm, "Al sol"
	c := addOne(t, a.Store, a.owner, n)
	id, code := string(c.ID), c.ConfirmationCode
	a.left(frontdesk.AuditCaptureCreated, id, code, "kind:  > appointment", "status:  > pending_confirm", "scheduled_at:  > "+string(eight), "service:  > Mesa",
		"service_id:  > mesa", "party_size:  > 4", "duration_minutes:  > 90", "customer_name:  > Ana", "customer_phone:  > +34 600 00 00 01",
		"customer_email:  > ana@example.com", "notes:  > Al sol")
	addOne(t, a.Store, a.owner, n) // the same once more
	a.leftNothing()
	n.Once, n.Fits = "twice", oneOnly
	if _, err := a.AddCapture(ctx, a.owner, n); err != errFull {
		t.Fatal(err)
	}
	a.leftNothing()

	change := func(by frontdesk.Actor, how func(*frontdesk.Capture)) error {
		_, err := a.ChangeCapture(ctx, a.owner, store.CaptureChange{
			By: by, ID: c.ID, Now: day,
			Change: func(c frontdesk.Capture) (frontdesk.Capture, error) {
				how(&c)
				if c.CustomerName == "" {
					return c, errFull
				}
				return c, nil
			},
			Event: func(c frontdesk.Capture) (frontdesk.Event, error) { return event(frontdesk.CaptureUpdated, day), nil },
		})
		return err
	}
	a.must(change(crm, func(c *frontdesk.Capture) { c.CustomerName, c.Visit.Party = "Ana Ruiz", 5 }))
	a.left(frontdesk.AuditCaptureChanged, id, code, "party_size: 4 > 5", "customer_name: Ana > Ana Ruiz")
	a.must(change(crm, func(c *frontdesk.Capture) { c.Status = frontdesk.Confirmed }))
	a.left(frontdesk.AuditCaptureStatus, id, code, "status: pending_confirm > confirmed")
	a.must(change(crm, func(*frontdesk.Capture) {}))
	a.leftNothing()
	if err := change(crm, func(c *frontdesk.Capture) { c.CustomerName = "" }); err != errFull {
		t.Error(err)
	}
	a.leftNothing()
	// The caller themselves.
	a.must(change(frontdesk.Actor{}, func(c *frontdesk.Capture) { c.Status = frontdesk.Cancelled }))
	a.leftNothing()
}

func TestMarksOfCallsAreAudited(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	r := recording(day, 60, 0)
	record(t, a.Store, a.owner, r)
	id := string(r.Call.ID)
	mark := func(done time.Time) {
		t.Helper()
		a.must(a.MarkCall(ctx, a.owner, store.CallMark{By: crm, ID: r.Call.ID, Title: "Asks for Lola", Done: done}))
		if c, err := a.Call(ctx, a.owner, r.Call.ID); err != nil || !c.DoneAt.Equal(done) {
			t.Errorf("done at %v, not %v: %v", c.DoneAt, done, err)
		}
	}
	mark(day)
	a.left(frontdesk.AuditCallDone, id, "Asks for Lola")
	if err := a.MarkCall(ctx, a.owner, store.CallMark{By: crm, ID: r.Call.ID, Done: day.Add(time.Hour)}); err != nil {
		t.Error(err)
	}
	a.leftNothing()
	if l, err := a.Calls(ctx, a.owner, frontdesk.CallFilter{}, frontdesk.Page{}); err != nil || !l.Items[0].DoneAt.Equal(day) {
		t.Errorf("the list has %+v, %v", l.Items, err)
	}
	mark(time.Time{})
	a.left(frontdesk.AuditCallReopened, id, "Asks for Lola")
	isMissing(t, a.MarkCall(ctx, a.owner, store.CallMark{By: crm, ID: frontdesk.NewID(day), Done: day}))
}

func TestChangesOfConnectionsAreAudited(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	c := connection(a.owner)
	c.URL = "https://ana:secret@hooks.example.com/in?token=secret#secret"
	id := string(c.ID)
	a.must(a.CreateConnection(ctx, a.owner, crm, c, 1))
	stamp := day.UTC().Format(time.RFC3339)
	a.left(frontdesk.AuditConnectionCreated, id, c.Name, "name:  > "+c.Name, "url:  > https://hooks.example.com/in?…",
		"events:  > capture.created, call.completed", "status:  > active", "secret_set_at:  > "+stamp)
	isKind(t, a.CreateConnection(ctx, a.owner, crm, connection(a.owner), 1), frontdesk.Invalid, "limit_reached")
	a.leftNothing()

	change := func(how func(frontdesk.Connection) frontdesk.Connection) {
		t.Helper()
		_, err := a.ChangeConnection(ctx, a.owner, crm, c.ID, day, func(c frontdesk.Connection) (frontdesk.Connection, error) { return how(c), nil })
		a.must(err)
	}
	change(func(c frontdesk.Connection) frontdesk.Connection { c.Name = "ERP"; return c })
	a.left(frontdesk.AuditConnectionChanged, id, "ERP", "name: "+c.Name+" > ERP")
	change(func(c frontdesk.Connection) frontdesk.Connection { return c.Disable(frontdesk.ByCustomer, "too many") })
	a.left(frontdesk.AuditConnectionDisabled, id, "ERP", "status: active > disabled", "disabled_by:  > customer", "disabled_reason:  > too many")
	change(func(c frontdesk.Connection) frontdesk.Connection { return c.Disable(frontdesk.ByCustomer, "again") })
	a.leftNothing()
	change(func(c frontdesk.Connection) frontdesk.Connection { return c.Enable() })
	a.left(frontdesk.AuditConnectionEnabled, id, "ERP", "status: disabled > active", "disabled_by: customer > ", "disabled_reason: too many > ")
	next := frontdesk.SealedSecret{Prefix: "whsec_next", Sealed: []byte("sealed"), SetAt: day.Add(time.Hour)}
	change(func(c frontdesk.Connection) frontdesk.Connection { return c.Rotate(next, 0, day.Add(time.Hour)) })
	a.left(frontdesk.AuditConnectionRotated, id, "ERP", "secret_set_at: "+stamp+" > "+next.SetAt.UTC().Format(time.RFC3339))

	emit(t, a.Store, a.owner, event(frontdesk.CallCompleted, day))
	fail(t, a.Store, store.Lane{Owner: a.owner, Connection: c.ID}, day)
	delivery := deliveriesOf(t, a.Store, a.owner, c.ID)[0].ID
	_, err := a.ClaimDelivery(ctx, a.owner, crm, delivery, day.Add(time.Minute))
	a.must(err)
	a.left(frontdesk.AuditDeliveryRetried, string(delivery), frontdesk.CallCompleted, "status: failed > delivering", "attempts: 1 > 2")
	if _, err := a.ClaimDelivery(ctx, a.owner, crm, delivery, day.Add(time.Minute)); err == nil {
		t.Error("it was claimed twice")
	}
	a.leftNothing()

	a.must(a.DeleteConnection(ctx, a.owner, crm, c.ID))
	a.left(frontdesk.AuditConnectionDeleted, id, "ERP", "name: ERP > ", "url: https://hooks.example.com/in?… > ",
		"events: capture.created, call.completed > ", "status: active > ", "secret_set_at: "+next.SetAt.UTC().Format(time.RFC3339)+" > ")
	isMissing(t, a.DeleteConnection(ctx, a.owner, crm, c.ID))
	a.leftNothing()
	for _, e := range auditOf(t, a.Store, a.owner, frontdesk.AuditFilter{}) {
		for _, c := range e.Changes {
			if strings.Contains(c.From+c.To, "secret") || strings.Contains(c.From+c.To, "whsec") {
				t.Errorf("a secret stands in %+v", e)
			}
		}
	}
}

func TestChangesOfKeysAndPlansAreAudited(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	_, k := newKey(a.owner.TenantID, false)
	k.Name, k.Prefix, k.Scopes, k.ExpiresAt = "", "svc_test_abcd…", []string{"calls:read"}, time.Time{}
	a.must(a.CreateKey(ctx, crm, k))
	a.left(frontdesk.AuditKeyCreated, string(k.ID), k.Prefix, "prefix:  > "+k.Prefix, "mode:  > test", "scopes:  > calls:read")
	isKind(t, a.CreateKey(ctx, crm, k), frontdesk.Conflict, "key_exists")
	a.leftNothing()
	_, next := newKey(a.owner.TenantID, false)
	next.Name, next.Prefix = "CRM", "svc_test_next…"
	ends := day.Add(time.Hour)
	a.must(a.ReplaceKey(ctx, crm, k.ID, ends, next))
	a.left(frontdesk.AuditKeyRotated, string(k.ID), "CRM", "revoked_at:  > "+ends.UTC().Format(time.RFC3339), "replaced_by:  > "+next.Prefix+" "+string(next.ID))
	isKind(t, a.ReplaceKey(ctx, crm, k.ID, day, next), frontdesk.Conflict, "key_exists")
	a.leftNothing()
	a.must(a.RevokeKey(ctx, crm, k.ID, day.Add(time.Minute)))
	a.left(frontdesk.AuditKeyRevoked, string(k.ID), k.Prefix, "revoked_at: "+ends.UTC().Format(time.RFC3339)+" > "+day.Add(time.Minute).UTC().Format(time.RFC3339))
	a.must(a.RevokeKey(ctx, crm, k.ID, day.Add(time.Hour)))
	a.leftNothing()

	plan := frontdesk.DefaultPlan()
	a.must(a.SetPlan(ctx, crm, a.owner.TenantID, plan))
	a.leftNothing()
	plan.Name, plan.MaxDocuments = "large", 500
	a.must(a.SetPlan(ctx, crm, a.owner.TenantID, plan))
	a.left(frontdesk.AuditPlanSet, string(a.owner.TenantID), "large", "plan: standard > large", "max_documents: 100 > 500")
}

func TestChangesOfDocumentsAreAudited(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	d := paper("the card")
	_, _, err := a.AddDocument(ctx, a.owner, crm, d, frontdesk.DefaultPlan())
	a.must(err)
	added := auditOf(t, a.Store, a.owner, frontdesk.AuditFilter{})[0].Changes
	if len(added) < 3 || added[0] != (frontdesk.FieldChange{Field: "title", To: d.Title}) {
		t.Errorf("added with %v", added)
	}
	a.seen++
	_, _, err = a.AddDocument(ctx, a.owner, crm, d, frontdesk.DefaultPlan())
	a.must(err)
	a.leftNothing()
	for range 2 {
		_, err = a.ArchiveDocument(ctx, a.owner, crm, d.ID, day)
		a.must(err)
		if a.seen == 1 {
			a.left(frontdesk.AuditDocumentArchived, string(d.ID), d.Title, "status: pending > archived")
		}
	}
	a.leftNothing()
	_, err = a.RestoreDocument(ctx, a.owner, crm, d.ID, day)
	a.must(err)
	a.left(frontdesk.AuditDocumentRestored, string(d.ID), d.Title, "status: archived > pending")
	_, err = a.RestoreDocument(ctx, a.owner, crm, d.ID, day)
	a.must(err)
	a.leftNothing()
	a.must(a.DeleteDocument(ctx, a.owner, crm, d.ID))
	if e := auditOf(t, a.Store, a.owner, frontdesk.AuditFilter{Object: string(d.ID)})[0]; e.Action != frontdesk.AuditDocumentDeleted || e.Object != d.Title {
		t.Errorf("deleting left %+v", e)
	}
	a.seen++
	isMissing(t, a.DeleteDocument(ctx, a.owner, crm, d.ID))
	a.leftNothing()
}

func TestChangesOfNumbersAndCalendarsAreAudited(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	agent := string(a.agent.ID)
	n := telephone(newNumber(), a.agent.ID)
	a.must(a.AddNumber(ctx, a.owner, crm, n, []byte("sealed")))
	a.left(frontdesk.AuditNumberAdded, n.Number, n.Number, "agent_id:  > "+agent, "carrier:  > "+string(n.Carrier))
	if err := a.AddNumber(ctx, a.owner, crm, n, nil); err == nil {
		t.Error("it was added twice")
	}
	a.leftNothing()
	a.must(a.RemoveNumber(ctx, a.owner, crm, n.Number))
	a.left(frontdesk.AuditNumberRemoved, n.Number, n.Number, "agent_id: "+agent+" > ", "carrier: "+string(n.Carrier)+" > ")
	isMissing(t, a.RemoveNumber(ctx, a.owner, crm, n.Number))
	a.leftNothing()

	f := frontdesk.Feed{ID: frontdesk.NewID(day), AgentID: a.agent.ID, ResourceID: "luis", CreatedAt: day}
	a.must(a.CreateFeed(ctx, a.owner, crm, f))
	a.left(frontdesk.AuditFeedCreated, string(f.ID), "luis", "agent_id:  > "+agent, "resource_id:  > luis")
	a.must(a.DeleteFeed(ctx, a.owner, crm, f.ID))
	a.left(frontdesk.AuditFeedDeleted, string(f.ID), "luis", "agent_id: "+agent+" > ", "resource_id: luis > ")
	isMissing(t, a.DeleteFeed(ctx, a.owner, crm, f.ID))
	a.leftNothing()

	c := outsideCalendar(a.agent.ID)
	a.must(a.AddOutsideCalendar(ctx, a.owner, crm, c, nil, nil, "2026-01-01T00:00:00"))
	a.left(frontdesk.AuditOutsideCalendarAdded, string(c.ID), c.Host, "kind:  > caldav", "host:  > "+c.Host, "user:  > ana", "agent_id:  > "+agent)
	a.must(a.DeleteOutsideCalendar(ctx, a.owner, crm, c.ID))
	a.left(frontdesk.AuditOutsideCalendarRemoved, string(c.ID), c.Host, "kind: caldav > ", "host: "+c.Host+" > ", "user: ana > ", "agent_id: "+agent+" > ")
	isMissing(t, a.DeleteOutsideCalendar(ctx, a.owner, crm, c.ID))
	a.leftNothing()
}

func TestRetriesOfNoticesAreAudited(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	n := letter(a.agent.ID, "", frontdesk.OwnerMessage, day)
	a.must(a.AddNotices(ctx, a.owner, n))
	giveUp := func() {
		t.Helper()
		claim := claimNotices(t, a.Store, day, 1)[0].Notice
		a.must(a.SaveNotice(ctx, a.owner, claim, claim.After(frontdesk.SendResult{ErrorCode: frontdesk.NoticeRefused, ForGood: true}, day, 0)))
	}
	giveUp()
	a.must(a.RetryNotice(ctx, a.owner, crm, n.ID, day))
	a.left(frontdesk.AuditNoticeRetried, string(n.ID), string(n.Kind), "status: dead > failed", "attempts: 1 > ")
	giveUp()
	for range 2 {
		_, err := a.RetryDeadNotices(ctx, a.owner, crm, store.Unsent{}, day, 10)
		a.must(err)
		if a.seen == 1 {
			a.left(frontdesk.AuditNoticeRetried, "", "", "status: dead > failed", "notices:  > 1")
		}
	}
	a.leftNothing()
}

func TestNewTenantsAreAudited(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := frontdesk.Tenant{ID: frontdesk.NewID(day), Slug: "lola", Name: "Casa Lola", Timezone: "Europe/Madrid", CreatedAt: day}
	a := &audited{Store: s, t: t, owner: frontdesk.Owner{TenantID: tenant.ID}}
	a.must(s.CreateTenant(ctx, store.NewTenant{By: crm, Tenant: tenant}))
	a.left(frontdesk.AuditTenantCreated, string(tenant.ID), "Casa Lola", "slug:  > lola", "name:  > Casa Lola", "timezone:  > Europe/Madrid")
}

// A change and its entry are one: where either cannot be written, neither is.
func TestNoChangeWithoutItsEntry(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	if _, err := a.Beside().Exec(`DROP TABLE audit`); err != nil {
		t.Fatal(err)
	}
	c := connection(a.owner)
	if err := a.CreateConnection(ctx, a.owner, crm, c, 10); err == nil {
		t.Error("it was created")
	}
	_, err := a.Connection(ctx, a.owner, c.ID)
	isMissing(t, err)
	a.must(a.CreateConnection(ctx, a.owner, frontdesk.Actor{}, c, 10))
	if err := a.DeleteConnection(ctx, a.owner, crm, c.ID); err == nil {
		t.Error("it was deleted")
	}
	_, err = a.Connection(ctx, a.owner, c.ID)
	a.must(err)
}

// What a unit writes is taken back with its entry.
func TestTheEntryOfAUnitIsDroppedWithIt(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	lease := day.Add(time.Minute)
	if _, _, err := a.ClaimAnswer(ctx, a.owner, "k", []byte("f"), day, lease, day.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	under, unit := a.NewUnit(ctx, a.owner, "k", lease)
	a.must(a.CreateConnection(under, a.owner, crm, connection(a.owner), 10))
	unit.Drop()
	a.leftNothing()
}

func TestAuditIsFilteredAndPaged(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	for range 3 {
		a.must(a.CreateConnection(ctx, a.owner, crm, connection(a.owner), 10))
	}
	_, k := newKey(a.owner.TenantID, true)
	a.must(a.CreateKey(ctx, frontdesk.Actor{Kind: frontdesk.ByPerson, Name: "Ana"}, k))
	a.must(a.RevokeKey(ctx, crm, k.ID, day))
	for name, tt := range map[string]struct {
		filter frontdesk.AuditFilter
		want   int
	}{
		"all":             {frontdesk.AuditFilter{}, 5},
		"a kind":          {frontdesk.AuditFilter{Action: "key"}, 2},
		"an action":       {frontdesk.AuditFilter{Action: "key.revoked"}, 1},
		"another kind":    {frontdesk.AuditFilter{Action: "ke"}, 0},
		"an actor":        {frontdesk.AuditFilter{By: frontdesk.ByPerson}, 1},
		"an object":       {frontdesk.AuditFilter{Object: string(k.ID)}, 2},
		"action, object":  {frontdesk.AuditFilter{Action: "key.created", Object: string(k.ID)}, 1},
		"nobody's object": {frontdesk.AuditFilter{Object: "x"}, 0},
	} {
		if got := auditOf(t, a.Store, a.owner, tt.filter); len(got) != tt.want {
			t.Errorf("%s: %d entries, want %d", name, len(got), tt.want)
		}
	}
	all := auditOf(t, a.Store, a.owner, frontdesk.AuditFilter{})
	var paged []frontdesk.AuditEntry
	for p := (frontdesk.Page{Limit: 2}); ; {
		list, err := a.Audit(ctx, a.owner, frontdesk.AuditFilter{}, p)
		a.must(err)
		paged = append(paged, list.Items...)
		if !list.More {
			break
		}
		p.StartingAfter = list.Items[1].ID
	}
	if !reflect.DeepEqual(paged, all) {
		t.Errorf("in pages: %v\nat once: %v", paged, all)
	}
}

func TestOldAuditEntriesArePruned(t *testing.T) {
	t.Parallel()
	now := day
	s, err := store.Open(store.Options{URL: storetest.URL(t), Timeout: time.Minute, MaxConnections: 4, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if _, err := s.Migrate(ctx, day); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	for _, at := range []time.Time{day, day.Add(time.Hour), day.Add(2 * time.Hour)} {
		now = at
		if err := s.CreateConnection(ctx, owner, crm, connection(owner), 10); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int64{1, 1, 0} {
		if n, err := s.PruneAuditForWorker(ctx, day.Add(2*time.Hour), 1); err != nil || n != want {
			t.Errorf("pruned %d, %v, want %d", n, err, want)
		}
	}
	if left := auditOf(t, s, owner, frontdesk.AuditFilter{}); len(left) != 1 || !left[0].At.Equal(day.Add(2*time.Hour)) {
		t.Errorf("left are %+v", left)
	}
}

// The table comes into a database that is in use.
func TestMigrateToTheAuditLog(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "audit", day); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	c := connect(t, s, owner)
	if _, err := s.Migrate(ctx, day); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteConnection(ctx, owner, crm, c.ID); err != nil {
		t.Fatal(err)
	}
	if all := auditOf(t, s, owner, frontdesk.AuditFilter{}); len(all) != 1 {
		t.Errorf("entered are %+v", all)
	}
}
